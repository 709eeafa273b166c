/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_page_cache.c - cached pages, and damaged ones. */
#include "unit_seat.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "offline/explain/explain.h"

static char cache[] = "/tmp/agentsh-cache-XXXXXX";

static int
set_up(void **state)
{
    const char *src = getenv("top_srcdir");
    char path[4096];

    (void)state;
    snprintf(path, sizeof(path), "%s/tests/data/man", src ? src : ".");
    if (!mkdtemp(cache))
        return -1;
    return setenv("MANPATH", path, 1) | setenv("XDG_CACHE_HOME", cache, 1);
}

/* Calls f with the path of each file of the cache; returns how many. */
static int
each_cached(void (*f)(const char *path))
{
    char dir[256], path[600];
    struct dirent *de;
    int n = 0;
    DIR *d;

    snprintf(dir, sizeof(dir), "%s/agentsh/pages", cache);
    d = opendir(dir);
    while (d && (de = readdir(d))) {
        if (de->d_name[0] == '.')
            continue;
        snprintf(path, sizeof(path), "%s/%s", dir, de->d_name);
        f(path);
        n++;
    }
    if (d)
        closedir(d);
    return n;
}

static void
remove_file(const char *path)
{
    unlink(path);
}

static void
spoil_file(const char *path)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);

    assert_int_equal(pwrite(fd, "XX", 2, 30), 2);
    close(fd);
}

static void
cut_file(const char *path)
{
    assert_int_equal(truncate(path, 100), 0);
}

static int
tear_down(void **state)
{
    char path[256];

    (void)state;
    each_cached(remove_file);
    snprintf(path, sizeof(path), "%s/agentsh/pages", cache);
    rmdir(path);
    snprintf(path, sizeof(path), "%s/agentsh", cache);
    rmdir(path);
    return rmdir(cache);
}

/* How "spin -a w" is explained now. */
static char *
explained(void)
{
    struct explain x;
    struct buf text;
    struct err e;

    buf_init(&text, 4096);
    assert_int_equal(explain_line(unit_seat(), "spin -a w", &x, &e), 0);
    explain_text(&x, 60, &text);
    explain_done(&x);
    return buf_take(&text);
}

static void
a_cache_that_is_damaged_is_made_anew(void **state)
{
    void (*const harms[])(const char *) = {spoil_file, cut_file, remove_file};
    char *want;

    (void)state;
    each_cached(remove_file);
    want = explained();
    assert_string_equal(want, "spin -a w\n"
                              "runs spin (turn wheels)\n"
                              "\n"
                              "spin      turn wheels [spin(1)]\n"
                              "  -a      Turn all wheels.\n"
                              "  w       the argument WHEEL\n");
    for (size_t i = 0; i < N_OF(harms); i++) {
        char *got;

        assert_true(each_cached(harms[i]) >= 1);
        got = explained();
        assert_string_equal(got, want);
        free(got);
    }
    free(want);
}

static void
a_page_that_changed_is_read_again(void **state)
{
    static const char old[] = ".TH A 1\n.SH NAME\na \\- first\n";
    static const char new[] = ".TH A 1\n.SH NAME\na \\- second\n";
    char dir[256], path[300], *manpath = strdup(getenv("MANPATH"));
    struct explain x;
    struct err e;

    (void)state;
    snprintf(dir, sizeof(dir), "%s/man1", cache);
    snprintf(path, sizeof(path), "%s/a.1", dir);
    assert_int_equal(mkdir(dir, 0700), 0);
    setenv("MANPATH", cache, 1);
    for (int i = 0; i < 2; i++) {
        const char *text = i ? new : old;

        assert_int_equal(file_write(path, text, strlen(text), 0600, &e), 0);
        assert_int_equal(explain_line(unit_seat(), "a", &x, &e), 0);
        assert_string_equal(x.parts[0].meaning, i ? "second" : "first");
        explain_done(&x);
    }
    unlink(path);
    rmdir(dir);
    setenv("MANPATH", manpath, 1);
    free(manpath);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cache_that_is_damaged_is_made_anew),
        cmocka_unit_test(a_page_that_changed_is_read_again),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
