/* Messages of a tier, decoded as a client does and compared with the solver's floats. */
#include "check.h"
#include "support_sim.h"
#include <math.h>

#define SCENE                                                                                                \
    "{\"cloths\":[{\"cloth\":\"a\",\"grid\":{\"nx\":7,\"ny\":5,\"size\":[2,1]},\"pins\":[0,6]},"             \
    "{\"cloth\":\"b\",\"mesh\":{\"positions\":[0,0,0,1,0,0,0,0,1,1,0,1,2,0,0],"                              \
    "\"triangles\":[0,2,1,1,2,3,1,3,4]},\"position\":[0,3,0]}],"                                             \
    "\"colliders\":[{\"collider\":\"ball\",\"shape\":{\"type\":\"sphere\",\"radius\":0.2},\"position\":[0,-0.4,0]}]}"

static const struct content_room wide = {.max_vertices_per_world = 1000, .max_vertices = 1000};

struct stage {
    struct content content;
    struct tier *tier;
    struct tier_scratch scratch;
    struct tier_source source;
    struct viewer viewer;
};

static struct stage stage;

static void open_stage(enum frame_codec codec, const char *text) {
    struct wire_error error = {0};
    memset(&stage, 0, sizeof stage);
    struct wire_request *scene = wire_scene_decode(text, strlen(text), &error);
    CHECK(scene != NULL);
    CHECK_INT(content_build(&stage.content, scene->params, NULL, &wide, "", &error), 0);
    wire_request_destroy(scene);
    struct tier_kind kind = {.codec = codec, .step_exp = TIER_STEP_AUTO, .divisor = 1};
    stage.tier = tier_create(1, &kind);
    stage.source = (struct tier_source){.content = &stage.content, .world_index = 2, .epoch = 1};
    for (uint32_t i = 0; i < stage.content.objects.count; ++i) {
        stage.viewer.cloths[i].cols = stage.content.objects.items[i]->view.cols;
    }
}

static void close_stage(void) {
    tier_free(stage.tier);
    tier_scratch_free(&stage.scratch);
    content_free(&stage.content);
}

/* Encodes the present state; the caller owns the buffers. */
static struct tier_frame encode(bool want_delta, bool want_key) {
    struct tier_frame frame;
    stage.source.tick = pbd_world_tick(stage.content.pbd);
    stage.source.server_us += 1000;
    CHECK(tier_prepare(stage.tier, &stage.source, &stage.scratch));
    CHECK(tier_encode(stage.tier, &stage.source, want_delta, want_key, &stage.scratch, &frame));
    if (frame.key) stage.tier->force_key = false;
    return frame;
}

static void drop(struct tier_frame *frame) {
    buffer_unref(frame->delta);
    buffer_unref(frame->key);
}

/* The viewer's state of object is the solver's, rounded to the step (f32: bit for bit). */
static void check_object(uint32_t index) {
    const struct object *object = object_find_index(&stage.content.objects, index);
    const struct viewer_cloth *got = &stage.viewer.cloths[index];
    struct pbd_cloth_view view;
    CHECK_INT(pbd_cloth_get_view(stage.content.pbd, object->id, &view), PBD_OK);
    CHECK_INT(got->count, view.vertex_count);
    int wrong = 0;
    for (uint32_t i = 0; i < got->count; ++i) {
        uint32_t vertex = object->view.payload_order ? object->view.payload_order[i] : i;
        const float *axes[3] = {view.x, view.y, view.z};
        for (int axis = 0; axis < 3; ++axis) {
            if (stage.tier->kind.codec == FRAME_F32) {
                wrong += got->floats[3 * i + (uint32_t)axis] != axes[axis][view.vertex_particle[i]];
                continue;
            }
            float want = axes[axis][view.vertex_particle[vertex]];
            wrong += got->planes[axis][i] != (int32_t)lrintf(ldexpf(want, -got->step_exp));
        }
    }
    CHECK_INT(wrong, 0);
}

static void deltas_lead_to_the_rounded_positions_of_every_tick(void) {
    open_stage(FRAME_CB32, SCENE);
    struct tier_frame frame = encode(true, true);
    CHECK(frame.delta == NULL && frame.key != NULL); /* nothing to build on yet */
    viewer_apply(&stage.viewer, frame.key);
    drop(&frame);
    for (int i = 0; i < 40; ++i) {
        pbd_world_step(stage.content.pbd);
        frame = encode(true, false);
        CHECK(frame.delta != NULL && frame.key == NULL);
        CHECK_INT(frame.base_tick, pbd_world_tick(stage.content.pbd) - 1);
        viewer_apply(&stage.viewer, frame.delta);
        drop(&frame);
        check_object(0);
        check_object(1);
    }
    CHECK_INT(stage.viewer.errors, 0);
    close_stage();
}

static void a_key_and_a_delta_of_one_tick_decode_to_the_same_integers(void) {
    open_stage(FRAME_CB32, SCENE);
    struct tier_frame frame = encode(true, true);
    viewer_apply(&stage.viewer, frame.key);
    drop(&frame);
    pbd_world_step(stage.content.pbd);
    frame = encode(true, true);
    CHECK(frame.delta && frame.key);
    struct viewer other = {0};
    other.cloths[0].cols = 7;
    viewer_apply(&other, frame.key);
    viewer_apply(&stage.viewer, frame.delta);
    drop(&frame);
    CHECK_INT(other.errors + stage.viewer.errors, 0);
    for (int axis = 0; axis < 3; ++axis) {
        CHECK(memcmp(other.cloths[0].planes[axis], stage.viewer.cloths[0].planes[axis],
                     35 * sizeof(int32_t)) == 0);
    }
    close_stage();
}

static void f32_frames_hold_the_floats_bit_for_bit(void) {
    open_stage(FRAME_F32, SCENE);
    for (int i = 0; i < 5; ++i) {
        struct tier_frame frame = encode(true, false);
        /* Cloths come whole; the ball's pose, which rests, makes a delta of it. */
        viewer_apply(&stage.viewer, frame.delta ? frame.delta : frame.key);
        drop(&frame);
        check_object(0);
        check_object(1);
        pbd_world_step(stage.content.pbd);
    }
    CHECK_INT(stage.viewer.errors, 0);
    close_stage();
}

static void a_cloth_that_did_not_move_is_unchanged(void) {
    static const char still[] = "{\"world\":{\"gravity\":[0,0,0]},\"cloths\":[{\"cloth\":\"a\",\"grid\":"
                                "{\"nx\":4,\"ny\":4,\"size\":[1,1]},\"pins\":[{\"from\":0,\"to\":15}]}]}";
    static const enum frame_codec codecs[] = {FRAME_CB32, FRAME_F32};
    for (int c = 0; c < 2; ++c) {
        open_stage(codecs[c], still);
        struct tier_frame frame = encode(true, true);
        viewer_apply(&stage.viewer, frame.key);
        drop(&frame);
        pbd_world_step(stage.content.pbd);
        frame = encode(true, false);
        CHECK(frame.delta != NULL);
        CHECK_INT(frame.delta->length, FRAME_HEADER_BYTES);
        viewer_apply(&stage.viewer, frame.delta);
        drop(&frame);
        CHECK_INT(stage.viewer.unchanged, 1);
        CHECK_INT(stage.viewer.cloths[0].tick, 1);
        check_object(0);
        CHECK_INT(stage.viewer.errors, 0);
        close_stage();
    }
}

static void a_far_position_comes_as_a_key_with_a_coarser_step(void) {
    open_stage(FRAME_CB32, SCENE);
    struct tier_frame frame = encode(true, true);
    viewer_apply(&stage.viewer, frame.key);
    drop(&frame);
    const struct object *a = stage.content.objects.items[0];
    CHECK_INT(stage.viewer.cloths[0].step_exp, a->step_exp);
    float positions[3 * 35];
    for (uint32_t i = 0; i < 35; ++i) {
        positions[3 * i] = 900000.0f + (float)i; /* 2^24 steps of 2^−13 reach 2048 m */
        positions[3 * i + 1] = positions[3 * i + 2] = 0.0f;
    }
    pbd_world_step(stage.content.pbd);
    CHECK_INT(pbd_cloth_set_state(stage.content.pbd, a->id, positions, NULL), PBD_OK);
    frame = encode(true, false);
    viewer_apply(&stage.viewer, frame.delta); /* b comes as a delta beside it */
    drop(&frame);
    CHECK_INT(stage.viewer.errors, 0);
    /* 900034 / 2^24 > 2^−5, so −4 is the finest step that fits. */
    CHECK_INT(stage.viewer.cloths[0].step_exp, -4);
    check_object(0);
    check_object(1);
    close_stage();
}

static void a_jump_is_flagged_once(void) {
    open_stage(FRAME_CB32, SCENE);
    struct tier_frame frame = encode(true, true);
    drop(&frame);
    tier_cut_cloth(stage.tier, stage.content.objects.items[0]);
    tier_cut_poses(stage.tier);
    pbd_world_step(stage.content.pbd);
    frame = encode(true, true);
    viewer_apply(&stage.viewer, frame.key);
    CHECK(stage.viewer.cloths[0].flags & FRAME_CUT);
    CHECK(!(stage.viewer.cloths[1].flags & FRAME_CUT));
    CHECK(stage.viewer.pose_flags & FRAME_CUT);
    drop(&frame);
    pbd_world_step(stage.content.pbd);
    frame = encode(true, true);
    viewer_apply(&stage.viewer, frame.key);
    CHECK(!(stage.viewer.cloths[0].flags & FRAME_CUT));
    CHECK(!(stage.viewer.pose_flags & FRAME_CUT));
    drop(&frame);
    close_stage();
}

static void poses_of_a_delta_are_those_that_moved_came_or_went(void) {
    open_stage(FRAME_CB32, SCENE);
    struct wire_error error = {0};
    struct object *second;
    const struct wire_collider_spec spec = {
        .collider = "second",
        .position = {5, 0, 0},
        .has_position = 1,
        .rotation = {0, 0, 0, 1},
        .has_rotation = 1,
        .shape = {.has_type = 1, .type = WIRE_shape_type_sphere, .has_radius = 1, .radius = 0.1}};
    struct tier_frame frame = encode(true, true);
    viewer_apply(&stage.viewer, frame.key);
    drop(&frame);
    CHECK_INT(stage.viewer.pose_count, 1);
    CHECK_NEAR(stage.viewer.poses[0].position[1], -0.4f, 0);

    const struct content_room room = {.max_vertices_per_world = 1000, .max_vertices = 1000};
    CHECK_INT(content_add_collider(&stage.content, &spec, NULL, &room, &second, &error), 0);
    pbd_world_step(stage.content.pbd);
    frame = encode(true, false);
    viewer_apply(&stage.viewer, frame.delta);
    drop(&frame);
    CHECK_INT(stage.viewer.pose_count, 2);
    CHECK_NEAR(stage.viewer.poses[1].position[0], 5, 0);

    struct object *ball = object_find(&stage.content.objects, OBJECT_COLLIDER, "ball");
    float to[3] = {1, 2, 3};
    CHECK_INT(pbd_collider_move(stage.content.pbd, ball->id, to, NULL, 0, false), PBD_OK);
    pbd_world_step(stage.content.pbd);
    frame = encode(true, false);
    viewer_apply(&stage.viewer, frame.delta);
    drop(&frame);
    CHECK_NEAR(stage.viewer.poses[0].position[1], 2, 0);

    content_remove(&stage.content, ball);
    pbd_world_step(stage.content.pbd);
    frame = encode(true, false);
    viewer_apply(&stage.viewer, frame.delta);
    drop(&frame);
    CHECK_INT(stage.viewer.pose_count, 1);
    CHECK_INT(stage.viewer.poses[0].object, second->index);

    pbd_world_step(stage.content.pbd);
    frame = encode(true, false); /* nothing moved: the decoder's tick goes on */
    viewer_apply(&stage.viewer, frame.delta);
    drop(&frame);
    CHECK_INT(stage.viewer.pose_tick, 4);
    CHECK(stage.viewer.pose_flags & FRAME_UNCHANGED);
    CHECK_INT(stage.viewer.errors, 0);
    close_stage();
}

static void headers_carry_world_epoch_tick_and_time(void) {
    open_stage(FRAME_CB32, SCENE);
    for (int i = 0; i < 3; ++i)
        pbd_world_step(stage.content.pbd);
    struct tier_frame frame = encode(true, true);
    struct frame_header header;
    const unsigned char *payload;
    size_t offset = 0;
    CHECK_INT(frame_next_segment(frame.key->data, frame.key->length, &offset, &header, &payload), FRAME_OK);
    CHECK_INT(header.type, FRAME_STATE);
    CHECK_INT(header.world, 2);
    CHECK_INT(header.epoch, 1);
    CHECK_INT(header.tick, 3);
    CHECK_INT(header.base_tick, 3);
    CHECK_INT(header.server_us, 1000);
    CHECK(header.flags & FRAME_KEY);
    CHECK(header.state_crc != 0);
    drop(&frame);
    close_stage();
}

static void a_key_of_the_same_tick_replaces_a_delta(void) {
    open_stage(FRAME_CB32, SCENE);
    struct tier_frame frame = encode(true, true);
    drop(&frame);
    frame = encode(true, false); /* the world did not tick: a delta would build on its own tick */
    CHECK(frame.delta == NULL && frame.key != NULL);
    drop(&frame);
    close_stage();
}

/* server_us goes on by a millisecond per frame here. */
static void a_sleeping_source_gives_nothing_until_a_second_is_over(void) {
    static const char still[] =
        "{\"world\":{\"gravity\":[0,0,0]},\"cloths\":[{\"cloth\":\"a\",\"grid\":{\"nx\":4,\"ny\":4,\"size\":[1,1]}}]}";
    static const enum frame_codec codecs[] = {FRAME_CB32, FRAME_F32};
    for (size_t c = 0; c < 2; ++c) {
        open_stage(codecs[c], still);
        struct tier_frame frame = encode(true, true);
        viewer_apply(&stage.viewer, frame.key);
        drop(&frame);
        stage.source.asleep = true;
        uint32_t frames = 0;
        for (int i = 0; i < 2000; ++i) {
            pbd_world_step(stage.content.pbd);
            frame = encode(true, false);
            frames += frame.delta != NULL;
            CHECK(!frame.key);
            if (frame.delta) viewer_apply(&stage.viewer, frame.delta);
            drop(&frame);
        }
        CHECK_INT(frames, 2);
        CHECK_INT(stage.viewer.unchanged, 2);
        /* A member that needs a key gets one at once. */
        pbd_world_step(stage.content.pbd);
        frame = encode(true, true);
        CHECK(frame.key != NULL);
        drop(&frame);
        CHECK_INT(stage.viewer.errors, 0);
        close_stage();
    }
}

RUN_TESTS(TEST(a_sleeping_source_gives_nothing_until_a_second_is_over),
          TEST(deltas_lead_to_the_rounded_positions_of_every_tick),
          TEST(a_key_and_a_delta_of_one_tick_decode_to_the_same_integers),
          TEST(f32_frames_hold_the_floats_bit_for_bit), TEST(a_cloth_that_did_not_move_is_unchanged),
          TEST(a_far_position_comes_as_a_key_with_a_coarser_step), TEST(a_jump_is_flagged_once),
          TEST(poses_of_a_delta_are_those_that_moved_came_or_went),
          TEST(headers_carry_world_epoch_tick_and_time), TEST(a_key_of_the_same_tick_replaces_a_delta))
