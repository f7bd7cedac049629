/* Where the files are that come with the program: installed beside it, or in the
 * source tree that it was built in. */
#ifndef APP_LOCATE_H
#define APP_LOCATE_H

#include <stddef.h>

/* Writes the first folder that exists of <program's folder>/<installed> and
 * <program's folder>/<built> into path; NULL when there is none. program: its own path. */
const char *locate_folder(const char *program, const char *installed, const char *built, char *path,
                          size_t size);
/* The path of the running program, "" when it cannot be read. */
void locate_program(char *path, size_t size);

#endif
