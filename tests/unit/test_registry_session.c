/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_registry_session.c - servers of a session come, and go without a trace.
 */
#include "unit.h"

#include "fake_servers.h"
#include "tool/call.h"
#include "tool/mcp/mcp_config.h"

#define TEXT_MAX 512

struct refused {
    size_t n;
    char title[64], why[256];
};

static void
on_refused(void *arg, const char *title, const struct err *why)
{
    struct refused *x = arg;

    x->n++;
    snprintf(x->title, sizeof(x->title), "%s", title);
    snprintf(x->why, sizeof(x->why), "%s", why->text);
}

static struct refused
add(const struct fakes *f, const char *text)
{
    struct refused x = {0};
    struct err e = {0};

    if (registry_add_servers(f->registry, text, strlen(text), on_refused, &x,
                             &e) < 0)
        fail_msg("%s", e.text);
    return x;
}

struct answer {
    char out[TEXT_MAX];
    bool over;
};

static void
on_done(void *arg, const struct tool_result *r)
{
    struct answer *a = arg;

    snprintf(a->out, sizeof(a->out), "%.*s", (int)r->out_len, r->out);
    a->over = true;
}

static void
on_failed(void *arg, const struct err *why)
{
    struct answer *a = arg;

    snprintf(a->out, sizeof(a->out), "failed: %s", why->text);
    a->over = true;
}

static void
call(const struct fakes *f, const char *name, struct tool_pool *pool,
     struct answer *a)
{
    static const struct tool_events events = {.done = on_done,
                                              .failed = on_failed};
    const struct tool_request rq = {.action = "call", .timeout_ms = FAKE_MS};
    const struct tool_invocation in = {
        .confine = {.tool = must_find_tool(f->registry, name),
                    .seat = f->seat,
                    .pool = pool},
        .accept = GUARD_ASK};
    struct err e = {0};
    struct tool_call *c;

    *a = (struct answer){0};
    if (!(c = tool_invoke(f->loop, &in, &rq, &events, a, &e)))
        fail_msg("%s", e.text);
    while (!a->over)
        assert_true(loop_turn(f->loop, 100, NULL) >= 0);
    tool_call_free(c);
}

static void
turn_until_alone(const struct fakes *f)
{
    int64_t until = clock_ms() + FAKE_MS;

    while (count_children() > 0 && clock_ms() < until)
        assert_true(loop_turn(f->loop, 20, NULL) >= 0);
    assert_int_equal(count_children(), 0);
    while (loop_turn(f->loop, 0, NULL) > 0) {
    }
}

static void
they_are_used_without_a_yes_and_leave_nothing(void **state)
{
    struct fakes *f = *state;
    CLEANUP_BUF struct buf text = buf_of(1u << 16);
    const struct tool *servers[REGISTRY_SERVERS_MAX];
    struct tool_pool *pool;
    struct refused x;
    struct answer a;
    int fds;

    fakes_open(f, "fine");
    fakes_list(f, NULL);
    fakes_entries(f, "good silent fine", &text);
    assert_non_null(pool = tool_pool_new(f->loop, NULL));
    fds = count_fds();
    x = add(f, text.p);
    assert_int_equal(x.n, 1);
    assert_string_equal(x.title, "fine");
    assert_non_null(strstr(x.why, "is there already"));
    assert_int_equal(must_find_tool(f->registry, "good")->trust, TOOL_TRUSTED);
    assert_int_equal(registry_unlisted(f->registry, NULL, servers), 2);
    fakes_list(f, "good.one");
    call(f, "good.one", pool, &a);
    assert_string_equal(a.out, f->tree.top); /* where the session is */
    assert_int_equal(count_children(), 1);

    tool_pool_end_servers(pool, f->registry);
    registry_remove_servers(f->registry);
    assert_null(registry_find(f->registry, "good.one", NULL));
    must_find_tool(f->registry, "fine.one");
    turn_until_alone(f);
    assert_int_equal(count_fds(), fds);

    x = add(f, text.p); /* the list is kept, by the hash */
    must_find_tool(f->registry, "good.two");
    registry_remove_servers(f->registry);
    tool_pool_free(pool);
}

static void
they_go_while_they_are_asked(void **state)
{
    struct fakes *f = *state;
    static const struct registry_listing_events ev = {.done = on_fakes_listed};
    const struct registry_listing_params all = {0};
    CLEANUP_BUF struct buf text = buf_of(1u << 16);
    struct registry_listing *l;
    bool done = false;
    int fds;

    fakes_open(f, "fine");
    fakes_list(f, NULL);
    fakes_entries(f, "silent good", &text);
    fds = count_fds();
    (void)add(f, text.p);
    l = registry_listing_start(f->loop, f->registry, &all, &ev, &done, NULL);
    assert_non_null(l);
    for (int i = 0; i < 3; i++)
        assert_true(loop_turn(f->loop, 100, NULL) >= 0);
    assert_int_equal(count_children(), 2);
    registry_listing_free(l);
    registry_remove_servers(f->registry);
    assert_false(done);
    assert_int_equal(count_children(), 0);
    assert_int_equal(count_fds(), fds);
    must_find_tool(f->registry, "fine.one");
}

static void
their_texts_are_taken_as_they_are(void **state)
{
    static const char text[] =
        "{\"mcpServers\":{"
        "\"X\":{\"command\":\"/bin/sh\",\"args\":[\"${HOME}\"],"
        "\"env\":{\"A\":\"${PATH}\"},\"agentsh\":{\"network\":\"internet\","
        "\"write\":[\"workspace\"]}},"
        "\"x\":{\"command\":\"/bin/sh\"},\"bad\":{\"command\":4},"
        "\"net\":{\"type\":\"sse\",\"url\":\"http://localhost/\"},"
        "\"web\":{\"type\":\"http\",\"url\":\"https://x.invalid/?k=v\","
        "\"headers\":{\"Authorization\":\"${HOME}\"}},"
        "\"far\":{\"url\":\"http://x.invalid/\","
        "\"agentsh\":{\"plain_http\":true}}}}";
    CLEANUP_BUF struct buf shown = buf_of(1u << 16);
    struct fakes *f = *state;
    const struct tool *t;
    struct refused x;
    struct err e = {0};

    fakes_open(f, "fine");
    x = add(f, text);
    assert_int_equal(x.n, 1);
    assert_string_equal(x.title, "x"); /* the name of X, too */
    t = must_find_tool(f->registry, "x");
    assert_string_equal(t->server->argv[1], "${HOME}");
    assert_string_equal(t->server->env[0], "A=${PATH}");
    assert_ptr_equal(t->server->seat, f->seat);
    assert_null(t->server->cwd);
    assert_false(t->manifest->needs.network);
    assert_null(t->manifest->needs.write[0]);
    assert_null(registry_find(f->registry, "bad", &e));
    assert_non_null(strstr(e.text, "must be a string"));
    assert_null(registry_find(f->registry, "net", &e));
    assert_non_null(strstr(e.text, "not supported"));
    assert_null(registry_find(f->registry, "far", &e));
    assert_non_null(strstr(e.text, "only for this machine"));
    t = must_find_tool(f->registry, "web");
    assert_string_equal(t->server->headers[0], "Authorization: ${HOME}");
    assert_true(t->manifest->needs.network);
    assert_null(t->manifest->needs.read[0]);
    registry_describe(f->seat, t, &shown);
    assert_non_null(strstr(shown.p, "https://x.invalid/?…\n"));
    assert_non_null(strstr(shown.p, "Authorization\n"));
    assert_non_null(strstr(shown.p, "this server"));
    assert_null(strstr(shown.p, "HOME"));
}

static void
a_text_of_another_form_is_refused(void **state)
{
    static const struct {
        const char *text;
        enum err_code code;
    } rows[] = {
        {"", ERR_CONFIG},
        {"[]", ERR_CONFIG},
        {"{}", ERR_CONFIG},
        {"{\"mcpServers\":[]}", ERR_CONFIG},
        {"{\"mcpServers\":{}}", ERR_NONE},
        {"{\"mcpServers\":{}}", ERR_INVALID}, /* there are some already */
    };
    struct fakes *f = *state;
    struct refused x = {0};

    fakes_open(f, "fine");
    for (size_t i = 0; i < N_OF(rows); i++) {
        struct err e = {0};

        (void)registry_add_servers(f->registry, rows[i].text,
                                   strlen(rows[i].text), on_refused, &x, &e);
        if (e.code != rows[i].code)
            fail_msg("%s: %d %s", rows[i].text, e.code, e.text);
    }
    registry_remove_servers(f->registry);
    registry_remove_servers(f->registry); /* of none */
    must_find_tool(f->registry, "fine");
}

int
main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, fakes_setup, fakes_teardown)
    const struct CMUnitTest tests[] = {
        CASE(they_are_used_without_a_yes_and_leave_nothing),
        CASE(they_go_while_they_are_asked),
        CASE(their_texts_are_taken_as_they_are),
        CASE(a_text_of_another_form_is_refused),
    };

    if (!fakes_can_start()) {
        puts("1..0 # SKIP no server can be started here");
        return 0;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
