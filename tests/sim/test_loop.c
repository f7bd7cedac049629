/* The real thread: ticks by the clock of the machine, wakes, and a clean end. */
#include "check.h"
#include <errno.h>
#include <semaphore.h>
#include <stdlib.h>
#include <time.h>
#include <sim/sim.h>

static sem_t woken;

static void on_wake(void *context) {
    (void)context;
    sem_post(&woken);
}

static struct sim *started(bool paused) {
    char message[256];
    struct sim_config config = {
        .paused = paused,
        .version = "0",
        .build = "test",
        .limits = {.max_worlds = 2, .max_vertices_per_world = 1000, .max_vertices = 1000},
        .wake = on_wake};
    sem_init(&woken, 0, 0);
    struct sim *sim = sim_create(&config, message, sizeof message);
    CHECK(sim != NULL);
    CHECK_INT(sim_start(sim), 0);
    return sim;
}

static void sleep_ms(long ms) {
    struct timespec time = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
    nanosleep(&time, NULL);
}

/* Waits for a text output that contains what; false after 10 s. */
static bool wait_for(struct sim *sim, const char *what) {
    struct timespec end;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += 10;
    for (;;) {
        struct sim_output *output;
        while ((output = sim_pop(sim)) != NULL) {
            bool found = output->kind == SIM_TEXT &&
                         memmem(output->buffer->data, output->buffer->length, what, strlen(what)) != NULL;
            sim_output_free(output);
            if (found) return true;
        }
        if (sem_timedwait(&woken, &end) != 0 && errno == ETIMEDOUT) return false;
    }
}

static void push_request(struct sim *sim, const char *text) {
    struct wire_decode_rules rules = {.may_control = true, .max_depth = 16};
    struct wire_error error = {0};
    struct sim_input *input = sim_input_create(SIM_REQUEST, 1);
    input->request = wire_request_decode(text, strlen(text), &rules, &error);
    CHECK(input->request && sim_push(sim, input));
}

static void open_client(struct sim *sim) {
    struct sim_input *open = sim_input_create(SIM_CLIENT_OPEN, 1);
    open->open.counters = delivery_counters_create();
    CHECK(sim_push(sim, open));
}

static void a_push_wakes_the_thread_and_the_answer_wakes_the_net_side(void) {
    struct sim *sim = started(true);
    open_client(sim);
    CHECK(wait_for(sim, "\"hello\""));
    push_request(sim, "{\"jsonrpc\":\"2.0\",\"id\":\"ping\",\"method\":\"server.ping\"}");
    CHECK(wait_for(sim, "\"id\":\"ping\""));
    sim_stop(sim);
    sim_destroy(sim);
}

static void the_first_client_starts_main(void) {
    struct sim *sim = started(false);
    struct sim_metrics metrics;
    sleep_ms(150);
    sim_get_metrics(sim, &metrics);
    CHECK_INT(metrics.ticks_total, 0);
    open_client(sim);
    CHECK(wait_for(sim, "\"running\":true")); /* as its hello says */
    for (int waited = 0; metrics.ticks_total == 0 && waited < 5000; waited += 10) {
        sleep_ms(10);
        sim_get_metrics(sim, &metrics);
    }
    CHECK(metrics.ticks_total > 0);
    sim_stop(sim);
    sim_destroy(sim);
}

static void worlds_tick_by_the_machines_clock(void) {
    struct sim *sim = started(false);
    struct sim_metrics before, after;
    open_client(sim);
    CHECK(wait_for(sim, "\"hello\""));
    sim_get_metrics(sim, &before);
    sleep_ms(500);
    sim_get_metrics(sim, &after);
    /* 30 ticks in half a second; a loaded machine may be late, but never early. */
    CHECK(after.ticks_total - before.ticks_total >= 10);
    CHECK(after.ticks_total - before.ticks_total <= 35);
    sim_stop(sim);
    sim_destroy(sim);
}

static void stopping_in_the_middle_of_a_step_is_clean(void) {
    struct sim *sim = started(true);
    open_client(sim);
    push_request(sim, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"cloth.add\",\"params\":{\"cloth\":\"a\","
                      "\"grid\":{\"nx\":20,\"ny\":20,\"size\":[1,1]}}}");
    push_request(sim,
                 "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"world.step\",\"params\":{\"ticks\":100000}}");
    CHECK(wait_for(sim, "\"id\":1"));
    sleep_ms(30);
    sim_stop(sim);
    sim_destroy(sim);
}

/* Grown so large that a tick is no matter of milliseconds. */
static void asking_to_stop_does_not_wait(void) {
    struct sim *sim = started(true);
    open_client(sim);
    push_request(sim,
                 "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"world.load\",\"params\":{\"spec\":{\"world\":"
                 "{\"solver\":{\"iterations\":200,\"substeps\":2}},\"cloths\":[{\"cloth\":\"a\",\"grid\":"
                 "{\"nx\":60,\"ny\":60,\"size\":[1,1]}}]}}}");
    CHECK(wait_for(sim, "\"id\":1"));
    push_request(sim, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"world.step\",\"params\":{\"ticks\":100}}");
    sleep_ms(2);
    CHECK(!sim_ask_stop(sim)); /* 400 passes over 20 000 constraints */
    int waited = 0;
    while (!sim_ask_stop(sim) && waited++ < 20000)
        sleep_ms(1);
    CHECK(waited < 20000);
    sim_stop(sim);
    sim_destroy(sim);
}

RUN_TESTS(TEST(a_push_wakes_the_thread_and_the_answer_wakes_the_net_side), TEST(the_first_client_starts_main),
          TEST(worlds_tick_by_the_machines_clock), TEST(stopping_in_the_middle_of_a_step_is_clean),
          TEST(asking_to_stop_does_not_wait))
