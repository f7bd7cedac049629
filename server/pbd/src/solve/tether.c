/* Who is tethered to whom, and how long. */
#include "solve/tether.h"

#include "build/geodesic.h"
#include "solve/kernels.h"

#include <stdlib.h>

/* Distances round to float32 and sum up in it: a sheet laid flat must not feel its tethers. */
#define SLACK (1.0 + 0x1p-20)

/* Tethers of which a particle has at most one. */
struct layer {
    uint32_t *anchors; /* per particle, padded; any where there is no tether */
    float *length;     /* m; infinity where there is none */
    uint32_t anchor;   /* where it is the same for all */
    bool single;
};

struct tethers {
    struct geodesic geodesic;
    struct layer layers[TETHER_GROUPS];
    uint32_t layer_count;
    uint32_t count;  /* of tethers */
    uint32_t *held;  /* scratch: particles with mass that have w = 0, group by group */
    uint32_t *group; /* scratch: per group its first in held, and one more */
    uint32_t *order; /* scratch: of groups */
    double *limit;   /* scratch, per particle, m */
    unsigned char *is_held;
    float *block;  /* behind length */
    bool measured; /* for the versions below */
    uint32_t pins_version, attachments_version;
};

void tether_destroy(struct pbd_cloth *cloth) {
    struct tethers *tethers = cloth->tethers;
    if (tethers == NULL) return;
    geodesic_destroy(&tethers->geodesic);
    for (uint32_t k = 0; k < TETHER_GROUPS; ++k)
        free(tethers->layers[k].anchors);
    free(tethers->held);
    free(tethers->group);
    free(tethers->order);
    free(tethers->limit);
    free(tethers->is_held);
    free(tethers->block);
    free(tethers);
    cloth->tethers = NULL;
}

static int create(struct pbd_cloth *cloth) {
    const pbd_fabric *fabric = cloth->fabric;
    size_t n = (size_t)fabric->particle_count + 1, padded = fabric->padded_count;
    struct tethers *made = calloc(1, sizeof *made);
    if (made == NULL) return PBD_OUT_OF_MEMORY;
    cloth->tethers = made;
    made->held = malloc(n * sizeof *made->held);
    made->group = malloc((n + 1) * sizeof *made->group);
    made->order = malloc(n * sizeof *made->order);
    made->limit = malloc(n * sizeof *made->limit);
    made->is_held = malloc(n);
    made->block = aligned_floats(TETHER_GROUPS * padded);
    bool allocated = made->held != NULL && made->group != NULL && made->order != NULL &&
                     made->limit != NULL && made->is_held != NULL && made->block != NULL;
    for (uint32_t k = 0; k < TETHER_GROUPS && allocated; ++k) {
        made->layers[k].length = made->block + k * padded;
        made->layers[k].anchors = calloc(padded + 1, sizeof(uint32_t));
        allocated = made->layers[k].anchors != NULL;
    }
    if (allocated && geodesic_create(fabric, &made->geodesic) == PBD_OK) return PBD_OK;
    tether_destroy(cloth);
    return PBD_OUT_OF_MEMORY;
}

int tether_prepare(struct pbd_cloth *cloth, const struct pbd_cloth_settings *settings) {
    return !settings->tethers || cloth->tethers != NULL ? PBD_OK : create(cloth);
}

static bool acts(const pbd_world *world, const struct pbd_cloth *cloth) {
    return cloth->settings.tethers && cloth->tethers != NULL &&
           world->settings.solver.method != PBD_METHOD_JACOBI;
}

uint32_t tether_count(const pbd_world *world, const struct pbd_cloth *cloth) {
    return acts(world, cloth) ? cloth->tethers->count : 0;
}

/* ---- whom to hold on to ---- */

/* Held particles that ways join, group by group in the order of their lowest. Returns the
 * number of groups. */
static uint32_t find_groups(const struct pbd_cloth *cloth) {
    struct tethers *tethers = cloth->tethers;
    const struct geodesic *g = &tethers->geodesic;
    const float *inverse_mass = cloth->fabric->inverse_mass;
    for (uint32_t p = 0; p < g->particle_count; ++p)
        tethers->is_held[p] = !(cloth->state.w[p] > 0.0f) && inverse_mass[p] > 0.0f;
    uint32_t group_count = 0, end = 0;
    for (uint32_t first = 0; first < g->particle_count; ++first) {
        if (!tethers->is_held[first]) continue;
        tethers->group[group_count++] = end;
        tethers->held[end++] = first;
        tethers->is_held[first] = 0;
        for (uint32_t next = tethers->group[group_count - 1]; next < end; ++next) {
            uint32_t p = tethers->held[next];
            for (uint32_t w = g->first[p]; w < g->first[p + 1]; ++w) {
                uint32_t to = g->ways[w].to;
                if (!tethers->is_held[to]) continue;
                tethers->is_held[to] = 0;
                tethers->held[end++] = to;
            }
        }
    }
    tethers->group[group_count] = end;
    return group_count;
}

static uint32_t reversed_bits(uint32_t value) {
    uint32_t reversed = 0;
    for (int bit = 0; bit < 32; ++bit)
        reversed |= (value >> bit & 1u) << (31 - bit);
    return reversed;
}

/* The k-th group to search from, of count: far from those before it, as far as numbers tell.
 * Later searches then end early, where earlier groups are nearer. */
static void order_groups(struct tethers *tethers, uint32_t count) {
    uint32_t bits = 0, taken = 0;
    while (bits < 31 && 1u << bits < count)
        ++bits;
    for (uint32_t k = 0; k < 1u << bits; ++k) {
        uint32_t group = bits > 0 ? reversed_bits(k) >> (32 - bits) : 0;
        if (group < count) tethers->order[taken++] = group;
    }
}

/* A tether of p into the layers, which are in the order of length; the longest falls out. */
static void insert(struct tethers *tethers, uint32_t p, uint32_t anchor, double distance) {
    float length = (float)(distance * SLACK);
    for (uint32_t k = 0; k < tethers->layer_count; ++k) {
        struct layer *layer = &tethers->layers[k];
        if (!(length < layer->length[p])) continue;
        uint32_t later_anchor = layer->anchors[p];
        float later = layer->length[p];
        layer->anchors[p] = anchor;
        layer->length[p] = length;
        anchor = later_anchor;
        length = later;
    }
}

static void search_from(struct tethers *tethers, uint32_t group, const double *limit) {
    uint32_t first = tethers->group[group];
    geodesic_search(&tethers->geodesic, tethers->held + first, tethers->group[group + 1] - first, limit);
}

/* A layer for each group. */
static void tether_to_each(struct pbd_cloth *cloth, uint32_t groups) {
    struct tethers *tethers = cloth->tethers;
    const struct geodesic *g = &tethers->geodesic;
    for (uint32_t k = 0; k < groups; ++k) {
        struct layer *layer = &tethers->layers[k];
        search_from(tethers, k, NULL);
        layer->single = tethers->group[k + 1] - tethers->group[k] == 1;
        layer->anchor = tethers->held[tethers->group[k]];
        for (uint32_t i = 0; i < g->found_count; ++i) {
            uint32_t p = g->found[i];
            if (!(cloth->state.w[p] > 0.0f)) continue;
            layer->anchors[p] = g->nearest[p];
            layer->length[p] = (float)(g->distance[p] * SLACK);
        }
    }
}

/* Two layers: the nearest group, and the next. */
static void tether_to_nearest(struct pbd_cloth *cloth, uint32_t groups) {
    struct tethers *tethers = cloth->tethers;
    const struct geodesic *g = &tethers->geodesic;
    for (uint32_t p = 0; p < g->particle_count; ++p)
        tethers->limit[p] = HUGE_VAL;
    order_groups(tethers, groups);
    for (uint32_t k = 0; k < groups; ++k) {
        search_from(tethers, tethers->order[k], tethers->limit);
        for (uint32_t i = 0; i < g->found_count; ++i) {
            uint32_t p = g->found[i];
            if (!(cloth->state.w[p] > 0.0f)) continue;
            insert(tethers, p, g->nearest[p], g->distance[p]);
            /* Whoever comes over p farther than this has two nearer groups from there on. */
            tethers->limit[p] = (double)tethers->layers[1].length[p];
        }
    }
}

static void measure(struct pbd_cloth *cloth) {
    struct tethers *tethers = cloth->tethers;
    uint32_t n = cloth->fabric->padded_count, groups = find_groups(cloth);
    tethers->layer_count = groups <= TETHER_GROUPS ? groups : 2;
    for (uint32_t k = 0; k < tethers->layer_count; ++k) {
        struct layer *layer = &tethers->layers[k];
        layer->single = false;
        for (uint32_t p = 0; p < n; ++p) {
            layer->anchors[p] = 0;
            layer->length[p] = INFINITY;
        }
    }
    if (groups <= TETHER_GROUPS)
        tether_to_each(cloth, groups);
    else
        tether_to_nearest(cloth, groups);
    tethers->count = 0;
    for (uint32_t k = 0; k < tethers->layer_count; ++k)
        for (uint32_t p = 0; p < n; ++p)
            tethers->count += tethers->layers[k].length[p] < INFINITY;
}

/* ---- through a tick ---- */

void tether_begin_tick(const pbd_world *world, struct pbd_cloth *cloth) {
    if (!acts(world, cloth)) return;
    struct tethers *tethers = cloth->tethers;
    if (tethers->measured && tethers->pins_version == cloth->pins_version &&
        tethers->attachments_version == cloth->attachments_version)
        return;
    measure(cloth);
    tethers->measured = true;
    tethers->pins_version = cloth->pins_version;
    tethers->attachments_version = cloth->attachments_version;
}

void tether_project(const pbd_world *world, struct pbd_cloth *cloth) {
    if (tether_count(world, cloth) == 0) return;
    const struct cloth_state *s = &cloth->state;
    const struct cloth_scratch *t = &cloth->scratch;
    struct tether_pass pass = {.x = {s->x, s->y, s->z}, .u = {t->ux, t->uy, t->uz}};
    for (uint32_t k = 0; k < cloth->tethers->layer_count; ++k) {
        const struct layer *layer = &cloth->tethers->layers[k];
        pass.anchors = layer->single ? NULL : layer->anchors;
        pass.anchor = layer->anchor;
        pass.length = layer->length;
        world->kernels->tether_project(&pass, cloth->fabric->padded_count);
    }
}
