/* app/session: sessions by id and the paused worlds. */
#include "check.h"
#include <app/session.h>

static void sessions_are_found_by_id_until_removed(void) {
    static struct session_table table;
    for (uint32_t id = 1; id <= 1000; ++id)
        CHECK(session_add(&table, id) != NULL);
    for (uint32_t id = 1; id <= 1000; id += 2)
        session_remove(&table, session_find(&table, id));
    int wrong = 0;
    for (uint32_t id = 1; id <= 1000; ++id) {
        const struct session *session = session_find(&table, id);
        wrong += (session != NULL) != (id % 2 == 0) || (session && session->client != id);
    }
    CHECK_INT(wrong, 0);
    CHECK(session_find(&table, 1001) == NULL);
    for (uint32_t id = 2; id <= 1000; id += 2)
        session_remove(&table, session_find(&table, id));
}

static void a_world_is_paused_until_it_runs_or_goes(void) {
    struct world_states states = {0};
    char name[16];
    CHECK(!world_states_is_paused(&states, "main"));
    for (int i = 0; i < 40; ++i) {
        snprintf(name, sizeof name, "w%d", i);
        CHECK(world_states_set(&states, name, true, true));
    }
    CHECK(world_states_set(&states, "w7", true, true)); /* again: once */
    CHECK_INT(states.count, 40);
    CHECK(world_states_set(&states, "w3", true, false) && world_states_set(&states, "w39", false, true));
    CHECK(world_states_set(&states, "unheard", true, false));
    CHECK(!world_states_is_paused(&states, "w3") && !world_states_is_paused(&states, "w39"));
    CHECK(world_states_is_paused(&states, "w0") && world_states_is_paused(&states, "w38"));
    CHECK_INT(states.count, 38);
    world_states_free(&states);
}

RUN_TESTS(TEST(sessions_are_found_by_id_until_removed), TEST(a_world_is_paused_until_it_runs_or_goes))
