/* From the sockets to the simulation: sessions begin and end, texts become requests.
 * Bad input ends here, with a reply; a full inbox is answered, never waited for. */
#include <app/bridge_internal.h>
#include <app/metrics.h>
#include <wire/errors.h>
#include <wire/reply.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

enum { RETRY_MS = 5 };

static uint64_t now_ms(const struct bridge *bridge) {
    return uv_now(bridge->loop);
}

void requests_send_json(struct bridge *bridge, uint32_t client, struct json *json) {
    struct buffer *buffer = json->failed ? NULL : buffer_copy(json->text, json->length);
    json_free(json);
    if (buffer) {
        net_send_text(bridge->net, client, buffer);
    } else {
        net_close(bridge->net, client, 1011, "out of memory");
    }
}

static void send_error(struct bridge *bridge, uint32_t client, const struct wire_error *error) {
    struct json json;
    json_init(&json);
    reply_error(&json, error);
    requests_send_json(bridge, client, &json);
}

static void on_retry(uv_timer_t *timer) {
    struct bridge *bridge = timer->data;
    while (bridge->deferred_first && sim_push(bridge->sim, bridge->deferred_first->input)) {
        struct deferred *first = bridge->deferred_first;
        bridge->deferred_first = first->next;
        free(first);
    }
    if (!bridge->deferred_first) {
        bridge->deferred_last = NULL;
        uv_timer_stop(timer);
    }
}

/* False = full: input is still the caller's. */
static bool push(struct bridge *bridge, struct sim_input *input) {
    return bridge->running && !bridge->deferred_first && sim_push(bridge->sim, input);
}

static void push_or_defer(struct bridge *bridge, struct sim_input *input) {
    if (push(bridge, input)) return;
    struct deferred *deferred = bridge->running ? calloc(1, sizeof *deferred) : NULL;
    if (!deferred) {
        sim_input_free(input);
        return;
    }
    deferred->input = input;
    if (bridge->deferred_last) {
        bridge->deferred_last->next = deferred;
    } else {
        bridge->deferred_first = deferred;
    }
    bridge->deferred_last = deferred;
    uv_timer_start(&bridge->retry_timer, on_retry, RETRY_MS, RETRY_MS);
}

/* 32 hexadecimal digits that a client can tell sessions apart by. */
static bool make_session_name(char name[33]) {
    unsigned char random[16];
    if (getrandom(random, sizeof random, 0) != (ssize_t)sizeof random) return false;
    for (int i = 0; i < 16; ++i)
        sprintf(name + 2 * i, "%02x", random[i]);
    return true;
}

static void refuse_version(struct bridge *bridge, uint32_t client) {
    struct json json;
    json_init(&json);
    notification_begin(&json, "hello");
    json_key(&json, "server");
    json_string(&json, "clothd");
    json_key(&json, "version");
    json_string(&json, bridge->version);
    json_key(&json, "protocol");
    json_integer(&json, 1);
    json_key(&json, "error");
    json_begin_object(&json);
    json_key(&json, "code");
    json_integer(&json, 4406);
    json_key(&json, "message");
    json_string(&json, "This server speaks clothd.v1 only; offer the subprotocol clothd.v1.");
    json_key(&json, "data");
    json_begin_object(&json);
    json_key(&json, "reason");
    json_string(&json, "version");
    json_key(&json, "supported");
    json_begin_array(&json);
    json_string(&json, "clothd.v1");
    json_end_array(&json);
    json_end_object(&json);
    json_end_object(&json);
    notification_end(&json);
    requests_send_json(bridge, client, &json);
    net_close(bridge->net, client, 4406, "unknown protocol version, use clothd.v1");
}

static void on_open(void *context, const struct net_client_info *info, bool version_refused) {
    struct bridge *bridge = context;
    char key[80];
    struct session *session = session_add(&bridge->sessions, info->client);
    struct sim_input *input = NULL;
    if (!session) goto failed;
    session->role = info->role;
    session->loopback = info->loopback;
    session->refused = version_refused;
    if (version_refused) {
        refuse_version(bridge, info->client);
        return;
    }
    if (info->token >= 0) {
        snprintf(key, sizeof key, "token %d", info->token);
    } else {
        snprintf(key, sizeof key, "%s", info->address);
    }
    session->bucket = rate_open(&bridge->rates, key, now_ms(bridge));
    input = sim_input_create(SIM_CLIENT_OPEN, info->client);
    if (!session->bucket || !input || !make_session_name(input->open.session)) goto failed;
    input->open.role = info->role == NET_ROLE_CONTROL ? SIM_ROLE_CONTROL : SIM_ROLE_VIEW;
    input->open.loopback = info->loopback;
    atomic_fetch_add(&session->counters->refs, 1);
    input->open.counters = session->counters;
    if (!push(bridge, input)) goto failed;
    return;
failed:
    /* It never became known to the simulation, which therefore is not told of its end. */
    if (session) session->refused = true;
    sim_input_free(input);
    net_close(bridge->net, info->client, 1013, "busy, try again");
}

static void on_close(void *context, uint32_t client) {
    struct bridge *bridge = context;
    struct session *session = session_find(&bridge->sessions, client);
    if (!session) return;
    if (session->bucket) rate_close(&bridge->rates, session->bucket, now_ms(bridge));
    if (!session->refused) {
        struct sim_input *input = sim_input_create(SIM_CLIENT_CLOSE, client);
        if (input) push_or_defer(bridge, input);
    }
    session_remove(&bridge->sessions, session);
}

struct rate_question {
    struct bridge *bridge;
    struct session *session;
    enum wire_command command;
};

/* The world that a command without `world` means, or NULL where it means none. */
static const char *default_world(enum wire_command command) {
    if (command == WIRE_COMMAND_COUNT || command == WIRE_world_list || command == WIRE_stream_ack)
        return NULL;
    const char *method = wire_command_get_info(command)->method;
    bool server = strncmp(method, "server.", 7) == 0 || strncmp(method, "client.", 7) == 0;
    return server ? NULL : "main";
}

static bool may_ask(void *context, enum wire_command command, const char *world) {
    struct rate_question *question = context;
    struct bridge *bridge = question->bridge;
    question->command = command;
    if (!world) world = default_world(command);
    /* A program that steps its own paused world on this machine may go as fast as it can. */
    if (question->session->loopback && world && world_states_is_paused(&bridge->worlds, world)) return true;
    enum rate_kind kind = command == WIRE_stream_ack ? RATE_ACKS : RATE_COMMANDS;
    return rate_take(&bridge->rates, question->session->bucket, kind, now_ms(bridge));
}

static void count_refusal(struct bridge *bridge, const struct wire_error *error, enum wire_command command) {
    enum bridge_refusal refusal = BRIDGE_INVALID;
    if (error->code == WIRE_CODE_rate_limited) refusal = BRIDGE_RATE;
    if (error->code == WIRE_CODE_busy) refusal = BRIDGE_BUSY;
    if (error->code == WIRE_CODE_forbidden) refusal = BRIDGE_ROLE;
    ++bridge->metrics.refused[refusal];
    ++bridge->metrics.refused_commands[command];
}

static void refuse(struct bridge *bridge, struct session *session, struct wire_error *error,
                   enum wire_command command) {
    count_refusal(bridge, error, command);
    if (error->answer) send_error(bridge, session->client, error);
    free(error->data_json);
    if (error->code == WIRE_CODE_rate_limited && rate_is_flood(&session->streak, now_ms(bridge))) {
        net_close(bridge->net, session->client, 1008, "flood: rate limited for 10 seconds");
    }
}

static void refuse_busy(struct bridge *bridge, struct session *session, const char *id, bool answer,
                        enum wire_command command) {
    struct wire_error error = {.answer = answer};
    WIRE_FAIL(&error, busy, "", "The server's queue of commands is full; try again in a few milliseconds.");
    snprintf(error.id_json, sizeof error.id_json, "%s", id);
    refuse(bridge, session, &error, command);
}

static void take_ack(struct bridge *bridge, struct session *session, const struct wire_request *request) {
    const struct wire_stream_ack *ack = request->params;
    uint32_t tick = (uint32_t)ack->tick;
    net_ack(bridge->net, session->client, tick);
    atomic_store(&session->counters->acked_tick, tick);
    if (!request->wants_reply) return;
    struct json json;
    json_init(&json);
    reply_begin(&json, request->id_json);
    json_key(&json, "tick");
    json_integer(&json, tick);
    reply_end(&json);
    requests_send_json(bridge, session->client, &json);
}

/* What may keep the simulation busy for a good part of a second. A client has one of these
 * under way, so that those of others come in between. */
static bool is_heavy(enum wire_command command, size_t length) {
    switch (command) {
    case WIRE_cloth_positions:
    case WIRE_cloth_velocities:
    case WIRE_cloth_edges:
    case WIRE_cloth_add:
    case WIRE_cloth_remove:
    case WIRE_world_create:
    case WIRE_world_load:
        return true;
    default:
        return length > BRIDGE_HEAVY_BYTES;
    }
}

void requests_update_hold(struct bridge *bridge, struct session *session) {
    session->heavy = session->heavy && session->unanswered > 0;
    bool held = session->heavy  ? true
                : session->held ? session->unanswered > BRIDGE_UNANSWERED_RESUME
                                : session->unanswered >= BRIDGE_UNANSWERED_HOLD;
    if (held == session->held) return;
    session->held = held;
    net_hold(bridge->net, session->client, held);
}

static void on_text(void *context, uint32_t client, char *text, size_t length) {
    struct bridge *bridge = context;
    struct session *session = session_find(&bridge->sessions, client);
    if (!session || session->refused) return;
    struct rate_question question = {bridge, session, WIRE_COMMAND_COUNT};
    const struct wire_decode_rules rules = {.may_control = session->role == NET_ROLE_CONTROL,
                                            .max_depth = bridge->limits.max_json_depth,
                                            .rate = may_ask,
                                            .context = &question};
    struct wire_error error = {0};
    struct wire_request *request = wire_request_decode(text, length, &rules, &error);
    if (!request) {
        refuse(bridge, session, &error, question.command);
        return;
    }
    if (request->command == WIRE_stream_ack) {
        take_ack(bridge, session, request);
        wire_request_destroy(request);
        return;
    }
    struct sim_input *input = sim_input_create(SIM_REQUEST, client);
    /* Once pushed the request is the simulation's. */
    bool answer = request->wants_reply, heavy = answer && is_heavy(request->command, length);
    if (input) {
        input->request = request;
        if (push(bridge, input)) {
            session->unanswered += answer;
            session->heavy = session->heavy || heavy;
            requests_update_hold(bridge, session);
            return;
        }
        input->request = NULL;
        sim_input_free(input);
    }
    refuse_busy(bridge, session, request->id_json, answer, request->command);
    wire_request_destroy(request);
}

static void on_overload(void *context, uint32_t client) {
    struct bridge *bridge = context;
    struct session *session = session_find(&bridge->sessions, client);
    if (session) refuse_busy(bridge, session, "null", true, WIRE_COMMAND_COUNT);
}

static bool on_want_key(void *context, uint32_t tier) {
    struct bridge *bridge = context;
    struct sim_input *input = sim_input_create(SIM_WANT_KEY, 0);
    if (!input) return false;
    input->tier = tier;
    if (push(bridge, input)) return true;
    sim_input_free(input);
    return false;
}

static void on_sent(void *context, uint32_t client, size_t bytes, bool frame) {
    struct bridge *bridge = context;
    const struct session *session = session_find(&bridge->sessions, client);
    if (!session) return;
    atomic_fetch_add(&session->counters->bytes_sent, bytes);
    if (frame) atomic_fetch_add(&session->counters->frames_sent, 1);
}

static void on_skipped(void *context, uint32_t client) {
    struct bridge *bridge = context;
    const struct session *session = session_find(&bridge->sessions, client);
    if (session) atomic_fetch_add(&session->counters->frames_skipped, 1);
}

static struct net_http_reply on_http(void *context, const char *path) {
    const struct bridge *bridge = context;
    return metrics_answer(bridge, path, bridge->draining || !bridge->running);
}

void requests_init(struct bridge *bridge) {
    uv_timer_init(bridge->loop, &bridge->retry_timer);
}

struct net_callbacks requests_callbacks(struct bridge *bridge) {
    return (struct net_callbacks){.context = bridge,
                                  .open = on_open,
                                  .text = on_text,
                                  .overload = on_overload,
                                  .close = on_close,
                                  .want_key = on_want_key,
                                  .http = on_http,
                                  .sent = on_sent,
                                  .skipped = on_skipped};
}
