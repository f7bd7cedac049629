/* Memory of a cloth's contacts, and what of it is state. */
#include "contact/contact_internal.h"
#include "contact/features.h"

#include <stdlib.h>
#include <string.h>

#include "math/elementary.h"

/* A particle in a wedge touches two; a third contact at once is rare enough to share. */
#define CONTACTS_PER_PARTICLE 2u

int contact_create(struct pbd_cloth *cloth) {
    cloth->contacts = calloc(1, sizeof *cloth->contacts);
    if (cloth->contacts == NULL) return PBD_OUT_OF_MEMORY;
    cloth->contacts->fresh = true;
    return PBD_OK;
}

void contact_destroy(struct pbd_cloth *cloth) {
    struct cloth_contacts *contacts = cloth->contacts;
    if (contacts == NULL) return;
    free(contacts->near);
    free(contacts->near_friction);
    free(contacts->clearance);
    free(contacts->first);
    free(contacts->touched);
    free(contacts->pressed);
    free(contacts->list);
    feature_destroy(contacts->features);
    free(contacts);
    cloth->contacts = NULL;
}

/* What is needed per particle, from the first collider on. */
static int reserve_particles(struct cloth_contacts *contacts, uint32_t padded_count) {
    if (contacts->touched != NULL) return PBD_OK;
    if (contacts->clearance == NULL) contacts->clearance = aligned_floats(padded_count);
    if (contacts->first == NULL) contacts->first = calloc(padded_count, sizeof *contacts->first);
    if (contacts->pressed == NULL) contacts->pressed = aligned_floats(padded_count);
    if (contacts->clearance == NULL || contacts->first == NULL || contacts->pressed == NULL)
        return PBD_OUT_OF_MEMORY;
    contacts->touched = calloc(padded_count, sizeof *contacts->touched);
    return contacts->touched != NULL ? PBD_OK : PBD_OUT_OF_MEMORY;
}

int contact_reserve_colliders(struct pbd_cloth *cloth, uint32_t collider_count) {
    struct cloth_contacts *contacts = cloth->contacts;
    if (collider_count <= contacts->collider_capacity) return PBD_OK;
    if (reserve_particles(contacts, cloth->fabric->padded_count) < 0) return PBD_OUT_OF_MEMORY;
    uint32_t room = collider_count + collider_count / 2;
    if (feature_reserve(&contacts->features, cloth->fabric, room) < 0) return PBD_OUT_OF_MEMORY;
    uint32_t *near = realloc(contacts->near, room * sizeof *near);
    if (near == NULL) return PBD_OUT_OF_MEMORY;
    contacts->near = near;
    struct friction_pair *near_friction = realloc(contacts->near_friction, room * sizeof *near_friction);
    if (near_friction == NULL) return PBD_OUT_OF_MEMORY;
    contacts->near_friction = near_friction;
    uint32_t capacity = cloth->fabric->particle_count * math_minu(room, CONTACTS_PER_PARTICLE);
    if (capacity > contacts->capacity) {
        struct contact *list = realloc(contacts->list, capacity * sizeof *list);
        if (list == NULL) return PBD_OUT_OF_MEMORY;
        contacts->list = list;
        contacts->capacity = capacity;
    }
    contacts->collider_capacity = room;
    return PBD_OK;
}

void contact_forget(struct pbd_cloth *cloth) {
    cloth->contacts->fresh = true;
}

size_t contact_state_size(const struct pbd_cloth *cloth) {
    return sizeof cloth->contacts->fresh;
}

void contact_state_save(const struct pbd_cloth *cloth, void *out) {
    memcpy(out, &cloth->contacts->fresh, sizeof cloth->contacts->fresh);
}

void contact_state_load(struct pbd_cloth *cloth, const void *in) {
    memcpy(&cloth->contacts->fresh, in, sizeof cloth->contacts->fresh);
}
