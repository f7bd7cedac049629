/* What the files of net share: the server, a connection, a client.
 *
 *   listener.c   accepts sockets, turns the library's callbacks into a few events
 *   admit.c      decides on a request: host, origin, token, subprotocol, room
 *   http.c       answers plain requests from memory
 *   client.c     a session: reassembly in, lane and frames out, closing
 *   hub.c        tiers → members; lane.c, reassembly.c, auth.c: no sockets at all
 *
 * One thread. A connection is a socket; it becomes a client when its upgrade is accepted. */
#ifndef NET_INTERNAL_H
#define NET_INTERNAL_H

#include <libwebsockets.h>
#include <uv.h>
#include <net/auth.h>
#include <net/hub.h>
#include <net/lane.h>
#include <net/net.h>
#include <net/reassembly.h>
#include <net/site.h>

enum {
    NET_CLIENT_BUCKETS = 256,
    NET_EXTRA_SOCKETS = 64,      /* beyond the sessions: pages, health checks, refusals */
    NET_HEADER_BYTES = 8 * 1024, /* of one request */
    NET_READ_BYTES = 16 * 1024,
    NET_STALL_MS = 10000, /* no progress for so long → gone */
    NET_CHECK_MS = 500,
    NET_PING_S = 10,
    NET_HANGUP_S = 20,
    NET_HANDSHAKE_S = 5,
    NET_BODY_PIECE_BYTES = 64 * 1024,
    NET_GRACE_MS = 500, /* for Close frames when the server goes */
};

struct net_client;

struct net_connection {
    struct net *net;
    struct lws *wsi;
    char address[46];
    /* An answer on its way out. */
    struct buffer *body;
    size_t body_sent;
    bool keep_alive;
    /* An upgrade that was let in. */
    bool admitted, version_refused;
    enum net_role role;
    int token; /* index in config.tokens, −1 = none */
    struct net_client *client;
};

struct net_client {
    struct hub_client hub; /* first member: the hub hands it back */
    struct net *net;
    struct lws *wsi;
    struct net_connection *connection;
    struct net_client *next_in_bucket;
    struct net_client *next, **link; /* all clients */
    struct lane lane;
    struct reassembly reassembly;
    bool held;    /* by the bridge */
    bool reading; /* what the library was told last */
    bool closing; /* close_code goes out once the lane is empty */
    bool close_sent;
    bool aborted;
    uint16_t close_code;
    char close_reason[124];
    uint64_t progress_ms, acked_bytes;
    uint64_t left_ms; /* when its peer was first seen to have left unread; 0 = it has not */
};

struct net {
    uv_loop_t *loop;
    struct net_config config;
    struct lws_context *context;
    struct lws_vhost *vhost;
    struct lws_protocols protocols[3];
    char refused_version[64]; /* protocols[1].name: what to echo while such an upgrade runs */
    uint16_t port;
    int listen_fd;
    uv_poll_t listen_poll;
    uv_timer_t check_timer;  /* stalled clients; accepting again */
    uv_timer_t closer_timer; /* closes outside of the library's callbacks */
    uint32_t open_handles;
    bool accepting, draining, loopback;
    bool adopting, adopted; /* a socket is being handed over; the library took it */
    uint32_t socket_count, max_sockets;
    uint32_t client_count, max_clients;
    uint32_t next_client;
    struct net_client *clients, *buckets[NET_CLIENT_BUCKETS];
    struct hub *hub;
    struct site site;
    struct reassembly_budget budget;
    unsigned char *fragment; /* headroom and one piece of a long message */
    struct net_metrics metrics;
    uint64_t log_window_ms;
    uint32_t log_lines;
};

/* listener.c */
uint64_t net_now_ms(const struct net *net);
/* At most ten lines a second come from what clients do. */
bool net_may_log(struct net *net);
void net_schedule_close(struct net *net);

/* admit.c: 0 = let in; −1 = answered and done, close the socket. */
int admit_upgrade(struct net_connection *connection);
/* The rules that hold for plain requests to path; false = answered. */
bool admit_request(struct net_connection *connection, const char *path);

/* http.c: the result of the library's callback. */
int http_request(struct net_connection *connection, const char *path);
int http_writeable(struct net_connection *connection);
/* A whole small answer that ends the connection. */
void http_refuse(struct net_connection *connection, int status, const char *headers, const char *sentence);

/* client.c */
bool client_open(struct net_connection *connection);
void client_closed(struct net_client *client);
int client_receive(struct net_client *client, const void *bytes, size_t length);
int client_writeable(struct net_client *client);
/* Progress and the 10 s rule. */
void client_check(struct net_client *client, uint64_t now_ms);
/* Sends the Close frame when everything before it is gone. */
void client_finish(struct net_client *client);
void client_start_close(struct net_client *client, uint16_t code, const char *reason);
/* Drops the socket at once. */
void client_abort(struct net_client *client);
struct net_client *client_find(const struct net *net, uint32_t id);
struct hub_callbacks client_hub_callbacks(struct net *net);

#endif
