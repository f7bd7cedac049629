/* Freeing meshes and refusing files. */
#include "scene/mesh_data.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void mesh_data_free(struct mesh_data *mesh) {
    free(mesh->positions);
    free(mesh->face_sizes);
    free(mesh->face_vertices);
    *mesh = (struct mesh_data){0};
}

void mesh_refuse(struct pbd_mesh_refusal *refusal, enum pbd_mesh_cause cause, uint32_t line,
                 const char *format, ...) {
    *refusal = (struct pbd_mesh_refusal){.cause = cause, .line = line};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(refusal->message, sizeof refusal->message, format, arguments);
    va_end(arguments);
    for (char *c = refusal->message; *c != '\0'; ++c)
        if (*c < ' ' || *c > '~') *c = '?';
}
