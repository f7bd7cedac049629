/* Every default of the table can be read, lies within its own range and is accepted. */
#include <check.h>
#include <stdlib.h>

#include "decoder.h"
#include "support_decode.h"

struct context {
    const char *method;
    const struct record *record;
    unsigned seen;
};

static void check_default(const struct support_chain *chain, void *data) {
    struct context *context = data;
    const struct field *field = chain->fields[chain->count - 1];
    if (!field->row->fallback) return;
    ++context->seen;
    struct json json;
    json_init(&json);
    support_sample_record(&json, context->record, chain, field->row->fallback, NULL);
    struct wire_error error;
    struct wire_request *request = support_decode_params(context->method, json.text, &error);
    if (!request) printf("%s: default of %s: %s\n", context->method, field->row->name, error.message);
    CHECK(request != NULL);
    wire_request_destroy(request);
    json_free(&json);
}

static void every_default_is_accepted_as_a_value(void) {
    unsigned seen = 0;
    for (int i = 0; i < WIRE_COMMAND_COUNT; ++i) {
        struct context context = {wire_command_get_info((enum wire_command)i)->method,
                                  command_record((enum wire_command)i), 0};
        struct support_chain chain = {.count = 0};
        support_walk(context.record, &chain, check_default, &context);
        seen += context.seen;
    }
    CHECK(seen > 100);
}

static void defaults_fill_a_struct(void) {
    struct wire_cloth_add add;
    memset(&add, 0, sizeof add);
    decode_defaults(command_record(WIRE_cloth_add), (unsigned char *)&add);
    CHECK_STRING(add.world, "main");
    CHECK(add.cloth_spec.cloth == NULL);
    CHECK_INT(add.cloth_spec.grid.diagonal, WIRE_diagonal_forward);
    CHECK_NEAR(add.cloth_spec.rotation[3], 1, 0);
    CHECK_NEAR(add.cloth_spec.scale[0], 1, 0);
    CHECK_NEAR(add.cloth_spec.scale[2], 1, 0);
    CHECK_NEAR(add.cloth_spec.weld, 1e-6, 0);
    CHECK_INT(add.cloth_spec.cloth_settings.bend_model, WIRE_bend_model_dihedral);
    CHECK_NEAR(add.cloth_spec.cloth_settings.stretch_compliance, 1e-7, 0);
    CHECK_INT(add.cloth_spec.cloth_settings.has_stretch_compliance, WIRE_ABSENT);
}

RUN_TESTS(TEST(every_default_is_accepted_as_a_value), TEST(defaults_fill_a_struct))
