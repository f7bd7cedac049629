/* Clients and their queues of waiting requests. */
#include "sim/client.h"

#include <assert.h>
#include <stdlib.h>

struct client *sim_client_add(struct client_table *table, uint32_t id, enum sim_role role,
                              struct delivery_counters *counters) {
    assert(table->count == 0 || table->items[table->count - 1]->id < id);
    if (table->count == table->capacity) {
        uint32_t capacity = table->capacity ? 2 * table->capacity : 16;
        struct client **items = realloc(table->items, capacity * sizeof *items);
        if (!items) return NULL;
        table->items = items;
        table->capacity = capacity;
    }
    struct client *client = calloc(1, sizeof *client);
    if (!client) return NULL;
    client->id = id;
    client->role = role;
    client->counters = counters;
    table->items[table->count++] = client;
    return client;
}

/* Index of id, or of the first larger one. */
static uint32_t lower_bound(const struct client_table *table, uint32_t id) {
    uint32_t low = 0, high = table->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (table->items[middle]->id < id) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

struct client *sim_client_find(const struct client_table *table, uint32_t id) {
    uint32_t index = lower_bound(table, id);
    return index < table->count && table->items[index]->id == id ? table->items[index] : NULL;
}

static uint32_t client_free(struct client *client) {
    uint32_t waiting = client->pending_count;
    struct wire_request *request;
    while ((request = sim_client_unqueue(client)) != NULL)
        wire_request_destroy(request);
    delivery_counters_unref(client->counters);
    free(client);
    return waiting;
}

uint32_t sim_client_remove(struct client_table *table, struct client *client) {
    uint32_t index = lower_bound(table, client->id);
    assert(index < table->count && table->items[index] == client);
    for (uint32_t i = index + 1; i < table->count; ++i)
        table->items[i - 1] = table->items[i];
    table->count -= 1;
    return client_free(client);
}

void sim_client_table_free(struct client_table *table) {
    for (uint32_t i = 0; i < table->count; ++i)
        client_free(table->items[i]);
    free(table->items);
    *table = (struct client_table){0};
}

bool sim_client_queue(struct client *client, struct wire_request *request, uint64_t arrival) {
    if (client->pending_count >= CLIENT_MAX_PENDING) return false;
    /* One request of any size is allowed, so that a large one never starves. */
    if (client->pending_count > 0 && client->pending_bytes + request->text_bytes > CLIENT_MAX_PENDING_BYTES) {
        return false;
    }
    struct pending *pending = malloc(sizeof *pending);
    if (!pending) return false;
    *pending = (struct pending){.request = request, .arrival = arrival};
    if (client->last) {
        client->last->next = pending;
    } else {
        client->first = pending;
    }
    client->last = pending;
    client->pending_count += 1;
    client->pending_bytes += request->text_bytes;
    return true;
}

struct wire_request *sim_client_unqueue(struct client *client) {
    struct pending *pending = client->first;
    if (!pending) return NULL;
    struct wire_request *request = pending->request;
    client->first = pending->next;
    if (!client->first) client->last = NULL;
    client->pending_count -= 1;
    client->pending_bytes -= request->text_bytes;
    free(pending);
    return request;
}
