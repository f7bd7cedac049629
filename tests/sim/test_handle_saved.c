/* world.save and world.restore: the same bits again, told to everyone, within limits. */
#include "check.h"
#include "support_sim.h"

#define SHEET                                                                                                \
    "{\"cloths\":[{\"cloth\":\"a\",\"grid\":{\"nx\":5,\"ny\":5,\"size\":[1,1]},\"pins\":[0]}],"              \
    "\"colliders\":[{\"collider\":\"ball\",\"shape\":{\"type\":\"sphere\",\"radius\":0.2}}]}"

static struct bench bench;

static void restore_is_bit_exact_with_pins_moves_and_settings(void) {
    bench_open(&bench, SHEET);
    bench_call(&bench, "cloth.move", "{\"cloth\":\"a\",\"vertices\":[0],\"offset\":[0,0.5,0],\"over\":40}");
    bench_call(&bench, "world.step", "{\"ticks\":10}");
    const cJSON *saved = bench_call(&bench, "world.save", "{\"snapshot\":\"ten\"}");
    char hash[17], later[17];
    snprintf(hash, sizeof hash, "%s", bench_string(saved, "state_hash"));
    CHECK_STRING(hash, bench_hash(&bench));
    CHECK(cJSON_IsFalse(cJSON_GetObjectItem(saved, "replaced")) && bench_number(saved, "bytes") > 0);
    snprintf(later, sizeof later, "%s",
             bench_string(bench_call(&bench, "world.step", "{\"ticks\":30}"), "state_hash"));
    bench_call(&bench, "world.set", "{\"gravity\":[0,1,0],\"time_scale\":2,\"solver\":{\"dt\":0.01}}");
    bench_call(&bench, "cloth.unpin", "{\"cloth\":\"a\",\"all\":true}");
    bench_call(&bench, "collider.remove", "{\"collider\":\"ball\"}");
    bench_call(&bench, "world.step", "{\"ticks\":5}");
    const cJSON *restored = bench_call(&bench, "world.restore", "{\"snapshot\":\"ten\"}");
    CHECK_STRING(bench_string(restored, "state_hash"), hash);
    CHECK_INT(bench_number(restored, "tick"), 10);
    CHECK_INT(bench_number(restored, "epoch"), 3);
    CHECK_NEAR(bench.sim->worlds[0]->clock.period_us, 1e6 / 60, 1);
    CHECK_STRING(bench_string(bench_call(&bench, "world.step", "{\"ticks\":30}"), "state_hash"), later);
    bench_close(&bench);
}

static void streams_go_on_with_a_key_and_everything_is_told_again(void) {
    bench_open(&bench, SHEET);
    bench_call(&bench, "stream.subscribe", NULL);
    bench_call(&bench, "world.save", "{\"snapshot\":\"start\"}");
    bench_call(&bench, "collider.add",
               "{\"collider\":\"late\",\"shape\":{\"type\":\"sphere\",\"radius\":0.1}}");
    bench_call(&bench, "collider.remove", "{\"collider\":\"ball\"}");
    bench_call(&bench, "world.step", "{\"ticks\":3}");
    bench_clear(&bench);
    bench_call(&bench, "world.restore", "{\"snapshot\":\"start\"}");
    bench_run(&bench);
    const cJSON *gone = bench_notification(&bench, 1, "mesh", 0);
    CHECK_STRING(bench_string(gone, "name"), "late");
    CHECK(cJSON_IsTrue(cJSON_GetObjectItem(gone, "removed")));
    CHECK_STRING(bench_string(bench_notification(&bench, 1, "mesh", 1), "name"), "a");
    CHECK_STRING(bench_string(bench_notification(&bench, 1, "mesh", 2), "name"), "ball");
    CHECK_INT(bench_number(bench_notification(&bench, 1, "mesh", 2), "epoch"), 3);
    CHECK_INT(bench_frames(&bench, 0), 1);
    CHECK(bench_frame(&bench, 0, 0)->key != NULL);
    CHECK_INT(bench_frame(&bench, 0, 0)->tick, 0);
    bench_close(&bench);
}

static void grabs_come_back_but_not_those_of_clients_that_left(void) {
    bench_open(&bench, SHEET);
    bench_connect(&bench, 2);
    bench_call(&bench, "cloth.grab", "{\"cloth\":\"a\",\"vertex\":12}");
    bench_call_as(&bench, 2, "cloth.grab", "{\"cloth\":\"a\",\"vertex\":24}");
    bench_call(&bench, "world.save", "{\"snapshot\":\"held\"}");
    bench_call(&bench, "cloth.release", "{\"grab\":1}");
    bench_disconnect(&bench, 2);
    bench_clear(&bench);
    bench_call(&bench, "world.restore", "{\"snapshot\":\"held\"}");
    CHECK_STRING(bench_string(bench_notification(&bench, 1, "event", 0), "method"), "world.restore");
    const cJSON *released = bench_notification(&bench, 1, "event", 1);
    CHECK_STRING(bench_string(released, "method"), "cloth.release");
    CHECK_INT(bench_number(released, "client"), 2);
    CHECK_INT(bench_number(cJSON_GetObjectItem(released, "params"), "grab"), 2);
    const cJSON *grabs = cJSON_GetObjectItem(bench_call(&bench, "world.describe", NULL), "grabs");
    CHECK_INT(cJSON_GetArraySize(grabs), 1);
    CHECK_INT(bench_number(cJSON_GetArrayItem(grabs, 0), "grab"), 1);
    CHECK(bench_call(&bench, "cloth.drag", "{\"grab\":1,\"position\":[0,1,0]}") != NULL);
    /* Numbers go on where they were. */
    CHECK_INT(bench_number(bench_call(&bench, "cloth.grab", "{\"cloth\":\"a\",\"vertex\":3}"), "grab"), 3);
    bench_close(&bench);
}

static void names_are_replaced_and_limits_refuse_by_name(void) {
    bench_open(&bench, SHEET);
    bench_call(&bench, "world.save", "{\"snapshot\":\"a\"}");
    bench_call(&bench, "world.save", "{\"snapshot\":\"b\"}");
    bench_call(&bench, "world.save", "{\"snapshot\":\"c\"}");
    const cJSON *error = bench_refused(&bench, "world.save", "{\"snapshot\":\"d\"}");
    CHECK_INT(bench_number(error, "code"), -32004);
    CHECK_STRING(bench_string(cJSON_GetObjectItem(error, "data"), "limit"), "max_snapshots");
    CHECK_INT(bench_number(cJSON_GetObjectItem(error, "data"), "got"), 4);
    bench_call(&bench, "world.step", NULL);
    const cJSON *again = bench_call(&bench, "world.save", "{\"snapshot\":\"b\"}");
    CHECK(cJSON_IsTrue(cJSON_GetObjectItem(again, "replaced")));
    const cJSON *kept = cJSON_GetObjectItem(bench_call(&bench, "world.describe", NULL), "snapshots");
    CHECK_INT(cJSON_GetArraySize(kept), 3);
    CHECK_STRING(bench_string(cJSON_GetArrayItem(kept, 1), "snapshot"), "b");
    CHECK_INT(bench_number(cJSON_GetArrayItem(kept, 1), "tick"), 1);
    CHECK_STRING(bench_string(cJSON_GetArrayItem(kept, 1), "state_hash"), bench_hash(&bench));

    bench.sim->config.limits.max_snapshot_bytes = 20000;
    error = bench_refused(&bench, "world.save", "{\"snapshot\":\"a\"}");
    CHECK_STRING(bench_string(cJSON_GetObjectItem(error, "data"), "limit"), "max_snapshot_bytes");
    CHECK_STRING(bench_string(cJSON_GetObjectItem(error, "data"), "path"), "snapshot");
    bench_close(&bench);
}

static void an_unknown_name_is_refused_and_changes_nothing(void) {
    bench_open(&bench, SHEET);
    bench_call(&bench, "world.step", NULL);
    char hash[17];
    snprintf(hash, sizeof hash, "%s", bench_hash(&bench));
    const cJSON *error = bench_refused(&bench, "world.restore", "{\"snapshot\":\"nope\"}");
    CHECK_INT(bench_number(error, "code"), -32001);
    CHECK_STRING(bench_string(cJSON_GetObjectItem(error, "data"), "path"), "snapshot");
    CHECK_STRING(bench_hash(&bench), hash);
    bench_close(&bench);
}

static void a_reset_keeps_snapshots_and_a_load_drops_them(void) {
    bench_open(&bench, SHEET);
    bench_call(&bench, "world.step", "{\"ticks\":4}");
    bench_call(&bench, "world.save", "{\"snapshot\":\"four\"}");
    bench_call(&bench, "world.reset", NULL);
    CHECK_INT(bench_number(bench_call(&bench, "world.restore", "{\"snapshot\":\"four\"}"), "tick"), 4);
    bench_call(&bench, "world.load", "{\"spec\":" SHEET "}");
    CHECK_INT(bench_number(bench_refused(&bench, "world.restore", "{\"snapshot\":\"four\"}"), "code"),
              -32001);
    bench_close(&bench);
}

RUN_TESTS(TEST(restore_is_bit_exact_with_pins_moves_and_settings),
          TEST(streams_go_on_with_a_key_and_everything_is_told_again),
          TEST(grabs_come_back_but_not_those_of_clients_that_left),
          TEST(names_are_replaced_and_limits_refuse_by_name),
          TEST(an_unknown_name_is_refused_and_changes_nothing),
          TEST(a_reset_keeps_snapshots_and_a_load_drops_them))
