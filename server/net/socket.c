/* linux/tcp.h for the acknowledged-bytes counter, which glibc's netinet/tcp.h lacks;
 * the two cannot be included together. */
#include <net/socket.h>
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <netinet/in.h>
#include <linux/sockios.h>
#include <linux/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum { BACKLOG = 256, NOT_SENT_LOW_WATER = 16 * 1024 };

int socket_listen(const char *address, uint16_t *port, char *message, size_t message_size) {
    struct sockaddr_storage storage = {0};
    socklen_t length;
    struct sockaddr_in *v4 = (struct sockaddr_in *)&storage;
    struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)&storage;
    if (inet_pton(AF_INET, address, &v4->sin_addr) == 1) {
        v4->sin_family = AF_INET;
        v4->sin_port = htons(*port);
        length = sizeof *v4;
    } else if (inet_pton(AF_INET6, address, &v6->sin6_addr) == 1) {
        v6->sin6_family = AF_INET6;
        v6->sin6_port = htons(*port);
        length = sizeof *v6;
    } else {
        snprintf(message, message_size,
                 "the bind address is \"%s\", it must be an IP address such as 127.0.0.1", address);
        return -1;
    }
    const int on = 1;
    int fd = socket(storage.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd >= 0) setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (fd < 0 || bind(fd, (struct sockaddr *)&storage, length) != 0 || listen(fd, BACKLOG) != 0) {
        snprintf(message, message_size, "cannot listen on %s port %u: %s", address, *port,
                 errno == EADDRINUSE ? "the port is taken (choose another with --port)" : strerror(errno));
        if (fd >= 0) close(fd);
        return -1;
    }
    length = sizeof storage;
    getsockname(fd, (struct sockaddr *)&storage, &length);
    *port = ntohs(storage.ss_family == AF_INET ? v4->sin_port : v6->sin6_port);
    return fd;
}

void socket_tune(int fd, int send_buffer_bytes) {
    const int on = 1, low_water = NOT_SENT_LOW_WATER;
    /* The kernel doubles the figure for its own bookkeeping; that is the bound we mean. */
    setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &send_buffer_bytes, sizeof send_buffer_bytes);
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    setsockopt(fd, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &low_water, sizeof low_water);
}

uint64_t socket_acked_bytes(int fd) {
    struct tcp_info info = {0};
    socklen_t length = sizeof info;
    if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &length) != 0) return 0;
    return info.tcpi_bytes_acked;
}

/* The kernel's figures; netinet/tcp.h, which names them, excludes linux/tcp.h. */
enum { STATE_CLOSE = 7, STATE_CLOSE_WAIT = 8 };

bool socket_peer_has_left(int fd) {
    struct tcp_info info = {0};
    socklen_t length = sizeof info;
    if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &length) != 0) return false;
    return info.tcpi_state == STATE_CLOSE_WAIT || info.tcpi_state == STATE_CLOSE;
}

size_t socket_waiting_bytes(int fd) {
    int waiting = 0;
    if (ioctl(fd, SIOCOUTQ, &waiting) != 0 || waiting < 0) return 0;
    return (size_t)waiting;
}

void socket_abort(int fd) {
    const struct linger linger = {.l_onoff = 1, .l_linger = 0};
    setsockopt(fd, SOL_SOCKET, SO_LINGER, &linger, sizeof linger);
    shutdown(fd, SHUT_RDWR);
}

uint32_t socket_set_descriptor_limit(uint32_t wanted) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 256;
    /* Lowered too: the library allocates tables for every descriptor that could be. */
    rlim_t soft = wanted < limit.rlim_max ? wanted : limit.rlim_max;
    if (soft != limit.rlim_cur) {
        struct rlimit changed = {.rlim_cur = soft, .rlim_max = limit.rlim_max};
        if (setrlimit(RLIMIT_NOFILE, &changed) == 0) limit.rlim_cur = soft;
    }
    return (uint32_t)limit.rlim_cur;
}

uint32_t socket_open_descriptors(void) {
    DIR *folder = opendir("/proc/self/fd");
    if (!folder) return 0;
    uint32_t count = 0;
    for (struct dirent *entry; (entry = readdir(folder));)
        count += entry->d_name[0] != '.';
    closedir(folder);
    return count ? count - 1 : 0; /* the folder itself was open */
}
