/* Which reader reads which file. */
#include "scene/mesh_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "scene/mesh_assimp.h"
#include "scene/mesh_child.h"
#include "scene/mesh_obj.h"
#include "scene/scene_file.h"

const char mesh_file_suffixes[] = ".obj .ply .stl .gltf .glb";

static bool has_suffix(const char *path, const char *suffix) {
    const char *dot = strrchr(path, '.');
    return dot != NULL && strchr(dot, '/') == NULL && strcasecmp(dot, suffix) == 0;
}

bool mesh_file_known(const char *path) {
    return has_suffix(path, ".obj") || has_suffix(path, ".ply") || has_suffix(path, ".stl") ||
           has_suffix(path, ".gltf") || has_suffix(path, ".glb");
}

static int refuse_file(const char *name, int error, struct pbd_mesh_refusal *refusal) {
    if (error == ENOMEM) return PBD_OUT_OF_MEMORY;
    mesh_refuse(refusal, PBD_MESH_UNREADABLE, 0, "%s cannot be read: %s.", name, scene_file_reason(error));
    return PBD_MESH_REFUSED;
}

/* Time for the largest files on slow machines; nobody waits so long for a damaged one. */
enum { CHILD_MS = 10000, CHILD_MS_PER_MIB = 100 };

static int read_other(const char *path, const char *name, uint32_t max_vertices, struct mesh_data *mesh,
                      struct pbd_mesh_refusal *refusal) {
    struct stat status;
    int error = scene_file_check(path);
    if (error != 0) return refuse_file(name, error, refusal);
    int mib = stat(path, &status) == 0 ? (int)(status.st_size >> 20) : 0;
    return mesh_child_read(mesh_assimp_read, path, name, max_vertices, CHILD_MS + CHILD_MS_PER_MIB * mib,
                           mesh, refusal);
}

static int read_obj(const char *path, const char *name, uint32_t max_vertices, struct mesh_data *mesh,
                    struct pbd_mesh_refusal *refusal) {
    size_t length = 0;
    char *text = scene_file_read(path, &length);
    if (text == NULL) return refuse_file(name, errno, refusal);
    int result = mesh_obj_parse(name, text, length, max_vertices, mesh, refusal);
    free(text);
    return result;
}

int mesh_file_read(const char *path, const char *name, uint32_t max_vertices, struct mesh_data *mesh,
                   struct pbd_mesh_refusal *refusal) {
    if (has_suffix(path, ".obj")) return read_obj(path, name, max_vertices, mesh, refusal);
    return read_other(path, name, max_vertices, mesh, refusal);
}
