/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_spaces_store.c - a question is answered once, and one process goes on
 * with its run. */
#include "tests/unit/unit.h"

#include <dirent.h>
#include <fcntl.h>

#include "base/file.h"
#include "record/spaces_store.h"
#include "tests/unit/record.h"

#define RUN "run_0123456789abcdef0123456789abcdef"
#define DIGEST                                                                 \
    "0000000000000000000000000000000000000000000000000000000000000000"
#define SECRET "swordfish-in-an-operation"

static const struct spaces_answer yes = {
    .yes = true, .by = "ann", .via = "a test"};
static const struct spaces_answer no = {.by = "bob", .via = "a test"};

struct asked {
    struct place place;
    struct spaces_store *s;
    struct buf events;
    int64_t number;
};

static struct spaces_store *
open_spaces_store(void)
{
    struct err e = {0};
    struct spaces_store *s = spaces_store_open(0, &e);

    if (!s)
        fail_msg("%s", e.text);
    return s;
}

static int64_t
ask_question(struct asked *t, int64_t expires_ms)
{
    struct spaces_question q = {.run = RUN,
                                .workspace = "/work",
                                .operations = SECRET,
                                .operations_n = strlen(SECRET),
                                .index = 3,
                                .op = "a\0b",
                                .op_n = 3,
                                .type = "shell",
                                .what = "rm x",
                                .reason = "why",
                                .rule = "rule",
                                .digest = DIGEST,
                                .expires_ms = expires_ms,
                                .events = t->events.p,
                                .events_n = t->events.len};
    int64_t number = 0;
    struct err e = {0};

    if (spaces_store_ask(t->s, &q, &number, &e) < 0)
        fail_msg("%s", e.text);
    return number;
}

static void
asked_enter(struct asked *t, int64_t expires_ms)
{
    place_enter(&t->place);
    t->s = open_spaces_store();
    buf_init(&t->events, 1000);
    buf_str(&t->events, "{\"n\":1}");
    t->number = ask_question(t, expires_ms);
}

static void
asked_leave(struct asked *t)
{
    spaces_store_close(t->s);
    buf_done(&t->events);
    place_leave(&t->place);
}

/* Another process, whose predecessor is gone. */
static void
restart(struct asked *t)
{
    spaces_store_close(t->s);
    t->s = open_spaces_store();
}

/* The outcome, or -1. */
static int
claim(struct asked *t, const struct spaces_answer *answer)
{
    const struct spaces_resume r = {.run = RUN,
                                    .workspace = "/work",
                                    .op = "a\0b",
                                    .op_n = 3,
                                    .answer = answer};
    CLEANUP(spaces_claim_done) struct spaces_claim c;

    if (spaces_store_claim(t->s, &r, &c, NULL) < 0)
        return -1;
    assert_string_equal(c.operations, SECRET);
    assert_int_equal(c.index, 3);
    assert_string_equal(c.digest, DIGEST);
    assert_string_equal(c.events.p, t->events.p);
    return (int)c.outcome;
}

static void
an_answer_counts_once(void **state)
{
    struct asked t;
    bool lives = false;
    struct err e = {0};

    (void)state;
    asked_enter(&t, 0);
    assert_int_equal(claim(&t, NULL), SPACES_OUTCOME_WAITS);
    assert_int_equal(spaces_store_answer(t.s, t.number, &yes, &lives, &e), 0);
    assert_true(lives);
    assert_true(spaces_store_was_notified(t.s));
    assert_int_equal(spaces_store_answer(t.s, t.number, &no, &lives, &e), -1);
    assert_int_equal(e.code, ERR_NOT_FOUND);
    assert_int_equal(claim(&t, &no), -1);
    assert_int_equal(claim(&t, NULL), SPACES_OUTCOME_YES);
    assert_int_equal(claim(&t, NULL), -1);
    assert_int_equal(claim(&t, &yes), -1);
    asked_leave(&t);
}

static void
a_question_survives_its_process(void **state)
{
    struct asked t;
    bool lives = true;

    (void)state;
    asked_enter(&t, 0);
    restart(&t);
    assert_int_equal(spaces_store_answer(t.s, t.number, &no, &lives, NULL), 0);
    assert_false(lives);
    restart(&t);
    assert_int_equal(claim(&t, &yes), -1);
    assert_int_equal(claim(&t, &no), SPACES_OUTCOME_NO);
    asked_leave(&t);
}

static void
what_was_under_way_is_interrupted(void **state)
{
    struct asked t;
    const struct spaces_resume r = {.run = RUN};
    struct spaces_claim c;

    (void)state;
    asked_enter(&t, 0);
    assert_int_equal(claim(&t, &yes), SPACES_OUTCOME_YES);
    assert_int_equal(spaces_store_begin(t.s, RUN, 4, &t.events, 0, NULL), 0);
    restart(&t);
    assert_int_equal(spaces_store_claim(t.s, &r, &c, NULL), 0);
    assert_int_equal(c.outcome, SPACES_OUTCOME_INTERRUPTED);
    assert_int_equal(c.index, 4);
    assert_string_equal(c.events.p, "{\"n\":1}{\"n\":1}");
    spaces_claim_done(&c);
    assert_int_equal(spaces_store_delivered(t.s, RUN, true, NULL), 0);
    restart(&t);
    assert_int_equal(spaces_store_claim(t.s, &r, &c, NULL), -1);
    spaces_claim_done(&c);
    asked_leave(&t);
}

static void
a_question_expires(void **state)
{
    struct asked t;
    bool lives;

    (void)state;
    asked_enter(&t, 1);
    assert_int_equal(spaces_store_answer(t.s, t.number, &yes, &lives, NULL),
                     -1);
    assert_int_equal(claim(&t, &yes), SPACES_OUTCOME_EXPIRED);
    asked_leave(&t);
}

static void
other_runs_and_places_are_refused(void **state)
{
    struct asked t;
    struct spaces_claim c;
    const struct spaces_resume wrong[] = {
        {.run = "run_x", .answer = &yes},
        {.run = RUN, .workspace = "/else", .answer = &yes},
        {.run = RUN, .op = "a", .op_n = 1, .answer = &yes},
    };

    (void)state;
    asked_enter(&t, 0);
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        assert_int_equal(spaces_store_claim(t.s, &wrong[i], &c, NULL), -1);
        spaces_claim_done(&c);
    }
    assert_int_equal(claim(&t, NULL), SPACES_OUTCOME_WAITS);
    asked_leave(&t);
}

static void
operations_are_gone_when_the_run_is_over(void **state)
{
    struct asked t;
    char path[256];

    (void)state;
    asked_enter(&t, 0);
    assert_int_equal(claim(&t, &yes), SPACES_OUTCOME_YES);
    assert_int_equal(spaces_store_delivered(t.s, RUN, true, NULL), 0);
    restart(&t);
    spaces_store_close(t.s);
    snprintf(path, sizeof(path), "%s/approvals.db", t.place.dir);
    {
        CLEANUP_BUF struct buf all = buf_of(1u << 20);

        assert_int_equal(file_read(path, &all, NULL), 0);
        assert_null(memmem(all.p, all.len, SECRET, strlen(SECRET)));
    }
    t.s = open_spaces_store();
    asked_leave(&t);
}

static void
a_damaged_row_is_noticed(void **state)
{
    static const char *const damages[] = {
        "UPDATE run SET owner = CAST(x'610062' AS TEXT)",
        "UPDATE run SET state = 9",
        "UPDATE run SET id = '../../x'",
        "UPDATE approval SET digest = 'short'",
        "UPDATE approval SET state = -1",
    };
    char path[256];

    (void)state;
    for (size_t i = 0; i < sizeof(damages) / sizeof(damages[0]); i++) {
        struct asked t;

        asked_enter(&t, 0);
        snprintf(path, sizeof(path), "%s/approvals.db", t.place.dir);
        spaces_store_close(t.s);
        place_sql(path, damages[i]);
        t.s = open_spaces_store();
        assert_int_equal(claim(&t, &yes), -1);
        asked_leave(&t);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_answer_counts_once),
        cmocka_unit_test(a_question_survives_its_process),
        cmocka_unit_test(what_was_under_way_is_interrupted),
        cmocka_unit_test(a_question_expires),
        cmocka_unit_test(other_runs_and_places_are_refused),
        cmocka_unit_test(operations_are_gone_when_the_run_is_over),
        cmocka_unit_test(a_damaged_row_is_noticed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
