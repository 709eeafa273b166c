/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_wants.c - calls as the four providers send them, cut anywhere. */
#include "tests/unit/unit.h"

#include "tests/unit/streams.h"

/* clang-format off */
#define OA_CALLS(list) \
    "data: {\"choices\":[{\"delta\":{\"tool_calls\":[" list "]}}]}\n\n"
#define OA_PIECE(head, args) \
    "{" head "\"function\":{\"arguments\":\"" args "\"}}"
#define OA_CALL(head, name, args) \
    "{" head "\"type\":\"function\",\"function\":{\"name\":\"" name \
    "\",\"arguments\":\"" args "\"}}"
#define OA_TOOLS OA_END("tool_calls") DONE
#define AN_TOOL(index, id, name) \
    "data: {\"type\":\"content_block_start\",\"index\":" index "," \
    "\"content_block\":{\"type\":\"tool_use\",\"id\":\"" id "\",\"name\":\"" \
    name "\",\"input\":{}}}\n\n"
#define AN_ARGS(index, json) \
    "data: {\"type\":\"content_block_delta\",\"index\":" index ",\"delta\":" \
    "{\"type\":\"input_json_delta\",\"partial_json\":\"" json "\"}}\n\n"
#define AN_TOOLS AN_END("tool_use")
#define GE_PARTS(parts, more) \
    "data: {\"candidates\":[{\"content\":{\"parts\":[" parts "]}" more \
    "}]}\n\n"
#define GE_CALL(args) \
    "{\"functionCall\":{\"name\":\"ls\",\"args\":" args "}}"
#define OL_CALLS(list) \
    "{\"message\":{\"content\":\"\",\"tool_calls\":[" list "]}}\n"
#define OL_CALL(args) "{\"function\":{\"name\":\"ls\",\"arguments\":" args "}}"
#define SAID(text) OA(text) OA_END("stop")
/* clang-format on */

/* Calls are written "ID NAME ARGS" or "ID NAME ARGS EXTRA", a line each. */
struct row {
    const char *provider, *body;
    const char *calls; /* NULL: fails with these words */
    const char *words; /* or, where it does not fail, the text beside */
};

static const struct row openai_rows[] = {
    {"openai",
     OA_CALLS(OA_CALL("\"index\":0,\"id\":\"c1\",", "ls", ""))
         OA_CALLS(OA_PIECE("\"index\":0,", "{\\\"p\\\""))
             OA_CALLS(OA_PIECE("\"index\":0,", ":\\\"\xc3\xbc\\\"}")) OA_TOOLS,
     "c1 ls {\"p\":\"\xc3\xbc\"}\n", ""},
    /* two at once, their pieces mixed */
    {"openai",
     OA_CALLS(OA_CALL("\"index\":0,\"id\":\"a\",", "ls", "{"))
         OA_CALLS(OA_CALL("\"index\":1,\"id\":\"b\",", "cat", "{\\\"x\\\""))
             OA_CALLS(OA_PIECE("\"index\":0,", "}") "," OA_PIECE(
                 "\"index\":1,", ":1}")) OA_TOOLS,
     "a ls {}\nb cat {\"x\":1}\n", ""},
    /* the id once more in every piece, and another in every piece */
    {"openai",
     OA_CALLS(OA_CALL("\"index\":0,\"id\":\"a\",", "ls", "{"))
         OA_CALLS(OA_PIECE("\"index\":0,\"id\":\"a\",", "}")) OA_TOOLS,
     "a ls {}\n", ""},
    {"openai",
     OA_CALLS(OA_CALL("\"index\":0,\"id\":\"a\",", "ls", "{"))
         OA_CALLS(OA_PIECE("\"index\":0,\"id\":\"b\",", "}")) OA_TOOLS,
     "a ls {}\n", ""},
    /* the name in every piece */
    {"openai",
     OA_CALLS(OA_CALL("\"index\":0,\"id\":\"a\",", "ls", "{"))
         OA_CALLS(OA_CALL("\"index\":0,\"id\":\"a\",", "ls", "}")) OA_TOOLS,
     "a ls {}\n", ""},
    /* place 0 of all */
    {"openai",
     OA_CALLS(OA_CALL("\"index\":0,\"id\":\"a\",", "ls", "{}"))
         OA_CALLS(OA_CALL("\"index\":0,\"id\":\"b\",", "ls", "{}")) OA_TOOLS,
     "a ls {}\nb ls {}\n", ""},
    /* no place, no id */
    {"openai",
     OA_CALLS(OA_CALL("", "ls", "{") "," OA_PIECE("", "}"))
         OA_CALLS(OA_CALL("", "cat", "{}")) OA_TOOLS,
     "call00008 ls {}\ncall00009 cat {}\n", ""},
    /* one id for two, and an empty one */
    {"openai",
     OA_CALLS(OA_CALL("\"id\":\"a\",", "ls", "{}") "," OA_CALL(
         "\"id\":\"a\",", "cat", "{}") "," OA_CALL("\"id\":\"\",", "df", "{}"))
         OA_TOOLS,
     "a ls {}\ncall00008 cat {}\ncall00009 df {}\n", ""},
    /* a word that says stop, and text beside */
    {"openai",
     OA("I look.") OA_CALLS(OA_CALL("\"index\":0,\"id\":\"a\",", "ls", "{}"))
         OA_END("stop") DONE,
     "a ls {}\n", "I look."},
    /* as they came: no arguments, no JSON, no tool of ours */
    {"openai",
     OA_CALLS(OA_CALL("\"index\":0,\"id\":\"a\",", "rm -rf", "")) OA_TOOLS,
     "a rm -rf \n", ""},
    {"openai",
     OA_CALLS(OA_CALL("\"index\":0,\"id\":\"a\",", "ls", "{path: 1")) OA_TOOLS,
     "a ls {path: 1\n", ""},
    {"openai",
     OA_CALLS("{\"id\":\"a\",\"function\":{\"name\":\"ls\",\"arguments\":"
              "{\"a\":1e2}},\"extra_content\":{\"g\":{\"s\":\"x\"}}}") OA_TOOLS,
     "a ls {\"a\":1e2} {\"g\":{\"s\":\"x\"}}\n", ""},
    {"openai",
     "{\"choices\":[{\"message\":{\"content\":null,\"tool_calls\":[{\"id\":"
     "\"a\",\"type\":\"function\",\"function\":{\"name\":\"ls\",\"arguments\":"
     "\"{}\"}}]},\"finish_reason\":\"tool_calls\"}]}",
     "a ls {}\n", ""},
};

static const struct row other_rows[] = {
    {"anthropic",
     AN("Let me look.") AN_TOOL("1", "toolu_1", "ls") AN_ARGS("1", "")
         AN_ARGS("1", "{\\\"p\\\":") AN_ARGS("1", " \\\"/\\\"}")
             AN_TOOL("2", "toolu_2", "df") AN_TOOLS,
     "toolu_1 ls {\"p\": \"/\"}\ntoolu_2 df \n", "Let me look."},
    {"anthropic",
     "{\"type\":\"message\",\"content\":[{\"type\":\"tool_use\",\"id\":\"t\","
     "\"name\":\"ls\",\"input\":{\"a\":1}},{\"type\":\"tool_use\",\"id\":\"u\","
     "\"name\":\"df\",\"input\":{}}],\"stop_reason\":\"tool_use\"}",
     "t ls {\"a\":1}\nu df \n", ""},
    {"gemini",
     GE_PARTS("{\"functionCall\":{\"name\":\"ls\",\"args\":{\"a\":1}},"
              "\"thoughtSignature\":\"c2ln\"}," GE_CALL("{}"),
              GE_STOP),
     "call00008 ls {\"a\":1} \"c2ln\"\ncall00009 ls {}\n", ""},
    {"gemini",
     GE_PARTS("{\"text\":\"hm\",\"thought\":true},{\"text\":\"I look.\"}", "")
         GE_PARTS("{\"functionCall\":{\"id\":\"g1\",\"name\":\"ls\"}}", "")
             GE_PARTS("{\"text\":\"\"}", GE_STOP),
     "g1 ls \n", "I look."},
    {"ollama", OL_CALLS(OL_CALL("{\"a\":1}") "," OL_CALL("{}")) OL_END("stop"),
     "call00008 ls {\"a\":1}\ncall00009 ls {}\n", ""},
    {"ollama", OL_CALLS(OL_CALL("{}")) OL_CALLS(OL_CALL("{}")) OL_END("stop"),
     "call00008 ls {}\ncall00009 ls {}\n", ""},
    {"ollama",
     "{\"message\":{\"tool_calls\":[{\"id\":\"call_x\",\"function\":{\"index\":"
     "0,\"name\":\"ls\",\"arguments\":\"no object\"}}]},\"done\":true}",
     "call_x ls no object\n", ""},
};

/* A text that is a call and nothing else, as models are trained to write. */
static const struct row spoken_rows[] = {
    {"openai",
     SAID("\\n<tool_call>\\n{\\\"name\\\": \\\"ls\\\", \\\"arguments\\\": "
          "{\\\"p\\\": 1}}\\n</tool_call>\\n"),
     "call00008 ls {\"p\":1}\n", ""},
    {"ollama",
     OL("<tool_call>{\\\"name\\\":\\\"ls\\\",\\\"arguments\\\":{}}</tool_call>"
        "<tool_call>{\\\"name\\\":\\\"df\\\",\\\"arguments\\\":{}}</tool_call>")
         OL_END("stop"),
     "call00008 ls {}\ncall00009 df {}\n", ""},
    {"openai",
     SAID("<think>hm</think><tool_call>{\\\"name\\\":\\\"ls\\\",\\\"arguments"
          "\\\":{}}</tool_call>"),
     "call00008 ls {}\n", ""},
    /* prose beside it, another member, an unfinished one: text */
    {"openai",
     SAID("I call <tool_call>{\\\"name\\\":\\\"l\\\",\\\"arguments\\\":{}}"
          "</tool_call>"),
     "", "I call <tool_call>{\"name\":\"l\",\"arguments\":{}}</tool_call>"},
    {"openai",
     SAID("<tool_call>{\\\"name\\\":\\\"l\\\",\\\"arguments\\\":{}}"
          "</tool_call> so"),
     "", "<tool_call>{\"name\":\"l\",\"arguments\":{}}</tool_call> so"},
    {"openai",
     SAID("<tool_call>{\\\"name\\\":\\\"l\\\",\\\"arguments\\\":{},"
          "\\\"x\\\":1}</tool_call>"),
     "", "<tool_call>{\"name\":\"l\",\"arguments\":{},\"x\":1}</tool_call>"},
    {"openai", SAID("<tool_call>{\\\"name\\\":\\\"l\\\""), "",
     "<tool_call>{\"name\":\"l\""},
    /* an action that speaks of a call is none; nor is the other form */
    {"openai",
     SAID("{\\\"kind\\\":\\\"answer_only\\\",\\\"summary\\\":\\\"<tool_call>"
          "\\\"}"),
     "", "{\"kind\":\"answer_only\",\"summary\":\"<tool_call>\"}"},
    {"openai", SAID("{\\\"tool\\\":\\\"ls\\\",\\\"args\\\":{}}"), "",
     "{\"tool\":\"ls\",\"args\":{}}"},
};

/* The same where tools are told of in the prompt. */
static const struct row asked_rows[] = {
    {"openai", SAID("{\\\"tool\\\": \\\"ls\\\", \\\"args\\\": {\\\"p\\\":1}}"),
     "call00008 ls {\"p\":1}\n", ""},
    {"gemini",
     GE("```json\\n{\\\"args\\\":{},\\\"tool\\\":\\\"ls\\\"}\\n```", GE_STOP),
     "call00008 ls {}\n", ""},
    {"openai",
     SAID("<tool_call>{\\\"name\\\":\\\"ls\\\",\\\"arguments\\\":{}}"
          "</tool_call>"),
     "call00008 ls {}\n", ""},
    {"openai", SAID("{\\\"tool\\\":\\\"ls\\\"}"), "", "{\"tool\":\"ls\"}"},
    {"openai", SAID("{\\\"tool\\\":\\\"\\\",\\\"args\\\":{}}"), "",
     "{\"tool\":\"\",\"args\":{}}"},
    {"openai", SAID("{\\\"tool\\\":\\\"ls\\\",\\\"args\\\":[]}"), "",
     "{\"tool\":\"ls\",\"args\":[]}"},
    {"openai", SAID("{\\\"tool\\\":\\\"ls\\\",\\\"args\\\":{},\\\"x\\\":1}"),
     "", "{\"tool\":\"ls\",\"args\":{},\"x\":1}"},
    {"openai", SAID("{\\\"tool\\\":\\\"ls\\\",\\\"args\\\":{}} I wait."), "",
     "{\"tool\":\"ls\",\"args\":{}} I wait."},
    /* a call in the provider's form was not offered */
    {"openai", OA_CALLS(OA_CALL("\"id\":\"a\",", "ls", "{}")) OA_TOOLS, NULL,
     "not offered"},
};

static const struct row broken_rows[] = {
    {"openai",
     OA_CALLS(OA_CALL("\"index\":0,\"id\":\"a\",", "ls", "{\\\"p\\\":")), NULL,
     "broke off"},
    {"openai",
     OA_CALLS(OA_CALL("\"index\":0,\"id\":\"a\",", "ls", "{}"))
         OA_END("length"),
     NULL, "cut at its token limit"},
    {"openai", OA_TOOLS, NULL, "no call came"},
    {"anthropic", AN_TOOL("0", "t", "ls") AN_ARGS("0", "{"), NULL, "broke off"},
    {"gemini", GE_PARTS(GE_CALL("{}"), ""), NULL, "broke off"},
    {"gemini", GE_PARTS(GE_CALL("{}"), ",\"finishReason\":\"MAX_TOKENS\""),
     NULL, "cut at its token limit"},
    {"ollama", OL_CALLS(OL_CALL("{}")), NULL, "broke off"},
};

static void
put_calls(const struct draft *r, struct buf *out)
{
    for (size_t i = 0; i < r->wants.n; i++) {
        struct model_wanted c = want_view(&r->wants.rows[i]);

        buf_printf(out, "%s %s %.*s%s%s\n", c.id, c.name, (int)c.args_len,
                   c.args, c.extra ? " " : "", c.extra ? c.extra : "");
    }
}

/* Feeds the row in pieces of step bytes; 7 ids of ours came before. */
static void
check_row(const struct row *row, enum draft_calls calls, size_t step)
{
    CLEANUP_BUF struct buf got = buf_of(1 << 20);
    const struct stream_row s = {.provider = row->provider, .body = row->body};
    struct draft r;
    struct err e = {0};
    int rc;

    draft_init(&r, false, NULL);
    draft_offer(&r, calls, 7);
    rc = stream_run(&s, step, &r, &e);
    if (rc == 0)
        put_calls(&r, &got);
    if (rc != (row->calls ? 0 : -1) ||
        (row->calls && strcmp(got.p, row->calls) != 0))
        print_error("# by %zu: %s\n# -> %d %s | %s | %s\n", step, row->body, rc,
                    e.text, got.p, r.text.p);
    assert_int_equal(rc, row->calls ? 0 : -1);
    if (row->calls) {
        assert_string_equal(got.p, row->calls);
        assert_string_equal(r.text.p, row->words);
    } else {
        assert_int_equal(e.code, ERR_ANSWER);
        assert_non_null(strstr(e.text, row->words));
    }
    draft_done(&r);
}

static void
check(const struct row *rows, size_t n, enum draft_calls calls)
{
    static const size_t steps[] = {1, 3, 64, 1 << 20};

    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < N_OF(steps); k++)
            check_row(&rows[i], calls, steps[k]);
    }
}

static void
pieces_of_openais_calls_find_each_other(void **state)
{
    (void)state;
    check(openai_rows, N_OF(openai_rows), CALLS_NATIVE);
}

static void
calls_of_the_other_providers_are_gathered(void **state)
{
    (void)state;
    check(other_rows, N_OF(other_rows), CALLS_NATIVE);
}

static void
a_text_that_is_only_calls_is_calls(void **state)
{
    (void)state;
    check(spoken_rows, N_OF(spoken_rows), CALLS_NATIVE);
    check(asked_rows, N_OF(asked_rows), CALLS_TEXT);
}

static void
a_call_that_is_not_whole_is_an_error(void **state)
{
    (void)state;
    check(broken_rows, N_OF(broken_rows), CALLS_NATIVE);
}

static void
without_an_offer_nothing_is_a_call(void **state)
{
    static const struct row rows[] = {
        {"openai", OA("a") OA_CALLS(OA_CALL("", "ls", "{}")) OA_END("stop"), "",
         "a"},
        {"openai",
         SAID("<tool_call>{\\\"name\\\":\\\"ls\\\",\\\"arguments\\\":{}}"
              "</tool_call>"),
         "", "<tool_call>{\"name\":\"ls\",\"arguments\":{}}</tool_call>"},
        {"openai", SAID("{\\\"tool\\\":\\\"ls\\\",\\\"args\\\":{}}"), "",
         "{\"tool\":\"ls\",\"args\":{}}"},
        {"anthropic", AN_TOOL("0", "t", "ls") AN_TOOLS, NULL, "not offered"},
    };

    (void)state;
    check(rows, N_OF(rows), CALLS_NONE);
}

/* The forced tool may stand among those that the model looks with. */
static void
the_answers_own_tool_is_told_from_the_others(void **state)
{
    static const struct {
        const char *body, *calls, *text;
    } rows[] = {
        {OA_CALLS(OA_CALL("\"index\":0,\"id\":\"a\",", "answer", "{\\\"a\\\""))
             OA_CALLS(OA_PIECE("\"index\":0,", ":1}")) OA_TOOLS,
         "", "{\"a\":1}"},
        {OA_CALLS(OA_PIECE("\"index\":0,", "{\\\"a\\\""))
             OA_CALLS(OA_CALL("\"index\":0,", "answer", ":1}")) OA_TOOLS,
         "", "{\"a\":1}"},
        {OA_CALLS(OA_CALL("\"index\":0,\"id\":\"a\",", "ls", "{}")) OA_TOOLS,
         "a ls {}\n", ""},
    };

    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        CLEANUP_BUF struct buf got = buf_of(1 << 20);
        const struct stream_row s = {.provider = "openai",
                                     .body = rows[i].body};
        struct draft r;

        draft_init(&r, true, NULL);
        draft_offer(&r, CALLS_NATIVE, 0);
        assert_int_equal(stream_run(&s, 5, &r, NULL), 0);
        put_calls(&r, &got);
        assert_string_equal(got.p, rows[i].calls);
        assert_string_equal(r.text.p, rows[i].text);
        draft_done(&r);
    }
}

static void
text_that_may_be_a_call_is_not_shown(void **state)
{
    struct draft r;
    size_t n;

    (void)state;
    draft_init(&r, false, NULL);
    draft_offer(&r, CALLS_TEXT, 0);
    assert_int_equal(draft_text(&r, " {\"kind\"", 8, NULL), 0);
    assert_null(draft_news(&r, &n));
    assert_int_equal(draft_text(&r, ":1}", 3, NULL), 0);
    r.finish = FINISH_STOP;
    assert_int_equal(draft_check(&r, 0, NULL), 0);
    assert_int_equal(r.wants.n, 0);
    assert_string_equal(draft_rest(&r, &n), " {\"kind\":1}");
    draft_done(&r);
}

/* n calls with arguments of size bytes. */
static int
many_calls(size_t n, size_t size, struct err *e)
{
    CLEANUP_BUF struct buf b = buf_of(8u << 20);
    struct stream_row s = {.provider = "openai"};
    struct draft r;
    int rc;

    for (size_t i = 0; i < n; i++) {
        buf_printf(&b,
                   "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{"
                   "\"index\":%zu,\"function\":{\"name\":\"ls\","
                   "\"arguments\":\"",
                   i);
        for (size_t k = 0; k < size; k++)
            buf_ch(&b, 'x');
        buf_str(&b, "\"}}]}}]}\n\n");
    }
    buf_str(&b, OA_TOOLS);
    s.body = b.p;
    draft_init(&r, false, NULL);
    draft_offer(&r, CALLS_NATIVE, 0);
    rc = stream_run(&s, 4096, &r, e);
    if (rc == 0)
        assert_int_equal(r.wants.n, n);
    draft_done(&r);
    return rc;
}

static void
calls_have_bounds(void **state)
{
    static const struct {
        size_t n, size;
        const char *words; /* NULL: they are taken */
    } rows[] = {
        {MODEL_WANTED_MAX, 1, NULL},
        {MODEL_WANTED_MAX + 1, 1, "more than 16 tools"},
        {MODEL_WANTED_MAX + 4, 1, "more than 16 tools"},
        {1, MODEL_ARGS_MAX, NULL},
        {1, MODEL_ARGS_MAX + 1, "more than 64 KiB"},
    };

    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        struct err e = {0};
        int rc = many_calls(rows[i].n, rows[i].size, &e);

        assert_int_equal(rc, rows[i].words ? -1 : 0);
        if (rows[i].words) {
            assert_int_equal(e.code, ERR_ANSWER);
            assert_non_null(strstr(e.text, rows[i].words));
        }
    }
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_of_openais_calls_find_each_other),
        cmocka_unit_test(calls_of_the_other_providers_are_gathered),
        cmocka_unit_test(a_text_that_is_only_calls_is_calls),
        cmocka_unit_test(a_call_that_is_not_whole_is_an_error),
        cmocka_unit_test(without_an_offer_nothing_is_a_call),
        cmocka_unit_test(the_answers_own_tool_is_told_from_the_others),
        cmocka_unit_test(text_that_may_be_a_call_is_not_shown),
        cmocka_unit_test(calls_have_bounds),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
