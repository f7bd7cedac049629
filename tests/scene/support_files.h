/* Files and commands for the scene tests. */
#ifndef TESTS_SCENE_SUPPORT_FILES_H
#define TESTS_SCENE_SUPPORT_FILES_H

#include <scene/scene.h>

/* A new empty folder below the system's temporary one; removed with folder_remove. */
void folder_create(char path[64]);
void folder_remove(const char *path);
/* Writes a file in the folder (binary safe with a length, else strlen). */
void folder_write(const char *folder, const char *name, const void *bytes, size_t length);
void folder_write_text(const char *folder, const char *name, const char *text);

/* The scene {"cloths":[SPEC]} decoded; ends the test program when the table refuses it. */
struct wire_request *decode_cloth(const char *spec);
struct wire_request *decode_scene(const char *text);
/* Builds its first cloth with base_dir and at most 500 000 vertices. */
int build_cloth(const char *spec, const char *base_dir, struct scene_cloth *cloth, struct wire_error *error);

#endif
