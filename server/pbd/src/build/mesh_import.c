/* The import gate: the steps of physics.md §2 in their order, and what they share. */
#include "build/build.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "math/elementary.h"
#include "math/float_environment.h"

struct pbd_mesh_def pbd_default_mesh_def(void) {
    return (struct pbd_mesh_def){.density = 0.2f, .weld = 1e-6f, .max_vertices = 500000};
}

static void warn_of_repairs(struct mesh_build *build) {
    const struct pbd_mesh_report *report = &build->report;
    if (report->degenerate)
        warn(build, "%u triangles have no area: they give no mass and no bending", report->degenerate);
    if (report->duplicate)
        warn(build, "%u triangles repeat another one and were left out", report->duplicate);
    if (report->flipped)
        warn(build, "%u triangles were turned over to wind like their neighbours", report->flipped);
    if (!report->orientable) warn(build, "the surface has one side only (like a Moebius strip)");
    if (!(build->diagonal > 0.0)) warn(build, "all vertices lie at one point at rest");
}

static int import_in_default_environment(const struct pbd_mesh_def *def, pbd_fabric **fabric,
                                         struct pbd_mesh_refusal *refusal) {
    struct mesh_build build = {.def = def};
    int result = check_mesh(&build);
    if (result == PBD_OK) result = weld_vertices(&build);
    if (result == PBD_OK) result = triangulate_faces(&build);
    if (result == PBD_OK) result = find_edges(&build);
    if (result == PBD_OK) result = check_manifold(&build);
    if (result == PBD_OK) result = make_winding_consistent(&build);
    if (result == PBD_OK) result = find_hinges(&build);
    if (result == PBD_OK) result = compute_masses(&build);
    if (result == PBD_OK) result = choose_order(&build);
    if (result == PBD_OK) {
        warn_of_repairs(&build);
        result = assemble_fabric(&build, fabric);
    }
    if (result == PBD_MESH_REFUSED && refusal) *refusal = build.refusal;
    build_free(&build);
    return result;
}

int pbd_mesh_import(const struct pbd_mesh_def *def, pbd_fabric **fabric, struct pbd_mesh_refusal *refusal) {
    assert(def->cols == 0 || def->vertex_count % def->cols == 0);
    uint64_t environment = float_environment_enter();
    int result = import_in_default_environment(def, fabric, refusal);
    float_environment_leave(environment);
    return result;
}

const char *pbd_mesh_cause_name(enum pbd_mesh_cause cause) {
    switch (cause) {
    case PBD_MESH_NO_CAUSE:
        return "none";
    case PBD_MESH_NO_VERTICES:
        return "no_vertices";
    case PBD_MESH_NO_FACES:
        return "no_faces";
    case PBD_MESH_NON_FINITE:
        return "non_finite";
    case PBD_MESH_INDEX_RANGE:
        return "index_range";
    case PBD_MESH_BAD_FACE:
        return "bad_face";
    case PBD_MESH_LIMIT:
        return "limit";
    case PBD_MESH_NON_MANIFOLD_EDGE:
        return "non_manifold_edge";
    case PBD_MESH_WELD_APART:
        return "weld_apart";
    case PBD_MESH_BAD_MASS:
        return "bad_mass";
    case PBD_MESH_UNREADABLE:
        return "unreadable";
    case PBD_MESH_BAD_NUMBER:
        return "bad_number";
    case PBD_MESH_BAD_VERTEX:
        return "bad_vertex";
    }
    return "none";
}

void *build_array(size_t count, size_t size) {
    return calloc(count + 1, size);
}

void build_free(struct mesh_build *build) {
    void *owned[] = {
        build->vertex_particle,
        build->particle_vertex,
        build->triangle_vertices,
        build->triangle_particles,
        build->triangle_face,
        build->sound,
        build->left_out,
        build->turned,
        build->edge_a,
        build->edge_b,
        build->edge_use,
        build->use,
        build->hinge_edge,
        build->wing[0],
        build->wing[1],
        build->mass,
        build->base,
        build->position,
    };
    for (size_t i = 0; i < sizeof owned / sizeof owned[0]; ++i)
        free(owned[i]);
}

int refuse(struct mesh_build *build, enum pbd_mesh_cause cause, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(build->refusal.message, sizeof build->refusal.message, format, arguments);
    va_end(arguments);
    build->refusal.cause = cause;
    return PBD_MESH_REFUSED;
}

void refuse_face(struct mesh_build *build, const uint32_t *corners, uint32_t corner_count) {
    struct pbd_mesh_refusal *refusal = &build->refusal;
    ++refusal->total;
    if (refusal->face_count == 16) return;
    uint32_t *face = refusal->faces[refusal->face_count++];
    for (uint32_t k = 0; k < 3 && corner_count > 0; ++k)
        face[k] = corners[math_minu(k, corner_count - 1)];
}

void refuse_edge(struct mesh_build *build, uint32_t a, uint32_t b) {
    struct pbd_mesh_refusal *refusal = &build->refusal;
    ++refusal->total;
    if (refusal->edge_count == 16) return;
    refusal->edges[refusal->edge_count][0] = a;
    refusal->edges[refusal->edge_count++][1] = b;
}

void warn(struct mesh_build *build, const char *format, ...) {
    struct pbd_mesh_report *report = &build->report;
    if (report->warning_count == sizeof report->warnings / sizeof report->warnings[0]) return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(report->warnings[report->warning_count++], sizeof report->warnings[0], format, arguments);
    va_end(arguments);
}
