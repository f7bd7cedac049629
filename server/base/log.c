/* Whole lines in one write each: lines of two threads never mix, and a line is out
 * before the process can die. Control characters are replaced so that what a client
 * sent cannot forge a line. */
#include <base/log.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static _Atomic int lowest_level = LOG_INFO;

void log_set_level(enum log_level level) {
    atomic_store(&lowest_level, (int)level);
}

void log_line(enum log_level level, const char *format, ...) {
    static const char *const names[] = {"debug", "info", "warning", "error"};
    if ((int)level < atomic_load(&lowest_level)) return;

    char line[1024];
    struct timespec now;
    struct tm utc;
    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &utc);
    size_t used = strftime(line, sizeof line, "%Y-%m-%dT%H:%M:%S", &utc);
    used +=
        (size_t)snprintf(line + used, sizeof line - used, ".%03ldZ %s ", now.tv_nsec / 1000000, names[level]);

    size_t start = used;
    va_list arguments;
    va_start(arguments, format);
    int wanted = vsnprintf(line + used, sizeof line - used - 1, format, arguments);
    va_end(arguments);
    if (wanted < 0) return;
    used += (size_t)wanted < sizeof line - used - 1 ? (size_t)wanted : sizeof line - used - 2;
    for (size_t i = start; i < used; ++i) {
        if ((unsigned char)line[i] < 0x20 || line[i] == 0x7f) line[i] = '?';
    }
    line[used++] = '\n';

    /* A full disk or a closed pipe must not stop the server: the line is lost. */
    ssize_t written = write(STDERR_FILENO, line, used);
    (void)written;
}
