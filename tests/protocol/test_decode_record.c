/* Generated from the table: every field of every command refuses what is wrong in every
 * way with the right reason and path, and accepts a sample of what is right. Then how
 * structs are filled: presence, defaults, embedded members, lists. */
#include <check.h>
#include <stdlib.h>
#include <wire/errors.h>

#include "support_decode.h"

struct refusal_case {
    const char *method;
    const struct record *record;
    unsigned checked;
};

/* The command with `last` at the chain's end is refused with reason at path + suffix. */
static void expect(struct refusal_case *c, const struct support_chain *chain, const char *last,
                   const char *extra, const char *reason, const char *suffix) {
    char path[128], full[160];
    support_chain_path(chain, path, sizeof path);
    snprintf(full, sizeof full, "%s%s", path, suffix);
    struct json json;
    json_init(&json);
    support_sample_record(&json, c->record, chain, last, extra);
    CHECK(support_fails(c->method, json.text, reason, full));
    json_free(&json);
    ++c->checked;
}

/* `number` as the field takes numbers: alone, or first in a list of the right length. */
static void numeric_text(const struct field *field, const char *number, char *out, size_t size) {
    uint32_t items = field->min_items > field->multiple ? field->min_items : field->multiple;
    switch (field->row->kind) {
    case FIELD_INTEGER:
    case FIELD_NUMBER:
        snprintf(out, size, "%s", number);
        return;
    case FIELD_VEC3:
    case FIELD_NUMBER_OR_VEC3:
        items = 3;
        break;
    case FIELD_QUAT:
        items = 4;
        break;
    default:
        break;
    }
    struct json json;
    json_init(&json);
    json_begin_array(&json);
    json_raw(&json, number, strlen(number));
    for (uint32_t i = 1; i < items; ++i)
        json_double(&json, field->row->max < 1 ? field->row->max : 1);
    json_end_array(&json);
    snprintf(out, size, "%s", json.text);
    json_free(&json);
}

static bool is_numeric(const struct field_row *row) {
    return row->unit != NULL;
}

static void expect_numbers_refused(struct refusal_case *c, const struct support_chain *chain) {
    const struct field *field = chain->fields[chain->count - 1];
    const struct field_row *row = field->row;
    bool alone = row->kind == FIELD_INTEGER || row->kind == FIELD_NUMBER;
    bool whole = row->kind == FIELD_INTEGER || row->kind == FIELD_INTEGERS || row->kind == FIELD_VERTICES;
    /* Bounds hold up to float32 rounding (2^-24), so step clearly past them. */
    double below = whole ? row->min - 1 : row->min > 0 ? row->min / 2 : row->min * 2 - 1;
    double above = whole ? row->max + 1 : row->max * 2;
    char number[64], text[256];
    const char *suffix = alone ? "" : "[0]";
    snprintf(number, sizeof number, "%.17g", below);
    numeric_text(field, number, text, sizeof text);
    expect(c, chain, text, NULL, "out_of_range", suffix);
    snprintf(number, sizeof number, "%.17g", above);
    numeric_text(field, number, text, sizeof text);
    expect(c, chain, text, NULL, "out_of_range", suffix);
    numeric_text(field, "1e999", text, sizeof text);
    expect(c, chain, text, NULL, "non_finite", suffix);
    numeric_text(field, "-1e999", text, sizeof text);
    expect(c, chain, text, NULL, "non_finite", suffix);
    numeric_text(field, "\"1\"", text, sizeof text);
    expect(c, chain, text, NULL, "wrong_type", suffix);
    if (whole) {
        numeric_text(field, "2.5", text, sizeof text);
        expect(c, chain, text, NULL, "wrong_type", suffix);
    }
}

static void expect_kind_refused(struct refusal_case *c, const struct support_chain *chain) {
    const struct field *field = chain->fields[chain->count - 1];
    switch (field->row->kind) {
    case FIELD_VEC3:
    case FIELD_QUAT:
    case FIELD_NUMBER_OR_VEC3:
        expect(c, chain, "[0,1]", NULL, "wrong_type", "");
        expect(c, chain, "[0,1,0,1,0]", NULL, "wrong_type", "");
        if (field->nonzero) expect(c, chain, "[0,0,0]", NULL, "out_of_range", "");
        if (field->row->kind == FIELD_QUAT) expect(c, chain, "[0,0,0,0]", NULL, "out_of_range", "");
        break;
    case FIELD_NUMBERS:
    case FIELD_INTEGERS:
        if (field->multiple > 1) expect(c, chain, "[1]", NULL, "wrong_type", "");
        if (field->min_items > 1) expect(c, chain, "[1]", NULL, "wrong_type", "");
        expect(c, chain, "[{\"from\":0,\"to\":1}]", NULL, "wrong_type", "");
        break;
    case FIELD_VERTICES:
        expect(c, chain, "[1,{\"from\":5,\"to\":4}]", NULL, "out_of_range", "[1]");
        expect(c, chain, "[{\"from\":-1,\"to\":4}]", NULL, "out_of_range", "[0].from");
        expect(c, chain, "[{\"to\":1e999,\"from\":4}]", NULL, "non_finite", "[0].to");
        expect(c, chain, "[{\"from\":1,\"to\":2},{\"from\":1}]", NULL, "wrong_type", "[1]");
        break;
    case FIELD_ENUM:
        expect(c, chain, "\"zzz\"", NULL, "out_of_range", "");
        break;
    case FIELD_NAME:
        expect(c, chain, "\"\"", NULL, "out_of_range", "");
        expect(c, chain, "\"-a\"", NULL, "out_of_range", "");
        expect(c, chain, "\"a b\"", NULL, "out_of_range", "");
        expect(c, chain, "\"a2345678901234567890123456789012345678901234567890123456789012345\"", NULL,
               "out_of_range", "");
        break;
    case FIELD_STRING: {
        char *text = malloc(field->row->max_items + 4);
        snprintf(text, field->row->max_items + 4, "\"%0*d\"", (int)field->row->max_items + 1, 0);
        expect(c, chain, text, NULL, "limit_exceeded", "");
        free(text);
        break;
    }
    case FIELD_NAMES:
        expect(c, chain, "[\"a\",\"?\"]", NULL, "out_of_range", "[1]");
        break;
    case FIELD_METHOD:
        expect(c, chain, "\"cloth.pinn\"", NULL, "out_of_range", "");
        expect(c, chain, "\"world.list\"", NULL, "out_of_range", "");
        break;
    case FIELD_PARAMS:
        expect(c, chain, "{\"wrold\":1}", NULL, "unknown_param", ".wrold");
        break;
    case FIELD_OBJECT:
        expect(c, chain, "[]", NULL, "wrong_type", "");
        break;
    case FIELD_LIST:
        expect(c, chain, "[1]", NULL, "wrong_type", "");
        break;
    default:
        break;
    }
}

static bool in_required_group(const struct record *record, const struct field *field) {
    struct field_list list;
    record_fields(record, &list);
    for (uint32_t i = 0; i < list.group_count; ++i) {
        if (list.groups[i].required && names_contain(list.groups[i].names, field->row->name)) return true;
    }
    return false;
}

static void check_field(const struct support_chain *chain, void *context) {
    struct refusal_case *c = context;
    const struct field *field = chain->fields[chain->count - 1];
    const struct record *holder =
        chain->count > 1 ? chain->fields[chain->count - 2]->row->record() : c->record;
    bool boolean = field->row->kind == FIELD_BOOLEAN;
    expect(c, chain, boolean ? "1" : "true", NULL, "wrong_type", "");
    bool object = field->row->kind == FIELD_OBJECT || field->row->kind == FIELD_PARAMS;
    if (!object) expect(c, chain, "{}", NULL, "wrong_type", "");
    if (!field->nullable) expect(c, chain, "null", NULL, "wrong_type", "");
    if (field->row->required) expect(c, chain, NULL, NULL, "missing", "");
    if (is_numeric(field->row)) expect_numbers_refused(c, chain);
    expect_kind_refused(c, chain);
    /* Two of a group exclude each other; none of a required one is missing. */
    if (in_required_group(holder, field)) {
        struct field_list list;
        record_fields(holder, &list);
        struct support_chain first = *chain;
        const char *word, *cursor = list.groups[0].names;
        char name[64];
        size_t length = names_next(&cursor, &word);
        snprintf(name, sizeof name, "%.*s", (int)length, word);
        first.fields[first.count - 1] = field_find(&list, name);
        expect(c, &first, NULL, NULL, "missing", "");
    }
    /* An unknown neighbour. */
    struct json value;
    json_init(&value);
    support_sample_value(&value, field);
    char path[128], *dot;
    support_chain_path(chain, path, sizeof path);
    dot = strrchr(path, '.');
    snprintf(dot ? dot + 1 : path, 8, "zzz");
    struct json json;
    json_init(&json);
    support_sample_record(&json, c->record, chain, value.text, "\"zzz\":1");
    CHECK(support_fails(c->method, json.text, "unknown_param", path));
    json_free(&json);
    /* And the sample itself is accepted, so the refusals above are about what they say. */
    json_init(&json);
    support_sample_record(&json, c->record, chain, value.text, NULL);
    struct wire_error error;
    struct wire_request *request = support_decode_params(c->method, json.text, &error);
    if (!request) printf("%s %s: %s\n", c->method, json.text, error.message);
    CHECK(request != NULL);
    wire_request_destroy(request);
    json_free(&json);
    json_free(&value);
    c->checked += 2;
}

static void every_field_refuses_what_it_should(void) {
    unsigned total = 0;
    for (int i = 0; i < WIRE_COMMAND_COUNT; ++i) {
        struct refusal_case c = {wire_command_get_info((enum wire_command)i)->method,
                                 command_record((enum wire_command)i), 0};
        struct support_chain chain = {.count = 0};
        support_walk(c.record, &chain, check_field, &c);
        CHECK(support_fails(c.method, "{\"zzz\":1}", "unknown_param", "zzz"));
        total += c.checked;
    }
    CHECK(total > 1000);
}

/* ---- structs ---- */

static struct wire_request *accept(const char *method, const char *params) {
    struct wire_error error;
    struct wire_request *request = support_decode_params(method, params, &error);
    if (!request) printf("%s %s: %s\n", method, params, error.message);
    CHECK(request != NULL);
    return request;
}

static void presence_says_what_the_json_said(void) {
    struct wire_request *request =
        accept("cloth.set", "{\"cloth\":\"flag\",\"stretch_compliance\":null,\"friction\":0.5}");
    if (!request) return;
    const struct wire_cloth_set *set = request->params;
    CHECK_STRING(set->cloth, "flag");
    CHECK_STRING(set->world, "main");
    CHECK_INT(set->has_world, WIRE_ABSENT);
    CHECK_INT(set->cloth_settings.has_stretch_compliance, WIRE_NULL);
    CHECK_INT(set->cloth_settings.has_friction, WIRE_PRESENT);
    CHECK_NEAR(set->cloth_settings.friction, 0.5, 0);
    CHECK_INT(set->cloth_settings.has_restitution, WIRE_ABSENT);
    wire_request_destroy(request);
}

static void members_are_counted_in_every_struct_they_belong_to(void) {
    struct wire_request *request = accept("cloth.add", "{\"cloth\":\"a\",\"file\":\"a.obj\",\"friction\":1,"
                                                       "\"thickness\":0,\"density\":1}");
    if (!request) return;
    const struct wire_cloth_add *add = request->params;
    CHECK_INT(add->members, 5);
    CHECK_INT(add->cloth_spec.members, 5);
    CHECK_INT(add->cloth_spec.cloth_settings.members, 2);
    wire_request_destroy(request);
}

static void absent_members_hold_the_tables_defaults(void) {
    struct wire_request *request = accept("world.set", "{}");
    if (!request) return;
    const struct wire_world_set *set = request->params;
    CHECK_INT(set->members, 0);
    CHECK_NEAR(set->world_settings.gravity[1], -9.8f, 0);
    CHECK_INT(set->world_settings.has_solver, WIRE_ABSENT);
    CHECK_INT(set->world_settings.solver.method, WIRE_method_xpbd);
    CHECK_INT(set->world_settings.solver.substeps, 10);
    CHECK_NEAR(set->world_settings.solver.dt, 1.0 / 60, 0);
    wire_request_destroy(request);
}

static void lists_of_objects_are_filled_in_order(void) {
    struct wire_request *request =
        accept("world.create",
               "{\"world\":\"w\",\"spec\":{\"world\":{\"drag\":1},\"cloths\":[{\"cloth\":\"a\","
               "\"grid\":{\"nx\":3,\"ny\":4,\"size\":[1,2]},\"pins\":[0,{\"from\":5,\"to\":7}]},"
               "{\"cloth\":\"b\",\"file\":\"b.obj\",\"scale\":2}],\"colliders\":[]},\"paused\":true}");
    if (!request) return;
    const struct wire_world_create *create = request->params;
    CHECK_STRING(request->world, "w");
    CHECK(create->paused);
    CHECK_INT(create->has_spec, WIRE_PRESENT);
    CHECK_NEAR(create->spec.world.drag, 1, 0);
    CHECK_INT(create->spec.cloths_count, 2);
    CHECK_INT(create->spec.has_colliders, WIRE_PRESENT);
    CHECK_INT(create->spec.colliders_count, 0);
    const struct wire_cloth_spec *a = &create->spec.cloths[0], *b = &create->spec.cloths[1];
    CHECK_STRING(a->cloth, "a");
    CHECK_INT(a->grid.ny, 4);
    CHECK_NEAR(a->grid.size.values[1], 2, 0);
    CHECK_INT(a->pins.range_count, 2);
    CHECK_INT(a->pins.count, 4);
    CHECK_INT(a->pins.ranges[1].from, 5);
    CHECK_STRING(b->file, "b.obj");
    CHECK_NEAR(b->scale[2], 2, 0);
    CHECK_NEAR(b->rotation[3], 1, 0);
    wire_request_destroy(request);
}

static void a_list_longer_than_the_table_allows_is_a_limit(void) {
    char params[1025 * 4 + 40], *p = params;
    p += sprintf(p, "{\"cloths\":[\"a\"");
    for (int i = 0; i < 1024; ++i)
        p += sprintf(p, ",\"a\"");
    sprintf(p, "]}");
    CHECK(support_fails("stream.subscribe", params, "limit_exceeded", "cloths"));
}

static void a_scene_is_checked_by_the_same_table(void) {
    static const char good[] = "{\"title\":\"t\",\n\"world\":{\"solver\":{\"substeps\":4}}}";
    static const char bad[] = "{\"cloths\":[{\"cloth\":\"a\",\"grid\":{\"nx\":1,\"ny\":2,\"size\":[1,1]}}]}";
    static const char broken[] = "{\n\"title\":\n}";
    struct wire_error error;
    struct wire_request *request = wire_scene_decode(good, strlen(good), &error);
    CHECK(request != NULL);
    if (request) {
        const struct wire_scene *scene = request->params;
        CHECK_STRING(scene->title, "t");
        CHECK_INT(scene->world.solver.substeps, 4);
        wire_request_destroy(request);
    }
    CHECK(wire_scene_decode(bad, strlen(bad), &error) == NULL);
    CHECK_STRING(error.path, "cloths[0].grid.nx");
    free(error.data_json);
    CHECK(wire_scene_decode(broken, strlen(broken), &error) == NULL);
    CHECK_INT(error.code, -32700);
    CHECK(strstr(error.message, "line 3") != NULL);
    free(error.data_json);
    CHECK(wire_scene_decode("[]", 2, &error) == NULL);
    CHECK_STRING(error.reason, "wrong_type");
    free(error.data_json);
}

RUN_TESTS(TEST(every_field_refuses_what_it_should), TEST(presence_says_what_the_json_said),
          TEST(members_are_counted_in_every_struct_they_belong_to),
          TEST(absent_members_hold_the_tables_defaults), TEST(lists_of_objects_are_filled_in_order),
          TEST(a_list_longer_than_the_table_allows_is_a_limit), TEST(a_scene_is_checked_by_the_same_table))
