/* Who may connect: the Host, Origin, subprotocol and token rules as pure functions
 * of strings, so that every row of the matrix is a unit test. */
#ifndef NET_AUTH_H
#define NET_AUTH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <net/net.h>

/* Whether the bind address is reachable from this host only (127.0.0.0/8, ::1). */
bool auth_is_loopback(const char *address);

/* The Host rule: an IP literal, localhost, *.localhost or an allowed name passes; a
 * port and one trailing dot do not count, nor does case. */
bool auth_host_allowed(const char *host, const char *const *allowed, uint32_t allowed_count);

/* The Origin rule: NULL (absent) passes; "http://" + host passes; an allowed origin
 * passes. Scheme and port count. */
bool auth_origin_allowed(const char *origin, const char *host, const char *const *allowed,
                         uint32_t allowed_count);

/* "scheme://host[:port]" and nothing else: what an entry of the allow-list must be ("null" too). */
bool auth_is_origin(const char *text);

enum auth_offer {
    AUTH_OFFER_NONE, /* no subprotocol offered: the newest version */
    AUTH_OFFER_V1,
    AUTH_OFFER_UNKNOWN, /* only versions we do not speak; name is the first of them */
    AUTH_OFFER_FOREIGN, /* other names alone, or text that is no list of names */
    AUTH_OFFER_LATE,    /* something that the library cannot skip stands before clothd.v1 */
};

struct auth_protocols {
    char name[64];  /* to echo: clothd.v1 or the unknown version */
    char token[65]; /* decoded from clothd.bearer.…, or "" */
    bool has_token; /* a bearer name was there, readable or not */
};

/* Reads Sec-WebSocket-Protocol; NULL = header absent. */
enum auth_offer auth_read_protocols(const char *list, struct auth_protocols *protocols);

/* base64url without padding; false unless it decodes to 1…64 printable bytes. */
bool auth_decode_token(const char *text, size_t length, char token[65]);
/* The inverse, for links and tests; out holds at least 87 bytes. */
void auth_encode_token(const char *token, char *out);

/* "Bearer TOKEN" → token; false when it is something else. */
bool auth_read_bearer(const char *header, char token[65]);

/* The entry equal to token, or NULL. Takes the same time whatever the text. */
const struct net_token *auth_find_token(const struct net_token *tokens, uint32_t count, const char *token);

#endif
