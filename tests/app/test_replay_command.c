/* clothd replay FILE: what it prints and how it ends. */
#include "check.h"
#include <app/replay_command.h>
#include <scene/scene_file.h>
#include <stdlib.h>
#include <unistd.h>

#define GOLDEN SOURCE_DIR "/tests/sim/golden_log.json"

static char path[] = "/tmp/clothd_log_XXXXXX";
static char *said, *complained;

/* The golden log with the first `from` behind `after` replaced, as a file; NULL: as it is. */
static void write_log(const char *after, const char *from, const char *to) {
    size_t length;
    char *text = scene_file_read(GOLDEN, &length);
    CHECK(text != NULL);
    const char *at = after ? strstr(strstr(text, after), from) : text;
    CHECK(at != NULL);
    strcpy(path + strlen(path) - 6, "XXXXXX");
    FILE *file = fdopen(mkstemp(path), "w");
    fwrite(text, 1, (size_t)(at - text), file);
    if (after) fputs(to, file);
    fputs(at + (after ? strlen(from) : 0), file);
    fclose(file);
    free(text);
}

static int run(const char *file) {
    struct options options = {.replay_file = file,
                              .max_vertices_per_world = 5000,
                              .max_vertices = 5000,
                              .max_grabs = 5,
                              .max_snapshots = 5,
                              .max_snapshot_bytes = 1 << 24,
                              .max_message_bytes = 1 << 24};
    size_t size;
    free(said);
    free(complained);
    FILE *out = open_memstream(&said, &size), *errors = open_memstream(&complained, &size);
    int status = replay_command_main(&options, out, errors);
    fclose(out);
    fclose(errors);
    return status;
}

static int run_altered(const char *after, const char *from, const char *to) {
    write_log(after, from, to);
    int status = run(path);
    unlink(path);
    return status;
}

static void the_golden_log_is_identical(void) {
    CHECK_INT(run(GOLDEN), REPLAY_SAME);
    CHECK_STRING(said, "identical\n");
    CHECK(strstr(complained, "the log is of clothd 0, this is clothd") != NULL);
}

static void a_difference_is_told_with_tick_object_and_vertex(void) {
    CHECK_INT(run_altered("cloth.impulse", "0.001", "0.002"), REPLAY_OTHER);
    unsigned tick, vertex;
    CHECK_INT(sscanf(said, "differs at tick %u: cloth \"rag\", vertex %u (the same at tick", &tick, &vertex),
              2);
    CHECK(vertex < 25 && tick > 10);
    CHECK(strstr(said, "here it is at [") != NULL);
    CHECK_INT(run_altered("world.restore", "held", "hold"), REPLAY_OTHER);
    CHECK(strstr(said, "was applied in the log and is refused here") != NULL);
}

static void a_corrupt_file_is_told_with_its_byte(void) {
    CHECK_INT(run_altered("\"commands\"", "[{", "[!"), REPLAY_UNREADABLE);
    CHECK_STRING(said, "");
    CHECK(strstr(complained, " at byte ") != NULL && strstr(complained, "a value should be here") != NULL);
    CHECK_INT(run_altered("cloth.grab", "\"vertex\":40", "\"vertex\":-4"), REPLAY_UNREADABLE);
    CHECK(strstr(complained, "At byte ") != NULL &&
          strstr(complained, "params.vertex is -4; allowed is 0 to 4294967294") != NULL);
    CHECK_INT(run_altered("cloth.grab", "\"vertex\":40,", ""), REPLAY_UNREADABLE);
    CHECK(strstr(complained, "lacks vertex") != NULL);
    CHECK_INT(run_altered("\"start\"", "\"nx\":9", "\"nx\":9000"), REPLAY_UNREADABLE);
    CHECK(strstr(complained, "72000 vertices") != NULL);
}

static void another_version_is_told(void) {
    CHECK_INT(run_altered("{", "\"format\":1", "\"format\":2,\"new\":[]"), REPLAY_UNREADABLE);
    CHECK(strstr(complained, "the log is of another version of clothd") != NULL);
    CHECK(strstr(complained, "format is 2; allowed is 1.") != NULL);
}

static void a_file_that_is_not_there_is_told(void) {
    CHECK_INT(run("/nowhere/log.json"), REPLAY_UNREADABLE);
    CHECK(strstr(complained, "/nowhere/log.json cannot be read") != NULL);
}

RUN_TESTS(TEST(the_golden_log_is_identical), TEST(a_difference_is_told_with_tick_object_and_vertex),
          TEST(a_corrupt_file_is_told_with_its_byte), TEST(another_version_is_told),
          TEST(a_file_that_is_not_there_is_told))
