/* Readers that do what damaged files make them do. */
#include "check.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <scene/mesh_child.h>

static struct mesh_data mesh;
static struct pbd_mesh_refusal refusal;

static int read_by(mesh_reader *reader, int limit_ms) {
    refusal = (struct pbd_mesh_refusal){0};
    return mesh_child_read(reader, "p", "a.ply", 70000, limit_ms, &mesh, &refusal);
}

/* More than a pipe holds, so that it comes in pieces. */
static int good_reader(const char *path, const char *name, uint32_t max_vertices, struct mesh_data *out,
                       struct pbd_mesh_refusal *why) {
    (void)path, (void)name, (void)why;
    *out = (struct mesh_data){.vertex_count = max_vertices, .face_count = 2, .corner_count = 7, .cols = 5};
    out->positions = malloc(3 * (size_t)max_vertices * sizeof(float));
    out->face_sizes = malloc(2 * sizeof(uint32_t));
    out->face_vertices = malloc(7 * sizeof(uint32_t));
    for (uint32_t i = 0; i < 3 * max_vertices; ++i)
        out->positions[i] = (float)i;
    for (uint32_t i = 0; i < 7; ++i)
        out->face_vertices[i] = i;
    out->face_sizes[0] = 3;
    out->face_sizes[1] = 4;
    return PBD_OK;
}

static void a_mesh_arrives_as_it_was_read(void) {
    CHECK_INT(read_by(good_reader, 20000), PBD_OK);
    CHECK(mesh.vertex_count == 70000 && mesh.face_count == 2 && mesh.corner_count == 7 && mesh.cols == 5);
    CHECK(mesh.face_sizes[0] == 3 && mesh.face_sizes[1] == 4 && mesh.face_vertices[6] == 6);
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < 210000; ++i)
        wrong += mesh.positions[i] != (float)i;
    CHECK_INT(wrong, 0);
    mesh_data_free(&mesh);
}

static int refusing_reader(const char *path, const char *name, uint32_t max_vertices, struct mesh_data *out,
                           struct pbd_mesh_refusal *why) {
    (void)path, (void)max_vertices, (void)out;
    mesh_refuse(why, PBD_MESH_BAD_NUMBER, 17, "%s:17: no number.", name);
    return PBD_MESH_REFUSED;
}

static void a_refusal_arrives_with_its_sentence(void) {
    CHECK_INT(read_by(refusing_reader, 20000), PBD_MESH_REFUSED);
    CHECK_INT(refusal.cause, PBD_MESH_BAD_NUMBER);
    CHECK_INT(refusal.line, 17);
    CHECK_STRING(refusal.message, "a.ply:17: no number.");
    CHECK(mesh.positions == NULL);
}

static int forgetful_reader(const char *path, const char *name, uint32_t max_vertices, struct mesh_data *out,
                            struct pbd_mesh_refusal *why) {
    (void)path, (void)name, (void)max_vertices, (void)out, (void)why;
    return PBD_OUT_OF_MEMORY;
}

static void no_memory_is_told_as_such(void) {
    CHECK_INT(read_by(forgetful_reader, 20000), PBD_OUT_OF_MEMORY);
}

static int crashing_reader(const char *path, const char *name, uint32_t max_vertices, struct mesh_data *out,
                           struct pbd_mesh_refusal *why) {
    (void)path, (void)name, (void)max_vertices, (void)out, (void)why;
    signal(SIGSEGV, SIG_DFL);
    raise(SIGSEGV);
    return PBD_OK;
}

static void a_crash_is_a_refusal(void) {
    CHECK_INT(read_by(crashing_reader, 20000), PBD_MESH_REFUSED);
    CHECK_INT(refusal.cause, PBD_MESH_UNREADABLE);
    CHECK(strstr(refusal.message, "a.ply cannot be read: its reader broke off") != NULL);
}

static int endless_reader(const char *path, const char *name, uint32_t max_vertices, struct mesh_data *out,
                          struct pbd_mesh_refusal *why) {
    (void)path, (void)name, (void)max_vertices, (void)out, (void)why;
    while (pause() != 0)
        continue;
    return PBD_OK;
}

static void an_endless_reader_is_ended(void) {
    CHECK_INT(read_by(endless_reader, 100), PBD_MESH_REFUSED);
    CHECK(strstr(refusal.message, "takes too long") != NULL);
    errno = 0;
    CHECK_INT(waitpid(-1, NULL, WNOHANG), -1); /* no child is left, alive or dead */
    CHECK_INT(errno, ECHILD);
}

RUN_TESTS(TEST(a_mesh_arrives_as_it_was_read), TEST(a_refusal_arrives_with_its_sentence),
          TEST(no_memory_is_told_as_such), TEST(a_crash_is_a_refusal), TEST(an_endless_reader_is_ended))
