/* What the decoder's tests share: decoding a text in memory of its exact size, and
 * sample params made from the table. */
#ifndef TESTS_SUPPORT_DECODE_H
#define TESTS_SUPPORT_DECODE_H

#include <stdbool.h>
#include <wire/commands.h>
#include <wire/json_write.h>

#include "command_table.h"

/* Decodes as a client that may control, from a copy that ends with the NUL, so that a
 * sanitizer sees every byte read past it. error->data_json is freed. */
struct wire_request *support_decode(const char *text, struct wire_error *error);
struct wire_request *support_decode_bytes(const char *text, size_t length, struct wire_error *error);
/* The same for {"jsonrpc":"2.0","id":1,"method":method,"params":params}. */
struct wire_request *support_decode_params(const char *method, const char *params, struct wire_error *error);
/* The whole request as text, malloc'd. */
char *support_request_text(const char *method, const char *params);
/* Does it fail with this reason and path? Prints what came instead. */
bool support_fails(const char *method, const char *params, const char *reason, const char *path);

/* A way down the table: field[0] of a command, field[1] of its object, … */
struct support_chain {
    const struct field *fields[8];
    uint32_t count;
};

/* A valid value of a field. */
void support_sample_value(struct json *json, const struct field *field);
/* A valid object: required members, one of each required group, and the chain's members
 * on the way down; the chain's last one gets `last` as its value (NULL: it is left out),
 * and `extra` (or NULL) is one more member beside it. */
void support_sample_record(struct json *json, const struct record *record, const struct support_chain *chain,
                           const char *last, const char *extra);
/* An object with every member that can be there at once. */
void support_full_record(struct json *json, const struct record *record);
/* "spec.cloths[0].grid.nx" */
void support_chain_path(const struct support_chain *chain, char *out, size_t size);

/* Calls visit for every field below record, nested ones too. */
typedef void support_visit(const struct support_chain *chain, void *context);
void support_walk(const struct record *record, struct support_chain *chain, support_visit *visit,
                  void *context);

/* A file of the project, malloc'd, NUL behind it; NULL when it cannot be read. */
char *support_read_file(const char *path, size_t *length);

#endif
