/* The members of a grid's cloth.add as text. */
#include "sim/cloth_grid.h"

#include "sim/describe.h"

static void put_grid(struct json *json, const struct wire_grid *grid) {
    json_key(json, "grid");
    json_begin_object(json);
    json_key(json, "nx");
    json_integer(json, grid->nx);
    json_key(json, "ny");
    json_integer(json, grid->ny);
    describe_vector(json, "size", grid->size.values, grid->size.count);
    json_key(json, "diagonal");
    json_string(json, grid->diagonal == WIRE_diagonal_alternate ? "alternate" : "forward");
    json_end_object(json);
}

bool cloth_grid_text(const struct wire_cloth_spec *spec, char **text) {
    *text = NULL;
    if (spec->has_grid != WIRE_PRESENT) return true;
    struct json json;
    json_init(&json);
    put_grid(&json, &spec->grid);
    if (spec->has_position == WIRE_PRESENT) describe_vector(&json, "position", spec->position, 3);
    if (spec->has_rotation == WIRE_PRESENT) describe_vector(&json, "rotation", spec->rotation, 4);
    if (spec->has_scale == WIRE_PRESENT) describe_vector(&json, "scale", spec->scale, 3);
    if (json.failed) {
        json_free(&json);
        return false;
    }
    *text = json.text;
    return true;
}
