/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_journal_at_once.c - several processes begin one journal at once. */
#include "tests/unit/unit.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/path.h"
#include "record/journal.h"
#include "record/journal_path.h"
#include "record/journal_read.h"
#include "record/journal_verify.h"
#include "tests/unit/record.h"

#define ROUNDS     5
#define AT_ONCE    6
#define STATEMENTS 10 /* at the most, until a file is known to be empty */
#define AWAITED_MS 100
#define HELD_MS    1500 /* longer than it takes to make one */

/* 0: a row is added. */
static int
add_one(void)
{
    static const struct journal_member greeting[] = {
        JOURNAL_STR("text", "hello"),
        {0},
    };
    struct journal *j = journal_open(0, 0, NULL);
    struct journal_run *r = journal_run_new(j, NULL);
    int rc = j ? journal_add(r, "request", greeting) : -1;

    journal_run_free(r);
    journal_close(j);
    return rc;
}

/* Another process does it, once `gate` is at its end. */
static pid_t
start(int (*deed)(void), const int gate[2])
{
    pid_t pid = fork();
    char c;

    assert_true(pid >= 0);
    if (pid > 0)
        return pid;
    close(gate[1]);
    _exit(read(gate[0], &c, 1) == 0 ? deed() : 9);
}

static void
assert_done(pid_t pid)
{
    int status = -1;

    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
}

/* Before which statement of ours the other process is let go. SQLite gives an
 * extension of all connections no argument. */
static struct {
    int statement, at;
    int gate[2], ended[2];
} moment;

static int
on_statement(unsigned type, void *arg, void *statement, void *sql)
{
    (void)type;
    (void)arg;
    (void)statement;
    (void)sql;
    if (++moment.statement == moment.at) {
        struct pollfd ended = {.fd = moment.ended[0]};

        fd_close_p(&moment.gate[1]);
        (void)poll(&ended, 1, AWAITED_MS); /* or it waits for us */
    }
    return 0;
}

static int
watch(sqlite3 *db, char **why, const struct sqlite3_api_routines *calls)
{
    (void)why;
    (void)calls;
    return sqlite3_trace_v2(db, SQLITE_TRACE_STMT, on_statement, NULL);
}

static int
open_to_read(void)
{
    struct err e = {0};
    struct journal_reader *h = journal_read_open(&e);

    if (!h && e.code != ERR_NOT_FOUND)
        fail_msg("before statement %d: %s", moment.at, e.text);
    journal_read_close(h);
    return 0;
}

/* Another process makes the journal before our statement `at`. SQLite is first
 * used after the fork. */
static void
meet(int (*deed)(void), int at)
{
    struct place p;
    pid_t pid;

    moment.statement = 0;
    moment.at = at;
    place_enter(&p);
    assert_int_equal(path_make_dirs(p.dir, 0700, NULL), 0);
    assert_int_equal(file_write(p.file, "", 0, 0600, NULL), 0);
    assert_int_equal(pipe2(moment.gate, O_CLOEXEC), 0);
    assert_int_equal(pipe2(moment.ended, O_CLOEXEC), 0);
    pid = start(add_one, moment.gate);
    fd_close_p(&moment.ended[1]);
    sqlite3_auto_extension((void (*)(void))watch);
    assert_int_equal(deed(), 0);
    sqlite3_reset_auto_extension();
    fd_close_p(&moment.gate[1]);
    assert_done(pid);
    if (journal_path_count_old() != 0)
        fail_msg("before statement %d: the journal was left", at);
    fd_close_p(&moment.gate[0]);
    fd_close_p(&moment.ended[0]);
    place_leave(&p);
}

static void
a_journal_is_seen_whole_or_not_at_all(void **state)
{
    (void)state;
    for (int at = 1; at <= STATEMENTS; at++) {
        meet(open_to_read, at);
        meet(add_one, at);
    }
}

/* All of them get their row into the same file. */
static void
begin_together(int left)
{
    struct journal_verify v = {0};
    pid_t pids[AT_ONCE];
    char faults[10];
    int gate[2];

    assert_int_equal(pipe2(gate, O_CLOEXEC), 0);
    for (int i = 0; i < AT_ONCE; i++)
        pids[i] = start(add_one, gate);
    close(gate[0]);
    close(gate[1]);
    for (int i = 0; i < AT_ONCE; i++)
        assert_done(pids[i]);
    assert_int_equal(journal_path_count_old(), left);
    assert_int_equal(journal_verify(&v, NULL, faults, NULL), 0);
    assert_int_equal(v.rows, AT_ONCE);
    assert_int_equal(v.faults, 0);
}

static void
several_that_begin_at_once_make_one_journal(void **state)
{
    struct place p;

    (void)state;
    for (int i = 0; i < ROUNDS; i++) {
        place_enter(&p);
        begin_together(0);
        place_leave(&p);
    }
}

static void
several_that_leave_a_file_make_one_journal_beside_it(void **state)
{
    struct place p;

    (void)state;
    for (int i = 0; i < ROUNDS; i++) {
        place_enter(&p);
        assert_int_equal(path_make_dirs(p.dir, 0700, NULL), 0);
        assert_int_equal(file_write(p.file, "dear diary\n", 11, 0600, NULL), 0);
        begin_together(1);
        place_leave(&p);
    }
}

/* Who makes the journal waits for the disk, some times. */
static void
one_who_is_long_in_making_it_is_waited_for(void **state)
{
    struct place p;
    int gate[2], lock;
    pid_t pid;

    (void)state;
    place_enter(&p);
    assert_int_equal(path_make_dirs(p.dir, 0700, NULL), 0);
    assert_int_equal(pipe2(gate, O_CLOEXEC), 0);
    pid = start(add_one, gate);
    lock = journal_path_lock(p.file, NULL);
    assert_true(lock >= 0);
    close(gate[0]);
    close(gate[1]);
    (void)poll(NULL, 0, HELD_MS);
    assert_int_equal(waitpid(pid, NULL, WNOHANG), 0);
    close(lock);
    assert_done(pid);
    place_leave(&p);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_journal_is_seen_whole_or_not_at_all),
        cmocka_unit_test(several_that_begin_at_once_make_one_journal),
        cmocka_unit_test(several_that_leave_a_file_make_one_journal_beside_it),
        cmocka_unit_test(one_who_is_long_in_making_it_is_waited_for),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
