/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_tool_fallback.c - text that is tool calls, and text that is not. */
#include "tests/unit/unit.h"

#include "model/provider/tool_fallback.h"
#include "tests/unit/tool_calls.h"

/* A text that is a call and nothing else, as models are trained to write. */
static const struct calls_row native_rows[] = {
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
static const struct calls_row prompted_rows[] = {
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
    /* servers read calls out of a text by themselves, asked or not */
    {"openai", OA_CALLS(OA_CALL("\"id\":\"a\",", "ls", "{}")) OA_TOOLS,
     "a ls {}\n", ""},
};

static void
a_text_that_is_only_calls_is_calls(void **state)
{
    (void)state;
    calls_check(native_rows, N_OF(native_rows), TOOL_DECLARATIONS_NATIVE);
    calls_check(prompted_rows, N_OF(prompted_rows), TOOL_DECLARATIONS_TEXT);
}

static void
text_is_held_back_only_while_it_may_be_calls(void **state)
{
    static const struct {
        const char *text;
        bool native, prompted;
    } texts[] = {
        {"", true, true},
        {" {", false, true},
        {"{\n \"to", false, true},
        {"{\"args\": {", false, true},
        {"{\"kind\"", false, false},
        {"{\"k", false, false},
        {"```json\n", true, true},
        {"`ls`", false, false},
        {"<tool", true, true},
        {"<p>", false, false},
        {"I look", false, false},
    };

    (void)state;
    for (size_t i = 0; i < N_OF(texts); i++) {
        assert_int_equal(tool_fallback_may_be_call(false, texts[i].text),
                         texts[i].native);
        assert_int_equal(tool_fallback_may_be_call(true, texts[i].text),
                         texts[i].prompted);
    }
}

static void
text_that_may_be_a_call_is_not_shown(void **state)
{
    struct model_response r;
    size_t n;

    (void)state;
    model_response_init(&r, false, NULL);
    model_response_expect_calls(&r, TOOL_DECLARATIONS_TEXT, 0);
    assert_int_equal(stream_add_text(&r, "\" {\\\"tool\\\"\""), 0);
    assert_null(model_response_new_text(&r, &n));
    assert_int_equal(stream_add_text(&r, "\":1}\""), 0);
    r.finish = FINISH_STOP;
    assert_int_equal(model_response_check(&r, 0, NULL), 0);
    assert_int_equal(r.tool_calls.n, 0);
    assert_string_equal(model_response_new_text(&r, &n), "{\"tool\":1}");
    model_response_done(&r);
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_text_that_is_only_calls_is_calls),
        cmocka_unit_test(text_is_held_back_only_while_it_may_be_calls),
        cmocka_unit_test(text_that_may_be_a_call_is_not_shown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
