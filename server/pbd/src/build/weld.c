/* Joins vertices that coincide in the rest pose into one particle: files that repeat
 * a vertex along a seam (or per face corner) hold together only so.
 *
 * Vertices closer than the tolerance, and chains of them, become one. Cells of twice
 * the tolerance, hashed: a vertex looks only into the (at most 8) cells its ball
 * touches. One that lies within a quarter of the tolerance of an earlier one is
 * represented by it, which bounds a cell's entries whatever the mesh. */
#include "build/build.h"

#include <stdlib.h>
#include "math/elementary.h"

static const uint32_t NONE = UINT32_MAX;

struct cells {
    uint32_t *heads, *next; /* open addressing; chains of vertices of one cell */
    size_t mask;
    double size;
};

static uint32_t find_root(uint32_t *parent, uint32_t v) {
    while (parent[v] != v) {
        parent[v] = parent[parent[v]];
        v = parent[v];
    }
    return v;
}

/* The lower one becomes the root. */
static void join(uint32_t *parent, uint32_t a, uint32_t b) {
    a = find_root(parent, a);
    b = find_root(parent, b);
    if (a < b) parent[b] = a;
    if (b < a) parent[a] = b;
}

static int64_t cell_of(const struct mesh_build *build, const struct cells *cells, double c, int axis) {
    return (int64_t)((c - build->rest_min[axis]) / cells->size + 1.0); /* ≥ 0, so truncation is floor */
}

static void cell_of_vertex(const struct mesh_build *build, const struct cells *cells, uint32_t v,
                           int64_t cell[3]) {
    for (int k = 0; k < 3; ++k)
        cell[k] = cell_of(build, cells, (double)build->rest[3 * (size_t)v + (size_t)k], k);
}

static double distance_between(const float *p, const float *q) {
    double x = (double)p[0] - (double)q[0], y = (double)p[1] - (double)q[1], z = (double)p[2] - (double)q[2];
    return math_sqrt(x * x + y * y + z * z);
}

/* The slot of a cell: that of its chain, or the empty one where it would start. */
static size_t find_slot(const struct mesh_build *build, const struct cells *cells, const int64_t cell[3]) {
    uint64_t h = (uint64_t)cell[0] * 0x9e3779b97f4a7c15u;
    h = (h ^ (h >> 29) ^ (uint64_t)cell[1]) * 0xbf58476d1ce4e5b9u;
    h = (h ^ (h >> 32) ^ (uint64_t)cell[2]) * 0x94d049bb133111ebu;
    size_t slot = (size_t)(h ^ (h >> 31)) & cells->mask;
    while (cells->heads[slot] != NONE) {
        int64_t there[3];
        cell_of_vertex(build, cells, cells->heads[slot], there);
        if (there[0] == cell[0] && there[1] == cell[1] && there[2] == cell[2]) break;
        slot = (slot + 1) & cells->mask;
    }
    return slot;
}

/* Joins v with what is near among the vertices entered so far; enters it unless represented. */
static void add_vertex(const struct mesh_build *build, struct cells *cells, uint32_t *parent, uint32_t v,
                       double tolerance) {
    const float *p = build->rest + 3 * (size_t)v;
    int64_t low[3], high[3];
    for (int k = 0; k < 3; ++k) {
        double c = (double)p[k] - tolerance;
        low[k] = cell_of(build, cells, c < build->rest_min[k] ? build->rest_min[k] : c, k);
        high[k] = cell_of(build, cells, (double)p[k] + tolerance, k);
    }
    for (int64_t x = low[0]; x <= high[0]; ++x)
        for (int64_t y = low[1]; y <= high[1]; ++y)
            for (int64_t z = low[2]; z <= high[2]; ++z) {
                size_t slot = find_slot(build, cells, (int64_t[3]){x, y, z});
                for (uint32_t other = cells->heads[slot]; other != NONE; other = cells->next[other]) {
                    double distance = distance_between(p, build->rest + 3 * (size_t)other);
                    if (distance < tolerance || distance == 0.0) join(parent, v, other);
                    if (distance <= 0.25 * tolerance) return;
                }
            }
    int64_t cell[3];
    cell_of_vertex(build, cells, v, cell);
    size_t slot = find_slot(build, cells, cell);
    cells->next[v] = cells->heads[slot];
    cells->heads[slot] = v;
}

static int join_near_vertices(const struct mesh_build *build, uint32_t *parent) {
    uint32_t count = build->def->vertex_count;
    double weld = (double)build->def->weld;
    /* Below 1e-12 of the diagonal only equal vertices differ by less in float32. */
    double tolerance = (weld < 1e-12 ? 1e-12 : weld > 1.0 ? 1.0 : weld) * build->diagonal;
    size_t slots = 16;
    while (slots < 2 * (size_t)count)
        slots *= 2;
    struct cells cells = {.heads = malloc(slots * sizeof(uint32_t)),
                          .next = malloc(count * sizeof(uint32_t)),
                          .mask = slots - 1,
                          .size = tolerance > 0.0 ? 2.0 * tolerance : 1.0};
    int result = cells.heads && cells.next ? PBD_OK : PBD_OUT_OF_MEMORY;
    if (result == PBD_OK) {
        for (size_t i = 0; i < slots; ++i)
            cells.heads[i] = NONE;
        for (uint32_t v = 0; v < count; ++v)
            add_vertex(build, &cells, parent, v, tolerance);
    }
    free(cells.heads);
    free(cells.next);
    return result;
}

/* Welded vertices must coincide at the start as well as they do at rest, up to scale and rounding. */
static int check_start(struct mesh_build *build) {
    const float *start = build->def->positions;
    if (start == build->rest) return PBD_OK;
    double low[3], high[3], square = 0.0, largest = 0.0;
    for (int k = 0; k < 3; ++k)
        low[k] = high[k] = (double)start[k];
    for (size_t i = 0; i < 3 * (size_t)build->def->vertex_count; ++i) {
        double c = (double)start[i];
        if (c < low[i % 3]) low[i % 3] = c;
        if (c > high[i % 3]) high[i % 3] = c;
    }
    for (int k = 0; k < 3; ++k) {
        square += (high[k] - low[k]) * (high[k] - low[k]);
        if (high[k] > largest) largest = high[k];
        if (-low[k] > largest) largest = -low[k];
    }
    double diagonal = math_sqrt(square), scale = build->diagonal > 0.0 ? diagonal / build->diagonal : 1.0;
    if (scale < 1.0) scale = 1.0;
    double slack = 2.0 * (double)build->def->weld * build->diagonal * scale + 8.0 * 0x1p-24 * largest;
    uint32_t apart = 0;
    for (uint32_t v = 0; v < build->def->vertex_count; ++v) {
        uint32_t lowest = build->particle_vertex[build->vertex_particle[v]];
        double at_rest = distance_between(build->rest + 3 * (size_t)v, build->rest + 3 * (size_t)lowest);
        double at_start = distance_between(start + 3 * (size_t)v, start + 3 * (size_t)lowest);
        if (at_start <= 2.0 * scale * at_rest + slack) continue;
        if (apart++ == 0) build->refusal.vertex = v;
    }
    if (apart == 0) return PBD_OK;
    uint32_t v = build->refusal.vertex, lowest = build->particle_vertex[build->vertex_particle[v]];
    build->refusal.total = apart;
    return refuse(
        build, PBD_MESH_WELD_APART,
        "vertices %u and %u coincide at rest but start %g m apart; welding needs them together, weld 0 "
        "switches it off (%u such vertices)",
        lowest, v, distance_between(start + 3 * (size_t)v, start + 3 * (size_t)lowest), apart);
}

int weld_vertices(struct mesh_build *build) {
    uint32_t count = build->def->vertex_count;
    uint32_t *parent = malloc(count * sizeof *parent);
    build->vertex_particle = build_array(count, sizeof *build->vertex_particle);
    build->particle_vertex = build_array(count, sizeof *build->particle_vertex);
    int result = parent && build->vertex_particle && build->particle_vertex ? PBD_OK : PBD_OUT_OF_MEMORY;
    if (result == PBD_OK) {
        for (uint32_t v = 0; v < count; ++v)
            parent[v] = v;
        if (build->def->weld > 0.0f) result = join_near_vertices(build, parent);
    }
    if (result == PBD_OK) {
        for (uint32_t v = 0; v < count; ++v) {
            uint32_t root = find_root(parent, v); /* ≤ v: numbered before */
            if (root == v) build->particle_vertex[build->particle_count++] = v;
            build->vertex_particle[v] = root == v ? build->particle_count - 1 : build->vertex_particle[root];
        }
        build->report.vertices = count;
        build->report.particles = build->particle_count;
        build->report.welded = count - build->particle_count;
        result = check_start(build);
    }
    free(parent);
    return result;
}
