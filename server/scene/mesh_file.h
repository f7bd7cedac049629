/* Mesh files: OBJ by our own reader, PLY, STL, glTF (.gltf, .glb) through Assimp in its
 * order, welding left to the import gate. */
#ifndef SCENE_MESH_FILE_H
#define SCENE_MESH_FILE_H

#include "scene/mesh_data.h"

/* Whether the name ends in one of the known suffixes, in any case. */
bool mesh_file_known(const char *path);
/* Every known suffix, for messages: ".obj .ply …". */
extern const char mesh_file_suffixes[];

/* Reads the file; name is what messages call it. PBD_OK, PBD_OUT_OF_MEMORY, or
 * PBD_MESH_REFUSED with *refusal (unreadable, or what mesh_obj_parse says). */
int mesh_file_read(const char *path, const char *name, uint32_t max_vertices, struct mesh_data *mesh,
                   struct pbd_mesh_refusal *refusal);

#endif
