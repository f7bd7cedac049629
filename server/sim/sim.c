/* The simulation as the bridge sees it: creation, the two queues, the thread. */
#include "sim/sim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sim/load.h"
#include "sim/loop.h"
#include "sim/replay_job.h"
#include "sim/simulation.h"

enum { INBOX_CAPACITY = 4096, OUTBOX_CAPACITY = 8192 };

static uint64_t monotonic_us(void *context) {
    (void)context;
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000u + (uint64_t)time.tv_nsec / 1000u;
}

/* *to becomes our copy of from; NULL stays NULL. */
static bool copy_string(const char **to, const char *from) {
    *to = from ? strdup(from) : NULL;
    return !from || *to;
}

static bool copy_config(struct sim *sim, const struct sim_config *config) {
    sim->config = *config;
    bool copied = copy_string(&sim->config.scene_dir, config->scene_dir);
    copied = copy_string(&sim->config.scene, config->scene) && copied;
    copied = copy_string(&sim->config.mesh_file, config->mesh_file) && copied;
    copied = copy_string(&sim->config.version, config->version) && copied;
    copied = copy_string(&sim->config.build, config->build) && copied;
    return copied;
}

static bool load_main(struct sim *sim, char *message, size_t message_size) {
    struct content content;
    struct wire_error error = {0};
    struct content_room room = sim_room(sim, NULL, true);
    if (load_start(sim, &room, &content, &error) != 0) {
        snprintf(message, message_size, "%s", error.message);
        free(error.data_json);
        return false;
    }
    sim->main_waits = !sim->config.paused;
    if (sim_add_world(sim, "main", &content, false)) return true;
    snprintf(message, message_size, "Out of memory.");
    return false;
}

struct sim *sim_create(const struct sim_config *config, char *message, size_t message_size) {
    struct sim *sim = calloc(1, sizeof *sim);
    if (sim) sim->inbox = queue_create(INBOX_CAPACITY);
    if (!sim || !sim->inbox || !copy_config(sim, config) ||
        !outbox_open(&sim->outbox, OUTBOX_CAPACITY, config->wake, config->wake_context)) {
        snprintf(message, message_size, "Out of memory.");
        if (sim) sim_destroy(sim);
        return NULL;
    }
    sim->now_us = monotonic_us;
    /* Without the folder there are no named scenes; asking for one says so. */
    if (config->scene_dir) scene_list_read(config->scene_dir, &sim->scenes);
    if (load_main(sim, message, message_size)) return sim;
    sim_destroy(sim);
    return NULL;
}

int sim_start(struct sim *sim) {
    return loop_start(sim);
}

bool sim_ask_stop(struct sim *sim) {
    return !sim->loop || loop_ask_stop(sim);
}

void sim_stop(struct sim *sim) {
    if (sim->loop) loop_stop(sim);
}

void sim_destroy(struct sim *sim) {
    if (!sim) return;
    sim_stop(sim);
    replay_job_end(sim);
    for (uint32_t i = 0; i < sim->world_count; ++i)
        world_close(sim->worlds[i]);
    free(sim->worlds);
    sim_client_table_free(&sim->clients);
    if (sim->inbox) {
        struct sim_input *input;
        while ((input = queue_pop(sim->inbox)) != NULL)
            sim_input_free(input);
        queue_destroy(sim->inbox);
    }
    outbox_close(&sim->outbox);
    scene_list_free(&sim->scenes);
    tier_scratch_free(&sim->scratch);
    free((char *)sim->config.scene_dir);
    free((char *)sim->config.scene);
    free((char *)sim->config.mesh_file);
    free((char *)sim->config.version);
    free((char *)sim->config.build);
    free(sim);
}

bool sim_push(struct sim *sim, struct sim_input *input) {
    if (!queue_push(sim->inbox, input)) return false;
    if (sim->loop) loop_wake(sim->loop);
    return true;
}

struct sim_output *sim_pop(struct sim *sim) {
    return queue_pop(sim->outbox.queue);
}

void sim_get_metrics(const struct sim *sim, struct sim_metrics *metrics) {
    meter_read(&sim->meter, metrics);
    metrics->inbox_count = queue_count(sim->inbox);
    metrics->outbox_count = queue_count(sim->outbox.queue);
}
