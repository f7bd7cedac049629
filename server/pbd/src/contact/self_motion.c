/* How far patches moved since the last look, where they are, and how they look. */
#include <stdlib.h>
#include <string.h>

#include "contact/self_internal.h"
#include "math/elementary.h"

/* Triangles that lean less than 60° from one direction, and may turn by 0.35 rad (20°)
 * until they are looked at again, lie in one layer: what hangs together at its edges and
 * nowhere turns over does not lie on itself. */
#define FLAT_COSINE 0.5

/* ---- memory ---- */

void self_release_scratch(struct self_scratch *scratch) {
    if (scratch == NULL) return;
    patches_destroy(&scratch->patches);
    free(scratch->seen);
    free(scratch->left);
    free(scratch->now);
    free(scratch->motions);
    free(scratch->faces);
    free(scratch->normals);
    free(scratch->boxes);
    free(scratch);
}

int self_require_scratch(struct pbd_cloth *cloth) {
    if (surface_require_nodes(cloth) < 0) return PBD_OUT_OF_MEMORY;
    struct cloth_surface *surface = cloth->surface;
    if (surface->self != NULL) return PBD_OK;
    struct self_scratch *scratch = calloc(1, sizeof *scratch);
    if (scratch == NULL) return PBD_OUT_OF_MEMORY;
    int result =
        patches_create(cloth->fabric, surface->triangles, surface->triangle_count, &scratch->patches);
    size_t count = (size_t)scratch->patches.count + 1;
    scratch->seen = malloc((size_t)cloth->fabric->padded_count * sizeof *scratch->seen);
    scratch->left = malloc((size_t)cloth->fabric->padded_count * sizeof *scratch->left);
    scratch->now = malloc((size_t)cloth->fabric->padded_count * sizeof *scratch->now);
    scratch->motions = calloc(count, sizeof *scratch->motions);
    scratch->faces = calloc(count, sizeof *scratch->faces);
    scratch->normals = malloc((size_t)surface->triangle_count * sizeof *scratch->normals + 1);
    scratch->boxes = calloc(count, sizeof *scratch->boxes);
    if (result < 0 || scratch->seen == NULL || scratch->left == NULL || scratch->now == NULL ||
        scratch->motions == NULL || scratch->faces == NULL || scratch->normals == NULL ||
        scratch->boxes == NULL) {
        self_release_scratch(scratch);
        return PBD_OUT_OF_MEMORY;
    }
    surface->self = scratch;
    return PBD_OK;
}

/* ---- looks ---- */

static void gather(struct pbd_cloth *cloth, const float *ux, const float *uy, const float *uz) {
    const struct cloth_state *s = &cloth->state;
    struct surface_node *nodes = cloth->surface->nodes;
    bool moves = cloth_is_active(cloth);
    for (uint32_t i = 0; i < cloth->fabric->particle_count; ++i)
        nodes[i] = (struct surface_node){(double)s->x[i] + (double)ux[i], (double)s->y[i] + (double)uy[i],
                                         (double)s->z[i] + (double)uz[i], moves ? (double)s->w[i] : 0.0};
}

void self_look_first(struct pbd_cloth *cloth) {
    const struct cloth_state *s = &cloth->state;
    gather(cloth, s->ex, s->ey, s->ez);
    size_t bytes = cloth->fabric->particle_count * sizeof(struct surface_node);
    memcpy(cloth->surface->self->seen, cloth->surface->nodes, bytes);
    memcpy(cloth->surface->self->left, cloth->surface->nodes, bytes);
}

/* A patch's motion and its box, with where it came from. */
static void measure(const struct self_scratch *scratch, const struct surface_node *nodes, uint32_t patch,
                    struct self_motion *motion, struct grid_box *box) {
    const struct surface_node *before = scratch->seen;
    const struct patch_list *corners = &scratch->patches.corners;
    double low[6], high[6];
    for (int k = 0; k < 6; ++k) {
        low[k] = INFINITY;
        high[k] = -INFINITY;
    }
    for (uint32_t i = corners->first[patch]; i < corners->first[patch + 1]; ++i) {
        const struct surface_node *now = &nodes[corners->at[i]], *then = &before[corners->at[i]];
        const double at[6] = {now->x, now->y, now->z, now->x - then->x, now->y - then->y, now->z - then->z};
        for (int k = 0; k < 6; ++k) {
            low[k] = at[k] < low[k] ? at[k] : low[k];
            high[k] = at[k] > high[k] ? at[k] : high[k];
        }
    }
    box->id = patch;
    for (int k = 0; k < 3; ++k) {
        double back = high[3 + k] > 0.0 ? high[3 + k] : 0.0, forth = low[3 + k] < 0.0 ? low[3 + k] : 0.0;
        box->low[k] = (float)(low[k] - back);
        box->high[k] = (float)(high[k] - forth);
        motion->low[k] = (float)low[3 + k];
        motion->high[k] = (float)high[3 + k];
    }
}

void self_look_again(struct pbd_cloth *cloth) {
    struct self_scratch *scratch = cloth->surface->self;
    const struct cloth_state *s = &cloth->state;
    const struct cloth_scratch *t = &cloth->scratch;
    bool moves = cloth_is_active(cloth);
    gather(cloth, moves ? t->ux : s->ex, moves ? t->uy : s->ey, moves ? t->uz : s->ez);
    struct self_motion *whole = &scratch->whole;
    for (int k = 0; k < 3; ++k) {
        whole->low[k] = INFINITY;
        whole->high[k] = -INFINITY;
    }
    for (uint32_t p = 0; p < scratch->patches.count; ++p) {
        struct self_motion *motion = &scratch->motions[p];
        measure(scratch, cloth->surface->nodes, p, motion, &scratch->boxes[p]);
        for (int k = 0; k < 3; ++k) {
            whole->low[k] = math_minf(motion->low[k], whole->low[k]);
            whole->high[k] = math_maxf(motion->high[k], whole->high[k]);
        }
    }
    memcpy(scratch->now, cloth->surface->nodes, cloth->fabric->particle_count * sizeof(struct surface_node));
}

void self_look_away(struct pbd_cloth *cloth) {
    struct self_scratch *scratch = cloth->surface->self;
    struct surface_node *swap = scratch->seen;
    scratch->seen = scratch->now;
    scratch->now = swap;
    memcpy(scratch->left, cloth->surface->nodes, cloth->fabric->particle_count * sizeof(struct surface_node));
}

double self_distance(const struct grid_box *a, const struct grid_box *b) {
    double square = 0.0, largest = 0.0;
    for (int k = 0; k < 3; ++k) {
        double above = (double)a->low[k] - (double)b->high[k], below = (double)b->low[k] - (double)a->high[k];
        double gap = above > below ? above : below;
        if (gap > 0.0) square += gap * gap;
        largest = look_larger(largest, look_larger(-(double)a->low[k], (double)a->high[k]));
    }
    return __builtin_sqrt(square) - 0x1p-22 * largest;
}

/* Two displacements of the boxes differ by no more than the boxes span; rounding to float
 * is far below what the caller adds. */
double self_approach(const struct self_motion *a, const struct self_motion *b, bool same) {
    double square = 0.0;
    for (int k = 0; k < 3; ++k) {
        double one = (double)a->high[k] - (double)b->low[k], other = (double)b->high[k] - (double)a->low[k];
        double most = same || one > other ? one : other;
        square += most * most;
    }
    return __builtin_sqrt(square) * (1.0 + 0x1p-20);
}

/* ---- flatness ---- */

static struct vec3 corner_at(const struct surface_node *nodes, uint32_t i) {
    return vec3_make(nodes[i].x, nodes[i].y, nodes[i].z);
}

/* Whether all triangles of the patch, of which there are some, lean less than 60° from the axis. */
static bool all_along(const struct self_scratch *scratch, uint32_t patch, struct vec3 axis) {
    const struct patch_list *triangles = &scratch->patches.triangles;
    uint32_t first = triangles->first[patch], end = triangles->first[patch + 1];
    for (uint32_t i = first; i < end; ++i)
        if (!(vec3_dot(scratch->normals[i], axis) > FLAT_COSINE)) return false;
    return end > first;
}

static struct vec3 normal_of(const struct surface_node *nodes, const uint32_t *corner) {
    struct vec3 a = corner_at(nodes, corner[0]);
    return vec3_cross(vec3_sub(corner_at(nodes, corner[1]), a), vec3_sub(corner_at(nodes, corner[2]), a));
}

/* The patch as it is now; normals of unit length, or no number where there is no area. */
static const struct self_face *face_of(const struct self_contacts *self, struct pbd_cloth *cloth,
                                       uint32_t patch) {
    struct self_scratch *scratch = cloth->surface->self;
    struct self_face *face = &scratch->faces[patch];
    if (face->look == self->look) return face;
    const struct patch_list *triangles = &scratch->patches.triangles;
    *face = (struct self_face){.axis = {0.0, 0.0, 0.0}, .look = self->look};
    uint32_t first = triangles->first[patch], end = triangles->first[patch + 1];
    for (uint32_t i = first; i < end; ++i) {
        struct vec3 normal = normal_of(cloth->surface->nodes, triangles->at + 3 * (size_t)i);
        face->axis = vec3_add(face->axis, normal);
        scratch->normals[i] = vec3_scale(normal, 1.0 / vec3_length(normal));
    }
    double length = vec3_length(face->axis);
    if (!(length > 0.0)) return face;
    face->axis = vec3_scale(face->axis, 1.0 / length);
    face->even = all_along(scratch, patch, face->axis);
    return face;
}

bool self_is_flat(const struct self_contacts *self, struct pbd_cloth *cloth, uint32_t a, uint32_t b) {
    const struct self_scratch *scratch = cloth->surface->self;
    const struct cloth_patches *patches = &scratch->patches;
    int joint = a == b ? 2 : patches_joint(patches, a, b);
    if (joint == 0) return false;
    const struct self_face *one = face_of(self, cloth, a);
    if (!one->even) return false;
    if (a == b) return true;
    const struct self_face *other = face_of(self, cloth, b);
    struct vec3 axis = vec3_add(one->axis, other->axis);
    double length = vec3_length(axis);
    if (!other->even || !(length > 0.0)) return false;
    axis = vec3_scale(axis, 1.0 / length);
    if (!all_along(scratch, a, axis) || !all_along(scratch, b, axis)) return false;
    if (joint > 1) return true;
    /* Where they meet in a point, what lies between them could turn over. */
    for (uint32_t i = patches->neighbours.first[a]; i < patches->neighbours.first[a + 1]; ++i) {
        uint32_t third = patches->neighbours.at[i];
        if (third == b || patches_joint(patches, b, third) == 0) continue;
        if (!face_of(self, cloth, third)->even || !all_along(scratch, third, axis)) return false;
    }
    return true;
}
