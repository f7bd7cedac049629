/* One line per event on standard error: `time level message key=value …`. */
#ifndef BASE_LOG_H
#define BASE_LOG_H

enum log_level { LOG_DEBUG, LOG_INFO, LOG_WARNING, LOG_ERROR };

void log_set_level(enum log_level level);
__attribute__((format(printf, 2, 3))) void log_line(enum log_level level, const char *format, ...);

#endif
