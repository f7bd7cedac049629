/* Reading files that a user names. */
#include "scene/scene_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int check_status(const struct stat *status) {
    if (S_ISDIR(status->st_mode)) return EISDIR;
    if (!S_ISREG(status->st_mode)) return ENODEV;
    return (uintmax_t)status->st_size > SCENE_FILE_MAX_BYTES ? EFBIG : 0;
}

int scene_file_check(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 ? check_status(&status) : errno;
}

/* size bytes, or fewer where the file ends before; 0 or an errno. */
static int read_all(int fd, char *text, size_t size, size_t *length) {
    *length = 0;
    while (*length < size) {
        ssize_t got = read(fd, text + *length, size - *length);
        if (got == 0) return 0;
        if (got > 0) *length += (size_t)got;
        if (got < 0 && errno != EINTR) return errno;
    }
    return 0;
}

char *scene_file_read(const char *path, size_t *length) {
    /* Opening a pipe without O_NONBLOCK waits for a writer. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0) return NULL;
    struct stat status;
    char *text = NULL;
    int error = fstat(fd, &status) == 0 ? check_status(&status) : errno;
    if (error == 0) {
        text = malloc((size_t)status.st_size + 1);
        error = text ? read_all(fd, text, (size_t)status.st_size, length) : ENOMEM;
    }
    close(fd);
    if (error == 0) {
        text[*length] = '\0';
        return text;
    }
    free(text);
    errno = error;
    return NULL;
}

const char *scene_file_reason(int error) {
    if (error == ENODEV) return "it is neither a file nor a folder";
    if (error == EFBIG) return "it is larger than 256 MiB";
    return strerror(error);
}
