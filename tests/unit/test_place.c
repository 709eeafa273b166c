/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_place.c - where a path leads, and whether it may lead there. */
#include "unit.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "plugins/lib/place.h"

#define SIZE 8192 /* of a request line, of a path with its top */

/* Below a directory of our own, `top`: what is made for the tests, directories
 * first. The working directory, and the root, is top/in. */
static const char *const dirs[] = {"in", "in/dir", "in/dir/deep", "inside"};
static const char *const files[] = {"out", "in/file", "in/dir/deep/file"};
static const struct {
    const char *name, *target;
} links[] = {
    {"in/to-dir", "dir"},        {"in/to-file", "dir/deep/file"},
    {"in/chain", "to-dir/deep"}, {"in/up", ".."},
    {"in/out", "../out"},        {"in/dangling", "dir/none"},
    {"in/far", "none/none"},     {"in/out-new", "../none"},
    {"in/loop", "loop"},         {"in/two", "dangling"},
    {"in/dir/back", "../../in"}, {"in/slash", "dir/none/"},
};

static int
build(void **state)
{
    char top[] = "/tmp/agentsh-test-XXXXXX";
    char real[PATH_MAX];

    if (!mkdtemp(top) || chdir(top) < 0 || !realpath(top, real))
        return -1;
    for (size_t i = 0; i < N_OF(dirs); i++)
        assert_int_equal(mkdir(dirs[i], 0700), 0);
    for (size_t i = 0; i < N_OF(files); i++)
        assert_int_equal(
            close(open(files[i], O_CREAT | O_WRONLY | O_CLOEXEC, 0600)), 0);
    for (size_t i = 0; i < N_OF(links); i++)
        assert_int_equal(symlink(links[i].target, links[i].name), 0);
    *state = strdup(real);
    return chdir("in");
}

static int
take_down(void **state)
{
    CLEANUP(free_p) char *top = *state;

    if (chdir(top) < 0)
        return -1;
    for (size_t i = N_OF(links); i-- > 0;)
        (void)unlink(links[i].name);
    for (size_t i = N_OF(files); i-- > 0;)
        (void)unlink(files[i]);
    for (size_t i = N_OF(dirs); i-- > 0;)
        (void)rmdir(dirs[i]);
    return rmdir(top);
}

/* A request whose roots are top/in; NULL: without any. */
static void
ask(struct request *r, const char *root)
{
    char line[SIZE];
    int n = root ? snprintf(line, sizeof(line),
                            "{\"tool\":\"t\",\"action\":\"a\",\"roots\":{"
                            "\"read\":[\"/none\",\"%s\"],"
                            "\"write\":[\"/none\",\"%s\"]}}",
                            root, root)
                 : snprintf(line, sizeof(line),
                            "{\"tool\":\"t\",\"action\":\"a\"}");

    assert_int_equal(request_parse(line, (size_t)n, r, NULL), 0);
}

/* The path, what it leads to below top (NULL: nowhere), which part is left for
 * the descriptor, or the error. */
static const struct row {
    const char *path, *real, *name;
    enum place_last last;
    enum err_code code;
} rows[] = {
    {"file", "in/file", "file", PLACE_TARGET, ERR_NONE},
    {"./dir/../file", "in/file", "file", PLACE_TARGET, ERR_NONE},
    {"dir//deep///file", "in/dir/deep/file", "file", PLACE_TARGET, ERR_NONE},
    {"dir/", "in/dir", "dir", PLACE_TARGET, ERR_NONE},
    {"dir/.", "in/dir", "dir", PLACE_TARGET, ERR_NONE},
    {".", "in", ".", PLACE_TARGET, ERR_NONE},
    {"dir/..", "in", ".", PLACE_TARGET, ERR_NONE},
    {"../in/file", "in/file", "file", PLACE_TARGET, ERR_NONE},
    {"up/in/file", "in/file", "file", PLACE_TARGET, ERR_NONE},
    {"to-file", "in/dir/deep/file", "file", PLACE_TARGET, ERR_NONE},
    {"chain/file", "in/dir/deep/file", "file", PLACE_TARGET, ERR_NONE},
    {"dir/back/file", "in/file", "file", PLACE_TARGET, ERR_NONE},
    {"new", "in/new", "new", PLACE_TARGET, ERR_NONE},
    {"to-dir/new", "in/dir/new", "new", PLACE_TARGET, ERR_NONE},
    {"dangling", "in/dir/none", "none", PLACE_TARGET, ERR_NONE},
    {"two", "in/dir/none", "none", PLACE_TARGET, ERR_NONE},
    {"new/", NULL, NULL, PLACE_TARGET, ERR_NOT_FOUND},
    {"new/.", NULL, NULL, PLACE_TARGET, ERR_NOT_FOUND},
    {"new/..", NULL, NULL, PLACE_TARGET, ERR_NOT_FOUND},
    {"slash", NULL, NULL, PLACE_TARGET, ERR_NOT_FOUND},
    {"none/new", NULL, NULL, PLACE_TARGET, ERR_NOT_FOUND},
    {"far", NULL, NULL, PLACE_TARGET, ERR_NOT_FOUND},
    {"file/", NULL, NULL, PLACE_TARGET, ERR_NOT_FOUND},
    {"file/new", NULL, NULL, PLACE_TARGET, ERR_NOT_FOUND},
    {"loop", NULL, NULL, PLACE_TARGET, ERR_IO},
    {"..", NULL, NULL, PLACE_TARGET, ERR_PERMISSION},
    {"up", NULL, NULL, PLACE_TARGET, ERR_PERMISSION},
    {"/", NULL, NULL, PLACE_TARGET, ERR_PERMISSION},
    {"../out", NULL, NULL, PLACE_TARGET, ERR_PERMISSION},
    {"out", NULL, NULL, PLACE_TARGET, ERR_PERMISSION},
    {"out-new", NULL, NULL, PLACE_TARGET, ERR_PERMISSION},
    {"up/none", NULL, NULL, PLACE_TARGET, ERR_PERMISSION},
    /* in is no beginning of inside */
    {"../inside", NULL, NULL, PLACE_TARGET, ERR_PERMISSION},
    {"../inside/new", NULL, NULL, PLACE_TARGET, ERR_PERMISSION},
    {"out", "in/out", "out", PLACE_ITSELF, ERR_NONE},
    {"loop", "in/loop", "loop", PLACE_ITSELF, ERR_NONE},
    {"dangling", "in/dangling", "dangling", PLACE_ITSELF, ERR_NONE},
    {"to-dir/back", "in/dir/back", "back", PLACE_ITSELF, ERR_NONE},
    {"dir//", "in/dir", "dir", PLACE_ITSELF, ERR_NONE},
    {"to-dir/.", "in/dir", "dir", PLACE_ITSELF, ERR_NONE},
    {"dir/..", "in", ".", PLACE_ITSELF, ERR_NONE},
    {"to-dir/", NULL, NULL, PLACE_ITSELF, ERR_NOT_FOUND},
    {"file/", NULL, NULL, PLACE_ITSELF, ERR_NOT_FOUND},
    {"up/out", NULL, NULL, PLACE_ITSELF, ERR_PERMISSION},
    {"/", NULL, NULL, PLACE_ITSELF, ERR_PERMISSION},
};

static void
check(const struct row *row, const struct place *p, const char *top)
{
    char real[SIZE];
    struct stat dir, wanted;
    const char *slash;

    snprintf(real, sizeof(real), "%s/%s", top, row->real);
    assert_string_equal(p->real, real);
    assert_string_equal(p->name, row->name);
    assert_int_equal(p->root, strcmp(row->name, ".") == 0);
    slash = strrchr(real, '/');
    if (!p->root)
        real[slash - real] = '\0';
    assert_int_equal(fstat(p->dir, &dir), 0);
    assert_int_equal(stat(real, &wanted), 0);
    assert_int_equal(dir.st_ino, wanted.st_ino);
}

static void
try_rows(const char *top, const char *root)
{
    CLEANUP(request_done) struct request r;

    ask(&r, root);
    for (size_t i = 0; i < N_OF(rows); i++) {
        CLEANUP(place_done) struct place p = {.dir = -1};
        struct err e = {0};
        int rc = place_to_write(&r, rows[i].path, rows[i].last, &p, &e);

        if (e.code != rows[i].code)
            fail_msg("%s: %d, %s", rows[i].path, (int)e.code, e.text);
        assert_int_equal(rc, rows[i].real ? 0 : -1);
        if (rc == 0)
            check(&rows[i], &p, top);
        else
            assert_int_equal(p.dir, -1);
    }
}

static void
a_path_leads_below_the_root_or_nowhere(void **state)
{
    char root[SIZE];

    snprintf(root, sizeof(root), "%s/in", (char *)*state);
    try_rows(*state, root);
}

static void
without_roots_the_working_directory_is_written(void **state)
{
    try_rows(*state, NULL);
}

static void
without_roots_everything_is_read(void **state)
{
    CLEANUP(request_done) struct request r;
    CLEANUP(place_done) struct place p = {.dir = -1};
    struct stat st;

    (void)state;
    ask(&r, NULL);
    assert_int_equal(place_to_read(&r, "out", &p, NULL), 0);
    assert_int_equal(place_stat(&p, &st, NULL), 0);
    assert_true(S_ISREG(st.st_mode));
    place_done(&p);
    assert_int_equal(place_to_read(&r, "/", &p, NULL), 0);
    assert_true(p.root);
}

/* What was a file when its place was found is a link when it is opened. */
static void
a_link_that_comes_later_is_not_followed(void **state)
{
    CLEANUP(request_done) struct request r;
    CLEANUP(place_done) struct place p = {.dir = -1};
    struct err e = {0};
    struct stat st;

    (void)state;
    ask(&r, NULL);
    assert_int_equal(place_to_read(&r, "file", &p, NULL), 0);
    assert_int_equal(rename("out", "file"), 0);
    assert_int_equal(place_open_file(&p, &st, &e), -1);
    assert_int_equal(e.code, ERR_IO);
    assert_non_null(strstr(e.text, "symlink"));
    assert_int_equal(place_open_dir(&p, &e), -1);
}

static void
a_long_path_is_shown_by_its_end(void **state)
{
    char path[3 * PLACE_SHOWN_SIZE + 1], text[PLACE_SHOWN_SIZE];

    (void)state;
    for (size_t i = 0; i < sizeof(path) - 1; i += 3)
        memcpy(path + i, "€", 3); /* no character is cut */
    path[sizeof(path) - 1] = '\0';
    assert_string_equal(place_show("short", text), "short");
    place_show(path, text);
    assert_memory_equal(text, "...€", 6);
    assert_int_equal((strlen(text) - 3) % 3, 0);
    path[PLACE_SHOWN_SIZE - 1] = '\0';
    assert_int_equal(strlen(place_show(path, text)), PLACE_SHOWN_SIZE - 1);
    assert_memory_equal(text, "€", 3);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_path_leads_below_the_root_or_nowhere),
        cmocka_unit_test(without_roots_the_working_directory_is_written),
        cmocka_unit_test(without_roots_everything_is_read),
        cmocka_unit_test(a_link_that_comes_later_is_not_followed),
        cmocka_unit_test(a_long_path_is_shown_by_its_end),
    };

    return cmocka_run_group_tests(tests, build, take_down);
}
