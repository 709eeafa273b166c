/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_seat.c - the place that a session works from. */
#include "unit_seat.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "tree.h"

static const char *const variables[] = {"HOME=/home/me",
                                        "PATH=:bin:/usr/bin",
                                        "XDG_CONFIG_HOME=/c",
                                        "XDG_STATE_HOME=relative",
                                        "EMPTY=",
                                        NULL};

static int
make_tree(void **state)
{
    struct tree *t = calloc(1, sizeof(*t));
    char path[PATH_MAX];

    if (tree_make(t) < 0)
        return -1;
    tree_path(t, "real/bin", path);
    assert_int_equal(path_make_dirs(path, 0700, NULL), 0);
    tree_path(t, "real/bin/tool", path);
    assert_int_equal(file_write(path, "", 0, 0755, NULL), 0);
    tree_path(t, "real/here", path);
    assert_int_equal(file_write(path, "", 0, 0755, NULL), 0);
    tree_path(t, "link", path);
    assert_int_equal(symlink("real", path), 0);
    *state = t;
    return 0;
}

static int
drop_tree(void **state)
{
    tree_drop(*state);
    free(*state);
    return 0;
}

static struct seat *
make_seat(const struct tree *t, const char *dir)
{
    char path[PATH_MAX];
    const struct seat_params p = {.dir = tree_path(t, dir, path),
                                  .variables = variables};
    struct err e = {0};
    struct seat *s = seat_new(&p, &e);

    if (!s)
        fail_msg("%s", e.text);
    return s;
}

static void
its_directory_is_the_real_one_and_is_open(void **state)
{
    CLEANUP(seat_free_p) struct seat *s = make_seat(*state, "link");
    char path[PATH_MAX];

    assert_string_equal(seat_dir(s), tree_path(*state, "real", path));
    assert_int_equal(faccessat(seat_fd(s), "bin/tool", F_OK, 0), 0);
    assert_null(seat_roots(s)[0]);
}

static void
home_and_path_are_those_of_its_variables(void **state)
{
    CLEANUP(seat_free_p) struct seat *s = make_seat(*state, "real");

    assert_string_equal(seat_home(s), "/home/me");
    assert_string_equal(seat_path(s), ":bin:/usr/bin");
    assert_string_equal(seat_variable(s, "EMPTY"), "");
    assert_null(seat_variable(s, "EMPT"));
    assert_null(seat_variable(s, "HOM"));
    assert_string_equal(seat_variables(s)[4], "EMPTY=");
    assert_null(seat_variables(s)[5]);
}

static void
a_home_that_is_not_absolute_is_that_of_the_user(void **state)
{
    static const char *const relative[] = {"HOME=here", NULL};
    const struct seat_params p = {.dir = "/", .variables = relative};
    CLEANUP(seat_free_p) struct seat *s = seat_new(&p, NULL);
    CLEANUP(free_p) char *home = path_passwd_home();

    (void)state;
    assert_non_null(s);
    if (home)
        assert_string_equal(seat_home(s), home);
    else
        assert_null(seat_home(s));
    assert_null(seat_path(s));
}

static void
programs_are_found_below_its_directory(void **state)
{
    CLEANUP(seat_free_p) struct seat *s = make_seat(*state, "real");
    static const char *const names[][2] = {
        {"here", "real/here"},
        {"tool", "real/bin/tool"},
        {"./here", "real/./here"},
        {"bin/tool", "real/bin/tool"},
        {"bin", NULL}, /* a directory */
        {"none", NULL},
    };
    char want[PATH_MAX];

    for (size_t i = 0; i < N_OF(names); i++) {
        CLEANUP(free_p) char *found = seat_find_program(s, names[i][0]);

        if (!names[i][1]) {
            assert_null(found);
            continue;
        }
        assert_non_null(found);
        assert_string_equal(found, tree_path(*state, names[i][1], want));
    }
}

static void
paths_are_read_as_in_its_directory_and_home(void **state)
{
    CLEANUP(seat_free_p) struct seat *s = make_seat(*state, "real");
    CLEANUP(free_p) char *below = seat_resolve(s, "a/b");
    CLEANUP(free_p) char *absolute = seat_resolve(s, "/a");
    CLEANUP(free_p) char *home = seat_expand_home(s, "~/x");
    CLEANUP(free_p) char *other = seat_expand_home(s, "~root/x");
    struct stat st;
    char want[PATH_MAX];

    assert_string_equal(below, tree_path(*state, "real/a/b", want));
    assert_string_equal(absolute, "/a");
    assert_string_equal(home, "/home/me/x");
    assert_string_equal(other, "~root/x");
    assert_true(seat_has(s, "bin/tool"));
    assert_true(seat_has(s, "/usr"));
    assert_false(seat_has(s, "tool"));
    assert_false(seat_has(NULL, "/usr"));
    assert_int_equal(seat_stat(s, "../link", AT_SYMLINK_NOFOLLOW, &st), 0);
    assert_true(S_ISLNK(st.st_mode));
}

static void
our_directories_are_where_its_variables_say(void **state)
{
    CLEANUP(seat_free_p) struct seat *s = make_seat(*state, "real");
    CLEANUP(free_p) char *config = seat_place(s, PATH_CONFIG, "policy", NULL);
    CLEANUP(free_p) char *st = seat_place(s, PATH_STATE, NULL, NULL);
    CLEANUP(free_p) char *cache = seat_place(s, PATH_CACHE, NULL, NULL);
    struct err e = {0};

    assert_string_equal(config, "/c/agentsh/policy");
    assert_string_equal(st, "/home/me/.local/state/agentsh");
    assert_string_equal(cache, "/home/me/.cache/agentsh");
    assert_int_equal(seat_make_dirs(s, "/home/me/x", 0700, &e), -1);
    assert_int_equal(e.code, ERR_CONFIG); /* a home is never made */
}

static void
what_a_peer_says_wrongly_is_an_error(void **state)
{
    static const char *const unnamed[] = {"=a", NULL};
    static const char *const bare[] = {"A", NULL};
    static const char *const twice[] = {"A=1", "AB=2", "A=3", NULL};
    static const char *const no_roots[] = {"/nowhere", NULL};
    const struct {
        struct seat_params p;
        enum err_code code;
    } rows[] = {
        {{.dir = "usr"}, ERR_INVALID},
        {{.dir = "/nowhere"}, ERR_NOT_FOUND},
        {{.dir = "/dev/null"}, ERR_NOT_FOUND},
        {{.dir = "/", .roots = no_roots}, ERR_NOT_FOUND},
        {{.dir = "/", .variables = unnamed}, ERR_INVALID},
        {{.dir = "/", .variables = bare}, ERR_INVALID},
        {{.dir = "/", .variables = twice}, ERR_INVALID},
    };

    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        struct err e = {0};

        assert_null(seat_new(&rows[i].p, &e));
        if (e.code != rows[i].code)
            fail_msg("row %zu: %s", i, e.text);
    }
}

static void
more_than_it_takes_is_an_error(void **state)
{
    const char *roots[SEAT_ROOTS_MAX + 2] = {0};
    struct seat_params p = {.dir = "/", .roots = roots};
    CLEANUP(seat_free_p) struct seat *s = NULL;
    CLEANUP(free_p) char *large = malloc(SEAT_VARIABLES_BYTES_MAX + 1);
    const char *const one[] = {large, NULL};

    (void)state;
    for (size_t i = 0; i < SEAT_ROOTS_MAX; i++)
        roots[i] = "/usr";
    s = seat_new(&p, NULL);
    assert_non_null(s);
    assert_string_equal(seat_roots(s)[SEAT_ROOTS_MAX - 1], "/usr");
    assert_null(seat_roots(s)[SEAT_ROOTS_MAX]);
    roots[SEAT_ROOTS_MAX] = "/usr";
    assert_null(seat_new(&p, NULL));
    memset(large, 'a', SEAT_VARIABLES_BYTES_MAX);
    large[1] = '=';
    large[SEAT_VARIABLES_BYTES_MAX] = '\0';
    p = (struct seat_params){.dir = "/", .variables = one};
    assert_null(seat_new(&p, NULL));
}

static void
a_seat_is_moved_with_its_variables(void **state)
{
    CLEANUP(seat_free_p) struct seat *s = make_seat(*state, "real");
    CLEANUP(seat_free_p) struct seat *same = seat_move(s, "/", NULL, NULL);
    CLEANUP(seat_free_p) struct seat *moved = NULL, *more = NULL;
    struct err e = {0};

    assert_string_equal(seat_dir(same), "/");
    assert_string_equal(seat_variables(same)[0], variables[0]);
    assert_null(seat_variables(same)[5]);
    moved = seat_move(s, "/usr", "HOME=/h", NULL);
    assert_string_equal(seat_dir(moved), "/usr");
    assert_string_equal(seat_home(moved), "/h");
    assert_null(seat_variables(moved)[5]);
    more = seat_move(s, "/usr", "MORE=1", NULL);
    assert_string_equal(seat_variable(more, "MORE"), "1");
    assert_string_equal(seat_variables(more)[5], "MORE=1");
    assert_null(seat_move(s, "/nowhere", NULL, &e));
    assert_int_equal(e.code, ERR_NOT_FOUND);
}

static void
the_process_changes_without_its_seat(void **state)
{
    CLEANUP(seat_free_p) struct seat *before = NULL, *after = NULL;
    CLEANUP(free_p) char *old = getcwd(NULL, 0);
    char path[PATH_MAX];

    setenv("SEAT_TEST", "1", 1);
    before = seat_of_process(NULL);
    assert_int_equal(chdir(tree_path(*state, "link", path)), 0);
    setenv("SEAT_TEST", "2", 1);
    after = seat_of_process(NULL);
    assert_string_equal(seat_dir(before), old);
    assert_string_equal(seat_variable(before, "SEAT_TEST"), "1");
    assert_string_equal(seat_dir(after), tree_path(*state, "real", path));
    assert_string_equal(seat_variable(after, "SEAT_TEST"), "2");
    unsetenv("SEAT_TEST");
    assert_int_equal(chdir(old), 0);
}

static void
a_process_in_a_deleted_directory_has_a_seat_without_a_name(void **state)
{
    CLEANUP(seat_free_p) struct seat *s = NULL;
    CLEANUP(free_p) char *old = getcwd(NULL, 0), *found = NULL;
    char path[PATH_MAX];
    struct err e = {0};

    tree_path(*state, "gone", path);
    assert_int_equal(mkdir(path, 0700), 0);
    assert_int_equal(chdir(path), 0);
    assert_int_equal(rmdir(path), 0);
    s = seat_of_process(NULL);
    assert_int_equal(chdir(old), 0);
    assert_null(seat_dir(s));
    assert_null(seat_need_dir(s, &e));
    assert_int_equal(e.code, ERR_NOT_FOUND);
    assert_null(seat_resolve(s, "a"));
    found = seat_find_program(s, "sh");
    assert_non_null(found);
    seat_free(NULL);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(its_directory_is_the_real_one_and_is_open),
        cmocka_unit_test(home_and_path_are_those_of_its_variables),
        cmocka_unit_test(a_home_that_is_not_absolute_is_that_of_the_user),
        cmocka_unit_test(programs_are_found_below_its_directory),
        cmocka_unit_test(paths_are_read_as_in_its_directory_and_home),
        cmocka_unit_test(our_directories_are_where_its_variables_say),
        cmocka_unit_test(what_a_peer_says_wrongly_is_an_error),
        cmocka_unit_test(more_than_it_takes_is_an_error),
        cmocka_unit_test(a_seat_is_moved_with_its_variables),
        cmocka_unit_test(the_process_changes_without_its_seat),
        cmocka_unit_test(
            a_process_in_a_deleted_directory_has_a_seat_without_a_name),
    };

    return cmocka_run_group_tests(tests, make_tree, drop_tree);
}
