/* Contacts' memory grows with colliders, and only what is state is saved. */
#include "check.h"

#include "contact/contact_internal.h"
#include "support_free_particles.h"

static void memory_comes_with_the_first_collider(void) {
    struct free_particles scene;
    free_particles_create(&scene, 3, (float[]){0, 1, 0, 1, 1, 0, 2, 1, 0});
    struct cloth_contacts *contacts = scene.cloth->contacts;
    CHECK(contacts->clearance == NULL && contacts->first == NULL && contacts->list == NULL);
    free_particles_add(&scene, floor_shape(), 0.0f, 0.0f, 0.0f);
    CHECK(contacts->clearance != NULL && contacts->first != NULL && contacts->touched != NULL);
    CHECK(contacts->capacity >= 3);
    free_particles_destroy(&scene);
}

static void memory_holds_every_collider(void) {
    struct free_particles scene;
    free_particles_create(&scene, 2, (float[]){0, 0, 0, 1, 0, 0});
    for (uint32_t k = 1; k <= 40; ++k) {
        free_particles_add(&scene, floor_shape(), 0.0f, 0.0f, 0.0f);
        CHECK(scene.cloth->contacts->collider_capacity >= k);
    }
    free_particles_tick(&scene);
    CHECK_INT(scene.cloth->contacts->near_count, 40);
    CHECK_NEAR(free_particles_at(&scene, 0).y, 0.0, 1e-6);
    free_particles_destroy(&scene);
}

static void what_is_yet_to_be_told_is_state(void) {
    struct free_particles scene;
    free_particles_create(&scene, 1, (float[]){0, 5, 0});
    free_particles_add(&scene, floor_shape(), 0.0f, 0.0f, 0.0f);
    free_particles_tick(&scene);
    unsigned char saved[64];
    CHECK(contact_state_size(scene.cloth) <= sizeof saved);
    contact_state_save(scene.cloth, saved);
    CHECK(!scene.cloth->contacts->fresh);
    contact_forget(scene.cloth);
    CHECK(scene.cloth->contacts->fresh);
    contact_state_load(scene.cloth, saved);
    CHECK(!scene.cloth->contacts->fresh);
    free_particles_destroy(&scene);
}

RUN_TESTS(TEST(memory_comes_with_the_first_collider), TEST(memory_holds_every_collider),
          TEST(what_is_yet_to_be_told_is_state))
