/* Two small tables. */
#include <app/session.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct session *session_add(struct session_table *table, uint32_t client) {
    struct session *session = calloc(1, sizeof *session);
    if (!session) return NULL;
    session->counters = delivery_counters_create();
    if (!session->counters) {
        free(session);
        return NULL;
    }
    session->client = client;
    session->next = table->buckets[client % SESSION_BUCKETS];
    table->buckets[client % SESSION_BUCKETS] = session;
    return session;
}

struct session *session_find(const struct session_table *table, uint32_t client) {
    struct session *session = table->buckets[client % SESSION_BUCKETS];
    while (session && session->client != client)
        session = session->next;
    return session;
}

void session_remove(struct session_table *table, struct session *session) {
    struct session **link = &table->buckets[session->client % SESSION_BUCKETS];
    while (*link != session)
        link = &(*link)->next;
    *link = session->next;
    delivery_counters_unref(session->counters);
    free(session);
}

static char *find_paused(const struct world_states *states, const char *name) {
    for (uint32_t i = 0; i < states->count; ++i) {
        if (strcmp(states->paused[i], name) == 0) return states->paused[i];
    }
    return NULL;
}

bool world_states_set(struct world_states *states, const char *name, bool exists, bool paused) {
    char *entry = find_paused(states, name);
    if (!exists || !paused) {
        if (entry) memmove(entry, states->paused[--states->count], sizeof states->paused[0]);
        return true;
    }
    if (entry) return true;
    if (states->count == states->capacity) {
        uint32_t capacity = states->capacity ? 2 * states->capacity : 8;
        void *grown = realloc(states->paused, capacity * sizeof states->paused[0]);
        if (!grown) return false;
        states->paused = grown;
        states->capacity = capacity;
    }
    snprintf(states->paused[states->count++], sizeof states->paused[0], "%s", name);
    return true;
}

bool world_states_is_paused(const struct world_states *states, const char *name) {
    return find_paused(states, name) != NULL;
}

void world_states_free(struct world_states *states) {
    free(states->paused);
    *states = (struct world_states){0};
}
