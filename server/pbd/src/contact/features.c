/* A cloth's feature contacts: memory, and the order in which pairs are taken. */
#include "contact/features.h"

#include <stdlib.h>
#include <string.h>

#include "contact/feature_solve.h"
#include "contact/rigid.h"

/* Pushes of one pair move the parts of others. What is small is left to the next substep;
 * after a large push everything is looked at again until little is left. */
#define ROUNDS_MAX 32u
#define LARGE_PUSH 0.0625 /* of the mean rest edge, where that is more than the distance kept */
#define SMALL_PUSH 0.125  /* of the distance kept */

/* Room at the start. Meshes need more, and coarse cloths in fast motion; lists then double. */
#define PAIRS_MIN 1024u
#define PARTICLES_PER_PAIR 2u
#define CONTACTS_MIN 128u
#define PARTICLES_PER_CONTACT 16u

int feature_reserve(struct cloth_features **features, const pbd_fabric *fabric, uint32_t collider_count) {
    if (*features == NULL) {
        struct cloth_features *f = calloc(1, sizeof *f);
        if (f == NULL) return PBD_OUT_OF_MEMORY;
        f->x = aligned_floats(fabric->padded_count);
        f->y = aligned_floats(fabric->padded_count);
        f->z = aligned_floats(fabric->padded_count);
        f->slack = aligned_floats(fabric->padded_count);
        f->code = calloc(fabric->padded_count, sizeof *f->code);
        f->pushed = calloc(fabric->padded_count, sizeof *f->pushed);
        f->pair_capacity = PAIRS_MIN + fabric->particle_count / PARTICLES_PER_PAIR;
        f->pairs = malloc(f->pair_capacity * sizeof *f->pairs);
        f->contact_capacity = CONTACTS_MIN + fabric->particle_count / PARTICLES_PER_CONTACT;
        f->contacts = malloc(f->contact_capacity * sizeof *f->contacts);
        if (f->x == NULL || f->y == NULL || f->z == NULL || f->slack == NULL || f->code == NULL ||
            f->pushed == NULL || f->pairs == NULL || f->contacts == NULL) {
            feature_destroy(f);
            return PBD_OUT_OF_MEMORY;
        }
        *features = f;
    }
    struct cloth_features *f = *features;
    if (collider_count <= f->group_capacity) return PBD_OK;
    struct feature_group *groups = realloc(f->groups, collider_count * sizeof *groups);
    if (groups == NULL) return PBD_OUT_OF_MEMORY;
    f->groups = groups;
    f->group_capacity = collider_count;
    return PBD_OK;
}

void feature_destroy(struct cloth_features *features) {
    if (features == NULL) return;
    free(features->x);
    free(features->y);
    free(features->z);
    free(features->slack);
    free(features->code);
    free(features->pushed);
    free(features->groups);
    free(features->pairs);
    free(features->contacts);
    free(features->found);
    free(features);
}

void feature_begin_tick(struct pbd_cloth *cloth) {
    if (cloth->contacts->features != NULL) cloth->contacts->features->made = false;
}

void feature_begin_substep(struct pbd_cloth *cloth) {
    struct cloth_features *f = cloth->contacts->features;
    if (f == NULL) return;
    for (uint32_t k = 0; k < f->contact_count; ++k)
        if (f->contacts[k].pair < f->pair_count) f->pairs[f->contacts[k].pair].contact = 0;
    f->contact_count = 0;
}

/* Whether the last round or this one has pushed a part's particles. */
static bool is_disturbed(const struct feature_pass *pass, enum feature_kind kind, uint32_t part) {
    uint32_t particles[3];
    feature_part(pass->cloth, kind, part, particles);
    const uint8_t *pushed = pass->features->pushed;
    return pushed[particles[0]] >= pass->round || pushed[particles[1]] >= pass->round ||
           pushed[particles[2]] >= pass->round;
}

static double project_group(struct feature_pass *pass, const struct feature_group *group) {
    const struct pbd_collider *collider = &pass->world->colliders[group->place];
    bool moves = rigid_moves(collider);
    double largest = 0.0;
    if (group->first == group->end) return largest;
    pass->shift = feature_group_shift(pass->world, group);
    pass->substep_shift = feature_substep_shift(collider);
    for (uint32_t k = group->first; k < group->end; ++k) {
        enum feature_kind kind = k < group->first_segment ? FEATURE_POINT : FEATURE_SEGMENT;
        if (pass->round > 0 && !moves && !is_disturbed(pass, kind, pass->features->pairs[k].part)) continue;
        double pushed = feature_solve(pass, group, kind, &pass->features->pairs[k]);
        largest = pushed > largest ? pushed : largest;
        if (pushed > 0.0 && moves) pass->shift = feature_group_shift(pass->world, group);
    }
    return largest;
}

void feature_project(pbd_world *world, struct pbd_cloth *cloth, float h) {
    if (world->collider_count == 0) return;
    struct cloth_features *f = cloth->contacts->features;
    struct feature_pass pass = {.world = world,
                                .cloth = cloth,
                                .features = f,
                                .h = (double)h,
                                .kept = feature_distance_kept(cloth),
                                .recovery = (double)world->settings.max_depenetration * (double)h};
    double large = LARGE_PUSH * (double)cloth->fabric->mean_edge;
    if (large < pass.kept) large = pass.kept;
    memset(f->pushed, 0, cloth->fabric->padded_count * sizeof *f->pushed);
    for (unsigned round = 0; round < ROUNDS_MAX; ++round) {
        pass.round = round;
        feature_list_refresh(world, cloth, (double)h);
        double largest = 0.0;
        for (uint32_t g = 0; g < f->group_count; ++g) {
            double pushed = project_group(&pass, &f->groups[g]);
            largest = pushed > largest ? pushed : largest;
        }
        if (!(largest > large)) break;
        large = SMALL_PUSH * pass.kept;
    }
}

void feature_velocities(pbd_world *world, struct pbd_cloth *cloth, float h) {
    if (world->collider_count == 0) return;
    const struct cloth_features *f = cloth->contacts->features;
    for (uint32_t k = 0; k < f->contact_count; ++k)
        feature_settle(world, cloth, &f->contacts[k], (double)h);
}
