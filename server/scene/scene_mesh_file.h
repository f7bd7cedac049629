/* Mesh files that a command or scene names: only those within the scene folder. */
#ifndef SCENE_SCENE_MESH_FILE_H
#define SCENE_SCENE_MESH_FILE_H

#include <wire/commands.h>

#include "scene/mesh_data.h"

/* Reads `file` below base_dir (no absolute path, no "..", no link out of it; NULL: nothing is
 * read). path is the member that named it, for errors: "file", "shape.file". 0, or -1 with
 * *error (out_of_range, not_found, invalid_mesh, limit_exceeded, out_of_memory). */
int scene_mesh_file_read(const char *file, const char *base_dir, uint32_t max_vertices, const char *path,
                         struct mesh_data *mesh, struct wire_error *error);

#endif
