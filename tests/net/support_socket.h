/* A WebSocket client by hand, so that a test can send anything and read late. */
#ifndef TESTS_NET_SUPPORT_SOCKET_H
#define TESTS_NET_SUPPORT_SOCKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct test_socket {
    int fd;
    int status;       /* of the HTTP answer, 0 = none */
    char head[4096];  /* the answer's head */
    char body[65536]; /* a refusal's text */
    unsigned char *data;
    size_t have, used, capacity;
};

struct test_message {
    int opcode; /* 1 text, 2 binary, 8 close, 9 ping; −1 = the socket ended; −2 = nothing within the time */
    bool final;
    uint16_t code; /* of a Close */
    size_t length;
    const unsigned char *bytes; /* until the next read */
};

/* receive_buffer 0 = the kernel's own. */
bool socket_open(struct test_socket *socket, uint16_t port, int receive_buffer);
void socket_close(struct test_socket *socket);
void socket_write(struct test_socket *socket, const void *bytes, size_t length);
/* Sends text and reads the answer's head and, unless it is 101, its body. Returns the status. */
int socket_request(struct test_socket *socket, const char *text);
/* The handshake with Host 127.0.0.1 and these extra header lines (each with \r\n). */
int socket_upgrade(struct test_socket *socket, const char *extra_headers);
/* A frame's header and payload, masked. */
void socket_send_frame(struct test_socket *socket, int first_byte, const void *bytes, size_t length);
void socket_send_text(struct test_socket *socket, const char *text);
/* One frame; messages in fragments come frame by frame. */
struct test_message socket_read(struct test_socket *socket, double seconds);
/* Open, upgrade with clothd.v1, read the greeting; returns the client's id, 0 = failed. */
uint32_t socket_join(struct test_socket *socket, uint16_t port, int receive_buffer);

#endif
