#include "contact/rigid_contact.h"
void rigid_manifold_mesh(const struct rigid_solid *a, const struct rigid_solid *b, struct vec3 origin_a,
                         double margin, struct rigid_hits *hits) {
    (void)a;
    (void)b;
    (void)origin_a;
    (void)margin;
    hits->count = 0;
}
