/* base/buffer: sizes, headroom and the last reference. */
#include "check.h"
#include <base/buffer.h>
#include <pthread.h>

static void a_new_buffer_is_empty_and_has_headroom(void) {
    struct buffer *buffer = buffer_create(100);
    CHECK_INT(buffer->length, 0);
    CHECK_INT(buffer->capacity, 100);
    /* Both ends are ours: AddressSanitizer would stop this otherwise. */
    memset(buffer->data - BUFFER_HEADROOM, 1, BUFFER_HEADROOM + 100);
    CHECK_INT(buffer->capacity, 100);
    buffer_unref(buffer);
}

static void a_copy_holds_the_bytes(void) {
    char text[] = "cloth";
    struct buffer *buffer = buffer_copy(text, 5);
    text[0] = 'X';
    CHECK_INT(buffer->length, 5);
    CHECK(memcmp(buffer->data, "cloth", 5) == 0);
    buffer_unref(buffer);
    buffer = buffer_copy(NULL, 0);
    CHECK_INT(buffer->length, 0);
    buffer_unref(buffer);
    buffer_unref(NULL);
}

static void a_size_that_no_machine_has_is_refused(void) {
    CHECK(buffer_create(SIZE_MAX - 8) == NULL);
}

static void *ref_and_unref(void *argument) {
    struct buffer *buffer = argument;
    for (int i = 0; i < 10000; ++i) {
        buffer_ref(buffer);
        buffer_unref(buffer);
    }
    buffer_unref(buffer);
    return NULL;
}

static void references_may_be_dropped_on_any_thread(void) {
    struct buffer *buffer = buffer_copy("abc", 3);
    pthread_t threads[4];
    for (int i = 0; i < 4; ++i)
        pthread_create(&threads[i], NULL, ref_and_unref, buffer_ref(buffer));
    for (int i = 0; i < 4; ++i)
        pthread_join(threads[i], NULL);
    CHECK_INT(atomic_load(&buffer->refs), 1);
    buffer_unref(buffer);
}

RUN_TESTS(TEST(a_new_buffer_is_empty_and_has_headroom), TEST(a_copy_holds_the_bytes),
          TEST(a_size_that_no_machine_has_is_refused), TEST(references_may_be_dropped_on_any_thread))
