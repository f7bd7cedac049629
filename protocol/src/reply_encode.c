/* The envelopes around results, errors and notifications. */
#include <wire/reply.h>

#include <string.h>

static void begin(struct json *json) {
    json_begin_object(json);
    json_key(json, "jsonrpc");
    json_string(json, "2.0");
}

void reply_begin(struct json *json, const char *id_json) {
    begin(json);
    json_key(json, "id");
    json_raw(json, id_json, strlen(id_json));
    json_key(json, "result");
    json_begin_object(json);
}

void reply_end(struct json *json) {
    json_end_object(json);
    json_end_object(json);
}

void notification_begin(struct json *json, const char *method) {
    begin(json);
    json_key(json, "method");
    json_string(json, method);
    json_key(json, "params");
    json_begin_object(json);
}

void notification_end(struct json *json) {
    json_end_object(json);
    json_end_object(json);
}

void reply_error(struct json *json, const struct wire_error *error) {
    begin(json);
    json_key(json, "id");
    json_raw(json, error->id_json, strlen(error->id_json));
    json_key(json, "error");
    json_begin_object(json);
    json_key(json, "code");
    json_integer(json, error->code);
    json_key(json, "message");
    json_string(json, error->message);
    json_key(json, "data");
    json_begin_object(json);
    if (error->reason && error->reason[0]) {
        json_key(json, "reason");
        json_string(json, error->reason);
    }
    if (error->path[0]) {
        json_key(json, "path");
        json_string(json, error->path);
    }
    if (error->data_json && error->data_json[0]) json_raw(json, error->data_json, strlen(error->data_json));
    json_end_object(json);
    json_end_object(json);
    json_end_object(json);
}
