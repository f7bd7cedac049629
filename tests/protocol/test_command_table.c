/* The table itself: no entry is incomplete, nothing that does not work yet is in it. */
#include <check.h>
#include <stdlib.h>

#include "support_decode.h"

static void every_command_has_a_name_and_help(void) {
    for (int i = 0; i < WIRE_COMMAND_COUNT; ++i) {
        const struct wire_command_info *info = wire_command_get_info((enum wire_command)i);
        CHECK(strchr(info->method, '.') != NULL);
        CHECK(strlen(info->help) > 5 && info->help[strlen(info->help) - 1] == '.');
        CHECK_INT(command_find(info->method), i);
    }
    CHECK_INT(command_find("no.such"), WIRE_COMMAND_COUNT);
}

static void check_leaf(const struct support_chain *chain, void *context) {
    (void)context;
    const struct field *field = chain->fields[chain->count - 1];
    const struct field_row *row = field->row;
    char path[128];
    support_chain_path(chain, path, sizeof path);
    bool good = row->help && strlen(row->help) > 2 && !(row->required && row->fallback);
    switch (row->kind) {
    case FIELD_INTEGER:
    case FIELD_NUMBER:
    case FIELD_VEC3:
    case FIELD_QUAT:
    case FIELD_NUMBER_OR_VEC3:
    case FIELD_VERTICES:
        /* A version has one value. */
        good = good && row->unit && (row->min < row->max || field->first);
        break;
    case FIELD_NUMBERS:
    case FIELD_INTEGERS:
        good = good && row->unit && row->min < row->max && row->max_items % field->multiple == 0 &&
               field->min_items <= row->max_items;
        break;
    case FIELD_STRING:
    case FIELD_NAMES:
        good = good && row->max_items > 0;
        break;
    case FIELD_ENUM:
        good = good && row->values[0] && row->values[1];
        break;
    case FIELD_OBJECT:
    case FIELD_LIST:
        good = good && !row->fallback && row->record()->size > 0;
        break;
    default:
        break;
    }
    if (!good) printf("%s is incomplete\n", path);
    CHECK(good);
}

static void every_leaf_has_range_unit_and_help(void) {
    for (int i = 0; i < WIRE_COMMAND_COUNT; ++i) {
        struct support_chain chain = {.count = 0};
        support_walk(command_record((enum wire_command)i), &chain, check_leaf, NULL);
    }
}

static void names_are_unique_in_a_record_and_groups_name_members(void) {
    for (int i = 0; i < WIRE_COMMAND_COUNT; ++i) {
        struct field_list list;
        record_fields(command_record((enum wire_command)i), &list);
        for (uint32_t a = 0; a < list.count; ++a) {
            CHECK(field_find(&list, list.fields[a].row->name) == &list.fields[a]);
        }
        for (uint32_t g = 0; g < list.group_count; ++g) {
            const char *word, *cursor = list.groups[g].names;
            for (size_t length; (length = names_next(&cursor, &word)) != 0;) {
                char name[64];
                snprintf(name, sizeof name, "%.*s", (int)length, word);
                CHECK(field_find(&list, name) != NULL);
                CHECK(!field_find(&list, name)->row->required);
            }
        }
    }
}

static void embedded_members_keep_their_place(void) {
    struct field_list list;
    record_fields(command_record(WIRE_cloth_add), &list);
    const struct field *friction = field_find(&list, "friction");
    CHECK(friction != NULL);
    if (!friction) return;
    CHECK_INT(friction->offset, offsetof(struct wire_cloth_add, cloth_spec.cloth_settings.friction));
    CHECK_INT(friction->has_offset, offsetof(struct wire_cloth_add, cloth_spec.cloth_settings.has_friction));
    CHECK_INT(friction->owner_count, 3);
    CHECK_INT(friction->members_offset[1], offsetof(struct wire_cloth_add, cloth_spec.members));
    CHECK_INT(friction->members_offset[2],
              offsetof(struct wire_cloth_add, cloth_spec.cloth_settings.members));
    CHECK(field_find(&list, "static_friction")->nullable);
    CHECK(!friction->nullable);
}

static void markers_reach_the_next_field_only(void) {
    struct field_list list;
    record_fields(command_record(WIRE_collider_add), &list);
    struct field_list shape;
    record_fields(field_find(&list, "shape")->row->record(), &shape);
    CHECK(field_find(&shape, "normal")->nonzero);
    CHECK(!field_find(&shape, "half_extents")->nonzero);
    CHECK_STRING(field_find(&shape, "radius")->only, "sphere capsule");
    CHECK(field_find(&shape, "type")->only == NULL);
}

static void words_are_found_whole(void) {
    CHECK(names_contain("sphere capsule", "capsule"));
    CHECK(names_contain("sphere capsule", "sphere"));
    CHECK(!names_contain("sphere capsule", "caps"));
    CHECK(!names_contain("sphere capsule", "sphere capsule"));
    CHECK(!names_contain("", "a"));
}

static void the_world_of_params_is_found(void) {
    struct wire_error error;
    struct wire_request *request =
        support_decode_params("cloth.remove", "{\"world\":\"w\",\"cloth\":\"a\"}", &error);
    CHECK_STRING(wire_params_world(request->command, request->params), "w");
    wire_request_destroy(request);
    request = support_decode_params("cloth.remove", "{\"cloth\":\"a\"}", &error);
    CHECK(wire_params_world(request->command, request->params) == NULL);
    wire_request_destroy(request);
    request = support_decode_params("server.ping", "{}", &error);
    CHECK(wire_params_world(request->command, request->params) == NULL);
    wire_request_destroy(request);
}

static void a_method_that_was_meant_is_found(void) {
    CHECK_STRING(command_nearest("cloth.pim"), "cloth.pin");
    CHECK(command_nearest("zzzzzzzzzzzz") == NULL);
}

/* Of later versions: a client must be told `unknown_param`, not be let down silently. */
static void what_does_not_work_yet_is_not_there(void) {
    CHECK(support_fails("world.set", "{\"over\":1}", "unknown_param", "over"));
    CHECK(support_fails("cloth.set", "{\"cloth\":\"a\",\"tear_strain\":1}", "unknown_param", "tear_strain"));
    static const char *const methods[] = {"server.step", "cloth.contacts", "cloth.cut"};
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; ++i) {
        CHECK_INT(command_find(methods[i]), WIRE_COMMAND_COUNT);
    }
}

RUN_TESTS(TEST(every_command_has_a_name_and_help), TEST(every_leaf_has_range_unit_and_help),
          TEST(names_are_unique_in_a_record_and_groups_name_members), TEST(embedded_members_keep_their_place),
          TEST(markers_reach_the_next_field_only), TEST(words_are_found_whole),
          TEST(the_world_of_params_is_found), TEST(a_method_that_was_meant_is_found),
          TEST(what_does_not_work_yet_is_not_there))
