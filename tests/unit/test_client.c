/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_client.c - the front and the model process, against a server of our own.
 * The program is built in the top of the build tree, beside the process that it
 * starts. */
#include "tests/unit/unit.h"

#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "model/client.h"
#include "model/model_memory.h"
#include "model/provider/default_models.h"
#include "model/provider/provider_table.h"
#include "model/selection.h"
#include "tests/unit/served.h"

#define WAIT_MS 20000 /* for anything, on a slow machine */

/* The outcome of one request. */
struct outcome {
    struct model *m;
    struct buf text;
    char model[64];
    char words[256];
    enum err_code code;
    int ends, texts;
    bool cancel_at_text, free_at_end, again_at_end;
    int64_t cancelled_ms, ended_ms;
};

static const struct model_turn turn = {.role = MODEL_USER, .text = "say hello"};
static const struct model_request request = {
    .system = "You are a test.",
    .turns = &turn,
    .n_turns = 1,
    .schema = "{\"type\":\"object\",\"properties\":{\"kind\":{\"type\":"
              "\"string\"}},\"required\":[\"kind\"]}",
};

static void
on_text(void *arg, const char *p, size_t n)
{
    struct outcome *o = arg;

    o->texts++;
    buf_add(&o->text, p, n);
    if (o->cancel_at_text && !o->cancelled_ms) {
        o->cancelled_ms = clock_ms();
        model_cancel(o->m);
    }
}

static void
on_waiting(void *arg, const char *line)
{
    assert_true(strstr(line, "trying again in") || strstr(line, "; asking "));
    on_text(arg, "", 0);
}

static void on_answer(void *arg, const struct model_answer *a);
static void on_failed(void *arg, const struct err *why);

static const struct model_events events = {
    .text = on_text,
    .waiting = on_waiting,
    .answer = on_answer,
    .failed = on_failed,
};

static void
on_answer(void *arg, const struct model_answer *a)
{
    struct outcome *o = arg;

    o->ends++;
    o->ended_ms = clock_ms();
    snprintf(o->model, sizeof(o->model), "%s", a->model ? a->model : "");
    if (!o->again_at_end)
        assert_memory_equal(o->text.p, a->text, a->len);
    if (o->free_at_end) {
        model_free(o->m);
        o->m = NULL;
    }
    if (o->again_at_end) {
        o->again_at_end = false;
        buf_clear(&o->text);
        assert_int_equal(model_ask(o->m, &request, &events, o, NULL), 0);
    }
}

static void
on_failed(void *arg, const struct err *why)
{
    struct outcome *o = arg;

    o->ends++;
    o->ended_ms = clock_ms();
    o->code = why->code;
    snprintf(o->words, sizeof(o->words), "%s", why->text);
}

static void
run_until(struct loop *l, const struct outcome *o, int ends)
{
    int64_t end = clock_ms() + WAIT_MS;

    while (o->ends < ends && clock_ms() < end)
        assert_true(loop_turn(l, 100, NULL) >= 0);
    assert_int_equal(o->ends, ends);
}

struct session {
    struct loop *loop;
    struct model_selection *selection;
    struct outcome o;
};

static void
begin_without(struct session *s, void **state, const char *model)
{
    *s = (struct session){.loop = loop_new(NULL)};
    buf_init(&s->o.text, 1u << 20);
    s->selection = served_select(*state, "openai", model);
    s->o.m = model_start(s->loop, -1, s->selection, NULL);
    assert_non_null(s->o.m);
}

static void
begin(struct session *s, void **state, const char *model)
{
    begin_without(s, state, model);
    assert_int_equal(model_ask(s->o.m, &request, &events, &s->o, NULL), 0);
}

static void
end(struct session *s)
{
    model_free(s->o.m);
    model_selection_free(s->selection);
    loop_free(s->loop);
    buf_done(&s->o.text);
}

static void
an_answer_comes_whole_and_streamed(void **state)
{
    struct session s;

    begin(&s, state, "fault:answer");
    run_until(s.loop, &s.o, 1);
    assert_int_equal(s.o.code, ERR_NONE);
    assert_true(s.o.texts > 0);
    assert_string_equal(s.o.model, "fault:answer");
    assert_non_null(strstr(s.o.text.p, "answer_only"));
    end(&s);
}

/* It is written in a thread, from a copy: what it was made of is gone. */
static void
ask_at_length(struct session *s, size_t n)
{
    CLEANUP(free_p) char *text = malloc(n + 1);
    CLEANUP(free_p) char *args = strdup("{\"path\":\"a\"}");
    struct model_tool_call call = {.id = "c1",
                                   .name = "fs_read_file",
                                   .args = args,
                                   .args_len = strlen(args)};
    struct model_turn turns[] = {
        {.role = MODEL_USER, .text = text},
        {.role = MODEL_ASSISTANT, .tool_calls = &call, .n_tool_calls = 1},
        {.role = MODEL_RESULT,
         .text = "it is empty",
         .call_id = "c1",
         .call_name = "fs_read_file"}};
    const struct model_request long_request = {.system = "You are a test.",
                                               .turns = turns,
                                               .n_turns = N_OF(turns),
                                               .schema = request.schema};

    memset(text, 'a', n);
    text[n] = '\0';
    assert_int_equal(model_ask(s->o.m, &long_request, &events, &s->o, NULL), 0);
    memset(text, 'b', n);
    memset(turns, 0, sizeof(turns));
}

static void
a_long_request_is_asked_like_a_short_one(void **state)
{
    struct session s;

    begin_without(&s, state, "fault:answer");
    for (int i = 1; i <= 3; i++) {
        buf_clear(&s.o.text);
        ask_at_length(&s, 200000);
        model_hold(s.o.m, true); /* before it is sent */
        if (i != 2)
            model_hold(s.o.m, false);
        while (i == 2 && loop_turn(s.loop, 300, NULL) > 0)
            ;
        model_hold(s.o.m, false);
        run_until(s.loop, &s.o, i);
        assert_int_equal(s.o.code, ERR_NONE);
        assert_non_null(strstr(s.o.text.p, "answer_only"));
    }
    end(&s);
}

static void
a_long_request_may_be_cancelled_while_it_is_written(void **state)
{
    struct session s;

    begin_without(&s, state, "fault:answer");
    ask_at_length(&s, 1000000);
    model_cancel(s.o.m);
    run_until(s.loop, &s.o, 1);
    assert_int_equal(s.o.code, ERR_INTERRUPTED);
    s.o.code = ERR_NONE;
    ask_at_length(&s, 100000);
    run_until(s.loop, &s.o, 2);
    assert_int_equal(s.o.code, ERR_NONE);
    ask_at_length(&s, 1000000);
    end(&s);
}

/* More than the process takes. */
static void
a_request_that_is_too_long_fails_in_words(void **state)
{
    struct session s;

    begin_without(&s, state, "fault:answer");
    ask_at_length(&s, 30u << 20);
    run_until(s.loop, &s.o, 1);
    assert_int_not_equal(s.o.code, ERR_NONE);
    assert_non_null(strstr(s.o.words, "request"));
    end(&s);
}

static void
a_default_that_is_gone_is_replaced_and_remembered(void **state)
{
    const struct served *f = *state;
    const char *first = default_models_at(provider_openai(), 0);
    char name[MODEL_NAME_SIZE];
    struct session s = {.loop = loop_new(NULL)};

    buf_init(&s.o.text, 1u << 20);
    s.selection = served_select(f, "openai", "fault:not-found");
    s.selection->any_model = true; /* as if nobody had named it */
    s.o.m = model_start(s.loop, -1, s.selection, NULL);
    assert_int_equal(model_ask(s.o.m, &request, &events, &s.o, NULL), 0);
    run_until(s.loop, &s.o, 1);
    assert_int_equal(s.o.code, ERR_NONE);
    assert_string_equal(s.o.model, "fault"); /* of the server's list */
    assert_int_equal(model_memory_load(&s.selection->dirs, f->url, first, name),
                     0);
    assert_string_equal(name, "fault");
    assert_int_equal(
        model_memory_load(&s.selection->dirs, f->url, "another", name), -1);
    end(&s);
}

static void
a_model_that_was_named_is_never_replaced(void **state)
{
    struct session s;

    begin(&s, state, "fault:not-found");
    run_until(s.loop, &s.o, 1);
    assert_int_equal(s.o.code, ERR_MODEL);
    assert_non_null(strstr(s.o.words, "404"));
    end(&s);
}

static void
a_callback_may_send_the_next_request_or_free(void **state)
{
    struct session s;

    begin(&s, state, "fault:answer");
    s.o.again_at_end = true;
    run_until(s.loop, &s.o, 2);
    assert_int_equal(s.o.code, ERR_NONE);
    assert_non_null(s.o.m);
    s.o.free_at_end = true;
    buf_clear(&s.o.text);
    assert_int_equal(model_ask(s.o.m, &request, &events, &s.o, NULL), 0);
    run_until(s.loop, &s.o, 3);
    assert_null(s.o.m);
    end(&s);
}

static void
a_second_request_must_wait(void **state)
{
    struct session s;
    struct err e = {0};

    begin(&s, state, "fault:answer");
    assert_int_equal(model_ask(s.o.m, &request, &events, &s.o, &e), -1);
    assert_int_equal(e.code, ERR_INVALID);
    run_until(s.loop, &s.o, 1);
    end(&s);
}

/* How long a request took to end after it was cancelled. */
static int64_t
cancel_once(void **state, const char *model, bool at_once)
{
    struct session s;
    int64_t ms;

    begin(&s, state, model);
    s.o.cancel_at_text = true;
    if (at_once) {
        s.o.cancelled_ms = clock_ms();
        model_cancel(s.o.m);
    }
    run_until(s.loop, &s.o, 1);
    assert_int_equal(s.o.code, ERR_INTERRUPTED);
    ms = s.o.ended_ms - s.o.cancelled_ms;
    end(&s);
    return ms;
}

/* A busy machine may delay us once, but not every time. */
static void
check_cancel(void **state, const char *model, bool at_once)
{
    int64_t best = INT64_MAX;

    for (int i = 0; i < 5 && best > 100; i++) {
        int64_t ms = cancel_once(state, model, at_once);

        best = ms < best ? ms : best;
    }
    assert_true(best <= 100);
}

static void
cancelling_takes_less_than_a_tenth_of_a_second(void **state)
{
    check_cancel(state, "fault:stall", false);           /* in the answer */
    check_cancel(state, "fault:rate-seconds=30", false); /* in a pause */
    check_cancel(state, "fault:hang", true); /* while the process starts */
}

static bool
is_model_process(long pid)
{
    CLEANUP(file_close_p) FILE *file = NULL;
    char path[64], name[32] = "";

    snprintf(path, sizeof(path), "/proc/%ld/comm", pid);
    file = fopen(path, "re");
    return file && fgets(name, sizeof(name), file) &&
           strcmp(name, "agentsh-model\n") == 0;
}

/* The model process, among the children. */
static pid_t
model_process(void)
{
    char path[64], list[256];
    CLEANUP(file_close_p) FILE *file = NULL;
    char *at = list;

    snprintf(path, sizeof(path), "/proc/self/task/%d/children", (int)getpid());
    file = fopen(path, "re");
    assert_non_null(file);
    assert_non_null(fgets(list, sizeof(list), file));
    while (*at) {
        long pid = strtol(at, &at, 10);

        if (pid > 0 && is_model_process(pid))
            return (pid_t)pid;
        at += strspn(at, " ");
    }
    fail_msg("no model process");
    return 0;
}

static void
a_killed_process_is_one_line_and_the_next_request_works(void **state)
{
    struct session s;

    begin(&s, state, "fault:stall,answer");
    while (s.o.texts == 0)
        assert_true(loop_turn(s.loop, WAIT_MS, NULL) >= 0);
    kill(model_process(), SIGKILL);
    run_until(s.loop, &s.o, 1);
    assert_int_equal(s.o.code, ERR_MODEL);
    assert_non_null(strstr(s.o.words, "status 137"));
    s.o.code = ERR_NONE;
    buf_clear(&s.o.text);
    assert_int_equal(model_ask(s.o.m, &request, &events, &s.o, NULL), 0);
    run_until(s.loop, &s.o, 2);
    assert_int_equal(s.o.code, ERR_NONE);
    end(&s);
}

static bool
file_holds(const char *path, const char *word)
{
    CLEANUP_BUF struct buf b = buf_of(1u << 20);

    if (file_read(path, &b, NULL) < 0)
        return false;
    return memmem(b.p, b.len, word, strlen(word)) != NULL;
}

static void
the_key_is_in_no_environment_and_no_argument(void **state)
{
    struct session s;
    char path[64];
    pid_t pid;

    begin(&s, state, "fault:stall");
    while (s.o.texts == 0)
        assert_true(loop_turn(s.loop, WAIT_MS, NULL) >= 0);
    pid = model_process();
    snprintf(path, sizeof(path), "/proc/%d/environ", (int)pid);
    assert_false(file_holds(path, "API_KEY"));
    snprintf(path, sizeof(path), "/proc/%d/cmdline", (int)pid);
    assert_true(file_holds(path, "agentsh-model"));
    assert_false(file_holds(path, SERVED_KEY));
    end(&s);
}

static void
what_a_server_refuses_is_cached(void **state)
{
    const struct served *f = *state;
    struct session s;
    char path[128];
    CLEANUP_BUF struct buf shown = buf_of(1u << 20);
    struct model_selection *c;

    begin(&s, state, "fault:no-temperature");
    run_until(s.loop, &s.o, 1);
    assert_int_equal(s.o.code, ERR_NONE);
    end(&s);
    snprintf(path, sizeof(path), "%s/agentsh/quirks", f->home);
    assert_true(file_holds(path, "\tno_temperature\n"));
    c = served_select(f, "openai", "fault:no-temperature");
    assert_int_equal(model_show_request(c, &request, &shown, NULL), 0);
    assert_null(strstr(shown.p, "\"temperature\""));
    model_selection_free(c);
    c = served_select(f, "openai", "another");
    buf_clear(&shown);
    assert_int_equal(model_show_request(c, &request, &shown, NULL), 0);
    assert_non_null(strstr(shown.p, "\"temperature\""));
    model_selection_free(c);
}

static void
a_failure_is_reported_in_one_line_without_the_key(void **state)
{
    struct session s;

    begin(&s, state, "fault:key-echo");
    run_until(s.loop, &s.o, 1);
    assert_int_equal(s.o.code, ERR_MODEL);
    assert_null(strstr(s.o.words, SERVED_KEY));
    assert_null(strchr(s.o.words, '\n'));
    assert_non_null(strstr(s.o.words, "OPENAI_API_KEY"));
    end(&s);
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_answer_comes_whole_and_streamed),
        cmocka_unit_test(a_long_request_is_asked_like_a_short_one),
        cmocka_unit_test(a_long_request_may_be_cancelled_while_it_is_written),
        cmocka_unit_test(a_request_that_is_too_long_fails_in_words),
        cmocka_unit_test(a_default_that_is_gone_is_replaced_and_remembered),
        cmocka_unit_test(a_model_that_was_named_is_never_replaced),
        cmocka_unit_test(a_callback_may_send_the_next_request_or_free),
        cmocka_unit_test(a_second_request_must_wait),
        cmocka_unit_test(cancelling_takes_less_than_a_tenth_of_a_second),
        cmocka_unit_test(
            a_killed_process_is_one_line_and_the_next_request_works),
        cmocka_unit_test(the_key_is_in_no_environment_and_no_argument),
        cmocka_unit_test(what_a_server_refuses_is_cached),
        cmocka_unit_test(a_failure_is_reported_in_one_line_without_the_key),
    };

    if (!served_can())
        return 0;
    (void)signal(SIGPIPE, SIG_IGN); /* as each front does */
    return cmocka_run_group_tests(tests, served_set_up, served_tear_down);
}
