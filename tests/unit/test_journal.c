/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_journal.c - what is added is there, redacted, in a chain. */
#include "tests/unit/unit.h"

#include <sys/stat.h>

#include "record/journal.h"
#include "record/ledger.h"
#include "tests/unit/record.h"
#include "json/json.h"

static const struct journal_member greeting[] = {
    JOURNAL_STR("text", "hello"),
    {0},
};

static void
a_first_event_makes_a_private_file(void **state)
{
    struct place p;
    struct journal *j;
    struct journal_run *r;
    struct stat st;
    struct err e = {0};

    (void)state;
    place_enter(&p);
    j = journal_open(90, 64, &e);
    r = journal_run_new(j, NULL);
    assert_non_null(j);
    assert_int_equal(journal_add(r, "request", greeting), 0);
    assert_int_equal(journal_sync(r, false), 0);
    assert_null(journal_trouble(j));
    journal_run_free(r);
    journal_close(j);
    assert_int_equal(stat(p.dir, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0700);
    assert_int_equal(stat(p.file, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    place_leave(&p);
}

static void
no_journal_takes_everything(void **state)
{
    (void)state;
    assert_int_equal(journal_add(NULL, "request", greeting), 0);
    assert_int_equal(journal_sync(NULL, true), 0);
    assert_null(journal_trouble(NULL));
}

static void
each_row_carries_the_hash_of_the_one_before(void **state)
{
    struct place p;
    char body[100], hash[100], time[100], want[SHA256_HEX_SIZE];
    char prev[SHA256_HEX_SIZE] = LEDGER_FIRST_HASH, sql[100], run[64];
    struct journal *j;
    struct journal_run *one;

    (void)state;
    place_enter(&p);
    j = journal_open(90, 64, NULL);
    one = journal_run_new(j, NULL);
    for (int i = 0; i < 3; i++)
        assert_int_equal(journal_add(one, "request", greeting), 0);
    assert_non_null(place_value(p.file, "SELECT run FROM row WHERE seq=1", run,
                                sizeof(run)));
    for (int64_t i = 1; i <= 3; i++) {
        struct ledger_row r = {.seq = i, .kind = "request", .kind_len = 7};

        snprintf(sql, sizeof(sql), "SELECT body FROM row WHERE seq=%d", (int)i);
        r.body = place_value(p.file, sql, body, sizeof(body));
        r.body_len = strlen(body);
        snprintf(sql, sizeof(sql), "SELECT time FROM row WHERE seq=%d", (int)i);
        r.time = place_value(p.file, sql, time, sizeof(time));
        r.time_len = strlen(time);
        r.run = run;
        r.run_len = strlen(run);
        assert_int_equal(ledger_hash(prev, &r, want, NULL), 0);
        snprintf(sql, sizeof(sql), "SELECT hash FROM row WHERE seq=%d", (int)i);
        assert_string_equal(place_value(p.file, sql, hash, sizeof(hash)), want);
        memcpy(prev, want, sizeof(prev));
    }
    journal_run_free(one);
    journal_close(j);
    place_leave(&p);
}

/* What is given, and what is stored. */
struct stored {
    const char *what, *json;
    struct journal_member m;
    const char *body;
};

static const struct stored stored[] = {
    {"a text", NULL, JOURNAL_STR("a", "b"), "{\"a\":\"b\"}"},
    {"some bytes", NULL, JOURNAL_BYTES("a", "bcd", 2), "{\"a\":\"bc\"}"},
    {"the end of a text", NULL, JOURNAL_TAIL("a", "bcd", 2), "{\"a\":\"bc\"}"},
    {"the end of a text that is not there", NULL, JOURNAL_TAIL("a", NULL, 0),
     "{}"},
    {"an empty text", NULL, JOURNAL_TAIL("a", "", 0), "{\"a\":\"\"}"},
    {"the end of bytes that are no UTF-8", NULL, JOURNAL_TAIL("a", "x\xff", 2),
     "{\"a\":\"x\xef\xbf\xbd\"}"},
    {"a secret in the end of a text", NULL,
     JOURNAL_TAIL("a", "TOKEN=0123456789abcdefX", 23),
     "{\"a\":\"TOKEN=[redacted:token]\"}"},
    {"a number", NULL, JOURNAL_NUM("n", -7), "{\"n\":-7}"},
    {"a truth", NULL, JOURNAL_FLAG("f", 1), "{\"f\":true}"},
    {"a text that is not there", NULL, JOURNAL_STR("a", NULL), "{}"},
    {"bytes that are no UTF-8", NULL, JOURNAL_BYTES("a", "x\xff", 2),
     "{\"a\":\"x\xef\xbf\xbd\"}"},
    {"a secret in a text", NULL,
     JOURNAL_STR("a", "curl -H 'Authorization: Bearer abcdef0123456789abcdef'"),
     NULL},
    {"a secret in a tree", "{\"x\":[\"export API_KEY=k3jh4kj5h43kj5h34k5\"]}",
     JOURNAL_TREE("a", NULL), NULL},
    {"a secret by its name", "{\"password\":\"hunter2\",\"n\":1.50}",
     JOURNAL_TREE("a", NULL),
     "{\"a\":{\"password\":\"[redacted:password]\",\"n\":1.50}}"},
    {"a tree", "{\"x\":[1,true,null,\"y\"],\"z\":{}}", JOURNAL_TREE("a", NULL),
     "{\"a\":{\"x\":[1,true,null,\"y\"],\"z\":{}}}"},
};

static void
store_one(const struct place *p, const struct stored *c)
{
    struct json *tree = c->json ? json_parse(c->json, strlen(c->json), 0, NULL)
                                : NULL;
    struct journal_member members[] = {c->m, {0}};
    struct journal *j = journal_open(90, 64, NULL);
    struct journal_run *r = journal_run_new(j, NULL);
    char body[400];

    members[0].json = tree;
    assert_int_equal(journal_add(r, "request", members), 0);
    journal_run_free(r);
    journal_close(j);
    json_free(tree);
    place_value(p->file, "SELECT body FROM row ORDER BY seq DESC LIMIT 1", body,
                sizeof(body));
    if (c->body && strcmp(body, c->body) != 0)
        fail_msg("%s: %s", c->what, body);
    if (!c->body && !strstr(body, "[redacted:"))
        fail_msg("%s is kept: %s", c->what, body);
}

static void
members_become_json_without_secrets(void **state)
{
    struct place p;

    (void)state;
    place_enter(&p);
    for (size_t i = 0; i < N_OF(stored); i++)
        store_one(&p, &stored[i]);
    place_leave(&p);
}

/* Much becomes little, and the look ends within a secret. */
static void
half_a_secret_at_the_end_of_the_look_is_not_kept(void **state)
{
    static const char key[] = "-----BEGIN PRIVATE KEY-----\n";
    static const char key_end[] = "-----END PRIVATE KEY-----\n";
    static const char half[] = "password=halfsecret";
    static char text[JOURNAL_TEXT_MAX * 2], body[JOURNAL_TEXT_MAX * 2];
    const struct journal_member members[] = {
        JOURNAL_BYTES("out", text, sizeof(text)), {0}};
    const size_t look = JOURNAL_TEXT_MAX + 8192, key_at = 100, long_key = 16384;
    struct place p;
    struct journal *j;
    struct journal_run *r;

    (void)state;
    place_enter(&p);
    for (size_t i = 0; i < sizeof(text); i++)
        text[i] = i % 64 ? 'A' : '\n';
    memcpy(text + key_at, key, strlen(key));
    memcpy(text + key_at + long_key, key_end, strlen(key_end));
    memset(text + key_at + long_key + strlen(key_end), ' ',
           look - key_at - long_key - strlen(key_end));
    text[look - strlen("pass") - 1] = '\n';
    memcpy(text + look - strlen("pass"), half, strlen(half));
    j = journal_open(90, 64, NULL);
    r = journal_run_new(j, NULL);
    assert_int_equal(journal_add(r, "result", members), 0);
    journal_run_free(r);
    journal_close(j);
    place_value(p.file, "SELECT body FROM row", body, sizeof(body));
    assert_non_null(strstr(body, "[redacted:"));
    assert_null(strstr(body, "pass"));
    place_leave(&p);
}

static void
a_long_text_is_cut_and_its_size_told(void **state)
{
    static char text[JOURNAL_TEXT_MAX * 2];
    const struct journal_member members[] = {
        JOURNAL_BYTES("out", text, sizeof(text)), {0}};
    struct place p;
    struct journal *j;
    struct journal_run *r;
    char found[64];

    (void)state;
    memset(text, 'x', sizeof(text));
    place_enter(&p);
    j = journal_open(90, 64, NULL);
    r = journal_run_new(j, NULL);
    assert_int_equal(journal_add(r, "result", members), 0);
    journal_run_free(r);
    journal_close(j);
    place_value(p.file, "SELECT length(body) FROM row", found, sizeof(found));
    assert_true(strtol(found, NULL, 10) < (long)JOURNAL_TEXT_MAX + 100);
    place_value(p.file, "SELECT json_extract(body, '$.out_bytes') FROM row",
                found, sizeof(found));
    assert_int_equal(strtol(found, NULL, 10), sizeof(text));
    place_leave(&p);
}

/* What does not reach the disk at once is kept all the same. */
static void
a_sync_that_fails_is_no_event_that_is_missing(void **state)
{
    struct place p;
    char log[200], away[200], gap[200];
    struct journal *j;
    struct journal_run *r;

    (void)state;
    place_enter(&p);
    snprintf(log, sizeof(log), "%s-wal", p.file);
    snprintf(away, sizeof(away), "%s-away", p.file);
    j = journal_open(0, 0, NULL);
    r = journal_run_new(j, NULL);
    assert_non_null(j);
    assert_int_equal(journal_add(r, "request", greeting), 0);
    assert_int_equal(rename(log, away), 0);
    assert_int_equal(journal_sync(r, false), -1);
    assert_non_null(journal_trouble(j));
    assert_int_equal(rename(away, log), 0);
    assert_int_equal(journal_add(r, "end", greeting), 0);
    journal_run_free(r);
    journal_close(j);
    place_value(p.file, "SELECT body FROM row WHERE kind = 'gap'", gap,
                sizeof(gap));
    assert_string_equal(gap, "");
    place_leave(&p);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_first_event_makes_a_private_file),
        cmocka_unit_test(no_journal_takes_everything),
        cmocka_unit_test(each_row_carries_the_hash_of_the_one_before),
        cmocka_unit_test(members_become_json_without_secrets),
        cmocka_unit_test(half_a_secret_at_the_end_of_the_look_is_not_kept),
        cmocka_unit_test(a_long_text_is_cut_and_its_size_told),
        cmocka_unit_test(a_sync_that_fails_is_no_event_that_is_missing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
