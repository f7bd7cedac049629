/* OBJ files, sound ones and broken ones with the line that is to blame. */
#include "check.h"

#include <stdlib.h>
#include <time.h>

#include <scene/mesh_obj.h>

static struct mesh_data mesh;
static struct pbd_mesh_refusal refusal;

static int parse(const char *text) {
    refusal = (struct pbd_mesh_refusal){0};
    return mesh_obj_parse("test.obj", text, strlen(text), 1000, &mesh, &refusal);
}

static void vertices_keep_their_order_and_isolated_ones_stay(void) {
    CHECK_INT(parse("v 1 2 3\nv 9 9 9\nv -4 5e-1 .25\nv 0 0 0\nf 1 3 4\n"), PBD_OK);
    CHECK_INT(mesh.vertex_count, 4);
    CHECK(mesh.positions[3] == 9.0f && mesh.positions[6] == -4.0f && mesh.positions[7] == 0.5f);
    CHECK(mesh.positions[8] == 0.25f);
    CHECK_INT(mesh.face_count, 1);
    CHECK(mesh.face_vertices[0] == 0 && mesh.face_vertices[1] == 2 && mesh.face_vertices[2] == 3);
    mesh_data_free(&mesh);
}

static void every_form_of_a_corner_names_its_vertex(void) {
    CHECK_INT(parse("v 0 0 0\nv 1 0 0\nv 1 1 0\nvt 0 0\nvn 0 0 1\nf 1/1 2//1 3/1/1\nf -3 -2/-1 -1//-1\n"),
              PBD_OK);
    CHECK_INT(mesh.corner_count, 6);
    for (uint32_t k = 0; k < 6; ++k)
        CHECK_INT(mesh.face_vertices[k], k % 3);
    mesh_data_free(&mesh);
}

static void polygons_comments_crlf_and_continued_lines(void) {
    CHECK_INT(
        parse(
            "# shirt \\\r\nv 0 0 0 # first\r\nv 1 0 \\\r\n 0\r\nv 1 1 0\r\nv 0 1 0 1.0\r\n\r\ng a b\\\nv 9 9 9\n"
            "f 1 2 \\\n3 4#end\r\ns off\nusemtl x\nf 1 2 3"),
        PBD_OK);
    CHECK_INT(mesh.vertex_count, 4);
    CHECK_INT(mesh.face_count, 2);
    CHECK_INT(mesh.face_sizes[0], 4);
    CHECK_INT(mesh.face_sizes[1], 3);
    mesh_data_free(&mesh);
}

static void faces_may_come_before_their_vertices(void) {
    CHECK_INT(parse("f 1 2 3\nv 0 0 0\nv 1 0 0\nv 1 1 0\n"), PBD_OK);
    mesh_data_free(&mesh);
}

static void text_without_meaning_gives_an_empty_mesh(void) {
    CHECK_INT(parse(""), PBD_OK);
    CHECK_INT(mesh.vertex_count, 0);
    mesh_data_free(&mesh);
    CHECK_INT(parse("<html>\nvertex 1 2 3\nface 1 2 3\n"), PBD_OK);
    CHECK_INT(mesh.vertex_count, 0);
    mesh_data_free(&mesh);
}

static void check_refused(const char *text, enum pbd_mesh_cause cause, uint32_t line, const char *word) {
    char place[32];
    CHECK_INT(parse(text), PBD_MESH_REFUSED);
    CHECK_INT(refusal.cause, cause);
    CHECK_INT(refusal.line, line);
    snprintf(place, sizeof place, "test.obj:%u: ", line);
    CHECK(strncmp(refusal.message, place, strlen(place)) == 0);
    if (strstr(refusal.message, word) == NULL) printf("\"%s\" lacks \"%s\"\n", refusal.message, word);
    CHECK(strstr(refusal.message, word) != NULL);
}

#define THREE "v 0 0 0\nv 1 0 0\nv 1 1 0\n"

static void broken_files_are_refused_with_cause_and_line(void) {
    check_refused("v 0 0 0\nv 1 abc 0\n", PBD_MESH_BAD_NUMBER, 2, "\"abc\"");
    check_refused("v 0 0 0\nv 1 0x10 0\n", PBD_MESH_BAD_NUMBER, 2, "0x10");
    check_refused("v 0 0 1.5f\n", PBD_MESH_BAD_NUMBER, 1, "1.5f");
    check_refused("v 0 0 0\n\nv 1 2\n", PBD_MESH_BAD_VERTEX, 3, "third");
    check_refused("v 0 \\\n 0\nv 1\n", PBD_MESH_BAD_VERTEX, 2, "third");
    check_refused("v 0 0 0\nv 1 2 1e999\n", PBD_MESH_NON_FINITE, 2, "1e999");
    check_refused("v nan 0 0\n", PBD_MESH_NON_FINITE, 1, "nan");
    check_refused(THREE "f 1 2\n", PBD_MESH_BAD_FACE, 4, "2 corners");
    check_refused(THREE "f 1 2 4\n", PBD_MESH_INDEX_RANGE, 4, "vertex 4 of 3");
    check_refused(THREE "f 0 1 2\n", PBD_MESH_INDEX_RANGE, 4, "index 0");
    check_refused(THREE "f -1 -2 -4\n", PBD_MESH_INDEX_RANGE, 4, "-4");
    check_refused(THREE "f 1 2 99999999999999999999\n", PBD_MESH_INDEX_RANGE, 4, "beyond");
    check_refused(THREE "f 1 2 x\n", PBD_MESH_BAD_NUMBER, 4, "\"x\"");
    check_refused(THREE "f 1 2 3/\n", PBD_MESH_BAD_NUMBER, 4, "\"3/\"");
    check_refused(THREE "f 1 2 3//\n", PBD_MESH_BAD_NUMBER, 4, "\"3//\"");
    check_refused(THREE "f 1 2 3/1/1/1\n", PBD_MESH_BAD_NUMBER, 4, "3/1/1/1");
}

static void too_many_vertices_are_refused(void) {
    char text[1001 * 8 + 1] = "";
    for (int k = 0; k < 1001; ++k)
        memcpy(text + 8 * k, "v 0 0 0\n", 9);
    CHECK_INT(parse(text), PBD_MESH_REFUSED);
    CHECK_INT(refusal.cause, PBD_MESH_LIMIT);
    CHECK_INT(refusal.line, 1001);
}

/* Every prefix of a sound file is read or refused without reading past its end (the
 * sanitizers watch), and so is every file with one byte changed. */
static void no_cut_or_changed_byte_reads_out_of_bounds(void) {
    static const char sound[] = "v 1 2 3\nv 4 5 \\\r\n6\nv 7 8 9e1\nf 1/2/3 2//1 -1 # x\nf 1 2 3\\\n";
    const char bytes[] = "\\\r\n#/-v f0.e\xff";
    size_t length = sizeof sound - 1;
    for (size_t n = 0; n <= length; ++n) {
        char *text = malloc(n + 1);
        memcpy(text, sound, n);
        text[n] = '\0';
        if (mesh_obj_parse("t", text, n, 1000, &mesh, &refusal) == PBD_OK) mesh_data_free(&mesh);
        free(text);
    }
    for (size_t at = 0; at < length; ++at)
        for (size_t k = 0; k < sizeof bytes; ++k) {
            char *text = malloc(length + 1);
            memcpy(text, sound, length + 1);
            text[at] = bytes[k];
            if (mesh_obj_parse("t", text, length, 1000, &mesh, &refusal) == PBD_OK) mesh_data_free(&mesh);
            free(text);
        }
}

static void half_a_million_vertices_are_read_in_seconds(void) {
    const uint32_t side = 708; /* 501 264 vertices */
    size_t room = (size_t)side * side * 64, length = 0;
    char *text = malloc(room);
    for (uint32_t v = 0; v < side * side; ++v)
        length += (size_t)snprintf(text + length, room - length, "v %.6f 0.25 %.6f\n", 0.001 * (v % side),
                                   0.001 * (v / side));
    for (uint32_t j = 1; j < side; ++j)
        for (uint32_t i = 1; i < side; ++i) {
            uint32_t a = (j - 1) * side + i;
            length += (size_t)snprintf(text + length, room - length, "f %u %u %u %u\n", a, a + side,
                                       a + side + 1, a + 1);
        }
    clock_t begin = clock();
    CHECK_INT(mesh_obj_parse("big.obj", text, length, 600000, &mesh, &refusal), PBD_OK);
    double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    CHECK_INT(mesh.vertex_count, side * side);
    CHECK_INT(mesh.face_count, (side - 1) * (side - 1));
    /* 0.3 s where optimised; a debug build with sanitizers has ten times that. */
    CHECK(seconds < 10.0);
    mesh_data_free(&mesh);
    free(text);
}

RUN_TESTS(TEST(vertices_keep_their_order_and_isolated_ones_stay),
          TEST(every_form_of_a_corner_names_its_vertex), TEST(polygons_comments_crlf_and_continued_lines),
          TEST(faces_may_come_before_their_vertices), TEST(text_without_meaning_gives_an_empty_mesh),
          TEST(broken_files_are_refused_with_cause_and_line), TEST(too_many_vertices_are_refused),
          TEST(no_cut_or_changed_byte_reads_out_of_bounds), TEST(half_a_million_vertices_are_read_in_seconds))
