/* app/healthcheck: the answer decides, and the port of process 1 is read. */
#include "check.h"
#include <app/healthcheck.h>
#include <net/socket.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

struct fake {
    int listener;
    const char *answer;
};

/* Answers one request and closes. */
static void *serve_once(void *argument) {
    const struct fake *fake = argument;
    int fd;
    char request[512];
    while ((fd = accept(fake->listener, NULL, NULL)) < 0)
        usleep(1000);
    while (recv(fd, request, sizeof request, 0) < 0)
        usleep(1000);
    send(fd, fake->answer, strlen(fake->answer), MSG_NOSIGNAL);
    close(fd);
    return NULL;
}

static int check(const char *bind, const char *answer) {
    char message[128];
    uint16_t port = 0;
    pthread_t thread;
    struct fake fake = {socket_listen("127.0.0.1", &port, message, sizeof message), answer};
    pthread_create(&thread, NULL, serve_once, &fake);
    int status = healthcheck_run(bind, port);
    pthread_join(thread, NULL);
    close(fake.listener);
    return status;
}

static void only_200_is_healthy(void) {
    CHECK_INT(check("127.0.0.1", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"), 0);
    CHECK_INT(check("0.0.0.0", "HTTP/1.1 200 OK\r\n\r\n"), 0);
    CHECK_INT(check("127.0.0.1", "HTTP/1.1 503 Service Unavailable\r\n\r\n"), 1);
    CHECK_INT(check("127.0.0.1", "HTTP"), 1);
    CHECK_INT(healthcheck_run("127.0.0.1", 1), 1); /* nobody listens there */
}

static const char *no_variables(const char *name) {
    (void)name;
    return NULL;
}

static void the_port_of_a_server_that_is_process_one_is_used(void) {
    char server[] = "/usr/local/bin/clothd\0--bind\0"
                    "0.0.0.0\0--port\0"
                    "9123";
    char other[] = "/sbin/init\0--port\0"
                   "9123";
    char *arguments[] = {(char *)"clothd", (char *)"--healthcheck"};
    char message[128];
    struct options options;
    CHECK_INT(options_parse(&options, 2, arguments, no_variables, message, sizeof message), 0);
    healthcheck_take_options(&options, other, sizeof other);
    CHECK_INT(options.port, 8080);
    healthcheck_take_options(&options, server, sizeof server);
    CHECK_INT(options.port, 9123);
    CHECK_STRING(options.bind, "0.0.0.0");
    healthcheck_take_options(&options, server, 0);
    CHECK_INT(options.port, 9123);
}

RUN_TESTS(TEST(only_200_is_healthy), TEST(the_port_of_a_server_that_is_process_one_is_used))
