/* From a scene's name, text or spec to content. */
#ifndef SIM_LOAD_H
#define SIM_LOAD_H

#include <sim/simulation.h>

/* A scene of the server by name. 0, or -1 with *error. */
int load_named(const struct sim *sim, const char *name, const struct content_room *room,
               struct content *content, struct wire_error *error);
/* A spec that came in a command; its `file` members are looked for in the scene folder. */
int load_spec(const struct sim *sim, const struct wire_scene *spec, const struct content_room *room,
              struct content *content, struct wire_error *error);
/* What main starts with: config.mesh_file, else config.scene, else nothing. */
int load_start(const struct sim *sim, const struct content_room *room, struct content *content,
               struct wire_error *error);

#endif
