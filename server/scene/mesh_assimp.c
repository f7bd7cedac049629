/* Assimp's scenes made flat: every node's meshes where the node puts them. */
#include "scene/mesh_assimp.h"

#include <assimp/cimport.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <stdlib.h>

/* Faces and vertices of a node and its children, each mesh as often as it is used. */
static void count_node(const struct aiScene *scene, const struct aiNode *node, uint64_t *vertices,
                       uint64_t *faces, uint64_t *corners) {
    for (unsigned m = 0; m < node->mNumMeshes; ++m) {
        const struct aiMesh *part = scene->mMeshes[node->mMeshes[m]];
        *vertices += part->mNumVertices;
        for (unsigned f = 0; f < part->mNumFaces; ++f) {
            if (part->mFaces[f].mNumIndices < 3) continue; /* points and lines are no cloth */
            ++*faces;
            *corners += part->mFaces[f].mNumIndices;
        }
    }
    for (unsigned c = 0; c < node->mNumChildren; ++c)
        count_node(scene, node->mChildren[c], vertices, faces, corners);
}

static void copy_mesh(const struct aiMesh *part, const struct aiMatrix4x4 *to_world, struct mesh_data *mesh) {
    uint32_t first = mesh->vertex_count;
    for (unsigned v = 0; v < part->mNumVertices; ++v) {
        struct aiVector3D p = part->mVertices[v];
        aiTransformVecByMatrix4(&p, to_world);
        float *out = mesh->positions + 3 * (size_t)mesh->vertex_count++;
        out[0] = p.x;
        out[1] = p.y;
        out[2] = p.z;
    }
    for (unsigned f = 0; f < part->mNumFaces; ++f) {
        const struct aiFace *face = &part->mFaces[f];
        if (face->mNumIndices < 3) continue;
        mesh->face_sizes[mesh->face_count++] = face->mNumIndices;
        for (unsigned k = 0; k < face->mNumIndices; ++k)
            mesh->face_vertices[mesh->corner_count++] = first + face->mIndices[k];
    }
}

static void copy_node(const struct aiScene *scene, const struct aiNode *node,
                      const struct aiMatrix4x4 *parent, struct mesh_data *mesh) {
    struct aiMatrix4x4 to_world = *parent;
    aiMultiplyMatrix4(&to_world, &node->mTransformation);
    for (unsigned m = 0; m < node->mNumMeshes; ++m)
        copy_mesh(scene->mMeshes[node->mMeshes[m]], &to_world, mesh);
    for (unsigned c = 0; c < node->mNumChildren; ++c)
        copy_node(scene, node->mChildren[c], &to_world, mesh);
}

static int flatten(const struct aiScene *scene, const char *name, uint32_t max_vertices,
                   struct mesh_data *mesh, struct pbd_mesh_refusal *refusal) {
    uint64_t vertices = 0, faces = 0, corners = 0;
    count_node(scene, scene->mRootNode, &vertices, &faces, &corners);
    if (vertices > max_vertices) {
        mesh_refuse(refusal, PBD_MESH_LIMIT, 0, "%s has %llu vertices; at most %u are allowed.", name,
                    (unsigned long long)vertices, max_vertices);
        return PBD_MESH_REFUSED;
    }
    struct mesh_data made = {0};
    made.positions = malloc((size_t)(3 * vertices + 1) * sizeof *made.positions);
    made.face_sizes = malloc((size_t)(faces + 1) * sizeof *made.face_sizes);
    made.face_vertices = malloc((size_t)(corners + 1) * sizeof *made.face_vertices);
    if (made.positions == NULL || made.face_sizes == NULL || made.face_vertices == NULL) {
        mesh_data_free(&made);
        return PBD_OUT_OF_MEMORY;
    }
    struct aiMatrix4x4 identity;
    aiIdentityMatrix4(&identity);
    copy_node(scene, scene->mRootNode, &identity, &made);
    *mesh = made;
    return PBD_OK;
}

int mesh_assimp_read(const char *path, const char *name, uint32_t max_vertices, struct mesh_data *mesh,
                     struct pbd_mesh_refusal *refusal) {
    const struct aiScene *scene = aiImportFile(path, 0);
    if (scene == NULL || scene->mRootNode == NULL) {
        mesh_refuse(refusal, PBD_MESH_UNREADABLE, 0, "%s cannot be read: %s", name,
                    scene == NULL ? aiGetErrorString() : "it holds no scene.");
        if (scene != NULL) aiReleaseImport(scene);
        return PBD_MESH_REFUSED;
    }
    int result = flatten(scene, name, max_vertices, mesh, refusal);
    aiReleaseImport(scene);
    return result;
}
