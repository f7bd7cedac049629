/* server.*: what the server is and can do. */
#include "sim/dispatch.h"

#include "sim/notify.h"

int handle_server_info(struct call *call, const struct wire_none *params) {
    (void)params;
    struct json *json = &call->result;
    json_key(json, "name");
    json_string(json, "clothd");
    notify_server_members(json, call->sim);
    json_key(json, "scenes");
    json_begin_array(json);
    for (uint32_t i = 0; i < call->sim->scenes.count; ++i) {
        const struct scene_entry *scene = &call->sim->scenes.entries[i];
        json_begin_object(json);
        json_key(json, "name");
        json_string(json, scene->name);
        json_key(json, "title");
        json_string(json, scene->title);
        json_key(json, "description");
        json_string(json, scene->description);
        json_end_object(json);
    }
    json_end_array(json);
    return HANDLED;
}

int handle_server_commands(struct call *call, const struct wire_none *params) {
    (void)params;
    json_key(&call->result, "commands");
    describe_commands(&call->result);
    return HANDLED;
}

int handle_server_ping(struct call *call, const struct wire_none *params) {
    (void)params;
    json_key(&call->result, "server_us");
    json_integer(&call->result, (int64_t)(uint32_t)sim_now(call->sim));
    return HANDLED;
}
