/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmocka.h - so much of cmocka as our unit tests use, for a C library that
 * Debian has no cmocka for. One source includes it, and it prints TAP. */
#ifndef TESTS_PORTS_CMOCKA_H
#define TESTS_PORTS_CMOCKA_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define print_error(...) printf(__VA_ARGS__)

struct CMUnitTest {
    const char *name;
    void (*test_func)(void **state);
    int (*setup_func)(void **state);
    int (*teardown_func)(void **state);
    void *initial_state;
};

#define cmocka_unit_test(f)                                                    \
    {                                                                          \
#f, f, NULL, NULL, NULL                                                \
    }
#define cmocka_unit_test_setup_teardown(f, before, after)                      \
    {                                                                          \
#f, f, before, after, NULL                                             \
    }

static jmp_buf cmocka_failed;

#define cmocka_assert(holds, ...)                                              \
    do {                                                                       \
        if (!(holds)) {                                                        \
            printf("# %s:%d: ", __FILE__, __LINE__);                           \
            printf(__VA_ARGS__);                                               \
            putchar('\n');                                                     \
            longjmp(cmocka_failed, 1);                                         \
        }                                                                      \
    } while (0)
#define fail_msg(...)      cmocka_assert(false, __VA_ARGS__)
#define assert_true(x)     cmocka_assert((x), "%s", "not true: " #x)
#define assert_false(x)    cmocka_assert(!(x), "%s", "not false: " #x)
#define assert_null(p)     cmocka_assert(!(p), "%s", "not null: " #p)
#define assert_non_null(p) cmocka_assert((p), "%s", "null: " #p)
#define assert_ptr_equal(a, b)                                                 \
    cmocka_assert((const void *)(a) == (const void *)(b), "%s",                \
                  #a " is not " #b)

/* As with cmocka, both are of the widest type. */
#define cmocka_compare(a, op, b)                                               \
    do {                                                                       \
        long long left_ = (long long)(a), right_ = (long long)(b);             \
        cmocka_assert(left_ op right_, "%lld " #op " %lld", left_, right_);    \
    } while (0)
#define assert_int_equal(a, b)     cmocka_compare(a, ==, b)
#define assert_int_not_equal(a, b) cmocka_compare(a, !=, b)
#define assert_in_range(a, low, high)                                          \
    do {                                                                       \
        cmocka_compare(a, >=, low);                                            \
        cmocka_compare(a, <=, high);                                           \
    } while (0)

#define cmocka_compare_text(a, op, b)                                          \
    do {                                                                       \
        const char *left_ = (a), *right_ = (b);                                \
        cmocka_assert(left_ &&right_ &&strcmp(left_, right_) op 0,             \
                      "\"%s\" " #op " \"%s\"", left_ ? left_ : "(null)",       \
                      right_ ? right_ : "(null)");                             \
    } while (0)
#define assert_string_equal(a, b)     cmocka_compare_text(a, ==, b)
#define assert_string_not_equal(a, b) cmocka_compare_text(a, !=, b)
#define assert_memory_equal(a, b, n)                                           \
    cmocka_assert(memcmp(a, b, n) == 0, "%s", #a " has other bytes than " #b)

static inline bool
cmocka_run_one(const struct CMUnitTest *t, void *state)
{
    if (t->initial_state)
        state = t->initial_state;
    if (setjmp(cmocka_failed))
        return false;
    if (t->setup_func && t->setup_func(&state) != 0)
        return false;
    t->test_func(&state);
    return !t->teardown_func || t->teardown_func(&state) == 0;
}

static inline int
cmocka_run_group(const struct CMUnitTest *tests, size_t n,
                 int (*setup)(void **), int (*teardown)(void **))
{
    void *state = NULL;
    int failed = 0;

    setvbuf(stdout, NULL, _IOLBF, BUFSIZ); /* before a test forks */
    if (setup && setup(&state) != 0) {
        puts("Bail out! the group's setup failed");
        return 1;
    }
    printf("1..%zu\n", n);
    for (size_t i = 0; i < n; i++) {
        bool good = cmocka_run_one(&tests[i], state);

        failed += !good;
        printf("%sok %zu - %s\n", good ? "" : "not ", i + 1, tests[i].name);
    }
    if (teardown && teardown(&state) != 0)
        failed++;
    return failed;
}
#define cmocka_run_group_tests(tests, setup, teardown)                         \
    cmocka_run_group(tests, sizeof(tests) / sizeof((tests)[0]), setup, teardown)
#define cmocka_run_group_tests_name(name, tests, setup, teardown)              \
    cmocka_run_group_tests(tests, setup, teardown)

#endif
