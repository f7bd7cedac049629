/* Notifications: what the server says unasked (protocol.md §2, events are in event.h). */
#ifndef SIM_NOTIFY_H
#define SIM_NOTIFY_H

#include <sim/simulation.h>
#include <wire/json_write.h>

/* Sends the text and frees it; a text that lacked memory closes the client, since a gap
 * in the control lane must not pass for silence. */
void notify_send(struct sim *sim, uint32_t client, struct json *json);
/* The same text for every member of the world; frees it. */
void notify_members(struct sim *sim, const struct world *world, struct json *json);

void notify_hello(struct sim *sim, const struct client *client, const char *session);
/* To everyone: who this client is, or that it is gone. */
void notify_presence(struct sim *sim, const struct client *client, bool gone);
/* To one client. level: "info" or "warning". */
void notify_status(struct sim *sim, const struct world *world, uint32_t client, const char *level,
                   const char *code, const char *text);
/* 1 Hz to subscribers. Returns when it is due next. */
uint64_t notify_stats(struct sim *sim, struct world *world);

/* The members that hello and server.info share: version, protocol, limits, capabilities, worlds. */
void notify_server_members(struct json *json, const struct sim *sim);

#endif
