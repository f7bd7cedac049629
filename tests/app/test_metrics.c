/* app/metrics: the names of the contract are there, and histograms add up. */
#include "check.h"
#include <app/metrics.h>
#include <stdlib.h>

static char *format(const struct metrics_input *input) {
    struct buffer *text = metrics_format(input);
    char *copy = strndup((const char *)text->data, text->length);
    buffer_unref(text);
    return copy;
}

static void every_promised_name_is_there(void) {
    static const char *const names[] = {"\nclothd_late_ticks_total ",
                                        "\nclothd_step_seconds_bucket{le=\"0.001\"} ",
                                        "\nclothd_encode_seconds_count ",
                                        "\nclothd_clients ",
                                        "\nclothd_frames_sent_total ",
                                        "\nclothd_frames_skipped_total{cause=\"",
                                        "\nclothd_bytes_sent_total ",
                                        "\nclothd_commands_total{method=\"world.step\",result=\"ok\"} ",
                                        "\nclothd_refused_total{cause=\"origin\"} ",
                                        "\nclothd_queue_depth{queue=\"inbox\"} ",
                                        "\nclothd_open_descriptors ",
                                        "\nclothd_resident_memory_bytes ",
                                        "\nclothd_ticks_total "};
    const struct metrics_input input = {0};
    char *text = format(&input);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        if (!strstr(text, names[i])) printf("missing: %s\n", names[i]);
        CHECK(strstr(text, names[i]) != NULL);
    }
    CHECK(text[strlen(text) - 1] == '\n');
    free(text);
}

static void buckets_are_cumulative(void) {
    struct metrics_input input = {0};
    for (int i = 0; i < 12; ++i)
        input.sim.step_bucket[i] = 2;
    input.sim.step_count = 24;
    input.sim.step_us_sum = 1500000;
    char *text = format(&input);
    CHECK(strstr(text, "clothd_step_seconds_bucket{le=\"0.0001\"} 2\n") != NULL);
    CHECK(strstr(text, "clothd_step_seconds_bucket{le=\"0.2\"} 22\n") != NULL);
    CHECK(strstr(text, "clothd_step_seconds_bucket{le=\"+Inf\"} 24\n") != NULL);
    CHECK(strstr(text, "clothd_step_seconds_sum 1.500000\n") != NULL);
    free(text);
}

static void figures_stand_at_their_names(void) {
    struct metrics_input input = {.net = {.clients = 3, .skipped_unacked = 5, .refused_origin = 7}};
    input.bridge.refused[BRIDGE_RATE] = 11;
    input.bridge.refused_commands[WIRE_COMMAND_COUNT] = 13;
    input.sim.commands_failed[WIRE_cloth_pin] = 17;
    char *text = format(&input);
    CHECK(strstr(text, "\nclothd_clients 3\n") != NULL);
    CHECK(strstr(text, "clothd_frames_skipped_total{cause=\"unacked\"} 5\n") != NULL);
    CHECK(strstr(text, "clothd_refused_total{cause=\"origin\"} 7\n") != NULL);
    CHECK(strstr(text, "clothd_refused_total{cause=\"rate\"} 11\n") != NULL);
    CHECK(strstr(text, "clothd_commands_total{method=\"unknown\",result=\"refused\"} 13\n") != NULL);
    CHECK(strstr(text, "clothd_commands_total{method=\"cloth.pin\",result=\"failed\"} 17\n") != NULL);
    free(text);
}

RUN_TESTS(TEST(every_promised_name_is_there), TEST(buckets_are_cumulative),
          TEST(figures_stand_at_their_names))
