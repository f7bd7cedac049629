/* Which colliders a cloth can meet within a tick, and how far each particle is from
 * meeting one.
 *
 * Distances are lower bounds in every rounding, so what is left out could not have
 * touched: contacts do not depend on this file, only their cost does. A collider beyond
 * the margin costs one box test a tick. */
#include "contact/collide_mesh.h"
#include "contact/contact_internal.h"
#include "contact/rigid.h"
#include "contact/two_way.h"
#include "solve/attach.h"

struct bounds {
    struct vec3 centre, half;
    double largest; /* |coordinate|, m */
    double speed;   /* m/s, largest */
};

static double largest_of(double a, double b) {
    return a > b ? a : b;
}

static struct bounds bounds_of(const struct pbd_cloth *cloth) {
    const struct cloth_state *s = &cloth->state;
    const float *axes[3] = {s->x, s->y, s->z};
    double centre[3], half[3], largest = 0.0;
    uint32_t count = cloth->fabric->particle_count;
    for (int k = 0; k < 3; ++k) {
        const float *a = axes[k];
        float low = a[0], high = a[0];
        for (uint32_t i = 1; i < count; ++i) {
            low = a[i] < low ? a[i] : low;
            high = a[i] > high ? a[i] : high;
        }
        double reach = largest_of(-(double)low, (double)high);
        largest = largest_of(largest, reach);
        centre[k] = 0.5 * ((double)low + (double)high);
        /* Positions are X + e, |e| ≤ half an ulp. */
        half[k] = 0.5 * ((double)high - (double)low) + 0x1p-22 * reach;
    }
    float fastest = 0.0f;
    for (uint32_t i = 0; i < count; ++i) {
        float v2 = s->vx[i] * s->vx[i] + s->vy[i] * s->vy[i] + s->vz[i] * s->vz[i];
        fastest = v2 > fastest ? v2 : fastest;
    }
    return (struct bounds){.centre = {centre[0], centre[1], centre[2]},
                           .half = {half[0], half[1], half[2]},
                           .largest = largest,
                           .speed = __builtin_sqrt((double)fastest)};
}

double broad_phase_clearance(const struct pbd_collider *collider, double distance, double arm,
                             double thickness) {
    double clear = distance - thickness - collider->tick_shift;
    if (collider->tick_turn > 0.0) {
        /* A turning surface moves by turn·(distance from its origin); a plane's goes on for ever. */
        bool whole = collider->shape.bound < arm;
        clear -= collider->tick_turn * (whole ? collider->shape.bound : arm);
        if (!whole && clear > 0.0) clear /= 1.0 + collider->tick_turn;
    }
    return clear > 0.0 ? clear * (1.0 - 0x1p-18) : clear;
}

static double overhang(double centre, double half, double shape_half) {
    return largest_of(__builtin_fabs(centre) - half - shape_half, 0.0);
}

/* A lower bound of the distance between the cloth's box and the shape, and of what a
 * particle may travel. */
static double box_clearance(const struct pbd_collider *collider, const struct bounds *bounds,
                            double thickness) {
    const struct collide_shape *shape = &collider->shape;
    const struct exact_pose *pose = &collider->substep_start;
    struct vec3 centre = pose_to_local(pose, bounds->centre);
    double half[3];
    for (int k = 0; k < 3; ++k) {
        struct vec3 a = pose->axis[k];
        half[k] = __builtin_fabs(a.x) * bounds->half.x + __builtin_fabs(a.y) * bounds->half.y +
                  __builtin_fabs(a.z) * bounds->half.z;
    }
    double arm = vec3_length(centre) + half[0] + half[1] + half[2];
    if (shape->type == PBD_PLANE) {
        struct vec3 n = shape->normal;
        double distance =
            vec3_dot(n, centre) - shape->offset -
            (__builtin_fabs(n.x) * half[0] + __builtin_fabs(n.y) * half[1] + __builtin_fabs(n.z) * half[2]);
        return broad_phase_clearance(collider, distance, arm, thickness);
    }
    struct vec3 h = shape->half;
    centre = vec3_sub(centre, shape->middle);
    if (shape->type != PBD_BOX && shape->type != PBD_MESH)
        h = vec3_make(shape->radius, shape->radius + shape->half_height, shape->radius);
    struct vec3 apart = {overhang(centre.x, half[0], h.x), overhang(centre.y, half[1], h.y),
                         overhang(centre.z, half[2], h.z)};
    return broad_phase_clearance(collider, vec3_length(apart), arm, thickness);
}

/* The near colliders in world order, bodies last, and how far the nearest of the others is. */
static void choose_near(const pbd_world *world, struct pbd_cloth *cloth, const struct bounds *bounds,
                        double margin) {
    struct cloth_contacts *contacts = cloth->contacts;
    const struct pbd_cloth_settings *c = &cloth->settings;
    contacts->near_count = 0;
    contacts->far_clearance = INFINITY;
    /* Bodies last: what does not yield tells first where a particle is that they press on it. */
    for (uint32_t n = 0; n < (world->has_bodies ? 2 : 1) * world->collider_count; ++n) {
        uint32_t place = world->collider_order[n % world->collider_count];
        const struct pbd_collider *collider = &world->colliders[place];
        if (rigid_moves(collider) == (n < world->collider_count)) continue;
        double clear = box_clearance(collider, bounds, (double)c->thickness);
        if (clear > margin) {
            if (clear < contacts->far_clearance) contacts->far_clearance = clear;
            continue;
        }
        const struct pbd_collider_def *d = &collider->def;
        contacts->near_friction[contacts->near_count] =
            friction_combine(c->friction, c->static_friction, d->friction, d->static_friction);
        contacts->near[contacts->near_count++] = place;
    }
}

/* What nothing moves meets only bodies; what has no mass is no obstacle. */
static bool is_met(const struct pbd_cloth *cloth, uint32_t i, const struct pbd_collider *collider) {
    if (two_way_weight(cloth, i) > 0.0) return true;
    return rigid_moves(collider) && cloth->fabric->mass[i] > 0.0f;
}

/* Of a mesh a lower bound is enough where it is beyond `limit`, m; the sign is right always. */
static double distance_of(const struct collide_shape *shape, struct vec3 local, double limit) {
    struct vec3 normal;
    if (shape->type != PBD_MESH) return collide_shape_distance(shape, local, &normal);
    struct vec3 at = vec3_sub(local, shape->middle);
    struct vec3 apart = {overhang(at.x, 0.0, shape->half.x), overhang(at.y, 0.0, shape->half.y),
                         overhang(at.z, 0.0, shape->half.z)};
    double outside = vec3_length(apart) * (1.0 - 0x1p-40);
    if (outside > limit) return outside;
    struct mesh_closest closest;
    double distance = collide_mesh_distance(shape->mesh, local, limit, &closest);
    if (closest.triangle != MESH_NONE || !shape->mesh->view.closed || outside > 0.0) return distance;
    return collide_mesh_distance(shape->mesh, local, INFINITY, &closest);
}

/* Lowers the particles' clearance by one collider; reports overlaps where it is fresh. */
static void measure(pbd_world *world, struct pbd_cloth *cloth, uint32_t place, double tolerance,
                    double margin, bool report) {
    const struct pbd_collider *collider = &world->colliders[place];
    const struct cloth_state *s = &cloth->state;
    struct cloth_contacts *contacts = cloth->contacts;
    double thickness = (double)cloth->settings.thickness, deepest = tolerance;
    double limit = 2.0 * thickness + margin + collider->tick_shift;
    if (collider->tick_turn > 0.0) limit += collider->tick_turn * collider->shape.bound;
    uint32_t inside = 0;
    for (uint32_t i = 0; i < cloth->fabric->particle_count; ++i) {
        if (!is_met(cloth, i, collider) || attach_holds(cloth, i, collider->id)) continue;
        struct vec3 at = vec3_add(particle_base(s, i), particle_residual(s, i));
        struct vec3 local = pose_to_local(&collider->substep_start, at);
        double distance = distance_of(&collider->shape, local, limit);
        double arm = collider->tick_turn > 0.0 ? vec3_length(local) : 0.0;
        float clear = (float)broad_phase_clearance(collider, distance, arm, thickness);
        if (clear < contacts->clearance[i]) contacts->clearance[i] = clear;
        double depth = thickness - distance;
        if (depth > tolerance && s->w[i] > 0.0f) ++inside;
        if (depth > deepest) deepest = depth;
    }
    if (!report || inside == 0 || !(contacts->fresh || collider->fresh)) return;
    /* Overlaps are a tick's first events, so that the count is theirs. */
    if (world->event_count >= OVERLAP_EVENTS_MAX) return;
    world_emit(world, &(struct pbd_event){.type = PBD_EVENT_INITIAL_OVERLAP,
                                          .cloth = cloth->id,
                                          .collider = collider->id,
                                          .count = inside,
                                          .depth = (float)deepest});
}

void broad_phase(pbd_world *world, struct pbd_cloth *cloth, bool report) {
    struct cloth_contacts *contacts = cloth->contacts;
    const struct cloth_state *s = &cloth->state;
    const pbd_fabric *fabric = cloth->fabric;
    struct bounds bounds = bounds_of(cloth);
    double dt = (double)world->settings.solver.dt;
    double gravity = vec3_length(vec3_from(world->settings.gravity));
    double margin = 2.0 * (bounds.speed + gravity * dt) * dt; /* m, that a particle may come near in a tick */
    choose_near(world, cloth, &bounds, margin);
    float far = (float)(contacts->far_clearance * (1.0 - 0x1p-18));
    for (uint32_t i = 0; i < fabric->particle_count; ++i)
        contacts->clearance[i] =
            s->w[i] > 0.0f || (world->has_bodies && fabric->mass[i] > 0.0f) ? far : INFINITY;
    for (uint32_t i = fabric->particle_count; i < fabric->padded_count; ++i)
        contacts->clearance[i] = INFINITY;
    /* An overlap below this is what rounding the start positions leaves. */
    double tolerance = 0x1p-20 * bounds.largest;
    for (uint32_t i = 0; i < contacts->near_count; ++i)
        measure(world, cloth, contacts->near[i], tolerance, margin, report);
}
