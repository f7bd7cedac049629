/* The only place where sim and net meet. Everything here runs on the net thread.
 *
 *   text ──▶ decode by the table ──▶ sim_push        (full → busy; bad → error reply at once)
 *   sim wakes ──▶ uv_async ──▶ sim_pop … ──▶ lanes and tiers of net
 *
 * A client with many unanswered requests is not read from, so that its answers always
 * find room in its lane. */
#ifndef APP_BRIDGE_H
#define APP_BRIDGE_H

#include <app/options.h>
#include <net/net.h>
#include <sim/sim.h>
#include <uv.h>

struct bridge;

struct bridge_config {
    struct sim_config sim; /* wake is filled in; of limits what is 0 and what net.* says */
    struct net_config net; /* callbacks are filled in; 0 for a limit = the usual one */
    uint32_t command_rate; /* 0 = by the bind address */
};

enum bridge_refusal { BRIDGE_RATE, BRIDGE_BUSY, BRIDGE_ROLE, BRIDGE_INVALID, BRIDGE_REFUSALS };

struct bridge_metrics {
    uint64_t refused[BRIDGE_REFUSALS];
    uint64_t refused_commands[WIRE_COMMAND_COUNT + 1]; /* by method, unknown ones last */
};

/* Loads the scene, binds, starts the simulation. NULL and one sentence in message. */
struct bridge *bridge_create(uv_loop_t *loop, const struct bridge_config *config, char *message,
                             size_t message_size);
uint16_t bridge_port(const struct bridge *bridge);
/* Takes no new sessions, tells everyone, then stops the simulation and closes with 1001;
 * stopped is called on the loop when only bridge_destroy is left to do. */
void bridge_drain(struct bridge *bridge, void (*stopped)(void *context), void *context);
/* After the drain: the simulation is within a tick that takes longer than anybody waits.
 * bridge_destroy would wait for it; bridge_close_sockets does not, for a process that then
 * ends at once. */
bool bridge_is_stuck(const struct bridge *bridge);
void bridge_close_sockets(struct bridge *bridge);
/* Ends everything; the loop is then empty of it. */
void bridge_destroy(struct bridge *bridge);

const struct net *bridge_net(const struct bridge *bridge);
const struct sim *bridge_sim(const struct bridge *bridge);
const struct bridge_metrics *bridge_get_metrics(const struct bridge *bridge);

#endif
