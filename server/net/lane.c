/* A list of messages, first in, first out. */
#include <net/lane.h>
#include <stdlib.h>

struct lane_entry {
    struct lane_entry *next;
    struct buffer *buffer;
    bool binary;
};

void lane_init(struct lane *lane, size_t max_texts, size_t max_text_bytes) {
    *lane = (struct lane){.max_texts = max_texts, .max_text_bytes = max_text_bytes};
}

static void drop_first(struct lane *lane) {
    struct lane_entry *entry = lane->first;
    if (entry->binary) {
        --lane->binary_count;
        lane->binary_bytes -= entry->buffer->length;
    } else {
        --lane->text_count;
        lane->text_bytes -= entry->buffer->length;
    }
    lane->first = entry->next;
    if (!lane->first) lane->last = NULL;
    lane->sent = 0;
    buffer_unref(entry->buffer);
    free(entry);
}

void lane_clear(struct lane *lane) {
    while (lane->first)
        drop_first(lane);
}

bool lane_push(struct lane *lane, struct buffer *buffer, bool binary) {
    struct lane_entry *entry = malloc(sizeof *entry);
    if (!entry) {
        buffer_unref(buffer);
        return false;
    }
    *entry = (struct lane_entry){.buffer = buffer, .binary = binary};
    if (lane->last) {
        lane->last->next = entry;
    } else {
        lane->first = entry;
    }
    lane->last = entry;
    if (binary) {
        ++lane->binary_count;
        lane->binary_bytes += buffer->length;
    } else {
        ++lane->text_count;
        lane->text_bytes += buffer->length;
    }
    return true;
}

bool lane_is_over(const struct lane *lane, size_t count_times, size_t byte_times) {
    if (lane->text_count > count_times * lane->max_texts) return true;
    if (lane->text_bytes <= byte_times * lane->max_text_bytes) return false;
    size_t longest = 0;
    for (const struct lane_entry *entry = lane->first; entry; entry = entry->next) {
        if (!entry->binary && entry->buffer->length > longest) longest = entry->buffer->length;
    }
    return lane->text_bytes - longest > byte_times * lane->max_text_bytes;
}

bool lane_is_above(const struct lane *lane, size_t numerator, size_t denominator) {
    return lane->text_count * denominator >= lane->max_texts * numerator ||
           lane->text_bytes * denominator >= lane->max_text_bytes * numerator;
}

bool lane_is_empty(const struct lane *lane) {
    return lane->first == NULL;
}

bool lane_next(const struct lane *lane, struct lane_piece *piece) {
    if (!lane->first) return false;
    size_t left = lane->first->buffer->length - lane->sent;
    piece->buffer = lane->first->buffer;
    piece->offset = lane->sent;
    piece->length = left < LANE_FRAGMENT_BYTES ? left : LANE_FRAGMENT_BYTES;
    piece->binary = lane->first->binary;
    piece->first = lane->sent == 0;
    piece->final = piece->length == left;
    return true;
}

void lane_advance(struct lane *lane, const struct lane_piece *piece) {
    lane->sent += piece->length;
    if (piece->final) drop_first(lane);
}
