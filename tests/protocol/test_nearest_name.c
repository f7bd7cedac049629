/* Suggestions: a slip of the finger is near, another word is not. */
#include <check.h>
#include <stdint.h>

#include "nearest_name.h"

static void distance_counts_slips(void) {
    CHECK_INT(name_distance("", ""), 0);
    CHECK_INT(name_distance("abc", "abc"), 0);
    CHECK_INT(name_distance("", "abc"), 3);
    CHECK_INT(name_distance("abc", "abxc"), 1);
    CHECK_INT(name_distance("abc", "ac"), 1);
    CHECK_INT(name_distance("abc", "abd"), 1);
    CHECK_INT(name_distance("abcd", "abdc"), 1); /* a swap is one */
    CHECK_INT(name_distance("kitten", "sitting"), 3);
    CHECK_INT(name_distance("substep", "substeps"), name_distance("substeps", "substep"));
}

static void names_beyond_64_bytes_are_far_from_all(void) {
    char longer[66];
    memset(longer, 'a', 65);
    longer[65] = '\0';
    CHECK(name_distance(longer, "a") == UINT32_MAX);
    CHECK(name_distance("a", longer) == UINT32_MAX);
    longer[64] = '\0';
    CHECK_INT(name_distance(longer, "a"), 63);
}

static void near_is_a_third_or_two(void) {
    CHECK(name_is_near("substep", "substeps", 1));
    CHECK(name_is_near("stretch_complience", "stretch_compliance", 1));
    CHECK(!name_is_near("wind", "drag", name_distance("wind", "drag")));
    CHECK(!name_is_near("x", "y", 1));
    CHECK(!name_is_near("a", "b", UINT32_MAX));
}

RUN_TESTS(TEST(distance_counts_slips), TEST(names_beyond_64_bytes_are_far_from_all),
          TEST(near_is_a_third_or_two))
