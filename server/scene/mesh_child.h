/* Reading a mesh in a process of its own: whatever a damaged file does to its reader, the
 * server goes on and has a sentence to say.
 *
 *   caller ── fork ──▶ child: reader(path) ─▶ pipe: head, arrays ─▶ exits
 *   caller ◀── head, arrays, or the end of the pipe, or the end of the time ── */
#ifndef SCENE_MESH_CHILD_H
#define SCENE_MESH_CHILD_H

#include "scene/mesh_data.h"

typedef int mesh_reader(const char *path, const char *name, uint32_t max_vertices, struct mesh_data *mesh,
                        struct pbd_mesh_refusal *refusal);

/* Calls the reader in a child and returns what it returned, its mesh and its refusal.
 * PBD_MESH_REFUSED (unreadable) too when it crashed or took longer than limit_ms. */
int mesh_child_read(mesh_reader *reader, const char *path, const char *name, uint32_t max_vertices,
                    int limit_ms, struct mesh_data *mesh, struct pbd_mesh_refusal *refusal);

#endif
