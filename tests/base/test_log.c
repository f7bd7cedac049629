/* base/log: what a line looks like on standard error. */
#include "check.h"
#include <base/log.h>
#include <stdlib.h>
#include <unistd.h>

static char captured[4096];

/* Runs write_lines with standard error sent to a pipe. */
static void capture(void (*write_lines)(void)) {
    int ends[2], saved = dup(STDERR_FILENO);
    if (saved < 0 || pipe(ends) != 0) abort();
    dup2(ends[1], STDERR_FILENO);
    write_lines();
    dup2(saved, STDERR_FILENO);
    close(saved);
    close(ends[1]);
    size_t used = 0;
    for (ssize_t got; (got = read(ends[0], captured + used, sizeof captured - 1 - used)) > 0;)
        used += (size_t)got;
    captured[used] = '\0';
    close(ends[0]);
}

static void write_one(void) {
    log_line(LOG_WARNING, "disk full path=%s left=%d", "a", 3);
}

static void a_line_has_time_level_and_message(void) {
    capture(write_one);
    int year, month, day, hour, minute, second, thousandth, end = 0;
    int fields = sscanf(captured, "%4d-%2d-%2dT%2d:%2d:%2d.%3dZ warning disk full path=a left=3%n", &year,
                        &month, &day, &hour, &minute, &second, &thousandth, &end);
    CHECK_INT(fields, 7);
    CHECK(end > 0 && strcmp(captured + end, "\n") == 0);
}

static void write_levels(void) {
    log_line(LOG_DEBUG, "hidden");
    log_set_level(LOG_ERROR);
    log_line(LOG_WARNING, "hidden too");
    log_line(LOG_ERROR, "seen");
    log_set_level(LOG_DEBUG);
    log_line(LOG_DEBUG, "seen now");
    log_set_level(LOG_INFO);
}

static void lines_below_the_level_are_dropped(void) {
    capture(write_levels);
    CHECK(strstr(captured, "hidden") == NULL);
    CHECK(strstr(captured, " error seen\n") != NULL);
    CHECK(strstr(captured, " debug seen now\n") != NULL);
}

static void write_forged(void) {
    log_line(LOG_INFO, "name=%s", "a\n2000-01-01 error forged\x1b[2J");
}

static void control_characters_cannot_forge_a_line(void) {
    capture(write_forged);
    CHECK(strchr(captured, '\n') == captured + strlen(captured) - 1);
    CHECK(strstr(captured, "name=a?2000-01-01 error forged?[2J") != NULL);
}

static void write_long(void) {
    static char text[3000];
    memset(text, 'x', sizeof text - 1);
    log_line(LOG_INFO, "%s", text);
}

static void a_long_line_is_cut_and_still_ends(void) {
    capture(write_long);
    CHECK(strlen(captured) <= 1024);
    CHECK(captured[strlen(captured) - 1] == '\n' && captured[strlen(captured) - 2] == 'x');
}

RUN_TESTS(TEST(a_line_has_time_level_and_message), TEST(lines_below_the_level_are_dropped),
          TEST(control_characters_cannot_forge_a_line), TEST(a_long_line_is_cut_and_still_ends))
