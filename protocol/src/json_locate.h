/* Where in a text a path leads: from "commands[3].params.dt" back to a byte. */
#ifndef WIRE_JSON_LOCATE_H
#define WIRE_JSON_LOCATE_H

#include "json_scan.h"

/* The value at path in text, which json_scan has accepted; *span is it, or where the path leads
 * to nothing the innermost value that it does lead to, and false. An empty path is the whole. */
bool json_locate(const char *text, const char *path, struct json_span *span);

#endif
