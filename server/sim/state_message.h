/* The binary message with the state of a world that world.step and server.step answer with:
 * STATE keys, VELOCITIES and POSES, all with the flag ANSWER, for that client alone. */
#ifndef SIM_STATE_MESSAGE_H
#define SIM_STATE_MESSAGE_H

#include <sim/world.h>
#include <wire/json_write.h>

/* Every cloth that is asked for must be there; path: of the wish in the command ("state").
 * false with *error. */
bool state_message_check(const struct world *world, const struct wire_step_state *wish, const char *path,
                         struct wire_error *error);
/* The most bytes that it takes. */
size_t state_message_bound(const struct world *world, const struct wire_step_state *wish);
/* Writes the segments and returns their bytes; 0 where there is nothing to tell. scratch: as many
 * integers as state_message_scratch says. */
size_t state_message_write(const struct world *world, const struct wire_step_state *wish, int32_t *scratch,
                           unsigned char *out);
size_t state_message_scratch(const struct world *world, const struct wire_step_state *wish);
/* What its segments are: {world_index, epoch, cloths:[…], colliders:[…]}, a value. */
void state_message_describe(struct json *json, const struct world *world, const struct wire_step_state *wish);

#endif
