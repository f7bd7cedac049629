/* A request's memory: aligned, zeroed where promised, freed whole (the leak checker sees). */
#include <check.h>
#include <stdalign.h>
#include <stdint.h>

#include "arena.h"

static void small_pieces_are_zeroed_aligned_and_apart(void) {
    struct arena *arena = arena_create();
    unsigned char *last = NULL;
    for (size_t size = 1; size < 300; ++size) { /* several chunks */
        unsigned char *piece = arena_alloc(arena, size);
        CHECK((uintptr_t)piece % alignof(max_align_t) == 0);
        for (size_t i = 0; i < size; ++i)
            CHECK(piece[i] == 0);
        memset(piece, 0xAA, size);
        if (last) CHECK(piece + size <= last || piece > last);
        last = piece;
    }
    arena_destroy(arena);
}

static void large_pieces_do_not_end_the_small_ones_chunk(void) {
    struct arena *arena = arena_create();
    unsigned char *before = arena_alloc(arena, 16);
    unsigned char *large = arena_alloc_array(arena, 1000000, 4);
    unsigned char *after = arena_alloc(arena, 16);
    memset(large, 1, 4000000);
    CHECK(after == before + 16);
    arena_destroy(arena);
}

static void sizes_that_overflow_are_refused(void) {
    struct arena *arena = arena_create();
    CHECK(arena_alloc_array(arena, SIZE_MAX / 2, 8) == NULL);
    CHECK(arena_alloc_array(arena, SIZE_MAX, 1) == NULL);
    CHECK(arena_alloc_array(arena, 0, 8) != NULL);
    arena_destroy(arena);
    arena_destroy(NULL);
}

static void texts_are_copied_with_their_end(void) {
    struct arena *arena = arena_create();
    CHECK_STRING(arena_text(arena, "abcdef", 3), "abc");
    CHECK_STRING(arena_text(arena, "", 0), "");
    arena_destroy(arena);
}

RUN_TESTS(TEST(small_pieces_are_zeroed_aligned_and_apart), TEST(large_pieces_do_not_end_the_small_ones_chunk),
          TEST(sizes_that_overflow_are_refused), TEST(texts_are_copied_with_their_end))
