/* The text grows by doubling; every growth beyond the free part is booked first. */
#include <net/reassembly.h>
#include <stdlib.h>
#include <string.h>

/* What of a capacity counts against the budget. */
static size_t booked(size_t capacity) {
    return capacity > REASSEMBLY_FREE_BYTES ? capacity : 0;
}

static bool grow(struct reassembly *reassembly, struct reassembly_budget *budget, size_t needed,
                 size_t max_bytes) {
    if (needed <= reassembly->capacity) return true;
    size_t capacity = reassembly->capacity ? reassembly->capacity : 1024;
    while (capacity < needed)
        capacity *= 2;
    if (capacity > max_bytes + 1) capacity = max_bytes + 1;
    size_t more = booked(capacity) - booked(reassembly->capacity);
    if (more > budget->max - budget->used) return false;
    char *text = realloc(reassembly->text, capacity);
    if (!text) return false;
    budget->used += more;
    reassembly->text = text;
    reassembly->capacity = capacity;
    return true;
}

enum reassembly_result reassembly_add(struct reassembly *reassembly, struct reassembly_budget *budget,
                                      size_t max_bytes, const void *bytes, size_t length, size_t remaining,
                                      bool first, bool final) {
    if (first) reassembly_reset(reassembly, budget);
    if (length > max_bytes || remaining > max_bytes - length) return REASSEMBLY_TOO_BIG;
    if (!reassembly->discarding) {
        if (reassembly->length > max_bytes - length - remaining) return REASSEMBLY_TOO_BIG;
        if (!grow(reassembly, budget, reassembly->length + length + 1, max_bytes)) {
            reassembly_reset(reassembly, budget);
            reassembly->discarding = true;
        }
    }
    if (reassembly->discarding) {
        /* length goes on counting, so that a message without end is still refused. */
        if (reassembly->length > max_bytes - length - remaining) return REASSEMBLY_TOO_BIG;
        reassembly->length += length;
        if (!final) return REASSEMBLY_MORE;
        reassembly_reset(reassembly, budget);
        return REASSEMBLY_BUSY;
    }
    if (length) memcpy(reassembly->text + reassembly->length, bytes, length);
    reassembly->length += length;
    reassembly->text[reassembly->length] = '\0';
    return final ? REASSEMBLY_WHOLE : REASSEMBLY_MORE;
}

void reassembly_reset(struct reassembly *reassembly, struct reassembly_budget *budget) {
    budget->used -= booked(reassembly->capacity);
    free(reassembly->text);
    *reassembly = (struct reassembly){0};
}
