/* The golden log: a session with a little of everything, whose hashes every build must find again
 * (physics.md §9): debug and release, gcc and clang, whoever watches.
 *
 * It changes only on purpose:  sim_test_golden_log --update "the reason"  plays the session and
 * writes the file anew, with the reason in it. */
#include "shipped.h"
#include "support_sim.h"

#include <scene/scene_file.h>
#include <sim/replay.h>
#include <stdlib.h>

#define FILE_NAME SOURCE_DIR "/tests/sim/golden_log.json"

static struct bench bench;

#define SCENE                                                                                                              \
    "{\"title\":\"the golden log\",\"world\":{\"max_speed\":50,\"solver\":{\"substeps\":4}},\"cloths\":["                  \
    "{\"cloth\":\"sheet\",\"grid\":{\"nx\":9,\"ny\":8,\"size\":[1,1]},\"position\":[0,0.6,0],\"pins\":[0,8],"              \
    "\"self_collision\":true,\"thickness\":0.02,\"friction\":0.4},"                                                        \
    "{\"cloth\":\"rag\",\"grid\":{\"nx\":5,\"ny\":5,\"size\":[0.4,0.4],\"diagonal\":\"alternate\"},\"position\":"          \
    "[0.1,1,0.1],\"rotation\":[0.1,0.2,0.3,0.9],\"velocity\":[0.3,0,0.1],\"bend_model\":\"distance\"}],"                   \
    "\"colliders\":[{\"collider\":\"floor\",\"shape\":{\"type\":\"plane\"},\"motion\":\"static\"},"                        \
    "{\"collider\":\"ball\",\"shape\":{\"type\":\"sphere\",\"radius\":0.15},\"position\":[0,0.3,0]},"                      \
    "{\"collider\":\"drum\",\"shape\":{\"type\":\"capsule\",\"radius\":0.1,\"half_height\":0.3},\"position\":[0.5,0.3,0]," \
    "\"angular_velocity\":[0,3,1],\"moves_from\":0.1},"                                                                    \
    "{\"collider\":\"crate\",\"shape\":{\"type\":\"box\",\"half_extents\":[0.08,0.08,0.08]},\"motion\":\"dynamic\","       \
    "\"mass\":0.3,\"position\":[0.1,0.9,0],\"rotation\":[0.2,0.1,0.4,0.8],\"angular_velocity\":[1,2,3]},"                  \
    "{\"collider\":\"ramp\",\"shape\":{\"type\":\"mesh\",\"positions\":[-1,0,-1,1,0.3,-1,1,0.3,1,-1,0,1],"                 \
    "\"triangles\":[0,2,1,0,3,2]},\"motion\":\"static\"}]}"

struct line {
    uint32_t client;
    const char *method, *params;
};

static const struct line session[] = {
    {1, "world.step", "{\"ticks\":8}"},
    {1, "cloth.move", "{\"cloth\":\"sheet\",\"vertices\":[0,8],\"offset\":[0.1,0.2,-0.1],\"over\":15}"},
    {2, "cloth.grab", "{\"cloth\":\"sheet\",\"vertex\":40,\"position\":[0,0.9,0.2],\"compliance\":0.002}"},
    {1, "world.step", "{\"ticks\":5}"},
    {2, "cloth.drag", "{\"grab\":1,\"position\":[0.2,1,0.3]}"},
    {1, "collider.move",
     "{\"collider\":\"ball\",\"position\":[0.2,0.35,0.1],\"rotation\":[0,0.7,0,0.7],\"over\":10}"},
    {1, "world.save", "{\"snapshot\":\"held\"}"},
    {1, "world.step", "{\"ticks\":7}"},
    {1, "cloth.add",
     "{\"cloth\":\"scrap\",\"mesh\":{\"positions\":[0,0,0,0.3,0,0,0,0,0.3,0.3,0,0.3],\"triangles\":[0,2,1,1,"
     "2,3],\"masses\":[0.01,0.01,0.02,0.01]},\"position\":[0,1.2,0],\"stretch_compliance\":1e-5}"},
    {1, "cloth.attach", "{\"cloth\":\"scrap\",\"vertices\":[3],\"collider\":\"crate\"}"},
    {1, "cloth.impulse",
     "{\"cloth\":\"rag\",\"vertices\":[{\"from\":0,\"to\":4}],\"impulse\":[0,0.001,0.0005]}"},
    {1, "world.set",
     "{\"gravity\":[0.5,-9.8,0],\"damping\":0.05,\"solver\":{\"substeps\":3,\"iterations\":2}}"},
    {1, "world.step", "{\"ticks\":7}"},
    {2, NULL, NULL}, /* leaves: its grab is released */
    {1, "cloth.set", "{\"cloth\":\"sheet\",\"bend_compliance\":0.5,\"thickness\":0.03,\"restitution\":0.2}"},
    {1, "cloth.unpin", "{\"cloth\":\"sheet\",\"vertices\":[8]}"},
    {1, "collider.set",
     "{\"collider\":\"ball\",\"shape\":{\"type\":\"box\",\"half_extents\":[0.1,0.2,0.1]},\"friction\":1}"},
    {1, "collider.move", "{\"collider\":\"crate\",\"position\":[0,0.8,0]}"},
    {1, "world.set", "{\"solver\":{\"method\":\"pbd\"}}"},
    {1, "world.step",
     "{\"ticks\":6,\"commands\":[{\"method\":\"cloth.pin\",\"params\":{\"cloth\":\"rag\",\"vertices\":[12],"
     "\"positions\":[0.1,0.7,0.1]}},{\"method\":\"collider.remove\",\"params\":{\"collider\":\"drum\"}}]}"},
    {1, "world.restore", "{\"snapshot\":\"held\"}"},
    {1, "world.step", "{\"ticks\":8}"},
    {1, "cloth.remove", "{\"cloth\":\"rag\"}"},
    {1, "world.set", "{\"solver\":{\"method\":\"jacobi\",\"iterations\":8}}"},
    {1, "world.step", "{\"ticks\":4}"},
    {1, "world.reset", "{}"},
    {1, "cloth.set_state",
     "{\"cloth\":\"rag\",\"velocities\":[0,1,0,0,1,0,0,1,0,0,1,0,0,1,0,0,1,0,0,1,0,0,1,0,0,1,0,0,1,0,0,"
     "1,0,0,1,0,0,1,0,0,1,0,0,1,0,0,1,0,0,1,0,0,1,0,0,1,0,0,1,0,0,1,0,0,1,0,0,1,0,0,1,0,0.5,1,0]}"},
    {1, "world.step", "{\"ticks\":8}"},
};

/* The whole session, with `viewers` more clients that watch it. */
static void play(int viewers) {
    bench_open(&bench, SCENE);
    bench_connect(&bench, 2);
    for (int i = 0; i < viewers; ++i) {
        bench_connect(&bench, 3 + (uint32_t)i);
        bench_call_as(&bench, 3 + (uint32_t)i, "stream.subscribe",
                      i % 2 ? "{\"codec\":\"f32\"}" : "{\"max_hz\":20}");
    }
    for (size_t i = 0; i < sizeof session / sizeof session[0]; ++i) {
        const struct line *line = &session[i];
        if (!line->method) {
            bench_disconnect(&bench, line->client);
        } else if (!bench_call_as(&bench, line->client, line->method, line->params)) {
            printf("%s %s was refused\n", line->method, line->params);
            CHECK(false);
        }
        bench_clear(&bench);
    }
}

static struct wire_request *golden(void) {
    size_t length = 0;
    struct wire_error error;
    char *text = scene_file_read(FILE_NAME, &length);
    CHECK(text != NULL);
    struct wire_request *request = text ? wire_log_decode(text, length, &error) : NULL;
    if (text && !request) printf("%s\n", error.message);
    CHECK(request != NULL);
    free(text);
    return request;
}

static void every_build_replays_it_bit_for_bit(void) {
    bench_open(&bench, NULL);
    struct wire_request *request = golden();
    struct wire_error error;
    struct replay *replay = request ? replay_open(bench.sim, request->params, "", &error) : NULL;
    CHECK(replay != NULL);
    if (replay) {
        CHECK(replay_advance(replay, UINT64_MAX, NULL));
        const struct replay_report *report = replay_get_report(replay);
        printf("%u checks and %u commands in %llu steps\n", report->checks, report->commands,
               (unsigned long long)report->steps);
        if (report->difference != REPLAY_IDENTICAL) printf("tick %u: %s\n", report->tick, report->text);
        CHECK_INT(report->difference, REPLAY_IDENTICAL);
        CHECK(report->steps == (uint64_t)((const struct wire_log *)request->params)->steps);
        replay_close(replay);
    }
    wire_request_destroy(request);
    bench_close(&bench);
}

static void the_session_itself_ends_in_the_same_state_whoever_watches(void) {
    struct wire_request *request = golden();
    if (!request) return;
    const struct wire_log *log = request->params;
    /* Slow builds watch only: the sanitisers see the most then. */
    for (int viewers = SLOW_BUILD ? 4 : 0; viewers <= 4; viewers += 4) {
        play(viewers);
        CHECK_STRING(bench_hash(&bench), log->end.state_hash);
        bench_close(&bench);
    }
    wire_request_destroy(request);
}

static int update(const char *reason) {
    play(0);
    char *log = cJSON_PrintUnformatted(bench_call(&bench, "world.log", NULL));
    FILE *file = fopen(FILE_NAME, "w");
    if (!file || !log) return 1;
    fprintf(file, "{\"reason\":\"%s\",\n\"result\":%s}\n", reason, log);
    cJSON_free(log);
    bench_close(&bench);
    return fclose(file) != 0 || check_failures != 0;
}

static const struct check_test tests[] = {
    TEST(every_build_replays_it_bit_for_bit),
    TEST(the_session_itself_ends_in_the_same_state_whoever_watches),
};

int main(int argc, char **argv) {
    if (argc == 3 && strcmp(argv[1], "--update") == 0 && strlen(argv[2]) > 3) return update(argv[2]);
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; ++i) {
        int before = check_failures;
        tests[i].run();
        printf("%s %s\n", check_failures == before ? "ok  " : "FAIL", tests[i].name);
    }
    return check_failures != 0;
}
