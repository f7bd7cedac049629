/* Golden state hashes of the shipped scenes (physics.md §9): early, before all of it has
 * moved, and late. Slow builds check the early ones alone.
 *
 * They change only on purpose:  sim_test_golden_scenes --update "the reason"  writes the
 * file anew, with the reason in it. */
#include "shipped.h"

#include <stdlib.h>

#define FILE_NAME SOURCE_DIR "/tests/sim/golden_scenes.txt"
enum { EARLY, LATE, MOMENTS };

struct golden_scene {
    const char *name;
    int ticks[MOMENTS];
};

/* Late is after what the scene is about has begun: the pull, the fold onto itself, the fall. */
static const struct golden_scene scenes[] = {
    {"balloon", {2, 45}}, {"flag", {3, 90}},    {"barrel", {2, 60}}, {"bunny", {2, 60}},
    {"curtain", {3, 60}}, {"drape", {3, 120}},  {"dress", {3, 60}},  {"games103", {10, 120}},
    {"net", {4, 120}},    {"sheet128", {1, 8}}, {"stack", {2, 50}},  {"tablecloth", {2, 135}},
    {"twist", {2, 100}},
};
enum { SCENES = sizeof scenes / sizeof scenes[0] };

static void run_scene(const struct golden_scene *golden, int moments, char hashes[MOMENTS][20]) {
    struct shipped scene = shipped_open(golden->name);
    int done = 0;
    for (int m = 0; m < moments; ++m) {
        shipped_go(&scene, golden->ticks[m] - done);
        done = golden->ticks[m];
        snprintf(hashes[m], sizeof hashes[m], "%016llx",
                 (unsigned long long)pbd_world_state_hash(scene.world));
    }
    shipped_close(&scene);
}

static void check_line(const char *name, const char *early, const char *late) {
    for (int i = 0; i < SCENES; ++i) {
        if (strcmp(name, scenes[i].name) != 0) continue;
        char hashes[MOMENTS][20];
        run_scene(&scenes[i], SLOW_BUILD ? LATE : MOMENTS, hashes);
        int before = check_failures;
        CHECK_STRING(hashes[EARLY], early);
        if (!SLOW_BUILD) CHECK_STRING(hashes[LATE], late);
        printf("%s %s\n", check_failures == before ? "ok  " : "FAIL", name);
        return;
    }
}

static void hashes_are_the_golden_ones(void) {
    FILE *file = fopen(FILE_NAME, "r");
    CHECK(file != NULL);
    if (file == NULL) return;
    char line[256];
    int seen = 0;
    while (fgets(line, sizeof line, file) != NULL) {
        char name[64], early[32], late[32];
        if (line[0] == '#' || sscanf(line, "%63s %31s %31s", name, early, late) != 3) continue;
        check_line(name, early, late);
        ++seen;
    }
    fclose(file);
    CHECK_INT(seen, SCENES);
}

static int update(const char *reason) {
    FILE *file = fopen(FILE_NAME, "w");
    if (file == NULL) return 1;
    fprintf(file, "# State hashes of the shipped scenes: name, early, late (test_golden_scenes.c: when).\n");
    fprintf(file, "# Written by: sim_test_golden_scenes --update \"reason\"\n# Reason: %s\n", reason);
    for (int i = 0; i < SCENES; ++i) {
        char hashes[MOMENTS][20];
        run_scene(&scenes[i], MOMENTS, hashes);
        fprintf(file, "%s %s %s\n", scenes[i].name, hashes[EARLY], hashes[LATE]);
    }
    return fclose(file) != 0;
}

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "--update") == 0) {
        if (argc < 3 || strlen(argv[2]) < 10) {
            fprintf(stderr, "usage: %s --update \"why the hashes change\"\n", argv[0]);
            return 1;
        }
        return update(argv[2]);
    }
    hashes_are_the_golden_ones();
    printf("%d failed\n", check_failures);
    return check_failures != 0;
}
