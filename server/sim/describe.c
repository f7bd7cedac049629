/* Whole worlds as JSON. */
#include "sim/describe.h"

#include <inttypes.h>
#include <stdio.h>

static void put_float64(struct json *json, const char *key, double value) {
    json_key(json, key);
    json_double(json, value);
}

static void put_integer(struct json *json, const char *key, uint64_t value) {
    json_key(json, key);
    json_integer(json, (int64_t)value);
}

void describe_worlds(struct json *json, const struct sim *sim) {
    json_begin_array(json);
    for (uint32_t i = 0; i < sim->world_count; ++i) {
        const struct world *world = sim->worlds[i];
        if (world->gone) continue;
        json_begin_object(json);
        json_key(json, "world");
        json_string(json, world->name);
        put_integer(json, "tick", world_tick(world));
        json_key(json, "running");
        json_bool(json, world->clock.running);
        put_integer(json, "cloths", object_count(&world->content.objects, OBJECT_CLOTH));
        put_integer(json, "clients", world->member_count);
        json_end_object(json);
    }
    json_end_array(json);
}

static void put_objects(struct json *json, const struct world *world, enum object_kind kind) {
    json_begin_array(json);
    for (uint32_t i = 0; i < world->content.objects.count; ++i) {
        const struct object *object = world->content.objects.items[i];
        if (object->kind != kind) continue;
        json_begin_object(json);
        if (kind == OBJECT_CLOTH) {
            describe_cloth(json, &world->content, object);
        } else {
            describe_collider(json, &world->content, object);
        }
        json_end_object(json);
    }
    json_end_array(json);
}

static void put_grabs(struct json *json, const struct world *world) {
    json_begin_array(json);
    for (uint32_t i = 0; i < world->grabs.count; ++i) {
        const struct grab *grab = &world->grabs.items[i];
        struct pbd_grab_state state;
        if (pbd_grab_get(world->content.pbd, grab->id, &state) != PBD_OK) continue;
        const struct object *cloth = object_find_id(&world->content.objects, OBJECT_CLOTH, state.cloth);
        json_begin_object(json);
        put_integer(json, "grab", grab->number);
        put_integer(json, "client", grab->client);
        json_key(json, "cloth");
        json_string(json, cloth ? cloth->name : NULL);
        put_integer(json, "vertex", state.vertex);
        describe_vector(json, "position", state.position, 3);
        describe_number(json, "compliance", state.compliance);
        json_end_object(json);
    }
    json_end_array(json);
}

static void put_hash(struct json *json, uint64_t hash) {
    char text[17];
    snprintf(text, sizeof text, "%016" PRIx64, hash);
    json_key(json, "state_hash");
    json_string(json, text);
}

static void put_snapshots(struct json *json, const struct world *world) {
    json_begin_array(json);
    for (uint32_t i = 0; i < world->saved.count; ++i) {
        const struct saved *saved = &world->saved.items[i];
        json_begin_object(json);
        json_key(json, "snapshot");
        json_string(json, saved->name);
        put_integer(json, "tick", saved->tick);
        put_integer(json, "bytes", saved->bytes);
        put_hash(json, saved->hash);
        json_end_object(json);
    }
    json_end_array(json);
}

static void put_view(struct json *json, const struct content *content) {
    json_key(json, "view");
    if (!content->has_view_position && !content->has_view_target) {
        json_null(json);
        return;
    }
    json_begin_object(json);
    if (content->has_view_position) describe_vector(json, "position", content->view_position, 3);
    if (content->has_view_target) describe_vector(json, "target", content->view_target, 3);
    json_end_object(json);
}

void describe_world(struct json *json, const struct world *world) {
    const struct content *content = &world->content;
    struct pbd_world_settings settings = pbd_world_get_settings(content->pbd);
    json_key(json, "world");
    json_string(json, world->name);
    put_integer(json, "world_index", world->index);
    put_integer(json, "epoch", world->epoch);
    json_key(json, "title");
    json_string(json, content->title);
    json_key(json, "description");
    json_string(json, content->description);
    put_view(json, content);
    json_key(json, "running");
    json_bool(json, world->clock.running);
    json_key(json, "settings");
    describe_world_settings(json, &settings, content->time_scale, NULL);
    json_key(json, "solver");
    describe_solver(json, &settings.solver, NULL);
    json_key(json, "inactive");
    describe_inactive(json, settings.solver.method);
    json_key(json, "cloths");
    put_objects(json, world, OBJECT_CLOTH);
    json_key(json, "colliders");
    put_objects(json, world, OBJECT_COLLIDER);
    json_key(json, "grabs");
    put_grabs(json, world);
    json_key(json, "snapshots");
    put_snapshots(json, world);
    put_hash(json, pbd_world_state_hash(content->pbd));
}

struct stats_report describe_take_stats(const struct world *world, uint64_t now_us) {
    struct stats_report report = {.stats = pbd_world_get_stats(world->content.pbd),
                                  .step = step_times_summary(&world->times),
                                  .late_ticks = world->clock.late_ticks,
                                  .tick_rate = world->tick_rate,
                                  .running = world->clock.running};
    /* Before the first full second the part of it that has passed. */
    if (report.tick_rate == 0.0 && world->rate_ticks > 0 && now_us > world->rate_from_us) {
        report.tick_rate = world->rate_ticks * 1e6 / (double)(now_us - world->rate_from_us);
    }
    return report;
}

void describe_stats(struct json *json, const struct stats_report *report) {
    json_key(json, "running");
    json_bool(json, report->running);
    put_float64(json, "tick_rate", report->tick_rate);
    json_key(json, "step_ms");
    json_begin_object(json);
    describe_number(json, "p50", report->step.p50);
    describe_number(json, "p99", report->step.p99);
    describe_number(json, "max", report->step.max);
    json_end_object(json);
    put_integer(json, "late_ticks", report->late_ticks);
    put_integer(json, "constraints", report->stats.constraints);
    put_integer(json, "contacts", report->stats.contacts);
    put_integer(json, "self_contacts", report->stats.self_contacts);
    describe_number(json, "max_strain", report->stats.max_strain);
    describe_number(json, "mean_strain", report->stats.mean_strain);
    put_float64(json, "kinetic_energy", report->stats.kinetic_energy);
    put_float64(json, "potential_energy", report->stats.potential_energy);
}
