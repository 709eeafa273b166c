/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_session_at_once.c - two processes use a store, and one is killed. */
#include "tests/unit/unit.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "tests/unit/sessions.h"

#define AT_ONCE   4
#define ITEMS     100
#define ROUNDS    8
#define WAIT_MS   1000 /* of the store */
#define WORDS_MAX 5000

/* The session that the other processes add to. */
static char shared[SESSION_ID_SIZE];

/* Runs in another process, which opens the store itself: SQLite's connections
 * do not survive a fork. It begins when `gate` is at its end, and returns 0
 * when all is well. */
typedef int process_main(int out);

static pid_t
start_process(process_main *run, const int gate[2], int out)
{
    pid_t pid = fork();
    char c;

    assert_true(pid >= 0);
    if (pid > 0)
        return pid;
    close(gate[1]);
    _exit(read(gate[0], &c, 1) == 0 ? run(out) : 9);
}

static void
assert_ended(pid_t pid)
{
    int status = -1;

    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
}

static int
add_many(int out)
{
    struct session_store *s = session_store_open(NULL);
    int rc = s ? 0 : -1;

    (void)out;
    for (int i = 0; rc == 0 && i < ITEMS; i++)
        rc = session_store_append(s, shared, "said", "hello", 5, NULL);
    session_store_close(s);
    return rc;
}

/* Starts them at once, and waits for all. */
static void
run_together(process_main *run)
{
    pid_t pids[AT_ONCE];
    int gate[2];

    assert_int_equal(pipe2(gate, O_CLOEXEC), 0);
    for (int i = 0; i < AT_ONCE; i++)
        pids[i] = start_process(run, gate, -1);
    close(gate[0]);
    close(gate[1]);
    for (int i = 0; i < AT_ONCE; i++)
        assert_ended(pids[i]);
}

static void
all_items_of_several_processes_arrive(void **state)
{
    struct stored t;

    (void)state;
    stored_enter(&t);
    memcpy(shared, t.id, sizeof(shared));
    session_store_close(t.s);
    run_together(add_many);
    t.s = open_store();
    assert_int_equal(count_items_of(t.s, t.id), AT_ONCE * ITEMS);
    stored_leave(&t);
}

static int
make_one(int out)
{
    struct session_store *s = session_store_open(NULL);
    const struct session_info in = {.directory = "/work"};
    char id[SESSION_ID_SIZE];
    bool is_made = s && session_id_make(id, NULL) == 0 &&
                   session_store_create(s, id, &in, NULL) == 0;

    (void)out;
    session_store_close(s);
    return is_made ? 0 : -1;
}

static int
count_session(void *arg, const struct session_info *info)
{
    (void)info;
    ++*(int *)arg;
    return 0;
}

static void
several_that_begin_at_once_make_one_store(void **state)
{
    struct place p = {0};

    (void)state;
    for (int i = 0; i < ROUNDS; i++) {
        char next[SESSION_CURSOR_SIZE];
        struct session_store *s;
        int n = 0;

        place_enter(&p);
        run_together(make_one);
        s = open_store();
        assert_int_equal(session_store_list(s, NULL, NULL, 100, count_session,
                                            &n, next, NULL),
                         0);
        assert_int_equal(n, AT_ONCE);
        session_store_close(s);
        place_leave(&p);
    }
}

static void
a_writer_is_waited_for_a_second(void **state)
{
    struct stored t;
    struct err e = {0};
    int64_t began, took;
    sqlite3 *db;

    (void)state;
    stored_enter(&t);
    assert_int_equal(sqlite3_open(t.file, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL),
                     SQLITE_OK);
    began = clock_ms();
    assert_int_equal(session_store_append(t.s, t.id, "said", "a", 1, &e), -1);
    took = clock_ms() - began;
    assert_int_equal(e.code, ERR_TIMEOUT);
    assert_true(took >= WAIT_MS / 2);
    assert_int_equal(count_items_of(t.s, t.id), 0); /* readers do not wait */
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    append_text(t.s, t.id, "a");
    assert_int_equal(count_items_of(t.s, t.id), 1);
    stored_leave(&t);
}

/* Adds items without end, some of them large, beside sessions that come and go,
 * and writes a byte for each item that was stored. */
static int
add_until_killed(int out)
{
    static char text[WORDS_MAX];
    struct session_store *s = session_store_open(NULL);
    const struct session_info in = {.directory = "/work", .title = "brief"};
    char id[SESSION_ID_SIZE];
    int rc = s ? 0 : -1;

    memset(text, 'a', sizeof(text));
    for (size_t i = 0; rc == 0; i++) {
        rc = session_store_append(s, shared, "said", text,
                                  i * 997 % sizeof(text), NULL);
        if (rc == 0 && write(out, "", 1) != 1)
            return 1;
        if (rc == 0 && i % 5 == 0 && session_id_make(id, NULL) == 0 &&
            session_store_create(s, id, &in, NULL) == 0 &&
            session_store_append(s, id, "said", text, sizeof(text), NULL) == 0)
            rc = session_store_delete(s, id, NULL);
    }
    return rc;
}

/* Kills the process after some items, reads what it wrote until then, and
 * returns how many items it said are stored. */
static int64_t
kill_after(int64_t items)
{
    int gate[2], told[2];
    int64_t n = 0;
    pid_t pid;
    char c;

    assert_int_equal(pipe2(gate, O_CLOEXEC), 0);
    assert_int_equal(pipe2(told, O_CLOEXEC), 0);
    pid = start_process(add_until_killed, gate, told[1]);
    close(gate[0]);
    close(gate[1]);
    close(told[1]);
    for (; n < items && read(told[0], &c, 1) == 1; n++)
        ;
    assert_int_equal(kill(pid, SIGKILL), 0);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    while (read(told[0], &c, 1) == 1)
        n++;
    close(told[0]);
    assert_true(n >= items);
    return n;
}

static void
what_was_stored_survives_that_its_process_is_killed(void **state)
{
    struct stored t;
    int64_t stored = 0;
    char text[ROOM];

    (void)state;
    stored_enter(&t);
    memcpy(shared, t.id, sizeof(shared));
    session_store_close(t.s);
    for (int i = 0; i < ROUNDS; i++) {
        int64_t n = kill_after(7 + 5 * i), there;

        t.s = open_store();
        there = count_items_of(t.s, t.id) - stored;
        if (there != n && there != n + 1) /* or it had no time to say so */
            fail_msg("%lld items of %lld", (long long)there, (long long)n);
        stored += there;
        session_store_close(t.s);
        assert_string_equal(
            place_value(t.file, "PRAGMA integrity_check", text, sizeof(text)),
            "ok");
        assert_string_equal(
            place_value(t.file,
                        "SELECT count(*) FROM item WHERE at >> 32 NOT IN "
                        "(SELECT n FROM session WHERE change IS NOT NULL)",
                        text, sizeof(text)),
            "0");
    }
    t.s = open_store();
    stored_leave(&t);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_items_of_several_processes_arrive),
        cmocka_unit_test(several_that_begin_at_once_make_one_store),
        cmocka_unit_test(a_writer_is_waited_for_a_second),
        cmocka_unit_test(what_was_stored_survives_that_its_process_is_killed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
