/* stream.*: subscriptions. */
#include "sim/dispatch.h"

#include <stdlib.h>
#include <string.h>

#include "sim/announce.h"
#include "sim/stream.h"

static int compare_names(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The names as tiers are told apart by them: ascending, each once, '\n' behind each. */
static char *join_names(const struct wire_names *names) {
    const char **sorted = malloc((names->count + 1u) * sizeof *sorted);
    size_t length = 1;
    for (uint32_t i = 0; i < names->count; ++i)
        length += strlen(names->values[i]) + 1;
    char *joined = malloc(length);
    if (!sorted || !joined) {
        free(sorted);
        free(joined);
        return NULL;
    }
    for (uint32_t i = 0; i < names->count; ++i)
        sorted[i] = names->values[i];
    qsort(sorted, names->count, sizeof *sorted, compare_names);
    char *at = joined;
    for (uint32_t i = 0; i < names->count; ++i) {
        if (i > 0 && strcmp(sorted[i - 1], sorted[i]) == 0) continue;
        at = stpcpy(at, sorted[i]);
        *at++ = '\n';
    }
    *at = '\0';
    free(sorted);
    return joined;
}

static void begin(struct call *call) {
    struct member *member = world_member_find(call->world, call->client);
    stream_begin(call->sim, call->world, member);
}

static void put_objects(struct json *json, const struct world *world,
                        const struct subscription *subscription) {
    json_key(json, "objects");
    json_begin_array(json);
    for (uint32_t i = 0; i < world->content.objects.count; ++i) {
        const struct object *object = world->content.objects.items[i];
        if (!announce_is_for(subscription, object)) continue;
        json_begin_object(json);
        json_key(json, "object");
        json_integer(json, object->index);
        json_key(json, "name");
        json_string(json, object->name);
        json_key(json, "kind");
        json_string(json, object->kind == OBJECT_CLOTH ? "cloth" : "collider");
        json_end_object(json);
    }
    json_end_array(json);
}

int handle_stream_subscribe(struct call *call, const struct wire_stream_subscribe *params) {
    char *cloths = NULL;
    if (params->has_cloths == WIRE_PRESENT) {
        for (uint32_t i = 0; i < params->cloths.count; ++i) {
            if (call_cloth(call, params->cloths.values[i])) continue;
            strcpy(call->error.path, "cloths");
            return REFUSED;
        }
        cloths = join_names(&params->cloths);
        if (!cloths) return call_out_of_memory(call);
    }
    struct stream_wish wish = {.codec = params->codec == WIRE_codec_f32 ? FRAME_F32 : FRAME_CB32,
                               .step_exp = params->has_step_exp == WIRE_PRESENT ? (int)params->step_exp
                                                                                : TIER_STEP_AUTO,
                               .max_hz = params->has_max_hz == WIRE_PRESENT ? params->max_hz : 0.0,
                               .ack = params->ack,
                               .cloths = cloths};
    struct member *member = stream_subscribe(call->sim, call->world, call->client, &wish);
    free(cloths);
    if (!member) return call_out_of_memory(call);
    json_key(&call->result, "world_index");
    json_integer(&call->result, call->world->index);
    json_key(&call->result, "epoch");
    json_integer(&call->result, call->world->epoch);
    json_key(&call->result, "divisor");
    json_integer(&call->result, member->subscription->tier->kind.divisor);
    put_objects(&call->result, call->world, member->subscription);
    call->after = begin;
    return HANDLED;
}

static struct member *subscriber(struct call *call) {
    struct member *member = world_member_find(call->world, call->client);
    if (member && member->subscription) return member;
    WIRE_FAIL(&call->error, conflict, "world",
              "You have no stream of world \"%s\"; call stream.subscribe first.", call->world->name);
    return NULL;
}

int handle_stream_unsubscribe(struct call *call, const struct wire_world *params) {
    (void)params;
    /* Ending what has ended is no error: a client may say so after a reload. */
    stream_unsubscribe(call->sim, call->world, call->client);
    return HANDLED;
}

int handle_stream_key(struct call *call, const struct wire_world *params) {
    (void)params;
    struct member *member = subscriber(call);
    if (!member) return REFUSED;
    stream_key(call->sim, call->world, member);
    return HANDLED;
}

int handle_stream_ack(struct call *call, const struct wire_stream_ack *params) {
    if (call->client->counters) {
        atomic_store_explicit(&call->client->counters->acked_tick, (uint32_t)params->tick,
                              memory_order_relaxed);
    }
    return HANDLED;
}
