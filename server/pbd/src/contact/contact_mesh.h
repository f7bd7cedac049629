/* One particle and one mesh collider, which may touch in several places at once. */
#ifndef PBD_CONTACT_MESH_H
#define PBD_CONTACT_MESH_H

#include "contact/contact_pair.h"

/* As contact_collide, of a mesh. */
double contact_collide_mesh(const struct contact_pass *pass, uint32_t i, uint32_t place,
                            const struct friction_pair *pair, struct vec3 x, struct vec3 *p);

#endif
