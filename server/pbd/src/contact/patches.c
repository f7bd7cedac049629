/* Patches: the rest pose is cut into cubes a few edges wide; what hangs together within a
 * cube is a patch, in portions. */
#include "contact/patches.h"

#include <stdlib.h>
#include <string.h>

#include "build/sort.h"
#include "math/elementary.h"

/* A cube's width in mean edges: 4 × 4 cells of a grid. */
#define CUBE 3.5
#define NONE UINT32_MAX
#define ROPE_EDGES_MAX 24u

/* What is cut: triangles, or edges that belong to none; size corners each. */
struct elements {
    const uint32_t *corners;
    uint32_t count, size, most; /* most: of a patch */
    uint32_t *patch;            /* per element */
};

struct cutting {
    const pbd_fabric *fabric;
    double width;
    uint32_t *first, *around; /* per particle: its elements */
    uint32_t *queue;
    uint32_t patch_count;
};

static int64_t cube_of(const struct cutting *cutting, const struct elements *elements, uint32_t e, int axis) {
    const struct pbd_fabric_view *view = &cutting->fabric->view;
    double sum = 0.0;
    for (uint32_t k = 0; k < elements->size; ++k) {
        uint32_t p = elements->corners[elements->size * (size_t)e + k];
        sum += (double)view->rest_positions[3 * (size_t)view->particle_vertex[p] + (size_t)axis];
    }
    double at = (sum / elements->size - (double)view->rest_min[axis]) / cutting->width;
    return (int64_t)at;
}

static bool same_cube(const struct cutting *cutting, const struct elements *elements, uint32_t a,
                      uint32_t b) {
    for (int axis = 0; axis < 3; ++axis)
        if (cube_of(cutting, elements, a, axis) != cube_of(cutting, elements, b, axis)) return false;
    return true;
}

/* Fills first and around for these elements. */
static void list_around(struct cutting *cutting, const struct elements *elements) {
    uint32_t particles = cutting->fabric->particle_count;
    size_t uses = (size_t)elements->count * elements->size;
    memset(cutting->first, 0, ((size_t)particles + 1) * sizeof *cutting->first);
    for (size_t i = 0; i < uses; ++i)
        ++cutting->first[elements->corners[i] + 1];
    for (uint32_t p = 0; p < particles; ++p)
        cutting->first[p + 1] += cutting->first[p];
    for (size_t i = 0; i < uses; ++i)
        cutting->around[cutting->first[elements->corners[i]]++] = (uint32_t)(i / elements->size);
    for (uint32_t p = particles; p > 0; --p)
        cutting->first[p] = cutting->first[p - 1];
    cutting->first[0] = 0;
}

/* Gives every element a patch. */
static void cut(struct cutting *cutting, const struct elements *elements) {
    list_around(cutting, elements);
    for (uint32_t e = 0; e < elements->count; ++e)
        elements->patch[e] = NONE;
    for (uint32_t seed = 0; seed < elements->count; ++seed) {
        if (elements->patch[seed] != NONE) continue;
        uint32_t patch = cutting->patch_count++, begin = 0, end = 0;
        elements->patch[seed] = patch;
        cutting->queue[end++] = seed;
        for (; begin < end; ++begin) {
            const uint32_t *corner = elements->corners + elements->size * (size_t)cutting->queue[begin];
            for (uint32_t k = 0; k < elements->size; ++k)
                for (uint32_t i = cutting->first[corner[k]]; i < cutting->first[corner[k] + 1]; ++i) {
                    uint32_t next = cutting->around[i];
                    if (end == elements->most || elements->patch[next] != NONE ||
                        !same_cube(cutting, elements, seed, next))
                        continue;
                    elements->patch[next] = patch;
                    cutting->queue[end++] = next;
                }
        }
    }
}

/* ---- edges and their triangles ---- */

static uint64_t edge_key(uint32_t a, uint32_t b) {
    return (uint64_t)math_minu(a, b) << 32 | math_maxu(a, b);
}

static uint32_t find_edge(const uint64_t *keys, const uint32_t *edges, uint32_t count, uint64_t key) {
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (keys[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && keys[low] == key ? edges[low] : NONE;
}

/* Per edge: the first triangle that it belongs to, or NONE; per triangle: its borders.
 * PBD_OUT_OF_MEMORY. */
static int edge_triangles(const pbd_fabric *fabric, const uint32_t *triangles, uint32_t triangle_count,
                          uint32_t *of_edge, uint32_t *borders) {
    const struct stretch_set *set = &fabric->stretch;
    uint64_t *keys = malloc((size_t)set->count * sizeof *keys + 1);
    uint32_t *edges = malloc((size_t)set->count * sizeof *edges + 1);
    int result = keys != NULL && edges != NULL ? PBD_OK : PBD_OUT_OF_MEMORY;
    for (uint32_t e = 0; result == PBD_OK && e < set->count; ++e) {
        keys[e] = edge_key(set->a[e], set->b[e]);
        edges[e] = e;
        of_edge[e] = NONE;
    }
    if (result == PBD_OK) result = sort_by_key(keys, edges, set->count);
    for (uint32_t t = 0; result == PBD_OK && t < triangle_count; ++t)
        for (int k = 0; k < 3; ++k) {
            uint32_t a = triangles[3 * (size_t)t + (size_t)k],
                     b = triangles[3 * (size_t)t + (size_t)((k + 1) % 3)];
            uint32_t e = find_edge(keys, edges, set->count, edge_key(a, b));
            uint32_t bit = 1u << (k + 2) % 3;
            if (k == 0) borders[t] = 0;
            if (e == NONE) continue;
            if (of_edge[e] == NONE) {
                of_edge[e] = t;
                borders[t] |= bit;
            } else { /* a second triangle: none for the first one either */
                uint32_t first = of_edge[e];
                for (int i = 0; i < 3; ++i) {
                    uint32_t c = triangles[3 * (size_t)first + (size_t)i];
                    if (c != a && c != b) borders[first] &= ~(1u << i);
                }
            }
        }
    free(keys);
    free(edges);
    return result;
}

/* ---- lists ---- */

/* Items in order, each to its patch (NONE: to none); width numbers an item. */
static int distribute(struct patch_list *list, uint32_t patch_count, const uint32_t *patch,
                      const uint32_t *items, uint32_t count, uint32_t width) {
    list->first = calloc((size_t)patch_count + 2, sizeof *list->first);
    list->at = malloc((size_t)count * width * sizeof *list->at + 1);
    if (list->first == NULL || list->at == NULL) return PBD_OUT_OF_MEMORY;
    uint32_t *place = list->first + 1; /* shifted by one while filling */
    for (uint32_t i = 0; i < count; ++i)
        if (patch[i] != NONE) ++place[patch[i] + 1];
    for (uint32_t p = 0; p < patch_count; ++p)
        place[p + 1] += place[p];
    for (uint32_t i = 0; i < count; ++i) {
        if (patch[i] == NONE) continue;
        uint32_t to = place[patch[i]]++;
        for (uint32_t k = 0; k < width; ++k)
            list->at[(size_t)to * width + k] = items != NULL ? items[(size_t)i * width + k] : i;
    }
    return PBD_OK;
}

static int by_number(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* Per patch the distinct members of what `expand` tells, ascending. */
struct gathering {
    uint32_t *stamp; /* per member: the last patch that has it, + 1 */
    uint32_t *out, count, capacity;
};

static int gather(struct gathering *gathering, uint32_t patch, uint32_t member) {
    if (gathering->stamp[member] == patch + 1) return PBD_OK;
    gathering->stamp[member] = patch + 1;
    if (gathering->count == gathering->capacity) {
        uint32_t room = 2 * gathering->capacity + 64;
        uint32_t *longer = realloc(gathering->out, room * sizeof *longer);
        if (longer == NULL) return PBD_OUT_OF_MEMORY;
        gathering->out = longer;
        gathering->capacity = room;
    }
    gathering->out[gathering->count++] = member;
    return PBD_OK;
}

/* Sorts what a patch has gathered from `first` on. While nothing has been, there is no list. */
static uint32_t end_of_patch(struct gathering *gathering, uint32_t first) {
    uint32_t count = gathering->count - first;
    if (count > 1) qsort(gathering->out + first, count, sizeof *gathering->out, by_number);
    return gathering->count;
}

static int list_corners(struct cloth_patches *patches, uint32_t particle_count) {
    struct patch_list *corners = &patches->corners;
    corners->first = calloc((size_t)patches->count + 1, sizeof *corners->first);
    struct gathering gathering = {.stamp = calloc((size_t)particle_count + 1, sizeof(uint32_t))};
    int result = corners->first != NULL && gathering.stamp != NULL ? PBD_OK : PBD_OUT_OF_MEMORY;
    for (uint32_t p = 0; result == PBD_OK && p < patches->count; ++p) {
        const struct patch_list *lists[2] = {&patches->triangles, &patches->edges};
        for (uint32_t k = 0; k < 2; ++k) {
            uint32_t width = 3 - k;
            for (uint32_t i = lists[k]->first[p] * width; i < lists[k]->first[p + 1] * width; ++i)
                if (gather(&gathering, p, lists[k]->at[i]) < 0) result = PBD_OUT_OF_MEMORY;
        }
        corners->first[p + 1] = end_of_patch(&gathering, corners->first[p]);
    }
    free(gathering.stamp);
    corners->at = gathering.out;
    return result;
}

static int list_neighbours(struct cloth_patches *patches, uint32_t particle_count) {
    const struct patch_list *corners = &patches->corners;
    struct patch_list *neighbours = &patches->neighbours;
    uint32_t uses = corners->first[patches->count];
    uint32_t *first = calloc((size_t)particle_count + 2, sizeof *first);
    uint32_t *around = malloc((size_t)uses * sizeof *around + 1);
    struct gathering gathering = {.stamp = calloc((size_t)patches->count + 1, sizeof(uint32_t))};
    neighbours->first = calloc((size_t)patches->count + 1, sizeof *neighbours->first);
    bool there = first != NULL && around != NULL && gathering.stamp != NULL && neighbours->first != NULL;
    int result = there ? PBD_OK : PBD_OUT_OF_MEMORY;
    if (result == PBD_OK) {
        for (uint32_t i = 0; i < uses; ++i)
            ++first[corners->at[i] + 2];
        for (uint32_t v = 0; v < particle_count; ++v)
            first[v + 2] += first[v + 1];
        for (uint32_t p = 0; p < patches->count; ++p)
            for (uint32_t i = corners->first[p]; i < corners->first[p + 1]; ++i)
                around[first[corners->at[i] + 1]++] = p;
    }
    for (uint32_t p = 0; result == PBD_OK && p < patches->count; ++p) {
        gathering.stamp[p] = p + 1; /* not its own */
        for (uint32_t i = corners->first[p]; i < corners->first[p + 1]; ++i)
            for (uint32_t k = first[corners->at[i]]; k < first[corners->at[i] + 1]; ++k)
                if (gather(&gathering, p, around[k]) < 0) result = PBD_OUT_OF_MEMORY;
        neighbours->first[p + 1] = end_of_patch(&gathering, neighbours->first[p]);
    }
    free(first);
    free(around);
    free(gathering.stamp);
    neighbours->at = gathering.out;
    return result;
}

/* How many of the two ascending lists are the same. */
static uint32_t shared(const struct patch_list *list, uint32_t a, uint32_t b) {
    uint32_t i = list->first[a], k = list->first[b], count = 0;
    while (i < list->first[a + 1] && k < list->first[b + 1]) {
        uint32_t x = list->at[i], y = list->at[k];
        count += x == y;
        i += x <= y;
        k += y <= x;
    }
    return count;
}

static int find_joints(struct cloth_patches *patches) {
    const struct patch_list *neighbours = &patches->neighbours;
    patches->by_edge = malloc((size_t)neighbours->first[patches->count] * sizeof *patches->by_edge + 1);
    if (patches->by_edge == NULL) return PBD_OUT_OF_MEMORY;
    for (uint32_t p = 0; p < patches->count; ++p)
        for (uint32_t i = neighbours->first[p]; i < neighbours->first[p + 1]; ++i)
            patches->by_edge[i] = shared(&patches->corners, p, neighbours->at[i]) > 1;
    return PBD_OK;
}

static int measure_altitudes(const pbd_fabric *fabric, struct cloth_patches *patches) {
    patches->altitude = calloc((size_t)patches->count + 1, sizeof *patches->altitude);
    if (patches->altitude == NULL) return PBD_OUT_OF_MEMORY;
    for (uint32_t p = 0; p < patches->count; ++p)
        for (uint32_t t = patches->triangles.first[p]; t < patches->triangles.first[p + 1]; ++t) {
            double x[3][3], longest = 0.0;
            for (int k = 0; k < 3; ++k) {
                uint32_t v = fabric->view.particle_vertex[patches->triangles.at[3 * (size_t)t + (size_t)k]];
                for (int axis = 0; axis < 3; ++axis)
                    x[k][axis] = (double)fabric->view.rest_positions[3 * (size_t)v + (size_t)axis];
            }
            double e[2][3];
            for (int k = 0; k < 3; ++k) {
                double square = 0.0;
                for (int axis = 0; axis < 3; ++axis) {
                    double side = x[(k + 1) % 3][axis] - x[k][axis];
                    square += side * side;
                    if (k < 2) e[k][axis] = side;
                }
                longest = square > longest ? square : longest;
            }
            double n[3] = {e[0][1] * e[1][2] - e[0][2] * e[1][1], e[0][2] * e[1][0] - e[0][0] * e[1][2],
                           e[0][0] * e[1][1] - e[0][1] * e[1][0]};
            double altitude = math_sqrt((n[0] * n[0] + n[1] * n[1] + n[2] * n[2]) / longest);
            bool first = t == patches->triangles.first[p];
            if (first || altitude < (double)patches->altitude[p]) patches->altitude[p] = (float)altitude;
        }
    return PBD_OK;
}

/* ---- all together ---- */

struct work {
    uint32_t *of_edge, *triangle_patch, *edge_patch, *vertex_patch;
    uint32_t *lone, *lone_ends, *lone_patch, *ends, *borders, lone_count;
};

static void assign_owners(const pbd_fabric *fabric, const uint32_t *triangles, uint32_t triangle_count,
                          struct work *work) {
    const struct stretch_set *set = &fabric->stretch;
    for (uint32_t v = 0; v < fabric->particle_count; ++v)
        work->vertex_patch[v] = NONE;
    for (uint32_t e = 0; e < set->count; ++e)
        work->edge_patch[e] = work->of_edge[e] != NONE ? work->triangle_patch[work->of_edge[e]] : NONE;
    for (uint32_t i = 0; i < work->lone_count; ++i)
        work->edge_patch[work->lone[i]] = work->lone_patch[i];
    for (size_t i = 0; i < 3 * (size_t)triangle_count; ++i)
        if (work->vertex_patch[triangles[i]] == NONE)
            work->vertex_patch[triangles[i]] = work->triangle_patch[i / 3];
    for (size_t i = 0; i < 2 * (size_t)work->lone_count; ++i)
        if (work->vertex_patch[work->lone_ends[i]] == NONE)
            work->vertex_patch[work->lone_ends[i]] = work->lone_patch[i / 2];
}

static void free_list(struct patch_list *list) {
    free(list->first);
    free(list->at);
}

/* In the order of the patches' triangles. */
static int list_borders(struct cloth_patches *patches, const struct work *work, uint32_t triangle_count) {
    struct patch_list list = {NULL, NULL};
    patches->borders = malloc((size_t)triangle_count + 1);
    int result = patches->borders != NULL ? PBD_OK : PBD_OUT_OF_MEMORY;
    if (result == PBD_OK)
        result = distribute(&list, patches->count, work->triangle_patch, work->borders, triangle_count, 1);
    for (uint32_t t = 0; result == PBD_OK && t < triangle_count; ++t)
        patches->borders[t] = (unsigned char)list.at[t];
    free_list(&list);
    return result;
}

static int fill(const pbd_fabric *fabric, const uint32_t *triangles, uint32_t triangle_count,
                struct work *work, struct cutting *cutting, struct cloth_patches *patches) {
    const struct stretch_set *set = &fabric->stretch;
    if (edge_triangles(fabric, triangles, triangle_count, work->of_edge, work->borders) < 0)
        return PBD_OUT_OF_MEMORY;
    for (uint32_t e = 0; e < set->count; ++e) {
        work->ends[2 * (size_t)e] = set->a[e];
        work->ends[2 * (size_t)e + 1] = set->b[e];
        if (work->of_edge[e] != NONE) continue;
        work->lone_ends[2 * (size_t)work->lone_count] = set->a[e];
        work->lone_ends[2 * (size_t)work->lone_count + 1] = set->b[e];
        work->lone[work->lone_count++] = e;
    }
    struct elements faces = {triangles, triangle_count, 3, PATCH_TRIANGLES_MAX, work->triangle_patch};
    struct elements ropes = {work->lone_ends, work->lone_count, 2, ROPE_EDGES_MAX, work->lone_patch};
    cut(cutting, &faces);
    cut(cutting, &ropes);
    patches->count = cutting->patch_count;
    assign_owners(fabric, triangles, triangle_count, work);
    if (distribute(&patches->triangles, patches->count, work->triangle_patch, triangles, triangle_count, 3) <
            0 ||
        distribute(&patches->edges, patches->count, work->edge_patch, work->ends, set->count, 2) < 0 ||
        distribute(&patches->vertices, patches->count, work->vertex_patch, NULL, fabric->particle_count, 1) <
            0 ||
        list_corners(patches, fabric->particle_count) < 0 ||
        list_neighbours(patches, fabric->particle_count) < 0 || find_joints(patches) < 0)
        return PBD_OUT_OF_MEMORY;
    if (list_borders(patches, work, triangle_count) < 0) return PBD_OUT_OF_MEMORY;
    return measure_altitudes(fabric, patches);
}

int patches_create(const pbd_fabric *fabric, const uint32_t *triangles, uint32_t triangle_count,
                   struct cloth_patches *patches) {
    size_t edges = fabric->stretch.count, particles = fabric->particle_count;
    size_t most = triangle_count > edges ? triangle_count : edges;
    size_t uses = 3 * (size_t)triangle_count > 2 * edges ? 3 * (size_t)triangle_count : 2 * edges;
    double mean = (double)fabric->mean_edge;
    struct cutting cutting = {.fabric = fabric, .width = mean > 0.0 ? CUBE * mean : 1.0};
    struct work work = {0};
    *patches = (struct cloth_patches){0};
    uint32_t **arrays[] = {&work.of_edge,   &work.edge_patch,   &work.lone,     &work.lone_patch,
                           &work.lone_ends, &work.ends,         &cutting.queue, &work.triangle_patch,
                           &work.borders,   &work.vertex_patch, &cutting.first, &cutting.around};
    const size_t sizes[] = {edges, edges,          edges,          edges,     2 * edges,     2 * edges,
                            most,  triangle_count, triangle_count, particles, particles + 1, uses};
    bool there = true;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
        *arrays[i] = malloc((sizes[i] + 1) * sizeof(uint32_t));
        there = there && *arrays[i] != NULL;
    }
    int result = PBD_OUT_OF_MEMORY;
    if (there) result = fill(fabric, triangles, triangle_count, &work, &cutting, patches);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i)
        free(*arrays[i]);
    if (result < 0) patches_destroy(patches);
    return result;
}

void patches_destroy(struct cloth_patches *patches) {
    free_list(&patches->corners);
    free_list(&patches->vertices);
    free_list(&patches->edges);
    free_list(&patches->triangles);
    free_list(&patches->neighbours);
    free(patches->borders);
    free(patches->by_edge);
    free(patches->altitude);
    *patches = (struct cloth_patches){0};
}

int patches_joint(const struct cloth_patches *patches, uint32_t a, uint32_t b) {
    for (uint32_t i = patches->neighbours.first[a]; i < patches->neighbours.first[a + 1]; ++i)
        if (patches->neighbours.at[i] == b) return patches->by_edge[i] ? 2 : 1;
    return 0;
}
