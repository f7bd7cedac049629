/* The OBJ reader: one pass over the text, no copies of it. */
#include "scene/mesh_obj.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct reader {
    const char *name, *at, *end;
    uint32_t line;
    uint32_t max_vertices;
    struct mesh_data mesh;
    uint32_t *face_lines; /* for indices that turn out to be too large at the end */
    size_t vertex_room, face_room, corner_room;
    struct pbd_mesh_refusal *refusal;
};

/* ---- growing arrays ---- */

static bool grow(void **array, size_t size, size_t *room, size_t need) {
    if (need <= *room) return true;
    size_t wanted = *room < 1024 ? 1024 : *room * 2;
    if (wanted < need) wanted = need;
    void *longer = wanted > SIZE_MAX / size ? NULL : realloc(*array, wanted * size);
    if (longer == NULL) return false;
    *array = longer;
    *room = wanted;
    return true;
}

/* ---- text ---- */

/* Blanks within a line: control characters too, and a backslash before a line's end,
 * which continues it. */
static void skip_blanks(struct reader *r) {
    while (r->at < r->end) {
        char c = *r->at;
        if (c == '\\' && (r->at[1] == '\n' || (r->at[1] == '\r' && r->at[2] == '\n'))) {
            r->at += r->at[1] == '\n' ? 2 : 3;
            ++r->line;
        } else if (c != '\n' && (unsigned char)c <= ' ') {
            ++r->at;
        } else {
            return;
        }
    }
}

static bool line_ends(const struct reader *r) {
    return r->at >= r->end || *r->at == '\n' || *r->at == '#';
}

/* To the start of the next line. A backslash continues what is skipped as well, but not
 * a comment: paths in comments end in one. */
static void skip_line(struct reader *r) {
    bool continued = true;
    while (continued && r->at < r->end) {
        const char *next = memchr(r->at, '\n', (size_t)(r->end - r->at));
        if (next == NULL) {
            r->at = r->end;
            return;
        }
        const char *last = next;
        if (last > r->at && last[-1] == '\r') --last;
        continued = last > r->at && last[-1] == '\\' && memchr(r->at, '#', (size_t)(last - r->at)) == NULL;
        r->at = next + 1;
        ++r->line;
    }
}

/* The token at the cursor, for messages. */
static int token_length(const struct reader *r) {
    int n = 0;
    while (r->at + n < r->end && (unsigned char)r->at[n] > ' ' && n < 40)
        ++n;
    return n;
}

/* ---- v ---- */

static bool starts_number(char c) {
    return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.';
}

/* strtof rounds correctly, and the process keeps the C locale. */
static int read_coordinate(struct reader *r, const char *which, float *out) {
    skip_blanks(r);
    if (line_ends(r)) {
        mesh_refuse(r->refusal, PBD_MESH_BAD_VERTEX, r->line,
                    "%s:%u: this vertex has no %s coordinate; v needs three.", r->name, r->line, which);
        return PBD_MESH_REFUSED;
    }
    int length = token_length(r);
    char *after = NULL;
    float value = strtof(r->at, &after);
    bool whole =
        after > r->at && (after >= r->end || (unsigned char)*after <= ' ' || *after == '#' || *after == '\\');
    bool hexadecimal = memchr(r->at, 'x', (size_t)length) || memchr(r->at, 'X', (size_t)length);
    if (whole && !isfinite(value) && !hexadecimal) {
        mesh_refuse(r->refusal, PBD_MESH_NON_FINITE, r->line,
                    "%s:%u: the %s coordinate is \"%.*s\"; it must be finite in float32.", r->name, r->line,
                    which, length, r->at);
        r->refusal->vertex = r->mesh.vertex_count;
        return PBD_MESH_REFUSED;
    }
    if (!whole || hexadecimal || !starts_number(*r->at)) {
        mesh_refuse(r->refusal, PBD_MESH_BAD_NUMBER, r->line,
                    "%s:%u: the %s coordinate is \"%.*s\", which is not a number.", r->name, r->line, which,
                    length, r->at);
        return PBD_MESH_REFUSED;
    }
    r->at = after;
    *out = value;
    return PBD_OK;
}

static int read_vertex(struct reader *r) {
    static const char *const which[3] = {"first", "second", "third"};
    uint32_t count = r->mesh.vertex_count;
    if (count == r->max_vertices) {
        mesh_refuse(r->refusal, PBD_MESH_LIMIT, r->line, "%s:%u: more than %u vertices.", r->name, r->line,
                    r->max_vertices);
        return PBD_MESH_REFUSED;
    }
    void *positions = r->mesh.positions;
    bool grown = grow(&positions, 3 * sizeof(float), &r->vertex_room, (size_t)count + 1);
    r->mesh.positions = positions;
    if (!grown) return PBD_OUT_OF_MEMORY;
    for (int k = 0; k < 3; ++k) {
        int result = read_coordinate(r, which[k], &r->mesh.positions[3 * (size_t)count + (size_t)k]);
        if (result < 0) return result;
    }
    ++r->mesh.vertex_count;
    return PBD_OK;
}

/* ---- f ---- */

static int refuse_corner(struct reader *r, enum pbd_mesh_cause cause, const char *token, int length,
                         const char *why) {
    mesh_refuse(r->refusal, cause, r->line, "%s:%u: face corner \"%.*s\" %s.", r->name, r->line, length,
                token, why);
    r->refusal->total = 1;
    return PBD_MESH_REFUSED;
}

/* A whole number at the cursor; false when there is none. Saturates. */
static bool read_integer(struct reader *r, int64_t *out) {
    const char *c = r->at;
    bool negative = *c == '-';
    if (*c == '-' || *c == '+') ++c;
    if (*c < '0' || *c > '9') return false;
    int64_t value = 0;
    for (; *c >= '0' && *c <= '9'; ++c)
        if (value < INT64_C(1) << 40) value = value * 10 + (*c - '0');
    *out = negative ? -value : value;
    r->at = c;
    return true;
}

/* v, v/vt, v//vn or v/vt/vn: the vertex index, the rest only checked for its form. */
static int read_corner(struct reader *r, uint32_t *vertex) {
    const char *token = r->at;
    int length = token_length(r);
    int64_t index, other;
    bool sound = read_integer(r, &index);
    if (sound && *r->at == '/') {
        ++r->at;
        bool texture = read_integer(r, &other);
        if (*r->at == '/') {
            ++r->at;
            sound = read_integer(r, &other);
        } else {
            sound = texture;
        }
    }
    if (!sound || !(r->at >= r->end || (unsigned char)*r->at <= ' ' || *r->at == '#' || *r->at == '\\'))
        return refuse_corner(r, PBD_MESH_BAD_NUMBER, token, length,
                             "is not of the form v, v/vt, v//vn or v/vt/vn");
    if (index == 0)
        return refuse_corner(r, PBD_MESH_INDEX_RANGE, token, length, "has index 0; indices start at 1");
    if (index < 0) index += (int64_t)r->mesh.vertex_count + 1;
    if (index < 1)
        return refuse_corner(r, PBD_MESH_INDEX_RANGE, token, length, "points before the first vertex");
    if (index > UINT32_MAX)
        return refuse_corner(r, PBD_MESH_INDEX_RANGE, token, length, "is beyond the last vertex");
    *vertex = (uint32_t)(index - 1);
    return PBD_OK;
}

static bool add_corner(struct reader *r, uint32_t vertex) {
    void *corners = r->mesh.face_vertices;
    bool grown = grow(&corners, sizeof(uint32_t), &r->corner_room, r->mesh.corner_count + 1);
    r->mesh.face_vertices = corners;
    if (grown) r->mesh.face_vertices[r->mesh.corner_count++] = vertex;
    return grown;
}

static bool add_face(struct reader *r, uint32_t size, uint32_t line) {
    size_t count = r->mesh.face_count, room = r->face_room;
    if (count == UINT32_MAX) return false;
    void *sizes = r->mesh.face_sizes, *lines = r->face_lines;
    bool grown = grow(&sizes, sizeof(uint32_t), &room, count + 1);
    r->mesh.face_sizes = sizes;
    if (!grown || !grow(&lines, sizeof(uint32_t), &r->face_room, count + 1)) return false;
    r->face_lines = lines;
    r->mesh.face_sizes[count] = size;
    r->face_lines[count] = line;
    ++r->mesh.face_count;
    return true;
}

static int read_face(struct reader *r) {
    uint32_t line = r->line, size = 0;
    for (skip_blanks(r); !line_ends(r); skip_blanks(r)) {
        uint32_t vertex;
        int result = read_corner(r, &vertex);
        if (result < 0) return result;
        if (!add_corner(r, vertex)) return PBD_OUT_OF_MEMORY;
        ++size;
    }
    if (size < 3) {
        mesh_refuse(r->refusal, PBD_MESH_BAD_FACE, line, "%s:%u: a face of %u corners; it needs three.",
                    r->name, line, size);
        r->refusal->total = 1;
        return PBD_MESH_REFUSED;
    }
    return add_face(r, size, line) ? PBD_OK : PBD_OUT_OF_MEMORY;
}

/* ---- the whole ---- */

/* Positive indices may point to vertices further down; now all are known. */
static int check_indices(struct reader *r) {
    const uint32_t *corner = r->mesh.face_vertices;
    for (uint32_t f = 0; f < r->mesh.face_count; ++f)
        for (uint32_t k = 0; k < r->mesh.face_sizes[f]; ++k, ++corner) {
            if (*corner < r->mesh.vertex_count) continue;
            mesh_refuse(r->refusal, PBD_MESH_INDEX_RANGE, r->face_lines[f],
                        "%s:%u: a face names vertex %u of %u.", r->name, r->face_lines[f], *corner + 1,
                        r->mesh.vertex_count);
            r->refusal->total = 1;
            return PBD_MESH_REFUSED;
        }
    return PBD_OK;
}

static int read_statements(struct reader *r) {
    while (r->at < r->end) {
        skip_blanks(r);
        int result = PBD_OK;
        if (r->at + 1 < r->end && ((unsigned char)r->at[1] <= ' ' || r->at[1] == '\\')) {
            char keyword = *r->at;
            if (keyword == 'v' || keyword == 'f') ++r->at;
            if (keyword == 'v') result = read_vertex(r);
            if (keyword == 'f') result = read_face(r);
        }
        if (result < 0) return result;
        skip_line(r);
    }
    return check_indices(r);
}

int mesh_obj_parse(const char *name, const char *text, size_t length, uint32_t max_vertices,
                   struct mesh_data *mesh, struct pbd_mesh_refusal *refusal) {
    struct reader r = {.name = name,
                       .at = text,
                       .end = text + length,
                       .line = 1,
                       .max_vertices = max_vertices,
                       .refusal = refusal};
    int result = read_statements(&r);
    free(r.face_lines);
    if (result < 0) {
        mesh_data_free(&r.mesh);
        return result;
    }
    *mesh = r.mesh;
    return PBD_OK;
}
