/* world.log, world.replay: what was commanded, and the same once more. */
#include "sim/dispatch.h"

#include <stdio.h>

#include "sim/clone.h"
#include "sim/describe_spec.h"
#include "sim/replay_job.h"

static void put_list(struct json *json, const char *key, const char *items, size_t length) {
    json_key(json, key);
    json_begin_array(json);
    if (length > 0) json_raw(json, items, length);
    json_end_array(json);
}

static void put_checks(struct json *json, const struct command_log *log) {
    json_key(json, "checks");
    json_begin_array(json);
    for (uint32_t i = 0; i < log->check_count; ++i)
        json_raw(json, log->checks[i].text, log->checks[i].length);
    json_end_array(json);
}

/* The content's start is described from a content that is at it. */
static int put_start(struct call *call) {
    struct content start;
    if (clone_content(&start, &call->world->content, false, &call->error) != 0) return REFUSED;
    json_key(&call->result, "start");
    json_begin_object(&call->result);
    describe_spec(&call->result, &start);
    json_end_object(&call->result);
    content_free(&start);
    return HANDLED;
}

int handle_world_log(struct call *call, const struct wire_world *params) {
    (void)params;
    const struct command_log *log = &call->world->log;
    struct json *json = &call->result;
    char server[96];
    snprintf(server, sizeof server, "clothd %s", call->sim->config.version);
    json_key(json, "format");
    json_integer(json, COMMAND_LOG_FORMAT);
    json_key(json, "server");
    json_string(json, server);
    json_key(json, "world");
    json_string(json, call->world->name);
    if (put_start(call) != HANDLED) return REFUSED;
    json_key(json, "steps");
    json_integer(json, (int64_t)(log->ended ? log->ended_at : log->steps));
    json_key(json, "complete");
    json_bool(json, !log->ended);
    put_list(json, "commands", log->commands, log->length);
    put_checks(json, log);
    if (!log->ended) {
        json_key(json, "end");
        command_log_check(json, &call->world->content, log->steps);
    }
    return HANDLED;
}

int handle_world_replay(struct call *call, const struct wire_world_replay *params) {
    (void)params;
    if (!replay_job_begin(call->sim, call->client, call->request, &call->error)) return REFUSED;
    call->later = true;
    return HANDLED;
}
