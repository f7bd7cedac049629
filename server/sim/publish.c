/* When which tier gets what. */
#include "sim/publish.h"

#include "sim/announce.h"
#include "sim/event.h"

void world_stepped(struct sim *sim, struct world *world, uint64_t before_us, uint64_t after_us) {
    enum { RATE_WINDOW_US = 1000000 };
    uint64_t us = after_us - before_us;
    step_times_add(&world->times, (double)us / 1000.0);
    meter_time(&sim->meter.step, us);
    atomic_fetch_add_explicit(&sim->meter.ticks, 1, memory_order_relaxed);
    world->end_us = (uint32_t)after_us;
    world->rate_ticks += 1;
    if (after_us - world->rate_from_us >= RATE_WINDOW_US) {
        world->tick_rate = world->rate_ticks * 1e6 / (double)(after_us - world->rate_from_us);
        world->rate_from_us = after_us;
        world->rate_ticks = 0;
    }
    event_solver(sim, world);
}

/* Nothing will move by itself: every cloth and every body is at rest. */
static bool is_asleep(const struct content *content) {
    for (uint32_t i = 0; i < content->objects.count; ++i) {
        const struct object *object = content->objects.items[i];
        struct pbd_cloth_view view;
        struct pbd_collider_state state;
        if (object->kind == OBJECT_CLOTH) {
            if (pbd_cloth_get_view(content->pbd, object->id, &view) != PBD_OK) continue;
            if (!view.asleep && !view.frozen) return false;
        } else if (pbd_collider_get(content->pbd, object->id, &state) == PBD_OK) {
            if (state.def.motion == PBD_DYNAMIC && !state.asleep) return false;
        }
    }
    return true;
}

static void publish_tier(struct sim *sim, struct world *world, struct tier *tier, bool want_delta,
                         bool asleep) {
    struct tier_source source = {.content = &world->content,
                                 .world_index = world->index,
                                 .epoch = world->epoch,
                                 .tick = world_tick(world),
                                 .server_us = world->end_us,
                                 .asleep = asleep};
    struct tier_frame frame;
    if (!tier_prepare(tier, &source, &sim->scratch)) return;
    bool want_key = tier->want_key || tier->force_key || tier->fresh_count > 0;
    /* With a single member there is nobody else for whom a delta could be. */
    bool in_step = tier->member_count > tier->fresh_count && !(want_key && tier->member_count == 1);
    uint64_t before = sim_now(sim);
    bool encoded = tier_encode(tier, &source, want_delta && in_step, want_key, &sim->scratch, &frame);
    meter_time(&sim->meter.encode, sim_now(sim) - before);
    if (!encoded || (!frame.delta && !frame.key)) return;
    bool has_key = frame.key != NULL;
    uint32_t base_tick = frame.delta ? frame.base_tick : source.tick;
    if (!outbox_frame(&sim->outbox, tier->id, source.tick, base_tick, frame.delta, frame.key)) {
        tier->want_key = true;
    } else if (has_key) {
        tier->want_key = tier->force_key = false;
        tier->fresh_count = 0;
    }
}

static void publish(struct sim *sim, struct world *world, bool every_tier) {
    announce_changes(sim, world);
    uint32_t tick = world_tick(world);
    /* The end of a world.step is shown in any case. */
    bool asleep = !every_tier && is_asleep(&world->content);
    for (uint32_t i = 0; i < world->tier_count; ++i) {
        struct tier *tier = world->tiers[i];
        bool new_epoch = tier->epoch != world->epoch;
        bool due = every_tier || tick % tier->kind.divisor == 0 || tier->fresh_count > 0 || new_epoch;
        if (due) publish_tier(sim, world, tier, true, asleep);
    }
    world->dirty = false;
}

void publish_tick(struct sim *sim, struct world *world) {
    publish(sim, world, false);
}

void publish_now(struct sim *sim, struct world *world) {
    publish(sim, world, true);
}

/* The world will stay at its tick for a while. */
static bool stands(const struct sim *sim, const struct world *world) {
    if (world->job.client) return false;
    uint64_t deadline = clock_deadline(&world->clock);
    return deadline == CLOCK_NEVER || deadline > sim_now(sim) + SIM_FAR_US;
}

void publish_changes(struct sim *sim, struct world *world) {
    if (!stands(sim, world)) return;
    announce_changes(sim, world);
    if (world->dirty) world->end_us = (uint32_t)sim_now(sim);
    for (uint32_t i = 0; i < world->tier_count; ++i) {
        struct tier *tier = world->tiers[i];
        bool needed = world->dirty || tier->want_key || tier->force_key || tier->fresh_count > 0;
        if (needed) publish_tier(sim, world, tier, false, false);
    }
    world->dirty = false;
}
