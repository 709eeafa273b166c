/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_errand.c - requests for tools, many at once, asked about or dropped. */
#include "unit_seat.h"

#include "action/errand.h"
#include "base/clock.h"
#include "sandbox/probe.h"
#include "tree.h"

#define WAIT_MS 30000 /* for all that a test waits for */
#define MANY    12

struct fixture {
    struct tree tree; /* with work/, where the session is, and home/ */
    struct seat *seat;
    struct config *config;
    struct policy *policy;
    struct registry *registry;
    struct loop *loop;
    struct tool_pool *pool;
    struct errand_context *context;
    char journal[8192]; /* the kinds of the events, a blank before each */
};

/* What came of an errand. */
struct seen {
    struct fixture *f;
    struct errand *errand;
    struct json *args;
    size_t ends, asks; /* how many of these events came */
    uint64_t token;
    bool ok;
    enum err_code failed;
    bool denied;
    char out[256], why[512];
    bool frees; /* the context, when the errand ends */
};

static void
record(void *arg, const char *kind, const struct journal_member *members,
       bool later)
{
    struct fixture *f = arg;
    size_t used = strlen(f->journal);

    (void)members;
    (void)later;
    snprintf(f->journal + used, sizeof(f->journal) - used, " %s", kind);
}

static void
note_end(struct seen *s)
{
    s->ends++;
    if (!s->frees)
        return;
    errand_context_free(s->f->context);
    s->f->context = NULL;
}

static void
on_ask(void *arg, uint64_t token, const struct tool *t, const struct permit *p)
{
    struct seen *s = arg;

    assert_non_null(t->name);
    s->asks++;
    s->token = token;
    snprintf(s->why, sizeof(s->why), "%s", p->reason);
}

static void
on_done(void *arg, const struct tool_result *r)
{
    struct seen *s = arg;

    s->ok = r->ok;
    snprintf(s->out, sizeof(s->out), "%s", r->out);
    note_end(s);
}

static void
on_denied(void *arg, const struct permit *p, int64_t ms)
{
    struct seen *s = arg;

    assert_true(ms >= 0);
    s->denied = true;
    snprintf(s->why, sizeof(s->why), "%s", p->rule);
    note_end(s);
}

static void
on_failed(void *arg, const struct err *why, int64_t ms)
{
    struct seen *s = arg;

    assert_true(ms >= 0);
    s->failed = why->code;
    snprintf(s->why, sizeof(s->why), "%s", why->text);
    note_end(s);
}

static const struct errand_events events = {
    .ask = on_ask, .done = on_done, .denied = on_denied, .failed = on_failed};

static void
open_context(struct fixture *f, enum errand_ask ask, int64_t ask_ms)
{
    const struct errand_params params = {
        .loop = f->loop,
        .seat = f->seat,
        .config = f->config,
        .policy = f->policy,
        .registry = f->registry,
        .pool = f->pool,
        .record = {.add = record, .arg = f},
        .ask = ask,
        .ask_ms = ask_ms,
        .by = "test",
        .yes = "person",
    };

    f->journal[0] = '\0';
    errand_context_free(f->context);
    f->context = errand_context_new(&params, NULL);
    assert_non_null(f->context);
}

static void
start(struct fixture *f, struct seen *s, const char *tool, const char *action,
      const char *args)
{
    struct errand_request rq = {.tool = tool, .action = action};

    *s = (struct seen){.f = f};
    rq.args = s->args = json_parse(args, strlen(args), 0, NULL);
    assert_non_null(s->args);
    s->errand = errand_start(f->context, &rq, &events, s, NULL);
    assert_non_null(s->errand);
    assert_int_equal(s->ends + s->asks, 0); /* not before the loop turns */
}

static void
drop(struct seen *s)
{
    errand_free(s->errand);
    json_free(s->args);
    *s = (struct seen){0};
}

/* Turns the loop until n events of one kind came. */
static void
await(const struct fixture *f, const size_t *count, size_t n)
{
    int64_t until = clock_ms() + WAIT_MS;

    while (*count < n) {
        assert_true(clock_ms() < until);
        assert_true(loop_turn(f->loop, 100, NULL) >= 0);
    }
}

/* Whatever is due is over. */
static void
settle(const struct fixture *f)
{
    for (int i = 0; i < 5; i++)
        assert_true(loop_turn(f->loop, 0, NULL) >= 0);
}

static bool
is_there(const struct fixture *f, const char *name)
{
    char path[PATH_MAX];

    return access(tree_path(&f->tree, name, path), F_OK) == 0;
}

/* Where there are none, nothing is hidden by mounts, and what a command writes
 * needs the profile reduced. */
static bool
has_namespaces(void)
{
    return probe_machine(false) == PROBE_WHOLE;
}

static void
await_file(const struct fixture *f, const char *name)
{
    int64_t until = clock_ms() + WAIT_MS;

    while (!is_there(f, name)) {
        assert_true(clock_ms() < until);
        assert_true(loop_turn(f->loop, 5, NULL) >= 0);
    }
}

static int
set_up(void **state)
{
    struct fixture *f = calloc(1, sizeof(*f));
    char home[PATH_MAX], work[PATH_MAX];

    assert_non_null(f);
    assert_int_equal(tree_make(&f->tree), 0);
    assert_int_equal(tree_dir(&f->tree, "work"), 0);
    assert_int_equal(tree_dir(&f->tree, "home"), 0);
    assert_int_equal(tree_text(&f->tree, "work/old", "as it was\n"), 0);
    assert_int_equal(setenv("HOME", tree_path(&f->tree, "home", home), 1), 0);
    assert_int_equal(unsetenv("XDG_STATE_HOME"), 0);
    assert_int_equal(unsetenv("XDG_CONFIG_HOME"), 0);
    assert_int_equal(unsetenv("XDG_DATA_HOME"), 0);
    assert_int_equal(chdir(tree_path(&f->tree, "work", work)), 0);
    f->seat = seat_of_process(NULL);
    f->config = config_load_files(NULL, NULL, NULL);
    f->policy = policy_load_files(NULL, NULL, "standard", NULL, NULL);
    f->registry = registry_open(f->seat, f->config, NULL);
    f->loop = loop_new(NULL);
    f->pool = tool_pool_new(f->loop, NULL);
    assert_true(f->policy && f->registry && f->pool);
    *state = f;
    return 0;
}

static int
tear_down(void **state)
{
    struct fixture *f = *state;

    errand_context_free(f->context);
    tool_pool_free(f->pool);
    registry_free(f->registry);
    policy_free(f->policy);
    config_free(f->config);
    loop_free(f->loop);
    seat_free(f->seat);
    assert_int_equal(chdir("/"), 0);
    tree_drop(&f->tree);
    free(f);
    return 0;
}

static bool
hides(const struct sandbox_spec *s, const char *path)
{
    for (size_t i = 0; s->secret[i]; i++)
        if (strcmp(s->secret[i], path) == 0)
            return true;
    return false;
}

static const struct sandbox_spec *
kept_setup(const struct fixture *f, struct confinement_cache *c)
{
    struct confinement_params params = {
        .tool = registry_find(f->registry, "fs.read_file", NULL),
        .seat = f->seat,
        .workspace = seat_dir(f->seat),
        .config = f->config,
    };
    struct err e = {0};

    if (confinement_cache_use(c, &params, &e) < 0)
        fail_msg("%s", e.text);
    assert_non_null(params.sandbox);
    return params.sandbox;
}

/* What a tool must not see is looked for once, and again when it changes. */
static void
a_secret_that_appears_is_hidden_from_the_next_call(void **state)
{
    struct fixture *f = *state;
    struct confinement_cache *c;
    int64_t until = clock_ms() + WAIT_MS;
    const struct sandbox_spec *s = NULL, *before;
    char path[PATH_MAX];

    if (!has_namespaces())
        return;
    c = confinement_cache_new(NULL);
    assert_non_null(c);
    assert_int_equal(tree_dir(&f->tree, "home/.gnupg"), 0);
    tree_path(&f->tree, "home/.gnupg", path);
    do {
        assert_true(clock_ms() < until);
        assert_true(loop_turn(f->loop, 5, NULL) >= 0);
        before = s;
        s = kept_setup(f, c);
        assert_true(hides(s, path));
    } while (s != before);
    assert_int_equal(tree_dir(&f->tree, "home/.ssh"), 0);
    confinement_cache_doubt(c);
    s = kept_setup(f, c);
    assert_true(hides(s, tree_path(&f->tree, "home/.ssh", path)));
    confinement_cache_free(c);
}

static void
many_run_at_once_and_each_ends_once(void **state)
{
    struct fixture *f = *state;
    struct seen all[MANY], none;

    open_context(f, ERRAND_ASK_ALLOW, 0);
    for (size_t i = 0; i < MANY; i++)
        start(f, &all[i], i % 3 ? "fs.read_file" : "cmd.run",
              i % 3 ? "read" : "execute",
              i % 3 ? "{\"path\":\"old\"}" : "{\"command\":\"cat old\"}");
    start(f, &none, "fs.nothing", "read", "{}");
    for (size_t i = 0; i < MANY; i++)
        await(f, &all[i].ends, 1);
    await(f, &none.ends, 1);
    settle(f);
    for (size_t i = 0; i < MANY; i++) {
        assert_int_equal(all[i].ends, 1);
        assert_string_equal(all[i].why, "");
        assert_true(all[i].ok);
        assert_string_equal(all[i].out, "as it was\n");
        drop(&all[i]);
    }
    assert_int_equal(none.failed, ERR_NOT_FOUND);
    drop(&none);
    assert_true(errand_context_acted(f->context));
}

static void
what_is_wrong_is_an_event_and_recorded(void **state)
{
    static const struct {
        const char *tool, *action, *args;
        enum err_code code; /* ERR_NONE: denied */
        const char *journal;
    } rows[] = {
        {"fs.read_file", "no", "{}", ERR_INVALID, " call result"},
        {"fs.read_file", "read", "{\"path\":1}", ERR_INVALID, " call result"},
        {"fs.read_file", "read", "[]", ERR_INVALID, " call result"},
        {"fs.read_file", "read", "{\"path\":\".env\"}", ERR_NONE,
         " call result"},
        {"cmd.run", "execute", "{\"command\":\"sudo id\"}", ERR_NONE,
         " call result"},
    };
    struct fixture *f = *state;
    struct seen s;

    for (size_t i = 0; i < N_OF(rows); i++) {
        open_context(f, ERRAND_ASK_ALLOW, 0);
        start(f, &s, rows[i].tool, rows[i].action, rows[i].args);
        await(f, &s.ends, 1);
        assert_int_equal(s.failed, rows[i].code);
        assert_int_equal(s.denied, rows[i].code == ERR_NONE);
        assert_string_equal(f->journal, rows[i].journal);
        assert_false(errand_context_acted(f->context));
        drop(&s);
    }
}

#define WRITE_OLD "{\"path\":\"old\",\"content\":\"new\"}"

static void
where_nobody_can_be_asked_the_answer_is_no(void **state)
{
    struct fixture *f = *state;
    struct seen s;

    open_context(f, ERRAND_ASK_DENY, 0);
    start(f, &s, "fs.write_file", "write", WRITE_OLD);
    await(f, &s.ends, 1);
    assert_true(s.denied);
    assert_int_equal(s.asks, 0);
    drop(&s);
}

/* Of many that ask, the one that is answered runs. */
static void
an_answer_is_for_its_own_question(void **state)
{
    struct fixture *f = *state;
    struct err e = {0};
    struct seen a, b;

    open_context(f, ERRAND_ASK_LATER, 0);
    start(f, &a, "fs.write_file", "write", WRITE_OLD);
    start(f, &b, "cmd.run", "execute", "{\"command\":\"rm old\"}");
    await(f, &a.asks, 1);
    await(f, &b.asks, 1);
    assert_non_null(strstr(a.why, "write"));
    assert_int_equal(errand_answer(a.errand, b.token, true, &e), -1);
    assert_int_equal(e.code, ERR_INVALID);
    assert_int_equal(errand_answer(a.errand, a.token, true, NULL), 0);
    assert_int_equal(errand_answer(b.errand, b.token, false, NULL), 0);
    assert_int_equal(a.ends + b.ends, 0);
    await(f, &a.ends, 1);
    await(f, &b.ends, 1);
    assert_true(a.ok);
    assert_true(b.denied);
    assert_string_equal(b.why, "answered no");
    assert_true(is_there(f, "work/old"));
    assert_int_equal(errand_answer(a.errand, a.token, true, &e), -1);
    assert_int_equal(e.code, ERR_NOT_FOUND);
    drop(&a);
    drop(&b);
}

static void
a_second_answer_is_none(void **state)
{
    struct fixture *f = *state;
    struct err e = {0};
    struct seen s;

    open_context(f, ERRAND_ASK_LATER, 0);
    start(f, &s, "fs.write_file", "write", WRITE_OLD);
    await(f, &s.asks, 1);
    assert_int_equal(errand_answer(s.errand, s.token, false, NULL), 0);
    assert_int_equal(errand_answer(s.errand, s.token, true, &e), -1);
    assert_int_equal(e.code, ERR_NOT_FOUND);
    await(f, &s.ends, 1);
    settle(f);
    assert_int_equal(s.ends, 1);
    assert_true(s.denied);
    drop(&s);
}

static void
a_late_answer_starts_nothing(void **state)
{
    struct fixture *f = *state;
    struct err e = {0};
    struct seen s;

    open_context(f, ERRAND_ASK_LATER, 1);
    start(f, &s, "cmd.run", "execute", "{\"command\":\"rm old\"}");
    await(f, &s.ends, 1);
    assert_int_equal(s.failed, ERR_TIMEOUT);
    assert_int_equal(errand_answer(s.errand, s.token, true, &e), -1);
    assert_int_equal(e.code, ERR_NOT_FOUND);
    settle(f);
    assert_true(is_there(f, "work/old"));
    drop(&s);
}

static void
a_yes_is_for_what_was_shown(void **state)
{
    struct fixture *f = *state;
    struct seen s;

    open_context(f, ERRAND_ASK_LATER, 0);
    assert_int_equal(tree_text(&f->tree, "work/script", "echo x >harmless\n"),
                     0);
    start(f, &s, "cmd.run", "execute", "{\"command\":\"sh script\"}");
    await(f, &s.asks, 1);
    assert_int_equal(tree_text(&f->tree, "work/script", "echo x >evil\n"), 0);
    assert_int_equal(errand_answer(s.errand, s.token, true, NULL), 0);
    await(f, &s.ends, 1);
    assert_int_equal(s.failed, ERR_DENIED);
    assert_non_null(strstr(s.why, "has changed since"));
    assert_false(is_there(f, "work/evil"));
    drop(&s);

    if (!has_namespaces())
        return;
    start(f, &s, "cmd.run", "execute", "{\"command\":\"sh script\"}");
    await(f, &s.asks, 1);
    assert_int_equal(errand_answer(s.errand, s.token, true, NULL), 0);
    await(f, &s.ends, 1);
    assert_true(s.ok);
    assert_true(is_there(f, "work/evil"));
    drop(&s);
}

/* A file that the tool writes, also one behind a link, and the directory. */
static void
a_yes_is_for_the_files_that_were_there(void **state)
{
    static const struct {
        const char *path;
        bool swap; /* the directory */
    } rows[] = {{"old", false}, {"link", false}, {"old", true}};
    struct fixture *f = *state;
    char args[64], dir[PATH_MAX], aside[PATH_MAX];

    assert_int_equal(tree_link(&f->tree, "old", "work/link"), 0);
    tree_path(&f->tree, "work", dir);
    tree_path(&f->tree, "aside", aside);
    for (size_t i = 0; i < N_OF(rows); i++) {
        struct seen s;

        open_context(f, ERRAND_ASK_LATER, 0);
        snprintf(args, sizeof(args), "{\"path\":\"%s\",\"content\":\"new\"}",
                 rows[i].path);
        assert_int_equal(tree_text(&f->tree, "work/old", "as shown"), 0);
        start(f, &s, "fs.write_file", "write", args);
        await(f, &s.asks, 1);
        if (rows[i].swap) {
            assert_int_equal(rename(dir, aside) | tree_dir(&f->tree, "work"),
                             0);
            assert_int_equal(tree_text(&f->tree, "work/old", "as shown"), 0);
        } else {
            assert_int_equal(tree_text(&f->tree, "work/old", "mine"), 0);
        }
        assert_int_equal(errand_answer(s.errand, s.token, true, NULL), 0);
        await(f, &s.ends, 1);
        assert_int_equal(s.failed, ERR_DENIED);
        assert_non_null(strstr(s.why, "has changed since"));
        drop(&s);
    }
}

#define BEGUN "{\"command\":\"touch begun; sleep 1000\"}"

static void
one_that_is_dropped_says_no_more(void **state)
{
    struct fixture *f = *state;
    struct seen runs, asks, due;

    if (!has_namespaces())
        return;
    open_context(f, ERRAND_ASK_ALLOW, 0);
    start(f, &runs, "cmd.run", "execute", BEGUN);
    await_file(f, "work/begun");
    errand_free(TAKE_PTR(runs.errand));
    start(f, &due, "fs.nothing", "read", "{}");
    errand_free(TAKE_PTR(due.errand));
    settle(f);
    open_context(f, ERRAND_ASK_LATER, 0);
    start(f, &asks, "fs.write_file", "write", WRITE_OLD);
    await(f, &asks.asks, 1);
    errand_free(TAKE_PTR(asks.errand));
    settle(f);
    assert_int_equal(runs.ends + due.ends + asks.ends, 0);
    drop(&runs);
    drop(&due);
    drop(&asks);
}

static void
a_context_that_goes_ends_its_errands(void **state)
{
    struct fixture *f = *state;
    struct err e = {0};
    struct seen runs, asks, due;

    open_context(f, ERRAND_ASK_LATER, 0);
    start(f, &runs, "fs.read_file", "read", "{\"path\":\"old\"}");
    start(f, &asks, "fs.write_file", "write", WRITE_OLD);
    await(f, &asks.asks, 1);
    start(f, &due, "fs.nothing", "read", "{}");
    errand_context_free(TAKE_PTR(f->context));
    settle(f);
    assert_int_equal(asks.ends + due.ends, 0);
    assert_int_equal(errand_answer(asks.errand, asks.token, true, &e), -1);
    assert_int_equal(e.code, ERR_NOT_FOUND);
    errand_pause(runs.errand, true);
    errand_elevate(runs.errand, true);
    drop(&runs);
    drop(&asks);
    drop(&due);
}

static void
a_context_may_go_in_the_last_event_of_an_errand(void **state)
{
    static const struct {
        const char *tool, *action, *args;
    } rows[] = {
        {"fs.read_file", "read", "{\"path\":\"old\"}"},
        {"fs.nothing", "read", "{}"},
        {"fs.read_file", "read", "{\"path\":\".env\"}"},
    };
    struct fixture *f = *state;
    struct seen s, other;

    for (size_t i = 0; i < N_OF(rows); i++) {
        open_context(f, ERRAND_ASK_ALLOW, 0);
        start(f, &s, rows[i].tool, rows[i].action, rows[i].args);
        start(f, &other, "cmd.run", "execute", "{\"command\":\"sleep 1000\"}");
        s.frees = true;
        await(f, &s.ends, 1);
        settle(f);
        assert_int_equal(s.ends, 1);
        assert_int_equal(other.ends, 0);
        drop(&s);
        drop(&other);
    }
}

int
main(void)
{
#define EACH(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    static const struct CMUnitTest tests[] = {
        EACH(a_secret_that_appears_is_hidden_from_the_next_call),
        EACH(many_run_at_once_and_each_ends_once),
        EACH(what_is_wrong_is_an_event_and_recorded),
        EACH(where_nobody_can_be_asked_the_answer_is_no),
        EACH(an_answer_is_for_its_own_question),
        EACH(a_second_answer_is_none),
        EACH(a_late_answer_starts_nothing),
        EACH(a_yes_is_for_what_was_shown),
        EACH(a_yes_is_for_the_files_that_were_there),
        EACH(one_that_is_dropped_says_no_more),
        EACH(a_context_that_goes_ends_its_errands),
        EACH(a_context_may_go_in_the_last_event_of_an_errand),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
