/* Tiers by id in a small hash table, members in two lists: of their tier and of
 * their client. */
#include <net/hub.h>
#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { BUCKET_COUNT = 256 };

struct hub_tier {
    uint32_t id;
    bool key_asked; /* want_key was said since the last key */
    struct hub_member *members;
    struct hub_tier *next;
};

struct slot_frame {
    struct buffer *buffer;
    uint32_t tick;
};

struct flight {
    uint32_t tick;
    uint64_t sent_ms;
};

struct hub_member {
    struct hub_tier *tier;
    struct hub_client *client;
    struct hub_member *next_in_tier, *next_of_client;
    bool ack;
    bool needs_key;      /* what it has does not lead to what comes */
    uint32_t chain_tick; /* of the last frame in the slot or sent, while !needs_key */
    struct slot_frame slot[HUB_BURST];
    uint32_t slot_count;
    uint64_t slot_ms; /* when the first frame of the slot came */
    struct flight flight[HUB_FLIGHT];
    uint32_t flight_first, flight_count;
};

struct hub {
    struct hub_callbacks callbacks;
    struct hub_tier *buckets[BUCKET_COUNT];
};

struct hub *hub_create(const struct hub_callbacks *callbacks) {
    struct hub *hub = calloc(1, sizeof *hub);
    if (hub) hub->callbacks = *callbacks;
    return hub;
}

static struct hub_tier *find_tier(const struct hub *hub, uint32_t id) {
    struct hub_tier *tier = hub->buckets[id % BUCKET_COUNT];
    while (tier && tier->id != id)
        tier = tier->next;
    return tier;
}

static struct hub_tier *get_tier(struct hub *hub, uint32_t id) {
    struct hub_tier *tier = find_tier(hub, id);
    if (tier) return tier;
    tier = calloc(1, sizeof *tier);
    if (!tier) return NULL;
    tier->id = id;
    tier->next = hub->buckets[id % BUCKET_COUNT];
    hub->buckets[id % BUCKET_COUNT] = tier;
    return tier;
}

static void free_tier(struct hub *hub, struct hub_tier *tier) {
    struct hub_tier **link = &hub->buckets[tier->id % BUCKET_COUNT];
    while (*link != tier)
        link = &(*link)->next;
    *link = tier->next;
    free(tier);
}

static void clear_slot(struct hub_member *member) {
    for (uint32_t i = 0; i < member->slot_count; ++i)
        buffer_unref(member->slot[i].buffer);
    member->slot_count = 0;
}

static void free_member(struct hub_member *member) {
    struct hub_member **link = &member->tier->members;
    while (*link != member)
        link = &(*link)->next_in_tier;
    *link = member->next_in_tier;
    link = &member->client->members;
    while (*link != member)
        link = &(*link)->next_of_client;
    *link = member->next_of_client;
    if (member->client->turn == member) member->client->turn = NULL;
    clear_slot(member);
    free(member);
}

void hub_destroy(struct hub *hub) {
    if (!hub) return;
    for (size_t i = 0; i < BUCKET_COUNT; ++i) {
        while (hub->buckets[i]) {
            while (hub->buckets[i]->members)
                free_member(hub->buckets[i]->members);
            free_tier(hub, hub->buckets[i]);
        }
    }
    free(hub);
}

static struct hub_member *find_member(const struct hub_client *client, uint32_t tier) {
    struct hub_member *member = client->members;
    while (member && member->tier->id != tier)
        member = member->next_of_client;
    return member;
}

bool hub_join(struct hub *hub, struct hub_client *client, uint32_t tier_id, bool ack) {
    struct hub_member *member = find_member(client, tier_id);
    if (!member) {
        struct hub_tier *tier = get_tier(hub, tier_id);
        if (!tier) return false;
        member = calloc(1, sizeof *member);
        if (!member) {
            if (!tier->members) free_tier(hub, tier);
            return false;
        }
        member->tier = tier;
        member->client = client;
        member->next_in_tier = tier->members;
        tier->members = member;
        member->next_of_client = client->members;
        client->members = member;
    }
    clear_slot(member);
    member->ack = ack;
    member->needs_key = true;
    member->flight_count = 0;
    /* Nothing may come by itself (a paused world): the wake leads to want_key. */
    hub->callbacks.wake(hub->callbacks.context, client);
    return true;
}

void hub_leave(struct hub *hub, struct hub_client *client, uint32_t tier_id) {
    struct hub_member *member = find_member(client, tier_id);
    if (!member) return;
    struct hub_tier *tier = member->tier;
    free_member(member);
    if (!tier->members) free_tier(hub, tier);
}

bool hub_move(struct hub *hub, struct hub_client *client, uint32_t from, uint32_t tier_id) {
    struct hub_member *old = find_member(client, from);
    if (!hub_join(hub, client, tier_id, old && old->ack)) return false;
    if (!old) return true;
    struct hub_member *member = find_member(client, tier_id);
    assert(member);
    memcpy(member->flight, old->flight, sizeof member->flight);
    member->flight_first = old->flight_first;
    member->flight_count = old->flight_count;
    hub_leave(hub, client, from);
    return true;
}

void hub_leave_all(struct hub *hub, struct hub_client *client) {
    while (client->members)
        hub_leave(hub, client, client->members->tier->id);
}

void hub_tier_end(struct hub *hub, uint32_t tier_id) {
    struct hub_tier *tier = find_tier(hub, tier_id);
    if (!tier) return;
    while (tier->members)
        free_member(tier->members);
    free_tier(hub, tier);
}

static bool is_unacked(const struct hub_member *member, uint64_t now_ms) {
    if (!member->ack || member->flight_count == 0) return false;
    return member->flight_count == HUB_FLIGHT ||
           now_ms - member->flight[member->flight_first].sent_ms > HUB_UNACKED_MS;
}

static void skip(struct hub *hub, struct hub_member *member, enum hub_skip cause) {
    /* What waited is lost as well as what came. */
    for (uint32_t i = 0; i <= member->slot_count; ++i) {
        hub->callbacks.skipped(hub->callbacks.context, member->client, cause);
    }
    clear_slot(member);
    member->needs_key = true;
}

static void ask_key(struct hub *hub, struct hub_tier *tier) {
    if (tier->key_asked) return;
    tier->key_asked = hub->callbacks.want_key(hub->callbacks.context, tier->id);
}

static void put(struct hub *hub, struct hub_member *member, struct buffer *buffer, uint32_t tick,
                uint64_t now_ms) {
    if (member->slot_count == 0) member->slot_ms = now_ms;
    member->slot[member->slot_count++] = (struct slot_frame){.buffer = buffer_ref(buffer), .tick = tick};
    member->chain_tick = tick;
    member->needs_key = false;
    hub->callbacks.wake(hub->callbacks.context, member->client);
}

static void publish_to(struct hub *hub, struct hub_member *member, uint32_t tick, uint32_t base_tick,
                       struct buffer *delta, struct buffer *key, uint64_t now_ms) {
    bool stuck = member->slot_count > 0 && now_ms - member->slot_ms > HUB_BURST_MS;
    if (member->client->blocked || stuck) {
        skip(hub, member, HUB_SKIP_NOT_WRITABLE);
        return;
    }
    if (is_unacked(member, now_ms)) {
        skip(hub, member, HUB_SKIP_UNACKED);
        return;
    }
    bool follows =
        delta && !member->needs_key && base_tick == member->chain_tick && member->slot_count < HUB_BURST;
    if (follows) {
        put(hub, member, delta, tick, now_ms);
    } else if (key) {
        for (uint32_t i = 0; i < member->slot_count; ++i) {
            hub->callbacks.skipped(hub->callbacks.context, member->client, HUB_SKIP_NOT_WRITABLE);
        }
        clear_slot(member);
        put(hub, member, key, tick, now_ms);
    } else {
        skip(hub, member, HUB_SKIP_NO_KEY);
        ask_key(hub, member->tier);
    }
}

void hub_publish(struct hub *hub, uint32_t tier_id, uint32_t tick, uint32_t base_tick, struct buffer *delta,
                 struct buffer *key, uint64_t now_ms) {
    struct hub_tier *tier = find_tier(hub, tier_id);
    if (tier) {
        if (key) tier->key_asked = false;
        for (struct hub_member *member = tier->members; member; member = member->next_in_tier) {
            publish_to(hub, member, tick, base_tick, delta, key, now_ms);
        }
    }
    buffer_unref(delta);
    buffer_unref(key);
}

void hub_ack(struct hub *hub, struct hub_client *client, uint32_t tick, uint64_t now_ms) {
    for (struct hub_member *member = client->members; member; member = member->next_of_client) {
        /* The newest flight of that tick: after a reset the same number may fly twice. */
        for (uint32_t i = member->flight_count; i-- > 0;) {
            if (member->flight[(member->flight_first + i) % HUB_FLIGHT].tick != tick) continue;
            member->flight_first = (member->flight_first + i + 1) % HUB_FLIGHT;
            member->flight_count -= i + 1;
            break;
        }
        if (member->needs_key && !is_unacked(member, now_ms))
            hub->callbacks.wake(hub->callbacks.context, client);
    }
}

bool hub_next(struct hub *hub, struct hub_client *client, uint64_t now_ms, struct hub_frame *frame) {
    struct hub_member *start = client->turn ? client->turn : client->members, *found = NULL;
    struct hub_member *member = start;
    while (member) {
        if (member->slot_count > 0) {
            if (!found) found = member;
        } else if (member->needs_key && !is_unacked(member, now_ms)) {
            ask_key(hub, member->tier);
        }
        member = member->next_of_client ? member->next_of_client : client->members;
        if (member == start) break;
    }
    if (!found) return false;
    frame->buffer = found->slot[0].buffer;
    frame->member = found;
    return true;
}

void hub_sent(struct hub *hub, struct hub_client *client, const struct hub_frame *frame, uint64_t now_ms) {
    struct hub_member *member = frame->member;
    (void)hub;
    assert(member->slot_count > 0 && member->slot[0].buffer == frame->buffer);
    if (member->ack && member->flight_count < HUB_FLIGHT) {
        uint32_t last = (member->flight_first + member->flight_count++) % HUB_FLIGHT;
        member->flight[last] = (struct flight){.tick = member->slot[0].tick, .sent_ms = now_ms};
    }
    buffer_unref(member->slot[0].buffer);
    --member->slot_count;
    for (uint32_t i = 0; i < member->slot_count; ++i)
        member->slot[i] = member->slot[i + 1];
    client->turn = member->next_of_client;
}

bool hub_has_frame(const struct hub_client *client) {
    for (const struct hub_member *member = client->members; member; member = member->next_of_client) {
        if (member->slot_count > 0) return true;
    }
    return false;
}
