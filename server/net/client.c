/* A session: what comes in is made whole and handed up, what goes out waits in the lane
 * or in the hub until the socket takes it. One write per writeable event, nowhere else. */
#include <net/net_internal.h>
#include <net/socket.h>
#include <base/log.h>
#include <stdlib.h>
#include <string.h>

/* A lane over its bound ends the session when the socket has not moved for a moment: many
 * answers may come at once to a client that reads, and a scene of thousands of objects is a
 * text for each that goes and each that comes. So many times the bound is the end anyway. */
enum { LANE_HARD_COUNT = 128, LANE_HARD_BYTES = 16, LANE_PATIENCE_MS = 2000 };

/* Who left while nothing is read from it has what it had sent executed for so long, then it is gone:
 * a world.step of hours must not outlive its caller. */
enum { LEFT_PATIENCE_MS = 2000 };

struct net_client *client_find(const struct net *net, uint32_t id) {
    struct net_client *client = net->buckets[id % NET_CLIENT_BUCKETS];
    while (client && client->hub.id != id)
        client = client->next_in_bucket;
    return client;
}

bool client_open(struct net_connection *connection) {
    struct net *net = connection->net;
    struct net_client *client = calloc(1, sizeof *client);
    if (!client) return false;
    client->hub.id = ++net->next_client;
    client->net = net;
    client->wsi = connection->wsi;
    client->connection = connection;
    client->reading = true;
    client->progress_ms = net_now_ms(net);
    lane_init(&client->lane, net->config.lane_max_messages, net->config.lane_max_bytes);
    struct net_client **bucket = &net->buckets[client->hub.id % NET_CLIENT_BUCKETS];
    client->next_in_bucket = *bucket;
    *bucket = client;
    client->next = net->clients;
    if (client->next) client->next->link = &client->next;
    client->link = &net->clients;
    net->clients = client;
    connection->client = client;
    ++net->client_count;

    const struct net_client_info info = {.client = client->hub.id,
                                         .role = connection->role,
                                         .loopback = net->loopback,
                                         .token = connection->token,
                                         .address = connection->address};
    net->config.callbacks.open(net->config.callbacks.context, &info, connection->version_refused);
    return true;
}

void client_closed(struct net_client *client) {
    struct net *net = client->net;
    struct net_client **bucket = &net->buckets[client->hub.id % NET_CLIENT_BUCKETS];
    while (*bucket != client)
        bucket = &(*bucket)->next_in_bucket;
    *bucket = client->next_in_bucket;
    *client->link = client->next;
    if (client->next) client->next->link = client->link;
    --net->client_count;
    hub_leave_all(net->hub, &client->hub);
    lane_clear(&client->lane);
    reassembly_reset(&client->reassembly, &net->budget);
    client->connection->client = NULL;
    net->config.callbacks.close(net->config.callbacks.context, client->hub.id);
    free(client);
}

/* Whether there is anything that the library should ask us for. */
static void want_write(struct net_client *client) {
    if (!client->close_sent) lws_callback_on_writable(client->wsi);
}

/* Reading stops while too much waits for this client; what was read already stays with the library. */
static void adjust_reading(struct net_client *client) {
    bool full = client->reading ? lane_is_above(&client->lane, 3, 4) : lane_is_above(&client->lane, 1, 2);
    bool reading = !client->held && !full && !client->closing;
    if (reading == client->reading || client->close_sent) return;
    client->reading = reading;
    lws_rx_flow_control(client->wsi, reading);
}

void client_start_close(struct net_client *client, uint16_t code, const char *reason) {
    if (client->closing) return;
    client->closing = true;
    client->close_code = code;
    size_t length = strnlen(reason, sizeof client->close_reason - 1);
    memcpy(client->close_reason, reason, length);
    client->close_reason[length] = '\0';
    hub_leave_all(client->net->hub, &client->hub);
    reassembly_reset(&client->reassembly, &client->net->budget);
    adjust_reading(client);
    net_schedule_close(client->net);
}

void client_finish(struct net_client *client) {
    if (!client->closing || client->close_sent) return;
    if (!lane_is_empty(&client->lane) || lws_partial_buffered(client->wsi)) return;
    client->close_sent = true;
    lws_close_reason(client->wsi, (enum lws_close_status)client->close_code,
                     (unsigned char *)client->close_reason, strlen(client->close_reason));
    lws_set_timeout(client->wsi, PENDING_TIMEOUT_CLOSE_SEND, LWS_TO_KILL_SYNC);
}

void client_abort(struct net_client *client) {
    client->closing = client->close_sent = client->aborted = true;
    /* The library would first try to flush; on a socket that is shut down it cannot, and
     * its timers are not looked at before the next event, which this brings about. */
    socket_abort(lws_get_socket_fd(client->wsi));
    lws_callback_on_writable(client->wsi);
}

static void close_slow(struct net_client *client) {
    if (client->close_sent) return;
    struct net *net = client->net;
    ++net->metrics.closed_slow;
    if (net_may_log(net)) {
        log_line(LOG_INFO, "client too slow client=%u address=%s", client->hub.id,
                 client->connection->address);
    }
    int fd = lws_get_socket_fd(client->wsi);
    if (client->closing || lws_partial_buffered(client->wsi) || socket_waiting_bytes(fd) > 0) {
        client_abort(client);
        return;
    }
    lane_clear(&client->lane);
    client_start_close(client, 4408, "too slow");
}

static bool has_left(struct net_client *client, int fd, uint64_t now_ms) {
    if (client->reading || client->close_sent || !socket_peer_has_left(fd)) {
        client->left_ms = 0;
        return false;
    }
    if (client->left_ms == 0) client->left_ms = now_ms;
    return now_ms - client->left_ms >= LEFT_PATIENCE_MS;
}

void client_check(struct net_client *client, uint64_t now_ms) {
    const struct net *net = client->net;
    int fd = lws_get_socket_fd(client->wsi);
    if (has_left(client, fd, now_ms)) {
        client_abort(client);
        return;
    }
    uint64_t acked = socket_acked_bytes(fd);
    bool waiting =
        lws_partial_buffered(client->wsi) || !lane_is_empty(&client->lane) || socket_waiting_bytes(fd) > 0;
    /* While we do not read we cannot see its pongs: that is not its fault. */
    if (!client->reading && !client->close_sent) lws_validity_confirmed(client->wsi);
    if (!waiting || acked != client->acked_bytes) {
        /* A slow link that moves is alive: its pong may stand behind seconds of data. */
        if (waiting && !client->close_sent) lws_validity_confirmed(client->wsi);
        client->progress_ms = now_ms;
        client->acked_bytes = acked;
    } else if (now_ms - client->progress_ms >= net->config.stall_ms) {
        close_slow(client);
    }
}

int client_receive(struct net_client *client, const void *bytes, size_t length) {
    struct net *net = client->net;
    if (client->closing) return 0;
    if (lws_frame_is_binary(client->wsi)) {
        client_start_close(client, 1003, "send JSON text");
        return 0;
    }
    enum reassembly_result result =
        reassembly_add(&client->reassembly, &net->budget, net->config.max_message_bytes, bytes, length,
                       lws_remaining_packet_payload(client->wsi), lws_is_first_fragment(client->wsi) != 0,
                       lws_is_final_fragment(client->wsi) != 0);
    const struct net_callbacks *callbacks = &net->config.callbacks;
    if (result == REASSEMBLY_TOO_BIG) {
        client_start_close(client, 1009, "message too big");
    } else if (result == REASSEMBLY_BUSY) {
        callbacks->overload(callbacks->context, client->hub.id);
    } else if (result == REASSEMBLY_WHOLE) {
        /* Taken out first: the callback may close the client. */
        struct reassembly whole = client->reassembly;
        client->reassembly = (struct reassembly){0};
        callbacks->text(callbacks->context, client->hub.id, whole.text, whole.length);
        reassembly_reset(&whole, &net->budget);
    }
    return 0;
}

static int write_piece(struct net_client *client, const struct lane_piece *piece) {
    struct net *net = client->net;
    unsigned char *data = piece->buffer->data + piece->offset;
    int kind = piece->first ? (piece->binary ? LWS_WRITE_BINARY : LWS_WRITE_TEXT) : LWS_WRITE_CONTINUATION;
    if (!piece->final) kind |= LWS_WRITE_NO_FIN;
    if (!(piece->first && piece->final)) {
        /* The header goes before the piece, where the shared buffer holds other bytes. */
        memcpy(net->fragment + LWS_PRE, data, piece->length);
        data = net->fragment + LWS_PRE;
    }
    return lws_write(client->wsi, data, piece->length, (enum lws_write_protocol)kind);
}

int client_writeable(struct net_client *client) {
    struct net *net = client->net;
    const struct net_callbacks *callbacks = &net->config.callbacks;
    uint64_t now_ms = net_now_ms(net);
    struct lane_piece piece;
    struct hub_frame frame;
    if (client->close_sent) return client->aborted ? -1 : 0;
    client->hub.blocked = false;
    if (lane_next(&client->lane, &piece)) {
        size_t length = piece.length;
        if (write_piece(client, &piece) < 0) return -1;
        lane_advance(&client->lane, &piece);
        net->metrics.bytes_sent += length;
        callbacks->sent(callbacks->context, client->hub.id, length, false);
        adjust_reading(client);
    } else if (!client->closing && hub_next(net->hub, &client->hub, now_ms, &frame)) {
        size_t length = frame.buffer->length;
        if (lws_write(client->wsi, frame.buffer->data, length, LWS_WRITE_BINARY) < 0) return -1;
        hub_sent(net->hub, &client->hub, &frame, now_ms);
        ++net->metrics.frames_sent;
        net->metrics.bytes_sent += length;
        callbacks->sent(callbacks->context, client->hub.id, length, true);
    } else {
        if (client->closing) net_schedule_close(net);
        return 0;
    }
    client->hub.blocked = lws_partial_buffered(client->wsi) != 0;
    /* A blocked socket calls again by itself once the library has got rid of the rest. */
    if (!lane_is_empty(&client->lane) || client->closing || hub_has_frame(&client->hub)) want_write(client);
    return 0;
}

static void push(struct net *net, uint32_t id, struct buffer *buffer, bool binary) {
    struct net_client *client = client_find(net, id);
    if (!client || client->closing) {
        buffer_unref(buffer);
        return;
    }
    if (!lane_push(&client->lane, buffer, binary)) {
        /* Control is never dropped: a client that would miss a message goes instead. */
        client_abort(client);
        return;
    }
    bool stuck = net_now_ms(net) - client->progress_ms >= LANE_PATIENCE_MS;
    if (lane_is_over(&client->lane, stuck ? 1 : LANE_HARD_COUNT, stuck ? 1 : LANE_HARD_BYTES)) {
        close_slow(client);
        return;
    }
    adjust_reading(client);
    want_write(client);
}

void net_send_text(struct net *net, uint32_t client, struct buffer *buffer) {
    push(net, client, buffer, false);
}

void net_send_binary(struct net *net, uint32_t client, struct buffer *buffer) {
    push(net, client, buffer, true);
}

void net_join(struct net *net, uint32_t id, uint32_t tier, bool ack) {
    struct net_client *client = client_find(net, id);
    if (client && !client->closing && !hub_join(net->hub, &client->hub, tier, ack)) client_abort(client);
}

void net_move(struct net *net, uint32_t id, uint32_t from, uint32_t tier) {
    struct net_client *client = client_find(net, id);
    if (client && !client->closing && !hub_move(net->hub, &client->hub, from, tier)) client_abort(client);
}

void net_leave(struct net *net, uint32_t id, uint32_t tier) {
    struct net_client *client = client_find(net, id);
    if (client) hub_leave(net->hub, &client->hub, tier);
}

void net_publish(struct net *net, uint32_t tier, uint32_t tick, uint32_t base_tick, struct buffer *delta,
                 struct buffer *key) {
    hub_publish(net->hub, tier, tick, base_tick, delta, key, net_now_ms(net));
}

void net_tier_end(struct net *net, uint32_t tier) {
    hub_tier_end(net->hub, tier);
}

void net_ack(struct net *net, uint32_t id, uint32_t tick) {
    struct net_client *client = client_find(net, id);
    if (client) hub_ack(net->hub, &client->hub, tick, net_now_ms(net));
}

void net_hold(struct net *net, uint32_t id, bool hold) {
    struct net_client *client = client_find(net, id);
    if (!client) return;
    client->held = hold;
    adjust_reading(client);
}

void net_close(struct net *net, uint32_t id, uint16_t code, const char *reason) {
    struct net_client *client = client_find(net, id);
    if (client) client_start_close(client, code, reason);
}

static bool hub_want_key(void *context, uint32_t tier) {
    const struct net *net = context;
    return net->config.callbacks.want_key(net->config.callbacks.context, tier);
}

static void hub_wake(void *context, struct hub_client *client) {
    (void)context;
    want_write((struct net_client *)client);
}

static void hub_skipped(void *context, struct hub_client *client, enum hub_skip cause) {
    struct net *net = context;
    uint64_t *counters[HUB_SKIP_CAUSES] = {&net->metrics.skipped_not_writable, &net->metrics.skipped_unacked,
                                           &net->metrics.skipped_no_key};
    ++*counters[cause];
    net->config.callbacks.skipped(net->config.callbacks.context, client->id);
}

struct hub_callbacks client_hub_callbacks(struct net *net) {
    return (struct hub_callbacks){
        .context = net, .want_key = hub_want_key, .wake = hub_wake, .skipped = hub_skipped};
}
