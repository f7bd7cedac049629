/* The child, the pipe, and the end of the child. */
#include "scene/mesh_child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define CHILD_MEMORY_BYTES ((rlim_t)4 << 30)

struct head {
    int result;
    struct pbd_mesh_refusal refusal;
    uint32_t vertex_count, face_count, cols;
    bool has_face_sizes;
    size_t corner_count;
};

/* ---- in the child ---- */

static bool write_all(int fd, const void *bytes, size_t size) {
    const char *at = bytes;
    while (size > 0) {
        ssize_t done = write(fd, at, size);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return false;
        at += done;
        size -= (size_t)done;
    }
    return true;
}

static bool write_mesh(int fd, const struct head *head, const struct mesh_data *mesh) {
    size_t faces = head->has_face_sizes ? head->face_count : 0;
    return write_all(fd, head, sizeof *head) &&
           write_all(fd, mesh->positions, 3 * (size_t)head->vertex_count * sizeof(float)) &&
           write_all(fd, mesh->face_sizes, faces * sizeof(uint32_t)) &&
           write_all(fd, mesh->face_vertices, head->corner_count * sizeof(uint32_t));
}

/* Sockets must close when the server closes them, signals are for the server, and memory
 * has an end. A sanitizer's shadow memory is larger than any limit. */
static void settle(int *fd) {
    signal(SIGTERM, SIG_DFL);
    signal(SIGINT, SIG_DFL);
    if (*fd != 3 && dup2(*fd, 3) == 3) *fd = 3;
    close_range((unsigned)*fd + 1, ~0u, 0);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !defined(__clang__)
    const struct rlimit memory = {CHILD_MEMORY_BYTES, CHILD_MEMORY_BYTES};
    (void)setrlimit(RLIMIT_AS, &memory);
#endif
    const struct rlimit no_core = {0, 0};
    (void)setrlimit(RLIMIT_CORE, &no_core);
}

static _Noreturn void run_child(int fd, mesh_reader *reader, const char *path, const char *name,
                                uint32_t max_vertices) {
    struct mesh_data mesh = {0};
    static struct head head; /* static: its padding is zero */
    settle(&fd);
    head.result = reader(path, name, max_vertices, &mesh, &head.refusal);
    head.vertex_count = mesh.vertex_count;
    head.face_count = mesh.face_count;
    head.cols = mesh.cols;
    head.has_face_sizes = mesh.face_sizes != NULL;
    head.corner_count = mesh.corner_count;
    _exit(write_mesh(fd, &head, &mesh) ? 0 : 1);
}

/* ---- in the caller ---- */

static int64_t now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

enum arrival { ARRIVED, ENDED, TOO_LATE };

static enum arrival read_all(int fd, void *bytes, size_t size, int64_t end_ms) {
    char *at = bytes;
    while (size > 0) {
        int64_t left = end_ms - now_ms();
        struct pollfd ready = {.fd = fd, .events = POLLIN};
        int result = left > 0 ? poll(&ready, 1, (int)left) : 0;
        if (result == 0) return TOO_LATE;
        if (result < 0) continue; /* interrupted */
        ssize_t got = read(fd, at, size);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return ENDED;
        at += got;
        size -= (size_t)got;
    }
    return ARRIVED;
}

/* An array of the child's mesh; NULL with *arrival ENDED when there is no memory for it. */
static void *read_array(int fd, size_t count, size_t size, int64_t end_ms, enum arrival *arrival,
                        bool *no_memory) {
    if (*arrival != ARRIVED) return NULL;
    void *array = count < SIZE_MAX / size ? malloc(count * size + 1) : NULL;
    *no_memory |= array == NULL;
    *arrival = array ? read_all(fd, array, count * size, end_ms) : ENDED;
    return array;
}

static enum arrival read_mesh(int fd, struct head *head, struct mesh_data *mesh, int64_t end_ms,
                              bool *no_memory) {
    enum arrival arrival = read_all(fd, head, sizeof *head, end_ms);
    if (arrival != ARRIVED || head->result != PBD_OK) return arrival;
    mesh->positions =
        read_array(fd, 3 * (size_t)head->vertex_count, sizeof(float), end_ms, &arrival, no_memory);
    if (head->has_face_sizes)
        mesh->face_sizes = read_array(fd, head->face_count, sizeof(uint32_t), end_ms, &arrival, no_memory);
    mesh->face_vertices = read_array(fd, head->corner_count, sizeof(uint32_t), end_ms, &arrival, no_memory);
    mesh->vertex_count = head->vertex_count;
    mesh->face_count = head->face_count;
    mesh->corner_count = head->corner_count;
    mesh->cols = head->cols;
    return arrival;
}

static int refuse(const char *name, const char *why, struct pbd_mesh_refusal *refusal) {
    mesh_refuse(refusal, PBD_MESH_UNREADABLE, 0, "%s cannot be read: %s.", name, why);
    return PBD_MESH_REFUSED;
}

static int take_child(int fd, const char *name, int limit_ms, struct mesh_data *mesh,
                      struct pbd_mesh_refusal *refusal) {
    struct head head;
    struct mesh_data made = {0};
    bool no_memory = false;
    enum arrival arrival = read_mesh(fd, &head, &made, now_ms() + limit_ms, &no_memory);
    if (arrival == ARRIVED && head.result == PBD_OK) {
        *mesh = made;
        return PBD_OK;
    }
    mesh_data_free(&made);
    if (no_memory) return PBD_OUT_OF_MEMORY;
    if (arrival == TOO_LATE) return refuse(name, "it takes too long, which damaged files do", refusal);
    if (arrival == ENDED) return refuse(name, "its reader broke off, which damaged files cause", refusal);
    if (head.result == PBD_MESH_REFUSED) *refusal = head.refusal;
    return head.result;
}

int mesh_child_read(mesh_reader *reader, const char *path, const char *name, uint32_t max_vertices,
                    int limit_ms, struct mesh_data *mesh, struct pbd_mesh_refusal *refusal) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return refuse(name, strerror(errno), refusal);
    pid_t child = fork();
    if (child == 0) run_child(ends[1], reader, path, name, max_vertices);
    int error = errno;
    close(ends[1]);
    int result = child > 0 ? take_child(ends[0], name, limit_ms, mesh, refusal)
                           : refuse(name, strerror(error), refusal);
    close(ends[0]);
    if (child > 0) {
        kill(child, SIGKILL);
        while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
            continue;
    }
    return result;
}
