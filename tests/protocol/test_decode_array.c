/* Long lists: exact values, ranges kept as ranges, the failing item named, and fast. */
#include <check.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include "support_decode.h"

static struct wire_request *accept(const char *method, const char *params) {
    struct wire_error error;
    struct wire_request *request = support_decode_params(method, params, &error);
    if (!request) printf("%s %.200s: %s\n", method, params, error.message);
    CHECK(request != NULL);
    return request;
}

static void floats_and_indices_are_exact(void) {
    struct wire_request *request = accept(
        "cloth.add",
        "{\"cloth\":\"a\",\"mesh\":{\"positions\":[ 0.1 , -0 ,1e5\n,3.4028,5,-6.25],\"triangles\":[0,1,4294967294],"
        "\"edges\":[],\"masses\":[1,2e-3]}}");
    if (!request) return;
    const struct wire_mesh *mesh = &((const struct wire_cloth_add *)request->params)->cloth_spec.mesh;
    static const float want[] = {0.1f, -0.0f, 1e5f, 3.4028f, 5, -6.25f};
    CHECK_INT(mesh->positions.count, 6);
    CHECK(memcmp(mesh->positions.values, want, sizeof want) == 0);
    CHECK_INT(mesh->triangles.values[2], 4294967294u);
    CHECK_INT(mesh->has_edges, WIRE_PRESENT);
    CHECK_INT(mesh->edges.count, 0);
    CHECK_NEAR(mesh->masses.values[1], 0.002f, 0);
    CHECK_INT(mesh->has_rest_positions, WIRE_ABSENT);
    wire_request_destroy(request);
}

static void ranges_stay_ranges(void) {
    struct wire_request *request = accept(
        "cloth.pin",
        "{\"cloth\":\"a\",\"vertices\":[7,{\"from\":0,\"to\":4294967294},{ \"to\" : 9 , \"from\" : 9 },3]}");
    if (!request) return;
    const struct wire_vertices *vertices = &((const struct wire_cloth_pin *)request->params)->vertices;
    CHECK_INT(vertices->range_count, 4);
    CHECK_INT(vertices->count, 4294967295ull + 3);
    static const struct wire_range want[] = {{7, 7}, {0, 4294967294u}, {9, 9}, {3, 3}};
    CHECK(memcmp(vertices->ranges, want, sizeof want) == 0);
    wire_request_destroy(request);
}

static void the_item_that_fails_is_named(void) {
    CHECK(support_fails("cloth.set_state", "{\"cloth\":\"a\",\"positions\":[0,0,0,1,2,1000001]}",
                        "out_of_range", "positions[5]"));
    CHECK(support_fails("cloth.set_state", "{\"cloth\":\"a\",\"velocities\":[0,-1e999,0]}", "non_finite",
                        "velocities[1]"));
    CHECK(support_fails("cloth.set_state", "{\"cloth\":\"a\",\"positions\":[0,0,null]}", "wrong_type",
                        "positions[2]"));
    CHECK(
        support_fails("cloth.pin", "{\"cloth\":\"a\",\"vertices\":[0,1,-2]}", "out_of_range", "vertices[2]"));
    CHECK(support_fails("cloth.pin", "{\"cloth\":\"a\",\"vertices\":[0,1.5]}", "wrong_type", "vertices[1]"));
    CHECK(support_fails("cloth.pin", "{\"cloth\":\"a\",\"vertices\":[0,{\"from\":2,\"to\":1}]}",
                        "out_of_range", "vertices[1]"));
    CHECK(support_fails("cloth.pin", "{\"cloth\":\"a\",\"vertices\":[0,{\"from\":2,\"to\":5000000000}]}",
                        "out_of_range", "vertices[1].to"));
    CHECK(support_fails("cloth.pin",
                        "{\"cloth\":\"a\",\"vertices\":[{\"from\":2,\"to\":3},{\"from\":2,\"too\":3}]}",
                        "wrong_type", "vertices[1]"));
}

static void no_vertex_at_all_is_refused_where_one_is_needed(void) {
    static const char attach[] = "{\"cloth\":\"a\",\"collider\":\"b\",\"vertices\":[]}";
    CHECK(support_fails("cloth.attach", attach, "out_of_range", "vertices"));
    CHECK(support_fails("cloth.impulse", "{\"cloth\":\"a\",\"impulse\":[0,1,0],\"vertices\":[]}",
                        "out_of_range", "vertices"));
    wire_request_destroy(accept("cloth.pin", "{\"cloth\":\"a\",\"vertices\":[]}"));
}

/* A cloth.add of nearly 16 MiB decodes in well under a second when optimised (about
 * 0.15 s); the bound is loose for debug builds with sanitizers on a busy machine, and
 * still far below what anything quadratic would take. */
static void sixteen_mebibytes_decode_fast(void) {
    enum { SIZE = 16 * 1024 * 1024 - 200 };
    char *params = malloc(SIZE + 200), *p = params;
    p += sprintf(p, "{\"cloth\":\"a\",\"mesh\":{\"positions\":[");
    uint32_t count = 0;
    for (; p < params + SIZE - 60; count += 3) {
        p += sprintf(p, "%s%.9g,%.9g,%.9g", count ? "," : "", (double)(float)(count * 1e-3), 0.5,
                     (double)(float)(-1e-4 * count));
    }
    sprintf(p, "]}}");
    char *text = support_request_text("cloth.add", params);
    const struct wire_decode_rules rules = {.may_control = true};
    struct wire_error error;
    clock_t start = clock();
    struct wire_request *request = wire_request_decode(text, strlen(text), &rules, &error);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    printf("     %zu bytes, %u numbers: %.3f s\n", strlen(text), count, seconds);
    CHECK(request != NULL);
    CHECK(seconds < 4);
    if (request) {
        const struct wire_numbers *positions =
            &((const struct wire_cloth_add *)request->params)->cloth_spec.mesh.positions;
        CHECK_INT(positions->count, count);
        uint32_t wrong = 0;
        for (uint32_t i = 0; i < count; i += 3) {
            wrong +=
                positions->values[i] != (float)(i * 1e-3) || positions->values[i + 2] != (float)(-1e-4 * i);
        }
        CHECK_INT(wrong, 0);
    }
    wire_request_destroy(request);
    free(text);
    free(params);
}

static void a_mebibyte_of_ranges_decodes_fast(void) {
    enum { SIZE = 1024 * 1024 - 200 };
    char *params = malloc(SIZE + 200), *p = params;
    p += sprintf(p, "{\"cloth\":\"a\",\"vertices\":[0");
    while (p < params + SIZE - 40)
        p += sprintf(p, ",{\"from\":1,\"to\":2}");
    sprintf(p, "]}");
    clock_t start = clock();
    wire_request_destroy(accept("cloth.pin", params));
    CHECK((double)(clock() - start) / CLOCKS_PER_SEC < 2);
    free(params);
}

RUN_TESTS(TEST(floats_and_indices_are_exact), TEST(ranges_stay_ranges), TEST(the_item_that_fails_is_named),
          TEST(no_vertex_at_all_is_refused_where_one_is_needed), TEST(sixteen_mebibytes_decode_fast),
          TEST(a_mebibyte_of_ranges_decodes_fast))
