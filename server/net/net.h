/* Bytes between sockets and the rest: HTTP, WebSocket, lanes, tiers. Knows nothing
 * of commands or worlds. Every function and callback runs on the net thread, the
 * one that called net_run. */
#ifndef NET_H
#define NET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <base/buffer.h>

struct net;
typedef struct uv_loop_s uv_loop_t;

enum net_role { NET_ROLE_VIEW, NET_ROLE_CONTROL };

struct net_token {
    enum net_role role;
    char text[65];
};

struct net_client_info {
    uint32_t client; /* never reused within a process */
    enum net_role role;
    bool loopback; /* the server is bound to loopback */
    const char *address;
    int token; /* index of the token it came with, −1 = none */
};

/* An answer to an HTTP GET; body is freed by net with buffer_unref. */
struct net_http_reply {
    int status;
    const char *content_type;
    struct buffer *body;
};

struct net_callbacks {
    void *context;
    /* A session exists (upgrade accepted). version_refused: it offered only unknown
     * clothd.vN; send a hello with error, then net_close(…, 4406, …). */
    void (*open)(void *context, const struct net_client_info *info, bool version_refused);
    /* One whole text message, its UTF-8 not checked, NUL behind it. */
    void (*text)(void *context, uint32_t client, char *text, size_t length);
    /* A long message came while the memory for long messages was used up; it is lost. */
    void (*overload)(void *context, uint32_t client);
    void (*close)(void *context, uint32_t client);
    /* A member of tier needs a key (asked once until the next frame of the tier carries
     * one). False: it could not be passed on; net asks again. */
    bool (*want_key)(void *context, uint32_t tier);
    /* /healthz /readyz /version /metrics */
    struct net_http_reply (*http)(void *context, const char *path);
    /* Delivery counters changed for a client; pointers into the bridge's memory. */
    void (*sent)(void *context, uint32_t client, size_t bytes, bool frame);
    void (*skipped)(void *context, uint32_t client);
};

/* Everything pointed to must outlive the net. */
struct net_config {
    const char *bind;    /* IP literal */
    uint16_t port;       /* 0 = any free one */
    const char *web_dir; /* viewer; read into memory at start; NULL = a page that says how to build it */
    const struct net_token *tokens;
    uint32_t token_count; /* 0 = none needed */
    const char *const *allow_hosts;
    uint32_t allow_host_count;
    const char *const *allow_origins;
    uint32_t allow_origin_count;
    uint32_t max_clients;
    size_t max_message_bytes;
    size_t lane_max_messages, lane_max_bytes; /* 256, 1 MiB */
    int send_buffer_bytes;                    /* SO_SNDBUF, 64 KiB */
    uint32_t handshake_s;                     /* a connection that is no session by then is closed; 0 = 5 */
    uint32_t stall_ms;                        /* a client that takes nothing for so long is gone; 0 = 10 s */
    struct net_callbacks callbacks;
};

/* Whether the bind address is reachable from this host only: then no tokens are needed. */
bool net_is_loopback(const char *bind);
/* Binds. On failure NULL and one sentence in message. */
struct net *net_create(uv_loop_t *loop, const struct net_config *config, char *message, size_t message_size);
/* Sessions that the process's descriptors allow: max_clients or fewer. */
uint32_t net_capacity(const struct net *net);
uint16_t net_port(const struct net *net);

void net_send_text(struct net *net, uint32_t client, struct buffer *buffer); /* reference moves */
void net_send_binary(struct net *net, uint32_t client,
                     struct buffer *buffer); /* reliable lane; reference moves */
void net_join(struct net *net, uint32_t client, uint32_t tier, bool ack);
/* From one tier of a world to another: unacknowledged frames stay so. */
void net_move(struct net *net, uint32_t client, uint32_t from, uint32_t tier);
void net_leave(struct net *net, uint32_t client, uint32_t tier);
/* References move. delta may be NULL, key may be NULL. */
void net_publish(struct net *net, uint32_t tier, uint32_t tick, uint32_t base_tick, struct buffer *delta,
                 struct buffer *key);
void net_tier_end(struct net *net, uint32_t tier);
void net_ack(struct net *net, uint32_t client, uint32_t tick);
/* Whether to read from the client: a bridge holds one that has too many requests under way. */
void net_hold(struct net *net, uint32_t client, bool hold);
/* After what is queued on the control lane; nothing more is read. */
void net_close(struct net *net, uint32_t client, uint16_t code, const char *reason);

/* From now on new sessions get 503. */
void net_drain(struct net *net);
bool net_is_draining(const struct net *net);
/* net_close for everyone. */
void net_close_all(struct net *net, uint16_t code, const char *reason);
/* Closes who is left with 1001, waits for that up to 500 ms, then destroys the context in the order that
 * leaks nothing; runs the loop for it, which is then empty of it. */
void net_destroy(struct net *net);

struct net_metrics {
    uint32_t clients, open_descriptors;
    uint64_t frames_sent, bytes_sent;
    uint64_t skipped_not_writable, skipped_unacked, skipped_no_key;
    uint64_t refused_host, refused_origin, refused_token, refused_full, refused_draining, refused_version;
    uint64_t refused_protocol, refused_sockets; /* other names alone; more sockets than there is room for */
    uint64_t closed_slow;
    size_t control_queued, binary_queued, reassembly_bytes;
};
void net_get_metrics(const struct net *net, struct net_metrics *metrics);

#endif
