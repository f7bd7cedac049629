/* Faces to triangles: fans, without zero area where that is possible; then without
 * repeated particles and without copies of one another.
 *
 * Zero area means: no higher than what rounding of the coordinates explains, or than
 * 1e-6 of the longest side. Such a triangle has no normal, so it gives no mass and no
 * bending; it is drawn, since leaving it out could show a crack. What is left out is
 * listed, so that the mesh can be told as it came. */
#include "build/build.h"

#include <stdlib.h>
#include <string.h>
#include "build/sort.h"
#include "math/elementary.h"

enum {
    MAX_FAN_STARTS = 256, /* corners tried as the fan's centre: keeps huge polygons linear */
    MAX_BEST = 64,        /* corners up to which the best triangulation is searched, O(n³) */
};

static bool has_area(const struct mesh_build *build, uint32_t a, uint32_t b, uint32_t c) {
    const float *p = particle_rest(build, a), *q = particle_rest(build, b), *r = particle_rest(build, c);
    double e[3], f[3], g[3], squares[3] = {0.0, 0.0, 0.0};
    for (int k = 0; k < 3; ++k) {
        e[k] = (double)q[k] - (double)p[k];
        f[k] = (double)r[k] - (double)p[k];
        g[k] = (double)r[k] - (double)q[k];
        squares[0] += e[k] * e[k];
        squares[1] += f[k] * f[k];
        squares[2] += g[k] * g[k];
    }
    double x = e[1] * f[2] - e[2] * f[1], y = e[2] * f[0] - e[0] * f[2], z = e[0] * f[1] - e[1] * f[0];
    double square = squares[0] > squares[1] ? squares[0] : squares[1];
    double longest = math_sqrt(square > squares[2] ? square : squares[2]);
    double height = 4.0 * build->rounding;
    if (1e-6 * longest > height) height = 1e-6 * longest;
    return math_sqrt(x * x + y * y + z * z) > longest * height;
}

/* A polygon being cut: corners as vertices and as particles, no two neighbours alike. */
struct polygon {
    uint32_t count, face;
    uint32_t *vertices, *particles;
};

static bool corners_have_area(const struct mesh_build *build, const struct polygon *polygon, uint32_t i,
                              uint32_t j, uint32_t k) {
    const uint32_t *p = polygon->particles;
    return p[i] != p[j] && p[j] != p[k] && p[k] != p[i] && has_area(build, p[i], p[j], p[k]);
}

static void leave_out(struct mesh_build *build, uint32_t a, uint32_t b, uint32_t c) {
    uint32_t *corners = build->left_out + 3 * (size_t)build->left_out_count++;
    corners[0] = a;
    corners[1] = b;
    corners[2] = c;
}

static void add_triangle(struct mesh_build *build, const struct polygon *polygon, uint32_t i, uint32_t j,
                         uint32_t k) {
    const uint32_t corner[3] = {i, j, k};
    uint32_t t = build->triangle_count, *particles = build->triangle_particles + 3 * (size_t)t;
    for (int c = 0; c < 3; ++c) {
        particles[c] = polygon->particles[corner[c]];
        build->triangle_vertices[3 * (size_t)t + (size_t)c] = polygon->vertices[corner[c]];
    }
    bool repeats =
        particles[0] == particles[1] || particles[1] == particles[2] || particles[2] == particles[0];
    build->sound[t] = !repeats && has_area(build, particles[0], particles[1], particles[2]);
    build->triangle_face[t] = polygon->face;
    if (!build->sound[t]) ++build->report.degenerate;
    if (repeats) {
        const uint32_t *vertices = build->triangle_vertices + 3 * (size_t)t;
        leave_out(build, vertices[0], vertices[1], vertices[2]);
    } else {
        ++build->triangle_count;
    }
}

static bool fan_has_area(const struct mesh_build *build, const struct polygon *polygon, uint32_t start) {
    uint32_t n = polygon->count;
    for (uint32_t i = 1; i + 1 < n; ++i)
        if (!corners_have_area(build, polygon, start, (start + i) % n, (start + i + 1) % n)) return false;
    return true;
}

/* Of all triangulations one with the fewest zero-area triangles: least[i][j] for the
 * polygon i…j, from small to large; then cut at the remembered corners. */
static void add_best_triangulation(struct mesh_build *build, const struct polygon *polygon) {
    unsigned char least[MAX_BEST][MAX_BEST], cut[MAX_BEST][MAX_BEST];
    uint32_t n = polygon->count;
    memset(least, 0, sizeof least);
    for (uint32_t span = 2; span < n; ++span) {
        for (uint32_t i = 0; i + span < n; ++i) {
            uint32_t j = i + span, best = UINT32_MAX;
            for (uint32_t k = i + 1; k < j; ++k) {
                uint32_t bad = (uint32_t)least[i][k] + least[k][j];
                if (bad < best && !corners_have_area(build, polygon, i, k, j)) ++bad;
                if (bad < best) {
                    best = bad;
                    cut[i][j] = (unsigned char)k;
                }
            }
            least[i][j] = (unsigned char)best;
        }
    }
    struct {
        uint32_t i, j;
    } stack[MAX_BEST];
    size_t depth = 0;
    stack[depth].i = 0;
    stack[depth++].j = n - 1;
    while (depth > 0) {
        uint32_t i = stack[--depth].i, j = stack[depth].j;
        if (j < i + 2) continue;
        uint32_t k = cut[i][j];
        add_triangle(build, polygon, i, k, j);
        stack[depth].i = k;
        stack[depth++].j = j;
        stack[depth].i = i;
        stack[depth++].j = k;
    }
}

static void add_polygon(struct mesh_build *build, const struct polygon *polygon) {
    uint32_t n = polygon->count, start = 0;
    uint32_t starts = n == 3 ? 1 : math_minu(n, MAX_FAN_STARTS);
    if (n > 3) {
        while (start < starts && !fan_has_area(build, polygon, start))
            ++start;
        if (start == starts && n <= MAX_BEST) {
            add_best_triangulation(build, polygon);
            return;
        }
    }
    start %= starts;
    for (uint32_t i = 1; i + 1 < n; ++i)
        add_triangle(build, polygon, start, (start + i) % n, (start + i + 1) % n);
}

/* The face's corners without neighbours that are one particle: each left out is one
 * triangle that would repeat it. */
static void collapse(struct mesh_build *build, struct polygon *polygon, const uint32_t *corners,
                     uint32_t size) {
    uint32_t n = 0;
    for (uint32_t k = 0; k < size; ++k) {
        uint32_t particle = build->vertex_particle[corners[k]];
        if (n > 0 && polygon->particles[n - 1] == particle) continue;
        polygon->vertices[n] = corners[k];
        polygon->particles[n++] = particle;
    }
    while (n > 1 && polygon->particles[n - 1] == polygon->particles[0])
        --n;
    polygon->count = n;
    uint32_t lost = math_minu(size - n, size - 2);
    build->report.degenerate += lost;
    for (uint32_t k = 0; k < lost; ++k)
        leave_out(build, corners[k], corners[k + 1], size == 3 ? corners[2] : corners[k]);
}

/* Drops triangles of the same three particles but the first, whatever their winding. */
static int drop_duplicates(struct mesh_build *build) {
    uint32_t count = build->triangle_count, kept = 0;
    uint64_t *keys = malloc((count + 1) * sizeof *keys);
    uint32_t *order = malloc((count + 1) * sizeof *order);
    unsigned char *drop = build_array(count, 1);
    int result = keys && order && drop ? PBD_OK : PBD_OUT_OF_MEMORY;
    for (int pass = 0; pass < 2 && result == PBD_OK; ++pass) {
        for (uint32_t i = 0; i < count; ++i) {
            if (pass == 0) order[i] = i;
            const uint32_t *p = build->triangle_particles + 3 * (size_t)order[i];
            uint32_t low = math_minu(p[0], math_minu(p[1], p[2])),
                     high = math_maxu(p[0], math_maxu(p[1], p[2]));
            uint32_t middle = p[0] ^ p[1] ^ p[2] ^ low ^ high;
            keys[i] = pass == 0 ? (uint64_t)high : (uint64_t)low << 32 | middle;
        }
        result = sort_by_key(keys, order, count);
    }
    if (result == PBD_OK) {
        for (uint32_t i = 1; i < count; ++i) {
            const uint32_t *p = build->triangle_particles + 3 * (size_t)order[i - 1];
            const uint32_t *q = build->triangle_particles + 3 * (size_t)order[i];
            uint32_t high = math_maxu(p[0], math_maxu(p[1], p[2]));
            drop[order[i]] = keys[i] == keys[i - 1] && high == math_maxu(q[0], math_maxu(q[1], q[2]));
        }
        for (uint32_t t = 0; t < count; ++t) {
            if (drop[t]) {
                const uint32_t *vertices = build->triangle_vertices + 3 * (size_t)t;
                leave_out(build, vertices[0], vertices[1], vertices[2]);
                continue;
            }
            for (size_t k = 0; k < 3; ++k) {
                build->triangle_vertices[3 * (size_t)kept + k] = build->triangle_vertices[3 * (size_t)t + k];
                build->triangle_particles[3 * (size_t)kept + k] =
                    build->triangle_particles[3 * (size_t)t + k];
            }
            build->triangle_face[kept] = build->triangle_face[t];
            build->sound[kept++] = build->sound[t];
        }
        build->report.duplicate = count - kept;
        build->report.triangles = build->triangle_count = kept;
    }
    free(keys);
    free(order);
    free(drop);
    return result;
}

int triangulate_faces(struct mesh_build *build) {
    const struct pbd_mesh_def *def = build->def;
    uint32_t largest = 3;
    for (uint32_t f = 0; def->face_sizes && f < def->face_count; ++f)
        largest = math_maxu(largest, def->face_sizes[f]);
    size_t most = (size_t)(build->corner_count - 2 * (uint64_t)def->face_count);
    build->triangle_vertices = build_array(3 * most, sizeof(uint32_t));
    build->triangle_particles = build_array(3 * most + 3, sizeof(uint32_t));
    build->triangle_face = build_array(most, sizeof(uint32_t));
    build->sound = build_array(most, 1);
    build->left_out = build_array(3 * most, sizeof(uint32_t));
    struct polygon polygon = {.vertices = malloc(largest * sizeof(uint32_t)),
                              .particles = malloc(largest * sizeof(uint32_t))};
    int result = PBD_OUT_OF_MEMORY;
    if (build->triangle_vertices && build->triangle_particles && build->triangle_face && build->sound &&
        build->left_out && polygon.vertices && polygon.particles) {
        const uint32_t *corners = def->face_vertices;
        for (uint32_t f = 0; f < def->face_count; ++f) {
            uint32_t size = def->face_sizes ? def->face_sizes[f] : 3;
            polygon.face = f;
            collapse(build, &polygon, corners, size);
            if (polygon.count >= 3) add_polygon(build, &polygon);
            corners += size;
        }
        result = drop_duplicates(build);
    }
    free(polygon.vertices);
    free(polygon.particles);
    return result;
}
