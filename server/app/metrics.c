/* Prometheus text, names with the clothd_ prefix, counters ending in _total. */
#include <app/metrics.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { METRICS_BYTES = 64 * 1024 };

__attribute__((format(printf, 2, 3))) static void add(struct buffer *text, const char *format, ...) {
    size_t room = text->capacity - text->length;
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf((char *)text->data + text->length, room, format, arguments);
    va_end(arguments);
    if (length > 0) text->length += (size_t)length < room ? (size_t)length : room - 1;
}

static void head(struct buffer *text, const char *name, const char *type, const char *help) {
    add(text, "# HELP clothd_%s %s\n# TYPE clothd_%s %s\n", name, help, name, type);
}

static void single(struct buffer *text, const char *name, const char *type, const char *help,
                   uint64_t value) {
    head(text, name, type, help);
    add(text, "clothd_%s %" PRIu64 "\n", name, value);
}

struct labelled {
    const char *label;
    uint64_t value;
};

static void family(struct buffer *text, const char *name, const char *type, const char *label,
                   const char *help, const struct labelled *rows, size_t count) {
    head(text, name, type, help);
    for (size_t i = 0; i < count; ++i) {
        add(text, "clothd_%s{%s=\"%s\"} %" PRIu64 "\n", name, label, rows[i].label, rows[i].value);
    }
}

static void histogram(struct buffer *text, const char *name, const char *help, const uint64_t bucket[12],
                      uint64_t count, uint64_t sum_us) {
    static const char *const bounds[12] = {"0.0001", "0.0002", "0.0005", "0.001", "0.002", "0.005",
                                           "0.01",   "0.02",   "0.05",   "0.1",   "0.2",   "+Inf"};
    uint64_t sum = 0;
    head(text, name, "histogram", help);
    for (int i = 0; i < 12; ++i) {
        sum += bucket[i];
        add(text, "clothd_%s_bucket{le=\"%s\"} %" PRIu64 "\n", name, bounds[i], i == 11 ? count : sum);
    }
    add(text, "clothd_%s_sum %.6f\nclothd_%s_count %" PRIu64 "\n", name, (double)sum_us / 1e6, name, count);
}

static void add_commands(struct buffer *text, const struct metrics_input *input) {
    head(text, "commands_total", "counter",
         "Commands by method and result; refused ones never reached a world.");
    for (int i = 0; i <= WIRE_COMMAND_COUNT; ++i) {
        bool known = i < WIRE_COMMAND_COUNT;
        const char *method = known ? wire_command_get_info((enum wire_command)i)->method : "unknown";
        const struct labelled rows[] = {{"ok", known ? input->sim.commands_done[i] : 0},
                                        {"failed", known ? input->sim.commands_failed[i] : 0},
                                        {"refused", input->bridge.refused_commands[i]}};
        for (int k = 0; k < 3; ++k) {
            add(text, "clothd_commands_total{method=\"%s\",result=\"%s\"} %" PRIu64 "\n", method,
                rows[k].label, rows[k].value);
        }
    }
}

struct buffer *metrics_format(const struct metrics_input *input) {
    const struct net_metrics *net = &input->net;
    const struct sim_metrics *sim = &input->sim;
    const uint64_t *refused = input->bridge.refused;
    struct buffer *text = buffer_create(METRICS_BYTES);
    if (!text) return NULL;
    single(text, "ticks_total", "counter", "Ticks simulated, all worlds.", sim->ticks_total);
    single(text, "late_ticks_total", "counter", "Ticks dropped or late because the machine was too slow.",
           sim->late_ticks_total);
    histogram(text, "step_seconds", "Time to simulate one tick of one world.", sim->step_bucket,
              sim->step_count, sim->step_us_sum);
    histogram(text, "encode_seconds", "Time to encode one tick for one tier.", sim->encode_bucket,
              sim->encode_count, sim->encode_us_sum);
    single(text, "worlds", "gauge", "Worlds.", sim->worlds);
    single(text, "clients", "gauge", "Sessions.", net->clients);
    single(text, "frames_sent_total", "counter", "Binary frames handed to sockets.", net->frames_sent);
    const struct labelled skipped[] = {{"not_writable", net->skipped_not_writable},
                                       {"unacked", net->skipped_unacked},
                                       {"no_key", net->skipped_no_key}};
    family(text, "frames_skipped_total", "counter", "cause", "Binary frames that a client did not get.",
           skipped, 3);
    single(text, "bytes_sent_total", "counter", "Payload bytes handed to sockets.", net->bytes_sent);
    add_commands(text, input);
    const struct labelled refusals[] = {{"host", net->refused_host},
                                        {"origin", net->refused_origin},
                                        {"token", net->refused_token},
                                        {"full", net->refused_full},
                                        {"draining", net->refused_draining},
                                        {"version", net->refused_version},
                                        {"subprotocol", net->refused_protocol},
                                        {"sockets", net->refused_sockets},
                                        {"slow", net->closed_slow},
                                        {"rate", refused[BRIDGE_RATE]},
                                        {"busy", refused[BRIDGE_BUSY]},
                                        {"role", refused[BRIDGE_ROLE]},
                                        {"invalid", refused[BRIDGE_INVALID]}};
    family(text, "refused_total", "counter", "cause", "Connections and commands turned away.", refusals,
           sizeof refusals / sizeof refusals[0]);
    const struct labelled queues[] = {{"inbox", sim->inbox_count},
                                      {"outbox", sim->outbox_count},
                                      {"control", net->control_queued},
                                      {"binary", net->binary_queued}};
    family(text, "queue_depth", "gauge", "queue", "Entries that wait, all clients together.", queues, 4);
    single(text, "reassembly_bytes", "gauge", "Memory of long messages that are still arriving.",
           net->reassembly_bytes);
    single(text, "open_descriptors", "gauge", "Open file descriptors.", net->open_descriptors);
    single(text, "resident_memory_bytes", "gauge", "Resident memory.", input->resident_bytes);
    return text;
}

static uint64_t resident_bytes(void) {
    unsigned long total = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file) return 0;
    int read = fscanf(file, "%lu %lu", &total, &resident);
    fclose(file);
    return read == 2 ? (uint64_t)resident * (uint64_t)sysconf(_SC_PAGESIZE) : 0;
}

static struct net_http_reply answer(int status, const char *type, struct buffer *body) {
    return (struct net_http_reply){.status = status, .content_type = type, .body = body};
}

struct net_http_reply metrics_answer(const struct bridge *bridge, const char *path, bool draining) {
    static const char json[] = "application/json";
    char text[512];
    if (strcmp(path, "/healthz") == 0) return answer(200, json, buffer_copy("{\"alive\":true}\n", 15));
    if (strcmp(path, "/readyz") == 0) {
        snprintf(text, sizeof text, "{\"ready\":%s,\"draining\":%s}\n", draining ? "false" : "true",
                 draining ? "true" : "false");
        return answer(draining ? 503 : 200, json, buffer_copy(text, strlen(text)));
    }
    if (strcmp(path, "/version") == 0) {
        snprintf(text, sizeof text,
                 "{\"name\":\"clothd\",\"version\":\"%s\",\"protocol\":1,\"build\":\"%s\"}\n", app_version(),
                 app_build());
        return answer(200, json, buffer_copy(text, strlen(text)));
    }
    if (strcmp(path, "/metrics") == 0) {
        struct metrics_input input = {.bridge = *bridge_get_metrics(bridge),
                                      .resident_bytes = resident_bytes()};
        net_get_metrics(bridge_net(bridge), &input.net);
        sim_get_metrics(bridge_sim(bridge), &input.sim);
        return answer(200, "text/plain; version=0.0.4; charset=utf-8", metrics_format(&input));
    }
    return (struct net_http_reply){0};
}
