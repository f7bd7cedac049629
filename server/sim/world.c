/* Worlds: members, epochs, and what subscribers must still be told. */
#include "sim/world.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wire/errors.h>

static double world_dt(const struct content *content) {
    return (double)pbd_world_get_settings(content->pbd).solver.dt;
}

struct world *world_open(const char *name, uint16_t index, struct content *content, size_t max_log_bytes,
                         uint64_t now_us) {
    struct world *world = calloc(1, sizeof *world);
    if (!world) {
        content_free(content);
        return NULL;
    }
    snprintf(world->name, sizeof world->name, "%s", name);
    world->index = index;
    world->content = *content;
    world->epoch = 1;
    clock_init(&world->clock, world_dt(content), content->time_scale);
    world->end_us = (uint32_t)now_us;
    world->rate_from_us = now_us;
    command_log_init(&world->log, max_log_bytes);
    *content = (struct content){0};
    return world;
}

void world_close(struct world *world) {
    for (uint32_t i = 0; i < world->tier_count; ++i)
        tier_free(world->tiers[i]);
    for (uint32_t i = 0; i < world->member_count; ++i)
        free(world->members[i].subscription);
    while (world->drags) {
        struct drag *next = world->drags->next;
        free(world->drags->params);
        free(world->drags);
        world->drags = next;
    }
    grab_table_free(&world->grabs);
    saved_table_free(&world->saved);
    command_log_free(&world->log);
    free(world->job.results);
    if (world->job.request) wire_request_destroy(world->job.request);
    content_free(&world->content);
    free(world->tiers);
    free(world->members);
    free(world->gone_objects);
    free(world);
}

bool world_is_ticking(const struct world *world) {
    return clock_deadline(&world->clock) != CLOCK_NEVER;
}

uint32_t world_tick(const struct world *world) {
    return pbd_world_tick(world->content.pbd);
}

void world_advance(struct world *world) {
    pbd_world_step(world->content.pbd);
    command_log_tick(&world->log, &world->content);
}

struct member *world_member_find(const struct world *world, const struct client *client) {
    for (uint32_t i = 0; i < world->member_count; ++i) {
        if (world->members[i].client == client) return &world->members[i];
    }
    return NULL;
}

struct member *world_member_add(struct world *world, struct client *client) {
    struct member *member = world_member_find(world, client);
    if (member) return member;
    if (world->member_count == world->member_capacity) {
        uint32_t capacity = world->member_capacity ? 2 * world->member_capacity : 4;
        struct member *members = realloc(world->members, capacity * sizeof *members);
        if (!members) return NULL;
        world->members = members;
        world->member_capacity = capacity;
    }
    member = &world->members[world->member_count++];
    *member = (struct member){.client = client};
    return member;
}

void world_member_remove(struct world *world, struct client *client) {
    struct member *member = world_member_find(world, client);
    if (!member) return;
    assert(!member->subscription);
    uint32_t at = (uint32_t)(member - world->members);
    memmove(member, member + 1, (world->member_count - at - 1) * sizeof *member);
    world->member_count -= 1;
}

uint32_t world_subscriber_count(const struct world *world) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < world->member_count; ++i)
        count += world->members[i].subscription != NULL;
    return count;
}

static bool reserve_gone(struct world *world, uint32_t more) {
    uint32_t need = world->gone_count + more;
    if (need <= world->gone_capacity) return true;
    struct gone_object *gone = realloc(world->gone_objects, need * sizeof *gone);
    if (!gone) return false;
    world->gone_objects = gone;
    world->gone_capacity = need;
    return true;
}

bool world_note_gone(struct world *world, const struct object *object) {
    if (world_subscriber_count(world) == 0) return true;
    if (!reserve_gone(world, 1)) return false;
    struct gone_object *gone = &world->gone_objects[world->gone_count++];
    *gone = (struct gone_object){.kind = object->kind, .index = object->index, .epoch = world->epoch};
    memcpy(gone->name, object->name, sizeof gone->name);
    return true;
}

/* Begins a new epoch after the objects have become those of the content. before: the
 * table as it was; room for all of it has been reserved. */
static void begin_epoch(struct world *world, const struct object_table *before, uint64_t now_us) {
    for (uint32_t i = 0; i < before->count; ++i) {
        const struct object *old = before->items[i];
        const struct object *now = object_find(&world->content.objects, old->kind, old->name);
        if (!now || now->index != old->index) world_note_gone(world, old);
    }
    world->epoch += 1;
    world->announce_all = true;
    world->dirty = true;
    world->end_us = (uint32_t)now_us;
    clock_set_rate(&world->clock, world_dt(&world->content), world->content.time_scale, now_us);
}

bool world_replace_content(struct world *world, struct content *content, uint64_t now_us) {
    struct content old = world->content;
    if (!reserve_gone(world, old.objects.count)) return false;
    content->objects.version = old.objects.version + 1;
    grab_clear(&world->grabs);
    world->grabs.last = 0;
    saved_table_free(&world->saved);
    command_log_clear(&world->log);
    world->content = *content;
    *content = (struct content){0};
    begin_epoch(world, &old.objects, now_us);
    content_free(&old);
    return true;
}

/* grabs: what the state holds; moved. */
static bool return_content(struct world *world, const struct content_state *state, struct grab_table *grabs,
                           uint64_t now_us, struct wire_error *error) {
    struct object_table before;
    if (!reserve_gone(world, world->content.objects.count) ||
        !object_table_copy(&before, &world->content.objects)) {
        WIRE_FAIL(error, out_of_memory, "", "The server had no memory for this request.");
        return false;
    }
    bool done = content_return(&world->content, state, error) == 0;
    if (done) {
        /* A number is not given twice since the last load. */
        if (grabs->last < world->grabs.last) grabs->last = world->grabs.last;
        grab_table_free(&world->grabs);
        world->grabs = *grabs;
        *grabs = (struct grab_table){0};
        begin_epoch(world, &before, now_us);
    }
    object_table_free(&before);
    return done;
}

bool world_reset_content(struct world *world, uint64_t now_us, struct wire_error *error) {
    struct grab_table none = {0};
    return return_content(world, &world->content.start, &none, now_us, error);
}

bool world_restore_content(struct world *world, const struct saved *saved, uint64_t now_us,
                           struct wire_error *error) {
    struct grab_table grabs;
    if (!grab_table_copy(&grabs, &saved->grabs)) {
        WIRE_FAIL(error, out_of_memory, "", "The server had no memory for this request.");
        return false;
    }
    bool done = return_content(world, &saved->state, &grabs, now_us, error);
    grab_table_free(&grabs);
    return done;
}
