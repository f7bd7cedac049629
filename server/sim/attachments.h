/* Which vertices of a cloth are attached to which collider, for replies and checks. */
#ifndef SIM_ATTACHMENTS_H
#define SIM_ATTACHMENTS_H

#include <sim/content.h>
#include <wire/json_write.h>

/* Per vertex of the cloth the collider that it is attached to, 0 = none; malloc'd, NULL when
 * out of memory. */
pbd_collider_id *attachments_map(const struct content *content, const struct object *cloth);

/* [{collider, vertices}], one for every collider, in object order: as the `attach` of
 * cloth.add. vertices: only of these (in their order, each once), or NULL: all. */
void attachments_describe(struct json *json, const struct content *content, const struct object *cloth,
                          const uint32_t *vertices, uint32_t count);

#endif
