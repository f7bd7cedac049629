/* net/auth: every row of the host, origin, subprotocol and token rules. */
#include "check.h"
#include <net/auth.h>

static const char *const names[] = {"cloth.example", "other.example"};
static const char *const origins[] = {"https://cloth.example", "http://dev.example:5173"};

static void hosts_that_cannot_be_rebound_pass(void) {
    static const char *const good[] = {
        "127.0.0.1",     "127.0.0.1:8080",     "192.168.1.7:80", "[::1]",
        "[::1]:8080",    "[fe80::1]",          "localhost",      "LOCALHOST:8080",
        "localhost.",    "localhost.:8080",    "a.localhost",    "a.b.LocalHost.:9",
        "cloth.example", "Cloth.Example:8080", "cloth.example.", "other.example"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; ++i) {
        if (!auth_host_allowed(good[i], names, 2)) printf("refused: %s\n", good[i]);
        CHECK(auth_host_allowed(good[i], names, 2));
    }
}

static void other_hosts_are_refused(void) {
    static const char *const bad[] = {"",
                                      "evil.example",
                                      "localhost.evil.example",
                                      "xlocalhost",
                                      "127.0.0.1.evil.example",
                                      "127.1",
                                      "0x7f.1",
                                      "2130706433",
                                      "127.0.0.1:",
                                      "127.0.0.1:0",
                                      "127.0.0.1:99999",
                                      "127.0.0.1:80a",
                                      "::1",
                                      "[::1",
                                      "[evil.example]",
                                      "user@localhost",
                                      "localhost/",
                                      "localhost evil",
                                      ".localhost",
                                      ".",
                                      "cloth.example.evil",
                                      "a:80:80"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        if (auth_host_allowed(bad[i], names, 2)) printf("passed: %s\n", bad[i]);
        CHECK(!auth_host_allowed(bad[i], names, 2));
    }
    CHECK(!auth_host_allowed(NULL, names, 2));
    CHECK(!auth_host_allowed("cloth.example", NULL, 0));
}

static void an_origin_must_be_absent_the_same_or_allowed(void) {
    static const struct {
        const char *origin, *host;
        bool passes;
    } rows[] = {
        {NULL, "127.0.0.1:8080", true},
        {"http://127.0.0.1:8080", "127.0.0.1:8080", true},
        {"HTTP://LOCALHOST:8080", "localhost:8080", true},
        {"http://localhost", "localhost:80", true},
        {"http://localhost:80", "localhost", true},
        {"http://[::1]:8080", "[::1]:8080", true},
        {"https://cloth.example", "127.0.0.1:8080", true},
        {"https://cloth.example:443", "127.0.0.1:8080", true},
        {"http://dev.example:5173", "localhost:8080", true},
        {"", "localhost:8080", false},
        {"null", "localhost:8080", false},
        {"http://localhost:8081", "localhost:8080", false},
        {"http://localhost", "localhost:8080", false},
        {"https://localhost:8080", "localhost:8080", false},
        {"http://127.0.0.1:8080", "localhost:8080", false},
        {"http://evil.example", "localhost:8080", false},
        {"http://localhost:8080.evil.example", "localhost:8080", false},
        {"http://localhost:8080/", "localhost:8080", false},
        {"http://user@localhost:8080", "localhost:8080", false},
        {"http://cloth.example", "localhost:8080", false},
        {"http://dev.example:5174", "localhost:8080", false},
        {"localhost:8080", "localhost:8080", false},
        {"http://", "localhost:8080", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        bool passes = auth_origin_allowed(rows[i].origin, rows[i].host, origins, 2);
        if (passes != rows[i].passes) printf("row %zu: %s at %s\n", i, rows[i].origin, rows[i].host);
        CHECK_INT(passes, rows[i].passes);
    }
    const char *const null_origin[] = {"null"};
    CHECK(auth_origin_allowed("null", "localhost", null_origin, 1));
}

static void an_allow_list_entry_must_be_an_origin(void) {
    CHECK(auth_is_origin("http://a") && auth_is_origin("https://a:1") && auth_is_origin("null"));
    CHECK(!auth_is_origin("a") && !auth_is_origin("http://a/") && !auth_is_origin("*") &&
          !auth_is_origin(""));
}

static void only_this_host_is_loopback(void) {
    CHECK(auth_is_loopback("127.0.0.1") && auth_is_loopback("127.9.9.9") && auth_is_loopback("::1"));
    CHECK(!auth_is_loopback("0.0.0.0") && !auth_is_loopback("::") && !auth_is_loopback("128.0.0.1"));
}

static void offers_are_read_as_the_contract_says(void) {
    static const struct {
        const char *list;
        enum auth_offer offer;
        const char *name;
    } rows[] = {
        {NULL, AUTH_OFFER_NONE, ""},
        {"clothd.v1", AUTH_OFFER_V1, "clothd.v1"},
        {" clothd.v1 ,x", AUTH_OFFER_V1, "clothd.v1"},
        {"clothd.v7, clothd.v1", AUTH_OFFER_V1, "clothd.v1"},
        {"x, clothd.v1", AUTH_OFFER_V1, "clothd.v1"},
        {"clothd.v7", AUTH_OFFER_UNKNOWN, "clothd.v7"},
        {"clothd.v12,clothd.v3", AUTH_OFFER_UNKNOWN, "clothd.v12"},
        {"clothd.v2, clothd.bearer.YWJj", AUTH_OFFER_UNKNOWN, "clothd.v2"},
        {"chat", AUTH_OFFER_FOREIGN, ""},
        {"clothd.v0", AUTH_OFFER_FOREIGN, ""},
        {"clothd.v01", AUTH_OFFER_FOREIGN, ""},
        {"clothd.v1x", AUTH_OFFER_FOREIGN, ""},
        {"clothd.v1234567890", AUTH_OFFER_FOREIGN, ""},
        {"CLOTHD.V1", AUTH_OFFER_FOREIGN, ""},
        {"clothd.bearer.YWJj", AUTH_OFFER_FOREIGN, ""},
        {"clothd.v1 x", AUTH_OFFER_FOREIGN, "clothd.v1"},
        {"clothd.v1, @", AUTH_OFFER_FOREIGN, "clothd.v1"},
        {"", AUTH_OFFER_FOREIGN, ""},
        {",,", AUTH_OFFER_FOREIGN, ""},
        {"1x, clothd.v1", AUTH_OFFER_LATE, "clothd.v1"},
        {"a123456789b123456789c123456789d123456789e123456789f123456789g1234, clothd.v1", AUTH_OFFER_LATE,
         "clothd.v1"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        struct auth_protocols protocols;
        enum auth_offer offer = auth_read_protocols(rows[i].list, &protocols);
        if (offer != rows[i].offer) printf("row %zu: %s\n", i, rows[i].list);
        CHECK_INT(offer, rows[i].offer);
        CHECK_STRING(protocols.name, rows[i].name);
    }
}

static void the_bearer_name_carries_a_token(void) {
    struct auth_protocols protocols;
    CHECK_INT(auth_read_protocols("clothd.v1, clothd.bearer.c2VjcmV0", &protocols), AUTH_OFFER_V1);
    CHECK(protocols.has_token);
    CHECK_STRING(protocols.token, "secret");
    CHECK_INT(auth_read_protocols("clothd.v1, clothd.bearer.c2Vjcm==", &protocols), AUTH_OFFER_FOREIGN);
    CHECK_INT(auth_read_protocols("clothd.v1, clothd.bearer.c2Vjc", &protocols), AUTH_OFFER_V1);
    CHECK(protocols.has_token);
    CHECK_STRING(protocols.token, "");
    /* The longest token still fits beside clothd.v1 into what the library reads (126). */
    char token[65], encoded[90], list[140];
    memset(token, '~', 64);
    token[64] = '\0';
    auth_encode_token(token, encoded);
    int length = snprintf(list, sizeof list, "clothd.v1, clothd.bearer.%s", encoded);
    CHECK(length <= 126);
    CHECK_INT(auth_read_protocols(list, &protocols), AUTH_OFFER_V1);
    CHECK_STRING(protocols.token, token);
}

static void base64url_has_one_spelling_per_token(void) {
    static const char *const bad[] = {"", "Y", "YWJj=", "YW J", "YW+j", "YW/j", "YWJ", "AAAA", "YWJjZ"};
    char token[65], encoded[90];
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        bool fine = auth_decode_token(bad[i], strlen(bad[i]), token);
        if (fine) printf("decoded: %s\n", bad[i]);
        CHECK(!fine);
    }
    for (int length = 1; length <= 64; ++length) {
        char text[65];
        for (int i = 0; i < length; ++i)
            text[i] = (char)(0x21 + (i * 37 + length * 11) % 0x5d);
        text[length] = '\0';
        auth_encode_token(text, encoded);
        CHECK(auth_decode_token(encoded, strlen(encoded), token));
        CHECK_STRING(token, text);
    }
    auth_encode_token("?>~", encoded);
    CHECK_STRING(encoded, "Pz5-");
}

static void the_authorization_header_is_read(void) {
    char token[65];
    CHECK(auth_read_bearer("Bearer abc", token));
    CHECK_STRING(token, "abc");
    CHECK(auth_read_bearer("bearer   abc", token));
    CHECK(!auth_read_bearer("Basic abc", token) && !auth_read_bearer("Bearer", token));
    CHECK(!auth_read_bearer("Bearer a b", token) && !auth_read_bearer("Bearer ", token));
    char long_header[100] = "Bearer ";
    memset(long_header + 7, 'x', 65);
    CHECK(!auth_read_bearer(long_header, token));
}

static void a_token_is_found_only_whole(void) {
    const struct net_token tokens[] = {{NET_ROLE_VIEW, "look"}, {NET_ROLE_CONTROL, "steer"}};
    CHECK(auth_find_token(tokens, 2, "look") == &tokens[0]);
    CHECK(auth_find_token(tokens, 2, "steer") == &tokens[1]);
    CHECK(auth_find_token(tokens, 2, "stee") == NULL && auth_find_token(tokens, 2, "steers") == NULL);
    CHECK(auth_find_token(tokens, 2, "") == NULL && auth_find_token(tokens, 0, "look") == NULL);
}

RUN_TESTS(TEST(hosts_that_cannot_be_rebound_pass), TEST(other_hosts_are_refused),
          TEST(an_origin_must_be_absent_the_same_or_allowed), TEST(an_allow_list_entry_must_be_an_origin),
          TEST(only_this_host_is_loopback), TEST(offers_are_read_as_the_contract_says),
          TEST(the_bearer_name_carries_a_token), TEST(base64url_has_one_spelling_per_token),
          TEST(the_authorization_header_is_read), TEST(a_token_is_found_only_whole))
