/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_journal_chain.c - what was done to the journal is named. */
#include "tests/unit/unit.h"

#include <sys/wait.h>

#include "record/journal.h"
#include "record/journal_read.h"
#include "record/journal_verify.h"
#include "tests/unit/record.h"

static const struct journal_member greeting[] = {
    JOURNAL_STR("text", "hello"),
    {0},
};

/* Two runs of five rows. */
static void
fill(int runs)
{
    for (int run = 0; run < runs; run++) {
        struct journal *j = journal_open(0, 0, NULL);
        struct journal_run *r = journal_run_new(j, NULL);

        assert_non_null(j);
        for (int i = 0; i < 5; i++)
            assert_int_equal(journal_add(r, "request", greeting), 0);
        assert_int_equal(journal_sync(r, false), 0);
        journal_run_free(r);
        journal_close(j);
    }
}

static void
on_fault(void *arg, int64_t row, const char *what)
{
    char *text = arg;
    size_t n = strlen(text);

    assert_true(row > -100);
    snprintf(text + n, 1000 - n, "%s%s", n ? "; " : "", what);
}

/* What SQL does to ten rows, and what is said of it. */
struct tampering {
    const char *what, *sql, *faults;
};

#define CHANGED(n) "row " n " was changed or moved"

static const struct tampering tamperings[] = {
    {"nothing", "SELECT 1", ""},
    {"a body", "UPDATE row SET body = '{}' WHERE seq = 4", CHANGED("4")},
    {"a time", "UPDATE row SET time = 'x' WHERE seq = 1", CHANGED("1")},
    {"a kind", "UPDATE row SET kind = 'end' WHERE seq = 10", CHANGED("10")},
    {"a run", "UPDATE row SET run = 'x' WHERE seq = 2", CHANGED("2")},
    {"a hash", "UPDATE row SET hash = 'x' WHERE seq = 5", CHANGED("5")},
    {"bytes moved from one part to the next",
     "UPDATE row SET kind = 'reques', body = 't' || body WHERE seq = 3",
     CHANGED("3")},
    {"a blob for a text", "UPDATE row SET body = x'00ff' WHERE seq = 7",
     CHANGED("7")},
    {"a row that is gone", "DELETE FROM row WHERE seq = 6", "row 6 is missing"},
    {"rows that are gone", "DELETE FROM row WHERE seq BETWEEN 6 AND 8",
     "rows 6 to 8 are missing"},
    {"the first rows", "DELETE FROM row WHERE seq < 3",
     "rows 1 to 2 are missing"},
    {"the last rows", "DELETE FROM row WHERE seq > 8",
     "rows 9 to 10 are missing"},
    {"all rows", "DELETE FROM row", "rows 1 to 10 are missing"},
    {"two rows in each other's place",
     "UPDATE row SET seq = 99 WHERE seq = 3;"
     "UPDATE row SET seq = 3 WHERE seq = 4;"
     "UPDATE row SET seq = 4 WHERE seq = 99",
     CHANGED("3") "; " CHANGED("4") "; " CHANGED("5")},
    {"a row in front",
     "INSERT INTO row SELECT 0, time, run, kind, body, hash FROM row "
     "WHERE seq = 1",
     "row 0 was added before the first one"},
    {"a row behind",
     "INSERT INTO row SELECT 11, time, run, kind, body, hash FROM row "
     "WHERE seq = 1",
     CHANGED("11") "; row 11 and those after it were added at the "
                   "end"},
    {"the last number of all",
     "UPDATE row SET seq = 9223372036854775807 WHERE seq = 10",
     "rows 10 to 9223372036854775806 are missing; row 11 and those after it "
     "were added at the end"},
    {"the last row and the head",
     "DELETE FROM row WHERE seq = 10; UPDATE head SET seq = 9",
     "row 9 is not the journal's last row"},
    {"no head", "DELETE FROM head",
     "the record of the journal's end is missing"},
    {"rows removed as if on purpose",
     "DELETE FROM row WHERE seq < 4;"
     "UPDATE row SET kind = 'removed', body = "
     "'{\"rows\":3,\"until\":\"x\",\"hash\":\"y\"}' WHERE seq = 8",
     CHANGED("4") "; " CHANGED("8")},
    {"all rows removed that there can be",
     "UPDATE row SET kind = 'removed', body = '{\"rows\":9223372036854775807,"
     "\"until\":\"x\",\"hash\":\"y\"}' WHERE seq = 10;"
     "DELETE FROM row WHERE seq < 10",
     "row 10 was added before the first one; row 11 and those after it were "
     "added at the end"},
};

static void
tamper_one(const struct tampering *c)
{
    struct place p;
    struct journal_verify v = {0};
    char faults[1000] = "";
    struct err e = {0};

    place_enter(&p);
    fill(2);
    place_sql(p.file, c->sql);
    if (journal_verify(&v, on_fault, faults, &e) < 0)
        fail_msg("%s: %s", c->what, e.text);
    if (strcmp(faults, c->faults) != 0)
        fail_msg("%s: '%s', not '%s'", c->what, faults, c->faults);
    place_leave(&p);
}

static void
each_kind_of_tampering_is_named_with_its_row(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(tamperings); i++)
        tamper_one(&tamperings[i]);
}

static void
the_last_verification_is_remembered(void **state)
{
    struct journal_state s;
    struct journal_reader *h;
    struct place p;
    struct journal_verify v;
    char faults[1000] = "";

    (void)state;
    place_enter(&p);
    fill(2);
    place_sql(p.file, "DELETE FROM row WHERE seq IN (3, 5)");
    assert_int_equal(journal_verify(&v, on_fault, faults, NULL), 0);
    h = journal_read_open(NULL);
    assert_int_equal(journal_read_state(h, &s, NULL), 0);
    journal_read_close(h);
    assert_int_equal(s.faults, 2);
    assert_int_equal(s.rows, 8);
    assert_int_equal(s.runs, 2);
    assert_int_equal(strlen(s.verified), 24);
    place_leave(&p);
}

/* Rows seem older than they are: the whole chain is made by their writer, so
 * that only the settings are at work. */
static void
what_is_too_old_is_removed_and_the_chain_holds(void **state)
{
    struct place p;
    struct journal *j;
    struct journal_run *r;
    struct journal_verify v;
    char faults[1000] = "", n[32];

    (void)state;
    place_enter(&p);
    fill(3);
    /* the times are part of the hashes: the oldest is compared, not checked */
    place_sql(p.file, "UPDATE row SET time = '2001-01-01T00:00:00.000Z' "
                      "WHERE seq <= 10");
    j = journal_open(30, 0, NULL);
    r = journal_run_new(j, NULL);
    assert_int_equal(journal_add(r, "request", greeting), 0);
    assert_int_equal(journal_sync(r, false), 0);
    journal_run_free(r);
    journal_close(j);
    assert_int_equal(journal_verify(&v, on_fault, faults, NULL), 0);
    assert_string_equal(faults, "");
    assert_int_equal(v.removed, 10);
    assert_string_equal(v.removed_until, "2001-01-01T00:00:00.000Z");
    assert_int_equal(v.rows, 7);
    place_value(p.file, "SELECT min(seq) FROM row", n, sizeof(n));
    assert_string_equal(n, "11");
    place_leave(&p);
}

static void
what_is_over_the_size_is_removed_from_the_oldest_end(void **state)
{
    static char text[60000];
    const struct journal_member members[] = {
        JOURNAL_BYTES("out", text, sizeof(text)), {0}};
    struct place p;
    struct journal_verify v;
    char faults[1000] = "", n[32];
    int64_t removed = 0;

    (void)state;
    memset(text, 'x', sizeof(text));
    place_enter(&p);
    for (int i = 0; i < 10; i++) {
        struct journal *j = journal_open(0, 1, NULL);
        struct journal_run *r = journal_run_new(j, NULL);

        for (int k = 0; k < 4; k++)
            assert_int_equal(journal_add(r, "result", members), 0);
        assert_int_equal(journal_sync(r, false), 0);
        assert_null(journal_trouble(j));
        journal_run_free(r);
        journal_close(j);
        assert_int_equal(journal_verify(&v, on_fault, faults, NULL), 0);
        assert_string_equal(faults, "");
        assert_true(v.removed >= removed);
        removed = v.removed;
    }
    assert_true(removed > 10);
    place_value(p.file,
                "SELECT (page_count - freelist_count) * page_size FROM "
                "pragma_page_count, pragma_freelist_count, pragma_page_size",
                n, sizeof(n));
    assert_true(strtol(n, NULL, 10) <= 1024 * 1024);
    place_leave(&p);
}

/* Writes in a process of its own. */
static pid_t
write_many(int n)
{
    pid_t pid = fork();
    struct journal *j;
    struct journal_run *r;

    if (pid != 0)
        return pid;
    j = journal_open(0, 0, NULL);
    r = journal_run_new(j, NULL);
    for (int i = 0; j && i < n; i++) {
        if (journal_add(r, "request", greeting) < 0)
            _exit(2);
    }
    _exit(j ? 0 : 1);
}

static void
processes_at_once_get_all_their_rows_in(void **state)
{
    struct place p;
    struct journal_verify v;
    char faults[1000] = "";
    pid_t child[3];

    (void)state;
    place_enter(&p);
    for (int i = 0; i < 3; i++)
        child[i] = write_many(200);
    for (int i = 0; i < 3; i++) {
        int status = -1;

        assert_int_equal(waitpid(child[i], &status, 0), child[i]);
        assert_int_equal(status, 0);
    }
    assert_int_equal(journal_verify(&v, on_fault, faults, NULL), 0);
    assert_string_equal(faults, "");
    assert_int_equal(v.rows, 600);
    assert_int_equal(v.runs, 3);
    place_leave(&p);
}

static void
a_run_is_found_by_its_beginning_or_its_end(void **state)
{
    struct place p;
    struct journal *j;
    struct journal_run *r;
    struct journal_reader *h;
    char run[64];
    CLEANUP_BUF struct buf found = buf_of(64);
    struct err e = {0};

    (void)state;
    place_enter(&p);
    fill(1);
    j = journal_open(0, 0, NULL);
    r = journal_run_new(j, NULL);
    assert_int_equal(journal_add(r, "request", greeting), 0);
    assert_non_null(place_value(p.file,
                                "SELECT run FROM row ORDER BY seq DESC LIMIT 1",
                                run, sizeof(run)));
    journal_run_free(r);
    journal_close(j);
    h = journal_read_open(NULL);
    assert_int_equal(journal_read_find_run(h, run, &found, NULL), 0);
    assert_string_equal(found.p, run);
    buf_clear(&found);
    assert_int_equal(
        journal_read_find_run(h, run + strlen(run) - 5, &found, NULL), 0);
    assert_string_equal(found.p, run);
    assert_int_equal(journal_read_find_run(h, "2", &found, &e), -1);
    assert_int_equal(e.code, ERR_INVALID);
    assert_int_equal(journal_read_find_run(h, "nothing", &found, &e), -1);
    assert_int_equal(e.code, ERR_NOT_FOUND);
    assert_int_equal(journal_read_find_run(h, "", &found, &e), -1);
    journal_read_close(h);
    place_leave(&p);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_kind_of_tampering_is_named_with_its_row),
        cmocka_unit_test(the_last_verification_is_remembered),
        cmocka_unit_test(what_is_too_old_is_removed_and_the_chain_holds),
        cmocka_unit_test(what_is_over_the_size_is_removed_from_the_oldest_end),
        cmocka_unit_test(processes_at_once_get_all_their_rows_in),
        cmocka_unit_test(a_run_is_found_by_its_beginning_or_its_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
