/* `previous` of cloth commands: what undoes them. */
#ifndef SIM_CLOTH_PREVIOUS_H
#define SIM_CLOTH_PREVIOUS_H

#include <sim/simulation.h>
#include <wire/json_write.h>

/* {vertices, positions}: those of the vertices that are pinned, and where their pins
 * lead. Undo of pin: unpin, then pin with these; of unpin and move: pin with these. */
void cloth_previous_pins(struct json *json, const struct content *content, const struct object *cloth,
                         const uint32_t *vertices, uint32_t count);
/* What brings the whole cloth back: the params of cloth.add, among them the members of
 * `material`; `velocities` for cloth.set_state; `pin_positions` for cloth.pin. Where the text up
 * to the mesh is longer than max_bytes, `mesh` is null and there are `positions` for cloth.set_state
 * and, if it was one, the `grid`; an array of state that is longer by itself is null. */
void cloth_previous_whole(struct json *json, const struct content *content, const struct object *cloth,
                          size_t max_bytes);
/* `mesh` of cloth.add: positions as they are now, all else as the recipe. false: it is longer
 * than max_length (of the whole text), and not whole. */
bool cloth_mesh(struct json *json, const struct pbd_mesh_def *def, const struct pbd_cloth_view *view,
                size_t max_length);
/* An array of 3 floats per vertex, exact. */
void cloth_positions(struct json *json, const struct pbd_cloth_view *view, const uint32_t *vertices,
                     uint32_t count);
void cloth_velocities(struct json *json, const struct pbd_cloth_view *view, const uint32_t *vertices,
                      uint32_t count);

#endif
