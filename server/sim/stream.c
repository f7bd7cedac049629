/* Members of tiers. */
#include "sim/stream.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim/announce.h"
#include "sim/notify.h"

enum { WINDOW_US = 1000000, CLEAN_WINDOWS = 5, MAX_DIVISOR = 64 };

static double nominal_rate(const struct world *world) {
    double dt = (double)pbd_world_get_settings(world->content.pbd).solver.dt;
    return world->content.time_scale / dt;
}

/* Ticks per frame, so that frames come at most max_hz times a second. */
static uint32_t divisor_for(const struct world *world, double max_hz) {
    if (max_hz <= 0.0) return 1;
    /* 60 Hz of a rate that is 59.99999 as float32 is every tick, not every second one. */
    double divisor = ceil(nominal_rate(world) / max_hz * (1.0 - 1e-6));
    return divisor < 1.0 ? 1u : divisor > 1e9 ? 1000000000u : (uint32_t)divisor;
}

static struct tier *get_tier(struct sim *sim, struct world *world, const struct tier_kind *kind) {
    for (uint32_t i = 0; i < world->tier_count; ++i) {
        if (tier_is(world->tiers[i], kind)) return world->tiers[i];
    }
    if (world->tier_count == world->tier_capacity) {
        uint32_t capacity = world->tier_capacity ? 2 * world->tier_capacity : 4;
        struct tier **tiers = realloc(world->tiers, capacity * sizeof *tiers);
        if (!tiers) return NULL;
        world->tiers = tiers;
        world->tier_capacity = capacity;
    }
    struct tier *tier = tier_create(++sim->next_tier, kind);
    if (tier) world->tiers[world->tier_count++] = tier;
    return tier;
}

/* Ends a tier without members. */
static void drop_if_empty(struct sim *sim, struct world *world, struct tier *tier) {
    if (tier->member_count > 0) return;
    outbox_tier_end(&sim->outbox, tier->id);
    uint32_t at = 0;
    while (world->tiers[at] != tier)
        ++at;
    world->tiers[at] = world->tiers[--world->tier_count];
    tier_free(tier);
}

static void leave(struct sim *sim, struct world *world, struct member *member, bool tell) {
    struct tier *tier = member->subscription->tier;
    member->subscription->tier = NULL;
    tier->member_count -= 1;
    if (tier->fresh_count > tier->member_count) tier->fresh_count = tier->member_count;
    if (tell) outbox_leave(&sim->outbox, member->client->id, tier->id);
    drop_if_empty(sim, world, tier);
}

static void join(struct sim *sim, struct member *member) {
    struct subscription *subscription = member->subscription;
    subscription->tier->fresh_count += 1;
    outbox_join(&sim->outbox, member->client->id, subscription->tier->id, subscription->ack);
}

static void end_subscription(struct sim *sim, struct world *world, struct member *member, bool tell) {
    leave(sim, world, member, tell);
    free(member->subscription);
    member->subscription = NULL;
}

static void begin_window(struct subscription *subscription, const struct client *client, uint64_t now) {
    subscription->window_us = now;
    if (!client->counters) return;
    subscription->window_sent = atomic_load_explicit(&client->counters->frames_sent, memory_order_relaxed);
    subscription->window_skipped =
        atomic_load_explicit(&client->counters->frames_skipped, memory_order_relaxed);
}

struct member *stream_subscribe(struct sim *sim, struct world *world, struct client *client,
                                const struct stream_wish *wish) {
    announce_changes(sim, world); /* so that the newcomer is not told them twice */
    struct member *member = world_member_add(world, client);
    struct subscription *subscription = member ? calloc(1, sizeof *subscription) : NULL;
    if (!subscription) return NULL;
    struct tier_kind kind = {.codec = wish->codec,
                             .step_exp = wish->step_exp,
                             .divisor = divisor_for(world, wish->max_hz),
                             .cloths = wish->cloths};
    struct tier *tier = get_tier(sim, world, &kind);
    if (!tier) {
        free(subscription);
        return NULL;
    }
    *subscription = (struct subscription){
        .tier = tier, .max_hz = wish->max_hz, .base_divisor = kind.divisor, .ack = wish->ack};
    begin_window(subscription, client, sim_now(sim));
    tier->member_count += 1;
    if (member->subscription) end_subscription(sim, world, member, true);
    member->subscription = subscription;
    return member;
}

void stream_begin(struct sim *sim, struct world *world, struct member *member) {
    announce_all(sim, world, member);
    join(sim, member);
}

bool stream_unsubscribe(struct sim *sim, struct world *world, struct client *client) {
    struct member *member = world_member_find(world, client);
    if (!member || !member->subscription) return false;
    end_subscription(sim, world, member, true);
    return true;
}

void stream_forget(struct sim *sim, struct world *world, struct client *client) {
    struct member *member = world_member_find(world, client);
    if (member && member->subscription) end_subscription(sim, world, member, false);
}

void stream_key(struct sim *sim, struct world *world, struct member *member) {
    (void)world;
    join(sim, member);
    struct tier *tier = member->subscription->tier;
    if (tier->fresh_count > tier->member_count) tier->fresh_count = tier->member_count;
}

void stream_want_key(struct sim *sim, uint32_t id) {
    for (uint32_t w = 0; w < sim->world_count; ++w) {
        struct world *world = sim->worlds[w];
        for (uint32_t i = 0; i < world->tier_count; ++i) {
            if (world->tiers[i]->id == id) world->tiers[i]->want_key = true;
        }
    }
}

static void set_divisor(struct sim *sim, struct world *world, struct member *member, uint32_t divisor,
                        const char *why) {
    struct subscription *subscription = member->subscription;
    struct tier_kind kind = subscription->tier->kind;
    bool slower = divisor > kind.divisor;
    char text[160];
    kind.divisor = divisor;
    struct tier *tier = get_tier(sim, world, &kind);
    if (!tier) return;
    tier->member_count += 1;
    tier->fresh_count += 1;
    /* Before the end of the old tier, which knows what the client has not acknowledged. */
    outbox_move(&sim->outbox, member->client->id, subscription->tier->id, tier->id);
    leave(sim, world, member, false);
    subscription->tier = tier;
    double rate = nominal_rate(world) / divisor;
    if (divisor == 1)
        snprintf(text, sizeof text, "%s: every tick is sent now, %.3g frames per second.", why, rate);
    else
        snprintf(text, sizeof text, "%s: one tick in %u is sent now, %.3g frames per second.", why, divisor,
                 rate);
    notify_status(sim, world, member->client->id, slower ? "warning" : "info", "rate_divisor", text);
}

static void adapt(struct sim *sim, struct world *world, struct member *member, uint64_t now) {
    struct subscription *subscription = member->subscription;
    uint64_t sent = subscription->window_sent, skipped = subscription->window_skipped;
    begin_window(subscription, member->client, now);
    sent = subscription->window_sent - sent;
    skipped = subscription->window_skipped - skipped;
    uint32_t divisor = subscription->tier->kind.divisor;
    uint32_t base = divisor_for(world, subscription->max_hz);
    subscription->clean_windows = skipped == 0 ? subscription->clean_windows + 1 : 0;
    if (base != subscription->base_divisor) {
        subscription->base_divisor = base;
        subscription->clean_windows = 0;
        if (divisor != base) set_divisor(sim, world, member, base, "The tick rate changed");
    } else if (skipped > sent && divisor < MAX_DIVISOR) {
        set_divisor(sim, world, member, 2 * divisor, "More than half of the frames were skipped");
    } else if (subscription->clean_windows >= CLEAN_WINDOWS && divisor > base) {
        subscription->clean_windows = 0;
        uint32_t half = divisor / 2 > base ? divisor / 2 : base;
        set_divisor(sim, world, member, half, "No frame was skipped for five seconds");
    }
}

uint64_t stream_adapt(struct sim *sim, struct world *world) {
    uint64_t now = sim_now(sim), next = CLOCK_NEVER;
    for (uint32_t i = 0; i < world->member_count; ++i) {
        struct member *member = &world->members[i];
        if (!member->subscription) continue;
        if (now >= member->subscription->window_us + WINDOW_US) adapt(sim, world, member, now);
        uint64_t end = member->subscription->window_us + WINDOW_US;
        if (end < next) next = end;
    }
    return next;
}
