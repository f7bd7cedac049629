/* The test helper of all C tests: checks that print what they saw, and a main
 * that counts. Each test is a void function; list them in RUN_TESTS. */
#ifndef CLOTHD_TESTS_CHECK_H
#define CLOTHD_TESTS_CHECK_H

#include <math.h>
#include <stdio.h>
#include <string.h>

static int check_failures;

#define CHECK(condition)                                                                                     \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            printf("%s:%d: not true: %s\n", __FILE__, __LINE__, #condition);                                 \
            ++check_failures;                                                                                \
        }                                                                                                    \
    } while (0)

#define CHECK_INT(got, want)                                                                                 \
    do {                                                                                                     \
        long long check_got = (long long)(got), check_want = (long long)(want);                              \
        if (check_got != check_want) {                                                                       \
            printf("%s:%d: %s is %lld, not %lld\n", __FILE__, __LINE__, #got, check_got, check_want);        \
            ++check_failures;                                                                                \
        }                                                                                                    \
    } while (0)

/* |got − want| ≤ tolerance; a NaN fails. */
#define CHECK_NEAR(got, want, tolerance)                                                                     \
    do {                                                                                                     \
        double check_got = (double)(got), check_want = (double)(want);                                       \
        if (!(fabs(check_got - check_want) <= (double)(tolerance))) {                                        \
            printf("%s:%d: %s is %.9g, not %.9g +- %.3g\n", __FILE__, __LINE__, #got, check_got, check_want, \
                   (double)(tolerance));                                                                     \
            ++check_failures;                                                                                \
        }                                                                                                    \
    } while (0)

#define CHECK_STRING(got, want)                                                                              \
    do {                                                                                                     \
        const char *check_got = (got), *check_want = (want);                                                 \
        if (check_got == NULL || strcmp(check_got, check_want) != 0) {                                       \
            printf("%s:%d: %s is \"%s\", not \"%s\"\n", __FILE__, __LINE__, #got,                            \
                   check_got ? check_got : "(null)", check_want);                                            \
            ++check_failures;                                                                                \
        }                                                                                                    \
    } while (0)

struct check_test {
    const char *name;
    void (*run)(void);
};

#define TEST(function)                                                                                       \
    { #function, function }

/* The body of main: runs each test, prints its result, returns the exit status.
 * An argument runs only the tests whose name contains it. */
#define RUN_TESTS(...)                                                                                       \
    int main(int argc, char **argv) {                                                                        \
        const struct check_test tests[] = {__VA_ARGS__};                                                     \
        int failed = 0, ran = 0;                                                                             \
        for (size_t i = 0; i < sizeof tests / sizeof tests[0]; ++i) {                                        \
            if (argc > 1 && strstr(tests[i].name, argv[1]) == NULL) continue;                                \
            int before = check_failures;                                                                     \
            tests[i].run();                                                                                  \
            ++ran;                                                                                           \
            if (check_failures != before) ++failed;                                                          \
            printf("%s %s\n", check_failures == before ? "ok  " : "FAIL", tests[i].name);                    \
        }                                                                                                    \
        printf("%d passed, %d failed\n", ran - failed, failed);                                              \
        return failed != 0 || ran == 0;                                                                      \
    }

#endif
