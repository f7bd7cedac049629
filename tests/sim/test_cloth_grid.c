/* The text of a grid's members is what cloth.add had. */
#include "check.h"
#include <sim/cloth_grid.h>
#include <stdlib.h>
#include <string.h>

static struct wire_request *decode(const char *params) {
    char text[512];
    struct wire_decode_rules rules = {.may_control = true, .max_depth = 16};
    struct wire_error error = {0};
    int length = snprintf(text, sizeof text,
                          "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"cloth.add\",\"params\":%s}", params);
    struct wire_request *request = wire_request_decode(text, (size_t)length, &rules, &error);
    CHECK(request != NULL);
    return request;
}

static void check_text(const char *params, const char *want) {
    struct wire_request *request = decode(params);
    const struct wire_cloth_add *add = request->params;
    char *text;
    CHECK(cloth_grid_text(&add->cloth_spec, &text));
    if (want) {
        CHECK(text != NULL);
        CHECK_STRING(text, want);
    } else {
        CHECK(text == NULL);
    }
    free(text);
    wire_request_destroy(request);
}

static void members_that_were_given_are_told(void) {
    check_text("{\"cloth\":\"a\",\"grid\":{\"nx\":3,\"ny\":4,\"size\":[1,0.1]}}",
               "\"grid\":{\"nx\":3,\"ny\":4,\"size\":[1,0.1],\"diagonal\":\"forward\"}");
    check_text(
        "{\"cloth\":\"a\",\"grid\":{\"nx\":3,\"ny\":4,\"size\":[1,2],\"diagonal\":\"alternate\"},"
        "\"scale\":2,\"rotation\":[0,0,0.1,1],\"position\":[1,2,-3.3],\"density\":1}",
        "\"grid\":{\"nx\":3,\"ny\":4,\"size\":[1,2],\"diagonal\":\"alternate\"},\"position\":[1,2,-3.3],"
        "\"rotation\":[0,0,0.1,1],\"scale\":[2,2,2]");
}

static void what_is_no_grid_has_none(void) {
    check_text("{\"cloth\":\"a\",\"file\":\"a.obj\",\"position\":[1,2,3]}", NULL);
}

RUN_TESTS(TEST(members_that_were_given_are_told), TEST(what_is_no_grid_has_none))
