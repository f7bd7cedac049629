/* Envelopes of the text frames: results, errors, notifications, and the table as JSON. */
#ifndef WIRE_REPLY_H
#define WIRE_REPLY_H

#include <wire/commands.h>
#include <wire/json_write.h>

/* {"jsonrpc":"2.0","id":ID,"result":{  — then the caller adds members, then reply_end. */
void reply_begin(struct json *json, const char *id_json);
void reply_end(struct json *json);
/* {"jsonrpc":"2.0","method":METHOD,"params":{ — members, then notification_end. */
void notification_begin(struct json *json, const char *method);
void notification_end(struct json *json);
/* The whole error reply. */
void reply_error(struct json *json, const struct wire_error *error);
/* {"commands":[…]}'s array, as server.commands and commands.json have it. */
void describe_commands(struct json *json);
/* params of an applied command for `event`: struct → JSON by the table; only members that were
 * present; arrays longer than 16 replaced by their length. */
void describe_params(struct json *json, const struct wire_request *request);
/* The same with every array whole: what decodes to the same params again, bit for bit. */
void describe_params_whole(struct json *json, const struct wire_request *request);

#endif
