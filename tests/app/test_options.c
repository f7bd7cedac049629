/* app/options: flags, variables, defaults, and one sentence for every mistake. */
#include "check.h"
#include <app/options.h>
#include <stdlib.h>

static const char *variables[8][2];

static const char *environment(const char *name) {
    for (int i = 0; i < 8; ++i) {
        if (variables[i][0] && strcmp(variables[i][0], name) == 0) return variables[i][1];
    }
    return NULL;
}

static struct options options;
static char message[256];

/* Parses a command line given as words between spaces. */
static int parse(const char *line) {
    static char text[512];
    char *argv[32] = {(char *)"clothd"};
    int argc = 1;
    snprintf(text, sizeof text, "%s", line);
    for (char *rest = text, *word; (word = strtok_r(rest, " ", &rest));)
        argv[argc++] = word;
    message[0] = '\0';
    return options_parse(&options, argc, argv, environment, message, sizeof message);
}

static void clear_variables(void) {
    memset(variables, 0, sizeof variables);
}

static void defaults_are_those_of_the_contract(void) {
    clear_variables();
    CHECK_INT(parse(""), 0);
    CHECK_STRING(options.bind, "127.0.0.1");
    CHECK_INT(options.port, 8080);
    CHECK_STRING(options.scene, "drape");
    CHECK_INT(options.max_clients, 256);
    CHECK_INT(options.max_worlds, 256);
    CHECK_INT(options.max_vertices_per_world, 500000);
    CHECK_INT(options.max_vertices, 2000000);
    CHECK_INT(options.max_message_bytes, 16777216);
    CHECK_INT(options.max_json_depth, 16);
    CHECK_INT(options.handshake_s, 5);
    CHECK(!options.paused && !options.port_given && options.mesh == NULL && options.action == OPTIONS_RUN);
}

static void replay_takes_a_file_and_flags_behind_it(void) {
    clear_variables();
    CHECK_INT(parse("replay a.json --max-vertices 5"), 0);
    CHECK_INT(options.action, OPTIONS_REPLAY);
    CHECK_STRING(options.replay_file, "a.json");
    CHECK_INT(options.max_vertices, 5);
    CHECK_INT(parse("replay"), -1);
    CHECK(strstr(message, "replay needs a file") != NULL);
    CHECK_INT(parse("--paused replay a.json"), -1); /* only as the first word */
}

static void flags_take_their_values_in_both_spellings(void) {
    clear_variables();
    CHECK_INT(
        parse("--port 9000 --scene=dress --paused --allow-host a.example,b.example --allow-host c.example "
              "--allow-origin http://a:1 --bind ::1 --max-clients=7"),
        0);
    CHECK_INT(options.port, 9000);
    CHECK(options.port_given && options.paused);
    CHECK_STRING(options.scene, "dress");
    CHECK_STRING(options.bind, "::1");
    CHECK_INT(options.max_clients, 7);
    CHECK_INT(options.allow_hosts.count, 3);
    CHECK_STRING(options.allow_hosts.items[2], "c.example");
    CHECK_STRING(options.allow_origins.items[0], "http://a:1");
    options_free(&options);
}

static void a_flag_wins_over_a_variable_and_that_over_the_default(void) {
    clear_variables();
    variables[0][0] = "CLOTHD_PORT";
    variables[0][1] = "7000";
    variables[1][0] = "CLOTHD_MAX_CLIENTS";
    variables[1][1] = "3";
    variables[2][0] = "CLOTHD_PAUSED";
    variables[2][1] = "1";
    variables[3][0] = "CLOTHD_ALLOW_HOST";
    variables[3][1] = "x.example,y.example";
    variables[4][0] = "CLOTHD_SCENE";
    variables[4][1] = "";
    CHECK_INT(parse("--port 9000 --allow-host z.example"), 0);
    CHECK_INT(options.port, 9000);
    CHECK_INT(options.max_clients, 3);
    CHECK(options.paused);
    CHECK_INT(options.allow_hosts.count, 1);
    CHECK_STRING(options.scene, "drape"); /* empty = not set */
    options_free(&options);
    variables[1][1] = "many";
    CHECK_INT(parse(""), -1);
    CHECK(strstr(message, "CLOTHD_MAX_CLIENTS is \"many\"") != NULL);
    clear_variables();
}

static void every_mistake_is_one_sentence_with_the_flag(void) {
    static const char *const rows[][2] = {
        {"--mesh a.obj --scene drape", "--mesh and --scene exclude each other"},
        {"--prot 1", "unknown option \"--prot\""},
        {"file.json", "unknown option \"file.json\""},
        {"--", "unknown option \"--\""},
        {"-p", "unknown option \"-p\""},
        {"--port", "--port needs a value"},
        {"--port 65536", "--port is \"65536\", it must be a whole number from 0 to 65535"},
        {"--port -1", "--port is \"-1\""},
        {"--port 80x", "--port is \"80x\""},
        {"--port=", "--port is \"\""},
        {"--max-clients 0", "from 1 to 10000"},
        {"--paused=1", "--paused takes no value"},
        {"--bind localhost", "--bind is \"localhost\", it must be an IP address"},
        {"--scene=", "must not be empty"},
        {"--allow-origin a.example", "must be an origin"},
        {"--allow-origin http://a/", "must be an origin"},
        {"--allow-host http://a", "must be a host name"}};
    clear_variables();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        CHECK_INT(parse(rows[i][0]), -1);
        if (!strstr(message, rows[i][1])) printf("%s: %s\n", rows[i][0], message);
        CHECK(strstr(message, rows[i][1]) != NULL && strchr(message, '\n') == NULL);
    }
}

static void the_actions_are_recognised(void) {
    clear_variables();
    CHECK(parse("--list-scenes") == 0 && options.action == OPTIONS_LIST_SCENES);
    CHECK(parse("--healthcheck --port 1") == 0 && options.action == OPTIONS_HEALTHCHECK);
    CHECK(parse("--print-config") == 0 && options.action == OPTIONS_PRINT_CONFIG);
    CHECK(parse("--version") == 0 && options.action == OPTIONS_VERSION);
    CHECK(parse("--help") == 0 && options.action == OPTIONS_HELP);
}

static char *print(void (*write)(FILE *file)) {
    char *text = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&text, &length);
    write(file);
    fclose(file);
    return text;
}

static void write_config(FILE *file) {
    options_print_config(&options, file);
}

static void help_and_config_name_every_option(void) {
    static const char *const flags[] = {"port",
                                        "bind",
                                        "scene",
                                        "scene-dir",
                                        "mesh",
                                        "paused",
                                        "web-dir",
                                        "token-file",
                                        "allow-host",
                                        "allow-origin",
                                        "max-clients",
                                        "max-worlds",
                                        "max-vertices-per-world",
                                        "max-vertices",
                                        "max-message-bytes",
                                        "max-json-depth",
                                        "handshake-timeout",
                                        "command-rate"};
    clear_variables();
    CHECK_INT(parse("--port 9000 --allow-host a.example"), 0);
    char *help = print(options_print_help), *config = print(write_config);
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; ++i) {
        char text[40];
        snprintf(text, sizeof text, "--%s", flags[i]);
        CHECK(strstr(help, text) != NULL);
        CHECK(strstr(config, flags[i]) != NULL);
    }
    CHECK(strstr(help, "[CLOTHD_MAX_CLIENTS]") && strstr(help, "(127.0.0.1)"));
    CHECK(strstr(config, "port 9000\n") && strstr(config, "allow-host a.example\n"));
    free(help);
    free(config);
    options_free(&options);
}

static void the_version_is_there(void) {
    CHECK(strlen(app_version()) >= 5 && strlen(app_build()) > 0);
}

RUN_TESTS(TEST(replay_takes_a_file_and_flags_behind_it), TEST(defaults_are_those_of_the_contract),
          TEST(flags_take_their_values_in_both_spellings),
          TEST(a_flag_wins_over_a_variable_and_that_over_the_default),
          TEST(every_mistake_is_one_sentence_with_the_flag), TEST(the_actions_are_recognised),
          TEST(help_and_config_name_every_option), TEST(the_version_is_there))
