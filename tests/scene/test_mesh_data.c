/* Refusals of files. */
#include "check.h"

#include <stdlib.h>

#include <scene/mesh_data.h>

static void a_refusal_has_cause_line_and_sentence(void) {
    struct pbd_mesh_refusal refusal;
    mesh_refuse(&refusal, PBD_MESH_BAD_NUMBER, 12, "%s:%u: no", "a.obj", 12u);
    CHECK_INT(refusal.cause, PBD_MESH_BAD_NUMBER);
    CHECK_INT(refusal.line, 12);
    CHECK_STRING(refusal.message, "a.obj:12: no");
}

static void bytes_that_no_json_text_may_hold_become_question_marks(void) {
    struct pbd_mesh_refusal refusal;
    mesh_refuse(&refusal, PBD_MESH_BAD_NUMBER, 0, "%s", "x\xff\x01y\"");
    CHECK_STRING(refusal.message, "x??y\"");
}

static void freeing_leaves_an_empty_mesh(void) {
    struct mesh_data mesh = {.positions = malloc(12), .vertex_count = 1};
    mesh_data_free(&mesh);
    CHECK(mesh.positions == NULL);
    CHECK_INT(mesh.vertex_count, 0);
    mesh_data_free(&mesh);
}

RUN_TESTS(TEST(a_refusal_has_cause_line_and_sentence),
          TEST(bytes_that_no_json_text_may_hold_become_question_marks), TEST(freeing_leaves_an_empty_mesh))
