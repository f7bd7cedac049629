/* What the net thread hands over: inputs, and the counters that both sides share. */
#include "sim/sim.h"

#include <stdlib.h>

struct sim_input *sim_input_create(enum sim_input_kind kind, uint32_t client) {
    struct sim_input *input = calloc(1, sizeof *input);
    if (!input) return NULL;
    input->kind = kind;
    input->client = client;
    return input;
}

void sim_input_free(struct sim_input *input) {
    if (!input) return;
    if (input->kind == SIM_CLIENT_OPEN) delivery_counters_unref(input->open.counters);
    if (input->kind == SIM_REQUEST && input->request) wire_request_destroy(input->request);
    free(input);
}

struct delivery_counters *delivery_counters_create(void) {
    struct delivery_counters *counters = calloc(1, sizeof *counters);
    if (!counters) return NULL;
    atomic_init(&counters->refs, 1);
    return counters;
}

void delivery_counters_unref(struct delivery_counters *counters) {
    if (!counters) return;
    if (atomic_fetch_sub_explicit(&counters->refs, 1, memory_order_acq_rel) == 1) free(counters);
}
