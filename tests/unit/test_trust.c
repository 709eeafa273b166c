/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_trust.c - a plugin has a hash, and the trusted hashes are stored. */
#include "unit.h"

#include "plugins.h"
#include "tool/trust.h"

static int
setup(void **state)
{
    struct tree *t = calloc(1, sizeof(*t));

    assert_int_equal(tree_make(t), 0);
    assert_int_equal(plugins_put(t, ".", "a", PLUGIN("a")), 0);
    *state = t;
    return 0;
}

static int
teardown(void **state)
{
    struct tree *t = *state;

    tree_drop(t);
    free(t);
    return 0;
}

static void
a_note_that_is_cut_short_says_nothing(void **state)
{
    static const char hash[] =
        "0123456789012345678901234567890123456789012345678901234567890123";
    CLEANUP_BUF struct buf notes = buf_of(1024);

    (void)state;
    buf_printf(&notes, "garbage\n\n%s\n%s /a\n%s /b", hash, hash, hash);
    assert_int_equal(trust_find(&notes, "/a", hash), TOOL_TRUSTED);
    assert_int_equal(trust_find(&notes, "/b", hash), TOOL_NEW);
    assert_int_equal(trust_find(&notes, "", hash), TOOL_NEW);
    assert_int_equal(trust_find(&notes, "/a/b", hash), TOOL_NEW);
}

static void
hash_of(const struct tree *t, char hex[SHA256_HEX_SIZE])
{
    struct err e = {0};
    char path[PATH_MAX];

    if (trust_hash(tree_path(t, "a", path), hex, &e) < 0)
        fail_msg("%s", e.text);
}

static void
the_hash_is_of_names_modes_and_contents(void **state)
{
    const struct tree *t = *state;
    char hex[6][SHA256_HEX_SIZE], path[PATH_MAX], other[PATH_MAX];

    assert_int_equal(tree_dir(t, "a/d"), 0);
    assert_int_equal(tree_text(t, "a/d/x", "1"), 0);
    hash_of(t, hex[0]);
    assert_int_equal(tree_text(t, "a/d/x", "2"), 0);
    hash_of(t, hex[1]);
    assert_int_equal(chmod(tree_path(t, "a/d/x", path), 0700), 0);
    hash_of(t, hex[2]);
    assert_int_equal(rename(path, tree_path(t, "a/d/y", other)), 0);
    hash_of(t, hex[3]);
    assert_int_equal(unlink(other), 0);
    hash_of(t, hex[4]);
    for (int i = 0; i < 5; i++)
        for (int k = 0; k < i; k++)
            assert_string_not_equal(hex[i], hex[k]);
    assert_int_equal(tree_text(t, "a/d/x", "1"), 0);
    hash_of(t, hex[5]);
    assert_string_equal(hex[5], hex[0]);
}

static void
refuses(const struct tree *t, const char *why)
{
    char hex[SHA256_HEX_SIZE], path[PATH_MAX];
    struct err e = {0};

    assert_int_equal(trust_hash(tree_path(t, "a", path), hex, &e), -1);
    if (!strstr(e.text, why) || !strstr(e.text, "/a: "))
        fail_msg("%s", e.text);
}

static void
what_cannot_be_hashed_is_refused(void **state)
{
    const struct tree *t = *state;
    char path[PATH_MAX];

    assert_int_equal(tree_link(t, "run", "a/link"), 0);
    refuses(t, "link is a symbolic link");
    assert_int_equal(unlink(tree_path(t, "a/link", path)), 0);
    assert_int_equal(mkfifo(tree_path(t, "a/pipe", path), 0600), 0);
    refuses(t, "pipe is neither a file nor a directory");
    assert_int_equal(unlink(path), 0);
    assert_int_equal(tree_file(t, "a/big", TRUST_BYTES_MAX), 0);
    refuses(t, "it contains more than 64 MiB");
    assert_int_equal(unlink(tree_path(t, "a/big", path)), 0);
    assert_int_equal(chmod(tree_path(t, "a/run", path), 0702), 0);
    refuses(t, "run is writable by others");
}

static void
a_full_directory_is_refused(void **state)
{
    const struct tree *t = *state;
    char name[40];

    for (int i = 0; i < TRUST_FILES_MAX; i++) {
        snprintf(name, sizeof(name), "a/%d", i);
        assert_int_equal(tree_text(t, name, ""), 0);
    }
    refuses(t, "it contains more than 4096 files");
}

static void
a_deep_directory_is_refused(void **state)
{
    const struct tree *t = *state;
    char name[100] = "a";

    for (int i = 0; i <= TRUST_DEPTH_MAX; i++) {
        size_t n = strlen(name);

        snprintf(name + n, sizeof(name) - n, "/d");
        assert_int_equal(tree_dir(t, name), 0);
    }
    refuses(t, "is nested too deeply");
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        T(a_note_that_is_cut_short_says_nothing),
        T(the_hash_is_of_names_modes_and_contents),
        T(what_cannot_be_hashed_is_refused),
        T(a_full_directory_is_refused),
        T(a_deep_directory_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
