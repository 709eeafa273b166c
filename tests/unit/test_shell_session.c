/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_shell_session.c - a shell has a conversation, and loses it. */
#include "tests/unit/unit.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#include "base/file.h"
#include "record/shell_file.h"
#include "record/shell_session.h"
#include "tests/unit/record.h"

#define HOUR  3600
#define RACES 8

/* A runtime directory of its own, and a shell. */
struct shell {
    struct place place;
    char run[256], file[320];
    struct seat *seat;
};

static void
shell_enter(struct shell *t, const char *name)
{
    place_enter(&t->place);
    snprintf(t->run, sizeof(t->run), "%s/run", t->place.state);
    assert_int_equal(mkdir(t->run, 0700), 0);
    setenv("XDG_RUNTIME_DIR", t->run, 1);
    setenv("AGENTSH_SESSION", name, 1);
    snprintf(t->file, sizeof(t->file), "%s/agentsh/talk-%s", t->run, name);
    t->seat = seat_of_process(NULL);
    assert_non_null(t->seat);
}

static void
shell_leave(struct shell *t)
{
    char line[600];

    seat_free(t->seat);
    unsetenv("XDG_RUNTIME_DIR");
    unsetenv("AGENTSH_SESSION");
    (void)unlink(t->file);
    snprintf(line, sizeof(line), "%s/agentsh", t->run);
    (void)rmdir(line);
    (void)rmdir(t->run);
    place_leave(&t->place);
}

static void
age(const struct shell *t, int64_t seconds)
{
    const struct timespec then = {.tv_sec = time(NULL) - seconds};
    const struct timespec times[2] = {then, then};

    assert_int_equal(utimensat(AT_FDCWD, t->file, times, 0), 0);
}

static void
claim(const struct shell *t, bool anew, char id[SESSION_ID_SIZE])
{
    struct err e = {0};

    if (shell_session_claim(t->seat, HOUR, anew, id, &e) < 0)
        fail_msg("%s", e.text);
}

static void
a_shell_keeps_its_conversation(void **state)
{
    char a[SESSION_ID_SIZE], b[SESSION_ID_SIZE];
    struct shell t;
    struct stat st;

    (void)state;
    shell_enter(&t, "12-34");
    assert_false(shell_session_find(t.seat, HOUR, a));
    assert_int_equal(access(t.file, F_OK), -1);
    claim(&t, false, a);
    claim(&t, false, b);
    assert_string_equal(a, b);
    assert_true(shell_session_find(t.seat, HOUR, b));
    assert_string_equal(a, b);
    assert_int_equal(stat(t.file, &st), 0);
    assert_int_equal(st.st_mode & 07777, 0600);
    assert_int_equal(st.st_nlink, 1);
    claim(&t, true, b);
    assert_string_not_equal(a, b);
    shell_leave(&t);
}

static void
it_is_over_when_it_was_not_used(void **state)
{
    char a[SESSION_ID_SIZE], b[SESSION_ID_SIZE];
    struct shell t;

    (void)state;
    shell_enter(&t, "12-34");
    claim(&t, false, a);
    age(&t, HOUR - 10);
    claim(&t, false, b);
    assert_string_equal(a, b);
    shell_session_touch(t.seat, "other");
    age(&t, HOUR + 10);
    assert_false(shell_session_find(t.seat, HOUR, b));
    shell_session_touch(t.seat, a);
    assert_true(shell_session_find(t.seat, HOUR, b));
    age(&t, HOUR + 10);
    claim(&t, false, b);
    assert_string_not_equal(a, b);
    shell_leave(&t);
}

static void
files_that_are_no_id_are_replaced(void **state)
{
    static const char *const texts[] = {"",
                                        "0123",
                                        "0123456789abcdef0123456789abcdef0",
                                        "0123456789ABCDEF0123456789ABCDEF",
                                        "../../../../../../etc/passwd",
                                        "0123456789abcdef0123456789abcde\n"};
    char id[SESSION_ID_SIZE];
    struct shell t;

    (void)state;
    shell_enter(&t, "12-34");
    claim(&t, false, id);
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        assert_int_equal(
            file_write(t.file, texts[i], strlen(texts[i]), 0600, NULL), 0);
        assert_false(shell_session_find(t.seat, HOUR, id));
        claim(&t, false, id);
        assert_true(shell_session_find(t.seat, HOUR, id));
    }
    assert_int_equal(chmod(t.file, 0666), 0); /* others may write it */
    assert_false(shell_session_find(t.seat, HOUR, id));
    assert_int_equal(unlink(t.file), 0);
    assert_int_equal(mkfifo(t.file, 0600), 0); /* nobody waits for it */
    assert_false(shell_session_find(t.seat, HOUR, id));
    claim(&t, false, id);
    assert_true(shell_session_find(t.seat, HOUR, id));
    shell_leave(&t);
}

static void
names_that_are_no_names(void **state)
{
    static const char *const names[] = {"", "a/b", "..\n", "a b", "\xc3\xa4"};
    char id[SESSION_ID_SIZE];

    (void)state;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        struct err e = {0};
        struct shell t;

        shell_enter(&t, names[i]);
        assert_int_equal(shell_session_claim(t.seat, HOUR, false, id, &e), -1);
        assert_int_equal(e.code, ERR_NOT_FOUND);
        shell_leave(&t);
    }
    assert_false(shell_file_is_name(NULL));
}

/* Processes that begin at once get one id. */
static void
two_lines_at_once_share_one(void **state)
{
    char ids[RACES][SESSION_ID_SIZE];
    int pipes[RACES][2];
    struct shell t;

    (void)state;
    shell_enter(&t, "12-34");
    for (int i = 0; i < RACES; i++) {
        assert_int_equal(pipe(pipes[i]), 0);
        if (fork() == 0) {
            char id[SESSION_ID_SIZE] = "";

            (void)shell_session_claim(t.seat, HOUR, false, id, NULL);
            _exit(write(pipes[i][1], id, sizeof(id)) != sizeof(id));
        }
    }
    for (int i = 0; i < RACES; i++) {
        assert_int_equal(read(pipes[i][0], ids[i], SESSION_ID_SIZE),
                         SESSION_ID_SIZE);
        close(pipes[i][0]);
        close(pipes[i][1]);
        assert_true(wait(NULL) > 0);
        assert_string_equal(ids[i], ids[0]);
    }
    assert_int_equal(strlen(ids[0]), SESSION_ID_SIZE - 1);
    shell_leave(&t);
}

static void
a_conversation_is_taken_from_the_shells_that_have_it(void **state)
{
    char a[SESSION_ID_SIZE], b[SESSION_ID_SIZE];
    struct shell t;

    (void)state;
    shell_enter(&t, "12-34");
    claim(&t, false, a);
    shell_session_forget(t.seat, "0123456789abcdef0123456789abcdef");
    assert_true(shell_session_find(t.seat, HOUR, b));
    shell_session_forget(t.seat, a);
    assert_false(shell_session_find(t.seat, HOUR, b));
    assert_int_equal(shell_session_set(t.seat, a, NULL), 0);
    claim(&t, false, b);
    assert_string_equal(a, b);
    shell_leave(&t);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_shell_keeps_its_conversation),
        cmocka_unit_test(it_is_over_when_it_was_not_used),
        cmocka_unit_test(files_that_are_no_id_are_replaced),
        cmocka_unit_test(names_that_are_no_names),
        cmocka_unit_test(two_lines_at_once_share_one),
        cmocka_unit_test(a_conversation_is_taken_from_the_shells_that_have_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
