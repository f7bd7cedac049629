/* app/tokens: the file's form and mode, and tokens made at random. */
#include "check.h"
#include <app/tokens.h>
#include <net/auth.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static struct net_token tokens[TOKENS_MAX];
static char message[512];

static int read_text(const char *text, mode_t mode) {
    char path[] = "/tmp/clothd-tokens-XXXXXX";
    int fd = mkstemp(path);
    if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text) || fchmod(fd, mode) != 0) abort();
    close(fd);
    message[0] = '\0';
    int count = tokens_read(path, tokens, message, sizeof message);
    remove(path);
    return count;
}

static void lines_become_tokens_with_roles(void) {
    CHECK_INT(read_text("# who may\n\ncontrol s3cret # the boss\n  view\tlook\n", 0600), 2);
    CHECK_INT(tokens[0].role, NET_ROLE_CONTROL);
    CHECK_STRING(tokens[0].text, "s3cret");
    CHECK_INT(tokens[1].role, NET_ROLE_VIEW);
    CHECK_STRING(tokens[1].text, "look");
    CHECK_INT(read_text("view last-line-without-end", 0400), 1);
}

static void a_file_that_others_can_read_is_refused(void) {
    CHECK_INT(read_text("control a\n", 0644), -1);
    CHECK(strstr(message, "0644") && strstr(message, "0600"));
    CHECK_INT(read_text("control a\n", 0620), -1);
    CHECK_INT(tokens_read("/nonexistent/tokens", tokens, message, sizeof message), -1);
    CHECK(strstr(message, "/nonexistent/tokens") != NULL);
}

static void a_bad_line_is_named_and_no_token_is_shown(void) {
    static const char *const bad[] = {"control a\nadmin hidden\n", "control a\nview\n",
                                      "control a\nview hidden hidden2\n", "control a\nview hidden\x01\n"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        CHECK_INT(read_text(bad[i], 0600), -1);
        CHECK(strstr(message, "line 2") && !strstr(message, "hidden"));
    }
    char text[200] = "control ";
    memset(text + 8, 'x', 65);
    CHECK_INT(read_text(text, 0600), -1);
    CHECK(strstr(message, "64") != NULL);
    CHECK_INT(read_text("# nothing\n", 0600), -1);
}

static void made_tokens_differ_and_fit_the_subprotocol(void) {
    static struct net_token again[TOKENS_MAX];
    CHECK_INT(tokens_make(tokens), 2);
    CHECK_INT(tokens_make(again), 2);
    CHECK(tokens[0].role != tokens[1].role);
    CHECK(strcmp(tokens[0].text, tokens[1].text) != 0 && strcmp(tokens[0].text, again[0].text) != 0);
    CHECK_INT(strlen(tokens[0].text), 32);
    char encoded[90], back[65];
    auth_encode_token(tokens[0].text, encoded);
    CHECK(auth_decode_token(encoded, strlen(encoded), back));
    CHECK_STRING(back, tokens[0].text);
    CHECK_STRING(tokens_role_name(NET_ROLE_CONTROL), "control");
    CHECK_STRING(tokens_role_name(NET_ROLE_VIEW), "view");
}

RUN_TESTS(TEST(lines_become_tokens_with_roles), TEST(a_file_that_others_can_read_is_refused),
          TEST(a_bad_line_is_named_and_no_token_is_shown), TEST(made_tokens_differ_and_fit_the_subprotocol))
