/* Blocking sockets with poll for the time limit. */
#include "support_socket.h"
#include <arpa/inet.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

bool socket_open(struct test_socket *self, uint16_t port, int receive_buffer) {
    *self = (struct test_socket){.fd = socket(AF_INET, SOCK_STREAM, 0)};
    if (receive_buffer) setsockopt(self->fd, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
    const struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    return connect(self->fd, (const struct sockaddr *)&address, sizeof address) == 0;
}

void socket_close(struct test_socket *self) {
    if (self->fd >= 0) close(self->fd);
    free(self->data);
    self->fd = -1;
    self->data = NULL;
}

void socket_write(struct test_socket *self, const void *bytes, size_t length) {
    const char *at = bytes;
    while (length > 0) {
        ssize_t sent = send(self->fd, at, length, MSG_NOSIGNAL);
        if (sent <= 0) return;
        at += sent;
        length -= (size_t)sent;
    }
}

/* More bytes into data; 1 = some, 0 = end, −1 = none in time. */
static int fill(struct test_socket *self, double seconds) {
    struct pollfd poller = {.fd = self->fd, .events = POLLIN};
    if (poll(&poller, 1, (int)(seconds * 1000)) <= 0) return -1;
    if (self->used > 0) {
        memmove(self->data, self->data + self->used, self->have - self->used);
        self->have -= self->used;
        self->used = 0;
    }
    if (self->capacity - self->have < 65536) {
        self->capacity = self->capacity * 2 + 65536;
        self->data = realloc(self->data, self->capacity);
        if (!self->data) abort();
    }
    ssize_t got = recv(self->fd, self->data + self->have, self->capacity - self->have - 1, 0);
    if (got <= 0) return 0;
    self->have += (size_t)got;
    self->data[self->have] = '\0';
    return 1;
}

int socket_request(struct test_socket *self, const char *text) {
    socket_write(self, text, strlen(text));
    char *end = NULL;
    self->status = 0;
    for (;;) {
        if (self->have > self->used) end = strstr((char *)self->data + self->used, "\r\n\r\n");
        if (end || fill(self, 8) != 1) break;
    }
    if (!end) return 0;
    size_t length = (size_t)(end + 4 - ((char *)self->data + self->used));
    snprintf(self->head, sizeof self->head, "%.*s", (int)length, (char *)self->data + self->used);
    self->used += length;
    self->status = atoi(self->head + 9);
    self->body[0] = '\0';
    if (self->status == 101 || strncmp(text, "HEAD", 4) == 0) return self->status;
    const char *header = strstr(self->head, "Content-Length: ");
    size_t wanted = header ? (size_t)atol(header + 16) : 0;
    while (self->have - self->used < wanted && fill(self, 8) == 1) {}
    size_t got = self->have - self->used < wanted ? self->have - self->used : wanted;
    snprintf(self->body, sizeof self->body, "%.*s", (int)got, (char *)self->data + self->used);
    self->used += got;
    return self->status;
}

int socket_upgrade(struct test_socket *self, const char *extra_headers) {
    char text[4096];
    snprintf(text, sizeof text,
             "GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
             "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n%s\r\n",
             extra_headers);
    return socket_request(self, text);
}

void socket_send_frame(struct test_socket *self, int first_byte, const void *bytes, size_t length) {
    unsigned char head[14] = {(unsigned char)first_byte};
    size_t used = 2;
    if (length < 126) {
        head[1] = (unsigned char)(0x80 | length);
    } else if (length < 65536) {
        head[1] = 0xfe;
        head[2] = (unsigned char)(length >> 8);
        head[3] = (unsigned char)length;
        used = 4;
    } else {
        head[1] = 0xff;
        for (int i = 0; i < 8; ++i)
            head[2 + i] = (unsigned char)(length >> (56 - 8 * i));
        used = 10;
    }
    /* A mask of zeros: the payload goes as it is. */
    used += 4;
    socket_write(self, head, used);
    socket_write(self, bytes, length);
}

void socket_send_text(struct test_socket *self, const char *text) {
    socket_send_frame(self, 0x81, text, strlen(text));
}

struct test_message socket_read(struct test_socket *self, double seconds) {
    struct test_message message = {.opcode = -2};
    struct timespec start, now;
    clock_gettime(CLOCK_MONOTONIC, &start);
    for (;;) {
        const unsigned char *at = self->data + self->used;
        size_t have = self->have - self->used, head = 2, length = 0;
        if (have >= 2) {
            length = at[1] & 127;
            if (length == 126) head = 4;
            if (length == 127) head = 10;
        }
        if (have >= head && have >= 2) {
            if (head == 4) length = (size_t)at[2] << 8 | at[3];
            if (head == 10) {
                length = 0;
                for (int i = 0; i < 8; ++i)
                    length = length << 8 | at[2 + i];
            }
            if (have >= head + length) {
                message.opcode = at[0] & 15;
                message.final = at[0] >> 7;
                message.bytes = at + head;
                message.length = length;
                if (message.opcode == 8 && length >= 2)
                    message.code = (uint16_t)(at[head] << 8 | at[head + 1]);
                self->used += head + length;
                return message;
            }
        }
        clock_gettime(CLOCK_MONOTONIC, &now);
        double left =
            seconds - (double)(now.tv_sec - start.tv_sec) - (double)(now.tv_nsec - start.tv_nsec) * 1e-9;
        int got = left > 0 ? fill(self, left) : -1;
        if (got == 1) continue;
        message.opcode = got == 0 ? -1 : -2;
        return message;
    }
}

uint32_t socket_join(struct test_socket *self, uint16_t port, int receive_buffer) {
    if (!socket_open(self, port, receive_buffer)) return 0;
    if (socket_upgrade(self, "Sec-WebSocket-Protocol: clothd.v1\r\n") != 101) return 0;
    struct test_message hello = socket_read(self, 5);
    unsigned id = 0;
    if (hello.opcode != 1 || sscanf((const char *)hello.bytes, "{\"hello\":%u", &id) != 1) return 0;
    return id;
}
