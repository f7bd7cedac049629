/* PLY, STL, glTF by Assimp, its scene made flat. Only mesh_child.c calls this: on damaged
 * files Assimp may loop for ever, run out of stack or ask for any amount of memory. */
#ifndef SCENE_MESH_ASSIMP_H
#define SCENE_MESH_ASSIMP_H

#include "scene/mesh_data.h"

/* As mesh_file_read. */
int mesh_assimp_read(const char *path, const char *name, uint32_t max_vertices, struct mesh_data *mesh,
                     struct pbd_mesh_refusal *refusal);

#endif
