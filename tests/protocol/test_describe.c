/* server.commands: commands.json is current, its shape is the documented one, and it
 * says what the decoder does. */
#include <check.h>
#include <cjson/cJSON.h>
#include <stdlib.h>

#include "describe.h"
#include "support_decode.h"

static void commands_json_is_current(void) {
    size_t length = 0;
    char *file = support_read_file(SOURCE_DIR "/protocol/commands.json", &length);
    struct json json;
    json_init(&json);
    describe_file(&json);
    CHECK(!json.failed);
    bool same = file && length == json.length && !memcmp(file, json.text, length);
    if (!same) printf("commands.json is stale: build the target `generate`\n");
    CHECK(same);
    json_free(&json);
    free(file);
}

static void the_file_and_the_reply_say_the_same(void) {
    struct json file, reply;
    json_init(&file);
    json_init(&reply);
    describe_file(&file);
    describe_commands(&reply);
    cJSON *a = cJSON_Parse(file.text), *b = cJSON_Parse(reply.text);
    CHECK(a && b && cJSON_Compare(cJSON_GetObjectItemCaseSensitive(a, "commands"), b, true));
    CHECK_INT(cJSON_GetArraySize(b), WIRE_COMMAND_COUNT);
    cJSON_Delete(a);
    cJSON_Delete(b);
    json_free(&file);
    json_free(&reply);
}

static const char *text_of(const cJSON *object, const char *key) {
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, key));
    return text ? text : "";
}

static const cJSON *named(const cJSON *list, const char *name) {
    const cJSON *item;
    cJSON_ArrayForEach(item, list) {
        if (!strcmp(text_of(item, "name"), name)) return item;
    }
    return NULL;
}

static bool has(const cJSON *object, const char *key) {
    return cJSON_GetObjectItemCaseSensitive(object, key) != NULL;
}

static void check_params(const cJSON *params);

static void check_param(const cJSON *param) {
    static const char *const types[] = {"boolean",  "integer", "number",   "string", "name",   "vec3", "quat",
                                        "vertices", "numbers", "integers", "enum",   "object", "list"};
    const char *type = text_of(param, "type");
    bool known = false;
    for (size_t i = 0; i < sizeof types / sizeof types[0]; ++i)
        known = known || !strcmp(type, types[i]);
    CHECK(known);
    CHECK(cJSON_IsBool(cJSON_GetObjectItemCaseSensitive(param, "required")));
    CHECK(text_of(param, "help")[0] != '\0');
    bool object = !strcmp(type, "object"), list = !strcmp(type, "list"), boolean = !strcmp(type, "boolean");
    bool is_enum = !strcmp(type, "enum");
    if (is_enum) CHECK(cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(param, "values")) >= 2);
    if (!object && !list) CHECK(has(param, "default"));
    if (!object && !list && !boolean && !is_enum)
        CHECK(has(param, "min") && has(param, "max") && has(param, "unit"));
    if (object) check_params(cJSON_GetObjectItemCaseSensitive(param, "members"));
    if (list) {
        const cJSON *items = cJSON_GetObjectItemCaseSensitive(param, "items");
        CHECK(has(param, "min_items") && has(param, "max_items") && has(items, "type"));
        if (has(items, "members")) check_params(cJSON_GetObjectItemCaseSensitive(items, "members"));
    }
}

static void check_params(const cJSON *params) {
    const cJSON *param;
    CHECK(cJSON_IsArray(params));
    cJSON_ArrayForEach(param, params) {
        CHECK(text_of(param, "name")[0] != '\0');
        check_param(param);
    }
}

static cJSON *commands(void) {
    struct json json;
    json_init(&json);
    describe_commands(&json);
    cJSON *tree = cJSON_Parse(json.text);
    json_free(&json);
    CHECK(tree != NULL);
    return tree;
}

static void every_command_and_param_has_the_documented_shape(void) {
    cJSON *tree = commands();
    const cJSON *command;
    cJSON_ArrayForEach(command, tree) {
        enum wire_command found = command_find(text_of(command, "name"));
        CHECK(found != WIRE_COMMAND_COUNT);
        if (found == WIRE_COMMAND_COUNT) continue;
        CHECK_INT(cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(command, "mutates")),
                  wire_command_get_info(found)->mutates);
        CHECK(text_of(command, "help")[0] != '\0');
        check_params(cJSON_GetObjectItemCaseSensitive(command, "params"));
    }
    cJSON_Delete(tree);
}

static void variants_and_nullables_are_told(void) {
    cJSON *tree = commands();
    const cJSON *add = named(tree, "cloth.add"), *one_of = cJSON_GetObjectItemCaseSensitive(add, "one_of");
    CHECK_STRING(text_of(one_of, "by"), "key");
    CHECK(cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(one_of, "required")));
    CHECK_INT(cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(one_of, "variants")), 3);
    const cJSON *params = cJSON_GetObjectItemCaseSensitive(add, "params");
    CHECK(cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(named(params, "bend_compliance"), "nullable")));
    CHECK(!has(named(params, "friction"), "nullable"));
    CHECK_STRING(text_of(named(params, "bend_compliance"), "unit"), "rad/(N·m)");
    const cJSON *scale = cJSON_GetObjectItemCaseSensitive(named(params, "scale"), "one_of");
    CHECK_STRING(text_of(scale, "by"), "value");
    const cJSON *shape =
        named(cJSON_GetObjectItemCaseSensitive(named(tree, "collider.add"), "params"), "shape");
    const cJSON *by_type = cJSON_GetObjectItemCaseSensitive(shape, "one_of");
    CHECK_STRING(text_of(by_type, "by"), "type");
    const cJSON *variants = cJSON_GetObjectItemCaseSensitive(by_type, "variants");
    CHECK_INT(cJSON_GetArraySize(variants), 6);
    CHECK(named(cJSON_GetObjectItemCaseSensitive(variants, "capsule"), "half_height") != NULL);
    CHECK(named(cJSON_GetObjectItemCaseSensitive(variants, "sphere"), "half_height") == NULL);
    CHECK(named(cJSON_GetObjectItemCaseSensitive(variants, "mesh"), "triangles") != NULL);
    CHECK(named(cJSON_GetObjectItemCaseSensitive(variants, "file"), "triangles") == NULL);
    const cJSON *attach = cJSON_GetObjectItemCaseSensitive(named(tree, "cloth.attach"), "params");
    CHECK_INT(cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(named(attach, "vertices"), "min_items")),
              1);
    const cJSON *pin = cJSON_GetObjectItemCaseSensitive(named(tree, "cloth.pin"), "params");
    CHECK(!has(named(pin, "vertices"), "min_items"));
    CHECK(named(cJSON_GetObjectItemCaseSensitive(shape, "members"), "radius") == NULL);
    cJSON_Delete(tree);
}

RUN_TESTS(TEST(commands_json_is_current), TEST(the_file_and_the_reply_say_the_same),
          TEST(every_command_and_param_has_the_documented_shape), TEST(variants_and_nullables_are_told))
