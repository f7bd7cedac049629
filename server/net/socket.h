/* What is asked of the kernel: listening, buffer sizes, progress, descriptors. */
#ifndef NET_SOCKET_H
#define NET_SOCKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Descriptors that are never given to clients: files, the loop, the sim, the log. */
enum { SOCKET_RESERVE = 32 };

/* A listening, non-blocking socket. Returns it, or −1 and one sentence in message. *port is set. */
int socket_listen(const char *address, uint16_t *port, char *message, size_t message_size);

/* An accepted socket: no delay, a bounded send buffer, and few unsent bytes before it
 * counts as full, so that what the kernel holds is young. */
void socket_tune(int fd, int send_buffer_bytes);

/* Bytes that the peer has acknowledged so far. */
uint64_t socket_acked_bytes(int fd);
/* Bytes that wait in the kernel, unsent or unacknowledged. */
size_t socket_waiting_bytes(int fd);
/* Whether the peer has closed its end or is gone: to be known where nothing is read. */
bool socket_peer_has_left(int fd);
/* Ends both directions now; the close that follows sends RST and forgets what waits. */
void socket_abort(int fd);

/* Raises (or lowers) the limit of open files towards wanted; returns what holds now. */
uint32_t socket_set_descriptor_limit(uint32_t wanted);
uint32_t socket_open_descriptors(void);

#endif
