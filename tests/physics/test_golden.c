/* Golden state hashes (physics.md §9): the same on every machine, compiler and preset.
 *
 * They change only on purpose:  physics_test_golden --update "the reason"  writes the
 * file anew, with the reason in it. */
#include "check.h"
#include "sheet.h"

#define FILE_NAME SOURCE_DIR "/tests/physics/golden_hashes.txt"
#define TICKS 120
#define CASES 5

struct golden_case {
    const char *name;
    enum pbd_method method;
    enum pbd_bend_model model;
    int substeps, iterations;
    bool pinned;
};

static const struct golden_case cases[CASES] = {
    {"xpbd_hang", PBD_METHOD_XPBD, PBD_BEND_DIHEDRAL, 10, 1, true},
    {"xpbd_drape", PBD_METHOD_XPBD, PBD_BEND_DIHEDRAL, 10, 1, false},
    {"xpbd_distance_bend", PBD_METHOD_XPBD, PBD_BEND_DISTANCE, 4, 3, false},
    {"pbd_hang", PBD_METHOD_PBD, PBD_BEND_DIHEDRAL, 1, 10, true},
    {"jacobi_hang", PBD_METHOD_JACOBI, PBD_BEND_DIHEDRAL, 1, 32, true},
};

static uint64_t run_case(const struct golden_case *c) {
    struct pbd_world_settings settings = pbd_default_world_settings();
    settings.solver.method = c->method;
    settings.solver.substeps = c->substeps;
    settings.solver.iterations = c->iterations;
    pbd_world *world = pbd_world_create(&settings);
    struct sheet sheet = sheet_create(21, 21, 2, 2);
    struct pbd_cloth_settings cloth = pbd_default_cloth_settings();
    cloth.bend_model = c->model;
    if (c->model == PBD_BEND_DISTANCE) cloth.bend_compliance = 1e-3f;
    const uint32_t pins[2] = {0, 20};
    cloth_from(world, sheet_fabric(&sheet, 0.2f), sheet.positions, &cloth, pins, c->pinned ? 2 : 0);
    sheet_destroy(&sheet);
    struct pbd_collider_def def = pbd_default_collider_def();
    def.position[1] = -0.6f;
    pbd_collider_id id;
    CHECK_INT(pbd_collider_add(world, &def, &id), PBD_OK);
    const float to[3] = {0.3f, -0.5f, 0.2f};
    CHECK_INT(pbd_collider_move(world, id, to, NULL, 100, false), PBD_OK);
    def.shape.type = PBD_PLANE;
    def.position[1] = -1.0f;
    CHECK_INT(pbd_collider_add(world, &def, &id), PBD_OK);
    step_ticks(world, TICKS);
    uint64_t hash = pbd_world_state_hash(world);
    pbd_world_destroy(world);
    return hash;
}

static void hashes_are_the_golden_ones(void) {
    FILE *file = fopen(FILE_NAME, "r");
    CHECK(file != NULL);
    if (file == NULL) return;
    char line[256];
    int seen = 0;
    while (fgets(line, sizeof line, file) != NULL) {
        char name[64], hash[32];
        if (line[0] == '#' || sscanf(line, "%63s %31s", name, hash) != 2) continue;
        for (int i = 0; i < CASES; ++i) {
            if (strcmp(name, cases[i].name) != 0) continue;
            char got[32];
            snprintf(got, sizeof got, "%016llx", (unsigned long long)run_case(&cases[i]));
            CHECK_STRING(got, hash);
            ++seen;
        }
    }
    fclose(file);
    CHECK_INT(seen, CASES);
}

static int update(const char *reason) {
    FILE *file = fopen(FILE_NAME, "w");
    if (file == NULL) return 1;
    fprintf(file, "# State hashes after %d ticks, one scene of test_golden.c a line.\n", TICKS);
    fprintf(file, "# Written by: physics_test_golden --update \"reason\"\n# Reason: %s\n", reason);
    for (int i = 0; i < CASES; ++i)
        fprintf(file, "%s %016llx\n", cases[i].name, (unsigned long long)run_case(&cases[i]));
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
    printf("%s hashes_are_the_golden_ones\n", check_failures == 0 ? "ok  " : "FAIL");
    return check_failures != 0;
}
