/* client.*: who is connected. */
#include "sim/dispatch.h"

#include <stdio.h>

#include "sim/notify.h"

static void tell_presence(struct call *call) {
    notify_presence(call->sim, call->client, false);
}

static void put_client(struct json *json, const struct client *client) {
    json_key(json, "client");
    json_integer(json, client->id);
    json_key(json, "name");
    json_string(json, client->name);
    json_key(json, "color");
    json_string(json, client->color);
    json_key(json, "role");
    json_string(json, client->role == SIM_ROLE_CONTROL ? "control" : "view");
}

int handle_client_set(struct call *call, const struct wire_client_set *params) {
    struct client *client = call->client;
    if (params->has_name == WIRE_PRESENT) snprintf(client->name, sizeof client->name, "%s", params->name);
    if (params->has_color == WIRE_PRESENT) snprintf(client->color, sizeof client->color, "%s", params->color);
    client->presented = true;
    put_client(&call->result, client);
    call->after = tell_presence;
    return HANDLED;
}

int handle_client_list(struct call *call, const struct wire_none *params) {
    (void)params;
    json_key(&call->result, "clients");
    json_begin_array(&call->result);
    for (uint32_t i = 0; i < call->sim->clients.count; ++i) {
        json_begin_object(&call->result);
        put_client(&call->result, call->sim->clients.items[i]);
        json_end_object(&call->result);
    }
    json_end_array(&call->result);
    return HANDLED;
}
