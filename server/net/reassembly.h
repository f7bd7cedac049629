/* Pieces of a text message made whole, within bounds: a message may have max_bytes,
 * and what all clients together hold beyond their first 64 KiB comes out of one budget. */
#ifndef NET_REASSEMBLY_H
#define NET_REASSEMBLY_H

#include <stdbool.h>
#include <stddef.h>

enum { REASSEMBLY_FREE_BYTES = 64 * 1024, REASSEMBLY_BUDGET_BYTES = 64 * 1024 * 1024 };

/* Shared by all clients of a server. */
struct reassembly_budget {
    size_t used, max;
};

struct reassembly {
    char *text;
    size_t length, capacity;
    bool discarding; /* the budget was spent: the rest of this message is dropped */
};

enum reassembly_result {
    REASSEMBLY_MORE,    /* not whole yet */
    REASSEMBLY_WHOLE,   /* text[length] is NUL; call reassembly_reset when done with it */
    REASSEMBLY_TOO_BIG, /* have + piece + announced remainder exceed max_bytes */
    REASSEMBLY_BUSY,    /* said once per message, at its end: there was no memory for it */
};

/* remaining: what the frame's header announced beyond this piece; final: the message ends here. */
enum reassembly_result reassembly_add(struct reassembly *reassembly, struct reassembly_budget *budget,
                                      size_t max_bytes, const void *bytes, size_t length, size_t remaining,
                                      bool first, bool final);
/* Forgets the message and gives its memory back. */
void reassembly_reset(struct reassembly *reassembly, struct reassembly_budget *budget);

#endif
