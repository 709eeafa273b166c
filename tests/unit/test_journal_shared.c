/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_journal_shared.c - a thread writes the events of many runs, and nothing
 * waits on the loop. */
#include "tests/unit/unit.h"

#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "base/loop.h"
#include "base/path.h"
#include "record/journal.h"
#include "record/journal_path.h"
#include "record/journal_verify.h"
#include "tests/unit/record.h"

#define RUNS      16
#define EVENTS    50
#define WAIT_MS   20000              /* for what takes milliseconds */
#define HELD_MS   1000               /* another process holds the lock */
#define HOLD_NS   INT64_C(300000000) /* far below; a machine may be busy */
#define CLOSED_MS 2800               /* 2 s, and what a busy machine adds */

struct desk {
    struct place p;
    struct loop *l;
    struct journal *j;
};

static void
desk_enter(struct desk *d)
{
    place_enter(&d->p);
    d->l = loop_new(NULL);
    d->j = journal_open_shared(d->l, 0, 0, NULL);
    assert_non_null(d->j);
}

static void
desk_leave(struct desk *d)
{
    journal_close(d->j);
    loop_free(d->l);
    place_leave(&d->p);
}

static void
turn_until(struct loop *l, const int *count, int n)
{
    int64_t until = clock_ms() + WAIT_MS;

    while (*count < n && clock_ms() < until)
        assert_true(loop_turn(l, 100, NULL) >= 0);
    assert_true(*count >= n);
}

static int
add_number(struct journal_run *r, int64_t number)
{
    const struct journal_member members[] = {JOURNAL_NUM("n", number), {0}};

    return journal_add(r, "result", members);
}

static void
on_stored(void *arg)
{
    int *called = arg;

    ++*called;
}

static void
wait_stored(struct desk *d, struct journal_run *r)
{
    int called = 0;

    assert_int_equal(journal_when_stored(r, on_stored, &called, NULL), 0);
    assert_int_equal(called, 0);
    turn_until(d->l, &called, 1);
}

static int64_t
number_in(const struct desk *d, const char *sql)
{
    char found[64];

    return strtoll(place_value(d->p.file, sql, found, sizeof(found)), NULL, 10);
}

static void
assert_chain_holds(int64_t rows)
{
    struct journal_verify v = {0};
    char faults[10];

    assert_int_equal(journal_verify(&v, NULL, faults, NULL), 0);
    assert_int_equal(v.rows, rows);
    assert_int_equal(v.faults, 0);
}

static sqlite3 *
lock_file(const struct desk *d)
{
    sqlite3 *db;

    assert_int_equal(sqlite3_open(d->p.file, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL),
                     SQLITE_OK);
    return db;
}

static void
unlock_file(sqlite3 *db)
{
    assert_int_equal(sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

static void
many_runs_at_once_are_one_chain(void **state)
{
    struct desk d;
    struct journal_run *runs[RUNS];
    int called = 0;

    (void)state;
    desk_enter(&d);
    for (int i = 0; i < RUNS; i++)
        assert_non_null(runs[i] = journal_run_new(d.j, NULL));
    for (int n = 0; n < EVENTS; n++) {
        for (int i = 0; i < RUNS; i++)
            assert_int_equal(add_number(runs[i], n), 0);
        assert_true(loop_turn(d.l, 0, NULL) >= 0);
    }
    for (int i = 0; i < RUNS; i++)
        assert_int_equal(journal_when_stored(runs[i], on_stored, &called, NULL),
                         0);
    turn_until(d.l, &called, RUNS);
    assert_int_equal(
        number_in(
            &d,
            "SELECT count(*) FROM (SELECT run, json_extract(body, '$.n') n, "
            "row_number() OVER (PARTITION BY run ORDER BY seq) o "
            "FROM row) WHERE o = n + 1"),
        RUNS * EVENTS);
    assert_int_equal(number_in(&d, "SELECT count(DISTINCT run) FROM row"),
                     RUNS);
    assert_null(journal_trouble(d.j));
    for (int i = 0; i < RUNS; i++)
        journal_run_free(runs[i]);
    journal_close(d.j);
    d.j = NULL;
    assert_chain_holds((int64_t)RUNS * EVENTS);
    desk_leave(&d);
}

/* SQLite gives an extension of all connections no argument. */
static atomic_int commits;

static int
on_statement(unsigned type, void *arg, void *statement, void *sql)
{
    (void)type;
    (void)arg;
    (void)statement;
    if (strcmp(sql, "COMMIT") == 0)
        commits++;
    return 0;
}

static int
watch(sqlite3 *db, char **why, const struct sqlite3_api_routines *calls)
{
    (void)why;
    (void)calls;
    return sqlite3_trace_v2(db, SQLITE_TRACE_STMT, on_statement, NULL);
}

static void
what_is_queued_meanwhile_is_written_together(void **state)
{
    struct desk d;
    struct journal_run *r;
    sqlite3 *db;

    (void)state;
    sqlite3_auto_extension((void (*)(void))watch);
    desk_enter(&d);
    r = journal_run_new(d.j, NULL);
    assert_int_equal(add_number(r, 0), 0);
    wait_stored(&d, r);
    db = lock_file(&d);
    commits = 0;
    for (int i = 1; i <= EVENTS; i++)
        assert_int_equal(add_number(r, i), 0);
    unlock_file(db);
    wait_stored(&d, r);
    assert_int_equal(number_in(&d, "SELECT count(*) FROM row"), EVENTS + 1);
    assert_between(commits, 1, 2);
    journal_run_free(r);
    desk_leave(&d);
    sqlite3_reset_auto_extension();
}

/* Who waits, and what it sees when it is called. */
struct waiting {
    struct desk *d;
    int calls;
    char order[8];
    int64_t rows[8];
};

/* There need be no table before the first event is stored. */
static void
note_call(struct waiting *w, char who)
{
    w->order[w->calls] = who;
    if (w->calls > 0)
        w->rows[w->calls] = number_in(w->d, "SELECT count(*) FROM row");
    w->calls++;
}

static void
on_a(void *arg)
{
    note_call(arg, 'a');
}

static void
on_b(void *arg)
{
    note_call(arg, 'b');
}

static void
on_c(void *arg)
{
    note_call(arg, 'c');
}

static void
those_who_wait_are_called_in_order_and_once(void **state)
{
    struct desk d;
    struct waiting w = {.d = &d};
    struct journal_run *r, *other;

    (void)state;
    desk_enter(&d);
    r = journal_run_new(d.j, NULL);
    other = journal_run_new(d.j, NULL);
    assert_int_equal(journal_when_stored(r, on_a, &w, NULL), 0); /* nothing */
    assert_int_equal(add_number(r, 1), 0);
    assert_int_equal(add_number(r, 2), 0);
    assert_int_equal(journal_when_stored(r, on_b, &w, NULL), 0);
    assert_int_equal(add_number(other, 3), 0);
    assert_int_equal(journal_when_stored(other, on_c, &w, NULL), 0);
    assert_int_equal(w.calls, 0);
    turn_until(d.l, &w.calls, 3);
    assert_string_equal(w.order, "abc");
    assert_true(w.rows[1] >= 2);
    assert_int_equal(w.rows[2], 3);
    wait_stored(&d, r);
    assert_int_equal(w.calls, 3);
    journal_run_free(r);
    journal_run_free(other);
    desk_leave(&d);
}

static void
a_run_that_is_freed_is_not_called(void **state)
{
    struct desk d;
    struct journal_run *r, *other;
    int called = 0;

    (void)state;
    desk_enter(&d);
    r = journal_run_new(d.j, NULL);
    other = journal_run_new(d.j, NULL);
    assert_int_equal(add_number(r, 1), 0);
    assert_int_equal(journal_when_stored(r, on_stored, &called, NULL), 0);
    journal_run_free(r);
    assert_int_equal(add_number(other, 2), 0);
    wait_stored(&d, other);
    assert_int_equal(called, 0);
    assert_int_equal(number_in(&d, "SELECT count(*) FROM row"), 2);
    journal_run_free(other);
    desk_leave(&d);
}

/* What is added for later waits for another event, unless somebody waits. */
static void
one_who_waits_need_not_wait_for_another_event(void **state)
{
    struct desk d;
    struct journal_run *r;
    const struct journal_member members[] = {JOURNAL_NUM("n", 1), {0}};

    (void)state;
    desk_enter(&d);
    r = journal_run_new(d.j, NULL);
    assert_int_equal(journal_add_later(r, "call", members), 0);
    wait_stored(&d, r);
    assert_int_equal(number_in(&d, "SELECT count(*) FROM row"), 1);
    assert_int_equal(journal_sync(r, false), 0);
    wait_stored(&d, r);
    journal_run_free(r);
    desk_leave(&d);
}

/* Another process holds the lock until `release` is closed. */
static pid_t
hold_lock(const struct desk *d, int release[2])
{
    int ready[2];
    pid_t pid;
    char c;

    assert_int_equal(pipe2(release, O_CLOEXEC), 0);
    assert_int_equal(pipe2(ready, O_CLOEXEC), 0);
    pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        sqlite3 *db = lock_file(d);

        close(release[1]);
        (void)!write(ready[1], "", 1);
        (void)!read(release[0], &c, 1);
        unlock_file(db);
        _exit(0);
    }
    assert_int_equal(read(ready[0], &c, 1), 1);
    close(ready[0]);
    close(ready[1]);
    close(release[0]);
    return pid;
}

struct session {
    struct journal_run *run;
    struct watch *tick, *end;
    int added, ended, stored;
    int release;
};

static void
on_tick(void *arg, unsigned events)
{
    struct session *s = arg;

    (void)events;
    if (s->ended)
        return;
    assert_int_equal(add_number(s->run, s->added++), 0);
    watch_again(s->tick, 20);
}

static void
on_end(void *arg, unsigned events)
{
    struct session *s = arg;

    (void)events;
    assert_int_equal(s->stored, 0);
    close(s->release);
    s->ended = 1;
}

/* Another process has the lock, and the journal is opened. */
static pid_t
enter_locked(struct desk *d, int *release)
{
    int fds[2];
    pid_t pid;

    place_enter(&d->p);
    d->j = journal_open(0, 0, NULL); /* makes the file */
    journal_close(d->j);
    pid = hold_lock(d, fds);
    *release = fds[1];
    d->l = loop_new(NULL);
    d->j = journal_open_shared(d->l, 0, 0, NULL);
    return pid;
}

static void
a_lock_of_another_process_does_not_hold_the_loop(void **state)
{
    struct desk d;
    struct session s = {0};
    int status = -1;
    pid_t pid;

    (void)state;
    pid = enter_locked(&d, &s.release);
    s.run = journal_run_new(d.j, NULL);
    s.tick = loop_timer(d.l, 0, on_tick, &s, NULL);
    s.end = loop_timer(d.l, HELD_MS, on_end, &s, NULL);
    assert_int_equal(add_number(s.run, s.added++), 0);
    assert_int_equal(journal_when_stored(s.run, on_stored, &s.stored, NULL), 0);
    turn_until(d.l, &s.stored, 1);
    turn_until(d.l, &s.ended, 1);
    wait_stored(&d, s.run);
    assert_null(journal_trouble(d.j));
    assert_true(s.added > 10);
    assert_int_equal(number_in(&d, "SELECT count(*) FROM row"), s.added);
    assert_true(loop_longest_hold(d.l) < HOLD_NS);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
    journal_run_free(s.run);
    desk_leave(&d);
}

static void
on_signal(void *arg, unsigned events)
{
    int *called = arg;

    (void)events;
    ++*called;
}

/* It would end the process if the thread could take it. */
static void
a_signal_reaches_the_loop_and_not_the_thread(void **state)
{
    struct desk d;
    struct watch *w;
    int called = 0;

    (void)state;
    desk_enter(&d);
    w = loop_signal(d.l, SIGUSR1, on_signal, &called, NULL);
    assert_non_null(w);
    assert_int_equal(kill(getpid(), SIGUSR1), 0);
    turn_until(d.l, &called, 1);
    watch_free(w);
    desk_leave(&d);
}

/* More than there is room for in one row. */
static void
add_too_large(struct journal_run *r)
{
    static char text[JOURNAL_TEXT_MAX];
    struct journal_member members[20] = {{0}};

    memset(text, ' ', sizeof(text));
    for (size_t i = 0; i + 1 < N_OF(members); i++)
        members[i] = (struct journal_member)JOURNAL_BYTES("out", text,
                                                          sizeof(text));
    assert_int_equal(journal_add(r, "result", members), -1);
}

static void
trouble_is_told_again_after_events_were_recorded(void **state)
{
    struct desk d;
    struct journal_run *r;

    (void)state;
    desk_enter(&d);
    r = journal_run_new(d.j, NULL);
    for (int i = 0; i < 2; i++) {
        add_too_large(r);
        assert_non_null(journal_trouble(d.j));
        add_too_large(r);
        assert_null(journal_trouble(d.j));
        assert_int_equal(add_number(r, i), 0);
        wait_stored(&d, r);
    }
    assert_int_equal(
        number_in(&d,
                  "SELECT sum(json_extract(body, '$.events')) FROM row WHERE "
                  "kind = 'gap' AND json_extract(body, '$.why') LIKE "
                  "'%larger%'"),
        4);
    journal_run_free(r);
    desk_leave(&d);
}

/* The thread waits for the right to make the file. */
static void
a_full_queue_is_told_and_what_had_room_is_stored(void **state)
{
    static char text[JOURNAL_TEXT_MAX];
    const struct journal_member members[] = {
        JOURNAL_BYTES("a", text, sizeof(text)),
        JOURNAL_BYTES("b", text, sizeof(text)),
        JOURNAL_BYTES("c", text, sizeof(text)),
        JOURNAL_BYTES("d", text, sizeof(text)),
        {0},
    };
    struct desk d;
    struct journal_run *r;
    const char *why;
    int queued = 0, lock;

    (void)state;
    memset(text, ' ', sizeof(text));
    place_enter(&d.p);
    assert_int_equal(path_make_dirs(d.p.dir, 0700, NULL), 0);
    lock = journal_path_lock(d.p.file, NULL);
    d.l = loop_new(NULL);
    d.j = journal_open_shared(d.l, 0, 0, NULL);
    r = journal_run_new(d.j, NULL);
    while (queued < 100 && journal_add(r, "result", members) == 0)
        queued++;
    assert_between(queued, 20, 99);
    why = journal_trouble(d.j);
    assert_non_null(why);
    assert_non_null(strstr(why, "16 MiB"));
    assert_null(journal_trouble(d.j));
    close(lock);
    wait_stored(&d, r);
    /* the event that was lost is told of before what is written next */
    assert_int_equal(add_number(r, 1), 0);
    wait_stored(&d, r);
    assert_int_equal(
        number_in(&d, "SELECT count(*) FROM row WHERE kind = 'result'"),
        queued + 1);
    assert_int_equal(number_in(&d, "SELECT json_extract(body, '$.events') FROM "
                                   "row WHERE kind = 'gap'"),
                     1);
    journal_run_free(r);
    desk_leave(&d);
}

static void
what_is_queued_is_written_when_the_journal_is_closed(void **state)
{
    const struct journal_member members[] = {JOURNAL_NUM("n", 1), {0}};
    struct desk d;
    struct journal_run *r;

    (void)state;
    desk_enter(&d);
    r = journal_run_new(d.j, NULL);
    for (int i = 0; i < EVENTS; i++)
        assert_int_equal(add_number(r, i), 0);
    assert_int_equal(journal_add_later(r, "call", members), 0);
    journal_run_free(r);
    journal_close(d.j);
    d.j = NULL;
    assert_chain_holds(EVENTS + 1);
    desk_leave(&d);
}

/* What is not written in time is missing, and the next run says so. */
static void
closing_waits_for_no_lock_for_long(void **state)
{
    struct desk d;
    struct journal_run *r;
    sqlite3 *db;
    int64_t began;

    (void)state;
    desk_enter(&d);
    r = journal_run_new(d.j, NULL);
    assert_int_equal(add_number(r, 0), 0);
    wait_stored(&d, r);
    db = lock_file(&d);
    for (int i = 1; i <= EVENTS; i++)
        assert_int_equal(add_number(r, i), 0);
    journal_run_free(r);
    began = clock_ms();
    journal_close(d.j);
    assert_true(clock_ms() - began < CLOSED_MS);
    unlock_file(db);
    d.j = journal_open_shared(d.l, 0, 0, NULL);
    r = journal_run_new(d.j, NULL);
    assert_int_equal(add_number(r, 1), 0);
    wait_stored(&d, r);
    assert_int_equal(number_in(&d, "SELECT json_extract(body, '$.events') FROM "
                                   "row WHERE kind = 'gap'"),
                     EVENTS);
    journal_run_free(r);
    desk_leave(&d);
}

/* 0: the journal is closed, though its thread waits for the right to make the
 * file. */
static int
close_while_the_thread_hangs(const struct place *p)
{
    int lock = journal_path_lock(p->file, NULL);
    struct loop *l = loop_new(NULL);
    struct journal *j = journal_open_shared(l, 0, 0, NULL);
    struct journal_run *r = journal_run_new(j, NULL);
    int64_t began = clock_ms();

    if (lock < 0 || !r || add_number(r, 1) < 0)
        return 1;
    journal_run_free(r);
    journal_close(j);
    return clock_ms() - began < CLOSED_MS ? 0 : 2;
}

static void
closing_waits_for_no_thread_that_hangs(void **state)
{
    struct place p;
    int status = -1;
    pid_t pid;

    (void)state;
    place_enter(&p);
    assert_int_equal(path_make_dirs(p.dir, 0700, NULL), 0);
    pid = fork(); /* the thread ends with its process */
    if (pid == 0)
        _exit(close_while_the_thread_hangs(&p));
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
    place_leave(&p);
}

static void
a_path_that_is_refused_opens_no_journal(void **state)
{
    struct place p;
    struct loop *l = loop_new(NULL);
    struct err e = {0};

    (void)state;
    place_enter(&p);
    assert_int_equal(path_make_dirs(p.dir, 0700, NULL), 0);
    assert_int_equal(chmod(p.dir, 0777), 0);
    assert_null(journal_open_shared(l, 0, 0, &e));
    assert_int_equal(e.code, ERR_PERMISSION);
    loop_free(l);
    place_leave(&p);
}

static void
a_journal_that_cannot_be_opened_hangs_no_run(void **state)
{
    struct desk d;
    struct journal_run *r;
    const char *why;

    (void)state;
    desk_enter(&d);
    r = journal_run_new(d.j, NULL);
    assert_int_equal(add_number(r, 0), 0);
    journal_run_free(r);
    journal_close(d.j);
    place_sql(d.p.file, "PRAGMA user_version = 2");
    d.j = journal_open_shared(d.l, 0, 0, NULL);
    assert_non_null(d.j);
    r = journal_run_new(d.j, NULL);
    assert_int_equal(add_number(r, 0), 0);
    wait_stored(&d, r);
    why = journal_trouble(d.j);
    assert_non_null(why);
    assert_non_null(strstr(why, "newer agentsh"));
    assert_int_equal(add_number(r, 0), 0);
    wait_stored(&d, r);
    assert_null(journal_trouble(d.j));
    assert_int_equal(number_in(&d, "SELECT count(*) FROM row"), 1);
    journal_run_free(r);
    desk_leave(&d);
}

static void
a_journal_that_is_damaged_meanwhile_goes_on_beside(void **state)
{
    struct desk d;
    struct journal_run *r;
    const char *why;

    (void)state;
    desk_enter(&d);
    r = journal_run_new(d.j, NULL);
    assert_int_equal(add_number(r, 0), 0);
    wait_stored(&d, r);
    place_sql(d.p.file, "DELETE FROM head");
    assert_int_equal(add_number(r, 1), 0);
    wait_stored(&d, r);
    why = journal_trouble(d.j);
    assert_non_null(why);
    assert_non_null(strstr(why, "started a new journal"));
    assert_int_equal(journal_sync(r, true), 0);
    wait_stored(&d, r);
    assert_null(journal_trouble(d.j));
    journal_run_free(r);
    journal_close(d.j);
    d.j = NULL;
    assert_int_equal(journal_path_count_old(), 1);
    assert_chain_holds(1);
    desk_leave(&d);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lock_of_another_process_does_not_hold_the_loop),
        cmocka_unit_test(many_runs_at_once_are_one_chain),
        cmocka_unit_test(what_is_queued_meanwhile_is_written_together),
        cmocka_unit_test(those_who_wait_are_called_in_order_and_once),
        cmocka_unit_test(a_run_that_is_freed_is_not_called),
        cmocka_unit_test(a_signal_reaches_the_loop_and_not_the_thread),
        cmocka_unit_test(one_who_waits_need_not_wait_for_another_event),
        cmocka_unit_test(a_full_queue_is_told_and_what_had_room_is_stored),
        cmocka_unit_test(trouble_is_told_again_after_events_were_recorded),
        cmocka_unit_test(what_is_queued_is_written_when_the_journal_is_closed),
        cmocka_unit_test(closing_waits_for_no_lock_for_long),
        cmocka_unit_test(closing_waits_for_no_thread_that_hangs),
        cmocka_unit_test(a_path_that_is_refused_opens_no_journal),
        cmocka_unit_test(a_journal_that_cannot_be_opened_hangs_no_run),
        cmocka_unit_test(a_journal_that_is_damaged_meanwhile_goes_on_beside),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
