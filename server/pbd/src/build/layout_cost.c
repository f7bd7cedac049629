/* Counts the runs a layout would have. With M planes the constraint after (p, q) in a
 * run is (p+M, q+M); a chain of those is cut where two of its streams lie in the same
 * plane and would overlap. A few thousand particles tell as much as all of them. */
#include "build/layout_cost.h"

#include <stdlib.h>
#include <string.h>
#include "build/sort.h"
#include "math/elementary.h"

static const uint32_t NONE = UINT32_MAX;
enum { SAMPLE = 16384 };
/* In units of one 8-wide step: starting a run, and a constraint read through indices. */
static const double RUN_COST = 1.0, SINGLE_COST = 0.7;

static bool allocate(struct layout_sample *sample, uint32_t edge_count) {
    sample->first = build_array((size_t)sample->particle_count + 1, sizeof(uint32_t));
    sample->high = build_array(edge_count, sizeof(uint32_t));
    sample->low = build_array(edge_count, sizeof(uint32_t));
    sample->wing[0] = build_array(edge_count, sizeof(uint32_t));
    sample->wing[1] = build_array(edge_count, sizeof(uint32_t));
    sample->length = build_array(edge_count, sizeof(uint32_t));
    sample->ended = build_array(edge_count, 1);
    return sample->first && sample->high && sample->low && sample->wing[0] && sample->wing[1] &&
           sample->length && sample->ended;
}

void layout_sample_destroy(struct layout_sample *sample) {
    free(sample->first);
    free(sample->high);
    free(sample->low);
    free(sample->wing[0]);
    free(sample->wing[1]);
    free(sample->length);
    free(sample->ended);
}

/* Edges whose lower particle is in the sample, sorted by (low, high), with their hinges. */
static int fill(const struct mesh_build *build, const uint32_t *base, struct layout_sample *sample) {
    uint64_t *keys = malloc(((size_t)build->edge_count + 1) * sizeof *keys);
    uint32_t *edges = malloc(((size_t)build->edge_count + 1) * sizeof *edges);
    uint32_t *hinge = malloc(((size_t)build->edge_count + 1) * sizeof *hinge);
    uint32_t count = 0;
    int result = keys && edges && hinge ? PBD_OK : PBD_OUT_OF_MEMORY;
    if (result == PBD_OK) {
        for (uint32_t e = 0; e < build->edge_count; ++e) {
            uint32_t a = base[build->edge_a[e]], b = base[build->edge_b[e]], low = math_minu(a, b);
            hinge[e] = NONE;
            if (low >= sample->particle_count) continue;
            keys[count] = (uint64_t)low << 32 | math_maxu(a, b);
            edges[count++] = e;
        }
        for (uint32_t i = 0; i < build->hinge_count; ++i)
            hinge[build->hinge_edge[i]] = i;
        result = sort_by_key(keys, edges, count);
    }
    if (result == PBD_OK && !allocate(sample, count)) result = PBD_OUT_OF_MEMORY;
    if (result == PBD_OK) {
        sample->edge_count = count;
        for (uint32_t i = 0; i < count; ++i) {
            sample->low[i] = (uint32_t)(keys[i] >> 32);
            sample->high[i] = (uint32_t)keys[i];
            ++sample->first[sample->low[i] + 1];
            uint32_t h = hinge[edges[i]];
            uint32_t c = h == NONE ? NONE : base[build->wing[0][h]],
                     d = h == NONE ? NONE : base[build->wing[1][h]];
            sample->wing[0][i] = math_minu(c, d);
            sample->wing[1][i] = math_maxu(c, d);
        }
        for (uint32_t p = 0; p < sample->particle_count; ++p)
            sample->first[p + 1] += sample->first[p];
    }
    free(keys);
    free(edges);
    free(hinge);
    return result;
}

int layout_sample_create(const struct mesh_build *build, const uint32_t *base, struct layout_sample *sample) {
    memset(sample, 0, sizeof *sample);
    sample->particle_count = math_minu(build->particle_count, SAMPLE);
    int result = fill(build, base, sample);
    if (result != PBD_OK) layout_sample_destroy(sample);
    return result;
}

/* The edge (low, high), or NONE. */
static uint32_t find_edge(const struct layout_sample *sample, uint32_t low, uint32_t high) {
    uint32_t begin = sample->first[low], end = sample->first[low + 1];
    while (begin < end) {
        uint32_t middle = begin + (end - begin) / 2;
        if (sample->high[middle] < high)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin < sample->first[low + 1] && sample->high[begin] == high ? begin : NONE;
}

/* How many constraints a run may have before two of its streams meet. */
static uint32_t reach(const uint32_t *p, int arity, uint32_t planes) {
    uint32_t least = UINT32_MAX;
    for (int i = 0; i < arity; ++i)
        for (int j = 0; j < i; ++j) {
            uint32_t distance = p[i] > p[j] ? p[i] - p[j] : p[j] - p[i];
            if (distance % planes == 0) least = math_minu(least, distance / planes);
        }
    return least;
}

static double chain_cost(uint32_t length, uint32_t longest, uint32_t *in_runs) {
    uint32_t pieces = longest >= length ? 1 : (length + longest - 1) / longest, size = length / pieces;
    if (size < FABRIC_MIN_RUN) return length * SINGLE_COST;
    *in_runs += length;
    return pieces * (RUN_COST + (size + 7) / 8);
}

struct layout_cost layout_cost_of(struct layout_sample *sample, uint32_t planes) {
    struct layout_cost total = {0};
    uint32_t in_runs = 0, hinges_in_runs = 0;
    for (int arity = 2; arity <= 4; arity += 2) {
        memset(sample->ended, 1, sample->edge_count);
        for (uint32_t e = 0; e < sample->edge_count; ++e) {
            sample->length[e] = arity == 2 || sample->wing[0][e] != NONE;
            if (sample->length[e] == 0) sample->ended[e] = 0;
            if (sample->length[e] == 0 || sample->low[e] < planes) continue;
            uint32_t before = find_edge(sample, sample->low[e] - planes, sample->high[e] - planes);
            if (before == NONE) continue;
            if (arity == 4 && (sample->wing[0][before] + planes != sample->wing[0][e] ||
                               sample->wing[1][before] + planes != sample->wing[1][e]))
                continue;
            sample->length[e] += sample->length[before];
            sample->ended[before] = 0;
        }
        for (uint32_t e = 0; e < sample->edge_count; ++e) {
            if (!sample->ended[e]) continue;
            const uint32_t p[4] = {sample->low[e], sample->high[e], sample->wing[0][e], sample->wing[1][e]};
            total.cost += chain_cost(sample->length[e], reach(p, arity, planes),
                                     arity == 2 ? &in_runs : &hinges_in_runs);
        }
    }
    total.run_fraction = sample->edge_count ? (double)in_runs / sample->edge_count : 0.0;
    return total;
}
