/* base/queue: order, the bound, and one producer beside one consumer. */
#include "check.h"
#include <base/queue.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>

static void items_come_out_in_order(void) {
    struct queue *queue = queue_create(4);
    int a, b, c;
    CHECK(queue_pop(queue) == NULL);
    CHECK(queue_push(queue, &a) && queue_push(queue, &b) && queue_push(queue, &c));
    CHECK_INT(queue_count(queue), 3);
    CHECK(queue_pop(queue) == &a && queue_pop(queue) == &b && queue_pop(queue) == &c);
    CHECK(queue_pop(queue) == NULL);
    queue_destroy(queue);
}

static void a_full_queue_refuses_and_loses_nothing(void) {
    struct queue *queue = queue_create(3); /* rounded up to 4 */
    int items[5];
    for (int i = 0; i < 4; ++i)
        CHECK(queue_push(queue, &items[i]));
    CHECK(!queue_push(queue, &items[4]));
    CHECK_INT(queue_count(queue), 4);
    CHECK(queue_pop(queue) == &items[0]);
    CHECK(queue_push(queue, &items[4]));
    for (int i = 1; i < 5; ++i)
        CHECK(queue_pop(queue) == &items[i]);
    queue_destroy(queue);
}

static void a_capacity_that_no_machine_has_is_refused(void) {
    CHECK(queue_create(SIZE_MAX) == NULL);
}

enum { ITEM_COUNT = 200000 };

/* The item's memory was written by the producer only: under ThreadSanitizer this
 * also shows that a push publishes what it points to. */
static int numbers[ITEM_COUNT];

static void *produce(void *argument) {
    struct queue *queue = argument;
    for (int i = 0; i < ITEM_COUNT; ++i) {
        numbers[i] = i + 1;
        while (!queue_push(queue, &numbers[i]))
            sched_yield();
    }
    return NULL;
}

static void two_threads_see_every_item_once_and_in_order(void) {
    struct queue *queue = queue_create(64);
    pthread_t producer;
    pthread_create(&producer, NULL, produce, queue);
    int wrong = 0;
    for (int i = 0; i < ITEM_COUNT;) {
        int *item = queue_pop(queue);
        if (!item) {
            sched_yield();
            continue;
        }
        wrong += *item != i + 1;
        ++i;
        if (queue_count(queue) > 64) ++wrong;
    }
    pthread_join(producer, NULL);
    CHECK_INT(wrong, 0);
    CHECK_INT(queue_count(queue), 0);
    queue_destroy(queue);
}

RUN_TESTS(TEST(items_come_out_in_order), TEST(a_full_queue_refuses_and_loses_nothing),
          TEST(a_capacity_that_no_machine_has_is_refused), TEST(two_threads_see_every_item_once_and_in_order))
