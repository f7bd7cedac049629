/* Where we are: "cloths[0].grid.nx". Cut, not overrun, when a hostile name is long. */
#include "decoder.h"

#include <stdio.h>
#include <string.h>

static size_t append(struct decoder *d, const char *separator, const char *text) {
    size_t before = d->path_length, room = sizeof d->path - before;
    int n = snprintf(d->path + before, room, "%s%s", separator, text);
    size_t added = n < 0 ? 0 : (size_t)n;
    d->path_length = before + (added < room ? added : room - 1);
    return before;
}

size_t decode_path_member(struct decoder *d, const char *name) {
    return append(d, d->path_length ? "." : "", name);
}

size_t decode_path_item(struct decoder *d, uint64_t index) {
    char text[32];
    snprintf(text, sizeof text, "[%llu]", (unsigned long long)index);
    return append(d, "", text);
}

void decode_path_back(struct decoder *d, size_t length) {
    d->path_length = length;
    d->path[length] = '\0';
}
