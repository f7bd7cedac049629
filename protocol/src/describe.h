/* The parts of describing that the generator and the tests use too. */
#ifndef WIRE_DESCRIBE_H
#define WIRE_DESCRIBE_H

#include <wire/reply.h>

#include "command_table.h"

/* "integer", "vec3", …: a field's type on the wire. */
const char *describe_type(enum field_kind kind);
/* One command's object. */
void describe_command(struct json *json, enum wire_command command);
/* The whole of commands.json: one command a line. */
void describe_file(struct json *json);
/* The reference part of PROTOCOL.md, as text. */
void describe_markdown(struct json *text);

#endif
