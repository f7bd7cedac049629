/* The bench: see support_sim.h. */
#include "support_sim.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t bench_now(void *context) {
    struct bench *bench = context;
    bench->now_us += bench->read_us;
    return bench->now_us;
}

static void on_wake(void *context) {
    struct bench *bench = context;
    bench->wakes += 1;
}

static void take_outputs(struct bench *bench) {
    struct sim_output *output;
    while ((output = sim_pop(bench->sim)) != NULL) {
        assert(bench->count < BENCH_LOG);
        struct bench_entry *entry = &bench->log[bench->count++];
        *entry = (struct bench_entry){.output = output};
        if (output->kind != SIM_TEXT) continue;
        entry->json = cJSON_ParseWithLength((const char *)output->buffer->data, output->buffer->length);
        assert(entry->json && "every text is JSON");
    }
}

uint64_t bench_run(struct bench *bench) {
    uint64_t next = simulation_run(bench->sim);
    take_outputs(bench);
    return next;
}

void bench_advance(struct bench *bench, uint64_t us) {
    uint64_t end = bench->now_us + us;
    for (;;) {
        uint64_t next = bench_run(bench);
        if (next > end || bench->now_us >= end) break;
        if (next > bench->now_us) bench->now_us = next;
    }
    if (bench->now_us < end) bench->now_us = end;
}

void bench_open(struct bench *bench, const char *spec) {
    char message[256];
    memset(bench, 0, sizeof *bench);
    bench->now_us = 1000000;
    struct sim_config config = {.paused = true,
                                .version = "0",
                                .build = "test",
                                .scene_dir = SOURCE_DIR "/server/scenes",
                                .limits = {.max_clients = 256,
                                           .max_worlds = 4,
                                           .max_vertices_per_world = 2000,
                                           .max_vertices = 3000,
                                           .max_grabs = 3,
                                           .max_snapshots = 3,
                                           .max_snapshot_bytes = 10 << 20,
                                           .max_log_bytes = 1 << 20,
                                           .max_message_bytes = 1 << 24,
                                           .max_json_depth = 16,
                                           .command_rate = 2000,
                                           .handshake_s = 5},
                                .wake = on_wake,
                                .wake_context = bench};
    bench->sim = sim_create(&config, message, sizeof message);
    assert(bench->sim);
    bench->sim->now_us = bench_now;
    bench->sim->now_context = bench;
    bench_connect(bench, 1);
    if (spec) {
        char *params = malloc(strlen(spec) + 16);
        assert(params);
        sprintf(params, "{\"spec\":%s}", spec);
        const cJSON *loaded = bench_call(bench, "world.load", params);
        free(params);
        assert(loaded);
        (void)loaded;
    }
    bench_clear(bench);
}

void bench_clear(struct bench *bench) {
    for (uint32_t i = 0; i < bench->count; ++i) {
        cJSON_Delete(bench->log[i].json);
        sim_output_free(bench->log[i].output);
    }
    bench->count = 0;
}

void bench_close(struct bench *bench) {
    bench_clear(bench);
    sim_destroy(bench->sim);
}

static void push(struct bench *bench, struct sim_input *input) {
    bool pushed = input && sim_push(bench->sim, input);
    assert(pushed);
    (void)pushed;
}

void bench_connect(struct bench *bench, uint32_t client) {
    struct sim_input *input = sim_input_create(SIM_CLIENT_OPEN, client);
    assert(input);
    input->open.role = SIM_ROLE_CONTROL;
    input->open.loopback = true;
    snprintf(input->open.session, sizeof input->open.session, "session%u", client);
    input->open.counters = delivery_counters_create();
    push(bench, input);
    bench_run(bench);
}

void bench_disconnect(struct bench *bench, uint32_t client) {
    push(bench, sim_input_create(SIM_CLIENT_CLOSE, client));
    bench_run(bench);
}

void bench_want_key(struct bench *bench, uint32_t tier) {
    struct sim_input *input = sim_input_create(SIM_WANT_KEY, 0);
    assert(input);
    input->tier = tier;
    push(bench, input);
    bench_run(bench);
}

int bench_send(struct bench *bench, uint32_t client, const char *method, const char *params) {
    struct wire_decode_rules rules = {.may_control = true, .max_depth = 16};
    struct wire_error error = {0};
    const char *used = params ? params : "{}";
    size_t size = strlen(used) + strlen(method) + 96;
    char *text = malloc(size);
    assert(text);
    int id = ++bench->next_id;
    int length = snprintf(text, size, "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"%s\",\"params\":%s}", id,
                          method, used);
    struct sim_input *input = sim_input_create(SIM_REQUEST, client);
    assert(input);
    input->request = wire_request_decode(text, (size_t)length, &rules, &error);
    if (!input->request) {
        printf("%.200s does not decode: %s\n", text, error.message);
        abort();
    }
    free(text);
    push(bench, input);
    return id;
}

const cJSON *bench_reply(const struct bench *bench, int id) {
    for (uint32_t i = 0; i < bench->count; ++i) {
        const cJSON *json = bench->log[i].json;
        if (!json || cJSON_GetObjectItem(json, "method")) continue;
        const cJSON *got = cJSON_GetObjectItem(json, "id");
        if (got && got->valueint == id) return json;
    }
    return NULL;
}

static const cJSON *call(struct bench *bench, uint32_t client, const char *method, const char *params) {
    enum { ROUND_US = 1000, ROUNDS = 10000 };
    int id = bench_send(bench, client, method, params);
    const cJSON *reply = NULL;
    for (int i = 0; i < ROUNDS && !reply; ++i) {
        bench_run(bench);
        reply = bench_reply(bench, id);
        if (!reply) bench->now_us += ROUND_US;
    }
    return reply;
}

const cJSON *bench_call_as(struct bench *bench, uint32_t client, const char *method, const char *params) {
    const cJSON *reply = call(bench, client, method, params);
    const cJSON *result = reply ? cJSON_GetObjectItem(reply, "result") : NULL;
    if (!result) {
        char *text = reply ? cJSON_Print(reply) : NULL;
        printf("%s %.200s: %.500s\n", method, params ? params : "", text ? text : "no reply");
        cJSON_free(text);
    }
    return result;
}

const cJSON *bench_call(struct bench *bench, const char *method, const char *params) {
    return bench_call_as(bench, 1, method, params);
}

const cJSON *bench_refused(struct bench *bench, const char *method, const char *params) {
    const cJSON *reply = call(bench, 1, method, params);
    return reply ? cJSON_GetObjectItem(reply, "error") : NULL;
}

static bool is_notification(const struct bench_entry *entry, uint32_t client, const char *method) {
    if (!entry->json || entry->output->client != client) return false;
    const cJSON *got = cJSON_GetObjectItem(entry->json, "method");
    return got && strcmp(got->valuestring, method) == 0;
}

const cJSON *bench_notification(const struct bench *bench, uint32_t client, const char *method,
                                uint32_t index) {
    for (uint32_t i = 0; i < bench->count; ++i) {
        if (is_notification(&bench->log[i], client, method) && index-- == 0) {
            return cJSON_GetObjectItem(bench->log[i].json, "params");
        }
    }
    return NULL;
}

uint32_t bench_notifications(const struct bench *bench, uint32_t client, const char *method) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < bench->count; ++i)
        count += is_notification(&bench->log[i], client, method);
    return count;
}

uint32_t bench_position(const struct bench *bench, enum sim_output_kind kind, uint32_t client,
                        const char *json_method) {
    for (uint32_t i = 0; i < bench->count; ++i) {
        const struct bench_entry *entry = &bench->log[i];
        if (entry->output->kind != kind || entry->output->client != client) continue;
        if (!json_method || is_notification(entry, client, json_method)) return i;
    }
    return UINT32_MAX;
}

const struct sim_output *bench_frame(const struct bench *bench, uint32_t tier, uint32_t index) {
    for (uint32_t i = 0; i < bench->count; ++i) {
        const struct sim_output *output = bench->log[i].output;
        if (output->kind != SIM_FRAME || (tier != 0 && output->tier != tier)) continue;
        if (index-- == 0) return output;
    }
    return NULL;
}

uint32_t bench_frames(const struct bench *bench, uint32_t tier) {
    uint32_t count = 0;
    while (bench_frame(bench, tier, count))
        ++count;
    return count;
}

uint32_t bench_tier(const struct bench *bench, uint32_t client) {
    uint32_t tier = 0;
    for (uint32_t i = 0; i < bench->count; ++i) {
        const struct sim_output *output = bench->log[i].output;
        bool joins = output->kind == SIM_JOIN || output->kind == SIM_MOVE;
        if (joins && output->client == client) tier = output->tier;
    }
    return tier;
}

double bench_number(const cJSON *object, const char *name) {
    const cJSON *item = object ? cJSON_GetObjectItem(object, name) : NULL;
    return cJSON_IsNumber(item) ? item->valuedouble : NAN;
}

const char *bench_string(const cJSON *object, const char *name) {
    const cJSON *item = object ? cJSON_GetObjectItem(object, name) : NULL;
    return cJSON_IsString(item) ? item->valuestring : "";
}

const char *bench_hash(struct bench *bench) {
    return bench_string(bench_call(bench, "world.describe", NULL), "state_hash");
}

/* ---- viewer ---- */

static void apply_state(struct viewer *viewer, const struct frame_header *header,
                        const unsigned char *payload) {
    if (header->object >= VIEWER_OBJECTS || header->count > VIEWER_VERTICES) {
        viewer->errors += 1;
        return;
    }
    struct viewer_cloth *cloth = &viewer->cloths[header->object];
    bool key = header->flags & FRAME_KEY;
    if (!key && (!cloth->known || cloth->epoch != header->epoch || cloth->tick != header->base_tick)) {
        viewer->errors += 1;
        return;
    }
    cloth->flags = header->flags;
    if (header->flags & FRAME_UNCHANGED) {
        cloth->tick = header->tick;
        viewer->unchanged += 1;
        return;
    }
    if (header->codec == FRAME_F32) {
        memcpy(cloth->floats, payload, header->payload_bytes);
    } else {
        struct frame_planes planes = {{cloth->planes[0], cloth->planes[1], cloth->planes[2]}};
        if (frame_cb32_decode(header, payload, header->payload_bytes, &planes, header->count, cloth->cols,
                              &planes) != FRAME_OK) {
            viewer->errors += 1;
            return;
        }
    }
    cloth->known = true;
    cloth->epoch = header->epoch;
    cloth->tick = header->tick;
    cloth->count = header->count;
    cloth->step_exp = header->step_exp;
    viewer->keys += key;
    viewer->deltas += !key;
}

static void apply_pose(struct viewer *viewer, const struct frame_pose *pose) {
    uint32_t i = 0;
    while (i < viewer->pose_count && viewer->poses[i].object != pose->object)
        ++i;
    if (pose->flags & 1) {
        if (i < viewer->pose_count) viewer->poses[i] = viewer->poses[--viewer->pose_count];
        return;
    }
    assert(i < VIEWER_POSES);
    if (i == viewer->pose_count) viewer->pose_count += 1;
    viewer->poses[i] = *pose;
}

static void apply_poses(struct viewer *viewer, const struct frame_header *header,
                        const unsigned char *payload) {
    bool key = header->flags & FRAME_KEY;
    if (!key && viewer->pose_tick != header->base_tick) {
        viewer->errors += 1;
        return;
    }
    viewer->pose_tick = header->tick;
    viewer->pose_flags = header->flags;
    if (header->flags & FRAME_UNCHANGED) return;
    if (key) viewer->pose_count = 0;
    for (uint32_t i = 0; i < header->count; ++i) {
        struct frame_pose pose;
        frame_pose_read(payload + i * FRAME_POSE_BYTES, &pose);
        apply_pose(viewer, &pose);
    }
}

void viewer_apply(struct viewer *viewer, const struct buffer *message) {
    size_t offset = 0;
    while (offset < message->length) {
        struct frame_header header;
        const unsigned char *payload;
        if (frame_next_segment(message->data, message->length, &offset, &header, &payload) != FRAME_OK) {
            viewer->errors += 1;
            return;
        }
        if (header.type == FRAME_STATE) apply_state(viewer, &header, payload);
        if (header.type == FRAME_POSES) apply_poses(viewer, &header, payload);
    }
}
