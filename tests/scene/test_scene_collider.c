/* Collider commands to definitions. */
#include "check.h"

#include <stdlib.h>

#include "support_files.h"

static int build(const char *spec, struct pbd_collider_def *def, struct wire_error *error) {
    char text[1024];
    snprintf(text, sizeof text, "{\"colliders\":[%s]}", spec);
    struct wire_request *request = decode_scene(text);
    *error = (struct wire_error){0};
    int result = scene_collider_build(&((const struct wire_scene *)request->params)->colliders[0], NULL, 1000,
                                      def, error);
    wire_request_destroy(request);
    return result;
}

static void every_shape_is_built(void) {
    struct pbd_collider_def def;
    struct wire_error error;
    CHECK_INT(
        build("{\"collider\":\"a\",\"shape\":{\"type\":\"plane\",\"normal\":[0,0.5,0.5],\"offset\":-2}}",
              &def, &error),
        0);
    CHECK(def.shape.type == PBD_PLANE && def.shape.normal[2] == 0.5f && def.shape.offset == -2.0f);
    CHECK_INT(build("{\"collider\":\"a\",\"shape\":{\"type\":\"plane\"}}", &def, &error), 0);
    CHECK(def.shape.normal[1] == 1.0f && def.shape.offset == 0.0f);
    CHECK_INT(build("{\"collider\":\"a\",\"shape\":{\"type\":\"sphere\",\"radius\":2.5}}", &def, &error), 0);
    CHECK(def.shape.type == PBD_SPHERE && def.shape.radius == 2.5f);
    CHECK_INT(build("{\"collider\":\"a\",\"shape\":{\"type\":\"capsule\",\"radius\":0.5,\"half_height\":0}}",
                    &def, &error),
              0);
    CHECK(def.shape.type == PBD_CAPSULE && def.shape.half_height == 0.0f);
    CHECK_INT(
        build("{\"collider\":\"a\",\"shape\":{\"type\":\"box\",\"half_extents\":[1,2,3]}}", &def, &error), 0);
    CHECK(def.shape.type == PBD_BOX && def.shape.half_extents[2] == 3.0f);
}

static void pose_motion_and_surface_are_taken(void) {
    struct pbd_collider_def def;
    struct wire_error error;
    CHECK_INT(
        build(
            "{\"collider\":\"a\",\"shape\":{\"type\":\"sphere\",\"radius\":1},\"position\":[1,2,3],"
            "\"rotation\":[0,1,0,0],\"motion\":\"static\",\"friction\":0.5,\"static_friction\":0.75,\"restitution\":1}",
            &def, &error),
        0);
    CHECK(def.position[2] == 3.0f && def.rotation[1] == 1.0f && def.motion == PBD_STATIC_MOTION);
    CHECK(def.friction == 0.5f && def.static_friction == 0.75f && def.restitution == 1.0f);
    CHECK_INT(build("{\"collider\":\"a\",\"shape\":{\"type\":\"sphere\",\"radius\":1}}", &def, &error), 0);
    CHECK(def.motion == PBD_KINEMATIC && def.rotation[3] == 1.0f &&
          def.static_friction == PBD_SAME_AS_KINETIC);
}

static void rotations_without_length_are_refused(void) {
    struct wire_error error = {0};
    CHECK(!scene_rotation_check((const float[4]){0.0f, 0.0f, 0.0f, 0.0f}, &error));
    CHECK_INT(error.code, -32602);
    CHECK_STRING(error.path, "rotation");
    CHECK(scene_rotation_check((const float[4]){0.0f, 0.0f, 0.0f, 1e-3f}, &error));
    free(error.data_json);
}

#define SPHERE "\"shape\":{\"type\":\"sphere\",\"radius\":1}"

static void a_body_has_mass_and_velocities(void) {
    struct pbd_collider_def def;
    struct wire_error error;
    CHECK_INT(build("{\"collider\":\"a\"," SPHERE ",\"motion\":\"dynamic\",\"mass\":2.5,\"velocity\":[1,2,3],"
                    "\"angular_velocity\":[0,0,4]}",
                    &def, &error),
              0);
    CHECK(def.motion == PBD_DYNAMIC && def.mass == 2.5f);
    CHECK(def.velocity[2] == 3.0f && def.angular_velocity[2] == 4.0f);
    CHECK_INT(build("{\"collider\":\"a\"," SPHERE ",\"motion\":\"dynamic\"}", &def, &error), 0);
    CHECK(def.mass == 1.0f);
}

static void a_kinematic_one_may_move_on_its_own_for_a_while(void) {
    struct pbd_collider_def def;
    struct wire_error error;
    CHECK_INT(build("{\"collider\":\"a\"," SPHERE
                    ",\"angular_velocity\":[0,2,0],\"moves_from\":1,\"moves_until\":3}",
                    &def, &error),
              0);
    CHECK(def.angular_velocity[1] == 2.0f && def.moves_from == 1.0f && def.moves_until == 3.0f);
    CHECK_INT(
        build("{\"collider\":\"a\"," SPHERE ",\"velocity\":[1,0,0],\"moves_until\":null}", &def, &error), 0);
    CHECK(def.moves_from == 0.0f && def.moves_until == PBD_FOR_EVER);
}

static void what_does_not_go_together_is_refused_by_name(void) {
    static const struct {
        const char *members;
        int code;
        const char *path;
    } bad[] = {
        {"\"shape\":{\"type\":\"plane\"},\"motion\":\"dynamic\"", -32005, "shape.type"},
        {"\"shape\":{\"type\":\"mesh\",\"positions\":[0,0,0,1,0,0,0,0,1],\"triangles\":[0,1,2]},"
         "\"motion\":\"dynamic\"",
         -32005, "shape.type"},
        {SPHERE ",\"mass\":2", -32005, "mass"},
        {SPHERE ",\"motion\":\"static\",\"mass\":2", -32005, "mass"},
        {SPHERE ",\"motion\":\"static\",\"velocity\":[0,1,0]", -32005, "velocity"},
        {SPHERE ",\"motion\":\"static\",\"angular_velocity\":[0,1,0]", -32005, "angular_velocity"},
        {SPHERE ",\"motion\":\"dynamic\",\"moves_from\":1", -32005, "moves_from"},
        {SPHERE ",\"motion\":\"static\",\"moves_until\":1", -32005, "moves_until"},
        {SPHERE ",\"velocity\":[0,1,0],\"moves_from\":2,\"moves_until\":1", -32602, "moves_until"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        struct pbd_collider_def def;
        struct wire_error error;
        char spec[512];
        snprintf(spec, sizeof spec, "{\"collider\":\"a\",%s}", bad[i].members);
        CHECK_INT(build(spec, &def, &error), -1);
        CHECK_INT(error.code, bad[i].code);
        CHECK_STRING(error.path, bad[i].path);
        free(error.data_json);
    }
}

static void set_changes_only_what_is_there(void) {
    struct pbd_collider_def def = pbd_default_collider_def();
    struct wire_collider_settings members = {.has_restitution = WIRE_PRESENT, .restitution = 0.5};
    def.friction = 0.875f;
    scene_collider_settings_apply(&def, &members);
    CHECK(def.friction == 0.875f && def.restitution == 0.5f);
}

RUN_TESTS(TEST(every_shape_is_built), TEST(pose_motion_and_surface_are_taken),
          TEST(a_body_has_mass_and_velocities), TEST(a_kinematic_one_may_move_on_its_own_for_a_while),
          TEST(what_does_not_go_together_is_refused_by_name), TEST(rotations_without_length_are_refused),
          TEST(set_changes_only_what_is_there))
