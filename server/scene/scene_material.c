/* What a cloth's mesh must be like for its settings. */
#include "scene/scene.h"

#include <wire/errors.h>

static int out_of_memory(struct wire_error *error) {
    WIRE_FAIL(error, out_of_memory, "", "The server had no memory for this request.");
    return -1;
}

static int check_pressure(const pbd_fabric *fabric, struct wire_error *error) {
    const struct pbd_mesh_report *report = pbd_fabric_report(fabric);
    switch (pbd_fabric_pressure(fabric)) {
    case PBD_PRESSURE_HOLDS:
        return 0;
    case PBD_PRESSURE_OPEN:
        if (report->triangles == 0) {
            WIRE_FAIL(error, conflict, "pressure",
                      "pressure needs a closed mesh; this one has no triangles.");
        } else {
            WIRE_FAIL(error, conflict, "pressure",
                      "pressure needs a closed mesh; this one has %u border edges.", report->boundary_edges);
        }
        wire_error_data(error, "\"boundary_edges\":%u", report->boundary_edges);
        return -1;
    case PBD_PRESSURE_NONMANIFOLD:
        WIRE_FAIL(error, conflict, "pressure",
                  "pressure needs a closed mesh; this one has edges of more than two triangles.");
        return -1;
    case PBD_PRESSURE_ONE_SIDED:
        WIRE_FAIL(error, conflict, "pressure",
                  "pressure needs an inside; this mesh is not orientable: it has one side only.");
        return -1;
    case PBD_PRESSURE_FLAT:
        WIRE_FAIL(error, conflict, "pressure",
                  "pressure is a factor of the volume at rest; this mesh, or a part of it, is flat there.");
        return -1;
    case PBD_PRESSURE_UNKNOWN:
        break;
    }
    return out_of_memory(error);
}

int scene_cloth_settings_check(const pbd_fabric *fabric, const struct pbd_cloth_settings *settings,
                               struct wire_error *error) {
    if (settings->stretch_compliance_weft != PBD_SAME_AS_WARP && pbd_fabric_get_view(fabric).cols == 0) {
        WIRE_FAIL(error, conflict, "stretch_compliance_weft",
                  "stretch_compliance_weft needs rows: a grid, or a mesh with cols.");
        return -1;
    }
    return settings->pressure < 0.0f ? 0 : check_pressure(fabric, error);
}
