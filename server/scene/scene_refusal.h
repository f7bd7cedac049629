/* A refused mesh as an error of the protocol. */
#ifndef SCENE_REFUSAL_H
#define SCENE_REFUSAL_H

#include <pbd/mesh.h>
#include <wire/commands.h>

/* invalid_mesh with data {cause, total, edges, faces, line, report}, or limit_exceeded
 * where the cause is a limit. path: the member that gave the mesh; vertices, faces: what it
 * had as far as it was read; max_vertices: the limit. */
void scene_refusal_error(const struct pbd_mesh_refusal *refusal, const char *path, uint32_t vertices,
                         uint32_t faces, uint32_t max_vertices, struct wire_error *error);

#endif
