/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_aiaction.c - which texts of a model are actions, answers or errors. */
#include "tests/unit/unit.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "action/aiaction.h"

#define STEP(id, cmd)                                                          \
    "{\"id\":\"" id "\",\"description\":\"d\",\"shell_command\":\"" cmd "\"}"
#define RUN(cmd)                                                               \
    "{\"kind\":\"command_sequence\",\"steps\":[" STEP("1", cmd) "]}"
#define ANSWER(text) "{\"kind\":\"answer_only\",\"summary\":\"" text "\"}"

enum { BAD = -1, PROSE = -2 }; /* else: the number of steps */

static const struct {
    const char *name, *text;
    int steps;
    const char *first; /* the first command, or the summary of an answer */
} rows[] = {
    {"bare JSON", RUN("ls"), 1, "ls"},
    {"blanks around it", " \r\n\t" RUN("ls") "\n\n", 1, "ls"},
    {"prose around it", "Sure!\n" RUN("ls") "\nDone.", 1, "ls"},
    {"a fence", "Here:\n```json\n" RUN("ls") "\n```\nbye", 1, "ls"},
    {"a fence that was not closed", "```json\n" RUN("ls"), 1, "ls"},
    {"the first fence that holds an object",
     "```sh\nls\n```\n```json\n" RUN("pwd") "\n```", 1, "pwd"},
    {"a fence before an object in prose",
     "{\"no\":1}\n```json\n" RUN("yes") "\n```", 1, "yes"},
    {"a fence inside the command", "x\n```\n" RUN("echo ```") "\n```", 1,
     "echo ```"},
    {"two actions that differ", "a " RUN("one") RUN("two"), BAD, NULL},
    {"two actions that differ, one in a fence",
     RUN("one") "\n```json\n" RUN("two") "\n```", BAD, NULL},
    {"two fences with different actions",
     "```\n" RUN("one") "\n```\n```\n" RUN("two") "\n```", BAD, NULL},
    {"an action and an answer", "a " RUN("one") " " ANSWER("x"), BAD, NULL},
    {"an answer and an action", ANSWER("x") RUN("one"), BAD, NULL},
    {"the same action twice", "a " RUN("one") " or " RUN("one"), 1, "one"},
    {"the same, its members in another order",
     ANSWER("x") "{\"summary\":\"x\", \"kind\":\"answer_only\"}", 0, "x"},
    {"three, and the last differs", RUN("a") RUN("a") RUN("b"), BAD, NULL},
    {"another in a list", RUN("a") " [" RUN("b") "]", BAD, NULL},
    {"another in another object", RUN("a") "{\"x\":[{\"y\":" RUN("b") "}]}",
     BAD, NULL},
    {"another in a broken object", RUN("a") "{\"x\": no, " RUN("b"), BAD, NULL},
    {"an object beside that is no action", RUN("a") " {\"kind\":\"x\"}", 1,
     "a"},
    {"an action beside that is not valid",
     RUN("a") "{\"kind\":\"command_sequence\",\"steps\":[]}", 1, "a"},
    {"an object of the shell beside", RUN("a") " find -exec rm {} +", 1, "a"},
    {"two that differ, one in reasoning", RUN("a") "[THINK]" RUN("b"), 1, "a"},
    {"braces of a shell begin no object",
     "use {a,b} or ${x} or {plan}: " RUN("ls"), 1, "ls"},
    {"reasoning before it", "<think>" RUN("no") "</think>" RUN("yes"), 1,
     "yes"},
    {"reasoning in its middle", "a<think>" RUN("no") "</think>b" RUN("yes"), 1,
     "yes"},
    {"only the end of reasoning", RUN("no") "</think>" RUN("yes"), 1, "yes"},
    {"reasoning without an end", "<think>" RUN("no"), BAD, NULL},
    {"a tag inside the command is data", RUN("echo '<think>'"), 1,
     "echo '<think>'"},
    {"a tag inside a command in prose", "So: " RUN("echo '<think>'") " done", 1,
     "echo '<think>'"},
    {"a broken object in reasoning does not hide the action",
     "{\"a\": \"</think>" RUN("echo '</think>'"), 1, "echo '</think>'"},
    {"many tags", "<think></think><think></think><think></think>" RUN("ls"), 1,
     "ls"},
    {"a mark that comes to be by taking one out",
     "<thi<think>x</think>nk>" RUN("ls"), BAD, NULL},
    {"prose alone", "Just plain text", PROSE, "Just plain text"},
    {"prose after reasoning", "<think>hm</think>\nPlain.", PROSE, "Plain."},
    {"empty", "", BAD, NULL},
    {"blank", " \n ", BAD, NULL},
    {"cut", "{\"kind\":\"command_sequence\",", BAD, NULL},
    {"cut in prose", "Well {\"kind\":\"answer_only\"", BAD, NULL},
    {"an empty object in prose", "find . -exec rm {} +", BAD, NULL},
    {"an array", "[1]", BAD, NULL},
    {"a raw newline in a string",
     "{\"kind\":\"answer_only\",\"summary\":\"a\nb\"}", BAD, NULL},
    {"a name twice",
     "{\"kind\":\"answer_only\",\"kind\":\"answer_only\",\"summary\":\"x\"}",
     BAD, NULL},
    {"another case", "{\"Kind\":\"answer_only\",\"summary\":\"x\"}", BAD, NULL},
    {"an unknown kind", "{\"kind\":\"rm_everything\"}", BAD, NULL},
    {"unknown members", "{\"kind\":\"answer_only\",\"summary\":\"x\",\"a\":1}",
     0, "x"},
    {"an answer's steps are dropped",
     "{\"kind\":\"answer_only\",\"summary\":\"x\",\"steps\":[" STEP(
         "1", "rm -rf /") "]}",
     0, "x"},
    {"an answer without text", "{\"kind\":\"answer_only\"}", BAD, NULL},
    {"no steps", "{\"kind\":\"command_sequence\",\"summary\":\"x\"}", BAD,
     NULL},
    {"a flag that is no boolean",
     "{\"kind\":\"command_sequence\",\"steps\":[{\"id\":\"1\","
     "\"description\":\"d\",\"shell_command\":\"ls\","
     "\"is_destructive\":\"no\"}]}",
     BAD, NULL},
    {"null is absence",
     "{\"kind\":\"command_sequence\",\"summary\":null,\"steps\":[{\"id\":"
     "\"1\",\"description\":\"d\",\"shell_command\":\"ls\","
     "\"working_directory\":null,\"is_destructive\":null}]}",
     1, "ls"},
    {"null for what is required",
     "{\"kind\":\"command_sequence\",\"steps\":[{\"id\":\"1\","
     "\"description\":\"d\",\"shell_command\":null}]}",
     BAD, NULL},
    {"ids twice",
     "{\"kind\":\"plan_and_commands\",\"steps\":[" STEP("1", "a") "," STEP(
         "1", "b") "]}",
     BAD, NULL},
    {"two steps",
     "{\"kind\":\"plan_and_commands\",\"steps\":[" STEP("1", "a") "," STEP(
         "2", "b") "]}",
     2, "a"},
    {"a command of blanks", RUN("  "), BAD, NULL},
    {"a NUL in a command", RUN("ls\\u0000rm"), BAD, NULL},
    {"a tool that is not here",
     "{\"kind\":\"command_sequence\",\"steps\":[{\"id\":\"1\","
     "\"description\":\"d\",\"shell_command\":\"ls\",\"tool\":\"x.y\"}]}",
     BAD, NULL},
    {"a tool given another command",
     "{\"kind\":\"command_sequence\",\"steps\":[{\"id\":\"1\","
     "\"description\":\"d\",\"shell_command\":\"ls\",\"tool\":\"cmd.run\","
     "\"args\":{\"command\":\"rm x\"}}]}",
     BAD, NULL},
    {"the tool and its command",
     "{\"kind\":\"command_sequence\",\"steps\":[{\"id\":\"1\","
     "\"description\":\"d\",\"shell_command\":\"ls\",\"tool\":\"cmd.run\","
     "\"action\":\"execute\",\"args\":{\"command\":\"ls\"}}]}",
     1, "ls"},
    {"bad UTF-8 in the JSON", ANSWER("\xff"), BAD, NULL},
};

static void
texts_come_out_as_the_contract_says(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        struct err e = {0};
        CLEANUP(aiaction_free_p)
        struct aiaction *a = aiaction_parse(rows[i].text, strlen(rows[i].text),
                                            AIACTION_RUN, NULL, &e);
        int got = !a ? BAD
                  : a->kind == ANSWER_ONLY
                      ? (rows[i].steps == PROSE ? PROSE : 0)
                      : (int)a->n;
        const char *first = !a ? NULL : a->n ? a->steps[0].command : a->summary;

        if (got != rows[i].steps || (first && strcmp(first, rows[i].first)))
            fail_msg("%s: %d, %s", rows[i].name, got, a ? first : e.text);
        if (!a)
            assert_int_equal(e.code, ERR_ANSWER);
    }
}

/* One tool, svc.manage, with the actions restart and stop. */
static int
check_tool(void *arg, const char *tool, const char **action,
           const struct json *args, struct err *e)
{
    (void)arg;
    if (strcmp(tool, "svc.manage") != 0)
        return err_set(e, ERR_NOT_FOUND, "unknown tool \"%s\"", tool);
    if (!*action)
        *action = "stop";
    if (!json_get_str(args, "service"))
        return err_set(e, ERR_INVALID, "args: missing \"service\"");
    return 0;
}

static const struct aiaction_tools tools = {.check = check_tool,
                                            .dir = "/here"};

#define TOOL_STEP(rest)                                                        \
    "{\"kind\":\"command_sequence\",\"wants_results\":true,\"steps\":[{"       \
    "\"id\":\"1\",\"description\":\"d\",\"shell_command\":\"ls\"," rest "}]}"

static const struct {
    const char *text;
    const char *wants; /* the call, "" for none, or "!" and the reason */
} tool_rows[] = {
    {TOOL_STEP("\"tool\":\"svc.manage\",\"action\":\"restart\","
               "\"args\":{\"service\":\"x\\u202e\"}"),
     "svc.manage restart {\"service\":\"x\xe2\x80\xae\"}"},
    {TOOL_STEP("\"tool\":\"svc.manage\",\"action\":null,"
               "\"args\":\" {\\\"service\\\": \\\"x\\\"} \""),
     "svc.manage stop {\"service\":\"x\"}"},
    {TOOL_STEP("\"tool\":\"svc.manage\",\"args\":{\"service\":\"x\"},"
               "\"working_directory\":\"/here\""),
     "svc.manage stop {\"service\":\"x\"}"},
    {TOOL_STEP("\"tool\":\"svc.manage\",\"args\":{\"service\":\"x\"},"
               "\"working_directory\":\"/there\""),
     "!a step with a tool has no working_directory of its own"},
    {TOOL_STEP("\"tool\":\"svc.manage\",\"args\":\"[]\""),
     "!args must be a JSON object"},
    {TOOL_STEP("\"tool\":\"svc.manage\",\"args\":\"{\""),
     "!args must be a JSON object: "},
    {TOOL_STEP("\"tool\":\"svc.manage\",\"args\":\"{\\\"a\\\":1,"
               "\\\"a\\\":2}\""),
     "!args must be a JSON object: "},
    {TOOL_STEP("\"tool\":\"svc.manage\",\"args\":5"), "!steps[0].args"},
    {TOOL_STEP("\"tool\":\"svc.manage\""), "!args: missing \"service\""},
    {TOOL_STEP("\"tool\":\"svc.mange\""), "!unknown tool \"svc.mange\""},
    {TOOL_STEP("\"tool\":\"cmd.run\",\"args\":{\"command\":\"ls\"}"), ""},
    {TOOL_STEP("\"tool\":\"cmd.run\",\"args\":{\"command\":\"ls\","
               "\"timeout_ms\":1,\"working_directory\":null}"),
     ""},
    {TOOL_STEP("\"tool\":\"cmd.run\",\"args\":{\"command\":\"ls\","
               "\"working_directory\":\"/\"}"),
     "!must be the same as working_directory"},
    {TOOL_STEP("\"tool\":\"cmd.run\",\"args\":{\"env\":{}}"),
     "!args.env: a step has all of its command in shell_command"},
    {TOOL_STEP("\"tool\":null,\"args\":{\"command\":\"rm x\"}"), ""},
};

static void
a_step_may_name_a_tool_that_runs_it(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(tool_rows); i++) {
        CLEANUP_BUF struct buf call = buf_of(4096);
        const char *text = tool_rows[i].text, *wants = tool_rows[i].wants;
        struct err e = {0};
        CLEANUP(aiaction_free_p)
        struct aiaction *a = aiaction_parse(text, strlen(text), AIACTION_RUN,
                                            &tools, &e);

        if (wants[0] == '!') {
            assert_null(a);
            assert_int_equal(e.code, ERR_ANSWER);
            assert_non_null(strstr(e.text, wants + 1));
            continue;
        }
        assert_non_null(a);
        assert_true(a->wants_results);
        if (a->steps[0].tool)
            aiaction_put_call(&call, &a->steps[0]);
        assert_string_equal(call.p, wants);
    }
}

static void
an_edited_step_runs_its_command(void **state)
{
    CLEANUP(aiaction_free_p)
    struct aiaction *a = aiaction_parse(tool_rows[0].text,
                                        strlen(tool_rows[0].text), AIACTION_RUN,
                                        &tools, NULL);

    (void)state;
    assert_non_null(a->steps[0].tool);
    assert_int_equal(aiaction_set_command(a, 0, "pwd", NULL), 0);
    assert_null(a->steps[0].tool);
    assert_string_equal(a->steps[0].command, "pwd");
}

static void
an_explanation_never_has_commands(void **state)
{
    struct err e = {0};

    (void)state;
    assert_null(aiaction_parse(RUN("ls"), strlen(RUN("ls")), AIACTION_EXPLAIN,
                               NULL, &e));
    assert_int_equal(e.code, ERR_ANSWER);
    assert_non_null(strstr(e.text, "answer_only"));
}

static void
the_reason_names_the_place(void **state)
{
    static const char text[] =
        "{\"kind\":\"command_sequence\",\"steps\":[{\"id\":\"1\","
        "\"description\":\"d\",\"shell_command\":5}]}";
    struct err e = {0};

    (void)state;
    assert_null(aiaction_parse(text, strlen(text), AIACTION_RUN, NULL, &e));
    assert_non_null(strstr(e.text, "steps[0].shell_command"));
}

static void
too_many_steps_or_bytes_are_refused(void **state)
{
    CLEANUP_BUF struct buf text = buf_of(1 << 20);
    struct err e = {0};

    (void)state;
    buf_str(&text, "{\"kind\":\"plan_and_commands\",\"steps\":[");
    for (int i = 0; i < AIACTION_STEPS_MAX + 1; i++)
        buf_printf(&text,
                   "%s{\"id\":\"%d\",\"description\":\"d\","
                   "\"shell_command\":\"ls\"}",
                   i ? "," : "", i);
    buf_str(&text, "]}");
    assert_null(aiaction_parse(text.p, text.len, AIACTION_DO, NULL, &e));
    assert_non_null(strstr(e.text, "at most 32"));
    buf_clear(&text);
    buf_printf(&text, RUN("%*s"), (int)AIACTION_COMMAND_MAX + 1, "x");
    assert_null(aiaction_parse(text.p, text.len, AIACTION_DO, NULL, &e));
    assert_non_null(strstr(e.text, "16384"));
}

static void
repeat(struct buf *out, const char *what, size_t times)
{
    while (times-- > 0)
        buf_str(out, what);
}

/* The address sanitizer looks at the whole text at each memmem(), so that
 * even linear work grows with the square there. */
#ifdef __SANITIZE_ADDRESS__
#define TEXT_BYTES (256u << 10)
#define TEXT_MS    10000
#else
#define TEXT_BYTES (15u << 20)
#define TEXT_MS    1000
#endif

/* Our own work, whatever else the machine does. */
static int64_t
cpu_ms(void)
{
    return (int64_t)clock() * 1000 / CLOCKS_PER_SEC;
}

/* What a hostile model can send: tags, each in an object that is broken far
 * behind it, or in none. */
static void
time_grows_with_the_text_alone(void **state)
{
    static const struct {
        const char *head;
        size_t heads;
        const char *fill, *tail;
    } texts[] = {
        {"{\"a\":[\"</think>\",", 60, "1,", ""},
        {"{\"a\":[\"</think>\",", 60, "1,", "x"},
        {"{\"a\":[\"</think>\",", 1000, "1,", "x</think>"},
        {"{\"a\":\"</think>\"} ", 1000, "{\"a\":1}", "{\"a\":"},
        {"x", 1, "{\"a\":\"</think>\",", ""},
        {"x", 1, "{\"a\":[\"<think>\",", ""},
        {"x", 1, "{\"a\":\"<think>\"} ", "</think>"},
        {"x", 1, "</think>{\"\\u0061\":\"", ""},
        {"x", 1, "<think></think>", "x"},
        {"{\"a\":[\"</think>\",", 60, "1", "e"},
        {ANSWER("x"), 1, ANSWER("x"), ""},
        {ANSWER("x"), 1, "{\"kind\":1}", ""},
        {ANSWER("x"), 1, "{\"a\":", ""},
        {ANSWER("x"), 1, "{\"a\":[\"", ""},
        {ANSWER("x"), 1, "{\"kind\":\"answer_only\",\"x\":[", ""},
        {"x", 1, "<", ""},
        {"x", 1, "<think ", ""},
        {"x", 1, "[ ", "think]"},
        {"x", 1, "<|channel|>", ""},
        {"x", 1, "<|start|>", "<|channel|>final<|message|>x"},
        {"analysisX", 1, "assistantfinal", ""},
        {"<think>", 1, "{\"a\":[\"</think>\",", ""},
    };

    (void)state;
    for (size_t i = 0; i < N_OF(texts); i++) {
        CLEANUP_BUF struct buf text = buf_of(16 << 20);
        struct err e = {0};
        int64_t from;

        repeat(&text, texts[i].head, texts[i].heads);
        repeat(&text, texts[i].fill, TEXT_BYTES / strlen(texts[i].fill));
        buf_str(&text, texts[i].tail);
        assert_int_equal(buf_ok(&text, "text", &e), 0);
        from = cpu_ms();
        aiaction_free(aiaction_parse(text.p, text.len, AIACTION_DO, NULL, &e));
        if (cpu_ms() - from > TEXT_MS)
            fail_msg("text %zu took %d ms", i, (int)(cpu_ms() - from));
    }
}

static void
a_saved_plan_reads_back(void **state)
{
    const char *text = tool_rows[0].text;
    CLEANUP(aiaction_free_p)
    struct aiaction *a = aiaction_parse(text, strlen(text), AIACTION_RUN,
                                        &tools, NULL);
    CLEANUP(aiaction_free_p) struct aiaction *b = NULL;
    CLEANUP_BUF struct buf out = buf_of(4096);
    struct json_writer w;
    struct err e = {0};

    (void)state;
    json_write_init(&w, &out);
    aiaction_put(&w, a);
    b = aiaction_load(out.p, out.len, &tools, &e);
    assert_non_null(b);
    assert_string_equal(b->steps[0].command, "ls");
    assert_string_equal(b->steps[0].tool, "svc.manage");
    assert_string_equal(b->steps[0].action, "restart");
    assert_true(b->wants_results);
    assert_null(aiaction_load(ANSWER("x"), strlen(ANSWER("x")), NULL, &e));
    assert_int_equal(e.code, ERR_INVALID);
}

static void
what_no_model_wrote_is_checked_alike(void **state)
{
    CLEANUP(aiaction_free_p)
    struct aiaction *a = aiaction_new(PLAN_AND_COMMANDS, "caf\xE9", NULL);
    CLEANUP(free_p) char *long_one = calloc(1, AIACTION_COMMAND_MAX + 2);
    struct err e = {0};

    (void)state;
    assert_non_null(a);
    assert_string_equal(a->summary, "caf\xEF\xBF\xBD");
    assert_int_equal(aiaction_check_mode(a, AIACTION_DO, &e), -1);
    assert_string_equal(e.text, "steps: plan_and_commands needs at least one");
    assert_int_equal(aiaction_add_step(a, "list", "ls", true, &e), 0);
    assert_int_equal(aiaction_check_mode(a, AIACTION_DO, &e), 0);
    assert_int_equal(aiaction_check_mode(a, AIACTION_EXPLAIN, &e), -1);
    assert_string_equal(a->steps[0].id, "1");
    assert_string_equal(a->steps[0].command, "ls");
    assert_true(a->steps[0].requires_sudo);
    assert_int_equal(aiaction_add_step(a, "", " ", false, &e), -1);
    assert_string_equal(e.text, "steps[1]: shell_command is empty");
    memset(long_one, 'a', AIACTION_COMMAND_MAX + 1);
    assert_int_equal(aiaction_add_step(a, "", long_one, false, &e), -1);
    assert_string_equal(e.text, "steps[1]: shell_command is over 16384 bytes");
    while (a->n < AIACTION_STEPS_MAX)
        assert_int_equal(aiaction_add_step(a, "", "ls", false, &e), 0);
    assert_int_equal(aiaction_add_step(a, "", "ls", false, &e), -1);
    assert_string_equal(e.text, "steps: at most 32, not 33");
    assert_null(aiaction_new(ANSWER_ONLY, "", &e));
    assert_int_equal(e.code, ERR_ANSWER);
}

static int
refuse_call(void *arg, const char *tool, const char **action,
            const struct json *args, struct err *e)
{
    (void)arg;
    (void)action;
    (void)args;
    return err_set(e, ERR_ANSWER, "%s is refused", tool);
}

/* Else its command would run in its place. */
static void
a_call_that_is_refused_leaves_no_step(void **state)
{
    static const char *const calls[] = {
        "{\"tool\":\"x.y\",\"action\":\"a\",\"args\":{},\"command\":\"ls\"}",
        "{\"action\":\"a\",\"args\":{},\"command\":\"ls\"}",
        "{\"tool\":\"x.y\",\"action\":\"a\",\"args\":{}}",
        "{\"tool\":\"x.y\",\"action\":\"a\",\"args\":{},\"command\":\" \"}",
    };
    const struct aiaction_tools refusing = {.check = refuse_call};
    CLEANUP(aiaction_free_p)
    struct aiaction *a = aiaction_new(COMMAND_SEQUENCE, "x", NULL);

    (void)state;
    assert_non_null(a);
    assert_int_equal(aiaction_add_step(a, "", "true", false, NULL), 0);
    for (size_t i = 0; i < N_OF(calls); i++) {
        CLEANUP(json_free_p)
        struct json *call = json_parse(calls[i], strlen(calls[i]), JSON_UNIQUE,
                                       NULL);
        struct err e = {0};

        assert_int_equal(aiaction_add_call(a, "", call, &refusing, &e), -1);
        assert_int_equal(e.code, ERR_ANSWER);
        assert_int_equal(a->n, 1);
    }
    assert_int_equal(aiaction_add_step(a, "", "false", false, NULL), 0);
    aiaction_cut(a, 1);
    assert_int_equal(a->n, 1);
    assert_string_equal(a->steps[0].command, "true");
}

/* What a person is shown is no part of the plan that programs get. */
static void
a_person_is_shown_other_words_than_programs(void **state)
{
    CLEANUP(aiaction_free_p)
    struct aiaction *a = aiaction_new(PLAN_AND_COMMANDS, "list it", NULL);
    CLEANUP_BUF struct buf json = buf_of(4096);
    struct json_writer w;

    (void)state;
    assert_non_null(a);
    assert_int_equal(aiaction_add_step(a, "list", "ls", false, NULL), 0);
    assert_string_equal(aiaction_shown(a), "list it");
    assert_string_equal(aiaction_step_shown(&a->steps[0]), "list");
    assert_int_equal(aiaction_show_summary(a, "auflisten\xE9", NULL), 0);
    assert_int_equal(aiaction_show_step(a, "zeigen", NULL), 0);
    assert_int_equal(aiaction_show_step(a, "", NULL), 0);
    assert_string_equal(aiaction_shown(a), "auflisten\xEF\xBF\xBD");
    assert_string_equal(aiaction_step_shown(&a->steps[0]), "zeigen");
    json_write_init(&w, &json);
    aiaction_put(&w, a);
    assert_non_null(strstr(json.p, "\"list it\""));
    assert_non_null(strstr(json.p, "\"list\""));
    assert_null(strstr(json.p, "auflisten"));
    assert_null(strstr(json.p, "zeigen"));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_come_out_as_the_contract_says),
        cmocka_unit_test(a_step_may_name_a_tool_that_runs_it),
        cmocka_unit_test(an_edited_step_runs_its_command),
        cmocka_unit_test(an_explanation_never_has_commands),
        cmocka_unit_test(the_reason_names_the_place),
        cmocka_unit_test(too_many_steps_or_bytes_are_refused),
        cmocka_unit_test(time_grows_with_the_text_alone),
        cmocka_unit_test(a_saved_plan_reads_back),
        cmocka_unit_test(what_no_model_wrote_is_checked_alike),
        cmocka_unit_test(a_call_that_is_refused_leaves_no_step),
        cmocka_unit_test(a_person_is_shown_other_words_than_programs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
