/* A sheet and one collider, and how deep the one is in the other: at the vertices, and on
 * triangles and edges between them. */
#ifndef CLOTHD_TESTS_FEATURE_SCENE_H
#define CLOTHD_TESTS_FEATURE_SCENE_H

#include "check.h"
#include "sheet.h"

#include "contact/collide_shape.h"

/* Sanitised builds are slow: fewer cases. */
#if defined(__SANITIZE_ADDRESS__)
#define FEW_CASES true
#else
#define FEW_CASES false
#endif

struct feature_scene {
    pbd_world *world;
    pbd_cloth_id cloth;
    pbd_collider_id collider;
    uint32_t vertex_count, triangle_count;
    uint32_t *triangles;
};

static inline void feature_scene_destroy(struct feature_scene *scene) {
    pbd_world_destroy(scene->world);
    free(scene->triangles);
}

/* An n×n sheet of size × size m at y = 0, pinned at its border or not at all. */
static inline struct feature_scene feature_scene_create(const struct pbd_world_settings *settings, uint32_t n,
                                                        double size, bool border,
                                                        const struct pbd_cloth_settings *cloth) {
    struct feature_scene scene = {.world = pbd_world_create(settings)};
    struct sheet sheet = sheet_create(n, n, size, size);
    uint32_t *pins = malloc(sizeof(uint32_t) * n * n), pin_count = 0;
    assert(pins != NULL);
    for (uint32_t j = 0; j < n && border; ++j)
        for (uint32_t i = 0; i < n; ++i)
            if (i == 0 || j == 0 || i + 1 == n || j + 1 == n) pins[pin_count++] = j * n + i;
    scene.cloth =
        cloth_from(scene.world, sheet_fabric(&sheet, 0.2f), sheet.positions, cloth, pins, pin_count);
    free(pins);
    free(sheet.positions);
    scene.vertex_count = sheet.vertex_count;
    scene.triangle_count = sheet.triangle_count;
    scene.triangles = sheet.triangles;
    return scene;
}

static inline void feature_scene_add(struct feature_scene *scene, struct pbd_shape shape, const float at[3],
                                     const float *rotation, float friction) {
    struct pbd_collider_def def = pbd_default_collider_def();
    def.shape = shape;
    def.friction = friction;
    for (int k = 0; k < 3; ++k)
        def.position[k] = at[k];
    for (int k = 0; k < 4 && rotation != NULL; ++k)
        def.rotation[k] = rotation[k];
    int result = pbd_collider_add(scene->world, &def, &scene->collider);
    assert(result == PBD_OK);
    (void)result;
}

struct feature_pose {
    struct exact_pose pose;
    struct collide_shape shape;
};

static inline struct feature_pose feature_scene_pose(const struct feature_scene *scene) {
    struct pbd_collider_state state = {0};
    int result = pbd_collider_get(scene->world, scene->collider, &state);
    assert(result == PBD_OK);
    (void)result;
    struct pose pose;
    for (int k = 0; k < 3; ++k)
        pose.position[k] = state.def.position[k];
    for (int k = 0; k < 4; ++k)
        pose.rotation[k] = state.def.rotation[k];
    return (struct feature_pose){pose_exact(&pose), collide_shape_from(&state.def.shape)};
}

static inline void feature_scene_move(struct feature_scene *scene, const float to[3], uint32_t over) {
    CHECK_INT(pbd_collider_move(scene->world, scene->collider, to, NULL, over, false), PBD_OK);
}

static inline struct vec3 feature_vertex(const struct feature_scene *scene, uint32_t v) {
    struct point p = vertex_position(scene->world, scene->cloth, v);
    return vec3_make(p.x, p.y, p.z);
}

static inline double feature_distance(const struct feature_pose *at, struct vec3 p) {
    struct vec3 normal;
    return collide_shape_distance(&at->shape, pose_to_local(&at->pose, p), &normal);
}

/* m, from the collider's surface: of the nearest vertex, and of the nearest of points
 * spread over every triangle. */
static inline double nearest_vertex(const struct feature_scene *scene) {
    struct feature_pose at = feature_scene_pose(scene);
    double least = INFINITY;
    for (uint32_t v = 0; v < scene->vertex_count; ++v) {
        double d = feature_distance(&at, feature_vertex(scene, v));
        least = d < least ? d : least;
    }
    return least;
}

static inline double nearest_inside(const struct feature_scene *scene) {
    enum { PARTS = 12 };
    struct feature_pose at = feature_scene_pose(scene);
    double least = INFINITY;
    for (uint32_t t = 0; t < scene->triangle_count; ++t) {
        struct vec3 p[3];
        for (int k = 0; k < 3; ++k)
            p[k] = feature_vertex(scene, scene->triangles[3 * t + (uint32_t)k]);
        struct vec3 u = vec3_sub(p[1], p[0]), v = vec3_sub(p[2], p[0]);
        /* Too far for any of its points. */
        double size = vec3_length(u) + vec3_length(v);
        if (feature_distance(&at, p[0]) > size) continue;
        for (int i = 0; i <= PARTS; ++i)
            for (int j = 0; i + j <= PARTS; ++j) {
                struct vec3 q =
                    vec3_add_scaled(vec3_add_scaled(p[0], u, (double)i / PARTS), v, (double)j / PARTS);
                double d = feature_distance(&at, q);
                least = d < least ? d : least;
            }
    }
    return least;
}

/* The solid angle under which the sheet is seen from a point, over 4π, > 0 from the side its
 * normals lead away from (Van Oosterom and Strackee 1983). It jumps by one where the point
 * passes through the sheet. */
static inline double seen_from(const struct feature_scene *scene, struct vec3 from) {
    double sum = 0.0;
    for (uint32_t t = 0; t < scene->triangle_count; ++t) {
        struct vec3 r[3];
        double l[3];
        for (int k = 0; k < 3; ++k) {
            r[k] = vec3_sub(feature_vertex(scene, scene->triangles[3 * t + (uint32_t)k]), from);
            l[k] = vec3_length(r[k]);
        }
        double volume = vec3_dot(r[0], vec3_cross(r[1], r[2]));
        double rest = l[0] * l[1] * l[2] + vec3_dot(r[0], r[1]) * l[2] + vec3_dot(r[1], r[2]) * l[0] +
                      vec3_dot(r[2], r[0]) * l[1];
        sum += 2.0 * atan2(volume, rest);
    }
    return sum / (4.0 * acos(-1.0));
}

#endif
