/* `mesh` notifications and the binary messages TRIANGLES and REST that go with them. */
#ifndef SIM_ANNOUNCE_H
#define SIM_ANNOUNCE_H

#include <sim/simulation.h>

/* Tells all subscribers what appeared, changed or went since the last call: gone objects
 * first, then new ones with their topology. A changed object (pins, shape) is told
 * without topology and in the same epoch. */
void announce_changes(struct sim *sim, struct world *world);
/* Tells one member everything; announce_changes has been called before. */
void announce_all(struct sim *sim, struct world *world, const struct member *member);
/* The subscription includes this object: every collider, and the cloths of its tier. */
bool announce_is_for(const struct subscription *subscription, const struct object *object);

#endif
