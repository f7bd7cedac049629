/* Short numbers that stand for the state of vertices, to find out whether and where two
 * states differ without keeping both. Not for enemies; equal states have equal ones on every machine. */
#ifndef SIM_FINGERPRINT_H
#define SIM_FINGERPRINT_H

#include <pbd/pbd.h>

/* Of all positions of a cloth, in mesh order. */
uint64_t fingerprint_positions(const struct pbd_cloth_view *view);

#endif
