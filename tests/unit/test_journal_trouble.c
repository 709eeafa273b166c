/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_journal_trouble.c - files that are no journal lose nothing. */
#include "tests/unit/unit.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/file.h"
#include "base/path.h"
#include "record/journal.h"
#include "record/journal_path.h"
#include "record/journal_read.h"
#include "record/journal_verify.h"
#include "tests/unit/record.h"

static const struct journal_member greeting[] = {
    JOURNAL_STR("text", "hello"),
    {0},
};

static void
add_one(void)
{
    struct journal *j = journal_open(0, 0, NULL);
    struct journal_run *r = journal_run_new(j, NULL);

    assert_non_null(j);
    assert_int_equal(journal_add(r, "request", greeting), 0);
    assert_int_equal(journal_sync(r, false), 0);
    journal_run_free(r);
    journal_close(j);
}

/* How a file came to be none of ours. */
struct odd {
    const char *what;
    void (*make)(const struct place *p);
};

static void
make_text(const struct place *p)
{
    assert_int_equal(path_make_dirs(p->dir, 0700, NULL), 0);
    assert_int_equal(file_write(p->file, "dear diary\n", 11, 0600, NULL), 0);
}

static void
make_foreign(const struct place *p)
{
    assert_int_equal(path_make_dirs(p->dir, 0700, NULL), 0);
    place_sql(p->file, "CREATE TABLE t (a); INSERT INTO t VALUES (1)");
}

/* The first page after the head is overwritten: tables cannot be read. */
static void
make_corrupt(const struct place *p)
{
    int fd;
    static const char junk[4000] = {'x'};

    add_one();
    place_sql(p->file, "PRAGMA wal_checkpoint(TRUNCATE)");
    fd = open(p->file, O_WRONLY | O_CLOEXEC);
    assert_int_equal(pwrite(fd, junk, sizeof(junk), 100), sizeof(junk));
    close(fd);
}

static void
make_headless(const struct place *p)
{
    add_one();
    place_sql(p->file, "DELETE FROM head");
}

static void
make_other_tables(const struct place *p)
{
    add_one();
    place_sql(p->file, "DROP TABLE head");
}

static void
make_conflict(const struct place *p)
{
    add_one();
    place_sql(p->file, "UPDATE head SET seq = 0");
}

static void
make_full(const struct place *p)
{
    add_one();
    place_sql(p->file, "UPDATE head SET seq = 9223372036854775807");
}

static const struct odd odds[] = {
    {"a text", make_text},
    {"another program's database", make_foreign},
    {"a damaged journal", make_corrupt},
    {"a journal without its head", make_headless},
    {"a journal without a table", make_other_tables},
    {"a journal whose head points back", make_conflict},
    {"a journal whose numbers are used up", make_full},
};

static void
read_all(const char *path, struct buf *out)
{
    assert_int_equal(file_read(path, out, NULL), 0);
}

/* It is left as it is, a new one is begun, that is said once, and the next
 * process uses the new one without a word. */
static void
try_odd(const struct odd *c)
{
    CLEANUP_BUF struct buf before = buf_of(1 << 20);
    CLEANUP_BUF struct buf after = buf_of(1 << 20);
    struct place p;
    struct journal *j;
    struct journal_run *r;
    const char *why;
    char faults[10];
    struct journal_verify v = {0};
    struct err e = {0};

    place_enter(&p);
    c->make(&p);
    read_all(p.file, &before);
    j = journal_open(0, 0, &e);
    if (!j)
        fail_msg("%s: %s", c->what, e.text);
    r = journal_run_new(j, NULL);
    if (journal_add(r, "request", greeting) < 0)
        fail_msg("%s: %s", c->what, journal_trouble(j));
    why = journal_trouble(j);
    if (!why || !strstr(why, "started a new journal"))
        fail_msg("%s: told '%s'", c->what, why ? why : "nothing");
    assert_null(journal_trouble(j));
    journal_run_free(r);
    journal_close(j);
    read_all(p.file, &after);
    assert_int_equal(before.len, after.len);
    assert_memory_equal(before.p, after.p, before.len);
    j = journal_open(0, 0, NULL);
    r = journal_run_new(j, NULL);
    assert_int_equal(journal_add(r, "request", greeting), 0);
    assert_null(journal_trouble(j));
    journal_run_free(r);
    journal_close(j);
    assert_int_equal(journal_verify(&v, NULL, faults, NULL), 0);
    assert_int_equal(v.rows, 2);
    assert_int_equal(journal_path_count_old(), 1);
    place_leave(&p);
}

static void
a_file_that_is_no_journal_is_left_and_one_is_begun_beside(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(odds); i++)
        try_odd(&odds[i]);
}

static void
a_newer_form_is_not_touched(void **state)
{
    struct place p;
    struct err e = {0};

    (void)state;
    place_enter(&p);
    add_one();
    place_sql(p.file, "PRAGMA user_version = 2");
    assert_null(journal_open(0, 0, &e));
    assert_int_equal(e.code, ERR_UNSUPPORTED);
    assert_int_equal(journal_path_count_old(), 0);
    place_leave(&p);
}

static void
a_link_is_refused(void **state)
{
    struct place p;
    char elsewhere[200];
    struct err e = {0};

    (void)state;
    place_enter(&p);
    snprintf(elsewhere, sizeof(elsewhere), "%s/elsewhere", p.state);
    assert_int_equal(path_make_dirs(p.dir, 0700, NULL), 0);
    assert_int_equal(symlink(elsewhere, p.file), 0);
    assert_null(journal_open(0, 0, &e));
    assert_int_equal(e.code, ERR_PERMISSION);
    assert_int_equal(access(elsewhere, F_OK), -1);
    place_leave(&p);
}

static void
a_directory_that_is_a_link_is_refused(void **state)
{
    struct place p;
    char elsewhere[200];
    struct err e = {0};

    (void)state;
    place_enter(&p);
    snprintf(elsewhere, sizeof(elsewhere), "%s/elsewhere", p.state);
    assert_int_equal(mkdir(elsewhere, 0700), 0);
    assert_int_equal(symlink(elsewhere, p.dir), 0);
    assert_null(journal_open(0, 0, &e));
    assert_int_equal(e.code, ERR_PERMISSION);
    assert_int_equal(rmdir(elsewhere), 0);
    place_leave(&p);
}

static void
a_directory_that_others_write_to_is_refused(void **state)
{
    struct place p;
    struct err e = {0};

    (void)state;
    place_enter(&p);
    assert_int_equal(path_make_dirs(p.dir, 0700, NULL), 0);
    assert_int_equal(chmod(p.dir, 0777), 0);
    assert_null(journal_open(0, 0, &e));
    assert_int_equal(e.code, ERR_PERMISSION);
    place_leave(&p);
}

static void
a_journal_that_others_could_read_is_made_private(void **state)
{
    struct place p;
    struct stat st;

    (void)state;
    place_enter(&p);
    add_one();
    assert_int_equal(chmod(p.file, 0644), 0);
    add_one();
    assert_int_equal(stat(p.file, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    place_leave(&p);
}

/* One who holds the lock is waited for some seconds, and once. */
static void
a_locked_journal_stops_nobody_and_says_what_is_missing(void **state)
{
    struct place p;
    struct journal *j;
    struct journal_run *r;
    sqlite3 *db;
    char gap[200];

    (void)state;
    place_enter(&p);
    add_one();
    assert_int_equal(sqlite3_open(p.file, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL),
                     SQLITE_OK);
    j = journal_open(0, 0, NULL);
    r = journal_run_new(j, NULL);
    assert_non_null(j);
    for (int i = 0; i < 5; i++)
        assert_int_equal(journal_add(r, "request", greeting), -1);
    assert_non_null(journal_trouble(j));
    assert_null(journal_trouble(j));
    assert_int_equal(sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
    assert_int_equal(journal_add(r, "request", greeting), 0);
    journal_run_free(r);
    journal_close(j);
    place_value(p.file, "SELECT body FROM row WHERE kind = 'gap'", gap,
                sizeof(gap));
    assert_non_null(strstr(gap, "\"events\":5"));
    place_leave(&p);
}

/* In a name space of its own, with a small file system. */
static int
enter_small_disk(const struct place *p)
{
    if (unshare(CLONE_NEWNS) < 0 ||
        mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0)
        return -1;
    return mount("none", p->state, "tmpfs", 0, "size=1m,mode=0700");
}

/* Once there is space again the next run says what the last one lost. */
static int
tells_of_the_gap(const struct place *p)
{
    char gap[200];

    if (mount("none", p->state, NULL, MS_REMOUNT, "size=8m") < 0)
        return 77;
    add_one();
    add_one();
    place_value(p->file, "SELECT count(*) || body FROM row WHERE kind = 'gap'",
                gap, sizeof(gap));
    return strncmp(gap, "1{\"events\":11,", 14) == 0 ? 0 : 3;
}

static int
fill_a_disk(const struct place *p)
{
    static char text[50000];
    const struct journal_member members[] = {
        JOURNAL_BYTES("out", text, sizeof(text)), {0}};
    struct journal *j;
    struct journal_run *r;
    struct journal_verify v = {0};
    int kept = 0;

    memset(text, 'x', sizeof(text));
    if (enter_small_disk(p) < 0)
        return 77;
    j = journal_open(0, 0, NULL);
    r = journal_run_new(j, NULL);
    while (j && kept < 100 && journal_add(r, "result", members) == 0)
        kept++;
    if (!j || kept < 3 || kept == 100 || !journal_trouble(j))
        return 1;
    for (int i = 0; i < 10; i++)
        (void)journal_add(r, "result", members);
    (void)journal_sync(r, false);
    journal_run_free(r);
    journal_close(j);
    if (journal_verify(&v, NULL, NULL, NULL) < 0 || v.faults || v.rows < kept)
        return 2;
    return tells_of_the_gap(p);
}

/* What was kept can be read; what is new cannot be kept, and that is said. */
static int
write_protect_a_disk(const struct place *p)
{
    struct journal_verify v = {0};
    struct err e = {0};

    if (enter_small_disk(p) < 0)
        return 77;
    add_one();
    if (mount("none", p->state, NULL, MS_REMOUNT | MS_RDONLY, NULL) < 0)
        return 77;
    if (journal_open(0, 0, &e) || e.code != ERR_PERMISSION)
        return 1;
    if (journal_verify(&v, NULL, NULL, NULL) < 0 || v.faults || v.rows != 1)
        return 2;
    return 0;
}

static void
in_a_place_of_its_own(int (*deed)(const struct place *p))
{
    struct place p;
    int status = -1;
    pid_t pid;

    place_enter(&p);
    pid = fork();
    if (pid == 0)
        _exit(deed(&p));
    assert_int_equal(waitpid(pid, &status, 0), pid);
    if (WEXITSTATUS(status) == 77)
        print_message("# no name spaces here: not tried\n");
    else
        assert_int_equal(status, 0);
    place_leave(&p);
}

static void
a_full_disk_loses_nothing_that_was_kept(void **state)
{
    (void)state;
    in_a_place_of_its_own(fill_a_disk);
}

static void
a_write_protected_disk_can_be_read(void **state)
{
    (void)state;
    in_a_place_of_its_own(write_protect_a_disk);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            a_file_that_is_no_journal_is_left_and_one_is_begun_beside),
        cmocka_unit_test(a_newer_form_is_not_touched),
        cmocka_unit_test(a_link_is_refused),
        cmocka_unit_test(a_directory_that_is_a_link_is_refused),
        cmocka_unit_test(a_directory_that_others_write_to_is_refused),
        cmocka_unit_test(a_journal_that_others_could_read_is_made_private),
        cmocka_unit_test(
            a_locked_journal_stops_nobody_and_says_what_is_missing),
        cmocka_unit_test(a_full_disk_loses_nothing_that_was_kept),
        cmocka_unit_test(a_write_protected_disk_can_be_read),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
