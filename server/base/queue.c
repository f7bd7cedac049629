/* A ring with one index per side. Each index is written by one thread only; the two
 * live on their own cache lines so that the sides do not slow each other down. */
#include <base/queue.h>
#include <assert.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

enum { CACHE_LINE = 64 };

struct queue {
    _Alignas(CACHE_LINE) _Atomic size_t head; /* next to pop; consumer writes */
    _Alignas(CACHE_LINE) _Atomic size_t tail; /* next to push; producer writes */
    _Alignas(CACHE_LINE) size_t mask;
    void *items[];
};

struct queue *queue_create(size_t capacity) {
    size_t size = 1;
    while (size < capacity) {
        if (size > SIZE_MAX / 4 / sizeof(void *)) return NULL;
        size *= 2;
    }
    size_t bytes = sizeof(struct queue) + size * sizeof(void *);
    struct queue *queue = aligned_alloc(CACHE_LINE, (bytes + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE);
    if (!queue) return NULL;
    atomic_init(&queue->head, 0);
    atomic_init(&queue->tail, 0);
    queue->mask = size - 1;
    return queue;
}

void queue_destroy(struct queue *queue) {
    if (!queue) return;
    assert(queue_count(queue) == 0);
    free(queue);
}

bool queue_push(struct queue *queue, void *item) {
    assert(item != NULL);
    size_t tail = atomic_load_explicit(&queue->tail, memory_order_relaxed);
    size_t head = atomic_load_explicit(&queue->head, memory_order_acquire);
    if (tail - head > queue->mask) return false;
    queue->items[tail & queue->mask] = item;
    atomic_store_explicit(&queue->tail, tail + 1, memory_order_release);
    return true;
}

void *queue_pop(struct queue *queue) {
    size_t head = atomic_load_explicit(&queue->head, memory_order_relaxed);
    size_t tail = atomic_load_explicit(&queue->tail, memory_order_acquire);
    if (head == tail) return NULL;
    void *item = queue->items[head & queue->mask];
    atomic_store_explicit(&queue->head, head + 1, memory_order_release);
    return item;
}

size_t queue_count(const struct queue *queue) {
    /* Head first: it never passes the tail, so the difference never wraps. */
    size_t head = atomic_load_explicit(&queue->head, memory_order_acquire);
    size_t tail = atomic_load_explicit(&queue->tail, memory_order_acquire);
    return tail - head;
}
