/* Making a collision mesh: the import gate's first steps, then the tree, neighbours and
 * pseudo-normals. */
#include "contact/collision_mesh.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "build/build.h"
#include "math/elementary.h"
#include "math/float_environment.h"

struct pbd_collision_mesh_def pbd_default_collision_mesh_def(void) {
    return (struct pbd_collision_mesh_def){.weld = 1e-6f, .max_vertices = 500000};
}

static void destroy(struct pbd_collision_mesh *mesh) {
    free(mesh->positions);
    free(mesh->vertices);
    free(mesh->points);
    free(mesh->point_normals);
    free(mesh->edges);
    free(mesh->point_edge_start);
    free(mesh->point_edges);
    free(mesh->triangles);
    bvh_free(&mesh->bvh);
    free(mesh);
}

/* The steps that meshes of cloth take too. */
static int pass_gate(struct mesh_build *build) {
    if (build->def->vertex_count > 0 && build->def->face_count == 0)
        return refuse(build, PBD_MESH_NO_FACES, "the mesh has no triangles; a collider needs at least one");
    int result = check_mesh(build);
    if (result == PBD_OK) result = weld_vertices(build);
    if (result == PBD_OK) result = triangulate_faces(build);
    if (result == PBD_OK) result = find_edges(build);
    if (result == PBD_OK) result = check_manifold(build);
    if (result == PBD_OK) result = make_winding_consistent(build);
    return result;
}

static struct vec3 corner_of(const struct mesh_build *build, uint32_t triangle, uint32_t k) {
    return vec3_from(particle_rest(build, build->triangle_particles[3 * (size_t)triangle + k]));
}

/* Six times the enclosed volume, from the middle of the box, where sums are most exact. */
static double volume_of(const struct mesh_build *build) {
    struct vec3 middle = {0.5 * (build->rest_min[0] + build->rest_max[0]),
                          0.5 * (build->rest_min[1] + build->rest_max[1]),
                          0.5 * (build->rest_min[2] + build->rest_max[2])};
    double sum = 0.0;
    for (uint32_t t = 0; t < build->triangle_count; ++t) {
        if (!build->sound[t]) continue;
        struct vec3 a = vec3_sub(corner_of(build, t, 0), middle),
                    b = vec3_sub(corner_of(build, t, 1), middle),
                    c = vec3_sub(corner_of(build, t, 2), middle);
        sum += vec3_dot(vec3_cross(a, b), c);
    }
    return sum;
}

static void turn_all(struct mesh_build *build) {
    uint32_t *arrays[2] = {build->triangle_vertices, build->triangle_particles};
    for (int i = 0; i < 2; ++i)
        for (size_t t = 0; t < build->triangle_count; ++t) {
            uint32_t corner = arrays[i][3 * t + 1];
            arrays[i][3 * t + 1] = arrays[i][3 * t + 2];
            arrays[i][3 * t + 2] = corner;
        }
    build->report.flipped = build->triangle_count - build->report.flipped;
}

static int allocate(struct pbd_collision_mesh *mesh, const struct mesh_build *build) {
    size_t vertices = build->def->vertex_count, points = build->particle_count, edges = build->edge_count,
           triangles = mesh->triangle_count;
    mesh->positions = malloc(3 * vertices * sizeof *mesh->positions);
    mesh->vertices = malloc(3 * triangles * sizeof *mesh->vertices);
    mesh->points = malloc(points * sizeof *mesh->points);
    mesh->point_normals = calloc(points, sizeof *mesh->point_normals);
    mesh->edges = malloc(edges * sizeof *mesh->edges);
    mesh->point_edge_start = calloc(points + 1, sizeof *mesh->point_edge_start);
    mesh->point_edges = malloc(2 * edges * sizeof *mesh->point_edges);
    mesh->triangles = malloc(triangles * sizeof *mesh->triangles);
    bool complete = mesh->positions && mesh->vertices && mesh->points && mesh->point_normals && mesh->edges &&
                    mesh->point_edge_start && mesh->point_edges && mesh->triangles;
    return complete ? PBD_OK : PBD_OUT_OF_MEMORY;
}

static void fill_points(struct pbd_collision_mesh *mesh, const struct mesh_build *build) {
    memcpy(mesh->positions, build->def->positions,
           3 * (size_t)build->def->vertex_count * sizeof *mesh->positions);
    for (uint32_t p = 0; p < mesh->point_count; ++p)
        mesh->points[p] = vec3_from(particle_rest(build, p));
}

/* sound[i]: the build's number of the i-th triangle with area. */
static int fill_tree(struct pbd_collision_mesh *mesh, const struct mesh_build *build, const uint32_t *sound) {
    struct bvh_box *boxes = malloc(mesh->triangle_count * sizeof *boxes);
    if (boxes == NULL) return PBD_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < mesh->triangle_count; ++i) {
        const uint32_t *particles = build->triangle_particles + 3 * (size_t)sound[i];
        const float *a = particle_rest(build, particles[0]), *b = particle_rest(build, particles[1]),
                    *c = particle_rest(build, particles[2]);
        for (int k = 0; k < 3; ++k) {
            boxes[i].low[k] = math_minf(a[k], math_minf(b[k], c[k]));
            boxes[i].high[k] = math_maxf(a[k], math_maxf(b[k], c[k]));
        }
    }
    int result = bvh_build(&mesh->bvh, boxes, mesh->triangle_count);
    free(boxes);
    return result;
}

/* Triangles in the order of the leaves. place: per triangle of the build, its new number. */
static void fill_triangles(struct pbd_collision_mesh *mesh, const struct mesh_build *build,
                           const uint32_t *sound, uint32_t *place) {
    for (uint32_t i = 0; i < mesh->triangle_count; ++i)
        memcpy(mesh->vertices + 3 * (size_t)i, build->triangle_vertices + 3 * (size_t)sound[i],
               3 * sizeof *mesh->vertices);
    for (uint32_t i = 0; i < mesh->triangle_count; ++i) {
        uint32_t t = sound[mesh->bvh.items[i]];
        struct mesh_triangle *triangle = &mesh->triangles[i];
        place[t] = i;
        mesh->bvh.items[i] = i;
        memcpy(triangle->point, build->triangle_particles + 3 * (size_t)t, sizeof triangle->point);
        triangle->owns = 0;
        struct vec3 a = corner_of(build, t, 0), b = corner_of(build, t, 1), c = corner_of(build, t, 2);
        struct vec3 normal = vec3_cross(vec3_sub(b, a), vec3_sub(c, a));
        triangle->normal = vec3_scale(normal, 1.0 / vec3_length(normal));
    }
}

/* By value, since the winding may have moved corners. */
static uint32_t side_of(const struct mesh_triangle *triangle, const struct mesh_edge *edge) {
    uint32_t k = 0;
    while (!(triangle->point[k] != edge->point[0] && triangle->point[k] != edge->point[1]))
        ++k;
    return (k + 1) % 3; /* opposite to the corner that is not its own */
}

static void fill_edges(struct pbd_collision_mesh *mesh, const struct mesh_build *build,
                       const uint32_t *place) {
    for (uint32_t e = 0; e < mesh->edge_count; ++e) {
        struct mesh_edge *edge = &mesh->edges[e];
        *edge = (struct mesh_edge){{build->edge_a[e], build->edge_b[e]}, {MESH_NONE, MESH_NONE}};
        uint32_t first = build->edge_use[e];
        for (uint32_t i = first; i < build->edge_use[e + 1]; ++i) {
            uint32_t t = place[build->use[i] / 3];
            mesh->triangles[t].edge[side_of(&mesh->triangles[t], edge)] = e;
            if (i < first + 2) edge->triangle[i - first] = t;
        }
        ++mesh->point_edge_start[edge->point[0]];
        ++mesh->point_edge_start[edge->point[1]];
    }
    uint32_t sum = 0;
    for (uint32_t p = 0; p <= mesh->point_count; ++p) {
        sum += mesh->point_edge_start[p];
        mesh->point_edge_start[p] = sum; /* the end; moves to the beginning below */
    }
    for (uint32_t e = mesh->edge_count; e-- > 0;)
        for (int k = 0; k < 2; ++k)
            mesh->point_edges[--mesh->point_edge_start[mesh->edges[e].point[k]]] = e;
}

/* Marks are per point and per edge. */
static void give_owners(struct pbd_collision_mesh *mesh, unsigned char *point_marks,
                        unsigned char *edge_marks) {
    for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
        struct mesh_triangle *triangle = &mesh->triangles[t];
        for (uint32_t k = 0; k < 3; ++k) {
            if (!point_marks[triangle->point[k]]) triangle->owns |= 1u << k;
            if (!edge_marks[triangle->edge[k]]) triangle->owns |= 8u << k;
            point_marks[triangle->point[k]] = edge_marks[triangle->edge[k]] = 1;
        }
    }
}

static struct vec3 unit_or_zero(struct vec3 v) {
    double length = vec3_length(v);
    return length > 1e-9 ? vec3_scale(v, 1.0 / length) : vec3_make(0.0, 0.0, 0.0);
}

static void fill_point_normals(struct pbd_collision_mesh *mesh) {
    for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
        const struct mesh_triangle *triangle = &mesh->triangles[t];
        for (int k = 0; k < 3; ++k) {
            struct vec3 at = mesh->points[triangle->point[k]];
            struct vec3 u = vec3_sub(mesh->points[triangle->point[(k + 1) % 3]], at);
            struct vec3 v = vec3_sub(mesh->points[triangle->point[(k + 2) % 3]], at);
            double angle = math_atan2(vec3_length(vec3_cross(u, v)), vec3_dot(u, v));
            struct vec3 *sum = &mesh->point_normals[triangle->point[k]];
            *sum = vec3_add_scaled(*sum, triangle->normal, angle);
            double reach = vec3_length(at);
            if (reach > mesh->bound) mesh->bound = reach;
        }
    }
    for (uint32_t p = 0; p < mesh->point_count; ++p)
        mesh->point_normals[p] = unit_or_zero(mesh->point_normals[p]);
}

static void fill_view(struct pbd_collision_mesh *mesh, const struct mesh_build *build, bool closed) {
    mesh->view = (struct pbd_collision_mesh_view){
        .vertex_count = build->def->vertex_count,
        .triangle_count = mesh->triangle_count,
        .positions = mesh->positions,
        .triangles = mesh->vertices,
        .closed = closed,
        .welded = build->report.welded,
        .degenerate = build->report.degenerate,
        .duplicate = build->report.duplicate,
        .flipped = build->report.flipped,
    };
    memcpy(mesh->view.min, mesh->bvh.nodes[0].box.low, sizeof mesh->view.min);
    memcpy(mesh->view.max, mesh->bvh.nodes[0].box.high, sizeof mesh->view.max);
}

/* sound, place: room for a number per triangle of the build; marks: per point and edge. */
static int fill(struct pbd_collision_mesh *mesh, const struct mesh_build *build, uint32_t *sound,
                uint32_t *place, unsigned char *marks) {
    for (uint32_t t = 0; t < build->triangle_count; ++t)
        if (build->sound[t]) sound[mesh->triangle_count++] = t;
    if (allocate(mesh, build) < 0 || fill_tree(mesh, build, sound) < 0) return PBD_OUT_OF_MEMORY;
    fill_points(mesh, build);
    fill_triangles(mesh, build, sound, place);
    fill_edges(mesh, build, place);
    give_owners(mesh, marks, marks + mesh->point_count);
    fill_point_normals(mesh);
    return PBD_OK;
}

static int assemble(struct mesh_build *build, struct pbd_collision_mesh **out) {

    if (build->edge_count == 0)
        return refuse(build, PBD_MESH_NO_FACES,
                      "the mesh has no triangle with area (%u have none); a collider needs at least one",
                      build->report.degenerate);
    bool closed = build->report.closed && build->report.orientable;
    if (closed && volume_of(build) < 0.0) turn_all(build);
    struct pbd_collision_mesh *mesh = calloc(1, sizeof *mesh);
    uint32_t *sound = build_array(build->triangle_count, sizeof *sound);
    uint32_t *place = build_array(build->triangle_count, sizeof *place);
    unsigned char *marks = build_array((size_t)build->particle_count + build->edge_count, 1);
    int result = PBD_OUT_OF_MEMORY;
    if (mesh && sound && place && marks) {
        atomic_init(&mesh->refs, 1);
        mesh->point_count = build->particle_count;
        mesh->edge_count = build->edge_count;
        result = fill(mesh, build, sound, place, marks);
    }
    free(sound);
    free(place);
    free(marks);
    if (result != PBD_OK) {
        if (mesh) destroy(mesh);
        return result;
    }
    fill_view(mesh, build, closed);
    *out = mesh;
    return PBD_OK;
}

int pbd_collision_mesh_create(const struct pbd_collision_mesh_def *def, pbd_collision_mesh **mesh,
                              struct pbd_mesh_refusal *refusal) {
    struct pbd_mesh_def gate = pbd_default_mesh_def();
    gate.positions = def->positions;
    gate.vertex_count = def->vertex_count;
    gate.face_sizes = def->face_sizes;
    gate.face_vertices = def->face_vertices;
    gate.face_count = def->face_count;
    gate.weld = def->weld;
    gate.max_vertices = def->max_vertices;
    gate.allow_nonmanifold = true;
    struct mesh_build build = {.def = &gate};
    uint64_t environment = float_environment_enter();
    int result = pass_gate(&build);
    if (result == PBD_OK) result = assemble(&build, mesh);
    float_environment_leave(environment);
    if (result == PBD_MESH_REFUSED && refusal != NULL) *refusal = build.refusal;
    build_free(&build);
    return result;
}

pbd_collision_mesh *pbd_collision_mesh_ref(pbd_collision_mesh *mesh) {
    atomic_fetch_add_explicit(&mesh->refs, 1, memory_order_relaxed);
    return mesh;
}

void pbd_collision_mesh_unref(pbd_collision_mesh *mesh) {
    if (mesh == NULL) return;
    uint32_t before = atomic_fetch_sub_explicit(&mesh->refs, 1, memory_order_acq_rel);
    assert(before > 0);
    if (before == 1) destroy(mesh);
}

struct pbd_collision_mesh_view pbd_collision_mesh_get_view(const pbd_collision_mesh *mesh) {
    return mesh->view;
}
