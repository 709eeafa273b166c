/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_shell_hook.c - prints the hook, and removes files of dead shells only.
 */
#include "tests/unit/unit.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "config.h"

#include "base/cleanup.h"
#include "ui/shell_hook.h"

#define NO_SUCH_PID "999999999" /* beyond every pid_max */

static void
each_shell_has_a_hook_with_the_name_of_ai_in_it(void **state)
{
    static const char *const shells[] = {"bash", "zsh", "fish"};
    const struct shell_hook_params none = {.config = NULL};
    struct buf out;
    struct err e;

    (void)state;
    for (size_t i = 0; i < N_OF(shells); i++) {
        buf_init(&out, 1 << 16);
        assert_int_equal(shell_hook_print(shells[i], &none, &out, &e), 0);
        assert_non_null(strstr(out.p, "__agentsh_load"));
        assert_non_null(strstr(out.p, AI_NAME));
        assert_null(strstr(out.p, "@AI_NAME@"));
        assert_true(strlen(out.p) == out.len);
        buf_done(&out);
    }
}

static void
each_shell_has_a_completion_with_room_for_the_table(void **state)
{
    static const char *const shells[] = {"bash", "zsh", "fish"};
    struct buf out;
    struct err e;

    (void)state;
    for (size_t i = 0; i < N_OF(shells); i++) {
        const char *at;

        buf_init(&out, 1 << 16);
        assert_int_equal(shell_hook_print_completion(shells[i], &out, &e), 0);
        at = strstr(out.p, "'@TABLE@'");
        assert_non_null(at);
        assert_null(strstr(at + 1, "'@TABLE@'"));
        buf_done(&out);
    }
}

static void
another_shell_is_wrong_usage(void **state)
{
    static const char *const shells[] = {"", "tcsh", "bas", "bash ", "sh"};
    const struct shell_hook_params none = {.config = NULL};
    struct buf out;
    struct err e;

    (void)state;
    for (size_t i = 0; i < N_OF(shells); i++) {
        buf_init(&out, 1 << 16);
        assert_int_equal(shell_hook_print(shells[i], &none, &out, &e), -1);
        assert_int_equal(e.code, ERR_USAGE);
        assert_int_equal(out.len, 0);
        buf_done(&out);
    }
}

/* A runtime directory with our folder in it, which the caller removes. */
struct room {
    char root[32];
    char folder[64];
};

static void
room_make(struct room *r, mode_t mode)
{
    snprintf(r->root, sizeof(r->root), "/tmp/agentsh-test-XXXXXX");
    assert_non_null(mkdtemp(r->root));
    snprintf(r->folder, sizeof(r->folder), "%s/agentsh", r->root);
    assert_int_equal(mkdir(r->folder, 0700), 0);
    assert_int_equal(chmod(r->folder, mode), 0);
    assert_int_equal(setenv("XDG_RUNTIME_DIR", r->root, 1), 0);
}

static void
room_path(const struct room *r, const char *name, char *out, size_t n)
{
    snprintf(out, n, "%s/%s", r->folder, name);
}

static void
room_put(const struct room *r, const char *name)
{
    char path[160];
    int fd;

    room_path(r, name, path, sizeof(path));
    fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    assert_true(fd >= 0);
    close(fd);
}

/* Whether the file is still there; it is not afterwards. */
static bool
room_had(const struct room *r, const char *name)
{
    char path[160];

    room_path(r, name, path, sizeof(path));
    return unlink(path) == 0;
}

static void
room_remove(const struct room *r)
{
    assert_int_equal(rmdir(r->folder), 0);
    assert_int_equal(rmdir(r->root), 0);
    unsetenv("XDG_RUNTIME_DIR");
}

static void
files_of_dead_shells_go_and_all_others_stay(void **state)
{
    static const char *const go[] = {
        "last-" NO_SUCH_PID "-77",   "line-" NO_SUCH_PID "-77",
        "stderr-" NO_SUCH_PID "-77", "insert-" NO_SUCH_PID "-77",
        "change-" NO_SUCH_PID "-77", "rerun-" NO_SUCH_PID "-77",
        "talk-" NO_SUCH_PID "-77",
    };
    static const char *const stay[] = {
        "last-" NO_SUCH_PID,
        "last--" NO_SUCH_PID "-1",
        "last-0-1",
        "last-99999999999999999999-1",
        "last-x-1",
        "last- " NO_SUCH_PID "-1",
        "mine-" NO_SUCH_PID "-1",
        "notes",
    };
    struct room r;
    char mine[64];

    (void)state;
    room_make(&r, 0700);
    snprintf(mine, sizeof(mine), "last-%d-5", (int)getpid());
    room_put(&r, mine);
    for (size_t i = 0; i < N_OF(go); i++)
        room_put(&r, go[i]);
    for (size_t i = 0; i < N_OF(stay); i++)
        room_put(&r, stay[i]);
    shell_hook_sweep();
    for (size_t i = 0; i < N_OF(go); i++)
        assert_false(room_had(&r, go[i]));
    for (size_t i = 0; i < N_OF(stay); i++)
        assert_true(room_had(&r, stay[i]));
    assert_true(room_had(&r, mine));
    room_remove(&r);
}

static void
a_directory_that_others_may_enter_is_left_alone(void **state)
{
    static const char dead[] = "last-" NO_SUCH_PID "-77";
    struct room r;

    (void)state;
    room_make(&r, 0755);
    room_put(&r, dead);
    shell_hook_sweep();
    assert_true(room_had(&r, dead));
    room_remove(&r);
}

static void
without_a_directory_there_is_nothing_to_sweep(void **state)
{
    (void)state;
    setenv("XDG_RUNTIME_DIR", "/nonexistent", 1);
    shell_hook_sweep();
    unsetenv("XDG_RUNTIME_DIR");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_shell_has_a_hook_with_the_name_of_ai_in_it),
        cmocka_unit_test(each_shell_has_a_completion_with_room_for_the_table),
        cmocka_unit_test(another_shell_is_wrong_usage),
        cmocka_unit_test(files_of_dead_shells_go_and_all_others_stay),
        cmocka_unit_test(a_directory_that_others_may_enter_is_left_alone),
        cmocka_unit_test(without_a_directory_there_is_nothing_to_sweep),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
