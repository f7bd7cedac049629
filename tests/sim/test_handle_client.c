/* client.set and client.list. */
#include "check.h"
#include "support_sim.h"

static struct bench bench;

static void a_client_keeps_what_it_does_not_set(void) {
    bench_open(&bench, NULL);
    bench_call(&bench, "client.set", "{\"name\":\"Ada\"}");
    const cJSON *result = bench_call(&bench, "client.set", "{\"color\":\"#123456\"}");
    CHECK_STRING(bench_string(result, "name"), "Ada");
    CHECK_STRING(bench_string(result, "color"), "#123456");
    CHECK_INT(bench_number(result, "client"), 1);
    bench_close(&bench);
}

static void the_list_has_everyone(void) {
    bench_open(&bench, NULL);
    bench_connect(&bench, 2);
    bench_call_as(&bench, 2, "client.set", "{\"name\":\"Bob\"}");
    const cJSON *clients = cJSON_GetObjectItem(bench_call(&bench, "client.list", NULL), "clients");
    CHECK_INT(cJSON_GetArraySize(clients), 2);
    CHECK_STRING(bench_string(cJSON_GetArrayItem(clients, 0), "role"), "control");
    CHECK_STRING(bench_string(cJSON_GetArrayItem(clients, 1), "name"), "Bob");
    bench_close(&bench);
}

RUN_TESTS(TEST(a_client_keeps_what_it_does_not_set), TEST(the_list_has_everyone))
