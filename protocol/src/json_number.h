/* JSON numbers from text, fast, and back. */
#ifndef WIRE_JSON_NUMBER_H
#define WIRE_JSON_NUMBER_H

#include <stddef.h>
#include <stdint.h>

/* The number at text, which a scan has found to be one; *end is set behind it.
 * Correctly rounded; an overflow gives an infinity. */
double json_number_parse(const char *text, const char **end);

/* The shortest of %.15g and %.17g that reads back as value (finite). Returns the length. */
size_t json_number_format(double value, char out[32]);

/* A finite value as %.9g prints it, which reads back exactly. Returns the length. */
size_t json_number_format_float(float value, char out[32]);

/* Without a sign and leading zeros; no NUL behind it. Returns the length. */
size_t json_number_format_digits(uint64_t value, char out[32]);

#endif
