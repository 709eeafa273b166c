/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_registry_listing.c - servers are asked for their tools side by side. */
#include "unit.h"

#include "fake_servers.h"

#define NAMES_MAX 256

struct seen {
    struct fakes *fakes;
    char names[NAMES_MAX]; /* of those that reported, in their order */
    size_t good_tools;     /* found when that server reported */
    bool done;
};

static void
on_listed(void *arg, const struct tool *server, size_t n)
{
    struct seen *s = arg;
    size_t used = strlen(s->names);

    assert_int_equal(n == 0, server->fault.code != ERR_NONE);
    snprintf(s->names + used, sizeof(s->names) - used, "%s%s", used ? " " : "",
             server->name);
    if (strcmp(server->name, "good") != 0)
        return;
    s->good_tools += registry_find(s->fakes->registry, "good.one", NULL) !=
                     NULL;
    s->good_tools += registry_find(s->fakes->registry, "good.two", NULL) !=
                     NULL;
}

static void
on_done(void *arg)
{
    ((struct seen *)arg)->done = true;
}

static const struct registry_listing_events events = {.listed = on_listed,
                                                      .done = on_done};

static struct registry_listing *
start(struct fakes *f, struct seen *s, const char *tool, int64_t limit_ms)
{
    const struct registry_listing_params params = {.tool = tool,
                                                   .limit_ms = limit_ms};
    struct registry_listing *l;

    *s = (struct seen){.fakes = f};
    l = registry_listing_start(f->loop, f->registry, &params, &events, s, NULL);
    assert_non_null(l);
    return l;
}

/* Asks all that are not listed for their tools, or the one of that tool. */
static void
list_tools(struct fakes *f, struct seen *s, const char *tool, int64_t limit_ms)
{
    struct registry_listing *l = start(f, s, tool, limit_ms);
    int64_t until = clock_ms() + FAKE_MS;

    while (!s->done && clock_ms() < until)
        assert_true(loop_turn(f->loop, 100, NULL) >= 0);
    assert_true(s->done);
    registry_listing_free(l);
}

static const struct tool *
entry_of(struct registry *r, const char *name)
{
    const struct tool *t;

    for (size_t i = 0; (t = registry_at(r, i)) != NULL; i++)
        if (strcmp(t->name, name) == 0)
            return t;
    fail_msg("%s is not listed", name);
    return NULL;
}

static void
one_that_is_silent_keeps_no_other_waiting(void **state)
{
    static const struct {
        const char *name;
        enum err_code code;
        const char *says;
    } faults[] = {
        {"silent", ERR_TIMEOUT, "did not list its tools within 4 s"},
        {"flood", ERR_PEER, "more than 10000 messages"},
        {"dies", ERR_PEER, "it hurts"},
        {"empty", ERR_NOT_FOUND, "offers no tools"},
    };
    struct fakes *f = *state;
    struct seen s;
    int fds;

    fakes_open(f, "silent flood good dies empty");
    fds = count_fds();
    list_tools(f, &s, NULL, 4000);
    assert_int_equal(count_fds(), fds);
    assert_int_equal(count_children(), 0);
    assert_int_equal(s.good_tools, 2);
    assert_true(strstr(s.names, "good") < strstr(s.names, "silent"));
    for (size_t i = 0; i < N_OF(faults); i++) {
        const struct tool *t = entry_of(f->registry, faults[i].name);

        assert_null(t->manifest);
        if (t->fault.code != faults[i].code ||
            !strstr(t->fault.text, faults[i].says))
            fail_msg("%s: %s", t->name, t->fault.text);
    }
    assert_string_equal(must_find_tool(f->registry, "good.one")->remote, "one");
}

static void
who_is_cancelled_leaves_nothing(void **state)
{
    struct fakes *f = *state;
    int64_t until = clock_ms() + FAKE_MS;
    struct registry_listing *l;
    struct seen s;
    int fds;

    fakes_open(f, "silent good");
    fds = count_fds();
    l = start(f, &s, NULL, 0);
    while (!s.names[0] && clock_ms() < until)
        assert_true(loop_turn(f->loop, 100, NULL) >= 0);
    registry_listing_free(l);
    assert_string_equal(s.names, "good");
    assert_false(s.done);
    assert_int_equal(count_fds(), fds);
    assert_int_equal(count_children(), 0);
    assert_int_equal(loop_turn(f->loop, 0, NULL), 0);
}

static void
a_list_is_kept_and_nobody_is_asked_again(void **state)
{
    struct fakes *f = *state;
    const struct tool *servers[REGISTRY_SERVERS_MAX];
    struct err e = {0};
    struct seen s;

    fakes_open(f, "good fine dies");
    assert_null(registry_find(f->registry, "good.one", &e));
    assert_int_equal(e.code, ERR_NOT_FOUND);
    assert_int_equal(registry_unlisted(f->registry, NULL, servers), 3);
    list_tools(f, &s, "good.one", 0);
    assert_string_equal(s.names, "good");
    list_tools(f, &s, NULL, 0);
    assert_non_null(strstr(s.names, "fine"));
    assert_null(strstr(s.names, "good"));

    registry_free(f->registry);
    fakes_open(f, "good fine dies");
    assert_int_equal(registry_unlisted(f->registry, NULL, servers), 0);
    must_find_tool(f->registry, "fine.two");
    assert_non_null(
        strstr(entry_of(f->registry, "dies")->fault.text, "minutes ago"));
    assert_int_equal(registry_unlisted(f->registry, "dies.x", servers), 1);
    list_tools(f, &s, NULL, 0); /* of nobody, and not before this */
    assert_string_equal(s.names, "");
}

int
main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, fakes_setup, fakes_teardown)
    const struct CMUnitTest tests[] = {
        CASE(one_that_is_silent_keeps_no_other_waiting),
        CASE(who_is_cancelled_leaves_nothing),
        CASE(a_list_is_kept_and_nobody_is_asked_again),
    };

    if (!fakes_can_start()) {
        puts("1..0 # SKIP no server can be started here");
        return 0;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
