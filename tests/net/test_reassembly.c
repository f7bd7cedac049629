/* net/reassembly: pieces, the size limit, and the common budget. */
#include "check.h"
#include <net/reassembly.h>
#include <stdint.h>
#include <stdlib.h>

static void pieces_become_one_text(void) {
    struct reassembly_budget budget = {.max = 1000000};
    struct reassembly text = {0};
    CHECK_INT(reassembly_add(&text, &budget, 100, "ab", 2, 0, true, false), REASSEMBLY_MORE);
    CHECK_INT(reassembly_add(&text, &budget, 100, "", 0, 0, false, false), REASSEMBLY_MORE);
    CHECK_INT(reassembly_add(&text, &budget, 100, "cd", 2, 0, false, true), REASSEMBLY_WHOLE);
    CHECK_INT(text.length, 4);
    CHECK_STRING(text.text, "abcd");
    reassembly_reset(&text, &budget);
    CHECK_INT(reassembly_add(&text, &budget, 100, "", 0, 0, true, true), REASSEMBLY_WHOLE);
    CHECK_STRING(text.text, "");
    reassembly_reset(&text, &budget);
    CHECK_INT(budget.used, 0);
}

static void what_a_header_announces_counts_at_once(void) {
    struct reassembly_budget budget = {.max = 1000000};
    struct reassembly text = {0};
    CHECK_INT(reassembly_add(&text, &budget, 100, "a", 1, 99, true, false), REASSEMBLY_MORE);
    reassembly_reset(&text, &budget);
    CHECK_INT(reassembly_add(&text, &budget, 100, "a", 1, 100, true, false), REASSEMBLY_TOO_BIG);
    reassembly_reset(&text, &budget);
    CHECK_INT(reassembly_add(&text, &budget, 100, "a", 1, SIZE_MAX, true, false), REASSEMBLY_TOO_BIG);
    reassembly_reset(&text, &budget);
}

static void many_small_fragments_are_summed(void) {
    struct reassembly_budget budget = {.max = 1000000};
    struct reassembly text = {0};
    for (int i = 0; i < 100; ++i) {
        CHECK_INT(reassembly_add(&text, &budget, 100, "a", 1, 0, i == 0, false), REASSEMBLY_MORE);
    }
    CHECK_INT(reassembly_add(&text, &budget, 100, "a", 1, 0, false, true), REASSEMBLY_TOO_BIG);
    reassembly_reset(&text, &budget);
}

static void the_budget_is_shared_and_comes_back(void) {
    enum { LENGTH = 200 * 1024 };
    char *bytes = calloc(1, LENGTH);
    struct reassembly_budget budget = {.max = 300 * 1024};
    struct reassembly a = {0}, b = {0};
    CHECK_INT(reassembly_add(&a, &budget, 1 << 20, bytes, LENGTH, 0, true, false), REASSEMBLY_MORE);
    /* The second long message has no room: it is dropped whole, said once at its end. */
    CHECK_INT(reassembly_add(&b, &budget, 1 << 20, bytes, LENGTH, 0, true, false), REASSEMBLY_MORE);
    CHECK(b.discarding && b.text == NULL);
    CHECK_INT(reassembly_add(&b, &budget, 1 << 20, bytes, LENGTH, 0, false, true), REASSEMBLY_BUSY);
    /* A short one needs none of the budget. */
    CHECK_INT(reassembly_add(&b, &budget, 1 << 20, bytes, 1000, 0, true, true), REASSEMBLY_WHOLE);
    reassembly_reset(&b, &budget);
    reassembly_reset(&a, &budget);
    CHECK_INT(budget.used, 0);
    CHECK_INT(reassembly_add(&b, &budget, 1 << 20, bytes, LENGTH, 0, true, true), REASSEMBLY_WHOLE);
    reassembly_reset(&b, &budget);
    free(bytes);
}

static void a_dropped_message_is_still_bounded(void) {
    struct reassembly_budget budget = {.max = 0};
    struct reassembly text = {0};
    static char bytes[70000];
    CHECK_INT(reassembly_add(&text, &budget, 150000, bytes, sizeof bytes, 0, true, false), REASSEMBLY_MORE);
    CHECK_INT(reassembly_add(&text, &budget, 150000, bytes, sizeof bytes, 0, false, false), REASSEMBLY_MORE);
    CHECK_INT(reassembly_add(&text, &budget, 150000, bytes, sizeof bytes, 0, false, false),
              REASSEMBLY_TOO_BIG);
    reassembly_reset(&text, &budget);
}

RUN_TESTS(TEST(pieces_become_one_text), TEST(what_a_header_announces_counts_at_once),
          TEST(many_small_fragments_are_summed), TEST(the_budget_is_shared_and_comes_back),
          TEST(a_dropped_message_is_still_bounded))
