/* A socket, a request, the first line of the answer; three seconds at most. */
#include <app/healthcheck.h>
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

enum { ARGUMENTS_MAX = 64 };

static const char *no_environment(const char *name) {
    (void)name;
    return NULL;
}

void healthcheck_take_options(struct options *options, char *cmdline, size_t length) {
    char *arguments[ARGUMENTS_MAX];
    int count = 0;
    for (size_t at = 0; at < length && count < ARGUMENTS_MAX; at += strnlen(cmdline + at, length - at) + 1) {
        arguments[count++] = cmdline + at;
    }
    const char *name = count ? strrchr(arguments[0], '/') : NULL;
    if (count == 0 || strcmp(name ? name + 1 : arguments[0], "clothd") != 0) return;
    struct options other;
    char message[256];
    if (options_parse(&other, count, arguments, no_environment, message, sizeof message) != 0) return;
    options->port = other.port;
    options->bind = other.bind;
    options_free(&other);
}

/* Where a server that is bound to address can be reached from this host. */
static socklen_t reach(const char *address, uint16_t port, struct sockaddr_storage *storage) {
    struct sockaddr_in *v4 = (struct sockaddr_in *)storage;
    struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)storage;
    memset(storage, 0, sizeof *storage);
    if (inet_pton(AF_INET, address, &v4->sin_addr) == 1) {
        if (v4->sin_addr.s_addr == htonl(INADDR_ANY)) v4->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        v4->sin_family = AF_INET;
        v4->sin_port = htons(port);
        return sizeof *v4;
    }
    if (inet_pton(AF_INET6, address, &v6->sin6_addr) != 1) return 0;
    if (IN6_IS_ADDR_UNSPECIFIED(&v6->sin6_addr)) v6->sin6_addr = in6addr_loopback;
    v6->sin6_family = AF_INET6;
    v6->sin6_port = htons(port);
    return sizeof *v6;
}

int healthcheck_run(const char *bind, uint16_t port) {
    static const char request[] = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    const struct timeval limit = {.tv_sec = 3};
    struct sockaddr_storage storage;
    char answer[64] = "";
    socklen_t length = reach(bind, port, &storage);
    int fd = length ? socket(storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0) : -1;
    if (fd >= 0) {
        setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
        setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    }
    size_t used = 0;
    if (fd >= 0 && connect(fd, (struct sockaddr *)&storage, length) == 0 &&
        send(fd, request, sizeof request - 1, MSG_NOSIGNAL) == (ssize_t)(sizeof request - 1)) {
        while (used < 12) {
            ssize_t got = recv(fd, answer + used, sizeof answer - 1 - used, 0);
            if (got <= 0) break;
            used += (size_t)got;
        }
    }
    if (fd >= 0) close(fd);
    if (strncmp(answer, "HTTP/1.1 200", 12) == 0) return 0;
    fprintf(stderr, "clothd: no healthy server answers on port %u\n", port);
    return 1;
}

int healthcheck_main(struct options *options) {
    static char cmdline[8192];
    if (!options->port_given) {
        FILE *file = fopen("/proc/1/cmdline", "r");
        size_t length = file ? fread(cmdline, 1, sizeof cmdline - 1, file) : 0;
        if (file) fclose(file);
        healthcheck_take_options(options, cmdline, length);
    }
    return healthcheck_run(options->bind, (uint16_t)options->port);
}
