/* From a world's state to the bytes of one tick for one tier.
 *
 * Each cloth is quantised once; the delta and the key are made from the same planes, so
 * a member that decodes either has the same integers afterwards. */
#include "sim/tier.h"

#include <assert.h>
#include <string.h>

/* One message under way. */
struct writer {
    unsigned char *at;
    unsigned char *start;
    bool any_known; /* some segment builds on what members have */
    bool any_news;  /* some segment says more than that nothing changed */
};

static struct frame_header header_for(const struct tier_source *source, enum frame_type type) {
    return (struct frame_header){.type = (uint8_t)type,
                                 .world = source->world_index,
                                 .epoch = source->epoch,
                                 .tick = source->tick,
                                 .base_tick = source->tick,
                                 .server_us = source->server_us};
}

static void put_segment(struct writer *writer, const struct frame_header *header) {
    frame_header_write(header, writer->at);
    writer->at += FRAME_HEADER_BYTES + header->payload_bytes;
}

int8_t tier_quantise(const struct object *cloth, const struct pbd_cloth_view *view, int step,
                     int32_t *const q[3]) {
    enum { COARSEST = 104 }; /* FLT_MAX · 2^−104 < 2^24: every finite position fits */
    const float *values[3] = {view->x, view->y, view->z};
    uint32_t count = cloth->view.vertex_count;
    for (int axis = 0; axis < 3;) {
        if (frame_quantise(values[axis], cloth->payload_particle, count, (int8_t)step, q[axis])) {
            ++axis;
            continue;
        }
        if (step >= COARSEST) {
            memset(q[axis], 0, count * sizeof *q[axis]);
            ++axis;
            continue;
        }
        ++step;
        axis = 0;
    }
    return (int8_t)step;
}

/* Into the other side. */
static void quantise(struct tier_cloth *cloth, const struct pbd_cloth_view *view) {
    int8_t step = tier_quantise(cloth->object, view, cloth->step_exp, cloth->planes[!cloth->side]);
    if (step == cloth->step_exp) return;
    cloth->step_exp = step;
    cloth->known = false;
}

static void gather_floats(struct tier_cloth *cloth, const struct pbd_cloth_view *view) {
    float *out = cloth->floats[!cloth->side];
    const uint32_t *particle = cloth->object->view.vertex_particle;
    uint32_t count = cloth->object->view.vertex_count;
    for (uint32_t v = 0; v < count; ++v) {
        uint32_t p = particle[v];
        out[3 * v] = view->x[p];
        out[3 * v + 1] = view->y[p];
        out[3 * v + 2] = view->z[p];
    }
}

static bool is_unchanged(const struct tier *tier, const struct tier_cloth *cloth) {
    if (!cloth->known) return false;
    size_t count = cloth->object->view.vertex_count;
    if (tier->kind.codec == FRAME_F32) {
        return memcmp(cloth->floats[0], cloth->floats[1], 3 * sizeof(float) * count) == 0;
    }
    for (int axis = 0; axis < 3; ++axis) {
        if (memcmp(cloth->planes[0][axis], cloth->planes[1][axis], sizeof(int32_t) * count) != 0)
            return false;
    }
    return true;
}

static void put_unchanged(struct writer *writer, const struct tier *tier, struct frame_header header) {
    header.flags = (uint8_t)(header.flags | FRAME_UNCHANGED);
    header.base_tick = tier->last_tick;
    put_segment(writer, &header);
    writer->any_known = true;
}

static void put_state(struct writer *writer, const struct tier *tier, const struct tier_cloth *cloth,
                      const struct tier_source *source, bool key, int32_t *scratch) {
    struct frame_header header = header_for(source, FRAME_STATE);
    uint32_t count = cloth->object->view.vertex_count;
    header.codec = (uint8_t)tier->kind.codec;
    header.object = cloth->object->index;
    header.step_exp = tier->kind.codec == FRAME_F32 ? 0 : cloth->step_exp;
    header.count = count;
    header.flags = cloth->cut ? FRAME_CUT : 0;
    if (!key && is_unchanged(tier, cloth)) {
        put_unchanged(writer, tier, header);
        return;
    }
    unsigned char *payload = writer->at + FRAME_HEADER_BYTES;
    writer->any_news = true;
    if (tier->kind.codec == FRAME_F32) {
        header.flags = (uint8_t)(header.flags | FRAME_KEY);
        header.payload_bytes = count * 12;
        memcpy(payload, cloth->floats[!cloth->side], header.payload_bytes);
        put_segment(writer, &header);
        return;
    }
    bool on_base = !key && cloth->known;
    struct frame_planes q, base;
    for (int axis = 0; axis < 3; ++axis) {
        q.q[axis] = cloth->planes[!cloth->side][axis];
        base.q[axis] = cloth->planes[cloth->side][axis];
    }
    frame_cb32_encode(&q, on_base ? &base : NULL, count, cloth->object->view.cols, scratch, &header, payload);
    if (on_base) {
        header.base_tick = tier->last_tick;
        writer->any_known = true;
    }
    put_segment(writer, &header);
}

/* Poses of all colliders, in object order, into the other side. */
static void gather_poses(struct tier *tier, const struct content *content) {
    struct frame_pose *poses = tier->poses[!tier->pose_side];
    uint32_t count = 0;
    for (uint32_t i = 0; i < content->objects.count; ++i) {
        const struct object *object = content->objects.items[i];
        struct pbd_collider_state state;
        if (object->kind != OBJECT_COLLIDER) continue;
        if (pbd_collider_get(content->pbd, object->id, &state) != PBD_OK) continue;
        assert(count < tier->pose_capacity);
        struct frame_pose *pose = &poses[count++];
        *pose = (struct frame_pose){.object = object->index};
        memcpy(pose->position, state.def.position, sizeof pose->position);
        memcpy(pose->rotation, state.def.rotation, sizeof pose->rotation);
    }
    tier->pose_count[!tier->pose_side] = count;
}

static void put_pose(unsigned char **at, const struct frame_pose *pose, uint16_t flags, uint32_t *count) {
    struct frame_pose out = *pose;
    out.flags = flags;
    frame_pose_write(&out, *at);
    *at += FRAME_POSE_BYTES;
    *count += 1;
}

/* Both lists rise in object index, so one walk finds what moved, came and went. */
static uint32_t put_moved_poses(const struct tier *tier, unsigned char *at) {
    const struct frame_pose *was = tier->poses[tier->pose_side], *is = tier->poses[!tier->pose_side];
    uint32_t was_count = tier->pose_count[tier->pose_side], is_count = tier->pose_count[!tier->pose_side];
    uint32_t count = 0, i = 0, k = 0;
    while (i < was_count || k < is_count) {
        if (k == is_count || (i < was_count && was[i].object < is[k].object)) {
            put_pose(&at, &was[i++], 1, &count);
        } else if (i == was_count || is[k].object < was[i].object) {
            put_pose(&at, &is[k++], 0, &count);
        } else {
            if (memcmp(&was[i], &is[k], sizeof is[k]) != 0) put_pose(&at, &is[k], 0, &count);
            ++i;
            ++k;
        }
    }
    return count;
}

static void put_poses(struct writer *writer, const struct tier *tier, const struct tier_source *source,
                      bool key) {
    uint32_t was_count = tier->pose_count[tier->pose_side], is_count = tier->pose_count[!tier->pose_side];
    const struct frame_pose *is = tier->poses[!tier->pose_side];
    if (is_count == 0 && (key || was_count == 0)) return;
    struct frame_header header = header_for(source, FRAME_POSES);
    unsigned char *payload = writer->at + FRAME_HEADER_BYTES;
    header.flags = tier->poses_cut ? FRAME_CUT : 0;
    if (key || was_count == 0) {
        header.flags = (uint8_t)(header.flags | FRAME_KEY);
        for (uint32_t i = 0; i < is_count; ++i)
            put_pose(&payload, &is[i], 0, &header.count);
    } else {
        header.count = put_moved_poses(tier, payload);
        if (header.count == 0) {
            put_unchanged(writer, tier, header);
            return;
        }
        header.base_tick = tier->last_tick;
        writer->any_known = true;
    }
    header.payload_bytes = header.count * FRAME_POSE_BYTES;
    writer->any_news = true;
    put_segment(writer, &header);
}

static size_t put_message(struct writer *writer, const struct tier *tier, const struct tier_source *source,
                          bool key, int32_t *scratch) {
    writer->at = writer->start;
    writer->any_known = writer->any_news = false;
    for (uint32_t i = 0; i < tier->cloth_count; ++i) {
        put_state(writer, tier, &tier->cloths[i], source, key, scratch);
    }
    put_poses(writer, tier, source, key);
    size_t length = (size_t)(writer->at - writer->start);
    assert(length <= tier->message_bound);
    return length;
}

/* What was written becomes what members know. */
static void turn(struct tier *tier, const struct tier_source *source) {
    for (uint32_t i = 0; i < tier->cloth_count; ++i) {
        tier->cloths[i].side = !tier->cloths[i].side;
        tier->cloths[i].known = true;
        tier->cloths[i].cut = false;
    }
    tier->pose_side = !tier->pose_side;
    tier->poses_cut = false;
    tier->last_tick = source->tick;
    tier->last_us = source->server_us;
    tier->published = true;
}

/* A sleeping world says so once a second. */
static bool is_due(const struct tier *tier, const struct tier_source *source) {
    enum { SLEEP_PERIOD_US = 1000000 };
    return !source->asleep || source->server_us - tier->last_us >= SLEEP_PERIOD_US;
}

bool tier_encode(struct tier *tier, const struct tier_source *source, bool want_delta, bool want_key,
                 struct tier_scratch *scratch, struct tier_frame *frame) {
    *frame = (struct tier_frame){.base_tick = tier->last_tick};
    for (uint32_t i = 0; i < tier->cloth_count; ++i) {
        struct tier_cloth *cloth = &tier->cloths[i];
        struct pbd_cloth_view view;
        int result = pbd_cloth_get_view(source->content->pbd, cloth->object->id, &view);
        assert(result == PBD_OK);
        (void)result;
        if (tier->kind.codec == FRAME_F32) {
            gather_floats(cloth, &view);
        } else {
            quantise(cloth, &view);
        }
    }
    gather_poses(tier, source->content);

    /* A delta needs something published before, and another tick. */
    want_delta = want_delta && tier->published && tier->last_tick != source->tick && !tier->force_key;
    size_t delta_length = 0, key_length = 0;
    struct writer delta = {.start = scratch->bytes};
    if (want_delta) {
        delta_length = put_message(&delta, tier, source, false, scratch->integers);
        if (!want_key && !delta.any_news && !is_due(tier, source)) return true;
        want_delta = delta.any_known;
    }
    want_key = want_key || !want_delta;
    struct writer key = {.start = scratch->bytes + tier->message_bound};
    if (want_key) key_length = put_message(&key, tier, source, true, scratch->integers);
    turn(tier, source);

    if (want_delta && delta_length > 0) frame->delta = buffer_copy(delta.start, delta_length);
    if (want_key && key_length > 0) frame->key = buffer_copy(key.start, key_length);
    if ((want_delta && delta_length > 0 && !frame->delta) || (want_key && key_length > 0 && !frame->key)) {
        buffer_unref(frame->delta);
        buffer_unref(frame->key);
        *frame = (struct tier_frame){0};
        tier->force_key = true;
        return false;
    }
    return true;
}
