/* What the server says about itself over plain HTTP: health, version, metrics. */
#ifndef APP_METRICS_H
#define APP_METRICS_H

#include <app/bridge.h>

/* /healthz, /readyz, /version, /metrics; body NULL for any other path. */
struct net_http_reply metrics_answer(const struct bridge *bridge, const char *path, bool draining);

/* The figures that /metrics prints. */
struct metrics_input {
    struct net_metrics net;
    struct sim_metrics sim;
    struct bridge_metrics bridge;
    uint64_t resident_bytes;
};
/* Prometheus text; NULL when out of memory. */
struct buffer *metrics_format(const struct metrics_input *input);

#endif
