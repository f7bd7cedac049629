/* The viewer's files, read into memory at start: no request touches the disk, no
 * path can leave the folder, no link is followed. */
#ifndef NET_SITE_H
#define NET_SITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <base/buffer.h>

enum { SITE_MAX_FILES = 4096, SITE_MAX_FILE_BYTES = 64 * 1024 * 1024, SITE_MAX_DEPTH = 8 };

struct site_file {
    char *path; /* "/assets/x.js" */
    const char *content_type;
    struct buffer *body;
};

struct site {
    struct site_file *files;
    size_t count;
};

/* folder NULL, missing or without index.html: "/" is a page that says how to build the
 * viewer, and false. A file that cannot be read is left out with a log line. */
bool site_load(struct site *site, const char *folder);
void site_free(struct site *site);
/* NULL = there is none. */
const struct site_file *site_find(const struct site *site, const char *path);

#endif
