/* A cloth whose thickness is larger than its edges allow between layers of cloth. */
#ifndef SIM_CLOTH_WARNING_H
#define SIM_CLOTH_WARNING_H

#include <sim/content.h>

struct cloth_warning {
    float got, max; /* the thickness asked for, and what contact between layers keeps, m */
    char text[160]; /* one sentence with both and the shortest rest edge */
};

/* Whether it matters for this cloth: it collides with itself, or its thickness was given by
 * someone who may want it between cloths. */
bool cloth_warning_get(const struct content *content, const struct object *cloth,
                       struct cloth_warning *warning);

#endif
