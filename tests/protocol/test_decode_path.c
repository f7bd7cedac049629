/* Paths grow, go back, and are cut instead of overrun. */
#include <check.h>

#include "decoder.h"

static void members_and_items_make_a_path(void) {
    struct decoder d = {.path_length = 0};
    decode_path_member(&d, "cloths");
    size_t list = decode_path_item(&d, 12);
    CHECK_INT(list, strlen("cloths"));
    size_t item = decode_path_member(&d, "grid");
    decode_path_member(&d, "nx");
    CHECK_STRING(d.path, "cloths[12].grid.nx");
    decode_path_back(&d, item);
    CHECK_STRING(d.path, "cloths[12]");
    decode_path_back(&d, list);
    decode_path_item(&d, 13);
    CHECK_STRING(d.path, "cloths[13]");
}

static void a_path_too_long_is_cut(void) {
    struct decoder d = {.path_length = 0};
    for (int i = 0; i < 100; ++i)
        decode_path_member(&d, "member");
    CHECK_INT(d.path_length, sizeof d.path - 1);
    CHECK_INT(strlen(d.path), sizeof d.path - 1);
    size_t back = decode_path_item(&d, 5);
    CHECK_INT(back, sizeof d.path - 1);
}

RUN_TESTS(TEST(members_and_items_make_a_path), TEST(a_path_too_long_is_cut))
