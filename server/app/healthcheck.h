/* --healthcheck: one request to the running server, for containers and supervisors. */
#ifndef APP_HEALTHCHECK_H
#define APP_HEALTHCHECK_H

#include <app/options.h>

/* In a container the server is process 1 and its port stands on its command line: fills
 * port and bind from there where options were not given any. cmdline: NUL-separated
 * arguments as in /proc/1/cmdline. */
void healthcheck_take_options(struct options *options, char *cmdline, size_t length);
/* GET /healthz on that port: 0 = alive, 1 = not (with a line on standard error). */
int healthcheck_run(const char *bind, uint16_t port);
/* What --healthcheck does. */
int healthcheck_main(struct options *options);

#endif
