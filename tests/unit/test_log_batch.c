/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_log_batch.c - tests that a commit is one write, and is what it was. */
#include "unit.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "record.h"
#include "record/sqlite.h"

#define ROWS(n)                                                                \
    "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n "  \
    "< " #n ") INSERT INTO t SELECT NULL, printf('%.500c', 'x') FROM c"
#define TABLE "CREATE TABLE t (n INTEGER PRIMARY KEY, text TEXT)"

struct desk {
    struct place p;
    struct sqlite *db;
    char file[256], log[260];
};

static void
desk_enter(struct desk *d)
{
    int fd;

    *d = (struct desk){0};
    place_enter(&d->p);
    snprintf(d->file, sizeof(d->file), "%s/one.db", d->p.state);
    snprintf(d->log, sizeof(d->log), "%s-wal", d->file);
    fd = open(d->file, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
    assert_true(fd >= 0);
    close(fd);
    d->db = sqlite_open(d->file, SQLITE_MODE_WRITE, 100, NULL);
    assert_non_null(d->db);
    assert_int_equal(sqlite_exec(d->db, "PRAGMA page_size=1024", NULL), 0);
    assert_int_equal(sqlite_exec(d->db, "PRAGMA journal_mode=WAL", NULL), 0);
    assert_int_equal(sqlite_exec(d->db, TABLE, NULL), 0);
}

static void
desk_leave(struct desk *d)
{
    sqlite_close(d->db);
    place_leave(&d->p);
}

static void
begin(struct desk *d, const char *sql)
{
    assert_int_equal(sqlite_begin(d->db, NULL), 0);
    assert_int_equal(sqlite_exec(d->db, sql, NULL), 0);
}

/* What another program finds: the count of rows, and that nothing is damaged.
 */
static void
assert_others_see(const struct desk *d, const char *rows)
{
    char found[64];

    assert_string_equal(
        place_value(d->file, "PRAGMA integrity_check", found, sizeof(found)),
        "ok");
    assert_string_equal(
        place_value(d->file, "SELECT count(*) FROM t", found, sizeof(found)),
        rows);
}

/* The calls of this process that write, as the kernel counts them; -1. */
static long
writes_so_far(void)
{
    FILE *f = fopen("/proc/self/io", "re");
    char line[64];
    long n = -1;

    while (f && fgets(line, sizeof(line), f))
        if (strncmp(line, "syscw: ", 7) == 0)
            n = strtol(line + 7, NULL, 10);
    if (f)
        fclose(f);
    return n;
}

static void
a_commit_of_many_pages_is_one_write(void **state)
{
    struct desk d;
    long before;

    (void)state;
    desk_enter(&d);
    begin(&d, ROWS(20));
    before = writes_so_far();
    assert_int_equal(sqlite_end(d.db, true, NULL), 0);
    if (before >= 0)
        assert_int_equal(writes_so_far() - before, 1);
    assert_others_see(&d, "20");
    desk_leave(&d);
}

/* What does not fit into the cache is written before the commit, and again
 * with it. */
static void
a_commit_that_is_longer_than_all_buffers_is_whole(void **state)
{
    struct desk d;

    (void)state;
    desk_enter(&d);
    assert_int_equal(sqlite_exec(d.db, "PRAGMA cache_size=10", NULL), 0);
    begin(&d, ROWS(2000));
    assert_int_equal(sqlite_exec(d.db, "UPDATE t SET text = text || n", NULL),
                     0);
    assert_int_equal(sqlite_end(d.db, true, NULL), 0);
    assert_others_see(&d, "2000");
    begin(&d, "UPDATE t SET text = printf('%.700c', 'y') WHERE n % 3 = 0");
    assert_int_equal(sqlite_end(d.db, true, NULL), 0);
    assert_others_see(&d, "2000");
    assert_int_equal(sqlite_exec(d.db, "PRAGMA cache_size=2000", NULL), 0);
    begin(&d, ROWS(300));
    assert_int_equal(sqlite_end(d.db, true, NULL), 0);
    assert_others_see(&d, "2300");
    desk_leave(&d);
}

static void
commits_of_two_programs_by_turns_are_all_there(void **state)
{
    struct desk d;

    (void)state;
    desk_enter(&d);
    for (int i = 0; i < 20; i++) {
        begin(&d, ROWS(3));
        assert_int_equal(sqlite_end(d.db, true, NULL), 0);
        place_sql(d.file, ROWS(2));
    }
    assert_int_equal(sqlite_empty_log(d.db, NULL), 0);
    begin(&d, ROWS(3)); /* from the beginning of the log */
    assert_int_equal(sqlite_end(d.db, true, NULL), 0);
    assert_others_see(&d, "103");
    desk_leave(&d);
}

static void
what_is_not_kept_is_undone(void **state)
{
    struct desk d;

    (void)state;
    desk_enter(&d);
    begin(&d, ROWS(3));
    assert_int_equal(sqlite_end(d.db, true, NULL), 0);
    begin(&d, ROWS(5));
    assert_int_equal(sqlite_end(d.db, false, NULL), -1);
    assert_others_see(&d, "3");
    begin(&d, ROWS(1));
    assert_int_equal(sqlite_end(d.db, true, NULL), 0);
    assert_others_see(&d, "4");
    desk_leave(&d);
}

/* No file may become longer than this. */
static void
limit_files(rlim_t bytes)
{
    struct rlimit limit;

    getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = bytes == RLIM_INFINITY ? limit.rlim_max : bytes;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

static void
a_commit_that_cannot_be_written_leaves_nothing(void **state)
{
    struct desk d;
    struct err e = {0};
    struct stat st;

    (void)state;
    signal(SIGXFSZ, SIG_IGN);
    desk_enter(&d);
    begin(&d, ROWS(5));
    assert_int_equal(sqlite_end(d.db, true, NULL), 0);
    assert_int_equal(stat(d.log, &st), 0);
    for (rlim_t n = 0; n < 8 << 10; n += 900) {
        begin(&d, ROWS(20));
        limit_files((rlim_t)st.st_size + n);
        assert_int_equal(sqlite_end(d.db, true, &e), -1);
        limit_files(RLIM_INFINITY);
        assert_others_see(&d, "5");
    }
    place_sql(d.file, ROWS(1));
    begin(&d, ROWS(20));
    assert_int_equal(sqlite_end(d.db, true, NULL), 0);
    assert_others_see(&d, "26");
    desk_leave(&d);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_commit_of_many_pages_is_one_write),
        cmocka_unit_test(a_commit_that_is_longer_than_all_buffers_is_whole),
        cmocka_unit_test(commits_of_two_programs_by_turns_are_all_there),
        cmocka_unit_test(what_is_not_kept_is_undone),
        cmocka_unit_test(a_commit_that_cannot_be_written_leaves_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
