/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_agentctl.c - what agentctl reads, keeps and matches. */
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

#include "server/agentctl/agentctl_calls.h"
#include "server/agentctl/agentctl_message.h"
#include "server/agentctl/agentctl_output.h"
#include "server/agentctl/agentctl_questions.h"
#include "server/agentctl/agentctl_settings.h"
#include "server/agentctl/agentctl_words.h"

static void
a_command_is_split_as_by_a_shell(void **state)
{
    static const struct {
        const char *command;
        const char *words; /* joined by | ; NULL: it is refused */
    } rows[] = {
        {"a", "a"},
        {"  a \t b\nc ", "a|b|c"},
        {"a 'b c' \"d e\"f", "a|b c|d ef"},
        {"a '' \"\"", "a||"},
        {"a \\' \\  b\\\nc", "a|'| |bc"},
        {"a \"\\\"\\$\\`\\\\\\n\\\nx\"", "a|\"$`\\\\nx"},
        {"a '\\n'", "a|\\n"},
        {"a $HOME * ~ # ; | &", "a|$HOME|*|~|#|;|||&"},
        {"", NULL},
        {" \n", NULL},
        {"a 'b", NULL},
        {"a \"b", NULL},
        {"a \"b\\", NULL},
        {"a \\", NULL},
    };

    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        CLEANUP_BUF struct buf joined = buf_of(1024);
        struct err e = {0};
        char **words = agentctl_words_split(rows[i].command, &e);

        for (char **w = words; w && *w; w++)
            buf_printf(&joined, "%s%s", w == words ? "" : "|", *w);
        if (rows[i].words)
            assert_string_equal(joined.p, rows[i].words);
        else
            assert_int_equal(e.code, ERR_USAGE);
        assert_int_equal(words != NULL, rows[i].words != NULL);
        agentctl_words_free(words);
    }
}

static void
settings_are_read(void **state)
{
    static const struct {
        const char *variables[3];
        const char *listen;
    } rows[] = {
        {{NULL}, "tcp:127.0.0.1:9999"},
        {{"AGENTCTL_PORT=0"}, "tcp:127.0.0.1:0"},
        {{"AGENTCTL_LISTEN=0.0.0.0", "AGENTCTL_PORT=80"}, "tcp:0.0.0.0:80"},
        {{"AGENTCTL_LISTEN=::1"}, "tcp:[::1]:9999"},
        {{"AGENTCTL_LISTEN=[::1]"}, "tcp:[::1]:9999"},
        {{"AGENTCTL_LISTEN=[::1]:7"}, "tcp:[::1]:7"},
        {{"AGENTCTL_LISTEN=127.0.0.1:7"}, "tcp:127.0.0.1:7"},
        {{"AGENTCTL_LISTEN=unix:/a:b", "AGENTCTL_PORT="}, "unix:/a:b"},
        {{"AGENTCTL_LISTEN=fd:3"}, "fd:3"},
        {{"AGENTCTL_PORT=-1"}, NULL},
        {{"AGENTCTL_PORT=1x"}, NULL},
    };

    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        const char *all[] = {"A=b", "AGENTCTL_AGENT_COMMAND=x 'y z'",
                             rows[i].variables[0], rows[i].variables[1], NULL};
        const struct seat_params p = {.dir = "/", .variables = all};
        CLEANUP(seat_free_p) struct seat *seat = seat_new(&p, NULL);
        CLEANUP(agentctl_settings_done) struct agentctl_settings s = {0};
        struct err e = {0};
        int rc = agentctl_settings_read(&s, seat, &e);

        assert_int_equal(rc, rows[i].listen ? 0 : -1);
        if (!rows[i].listen)
            continue;
        assert_string_equal(s.listen, rows[i].listen);
        assert_string_equal(s.words[1], "y z");
        assert_string_equal(s.work_dir, "/");
        assert_string_equal(s.environment[0], "A=b");
        assert_null(s.environment[1]);
        assert_int_equal(s.call_ms, 30000);
        assert_int_equal(s.prompt_ms, 600000);
    }
}

static void
messages_are_checked_and_written(void **state)
{
    static const struct {
        const char *text, *id;
        enum agentctl_kind kind;
        const char *line; /* NULL: it is refused */
    } rows[] = {
        {"{\"method\":\"a\"}", NULL, AGENTCTL_NOTIFICATION,
         "{\"jsonrpc\":\"2.0\",\"method\":\"a\"}"},
        {"{ \"id\" : \"x\", \"method\":\"a\",\n\"params\":[1.0], \"y\":2}", "3",
         AGENTCTL_REQUEST,
         "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"a\",\"params\":[1.0]}"},
        {"{\"method\":\"a\",\"params\":null,\"id\":null}", NULL,
         AGENTCTL_NOTIFICATION, "{\"jsonrpc\":\"2.0\",\"method\":\"a\"}"},
        {"{\"id\":1,\"result\":null}", "\"q\"", AGENTCTL_RESPONSE,
         "{\"jsonrpc\":\"2.0\",\"id\":\"q\",\"result\":null}"},
        {"{\"id\":1,\"error\":{\"code\":1}}", "1", AGENTCTL_RESPONSE,
         "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":1}}"},
        {"{\"id\":1,\"result\":1,\"error\":{}}", NULL, 0, NULL},
        {"{\"method\":\"a\\u0000b\"}", NULL, 0, NULL},
        {"5", NULL, 0, NULL},
        {"{\"id\":1}", NULL, 0, NULL},
        {"{", NULL, 0, NULL},
    };

    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        CLEANUP(jsonrpc_done) struct jsonrpc m = {0};
        CLEANUP_BUF struct buf line = buf_of(1024);
        struct agentctl_reading read;
        enum agentctl_kind kind = AGENTCTL_REQUEST;
        struct err why = {0}, e = {0};
        int rc = jsonrpc_parse(rows[i].text, strlen(rows[i].text), &m, &why);

        rc = agentctl_message_check(&m, rc, &why, &kind, &e);
        assert_int_equal(rc, rows[i].line ? 0 : -1);
        if (!rows[i].line)
            continue;
        assert_int_equal(kind, rows[i].kind);
        agentctl_reading_init(&read);
        agentctl_message_finish(&line, &read, m.root, rows[i].id);
        assert_string_equal(line.p, rows[i].line);
    }
}

static void
the_last_lines_are_kept(void **state)
{
    CLEANUP(agentctl_output_free_p)
    struct agentctl_output *o = agentctl_output_new(3, NULL);
    CLEANUP_BUF struct buf out = buf_of(1u << 20);
    char text[16];

    (void)state;
    for (int i = 0; i < 7; i++) {
        snprintf(text, sizeof(text), "e%d", i);
        agentctl_output_add(o, i % 2 ? AGENTCTL_STDERR : AGENTCTL_STDOUT, text,
                            2);
    }
    assert_int_equal(agentctl_output_count(o), 3);
    assert_int_equal(agentctl_output_total(o), 7);
    agentctl_output_put_errors(o, 0, 100, &out);
    assert_string_equal(out.p, "e5");
    buf_clear(&out);
    agentctl_output_put_errors(o, 6, 100, &out);
    assert_string_equal(out.p, "");
    agentctl_output_put_last(o, 2, &out);
    assert_non_null(strstr(out.p, "\"content\":\"e5\"},{"));
    assert_non_null(strstr(out.p, "\"stream\":\"stdout\",\"content\":\"e6\"}],"
                                  "\"total\":3}"));
    assert_null(strstr(out.p, "e4"));
}

static void
a_long_line_is_cut_at_a_character(void **state)
{
    CLEANUP(agentctl_output_free_p)
    struct agentctl_output *o = agentctl_output_new(1, NULL);
    CLEANUP_BUF struct buf line = buf_of(1u << 20);
    CLEANUP_BUF struct buf out = buf_of(1u << 20);

    (void)state;
    buf_str(&line, "x\xff");
    while (line.len < 3 * AGENTCTL_OUTPUT_LINE_MAX)
        buf_str(&line, "\xe2\x82\xac");
    agentctl_output_add(o, AGENTCTL_STDERR, line.p, line.len);
    agentctl_output_put_errors(o, 0, 1u << 19, &out);
    assert_between(out.len, AGENTCTL_OUTPUT_LINE_MAX - 3,
                   AGENTCTL_OUTPUT_LINE_MAX);
    assert_memory_equal(out.p, "x\xef\xbf\xbd\xe2\x82\xac", 7);
    assert_memory_equal(out.p + out.len - 3, "\xe2\x82\xac", 3);
}

struct concluded {
    int n;
    char line[256];
    enum err_code why;
};

static void
on_concluded(void *arg, const struct agentctl_line *line, const struct err *why)
{
    struct concluded *c = arg;

    c->n++;
    c->why = why ? why->code : ERR_NONE;
    snprintf(c->line, sizeof(c->line), "%.*s", line ? (int)line->n : 0,
             line ? line->p : "");
}

static bool
answer_call(struct agentctl_calls *calls, const char *line)
{
    CLEANUP(jsonrpc_done) struct jsonrpc m = {0};
    const struct agentctl_line whole = {line, strlen(line), NULL};
    struct agentctl_reading read;

    agentctl_reading_init(&read);
    read.all = true;
    (void)jsonrpc_parse(line, strlen(line), &m, NULL);
    return agentctl_calls_answer(calls, &m, &whole, &read);
}

static void
an_answer_goes_to_its_call(void **state)
{
    CLEANUP(loop_free_p) struct loop *l = loop_new(NULL);
    CLEANUP(agentctl_calls_free_p)
    struct agentctl_calls *calls = agentctl_calls_new(l, NULL, NULL, NULL);
    struct concluded one = {0}, two = {0}, three = {0};
    struct err gone = {.code = ERR_PEER};

    (void)state;
    assert_int_equal(
        agentctl_calls_add(calls, NULL, 0, on_concluded, &one, NULL), 1);
    assert_int_equal(
        agentctl_calls_add(calls, "\"m\"", 0, on_concluded, &two, NULL), 2);
    assert_int_equal(
        agentctl_calls_add(calls, "3", 1, on_concluded, &three, NULL), 3);
    assert_false(answer_call(calls, "{\"id\":11,\"result\":1}"));
    assert_false(answer_call(calls, "{\"id\":null,\"error\":{}}"));
    assert_true(answer_call(calls, "{\"id\":1, \"result\":1}"));
    assert_string_equal(one.line, "{\"id\":1, \"result\":1}");
    assert_false(answer_call(calls, "{\"id\":1,\"result\":2}"));
    assert_true(answer_call(calls, "{\"id\":\"2\",\"result\":1,\"x\":[]}"));
    assert_string_equal(two.line, "{\"jsonrpc\":\"2.0\",\"id\":\"m\","
                                  "\"result\":1,\"x\":[]}");
    while (three.n == 0)
        (void)loop_turn(l, 1000, NULL);
    assert_int_equal(three.why, ERR_TIMEOUT);
    (void)agentctl_calls_add(calls, NULL, 0, on_concluded, &two, NULL);
    agentctl_calls_fail(calls, &gone);
    assert_int_equal(two.why, ERR_PEER);
    assert_int_equal(one.n, 1);
    assert_int_equal(agentctl_calls_open(calls), 0);
}

/* Adds n calls, of_one of each argument; returns how many there was no place
 * for. */
static int
add_agent_calls(struct agentctl_calls *c, char *args, int n, int of_one)
{
    int refused = 0;

    for (int i = 0; i < n; i++)
        refused += agentctl_calls_add(c, "7", 0, on_concluded,
                                      args + i / of_one, NULL) < 0;
    return refused;
}

static void
a_call_that_is_left_takes_no_place(void **state)
{
    enum { MAX = AGENTCTL_CALLS_MAX, ONE = AGENTCTL_CALLS_OF_ONE };
    CLEANUP(loop_free_p) struct loop *l = loop_new(NULL);
    struct concluded all = {0};
    CLEANUP(agentctl_calls_free_p)
    struct agentctl_calls *calls = agentctl_calls_new(l, on_concluded, &all,
                                                      NULL);
    char args[MAX];

    (void)state;
    assert_int_equal(add_agent_calls(calls, args, ONE + 3, ONE + 3), 3);
    assert_int_equal(add_agent_calls(calls, args + 1, MAX, 1), ONE);
    agentctl_calls_leave(calls, args);
    assert_int_equal(agentctl_calls_open(calls), MAX - ONE);
    assert_true(answer_call(calls, "{\"id\":2,\"result\":1}"));
    assert_string_equal(all.line,
                        "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":1}");
    assert_int_equal(add_agent_calls(calls, args, 2, 2), 0);
    assert_false(answer_call(calls, "{\"id\":1,\"result\":1}"));
    assert_true(answer_call(calls, "{\"id\":3,\"result\":1}"));
    assert_int_equal(all.n, 2);
    agentctl_calls_leave(calls, args);
    assert_int_equal(agentctl_calls_open(calls), MAX - ONE);
    while (agentctl_calls_add(calls, "8", 1, NULL, NULL, NULL) > 0 &&
           agentctl_calls_open(calls) < MAX)
        ;
    while (agentctl_calls_open(calls) > MAX - ONE)
        (void)loop_turn(l, 1000, NULL);
    assert_int_equal(all.n, 2);
}

static void
parse_question(const char *line, struct jsonrpc *m)
{
    assert_int_equal(jsonrpc_parse(line, strlen(line), m, NULL), 0);
}

static void
a_question_is_answered_once(void **state)
{
    static const char asked[] =
        "{\"jsonrpc\":\"2.0\",\"id\":\"a\\/b\",\"method\":\"x\"}";
    static const char answered[] =
        "{\"jsonrpc\":\"2.0\",\"id\":\"a/b\",\"result\":{}}";
    CLEANUP(jsonrpc_done) struct jsonrpc q = {0};
    CLEANUP(jsonrpc_done) struct jsonrpc a = {0};
    struct agentctl_questions open = {0};
    struct err e = {0};
    char *id;

    (void)state;
    parse_question(asked, &q);
    parse_question(answered, &a);
    assert_null(agentctl_questions_take(&open, &a));
    assert_int_equal(
        agentctl_questions_add(&open, &q, asked, sizeof(asked) - 1, &e), 0);
    id = agentctl_questions_take(&open, &a);
    assert_string_equal(id, "\"a\\/b\"");
    free(id);
    assert_null(agentctl_questions_take(&open, &a));
    for (int i = 0; i < AGENTCTL_QUESTIONS_MAX; i++)
        assert_int_equal(agentctl_questions_add(&open, &q, asked, 2, &e), 0);
    assert_int_equal(agentctl_questions_add(&open, &q, asked, 2, &e), -1);
    agentctl_questions_clear(&open);
    assert_int_equal(open.n, 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_command_is_split_as_by_a_shell),
        cmocka_unit_test(settings_are_read),
        cmocka_unit_test(messages_are_checked_and_written),
        cmocka_unit_test(the_last_lines_are_kept),
        cmocka_unit_test(a_long_line_is_cut_at_a_character),
        cmocka_unit_test(an_answer_goes_to_its_call),
        cmocka_unit_test(a_call_that_is_left_takes_no_place),
        cmocka_unit_test(a_question_is_answered_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
