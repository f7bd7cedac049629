/* Short numbers that stand for the state of vertices, to find out whether and where two
 * states differ without keeping both. Not for enemies; equal states have equal ones on every machine. */
#ifndef SIM_FINGERPRINT_H
#define SIM_FINGERPRINT_H

#include <pbd/pbd.h>

/* Of all positions of a cloth, in mesh order. */
uint64_t fingerprint_positions(const struct pbd_cloth_view *view);

enum { FINGERPRINT_CHARACTERS = 2, FINGERPRINT_MARK_BYTES = 4 };

/* Two characters per vertex, in mesh order, of its position and velocity; malloc'd, NULL when out
 * of memory. A vertex that differs has other characters but for one time in 4096. */
char *fingerprint_marks(const struct pbd_cloth_view *view);
/* Four characters of a collider's pose and velocities. */
void fingerprint_collider(const struct pbd_collider_state *state, char mark[FINGERPRINT_MARK_BYTES + 1]);

#endif
