/* Wavefront OBJ: the vertices in `v` order, isolated ones too, so that the indices are
 * those of the user's file (Assimp's importer makes one vertex per face corner). */
#ifndef SCENE_MESH_OBJ_H
#define SCENE_MESH_OBJ_H

#include "scene/mesh_data.h"

/* Reads `v` and `f` (v, v/vt, v//vn, v/vt/vn, negative indices, polygons, comments, CRLF,
 * lines continued by a backslash); everything else is skipped. text[length] must be NUL;
 * name is the file's, for messages. PBD_OK, PBD_OUT_OF_MEMORY, or PBD_MESH_REFUSED with
 * *refusal (bad_number, bad_vertex, non_finite, bad_face, index_range, limit) and its line. */
int mesh_obj_parse(const char *name, const char *text, size_t length, uint32_t max_vertices,
                   struct mesh_data *mesh, struct pbd_mesh_refusal *refusal);

#endif
