/* Strings of a JSON text, byte by byte: checked, unescaped, hashed. */
#ifndef WIRE_JSON_STRING_H
#define WIRE_JSON_STRING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Length of the UTF-8 sequence at p (1…4), or 0 when it is not one. The bytes behind
 * must be readable up to a NUL. */
size_t json_utf8_length(const unsigned char *p);

/* Reads the string whose opening quote is at text[offset]. Returns the offset behind
 * the closing quote and the hash of its content; or 0, *bad the offset of the fault
 * and *problem what it is. The text ends with a NUL. */
size_t json_string_scan(const char *text, size_t offset, uint64_t *hash, size_t *bad, const char **problem);

/* The next character of a scanned string as UTF-8 in out (1…4 bytes); returns the
 * count and moves *p behind it; 0 at the closing quote. */
size_t json_string_next(const char **p, char out[4]);

#endif
