/* One winding per component: a flood over shared edges turns triangles until
 * neighbours run along their edge in opposite directions; what most of the component's
 * triangles had wins. A component that cannot (a Möbius strip) is left as given. */
#include "build/build.h"

#include <stdlib.h>

enum { UNSEEN, KEPT, TURNED };

struct flood {
    uint32_t *neighbour; /* per corner: the corner on the edge's other side, or NO_CORNER */
    uint32_t *queue;     /* triangles of the component */
    unsigned char *turn;
};

static void find_neighbours(const struct mesh_build *build, uint32_t *neighbour) {
    for (size_t c = 0; c < 3 * (size_t)build->triangle_count; ++c)
        neighbour[c] = NO_CORNER;
    for (uint32_t e = 0; e < build->edge_count; ++e) {
        uint32_t first = build->edge_use[e], triangles = 0;
        while (first + triangles < build->edge_use[e + 1] && build->use[first + triangles] != NO_CORNER)
            ++triangles;
        if (triangles != 2) continue;
        uint32_t a = build->use[first], b = build->use[first + 1];
        neighbour[a] = b;
        neighbour[b] = a;
    }
}

static void turn_triangle(struct mesh_build *build, uint32_t t) {
    uint32_t *arrays[2] = {build->triangle_vertices + 3 * (size_t)t,
                           build->triangle_particles + 3 * (size_t)t};
    for (int i = 0; i < 2; ++i) {
        uint32_t corner = arrays[i][1];
        arrays[i][1] = arrays[i][2];
        arrays[i][2] = corner;
    }
    build->turned[t] = 1;
}

/* Floods the component of a triangle. Returns its size; *orientable becomes false when two ways disagree. */
static uint32_t flood_from(const struct mesh_build *build, struct flood *flood, uint32_t start,
                           bool *orientable) {
    uint32_t count = 0;
    flood->queue[count++] = start;
    flood->turn[start] = KEPT;
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t t = flood->queue[i];
        for (uint32_t c = 3 * t; c < 3 * t + 3; ++c) {
            uint32_t other = flood->neighbour[c];
            if (other == NO_CORNER) continue;
            /* Both start their edge at the same particle: they run the same way. */
            bool same = build->triangle_particles[c] == build->triangle_particles[other];
            unsigned char wanted = (flood->turn[t] == TURNED) != same ? TURNED : KEPT;
            if (flood->turn[other / 3] == UNSEEN) {
                flood->turn[other / 3] = wanted;
                flood->queue[count++] = other / 3;
            } else if (flood->turn[other / 3] != wanted) {
                *orientable = false;
            }
        }
    }
    return count;
}

static void orient_all(struct mesh_build *build, struct flood *flood) {
    build->report.orientable = true;
    for (uint32_t start = 0; start < build->triangle_count; ++start) {
        if (!build->sound[start] || flood->turn[start] != UNSEEN) continue;
        bool orientable = true;
        uint32_t count = flood_from(build, flood, start, &orientable), turned = 0;
        for (uint32_t i = 0; i < count; ++i)
            turned += flood->turn[flood->queue[i]] == TURNED;
        unsigned char minority = turned > count - turned ? KEPT : TURNED;
        if (!orientable) {
            build->report.orientable = false;
            continue;
        }
        for (uint32_t i = 0; i < count; ++i) {
            if (flood->turn[flood->queue[i]] != minority) continue;
            turn_triangle(build, flood->queue[i]);
            ++build->report.flipped;
        }
    }
}

int make_winding_consistent(struct mesh_build *build) {
    size_t count = build->triangle_count;
    struct flood flood = {.neighbour = build_array(3 * count, sizeof(uint32_t)),
                          .queue = build_array(count, sizeof(uint32_t)),
                          .turn = build_array(count, 1)};
    build->turned = build_array(count, 1);
    int result = flood.neighbour && flood.queue && flood.turn && build->turned ? PBD_OK : PBD_OUT_OF_MEMORY;
    if (result == PBD_OK) {
        find_neighbours(build, flood.neighbour);
        orient_all(build, &flood);
    }
    free(flood.neighbour);
    free(flood.queue);
    free(flood.turn);
    return result;
}
