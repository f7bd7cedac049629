/* A bounded queue of pointers from one thread to one other. */
#ifndef BASE_QUEUE_H
#define BASE_QUEUE_H

#include <stdbool.h>
#include <stddef.h>

struct queue;

/* capacity is rounded up to a power of two. NULL when out of memory. */
struct queue *queue_create(size_t capacity);
/* The queue must be empty; items are not freed. */
void queue_destroy(struct queue *queue);
/* Producer thread. false when full. */
bool queue_push(struct queue *queue, void *item);
/* Consumer thread. NULL when empty. */
void *queue_pop(struct queue *queue);
/* Any thread; approximate. */
size_t queue_count(const struct queue *queue);

#endif
