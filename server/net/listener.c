/* libwebsockets on a foreign libuv loop, and the only place that knows its callbacks.
 *
 * Sockets are accepted here rather than by the library, so that a full table or a lack
 * of descriptors is an answer or a pause and never a busy loop. Everything else of the
 * library that matters is a setting in create_context, each for the reason given there. */
#include <net/net_internal.h>
#include <net/socket.h>
#include <base/log.h>
#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { LOG_LINES_PER_SECOND = 10, ACCEPTS_PER_EVENT = 32, MOST_FRAME_BYTES = 1 << 30 };

uint64_t net_now_ms(const struct net *net) {
    return uv_now(net->loop);
}

bool net_may_log(struct net *net) {
    uint64_t now_ms = net_now_ms(net);
    if (now_ms - net->log_window_ms >= 1000) {
        net->log_window_ms = now_ms;
        net->log_lines = 0;
    }
    return net->log_lines++ < LOG_LINES_PER_SECOND;
}

static void library_log(int level, const char *line) {
    (void)level;
    /* What it calls an error is nearly always something that a client did. */
    log_line(LOG_DEBUG, "websockets: %.*s", (int)strcspn(line, "\n"), line);
}

static void free_connection(struct net_connection *connection) {
    --connection->net->socket_count;
    buffer_unref(connection->body);
    free(connection);
}

static int on_http(struct net_connection *connection, const char *in, size_t length) {
    char path[512];
    if (length == 0 || length >= sizeof path) {
        http_refuse(connection, 404, "", "There is no such page; the viewer is at /.");
        return -1;
    }
    memcpy(path, in, length);
    path[length] = '\0';
    return http_request(connection, path);
}

static int on_event(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t length) {
    (void)user;
    struct net *net = lws_context_user(lws_get_context(wsi));
    /* For anything else than an accepted socket there is none. */
    struct net_connection *connection = lws_get_opaque_user_data(wsi);
    switch (reason) {
    case LWS_CALLBACK_WSI_CREATE:
        net->adopted = net->adopting;
        return 0;
    case LWS_CALLBACK_SERVER_NEW_CLIENT_INSTANTIATED:
        if (!connection) return -1;
        connection->wsi = wsi;
        return 0;
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:
        /* `in` may point to freed memory here (CVE-2025-11677): never looked at. */
        return connection ? admit_upgrade(connection) : -1;
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION:
        return connection && connection->admitted ? 0 : -1;
    case LWS_CALLBACK_HTTP:
        return connection ? on_http(connection, in, length) : -1;
    case LWS_CALLBACK_HTTP_WRITEABLE:
        return connection ? http_writeable(connection) : -1;
    case LWS_CALLBACK_HTTP_BODY:
        return -1;
    case LWS_CALLBACK_RAW_ADOPT:
        return -1; /* CONNECT would make a raw socket */
    case LWS_CALLBACK_ESTABLISHED:
        return connection && client_open(connection) ? 0 : -1;
    case LWS_CALLBACK_RECEIVE:
        return connection && connection->client ? client_receive(connection->client, in, length) : -1;
    case LWS_CALLBACK_SERVER_WRITEABLE:
        return connection && connection->client ? client_writeable(connection->client) : 0;
    case LWS_CALLBACK_CLOSED:
        if (connection && connection->client) client_closed(connection->client);
        return 0;
    case LWS_CALLBACK_WSI_DESTROY:
        if (connection) {
            lws_set_opaque_user_data(wsi, NULL);
            if (connection->client) client_closed(connection->client);
            free_connection(connection);
        }
        return 0;
    default:
        return 0;
    }
}

static void set_accepting(struct net *net, bool accepting);

/* Hands an accepted socket to the library; closes it on failure. */
static void adopt(struct net *net, int fd, const char *address) {
    struct net_connection *connection = calloc(1, sizeof *connection);
    if (!connection) {
        close(fd);
        return;
    }
    connection->net = net;
    snprintf(connection->address, sizeof connection->address, "%s", address);
    ++net->socket_count;
    socket_tune(fd, net->config.send_buffer_bytes);
    const lws_adopt_desc_t info = {.vh = net->vhost,
                                   .type = LWS_ADOPT_SOCKET | LWS_ADOPT_HTTP,
                                   .fd = {.sockfd = fd},
                                   .opaque = connection};
    net->adopting = true;
    net->adopted = false;
    const struct lws *wsi = lws_adopt_descriptor_vhost_via_info(&info);
    net->adopting = false;
    /* Once it has made its own object, the connection goes with that. */
    if (!wsi && !net->adopted) free_connection(connection);
}

static void on_acceptable(uv_poll_t *poll, int status, int events) {
    struct net *net = poll->data;
    (void)status;
    (void)events;
    for (int i = 0; i < ACCEPTS_PER_EVENT; ++i) {
        struct sockaddr_storage peer;
        socklen_t length = sizeof peer;
        char address[INET6_ADDRSTRLEN] = "";
        int fd = accept4(net->listen_fd, (struct sockaddr *)&peer, &length, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd < 0) {
            if (errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS) {
                /* Nobody can be let in: look again when the timer comes round. */
                if (net_may_log(net)) log_line(LOG_WARNING, "cannot accept: %s", strerror(errno));
                set_accepting(net, false);
            }
            return;
        }
        if (net->socket_count >= net->max_sockets) {
            ++net->metrics.refused_sockets;
            close(fd);
            continue;
        }
        const struct sockaddr_in *v4 = (const struct sockaddr_in *)&peer;
        const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)&peer;
        if (peer.ss_family == AF_INET) inet_ntop(AF_INET, &v4->sin_addr, address, sizeof address);
        if (peer.ss_family == AF_INET6) inet_ntop(AF_INET6, &v6->sin6_addr, address, sizeof address);
        adopt(net, fd, address);
    }
}

static void set_accepting(struct net *net, bool accepting) {
    if (accepting == net->accepting) return;
    net->accepting = accepting;
    if (accepting) {
        uv_poll_start(&net->listen_poll, UV_READABLE, on_acceptable);
    } else {
        uv_poll_stop(&net->listen_poll);
    }
}

static void on_check(uv_timer_t *timer) {
    struct net *net = timer->data;
    uint64_t now_ms = net_now_ms(net);
    set_accepting(net, true);
    for (struct net_client *client = net->clients, *next; client; client = next) {
        next = client->next;
        client_check(client, now_ms);
    }
}

static void on_closer(uv_timer_t *timer) {
    struct net *net = timer->data;
    for (struct net_client *client = net->clients, *next; client; client = next) {
        next = client->next;
        client_finish(client);
    }
}

void net_schedule_close(struct net *net) {
    uv_timer_start(&net->closer_timer, on_closer, 0, 0);
}

static bool create_context(struct net *net) {
    static const uint32_t backoff[] = {1000};
    static const lws_retry_bo_t policy = {.retry_ms_table = backoff,
                                          .retry_ms_table_count = 1,
                                          .conceal_count = 1,
                                          /* equal values would abort without a ping */
                                          .secs_since_valid_ping = NET_PING_S,
                                          .secs_since_valid_hangup = NET_HANGUP_S};
    void *loops[] = {net->loop};
    /* [0] is also what a client without a subprotocol gets. */
    const char *names[] = {"clothd.v1", net->refused_version};
    strcpy(net->refused_version, "-");
    for (int i = 0; i < 2; ++i) {
        net->protocols[i] = (struct lws_protocols){
            .name = names[i],
            .callback = on_event,
            .rx_buffer_size = NET_READ_BYTES,
            /* A frame is handed to the kernel whole: pieces would be copied per client. */
            .tx_packet_size = MOST_FRAME_BYTES,
        };
    }
    const struct lws_context_creation_info info = {
        .port = CONTEXT_PORT_NO_LISTEN_SERVER,
        .protocols = net->protocols,
        .extensions = NULL, /* deflate costs a hundred times the send, once per client */
        /* UTF-8 is the decoder's to check: it answers with the byte's place, and the session stays. */
        .options = LWS_SERVER_OPTION_LIBUV | LWS_SERVER_OPTION_SKIP_SERVER_CANONICAL_NAME,
        .foreign_loops = loops,
        .alpn = "http/1.1", /* HTTP/2 of this version lacks fixes */
        .max_http_header_data = NET_HEADER_BYTES,
        .pt_serv_buf_size = 2 * NET_READ_BYTES,
        .timeout_secs = net->config.handshake_s,
        .timeout_secs_ah_idle = net->config.handshake_s,
        .keepalive_timeout = (int)net->config.handshake_s,
        .retry_and_idle_policy = &policy,
        .user = net,
        .vhost_name = "clothd",
    };
    lws_set_log_level(LLL_ERR, library_log);
    net->context = lws_create_context(&info);
    if (net->context) net->vhost = lws_get_vhost_by_name(net->context, "clothd");
    return net->context && net->vhost;
}

/* How many sockets and sessions the process may have; says so where that is less than asked. */
static void size_tables(struct net *net) {
    uint32_t open = socket_open_descriptors();
    uint32_t wanted = net->config.max_clients + NET_EXTRA_SOCKETS + SOCKET_RESERVE + open;
    uint32_t limit = socket_set_descriptor_limit(wanted < 1024 ? 1024 : wanted);
    uint32_t room = limit > open + SOCKET_RESERVE ? limit - open - SOCKET_RESERVE : 1;
    uint32_t extra = room / 4 < NET_EXTRA_SOCKETS ? room / 4 : NET_EXTRA_SOCKETS;
    net->max_clients = net->config.max_clients;
    if (room - extra < net->max_clients) {
        net->max_clients = room - extra;
        log_line(LOG_WARNING, "only %u of %u clients fit into this process's %u descriptors (ulimit -n)",
                 net->max_clients, net->config.max_clients, limit);
    }
    net->max_sockets = net->max_clients + extra;
}

static void on_closed(uv_handle_t *handle) {
    struct net *net = handle->data;
    --net->open_handles;
}

static void close_handles(struct net *net) {
    uv_handle_t *handles[] = {(uv_handle_t *)&net->listen_poll, (uv_handle_t *)&net->check_timer,
                              (uv_handle_t *)&net->closer_timer};
    for (size_t i = 0; i < sizeof handles / sizeof handles[0]; ++i) {
        if (handles[i]->data && !uv_is_closing(handles[i])) uv_close(handles[i], on_closed);
    }
}

struct net *net_create(uv_loop_t *loop, const struct net_config *config, char *message, size_t message_size) {
    static_assert((int)BUFFER_HEADROOM >= (int)LWS_PRE, "a frame's header must fit before its bytes");
    struct net *net = calloc(1, sizeof *net);
    if (!net) {
        snprintf(message, message_size, "out of memory");
        return NULL;
    }
    net->loop = loop;
    net->config = *config;
    if (net->config.stall_ms == 0) net->config.stall_ms = NET_STALL_MS;
    if (net->config.handshake_s == 0) net->config.handshake_s = NET_HANDSHAKE_S;
    net->port = config->port;
    net->loopback = auth_is_loopback(config->bind);
    net->budget.max = REASSEMBLY_BUDGET_BYTES;
    net->listen_fd = socket_listen(config->bind, &net->port, message, message_size);
    if (net->listen_fd < 0) {
        free(net);
        return NULL;
    }
    site_load(&net->site, config->web_dir);
    size_tables(net);
    const struct hub_callbacks callbacks = client_hub_callbacks(net);
    net->hub = hub_create(&callbacks);
    net->fragment = malloc(LWS_PRE + LANE_FRAGMENT_BYTES);
    if (!net->hub || !net->fragment || !create_context(net)) {
        snprintf(message, message_size,
                 "the WebSocket library does not start (is the package libwebsockets-evlib-uv "
                 "installed?)");
        net_destroy(net);
        return NULL;
    }
    net->listen_poll.data = net->check_timer.data = net->closer_timer.data = net;
    uv_poll_init(loop, &net->listen_poll, net->listen_fd);
    uv_timer_init(loop, &net->check_timer);
    uv_timer_init(loop, &net->closer_timer);
    net->open_handles = 3;
    uv_timer_start(&net->check_timer, on_check, NET_CHECK_MS, NET_CHECK_MS);
    set_accepting(net, true);
    return net;
}

bool net_is_loopback(const char *bind) {
    return auth_is_loopback(bind);
}

uint16_t net_port(const struct net *net) {
    return net->port;
}

uint32_t net_capacity(const struct net *net) {
    return net->max_clients;
}

bool net_is_draining(const struct net *net) {
    return net->draining;
}

void net_drain(struct net *net) {
    net->draining = true;
}

void net_close_all(struct net *net, uint16_t code, const char *reason) {
    for (struct net_client *client = net->clients; client; client = client->next) {
        client_start_close(client, code, reason);
    }
}

/* Closing takes a turn of the loop or two; other handles of the loop must not make it wait. */
static void run_closing(struct net *net) {
    for (int turn = 0; turn < 1000; ++turn) {
        uv_run(net->loop, UV_RUN_NOWAIT);
        if (turn > 0 && net->socket_count == 0 && net->open_handles == 0) return;
    }
}

void net_destroy(struct net *net) {
    if (!net) return;
    uv_update_time(net->loop);
    uint64_t give_up_ms = net_now_ms(net) + NET_GRACE_MS;
    /* Close frames first, for as long as somebody takes them. */
    if (net->clients) {
        net_close_all(net, 1001, "going away");
        while (net->clients && net_now_ms(net) < give_up_ms) {
            uv_timer_start(&net->closer_timer, on_closer, 10, 0);
            uv_run(net->loop, UV_RUN_ONCE);
        }
    }
    close_handles(net);
    /* The first call closes every socket and starts closing the library's handles; they
     * are gone after the loop ran; the second call frees the rest. One alone leaks. */
    if (net->context) {
        lws_context_destroy(net->context);
        run_closing(net);
        lws_context_destroy(net->context);
        uv_run(net->loop, UV_RUN_NOWAIT);
    }
    run_closing(net);
    close(net->listen_fd);
    hub_destroy(net->hub);
    site_free(&net->site);
    free(net->fragment);
    free(net);
}

void net_get_metrics(const struct net *net, struct net_metrics *metrics) {
    *metrics = net->metrics;
    metrics->clients = net->client_count;
    metrics->open_descriptors = socket_open_descriptors();
    metrics->control_queued = metrics->binary_queued = 0;
    for (const struct net_client *client = net->clients; client; client = client->next) {
        metrics->control_queued += client->lane.text_count;
        metrics->binary_queued += client->lane.binary_count;
    }
    metrics->reassembly_bytes = net->budget.used;
}
