/* Cloths of a world: adding, removing, parameters, teleports and what can be read. */
#include "world/world_internal.h"

#include "contact/contact.h"
#include "contact/surface.h"
#include "solve/aero.h"
#include "solve/attach.h"
#include "solve/grab.h"
#include "solve/pressure.h"
#include "solve/tether.h"
#include "solve/triangle_set.h"
#include "solve/weave.h"
#include "world/sleep.h"

#include <assert.h>
#include <stdlib.h>

struct pbd_cloth_settings pbd_default_cloth_settings(void) {
    return (struct pbd_cloth_settings){
        .stretch_stiffness = 1.0f,
        .bend_stiffness = 0.1f,
        .stretch_compliance = 1e-7f,
        .stretch_compliance_weft = PBD_SAME_AS_WARP,
        .compression = 1.0f,
        .bend_compliance = 1000.0f,
        .bend_model = PBD_BEND_DIHEDRAL,
        .pressure = PBD_PRESSURE_OFF,
        .thickness = 0.005f,
        .cloth_collision = true,
        .friction = 0.3f,
        .static_friction = PBD_SAME_AS_KINETIC,
        .restitution = 0.0f,
        .drag_coefficient = 1.2f,
        .lift_coefficient = 1.0f,
    };
}

void cloth_release(struct pbd_cloth *cloth) {
    contact_destroy(cloth);
    surface_destroy(cloth);
    triangle_set_destroy(cloth);
    aero_destroy(cloth);
    pressure_destroy(cloth);
    weave_destroy(cloth);
    tether_destroy(cloth);
    cloth_memory_destroy(cloth);
    free(cloth->pins);
    free(cloth->attachments);
    pbd_fabric_unref(cloth->fabric);
    cloth->pins = NULL;
    cloth->attachments = NULL;
    cloth->fabric = NULL;
}

/* Positions of the lowest vertex of each particle, 3 per vertex. */
static void scatter(const pbd_fabric *fabric, const float *vertices, float *x, float *y, float *z) {
    for (uint32_t p = 0; p < fabric->particle_count; ++p) {
        const float *v = vertices + 3 * (size_t)fabric->view.particle_vertex[p];
        x[p] = v[0];
        y[p] = v[1];
        z[p] = v[2];
    }
}

static void fill_start(struct pbd_cloth *cloth, const struct pbd_cloth_def *def) {
    const pbd_fabric *fabric = cloth->fabric;
    struct cloth_state *s = &cloth->state;
    scatter(fabric, def->positions, s->x, s->y, s->z);
    for (uint32_t p = 0; p < fabric->particle_count; ++p) {
        s->w[p] = fabric->inverse_mass[p];
        if (!(s->w[p] > 0.0f)) continue;
        s->vx[p] = def->velocity[0];
        s->vy[p] = def->velocity[1];
        s->vz[p] = def->velocity[2];
    }
}

/* What settings need beyond the cloth's own memory. */
static int prepare(struct pbd_cloth *cloth, const struct pbd_cloth_settings *settings) {
    int result = weave_prepare(cloth, settings);
    if (result == PBD_OK) result = pressure_prepare(cloth, settings);
    return result < 0 ? result : tether_prepare(cloth, settings);
}

int pbd_cloth_add(pbd_world *world, const struct pbd_cloth_def *def, pbd_cloth_id *id) {
    assert(def->fabric != NULL && def->positions != NULL);
    for (uint32_t i = 0; i < def->pin_count; ++i)
        if (def->pins[i] >= def->fabric->view.vertex_count) return PBD_INDEX_RANGE;
    struct pbd_cloth made = {
        .fabric = pbd_fabric_ref(def->fabric), .settings = def->settings, .self_fresh = true};
    struct pbd_cloth *slot = NULL;
    int result = prepare(&made, &def->settings);
    if (result == PBD_OK && cloth_memory_create(&made) == PBD_OK && contact_create(&made) == PBD_OK &&
        contact_reserve_colliders(&made, world->collider_count) == PBD_OK) {
        fill_start(&made, def);
        if (pins_add(&made, def->pins, def->pin_count, NULL) == PBD_OK) slot = world_new_cloth(world);
    }
    if (slot == NULL) {
        cloth_release(&made);
        return result < 0 ? result : PBD_OUT_OF_MEMORY;
    }
    made.id = slot->id;
    made.generation = slot->generation;
    made.order = slot->order;
    *slot = made;
    *id = made.id;
    return PBD_OK;
}

int pbd_cloth_remove(pbd_world *world, pbd_cloth_id id) {
    struct pbd_cloth *cloth = world_cloth(world, id);
    if (cloth == NULL) return PBD_STALE_ID;
    sleep_wake_near_cloth(world, cloth);
    grabs_drop_cloth(world, id);
    cloth_release(cloth);
    world_free_cloth(world, cloth);
    return PBD_OK;
}

const pbd_fabric *pbd_cloth_fabric(const pbd_world *world, pbd_cloth_id id) {
    const struct pbd_cloth *cloth = world_cloth(world, id);
    return cloth == NULL ? NULL : cloth->fabric;
}

int pbd_cloth_get_settings(const pbd_world *world, pbd_cloth_id id, struct pbd_cloth_settings *settings) {
    const struct pbd_cloth *cloth = world_cloth(world, id);
    if (cloth == NULL) return PBD_STALE_ID;
    *settings = cloth->settings;
    return PBD_OK;
}

int pbd_cloth_set_settings(pbd_world *world, pbd_cloth_id id, const struct pbd_cloth_settings *settings) {
    struct pbd_cloth *cloth = world_cloth(world, id);
    if (cloth == NULL) return PBD_STALE_ID;
    int result = prepare(cloth, settings);
    if (result < 0) return result;
    if ((settings->self_collision && !cloth->settings.self_collision) ||
        (settings->cloth_collision && !cloth->settings.cloth_collision))
        cloth->self_fresh = true;
    cloth->settings = *settings;
    sleep_wake_cloth(cloth);
    return PBD_OK;
}

int pbd_cloth_set_state(pbd_world *world, pbd_cloth_id id, const float *positions, const float *velocities) {
    struct pbd_cloth *cloth = world_cloth(world, id);
    if (cloth == NULL) return PBD_STALE_ID;
    struct cloth_state *s = &cloth->state;
    uint32_t count = cloth->fabric->particle_count;
    if (positions != NULL) {
        scatter(cloth->fabric, positions, s->x, s->y, s->z);
        for (uint32_t p = 0; p < count; ++p)
            s->ex[p] = s->ey[p] = s->ez[p] = 0.0f;
        pins_follow(cloth);
        attach_follow_cloth(world, cloth);
        contact_forget(cloth);
        cloth->self_fresh = true;
    }
    if (velocities != NULL) {
        scatter(cloth->fabric, velocities, s->vx, s->vy, s->vz);
        for (uint32_t p = 0; p < count; ++p)
            if (cloth->fabric->inverse_mass[p] == 0.0f) s->vx[p] = s->vy[p] = s->vz[p] = 0.0f;
    }
    cloth->frozen = false;
    sleep_wake_cloth(cloth);
    return PBD_OK;
}

int pbd_cloth_impulse(pbd_world *world, pbd_cloth_id id, const uint32_t *vertices, uint32_t count,
                      const float impulse[3]) {
    struct pbd_cloth *cloth = world_cloth(world, id);
    if (cloth == NULL) return PBD_STALE_ID;
    for (uint32_t i = 0; i < count; ++i)
        if (vertices[i] >= cloth->fabric->view.vertex_count) return PBD_INDEX_RANGE;
    if (cloth->frozen) return PBD_OK;
    struct cloth_state *s = &cloth->state;
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t p = cloth->fabric->view.vertex_particle[vertices[i]];
        if (!(s->w[p] > 0.0f)) continue;
        s->vx[p] += s->w[p] * impulse[0];
        s->vy[p] += s->w[p] * impulse[1];
        s->vz[p] += s->w[p] * impulse[2];
    }
    sleep_wake_cloth(cloth);
    return PBD_OK;
}

int pbd_cloth_get_view(const pbd_world *world, pbd_cloth_id id, struct pbd_cloth_view *view) {
    const struct pbd_cloth *cloth = world_cloth(world, id);
    if (cloth == NULL) return PBD_STALE_ID;
    const struct cloth_state *s = &cloth->state;
    const pbd_fabric *fabric = cloth->fabric;
    *view = (struct pbd_cloth_view){
        .x = s->x,
        .y = s->y,
        .z = s->z,
        .vx = s->vx,
        .vy = s->vy,
        .vz = s->vz,
        .particle_count = fabric->particle_count,
        .vertex_count = fabric->view.vertex_count,
        .vertex_particle = fabric->view.vertex_particle,
        .frozen = cloth->frozen,
        .asleep = cloth->asleep,
    };
    return PBD_OK;
}

int pbd_cloth_edges(const pbd_world *world, pbd_cloth_id id, float *length, float *force) {
    const struct pbd_cloth *cloth = world_cloth(world, id);
    if (cloth == NULL) return PBD_STALE_ID;
    const struct stretch_set *set = &cloth->fabric->stretch;
    const struct cloth_state *s = &cloth->state;
    float scale = world->settings.solver.method == PBD_METHOD_XPBD ? cloth->force_scale : NAN;
    for (uint32_t c = 0; c < set->count; ++c) {
        uint32_t a = set->a[c], b = set->b[c], edge = set->edge[c];
        double x = (double)s->x[a] - s->x[b], y = (double)s->y[a] - s->y[b], z = (double)s->z[a] - s->z[b];
        if (length != NULL) length[edge] = (float)__builtin_sqrt(x * x + y * y + z * z);
        if (force != NULL) force[edge] = scale * cloth->scratch.stretch_lambda_sum[c];
    }
    return PBD_OK;
}
