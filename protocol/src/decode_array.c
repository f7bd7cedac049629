/* Flat arrays straight from the text into typed memory. The scan has checked the
 * grammar and counted the items, so these loops only convert and check ranges. */
#include "decoder.h"

#include <string.h>

#include "json_number.h"

/* From behind one item to the start of the next. */
static const char *next_item(const char *p) {
    return p + strspn(p, " \t\r\n,");
}

/* The one slow step: the path of the item that failed. */
static bool check_item(struct decoder *d, const struct field *field, uint32_t index, double value) {
    size_t back = decode_path_item(d, index);
    bool good = decode_check_number(d, field, value);
    decode_path_back(d, back);
    return good;
}

bool decode_floats(struct decoder *d, const struct field *field, const struct json_patch *patch, float *out) {
    const double min = field->row->min, max = field->row->max;
    const char *p = d->scan->text + patch->start + 1;
    for (uint32_t i = 0; i < patch->count; ++i) {
        p = next_item(p);
        double value = json_number_parse(p, &p);
        if (!(value >= min && value <= max) && !check_item(d, field, i, value)) return false;
        out[i] = (float)value;
    }
    return true;
}

bool decode_uints(struct decoder *d, const struct field *field, const struct json_patch *patch,
                  uint32_t *out) {
    const char *p = d->scan->text + patch->start + 1;
    for (uint32_t i = 0; i < patch->count; ++i) {
        p = next_item(p);
        double value = json_number_parse(p, &p);
        bool sure = value >= field->row->min && value <= field->row->max && value == (double)(uint32_t)value;
        if (!sure && !check_item(d, field, i, value)) return false;
        out[i] = (uint32_t)value;
    }
    return true;
}

/* {"from":a,"to":b} in either order; p at its brace. Returns the text behind it. */
static const char *read_range(const char *p, double *from, double *to) {
    const char *close = strchr(p, '}');
    for (int member = 0; member < 2; ++member) {
        p = strchr(p, '"') + 1;
        double *target = *p == 'f' ? from : to;
        p = strchr(p, ':') + 1;
        *target = json_number_parse(next_item(p), &p);
    }
    return close + 1;
}

static bool check_bound(struct decoder *d, const struct field *field, const char *name, double value) {
    size_t back = decode_path_member(d, name);
    bool good = decode_check_number(d, field, value);
    decode_path_back(d, back);
    return good;
}

static bool check_range(struct decoder *d, const struct field *field, uint32_t index, double from,
                        double to) {
    size_t back = decode_path_item(d, index);
    if (!check_bound(d, field, "from", from) || !check_bound(d, field, "to", to)) return false;
    if (from > to) {
        WIRE_FAIL(d->error, out_of_range, d->path, "%s goes from %.0f down to %.0f; allowed is from <= to.",
                  d->path, from, to);
        return false;
    }
    decode_path_back(d, back);
    return true;
}

bool decode_vertices(struct decoder *d, const struct field *field, const struct json_patch *patch,
                     struct wire_vertices *out) {
    struct wire_vertices vertices = {arena_alloc_array(d->arena, patch->count, sizeof(struct wire_range)),
                                     patch->count, 0};
    if (!vertices.ranges) return decode_fail_memory(d);
    const char *p = d->scan->text + patch->start + 1;
    for (uint32_t i = 0; i < patch->count; ++i) {
        p = next_item(p);
        double from, to;
        if (*p == '{') {
            p = read_range(p, &from, &to);
            if (!check_range(d, field, i, from, to)) return false;
        } else {
            const char *end;
            from = to = json_number_parse(p, &end);
            p = end;
            bool sure = from >= 0 && from <= field->row->max && from == (double)(uint32_t)from;
            if (!sure && !check_item(d, field, i, from)) return false;
        }
        vertices.ranges[i] = (struct wire_range){(uint32_t)from, (uint32_t)to};
        vertices.count += (uint64_t)(to - from) + 1;
    }
    if (vertices.count < field->min_items) {
        WIRE_FAIL(d->error, out_of_range, d->path, "%s names no vertex; allowed is %u or more.", d->path,
                  field->min_items);
        return false;
    }
    *out = vertices;
    return true;
}
