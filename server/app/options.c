/* The table and its reader. */
#include <app/options.h>
#include <net/auth.h>
#include <arpa/inet.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum kind { KIND_TEXT, KIND_NUMBER, KIND_SWITCH, KIND_LIST, KIND_ACTION };

struct row {
    const char *flag;     /* without the dashes */
    const char *argument; /* its name in the help; NULL = takes none */
    enum kind kind;
    size_t offset; /* in struct options; of KIND_ACTION the action */
    int64_t min, max, fallback;
    const char *text_fallback;
    const char *help;
};

#define AT(member) offsetof(struct options, member)

static const struct row rows[] = {
    {"port", "N", KIND_NUMBER, AT(port), 0, 65535, 8080, NULL, "TCP port; 0 takes any free one"},
    {"bind", "IP", KIND_TEXT, AT(bind), 0, 0, 0, "127.0.0.1",
     "address to listen on; any that is not loopback needs tokens"},
    {"scene", "NAME|FILE", KIND_TEXT, AT(scene), 0, 0, 0, "drape",
     "scene to start with: a name or a .json file"},
    {"scene-dir", "DIR", KIND_TEXT, AT(scene_dir), 0, 0, 0, NULL, "folder of the named scenes"},
    {"mesh", "FILE", KIND_TEXT, AT(mesh), 0, 0, 0, NULL,
     "start with this mesh instead (OBJ, PLY, STL, glTF), hung by its highest vertices"},
    {"paused", NULL, KIND_SWITCH, AT(paused), 0, 1, 0, NULL,
     "stay at the start; without it the world runs from the first client on"},
    {"web-dir", "DIR", KIND_TEXT, AT(web_dir), 0, 0, 0, NULL, "folder of the built viewer"},
    {"token-file", "FILE", KIND_TEXT, AT(token_file), 0, 0, 0, NULL,
     "tokens, a line each: \"control TOKEN\" or \"view TOKEN\"; mode 0600"},
    {"allow-host", "NAME", KIND_LIST, AT(allow_hosts), 0, 0, 0, NULL,
     "host name under which requests may come, beside IP addresses and localhost"},
    {"allow-origin", "ORIGIN", KIND_LIST, AT(allow_origins), 0, 0, 0, NULL,
     "web site whose pages may connect, as http://name:port"},
    {"max-clients", "N", KIND_NUMBER, AT(max_clients), 1, 10000, 256, NULL, "sessions at the same time"},
    {"max-worlds", "N", KIND_NUMBER, AT(max_worlds), 1, 65535, 256, NULL, "worlds at the same time"},
    {"max-vertices-per-world", "N", KIND_NUMBER, AT(max_vertices_per_world), 1, 2000000, 500000, NULL,
     "vertices of all cloths and mesh colliders of a world"},
    {"max-vertices", "N", KIND_NUMBER, AT(max_vertices), 1, 100000000, 2000000, NULL,
     "vertices of all worlds together"},
    {"max-grabs", "N", KIND_NUMBER, AT(max_grabs), 1, 100000, 256, NULL, "grabs of a world at the same time"},
    {"max-snapshots", "N", KIND_NUMBER, AT(max_snapshots), 1, 100000, 64, NULL,
     "named snapshots (world.save) of a world"},
    {"max-snapshot-bytes", "N", KIND_NUMBER, AT(max_snapshot_bytes), 1, 999999999, 536870912, NULL,
     "bytes of the named snapshots of all worlds together"},
    {"max-log-bytes", "N", KIND_NUMBER, AT(max_log_bytes), 1024, 999999999, 33554432, NULL,
     "bytes of a world's command log (world.log); a command that does not fit ends it"},
    {"max-message-bytes", "N", KIND_NUMBER, AT(max_message_bytes), 1024, 16777216, 16777216, NULL,
     "longest message of a client; a method may have less"},
    {"max-json-depth", "N", KIND_NUMBER, AT(max_json_depth), 8, 64, 16, NULL,
     "nesting of a client's JSON, the outermost object counted"},
    {"handshake-timeout", "N", KIND_NUMBER, AT(handshake_s), 1, 600, 5, NULL,
     "seconds in which a connection must have become a session"},
    {"command-rate", "N", KIND_NUMBER, AT(command_rate), 0, 1000000, 0, NULL,
     "commands per second and client; 0 is 2000 on loopback and 100 elsewhere"},
    {"list-scenes", NULL, KIND_ACTION, OPTIONS_LIST_SCENES, 0, 0, 0, NULL, "print the named scenes and end"},
    {"healthcheck", NULL, KIND_ACTION, OPTIONS_HEALTHCHECK, 0, 0, 0, NULL,
     "ask the running server whether it is alive; status 0 or 1"},
    {"print-config", NULL, KIND_ACTION, OPTIONS_PRINT_CONFIG, 0, 0, 0, NULL,
     "print the options as they hold and end"},
    {"version", NULL, KIND_ACTION, OPTIONS_VERSION, 0, 0, 0, NULL, "print the version and end"},
    {"help", NULL, KIND_ACTION, OPTIONS_HELP, 0, 0, 0, NULL, "print this and end"},
};

enum { ROW_COUNT = sizeof rows / sizeof rows[0] };

static void *member(struct options *options, const struct row *row) {
    return (char *)options + row->offset;
}

/* CLOTHD_MAX_CLIENTS for max-clients. */
static void variable_name(const struct row *row, char name[64]) {
    snprintf(name, 64, "CLOTHD_%s", row->flag);
    for (char *c = name; *c; ++c)
        *c = *c == '-' ? '_' : (char)toupper((unsigned char)*c);
}

static bool read_number(const struct row *row, const char *text, int64_t *number) {
    size_t length = strlen(text);
    if (length == 0 || length > 9 || strspn(text, "0123456789") != length) return false;
    *number = strtoll(text, NULL, 10);
    return *number >= row->min && *number <= row->max;
}

static bool read_switch(const char *text, bool *value) {
    *value = strcmp(text, "1") == 0 || strcmp(text, "true") == 0;
    return *value || strcmp(text, "0") == 0 || strcmp(text, "false") == 0;
}

/* Items between commas. */
static const char *add_items(struct options *options, const struct row *row, const char *text) {
    struct options_list *list = member(options, row);
    while (*text) {
        size_t length = strcspn(text, ",");
        if (length > 0) {
            if (list->count == OPTIONS_LIST_MAX) return "has more than 32 entries";
            char *item = strndup(text, length);
            if (!item) return "does not fit into memory";
            options->allocated[options->allocated_count++] = item;
            list->items[list->count++] = item;
            if (list == &options->allow_origins && !auth_is_origin(item)) {
                return "must be an origin such as http://name:port, without a path";
            }
            if (list == &options->allow_hosts && (strstr(item, "://") || strchr(item, '/'))) {
                return "must be a host name, without a scheme or path";
            }
        }
        text += length;
        text += *text == ',';
    }
    return NULL;
}

/* source is the flag or variable as the user wrote it. */
static int set(struct options *options, const struct row *row, const char *source, const char *text,
               char *message, size_t message_size) {
    const char *wrong = NULL;
    switch (row->kind) {
    case KIND_TEXT:
        if (text[0] == '\0') wrong = "must not be empty";
        *(const char **)member(options, row) = text;
        break;
    case KIND_NUMBER:
        if (!read_number(row, text, member(options, row))) {
            snprintf(message, message_size, "%s is \"%s\", it must be a whole number from %lld to %lld",
                     source, text, (long long)row->min, (long long)row->max);
            return -1;
        }
        break;
    case KIND_SWITCH:
        if (!read_switch(text, member(options, row))) wrong = "must be 1 or 0";
        break;
    case KIND_LIST:
        wrong = add_items(options, row, text);
        break;
    case KIND_ACTION:
        break;
    }
    if (!wrong && row->offset == AT(bind) && row->kind == KIND_TEXT) {
        struct in6_addr address;
        if (inet_pton(AF_INET, text, &address) != 1 && inet_pton(AF_INET6, text, &address) != 1) {
            wrong = "must be an IP address such as 127.0.0.1 or 0.0.0.0";
        }
    }
    if (!wrong) return 0;
    snprintf(message, message_size, "%s is \"%s\", it %s", source, text, wrong);
    return -1;
}

static const struct row *find_row(const char *name, size_t length) {
    for (size_t i = 0; i < ROW_COUNT; ++i) {
        if (strlen(rows[i].flag) == length && memcmp(rows[i].flag, name, length) == 0) return &rows[i];
    }
    return NULL;
}

static void set_defaults(struct options *options) {
    *options = (struct options){.action = OPTIONS_RUN};
    for (size_t i = 0; i < ROW_COUNT; ++i) {
        if (rows[i].kind == KIND_TEXT) *(const char **)member(options, &rows[i]) = rows[i].text_fallback;
        if (rows[i].kind == KIND_NUMBER) *(int64_t *)member(options, &rows[i]) = rows[i].fallback;
    }
}

static int read_flags(struct options *options, int argc, char *const *argv, bool given[ROW_COUNT],
                      char *message, size_t message_size) {
    for (int i = 1; i < argc; ++i) {
        const char *text = argv[i];
        if (i == 1 && strcmp(text, "replay") == 0) {
            if (argc < 3) {
                snprintf(message, message_size, "replay needs a file: clothd replay FILE");
                return -1;
            }
            options->action = OPTIONS_REPLAY;
            options->replay_file = argv[++i];
            continue;
        }
        size_t length = strncmp(text, "--", 2) == 0 ? strcspn(text + 2, "=") : 0;
        const struct row *row = length ? find_row(text + 2, length) : NULL;
        const char *value = length && text[2 + length] == '=' ? text + 2 + length + 1 : NULL;
        if (!row) {
            snprintf(message, message_size, "unknown option \"%s\"; see --help", text);
            return -1;
        }
        if (!row->argument && value) {
            snprintf(message, message_size, "--%s takes no value", row->flag);
            return -1;
        }
        if (row->argument && !value && i + 1 < argc) value = argv[++i];
        if (row->argument && !value) {
            snprintf(message, message_size, "--%s needs a value: --%s %s", row->flag, row->flag,
                     row->argument);
            return -1;
        }
        char source[64];
        snprintf(source, sizeof source, "--%s", row->flag);
        given[row - rows] = true;
        options->port_given |= row->offset == AT(port) && row->kind == KIND_NUMBER;
        if (row->kind == KIND_ACTION) {
            options->action = (enum options_action)row->offset;
        } else if (set(options, row, source, row->argument ? value : "1", message, message_size) != 0) {
            return -1;
        }
    }
    return 0;
}

int options_parse(struct options *options, int argc, char *const *argv,
                  const char *(*environment)(const char *name), char *message, size_t message_size) {
    bool given[ROW_COUNT] = {false};
    set_defaults(options);
    int result = read_flags(options, argc, argv, given, message, message_size);
    if (result == 0 && given[find_row("mesh", 4) - rows] && given[find_row("scene", 5) - rows]) {
        snprintf(message, message_size,
                 "--mesh and --scene exclude each other: the world starts with one of them");
        result = -1;
    }
    for (size_t i = 0; i < ROW_COUNT && result == 0; ++i) {
        char name[64];
        variable_name(&rows[i], name);
        const char *text = rows[i].kind == KIND_ACTION || given[i] ? NULL : environment(name);
        if (!text || text[0] == '\0') continue;
        options->port_given |= rows[i].offset == AT(port);
        result = set(options, &rows[i], name, text, message, message_size);
    }
    if (result != 0) options_free(options);
    return result;
}

void options_free(struct options *options) {
    for (uint32_t i = 0; i < options->allocated_count; ++i)
        free(options->allocated[i]);
    options->allocated_count = 0;
    options->allow_hosts.count = options->allow_origins.count = 0;
}

void options_print_help(FILE *file) {
    fprintf(
        file,
        "clothd %s: a networked cloth simulation server\n\nusage: clothd [options]\n"
        "       clothd replay FILE [options]   run a command log (the reply of world.log) again and compare\n\n",
        app_version());
    for (size_t i = 0; i < ROW_COUNT; ++i) {
        const struct row *row = &rows[i];
        char left[64], name[64];
        snprintf(left, sizeof left, "--%s %s", row->flag, row->argument ? row->argument : "");
        fprintf(file, "  %-28s %s", left, row->help);
        if (row->text_fallback) fprintf(file, " (%s)", row->text_fallback);
        if (row->kind == KIND_NUMBER) fprintf(file, " (%lld)", (long long)row->fallback);
        if (row->kind == KIND_LIST) fprintf(file, "; may be repeated");
        variable_name(row, name);
        if (row->kind != KIND_ACTION) fprintf(file, " [%s]", name);
        fputc('\n', file);
    }
    fprintf(file, "\nEach option but those that end at once can also be set by the variable in brackets.\n");
}

void options_print_config(const struct options *options, FILE *file) {
    for (size_t i = 0; i < ROW_COUNT; ++i) {
        const struct row *row = &rows[i];
        const void *value = (const char *)options + row->offset;
        const struct options_list *list = value;
        switch (row->kind) {
        case KIND_TEXT: {
            const char *text = *(const char *const *)value;
            fprintf(file, "%s %s\n", row->flag, text ? text : "-");
            break;
        }
        case KIND_NUMBER:
            fprintf(file, "%s %lld\n", row->flag, (long long)*(const int64_t *)value);
            break;
        case KIND_SWITCH:
            fprintf(file, "%s %d\n", row->flag, *(const bool *)value);
            break;
        case KIND_LIST:
            fprintf(file, "%s ", row->flag);
            for (uint32_t k = 0; k < list->count; ++k)
                fprintf(file, "%s%s", k ? "," : "", list->items[k]);
            fputs(list->count ? "\n" : "-\n", file);
            break;
        case KIND_ACTION:
            break;
        }
    }
}

const char *app_version(void) {
    return CLOTHD_VERSION;
}

const char *app_build(void) {
    return CLOTHD_BUILD;
}
