/* A sorted table of path → bytes. */
#include <net/site.h>
#include <base/log.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char missing_page[] =
    "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>clothd</title></head><body>"
    "<h1>clothd is running</h1><p>The browser viewer is not built yet. Build it with</p>"
    "<pre>server/run --build-only</pre><p>or <code>npm ci &amp;&amp; npm run build</code> in "
    "<code>clients/web</code>, or name its folder with <code>--web-dir</code>, and start clothd again. "
    "The WebSocket is at <code>/ws</code>.</p></body></html>\n";

static const char *content_type_of(const char *path) {
    static const struct {
        const char *ending, *type;
    } types[] = {
        {".html", "text/html; charset=utf-8"},
        {".js", "text/javascript; charset=utf-8"},
        {".mjs", "text/javascript; charset=utf-8"},
        {".css", "text/css; charset=utf-8"},
        {".json", "application/json"},
        {".map", "application/json"},
        {".svg", "image/svg+xml"},
        {".png", "image/png"},
        {".jpg", "image/jpeg"},
        {".ico", "image/x-icon"},
        {".webp", "image/webp"},
        {".woff2", "font/woff2"},
        {".wasm", "application/wasm"},
        {".txt", "text/plain; charset=utf-8"},
    };
    const char *ending = strrchr(path, '.');
    for (size_t i = 0; ending && i < sizeof types / sizeof types[0]; ++i) {
        if (strcmp(ending, types[i].ending) == 0) return types[i].type;
    }
    return "application/octet-stream";
}

static struct buffer *read_whole(int fd, size_t length) {
    struct buffer *body = buffer_create(length);
    if (!body) return NULL;
    while (body->length < length) {
        ssize_t got = read(fd, body->data + body->length, length - body->length);
        if (got <= 0) break;
        body->length += (size_t)got;
    }
    if (body->length == length) return body;
    buffer_unref(body);
    return NULL;
}

/* The references and the path move into the table, or are given up. */
static bool add_file(struct site *site, char *path, struct buffer *body) {
    struct site_file *files = NULL;
    if (path && body && site->count < SITE_MAX_FILES) {
        files = realloc(site->files, (site->count + 1) * sizeof *files);
    }
    if (!files) {
        free(path);
        buffer_unref(body);
        return false;
    }
    site->files = files;
    files[site->count++] =
        (struct site_file){.path = path, .content_type = content_type_of(path), .body = body};
    return true;
}

static char *join(const char *a, const char *b) {
    char *path = NULL;
    return asprintf(&path, "%s/%s", a, b) < 0 ? NULL : path;
}

static void load_folder(struct site *site, int folder_fd, const char *prefix, int depth) {
    DIR *folder = fdopendir(folder_fd);
    if (!folder) {
        close(folder_fd);
        return;
    }
    for (struct dirent *entry; (entry = readdir(folder));) {
        if (entry->d_name[0] == '.') continue;
        int fd = openat(dirfd(folder), entry->d_name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
        struct stat status;
        char *path = join(prefix, entry->d_name);
        if (fd < 0 || !path || fstat(fd, &status) != 0) {
            log_line(LOG_WARNING, "viewer file left out path=%s/%s", prefix, entry->d_name);
        } else if (S_ISDIR(status.st_mode) && depth < SITE_MAX_DEPTH) {
            load_folder(site, fd, path, depth + 1);
            fd = -1;
        } else if (S_ISREG(status.st_mode) && status.st_size <= SITE_MAX_FILE_BYTES) {
            if (!add_file(site, path, read_whole(fd, (size_t)status.st_size))) {
                log_line(LOG_WARNING, "viewer file left out path=%s/%s", prefix, entry->d_name);
            }
            path = NULL;
        }
        if (fd >= 0) close(fd);
        free(path);
    }
    closedir(folder);
}

static int compare_files(const void *a, const void *b) {
    return strcmp(((const struct site_file *)a)->path, ((const struct site_file *)b)->path);
}

static const struct site_file *find_exact(const struct site *site, const char *path) {
    if (site->count == 0) return NULL;
    const struct site_file wanted = {.path = (char *)path};
    return bsearch(&wanted, site->files, site->count, sizeof wanted, compare_files);
}

bool site_load(struct site *site, const char *folder) {
    *site = (struct site){0};
    int fd = folder ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (fd >= 0) load_folder(site, fd, "", 0);
    if (site->count > 1) qsort(site->files, site->count, sizeof *site->files, compare_files);
    if (find_exact(site, "/index.html")) return true;
    add_file(site, strdup("/index.html"), buffer_copy(missing_page, sizeof missing_page - 1));
    if (site->count > 1) qsort(site->files, site->count, sizeof *site->files, compare_files);
    return false;
}

void site_free(struct site *site) {
    for (size_t i = 0; i < site->count; ++i) {
        free(site->files[i].path);
        buffer_unref(site->files[i].body);
    }
    free(site->files);
    *site = (struct site){0};
}

const struct site_file *site_find(const struct site *site, const char *path) {
    return find_exact(site, strcmp(path, "/") == 0 ? "/index.html" : path);
}
