/* `previous` of cloth commands: what undoes them. */
#ifndef SIM_CLOTH_PREVIOUS_H
#define SIM_CLOTH_PREVIOUS_H

#include <sim/simulation.h>
#include <wire/json_write.h>

/* A removed cloth larger than this is told without its mesh and state. */
enum { CLOTH_PREVIOUS_MAX_VERTICES = 20000 };

/* {vertices, positions}: those of the vertices that are pinned, and where their pins
 * lead. Undo of pin: unpin, then pin with these; of unpin and move: pin with these. */
void cloth_previous_pins(struct json *json, const struct content *content, const struct object *cloth,
                         const uint32_t *vertices, uint32_t count);
/* The params of a cloth.add that brings the cloth back at rest where it was (mesh null when
 * it is too large), and its velocities for cloth.set_state. */
void cloth_previous_whole(struct json *json, const struct content *content, const struct object *cloth);
/* An array of 3 floats per vertex, exact. */
void cloth_positions(struct json *json, const struct pbd_cloth_view *view, const uint32_t *vertices,
                     uint32_t count);
void cloth_velocities(struct json *json, const struct pbd_cloth_view *view, const uint32_t *vertices,
                      uint32_t count);

#endif
