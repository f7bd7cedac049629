/* The rules of admission. Strings in, verdicts out: nothing here knows a socket. */
#include <net/auth.h>
#include <arpa/inet.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { NAME_MAX_LENGTH = 255, TOKEN_MAX_LENGTH = 64, ECHO_MAX_LENGTH = 63 };

static bool is_ipv4(const char *text) {
    struct in_addr address;
    return inet_pton(AF_INET, text, &address) == 1;
}

static bool is_ipv6(const char *text) {
    struct in6_addr address;
    return inet_pton(AF_INET6, text, &address) == 1;
}

bool auth_is_loopback(const char *address) {
    struct in_addr v4;
    struct in6_addr v6;
    if (inet_pton(AF_INET, address, &v4) == 1) return ntohl(v4.s_addr) >> 24 == 127;
    if (inet_pton(AF_INET6, address, &v6) == 1) return IN6_IS_ADDR_LOOPBACK(&v6);
    return false;
}

/* host[:port] apart: name in lower case without brackets and trailing dot, port −1 when absent. */
struct authority {
    char name[NAME_MAX_LENGTH + 1];
    int port;
    bool bracketed;
};

static bool read_port(const char *text, int *port) {
    size_t length = strlen(text);
    if (length == 0 || length > 5 || strspn(text, "0123456789") != length) return false;
    int value = atoi(text);
    if (value < 1 || value > 65535) return false;
    *port = value;
    return true;
}

static bool read_authority(const char *text, struct authority *authority) {
    const char *end;
    *authority = (struct authority){.port = -1};
    if (text[0] == '[') {
        authority->bracketed = true;
        ++text;
        end = strchr(text, ']');
        if (!end) return false;
    } else {
        end = text + strcspn(text, ":");
    }
    size_t length = (size_t)(end - text);
    if (length == 0 || length > NAME_MAX_LENGTH) return false;
    for (size_t i = 0; i < length; ++i) {
        unsigned char c = (unsigned char)text[i];
        bool fits = isalnum(c) || c == '.' || c == '-' || c == '_' || (authority->bracketed && c == ':');
        if (!fits) return false;
        authority->name[i] = (char)tolower(c);
    }
    if (!authority->bracketed && length > 1 && authority->name[length - 1] == '.')
        authority->name[length - 1] = '\0';
    if (authority->bracketed && !is_ipv6(authority->name)) return false;
    if (authority->bracketed) ++end;
    if (*end == '\0') return true;
    return *end == ':' && read_port(end + 1, &authority->port);
}

bool auth_host_allowed(const char *host, const char *const *allowed, uint32_t allowed_count) {
    struct authority authority;
    if (!host || !read_authority(host, &authority)) return false;
    if (authority.bracketed || is_ipv4(authority.name)) return true;
    if (strcmp(authority.name, "localhost") == 0) return true;
    size_t length = strlen(authority.name);
    if (length > 10 && strcmp(authority.name + length - 10, ".localhost") == 0) return true;
    for (uint32_t i = 0; i < allowed_count; ++i) {
        struct authority entry;
        if (read_authority(allowed[i], &entry) && strcmp(entry.name, authority.name) == 0) return true;
    }
    return false;
}

struct origin {
    char scheme[16];
    struct authority authority;
};

/* "scheme://host[:port]" with the scheme's own port filled in. */
static bool read_origin(const char *text, struct origin *origin) {
    const char *colon = strstr(text, "://");
    if (!colon || colon == text || (size_t)(colon - text) >= sizeof origin->scheme) return false;
    size_t length = (size_t)(colon - text);
    for (size_t i = 0; i < length; ++i) {
        if (!isalnum((unsigned char)text[i]) && text[i] != '+' && text[i] != '-' && text[i] != '.')
            return false;
        origin->scheme[i] = (char)tolower((unsigned char)text[i]);
    }
    origin->scheme[length] = '\0';
    if (!read_authority(colon + 3, &origin->authority)) return false;
    if (origin->authority.port < 0) {
        if (strcmp(origin->scheme, "http") == 0) origin->authority.port = 80;
        if (strcmp(origin->scheme, "https") == 0) origin->authority.port = 443;
    }
    return true;
}

static bool same_origin(const struct origin *a, const struct origin *b) {
    return strcmp(a->scheme, b->scheme) == 0 && strcmp(a->authority.name, b->authority.name) == 0 &&
           a->authority.port == b->authority.port;
}

bool auth_is_origin(const char *text) {
    struct origin origin;
    return strcmp(text, "null") == 0 || read_origin(text, &origin);
}

bool auth_origin_allowed(const char *origin, const char *host, const char *const *allowed,
                         uint32_t allowed_count) {
    if (!origin) return true;
    for (uint32_t i = 0; i < allowed_count; ++i) {
        if (strcmp(allowed[i], "null") == 0 && strcmp(origin, "null") == 0) return true;
    }
    struct origin got, want;
    if (!read_origin(origin, &got)) return false;
    strcpy(want.scheme, "http"); /* this server itself speaks plain HTTP only */
    if (host && read_authority(host, &want.authority)) {
        if (want.authority.port < 0) want.authority.port = 80;
        if (same_origin(&got, &want)) return true;
    }
    for (uint32_t i = 0; i < allowed_count; ++i) {
        if (read_origin(allowed[i], &want) && same_origin(&got, &want)) return true;
    }
    return false;
}

static int decode_digit(char c) {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    if (c == '-') return 62;
    if (c == '_') return 63;
    return -1;
}

bool auth_decode_token(const char *text, size_t length, char token[65]) {
    char out[TOKEN_MAX_LENGTH + 3];
    size_t used = 0;
    uint32_t bits = 0;
    int bit_count = 0;
    token[0] = '\0';
    if (length < 2 || length % 4 == 1 || length > (TOKEN_MAX_LENGTH * 4 + 2) / 3) return false;
    for (size_t i = 0; i < length; ++i) {
        int digit = decode_digit(text[i]);
        if (digit < 0) return false;
        bits = bits << 6 | (uint32_t)digit;
        bit_count += 6;
        if (bit_count >= 8) {
            bit_count -= 8;
            unsigned char byte = (unsigned char)(bits >> bit_count & 0xff);
            if (byte < 0x21 || byte > 0x7e) return false;
            out[used++] = (char)byte;
        }
    }
    /* Left-over bits must be zero: one token has one spelling. */
    if ((bits & ((1u << bit_count) - 1)) != 0 || used == 0 || used > TOKEN_MAX_LENGTH) return false;
    memcpy(token, out, used);
    token[used] = '\0';
    return true;
}

void auth_encode_token(const char *token, char *out) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    uint32_t bits = 0;
    int bit_count = 0;
    for (; *token; ++token) {
        bits = bits << 8 | (unsigned char)*token;
        bit_count += 8;
        while (bit_count >= 6) {
            bit_count -= 6;
            *out++ = digits[bits >> bit_count & 63];
        }
    }
    if (bit_count > 0) *out++ = digits[bits << (6 - bit_count) & 63];
    *out = '\0';
}

bool auth_read_bearer(const char *header, char token[65]) {
    token[0] = '\0';
    if (strncasecmp(header, "Bearer ", 7) != 0) return false;
    header += 7;
    header += strspn(header, " ");
    size_t length = strlen(header);
    if (length == 0 || length > TOKEN_MAX_LENGTH) return false;
    for (size_t i = 0; i < length; ++i) {
        if (header[i] < 0x21 || header[i] > 0x7e) return false;
    }
    memcpy(token, header, length + 1);
    return true;
}

const struct net_token *auth_find_token(const struct net_token *tokens, uint32_t count, const char *token) {
    /* Both sides are padded to the same length and every entry is looked at to its
     * end, so that time says nothing about how much of a guess was right. */
    char padded[sizeof tokens->text] = {0};
    size_t length = strnlen(token, sizeof padded - 1);
    memcpy(padded, token, length);
    const struct net_token *found = NULL;
    for (uint32_t i = 0; i < count; ++i) {
        char entry[sizeof padded] = {0};
        memcpy(entry, tokens[i].text, strnlen(tokens[i].text, sizeof entry - 1));
        volatile unsigned char different = 0;
        for (size_t k = 0; k < sizeof padded; ++k)
            different |= (unsigned char)(entry[k] ^ padded[k]);
        if (different == 0 && length > 0) found = &tokens[i];
    }
    return found;
}

static bool is_token_character(char c) {
    return isalnum((unsigned char)c) || (c != '\0' && strchr("!#$%&'*+-.^_`|~", c) != NULL);
}

/* clothd.vN, N a number without leading zeros; 0 when it is something else. */
static long read_version(const char *name, size_t length) {
    if (length < 9 || length > 17 || strncmp(name, "clothd.v", 8) != 0 || name[8] == '0') return 0;
    long version = 0;
    for (size_t i = 8; i < length; ++i) {
        if (!isdigit((unsigned char)name[i])) return 0;
        version = version * 10 + (name[i] - '0');
    }
    return version;
}

enum auth_offer auth_read_protocols(const char *list, struct auth_protocols *protocols) {
    static const char bearer[] = "clothd.bearer.";
    const size_t bearer_length = sizeof bearer - 1;
    *protocols = (struct auth_protocols){0};
    if (!list) return AUTH_OFFER_NONE;

    bool has_v1 = false, late = false, blocked = false;
    for (const char *at = list; *at;) {
        at += strspn(at, " \t,");
        size_t length = 0;
        while (is_token_character(at[length]))
            ++length;
        if (length == 0) {
            if (*at) return AUTH_OFFER_FOREIGN;
            break;
        }
        long version = read_version(at, length);
        if (version == 1 && !has_v1) {
            has_v1 = true;
            late = blocked;
            strcpy(protocols->name, "clothd.v1");
        } else if (version > 1 && !has_v1 && protocols->name[0] == '\0') {
            memcpy(protocols->name, at, length);
            protocols->name[length] = '\0';
            late = blocked;
        } else if (length > bearer_length && strncmp(at, bearer, bearer_length) == 0) {
            protocols->has_token = true;
            auth_decode_token(at + bearer_length, length - bearer_length, protocols->token);
        }
        /* The library gives up at a name of 64 characters or one that starts like a number. */
        if (length > ECHO_MAX_LENGTH || !isalpha((unsigned char)at[0])) blocked = true;
        at += length;
        at += strspn(at, " \t");
        if (*at && *at != ',') return AUTH_OFFER_FOREIGN;
    }
    if (protocols->name[0] == '\0') return AUTH_OFFER_FOREIGN;
    if (late) return AUTH_OFFER_LATE;
    return has_v1 ? AUTH_OFFER_V1 : AUTH_OFFER_UNKNOWN;
}
