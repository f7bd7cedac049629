/* Tokens: read from a file that only its owner can read, or made at random. */
#ifndef APP_TOKENS_H
#define APP_TOKENS_H

#include <net/net.h>

enum { TOKENS_MAX = 256, TOKENS_MADE = 2 };

/* Reads "control TOKEN" and "view TOKEN" lines; # begins a comment. Returns the count
 * (≥ 1), or −1 and one sentence in message. A message never holds a token. */
int tokens_read(const char *path, struct net_token tokens[TOKENS_MAX], char *message, size_t message_size);
/* One token of 192 random bits for each role. Returns TOKENS_MADE, or −1. */
int tokens_make(struct net_token tokens[TOKENS_MAX]);
const char *tokens_role_name(enum net_role role);

#endif
