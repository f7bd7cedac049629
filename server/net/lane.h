/* What a client must get: texts and reliable binary messages in one order.
 *
 * A binary message waits for the texts before it and for nothing else; texts are
 * bounded in number and bytes, binary messages lie outside the bound. A message that
 * is longer than LANE_FRAGMENT_BYTES leaves in fragments, so that a ping may pass. */
#ifndef NET_LANE_H
#define NET_LANE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <base/buffer.h>

enum { LANE_FRAGMENT_BYTES = 256 * 1024 };

struct lane_entry;

struct lane {
    struct lane_entry *first, *last;
    size_t text_count, text_bytes; /* queued texts */
    size_t binary_count, binary_bytes;
    size_t max_texts, max_text_bytes;
    size_t sent; /* bytes of the first message that are gone */
};

/* The next piece to write. */
struct lane_piece {
    struct buffer *buffer; /* the lane's reference */
    size_t offset, length;
    bool binary, first, final;
};

void lane_init(struct lane *lane, size_t max_texts, size_t max_text_bytes);
/* Drops what is queued. */
void lane_clear(struct lane *lane);

/* The reference moves, also on failure. False when out of memory. */
bool lane_push(struct lane *lane, struct buffer *buffer, bool binary);
/* More texts than count_times × the bound, or more bytes than byte_times × the bound; of the
 * bytes the longest text does not count, so that a single reply may be larger, be it the one
 * that is leaving or one that waits behind the event it caused. */
bool lane_is_over(const struct lane *lane, size_t count_times, size_t byte_times);
/* share of the bound that is used, by count or by bytes, whichever is more. */
bool lane_is_above(const struct lane *lane, size_t numerator, size_t denominator);
bool lane_is_empty(const struct lane *lane);

/* False when empty. */
bool lane_next(const struct lane *lane, struct lane_piece *piece);
/* The piece that lane_next gave is written. */
void lane_advance(struct lane *lane, const struct lane_piece *piece);

#endif
