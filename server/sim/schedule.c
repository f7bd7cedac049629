/* The order of requests: each client's own, and arrival order at a tick boundary. */
#include "sim/schedule.h"

#include "sim/dispatch.h"

/* The world whose turn this request must wait for, NULL when it can be executed now. */
static const struct world *awaited(const struct sim *sim, const struct wire_request *request) {
    if (request->command == WIRE_world_create) {
        /* A clone is not taken in the midst of somebody's world.step. */
        const struct wire_world_create *params = request->params;
        const struct world *like =
            params->has_like == WIRE_PRESENT ? sim_find_world(sim, params->like) : NULL;
        return like && like->job.client ? like : NULL;
    }
    if (!wire_command_get_info(request->command)->mutates || !request->world) return NULL;
    const struct world *world = sim_find_world(sim, request->world);
    if (!world) return NULL;
    if (world->job.client) return world;
    uint64_t deadline = clock_deadline(&world->clock);
    if (deadline == CLOCK_NEVER || deadline > sim_now(sim) + SIM_FAR_US) return NULL;
    return world;
}

static bool is_executable(const struct sim *sim, const struct wire_request *request,
                          const struct world *boundary) {
    const struct world *world = awaited(sim, request);
    return !world || (world == boundary && !world->job.client);
}

/* Executes waiting requests, earliest arrival first, as long as one can be. */
static void execute_waiting(struct sim *sim, const struct world *boundary) {
    while (sim->pending_total > 0) {
        struct client *best = NULL;
        for (uint32_t i = 0; i < sim->clients.count; ++i) {
            struct client *client = sim->clients.items[i];
            if (!client->first || client->stepping) continue;
            if (best && best->first->arrival < client->first->arrival) continue;
            if (is_executable(sim, client->first->request, boundary)) best = client;
        }
        if (!best) return;
        struct wire_request *request = sim_client_unqueue(best);
        sim->pending_total -= 1;
        dispatch_execute(sim, best, request);
    }
}

void schedule_request(struct sim *sim, struct client *client, struct wire_request *request) {
    if (!client->first && !client->stepping && is_executable(sim, request, NULL)) {
        dispatch_execute(sim, client, request);
        execute_waiting(sim, NULL);
    } else if (sim_client_queue(client, request, sim->arrivals++)) {
        sim->pending_total += 1;
    } else {
        dispatch_refuse_busy(sim, client, request);
    }
}

void schedule_boundary(struct sim *sim, struct world *world) {
    execute_waiting(sim, world);
}

void schedule_ready(struct sim *sim) {
    execute_waiting(sim, NULL);
}
