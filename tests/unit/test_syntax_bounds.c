/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_syntax_bounds.c - tests that long, deep and hostile lines cost time and
 * memory in proportion to their length. */
#include "unit.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "syntax_show.h"

/* Each row is repeated up to SYNTAX_LINE_MAX bytes. */
static const char *const units[] = {
    "(",
    "$(",
    "`",
    "\\`",
    "\\\\`",
    "\"",
    "'",
    "$'",
    "$\"",
    "${",
    "${x:-",
    "$((",
    "((",
    "$[",
    "<(",
    "a=(",
    "a=([",
    "a[",
    "a[$(",
    "@(",
    "{a,",
    "{",
    "}",
    "{a,b}",
    "[",
    "[a]",
    "*",
    "~",
    "!",
    "! ",
    "time ",
    "$",
    "$x",
    "\\",
    "\\\n",
    "$\\\n",
    "a\\\n",
    "a ",
    "a\n",
    "#\n",
    "a;",
    "a | ",
    "a && ",
    "a>b ",
    "a=b ",
    "<<<",
    "<<a ",
    "<<a\na\n",
    "a<<b\n",
    "<<-\\\n",
    "<<'\n",
    "<<E $(",
    "$(<<E\n",
    "<<E\n$(",
    "\"$(",
    "\"$(<<E\n",
    "\"${x:-'",
    "\"$((",
    "((\"",
    "((#'\n",
    "((a);(",
    "$((a);",
    "$(a)",
    "`a`",
    "[[ ",
    "[[ (",
    "[[ a =~ (",
    "[[ a && ",
    "if ",
    "if a; then ",
    "while ",
    "{ ",
    "f() ",
    "function f ",
    "coproc ",
    "for x in ",
    "for ((",
    "case x in ",
    "case x in a) ",
    "case x in (",
    "select x in ",
    "declare a=(",
    "a=(#\n",
    "$(case x in a) ",
    "`((1))`",
    "`$((1))` ",
    "<<E\n$((1))\nE\n",
    "a;((1));",
};

static char *
repeat(const char *unit, size_t n)
{
    size_t len = strlen(unit);
    char *line = malloc(n);

    assert_non_null(line);
    for (size_t i = 0; i < n; i++)
        line[i] = unit[i % len];
    return line;
}

static double
cpu_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* The best of three: other processes use the machine, too. */
static double
cost_ms(const char *line, size_t n)
{
    double best = 1e9, from, took;

    for (int i = 0; i < 3; i++) {
        CLEANUP(syntax_done) struct syntax s = {0};
        struct err e;

        from = cpu_ms();
        assert_int_equal(syntax_read(line, n, &s, &e), 0);
        took = cpu_ms() - from;
        best = took < best ? took : best;
    }
    return best;
}

/* Four times the bytes: quadratic is 16 times the time. The bound is far from
 * what is usual (1 to 30 ms). The allocator of a sanitizer takes times of its
 * own, seconds now and then. */
static void
time_is_linear(void **state)
{
    (void)state;
    if (getenv("ASAN_OPTIONS"))
        return;
    for (size_t i = 0; i < N_OF(units); i++) {
        char *line = repeat(units[i], SYNTAX_LINE_MAX);
        double quarter = cost_ms(line, SYNTAX_LINE_MAX / 4);
        double all = cost_ms(line, SYNTAX_LINE_MAX);

        free(line);
        if (all > 200 + 10 * quarter)
            fail_msg("\"%s\": %.1f ms, of a quarter %.1f ms", units[i], all,
                     quarter);
    }
}

static void
memory_is_linear(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(units); i++) {
        CLEANUP(syntax_done) struct syntax s = {0};
        char *line = repeat(units[i], SYNTAX_LINE_MAX);
        size_t before = mallinfo2().uordblks + mallinfo2().hblkhd, used;
        struct err e;

        assert_int_equal(syntax_read(line, SYNTAX_LINE_MAX, &s, &e), 0);
        free(line);
        used = mallinfo2().uordblks + mallinfo2().hblkhd - before;
        if (used > SYNTAX_LINE_MAX * (size_t)256 && used < (size_t)-1 / 2)
            fail_msg("\"%s\": %zu bytes", units[i], used);
    }
}

static void
trees_hold_together(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(units); i++) {
        CLEANUP(syntax_done) struct syntax s = {0};
        char *line = repeat(units[i], 4000);
        struct err e;

        assert_int_equal(syntax_read(line, 4000, &s, &e), 0);
        free(line);
        if (syntax_wrong(&s, 4000))
            fail_msg("\"%s\": %s", units[i], syntax_wrong(&s, 4000));
    }
}

static void
a_line_that_is_too_long_is_refused(void **state)
{
    char *line = repeat("a ", SYNTAX_LINE_MAX + 1);
    struct syntax s = {0};
    struct err e;

    (void)state;
    assert_int_equal(syntax_read(line, SYNTAX_LINE_MAX + 1, &s, &e), -1);
    assert_int_equal(e.code, ERR_INVALID);
    assert_null(s.memory);
    free(line);
}

/* n nested subshells, with a blank between their parentheses. */
static size_t
nest(char *line, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        memcpy(line + 2 * i, "( ", 2);
        memcpy(line + 2 * n + 1 + 2 * i, " )", 2);
    }
    line[2 * n] = 'a';
    return 4 * n + 1;
}

static void
depth_has_a_bound(void **state)
{
    char line[4 * SYNTAX_DEPTH_MAX + 1];
    size_t most = SYNTAX_DEPTH_MAX - 1; /* the whole counts too */
    struct err e;

    (void)state;
    for (size_t n = most; n <= most + 1; n++) {
        CLEANUP(syntax_done) struct syntax s = {0};

        assert_int_equal(syntax_read(line, nest(line, n), &s, &e), 0);
        if (n == most)
            assert_null(s.fault);
        else
            assert_string_equal(s.fault, "nested too deeply");
    }
}

static void
a_nul_byte_is_a_fault(void **state)
{
    static const char line[] = "a; b\0c";
    CLEANUP(syntax_done) struct syntax s = {0};
    CLEANUP_BUF struct buf b = buf_of(1024);
    struct err e;

    (void)state;
    assert_int_equal(syntax_read(line, sizeof(line) - 1, &s, &e), 0);
    syntax_show(&b, &s);
    assert_string_equal(b.p, "(list [a] ; [b]) !a NUL byte");
    assert_int_equal(s.fault_at, 4);
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        {"the time grows with the line", time_is_linear, NULL, NULL, NULL},
        {"the memory grows with the line", memory_is_linear, NULL, NULL, NULL},
        {"hostile trees hold together", trees_hold_together, NULL, NULL, NULL},
        {"a line that is too long is refused",
         a_line_that_is_too_long_is_refused, NULL, NULL, NULL},
        {"the depth has a bound", depth_has_a_bound, NULL, NULL, NULL},
        {"a NUL byte is a fault", a_nul_byte_is_a_fault, NULL, NULL, NULL},
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
