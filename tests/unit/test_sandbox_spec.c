/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_sandbox_spec.c - a spec is written as words and read back. */
#include "tests/unit/unit.h"

#include <string.h>

#include "base/cleanup.h"
#include "sandbox/spec.h"

static const char *const program[] = {"/bin/sh", "-c", "echo --net", "", NULL};

/* As the launcher gets it: spec_read changes nothing in it. */
static char **
argv_of(const struct buf *b, size_t n)
{
    const char **argv = spec_argv(b, n, NULL);

    assert_non_null(argv);
    assert_ptr_equal(argv[n - 1] + strlen(argv[n - 1]) + 1, b->p + b->len);
    assert_null(argv[n]);
    return (char **)(uintptr_t)argv;
}

static void
what_is_written_reads_back_the_same(void **state)
{
    struct sandbox_spec s = {
        .profile = PROFILE_PREVIEW,
        .net = true,
        .workspace = "/a b/\xff'\n",
        .home = "/home/u",
        .writable = {"/w", "/v"},
        .readable = {"/r"},
        .cache = {"/c"},
        .programs = {"/p", "/q"},
        .secret = {"/s"},
        .preview = "/state",
        .limit_ms = INT64_MAX,
        .memory_bytes = 1,
        .file_bytes = 2,
        .processes = 3,
        .sees_all = true,
        .keep_terminal = true,
        .leave = true,
        .report = true,
    };
    CLEANUP_BUF struct buf b = buf_of(4096), again = buf_of(4096);
    struct sandbox_spec back;
    CLEANUP(free_p) char **argv = NULL;
    size_t words, more;
    int rest, n;

    (void)state;
    assert_int_equal(spec_write(&s, program, &b, &words, NULL), 0);
    argv = argv_of(&b, words);
    n = (int)words;
    assert_int_equal(spec_read(n, argv, &back, &rest, NULL), 0);
    assert_int_equal(n - rest, 4);
    assert_string_equal(argv[rest + 2], "echo --net");
    assert_string_equal(back.writable[1], "/v");
    assert_null(back.writable[2]);
    assert_int_equal(back.limit_ms, INT64_MAX);
    assert_int_equal(back.processes, 3);
    assert_true(back.sees_all && back.keep_terminal && back.report && back.net);
    assert_true(back.leave);
    assert_int_equal(spec_write(&back, (const char *const *)argv + rest, &again,
                                &more, NULL),
                     0);
    assert_int_equal(again.len, b.len);
    assert_memory_equal(again.p, b.p, b.len);
}

static void
every_profile_has_a_word_of_its_own(void **state)
{
    (void)state;
    for (unsigned p = 0; p < PROFILE_N; p++) {
        struct sandbox_spec s = {.profile = (enum profile)p}, back;
        CLEANUP_BUF struct buf b = buf_of(4096);
        CLEANUP(free_p) char **argv = NULL;
        size_t words;
        int rest;

        assert_int_equal(spec_write(&s, program, &b, &words, NULL), 0);
        argv = argv_of(&b, words);
        assert_int_equal(spec_read((int)words, argv, &back, &rest, NULL), 0);
        assert_int_equal(back.profile, p);
    }
}

static void
words_that_are_wrong_are_refused(void **state)
{
    static const char *const rows[][5] = {
        {"--", "/bin/true"},
        {"--profile=nothing", "--", "/bin/true"},
        {"--profile=read-only", "--"},
        {"--profile=read-only"},
        {"--profile=read-only", "/bin/true"},
        {"--profile", "--", "/bin/true"},
        {"--profile=full", "--net=1", "--", "/bin/true"},
        {"--profile=full", "--workspace", "--", "/bin/true"},
        {"--profile=full", "--workspace=", "--", "/bin/true"},
        {"--profile=full", "--workspace=here", "--", "/bin/true"},
        {"--profile=full", "--limit-ms=", "--", "/bin/true"},
        {"--profile=full", "--limit-ms=-1", "--", "/bin/true"},
        {"--profile=full", "--limit-ms=9223372036854775808", "--", "/bin/true"},
        {"--profile=full", "--processes=4294967296", "--", "/bin/true"},
        {"--profile=full", "--nets", "--", "/bin/true"},
        {"--profile=full", "-x", "--", "/bin/true"},
    };

    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        char *argv[8] = {(char *)(uintptr_t) "agentsh-launch"};
        struct sandbox_spec s = {.limit_ms = 7};
        int n = 1, rest = 99;
        struct err e = {0};

        for (; n <= 5 && rows[i][n - 1]; n++)
            argv[n] = (char *)(uintptr_t)rows[i][n - 1];
        assert_int_equal(spec_read(n, argv, &s, &rest, &e), -1);
        assert_int_equal(e.code, ERR_USAGE);
        assert_true(s.limit_ms == 7 && rest == 99);
    }
}

static void
no_more_paths_are_taken_than_there_is_room_for(void **state)
{
    char *argv[SPEC_SECRETS_MAX + 6] = {
        (char *)(uintptr_t) "agentsh-launch",
        (char *)(uintptr_t) "--profile=read-only",
    };
    struct sandbox_spec s;
    int n = 2, rest;

    (void)state;
    while (n < SPEC_SECRETS_MAX + 3)
        argv[n++] = (char *)(uintptr_t) "--secret=/x";
    argv[n++] = (char *)(uintptr_t) "--";
    argv[n++] = (char *)(uintptr_t) "/bin/true";
    assert_int_equal(spec_read(n, argv, &s, &rest, NULL), -1);
    argv[2] = (char *)(uintptr_t) "--net";
    assert_int_equal(spec_read(n, argv, &s, &rest, NULL), 0);
    assert_non_null(s.secret[SPEC_SECRETS_MAX - 1]);
    assert_null(s.secret[SPEC_SECRETS_MAX]);
}

static void
a_path_that_is_not_absolute_is_not_written(void **state)
{
    struct sandbox_spec s = {.workspace = "here"};
    CLEANUP_BUF struct buf b = buf_of(4096);
    size_t words = 0;
    struct err e = {0};

    (void)state;
    assert_int_equal(spec_write(&s, program, &b, &words, &e), -1);
    assert_int_equal(e.code, ERR_INVALID);
    assert_int_equal(words, 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_reads_back_the_same),
        cmocka_unit_test(every_profile_has_a_word_of_its_own),
        cmocka_unit_test(words_that_are_wrong_are_refused),
        cmocka_unit_test(no_more_paths_are_taken_than_there_is_room_for),
        cmocka_unit_test(a_path_that_is_not_absolute_is_not_written),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
