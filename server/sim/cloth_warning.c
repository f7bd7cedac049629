/* physics.md: between layers of cloth the thickness stays below the shortest rest edge. */
#include "sim/cloth_warning.h"

#include <stdio.h>

bool cloth_warning_get(const struct content *content, const struct object *cloth,
                       struct cloth_warning *warning) {
    struct pbd_cloth_settings settings;
    if (pbd_cloth_get_settings(content->pbd, cloth->id, &settings) != PBD_OK) return false;
    if (!settings.self_collision && !(settings.cloth_collision && cloth->thickness_given)) return false;
    float shortest;
    warning->max = pbd_cloth_self_thickness(content->pbd, cloth->id, &shortest);
    warning->got = settings.thickness;
    if (!(warning->max < warning->got)) return false;
    snprintf(warning->text, sizeof warning->text,
             "thickness is %.6g m, above the shortest rest edge of %.6g m: layers of cloth keep %.6g m.",
             (double)warning->got, (double)shortest, (double)warning->max);
    return true;
}
