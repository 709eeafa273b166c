/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_client_tools.c - a model that calls tools before it answers, through the
 * model process in all four wire formats. The program is built in the top of
 * the build tree, beside the process that it starts. */
#include "tests/unit/unit.h"

#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "model/client.h"
#include "model/provider/tool_calls.h"
#include "tests/unit/served.h"

#define WAIT_MS    20000 /* for anything, on a slow machine */
#define ROUNDS_MAX 8
#define TURNS_MAX  (1 + ROUNDS_MAX * (MODEL_TOOL_CALLS_MAX + 1))

static const struct model_tool tools[] = {
    {"fs_list", "Lists a directory.",
     "{\"type\":\"object\",\"properties\":{\"path\":{\"type\":\"string\"}}}",
     NULL},
    {"sysinfo", "Tells of the machine.", "{\"type\":\"object\"}", NULL},
};

/* A request, through all rounds of tool calls that it takes. */
struct tool_loop {
    struct loop *loop;
    struct model_selection *selection;
    struct model *m;
    struct model_turn turns[TURNS_MAX];
    size_t n_turns;
    struct tool_calls tool_calls[ROUNDS_MAX];
    struct model_tool_call views[ROUNDS_MAX][MODEL_TOOL_CALLS_MAX];
    char *answers[ROUNDS_MAX];
    int rounds;       /* with tool calls */
    struct buf calls; /* "NAME ARGS", a line each */
    struct buf text;  /* of the answer */
    struct err why;
    bool ended;
};

static void ask(struct tool_loop *k);

/* Copies the calls, which are borrowed, and adds their results. */
static void
add_round(struct tool_loop *k, const struct model_answer *a)
{
    struct tool_calls *w = &k->tool_calls[k->rounds];
    struct model_turn *t = &k->turns[k->n_turns++];

    k->answers[k->rounds] = strdup(a->text);
    *t = (struct model_turn){.role = MODEL_ASSISTANT,
                             .text = k->answers[k->rounds],
                             .tool_calls = k->views[k->rounds],
                             .n_tool_calls = a->n_tool_calls};
    for (size_t i = 0; i < a->n_tool_calls; i++) {
        const struct model_tool_call *c = &k->views[k->rounds][i];

        assert_int_equal(tool_calls_add_copy(w, &a->tool_calls[i]), 0);
        k->views[k->rounds][i] = tool_calls_view(&w->rows[i]);
        buf_printf(&k->calls, "%s %.*s\n", c->name, (int)c->args_len, c->args);
        k->turns[k->n_turns++] = (struct model_turn){
            .role = MODEL_RESULT,
            .text = "seen password=hunter2hunter2",
            .call_id = c->id,
            .call_name = c->name,
            .failed = strcmp(c->name, "sysinfo") != 0};
    }
    k->rounds++;
}

static void
on_answer(void *arg, const struct model_answer *a)
{
    struct tool_loop *k = arg;

    assert_int_equal(strlen(a->text), a->len);
    if (a->n_tool_calls > 0) {
        assert_true(k->rounds < ROUNDS_MAX);
        add_round(k, a);
        ask(k);
        return;
    }
    buf_add(&k->text, a->text, a->len);
    k->ended = true;
}

static void
on_failed(void *arg, const struct err *why)
{
    struct tool_loop *k = arg;

    k->why = *why;
    k->ended = true;
}

/* Every round but the last declares tools. */
static void
ask(struct tool_loop *k)
{
    static const struct model_events events = {.answer = on_answer,
                                               .failed = on_failed};
    const struct model_request r = {
        .system = "You are a test.",
        .turns = k->turns,
        .n_turns = k->n_turns,
        .schema = "{\"type\":\"object\",\"properties\":{\"kind\":{\"type\":"
                  "\"string\"}},\"required\":[\"kind\"]}",
        .tools = tools,
        .n_tools = k->rounds < ROUNDS_MAX ? N_OF(tools) : 0,
    };

    assert_int_equal(model_ask(k->m, &r, &events, k, NULL), 0);
}

static void
look(struct tool_loop *k, const struct served *f, const char *provider,
     const char *model)
{
    int64_t end = clock_ms() + WAIT_MS;

    *k = (struct tool_loop){.loop = loop_new(NULL), .n_turns = 1};
    k->turns[0] = (struct model_turn){.role = MODEL_USER, .text = "look"};
    buf_init(&k->calls, 1u << 20);
    buf_init(&k->text, 1u << 20);
    k->selection = served_select(f, provider, model);
    k->m = model_start(k->loop, -1, k->selection, NULL);
    assert_non_null(k->m);
    ask(k);
    while (!k->ended && clock_ms() < end)
        assert_true(loop_turn(k->loop, 100, NULL) >= 0);
    assert_true(k->ended);
}

static void
looker_done(struct tool_loop *k)
{
    model_free(k->m);
    model_selection_free(k->selection);
    loop_free(k->loop);
    for (int i = 0; i < k->rounds; i++) {
        tool_calls_done(&k->tool_calls[i]);
        free(k->answers[i]);
    }
    buf_done(&k->calls);
    buf_done(&k->text);
}

struct row {
    const char *model, *providers; /* letters of the providers with the fault */
    const char *calls;             /* NULL: fails with these words */
    const char *words;             /* of the model beside its first calls */
};

#define CALL "sysinfo {}\n"

static const struct row rows[] = {
    {"fault:call", "oagl", CALL, ""},
    {"fault:call-text", "oagl", CALL, "I look first."},
    {"fault:call-stop", "oagl", CALL, ""},
    {"fault:call-two", "oagl", CALL CALL "sysinfo {\"path\": \"/\"}\n", ""},
    {"fault:call-unknown", "oagl", "no_such_tool {}\n", ""},
    {"fault:call-odd-name", "ogl", "rm -rf / \xe2\x80\xae {}\n", ""},
    {"fault:call-empty", "oa", "sysinfo \n", ""},
    {"fault:call-broken", "oagl", "sysinfo {\"path\": \"/et\n", ""},
    {"fault:call-list", "oal", "sysinfo [1]\n", ""},
    {"fault:call-no-id", "o", CALL CALL, ""},
    {"fault:call-same-id", "ogl", CALL CALL, ""},
    {"fault:call-letters", "oagl",
     "sysinfo {\"path\": \"fa\xc3\xa7"
     "ade \xe6\x89\x8b \xf0\x9f\x99\x82\"}\n",
     ""},
    {"fault:call-reasoned", "oal", CALL, ""},
    {"fault:call-forever", "oagl", CALL CALL CALL CALL CALL CALL CALL CALL, ""},
    {"fault:call-written", "oagl", CALL, ""},
    {"fault:no-tools", "oagl", CALL, ""},
    {"fault:no-tools-function", "g", CALL, ""},
    {"fault:no-tools-parser", "o", CALL, ""},
    {"fault:call-many", "oagl", NULL, "more than 16 tools"},
    {"fault:call-long", "oagl", NULL, "64 KiB"},
    {"fault:call-cut", "oagl", NULL, "ended early"},
    {"fault:call-limit", "oagl", NULL, "token limit"},
};

/* Removes blanks in arguments, which differ between the formats. */
static void
squeeze(const char *text, struct buf *out)
{
    for (; *text; text++) {
        if (*text != ' ' || (text[1] != '"' && text[-1] != ':'))
            buf_ch(out, *text);
    }
}

static void
check_row(const struct served *f, const struct row *r, const char *provider)
{
    CLEANUP_BUF struct buf want = buf_of(1u << 16);
    CLEANUP_BUF struct buf got = buf_of(1u << 16);
    struct tool_loop k;

    look(&k, f, provider, r->model);
    squeeze(k.calls.p, &got);
    squeeze(r->calls ? r->calls : "", &want);
    if (strcmp(got.p, want.p) != 0 || (!r->calls) != (k.text.len == 0))
        print_error("# %s on %s: %s\n# %s| %s\n", r->model, provider,
                    k.why.text, k.calls.p, k.text.p);
    assert_string_equal(got.p, want.p);
    if (r->calls) {
        assert_int_equal(k.why.code, ERR_NONE);
        assert_non_null(strstr(k.text.p, "command_sequence"));
        assert_string_equal(k.answers[0], r->words);
    } else {
        assert_int_equal(k.why.code, ERR_ANSWER);
        assert_non_null(strstr(k.why.text, r->words));
    }
    looker_done(&k);
}

static void
a_model_calls_tools_and_then_answers(void **state)
{
    static const struct {
        char letter;
        const char *name;
    } providers[] = {
        {'o', "openai"}, {'a', "anthropic"}, {'g', "gemini"}, {'l', "ollama"}};
    const struct served *f = *state;

    setenv("ANTHROPIC_API_KEY", SERVED_KEY, 1);
    setenv("GEMINI_API_KEY", SERVED_KEY, 1);
    setenv("ANTHROPIC_BASE_URL", f->url, 1);
    setenv("GEMINI_BASE_URL", f->url, 1);
    setenv("OLLAMA_HOST", f->url, 1);
    for (size_t i = 0; i < N_OF(rows); i++) {
        for (size_t k = 0; k < N_OF(providers); k++) {
            if (strchr(rows[i].providers, providers[k].letter))
                check_row(f, &rows[i], providers[k].name);
        }
    }
}

/* They refuse a schema too: it would allow calls. */
static void
a_server_without_tools_is_cached(void **state)
{
    const struct served *f = *state;
    CLEANUP_BUF struct buf b = buf_of(1u << 16);
    char path[128];
    const char *line;

    snprintf(path, sizeof(path), "%s/agentsh/quirks", f->home);
    assert_int_equal(file_read(path, &b, NULL), 0);
    line = strstr(b.p, "fault:no-tools\t");
    assert_non_null(line);
    assert_true(strcspn(line, "\n") >
                (size_t)(strstr(line, "no_tools\n") - line));
    assert_null(strstr(b.p, "fault:call\tno_tools"));
}

static void
a_request_is_shown_with_tools_and_without_secrets(void **state)
{
    const struct model_tool_call call = {
        .id = "c1", .name = "sysinfo", .args = "{}", .args_len = 2};
    const struct model_turn turns[] = {
        {.role = MODEL_USER, .text = "look"},
        {.role = MODEL_ASSISTANT, .tool_calls = &call, .n_tool_calls = 1},
        {.role = MODEL_RESULT,
         .text = "seen password=hunter2hunter2",
         .call_id = "c1",
         .call_name = "sysinfo"},
    };
    const struct model_request r = {.turns = turns,
                                    .n_turns = N_OF(turns),
                                    .tools = tools,
                                    .n_tools = N_OF(tools)};
    CLEANUP_BUF struct buf shown = buf_of(1u << 20);
    struct model_selection *c = served_select(*state, "openai", "m");

    assert_int_equal(model_show_request(c, &r, &shown, NULL), 0);
    assert_non_null(strstr(shown.p, "\"name\":\"fs_list\""));
    assert_non_null(strstr(shown.p, "\"tool_call_id\":\"c1\""));
    assert_non_null(strstr(shown.p, "seen password="));
    assert_null(strstr(shown.p, "hunter2"));
    model_selection_free(c);
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_model_calls_tools_and_then_answers),
        cmocka_unit_test(a_server_without_tools_is_cached),
        cmocka_unit_test(a_request_is_shown_with_tools_and_without_secrets),
    };

    if (!served_can())
        return 0;
    (void)signal(SIGPIPE, SIG_IGN); /* as each front does */
    return cmocka_run_group_tests(tests, served_set_up, served_tear_down);
}
