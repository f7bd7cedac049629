/* A world as a scene: what world.create and world.load take to make it again. */
#ifndef SIM_DESCRIBE_SPEC_H
#define SIM_DESCRIBE_SPEC_H

#include <sim/content.h>
#include <wire/json_write.h>

/* The members of a scene, into an object that is begun: settings, meshes with their rest pose,
 * masses, materials, pins, attachments, colliders, and where all of it is and how fast.
 * Meshes of files are inline. A content that has not moved gives the same bits again. */
void describe_spec(struct json *json, const struct content *content);
/* One cloth of it: members of cloth.add. */
void describe_cloth_spec(struct json *json, const struct content *content, const struct object *cloth);

#endif
