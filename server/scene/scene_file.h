/* Whole files, and which of them are read at all: a pipe would keep the caller waiting
 * for ever, a device or an enormous file would eat the memory. */
#ifndef SCENE_FILE_H
#define SCENE_FILE_H

#include <stddef.h>

#define SCENE_FILE_MAX_BYTES ((size_t)256 << 20)

/* 0, or an errno: of the system, EISDIR, ENODEV (neither a file nor a folder: a pipe, a
 * device, …) or EFBIG (more than SCENE_FILE_MAX_BYTES). */
int scene_file_check(const char *path);

/* A whole file as NUL-terminated text, malloc'd; NULL with errno set as above. */
char *scene_file_read(const char *path, size_t *length);

/* The errno as words that end a sentence, without its full stop. Static memory. */
const char *scene_file_reason(int error);

#endif
