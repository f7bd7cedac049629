/* Relative to the executable, never to the working directory. */
#include <app/locate.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void locate_program(char *path, size_t size) {
    ssize_t length = readlink("/proc/self/exe", path, size - 1);
    path[length > 0 ? length : 0] = '\0';
}

const char *locate_folder(const char *program, const char *installed, const char *built, char *path,
                          size_t size) {
    const char *slash = strrchr(program, '/');
    const char *const tails[] = {installed, built};
    for (size_t i = 0; slash && i < 2; ++i) {
        char joined[PATH_MAX], real[PATH_MAX];
        struct stat status;
        int length = snprintf(joined, sizeof joined, "%.*s/%s", (int)(slash - program), program, tails[i]);
        if (length < 0 || (size_t)length >= sizeof joined || !realpath(joined, real)) continue;
        if (stat(real, &status) != 0 || !S_ISDIR(status.st_mode) || strlen(real) >= size) continue;
        strcpy(path, real);
        return path;
    }
    return NULL;
}
