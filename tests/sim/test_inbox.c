/* Inputs free what they carry. The sanitizers see leaks and double frees. */
#include "check.h"
#include <sim/sim.h>

static void an_unused_request_goes_with_its_input(void) {
    static const char text[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"world.list\"}";
    struct wire_decode_rules rules = {.max_depth = 16};
    struct wire_error error = {0};
    struct sim_input *input = sim_input_create(SIM_REQUEST, 3);
    CHECK(input != NULL);
    CHECK_INT(input->client, 3);
    input->request = wire_request_decode(text, sizeof text - 1, &rules, &error);
    CHECK(input->request != NULL);
    sim_input_free(input);
}

static void an_unused_open_gives_its_counters_back(void) {
    struct delivery_counters *counters = delivery_counters_create();
    atomic_fetch_add(&counters->refs, 1);
    struct sim_input *input = sim_input_create(SIM_CLIENT_OPEN, 1);
    input->open.counters = counters;
    sim_input_free(input);
    CHECK_INT(atomic_load(&counters->refs), 1);
    delivery_counters_unref(counters);
}

static void counters_start_at_zero(void) {
    struct delivery_counters *counters = delivery_counters_create();
    CHECK_INT(atomic_load(&counters->refs), 1);
    CHECK_INT(atomic_load(&counters->frames_sent), 0);
    CHECK_INT(atomic_load(&counters->frames_skipped), 0);
    CHECK_INT(atomic_load(&counters->bytes_sent), 0);
    delivery_counters_unref(counters);
    delivery_counters_unref(NULL);
    sim_input_free(NULL);
}

RUN_TESTS(TEST(an_unused_request_goes_with_its_input), TEST(an_unused_open_gives_its_counters_back),
          TEST(counters_start_at_zero))
