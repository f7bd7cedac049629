/* net/http: plain requests over a real socket. */
#include "check.h"
#include "support_server.h"
#include "support_socket.h"
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static struct test_server server;
static struct test_socket client;

static int get(const char *method, const char *path) {
    char text[1024];
    socket_close(&client);
    if (!socket_open(&client, server_port(&server), 0)) return -1;
    snprintf(text, sizeof text, "%s %s HTTP/1.1\r\nHost: localhost\r\n\r\n", method, path);
    return socket_request(&client, text);
}

static void start(void) {
    client.fd = -1;
    server_init(&server);
    CHECK(server_start(&server));
}

static void stop(void) {
    socket_close(&client);
    server_stop(&server);
}

static void the_page_has_a_strict_policy(void) {
    start();
    CHECK_INT(get("GET", "/"), 200);
    CHECK(strstr(client.head, "Content-Type: text/html") != NULL);
    const char *policy = strstr(client.head, "Content-Security-Policy: ");
    CHECK(policy && strstr(policy, "default-src 'self'") && strstr(policy, "script-src 'self'"));
    CHECK(strstr(client.head, "unsafe") == NULL);
    CHECK(strstr(client.head, "X-Content-Type-Options: nosniff") != NULL);
    CHECK(strstr(client.body, "clothd is running") != NULL);
    CHECK_INT(get("GET", "/?x=1"), 200);
    stop();
}

static void head_has_the_length_and_no_body(void) {
    start();
    CHECK_INT(get("HEAD", "/"), 200);
    CHECK(strstr(client.head, "Content-Length: ") != NULL &&
          strstr(client.head, "Content-Length: 0") == NULL);
    CHECK_INT(socket_read(&client, 0.2).opcode, -2); /* nothing follows, the connection stays */
    CHECK_INT(client.have - client.used, 0);
    CHECK_INT(socket_request(&client, "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"), 200);
    stop();
}

static void other_paths_and_methods_are_refused_with_a_sentence(void) {
    start();
    CHECK_INT(get("GET", "/nothing"), 404);
    CHECK(strstr(client.body, "no such page") != NULL);
    CHECK_INT(get("POST", "/"), 405);
    CHECK(strstr(client.head, "Allow: GET, HEAD") != NULL);
    CHECK_INT(get("DELETE", "/"), 405);
    CHECK_INT(get("GET", "/ws"), 426);
    CHECK(strstr(client.body, "clothd.v1") != NULL);
    stop();
}

static void paths_cannot_leave_the_table(void) {
    static const char *const paths[] = {
        "/../etc/passwd",          "/..%2f..%2fetc/passwd",  "/%2e%2e/%2e%2e/etc/passwd",
        "/....//....//etc/passwd", "//etc/passwd",           "/%00",
        "/index.html%00.js",       "/\\..\\..\\etc\\passwd", "/%c0%ae%c0%ae/etc/passwd"};
    start();
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; ++i) {
        int status = get("GET", paths[i]);
        if (status == 200) CHECK(strstr(client.body, "clothd is running") != NULL);
        CHECK(strstr(client.body, "root:") == NULL);
    }
    CHECK_INT(get("GET", "/healthz"), 200);
    stop();
}

static void a_large_file_arrives_whole(void) {
    enum { LENGTH = 3 * 1024 * 1024 + 17 };
    char folder[] = "/tmp/clothd-http-XXXXXX", path[128];
    unsigned char *bytes = malloc(LENGTH);
    for (size_t i = 0; i < LENGTH; ++i)
        bytes[i] = (unsigned char)(i * 2654435761u >> 13);
    CHECK(mkdtemp(folder) != NULL);
    snprintf(path, sizeof path, "%s/index.html", folder);
    FILE *file = fopen(path, "w");
    fwrite(bytes, 1, LENGTH, file);
    fclose(file);
    client.fd = -1;
    server_init(&server);
    server.config.web_dir = folder;
    CHECK(server_start(&server));
    CHECK(socket_open(&client, server_port(&server), 0));
    CHECK_INT(socket_request(&client, "GET / HTTP/1.0\r\nHost: localhost\r\n\r\n"), 200);
    /* The body was read while the head was; socket_request cuts only its copy for text. */
    CHECK(client.used >= LENGTH && memcmp(client.data + client.used - LENGTH, bytes, LENGTH) == 0);
    stop();
    remove(path);
    remove(folder);
    free(bytes);
}

RUN_TESTS(TEST(the_page_has_a_strict_policy), TEST(head_has_the_length_and_no_body),
          TEST(other_paths_and_methods_are_refused_with_a_sentence), TEST(paths_cannot_leave_the_table),
          TEST(a_large_file_arrives_whole))
