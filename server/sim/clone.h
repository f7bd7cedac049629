/* A content made from another one: the same bits, shared fabrics and meshes, objects of its own. */
#ifndef SIM_CLONE_H
#define SIM_CLONE_H

#include <sim/content.h>

/* As source is now, or (now false) as it was at its start; either way with the same start. 0, or -1
 * with *error and nothing in clone. */
int clone_content(struct content *clone, const struct content *source, bool now, struct wire_error *error);

#endif
