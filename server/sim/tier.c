/* Tiers: identity, memory, and following a world's objects. */
#include "sim/tier.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct tier *tier_create(uint32_t id, const struct tier_kind *kind) {
    struct tier *tier = calloc(1, sizeof *tier);
    if (!tier) return NULL;
    tier->id = id;
    tier->kind = *kind;
    if (kind->cloths) {
        tier->kind.cloths = strdup(kind->cloths);
        if (!tier->kind.cloths) {
            free(tier);
            return NULL;
        }
    }
    tier->force_key = true;
    return tier;
}

static void cloth_clear(struct tier_cloth *cloth) {
    object_unref(cloth->object);
    for (int side = 0; side < 2; ++side) {
        for (int axis = 0; axis < 3; ++axis)
            free(cloth->planes[side][axis]);
        free(cloth->floats[side]);
    }
    *cloth = (struct tier_cloth){0};
}

static void cloths_free(struct tier_cloth *cloths, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i)
        cloth_clear(&cloths[i]);
    free(cloths);
}

void tier_free(struct tier *tier) {
    cloths_free(tier->cloths, tier->cloth_count);
    free(tier->poses[0]);
    free(tier->poses[1]);
    free((char *)tier->kind.cloths);
    free(tier);
}

bool tier_is(const struct tier *tier, const struct tier_kind *kind) {
    if (tier->kind.codec != kind->codec || tier->kind.step_exp != kind->step_exp ||
        tier->kind.divisor != kind->divisor) {
        return false;
    }
    if (!tier->kind.cloths || !kind->cloths) return tier->kind.cloths == kind->cloths;
    return strcmp(tier->kind.cloths, kind->cloths) == 0;
}

bool tier_kind_has_cloth(const struct tier_kind *kind, const char *name) {
    if (!kind->cloths) return true;
    size_t length = strlen(name);
    const char *at = kind->cloths;
    while (*at) {
        const char *end = strchr(at, '\n');
        if ((size_t)(end - at) == length && memcmp(at, name, length) == 0) return true;
        at = end + 1;
    }
    return false;
}

static int8_t wanted_step(const struct tier *tier, const struct object *object) {
    return tier->kind.step_exp == TIER_STEP_AUTO ? object->step_exp : (int8_t)tier->kind.step_exp;
}

static bool cloth_open(const struct tier *tier, struct tier_cloth *cloth, struct object *object) {
    uint32_t count = object->view.vertex_count;
    *cloth = (struct tier_cloth){.object = object_ref(object), .step_exp = wanted_step(tier, object)};
    bool complete = true;
    for (int side = 0; side < 2; ++side) {
        if (tier->kind.codec == FRAME_F32) {
            cloth->floats[side] = malloc(3 * sizeof(float) * count);
            complete = complete && cloth->floats[side];
            continue;
        }
        for (int axis = 0; axis < 3; ++axis) {
            cloth->planes[side][axis] = malloc(sizeof(int32_t) * count);
            complete = complete && cloth->planes[side][axis];
        }
    }
    if (!complete) cloth_clear(cloth);
    return complete;
}

static bool reserve_poses(struct tier *tier, uint32_t count) {
    if (count <= tier->pose_capacity) return true;
    for (int side = 0; side < 2; ++side) {
        struct frame_pose *poses = realloc(tier->poses[side], count * sizeof *poses);
        if (!poses) return false;
        tier->poses[side] = poses;
    }
    tier->pose_capacity = count;
    return true;
}

static size_t payload_bound(const struct tier *tier, const struct object *object) {
    uint32_t count = object->view.vertex_count;
    return tier->kind.codec == FRAME_F32 ? (size_t)count * 12 : frame_cb32_bound(count);
}

static bool reserve_scratch(const struct tier *tier, struct tier_scratch *scratch) {
    if (2 * tier->message_bound > scratch->capacity) {
        unsigned char *bytes = realloc(scratch->bytes, 2 * tier->message_bound);
        if (!bytes) return false;
        scratch->bytes = bytes;
        scratch->capacity = 2 * tier->message_bound;
    }
    size_t integers = 2 * (size_t)tier->max_vertices;
    if (integers > scratch->integer_capacity) {
        int32_t *grown = realloc(scratch->integers, integers * sizeof *grown);
        if (!grown) return false;
        scratch->integers = grown;
        scratch->integer_capacity = integers;
    }
    return true;
}

/* The tier's cloths as the table now has them; memory of those that stay is kept. */
static bool follow_cloths(struct tier *tier, const struct object_table *objects) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < objects->count; ++i) {
        const struct object *object = objects->items[i];
        count += object->kind == OBJECT_CLOTH && tier_kind_has_cloth(&tier->kind, object->name);
    }
    struct tier_cloth *cloths = calloc(count + 1u, sizeof *cloths);
    if (!cloths) return false;
    uint32_t made = 0;
    for (uint32_t i = 0; i < objects->count; ++i) {
        struct object *object = objects->items[i];
        if (object->kind != OBJECT_CLOTH || !tier_kind_has_cloth(&tier->kind, object->name)) continue;
        struct tier_cloth *old = NULL;
        for (uint32_t k = 0; k < tier->cloth_count && !old; ++k) {
            if (tier->cloths[k].object == object) old = &tier->cloths[k];
        }
        if (old) {
            cloths[made] = *old;
            *old = (struct tier_cloth){0};
        } else if (!cloth_open(tier, &cloths[made], object)) {
            cloths_free(cloths, made);
            return false;
        }
        ++made;
    }
    cloths_free(tier->cloths, tier->cloth_count);
    tier->cloths = cloths;
    tier->cloth_count = made;
    return true;
}

bool tier_prepare(struct tier *tier, const struct tier_source *source, struct tier_scratch *scratch) {
    const struct object_table *objects = &source->content->objects;
    if (tier->epoch == source->epoch && tier->objects_version == objects->version &&
        tier->message_bound > 0) {
        return reserve_scratch(tier, scratch);
    }
    uint32_t colliders = object_count(objects, OBJECT_COLLIDER);
    if (!follow_cloths(tier, objects) || !reserve_poses(tier, colliders)) {
        /* Some cloths may have lost their memory: begin again from nothing next time. */
        cloths_free(tier->cloths, tier->cloth_count);
        tier->cloths = NULL;
        tier->cloth_count = 0;
        tier->message_bound = 0;
        tier->force_key = true;
        return false;
    }
    if (tier->epoch != source->epoch) {
        tier->force_key = true;
        tier->pose_count[tier->pose_side] = 0;
        for (uint32_t i = 0; i < tier->cloth_count; ++i) {
            struct tier_cloth *cloth = &tier->cloths[i];
            cloth->known = false;
            cloth->cut = tier->published;
            cloth->step_exp = wanted_step(tier, cloth->object);
        }
        tier->poses_cut = tier->published;
    }
    tier->max_vertices = 0;
    /* A delta may hold one record for every pose there is and one for every pose there was. */
    tier->message_bound =
        FRAME_HEADER_BYTES + FRAME_POSE_BYTES * ((size_t)colliders + tier->pose_count[tier->pose_side]);
    for (uint32_t i = 0; i < tier->cloth_count; ++i) {
        const struct object *object = tier->cloths[i].object;
        tier->message_bound += FRAME_HEADER_BYTES + payload_bound(tier, object);
        if (object->view.vertex_count > tier->max_vertices) tier->max_vertices = object->view.vertex_count;
    }
    tier->epoch = source->epoch;
    tier->objects_version = objects->version;
    return reserve_scratch(tier, scratch);
}

void tier_cut_cloth(struct tier *tier, const struct object *object) {
    for (uint32_t i = 0; i < tier->cloth_count; ++i) {
        if (tier->cloths[i].object != object) continue;
        tier->cloths[i].cut = true;
        int8_t step_exp = wanted_step(tier, object);
        if (tier->cloths[i].step_exp == step_exp) return;
        tier->cloths[i].step_exp = step_exp;
        tier->cloths[i].known = false;
        return;
    }
}

void tier_cut_poses(struct tier *tier) {
    tier->poses_cut = true;
}

void tier_scratch_free(struct tier_scratch *scratch) {
    free(scratch->bytes);
    free(scratch->integers);
    *scratch = (struct tier_scratch){0};
}
