/* Clients by id and their queues. */
#include "check.h"
#include <stdlib.h>
#include <sim/client.h>

static struct wire_request *request(size_t text_bytes) {
    static const char text[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"server.ping\"}";
    struct wire_decode_rules rules = {.max_depth = 16};
    struct wire_error error = {0};
    struct wire_request *made = wire_request_decode(text, sizeof text - 1, &rules, &error);
    if (made) made->text_bytes = text_bytes;
    return made;
}

static void clients_are_found_by_id_until_they_are_removed(void) {
    struct client_table table = {0};
    for (uint32_t id = 10; id < 100; id += 10)
        CHECK(sim_client_add(&table, id, SIM_ROLE_VIEW, NULL) != NULL);
    CHECK_INT(sim_client_find(&table, 50)->id, 50);
    CHECK(sim_client_find(&table, 55) == NULL);
    CHECK(sim_client_find(&table, 5) == NULL && sim_client_find(&table, 100) == NULL);
    CHECK_INT(sim_client_remove(&table, sim_client_find(&table, 50)), 0);
    CHECK(sim_client_find(&table, 50) == NULL);
    CHECK_INT(sim_client_find(&table, 60)->id, 60);
    sim_client_table_free(&table);
}

static void requests_come_out_in_the_order_they_went_in(void) {
    struct client_table table = {0};
    struct client *client = sim_client_add(&table, 1, SIM_ROLE_VIEW, NULL);
    struct wire_request *requests[5];
    for (uint64_t i = 0; i < 5; ++i) {
        requests[i] = request(10);
        CHECK(sim_client_queue(client, requests[i], 100 + i));
    }
    CHECK_INT(client->pending_count, 5);
    CHECK_INT(client->pending_bytes, 50);
    for (uint64_t i = 0; i < 5; ++i) {
        CHECK_INT(client->first->arrival, 100 + i);
        struct wire_request *got = sim_client_unqueue(client);
        CHECK(got == requests[i]);
        wire_request_destroy(got);
    }
    CHECK(sim_client_unqueue(client) == NULL);
    CHECK_INT(client->pending_bytes, 0);
    sim_client_table_free(&table);
}

static void a_queue_refuses_more_bytes_than_its_bound_but_takes_one_of_any_size(void) {
    struct client_table table = {0};
    struct client *client = sim_client_add(&table, 1, SIM_ROLE_VIEW, NULL);
    CHECK(sim_client_queue(client, request(CLIENT_MAX_PENDING_BYTES + 1), 0));
    struct wire_request *small = request(1);
    CHECK(!sim_client_queue(client, small, 1));
    wire_request_destroy(small);
    CHECK_INT(sim_client_remove(&table, client), 1); /* frees what waited */
    sim_client_table_free(&table);
}

static void the_counters_reference_moves_to_the_client(void) {
    struct client_table table = {0};
    struct delivery_counters *counters = delivery_counters_create();
    atomic_fetch_add(&counters->refs, 1); /* the net side's */
    sim_client_add(&table, 1, SIM_ROLE_CONTROL, counters);
    sim_client_table_free(&table);
    CHECK_INT(atomic_load(&counters->refs), 1);
    delivery_counters_unref(counters);
}

RUN_TESTS(TEST(clients_are_found_by_id_until_they_are_removed),
          TEST(requests_come_out_in_the_order_they_went_in),
          TEST(a_queue_refuses_more_bytes_than_its_bound_but_takes_one_of_any_size),
          TEST(the_counters_reference_moves_to_the_client))
