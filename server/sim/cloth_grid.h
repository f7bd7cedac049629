/* How a grid was asked for, kept as text: a few bytes that bring back a cloth whose mesh is
 * too long for one message. */
#ifndef SIM_CLOTH_GRID_H
#define SIM_CLOTH_GRID_H

#include <wire/commands.h>

/* The members `grid`, `position`, `rotation` and `scale` as JSON text without braces, malloc'd,
 * such that the same grid comes of them bit for bit; NULL where the spec has no grid. false
 * when out of memory. */
bool cloth_grid_text(const struct wire_cloth_spec *spec, char **text);

#endif
