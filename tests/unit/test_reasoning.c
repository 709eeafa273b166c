/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_reasoning.c - what of a text is a model's reasoning, and how much of a
 * text may be shown while it grows. */
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "model/provider/reasoning.h"
#include "model/provider/shown_text.h"

#define TRIANGLE(s) "\xe2\x97\x81" s "\xe2\x96\xb7"
#define WIDE(s)     "\xef\xbc\x9c" s "\xef\xbc\x9e"
#define CHANNEL(s)  "<|channel|>" s "<|message|>"
#define A           "{\"a\":1}"
#define B           "{\"b\":2}"

static const struct {
    const char *text, *answer;
} rows[] = {
    {"a", "a"},
    {"", ""},
    /* each mark that opens and closes */
    {"<think>" A "</think>" B, B},
    {"<thinking>" A "</thinking>" B, B},
    {"<reasoning>" A "</reasoning>" B, B},
    {"<thought>" A "</thought>" B, B},
    {"<thoughts>" A "</thoughts>" B, B},
    {"<reflection>" A "</reflection>" B, B},
    {"<scratchpad>" A "</scratchpad>" B, B},
    {"<analysis>" A "</analysis>" B, B},
    {"<longcat_think>" A "</longcat_think>" B, B},
    {"<seed:think>" A "</seed:think>" B, B},
    {"<mm:think>" A "</mm:think>" B, B},
    {"[THINK]" A "[/THINK]" B, B},
    {TRIANGLE("think") A TRIANGLE("/think") B, B},
    {WIDE("think") A WIDE("/think") B, B},
    {"&lt;think&gt;" A "&lt;/think&gt;" B, B},
    {"<|think|>" A "<|/think|>" B, B},
    {"<|begin_of_thought|>" A "<|end_of_thought|>" B, B},
    {"<|START_THINKING|>" A "<|END_THINKING|>" B, B},
    {"<unused94>thought\n" A "<unused95>" B, B},
    {"<|channel>thought\n" A "<channel|>" B, B},
    /* in any case, with blanks and attributes */
    {"<THINK>" A "</Think>" B, B},
    {"< think >" A "< / think >" B, B},
    {"<think\n>" A "</think\t>" B, B},
    {"<think effort=\"high\" budget='1'>" A "</think>" B, B},
    {"<think>" A "</think id=1>" B, B},
    {"[ Think ]" A "[ / think ]" B, B},
    {"<| channel |> Analysis <| message |>" A
     "<|END|><|Start|>assistant<|channel|>FINAL<|message|>" B,
     B},
    /* without an end nothing behind it is an answer */
    {A "<think>" B, A},
    {"<think>" B, ""},
    {"<think " B, ""},
    {"<think x=\"" B, ""},
    {"<think>" A "</think" B, ""},
    {"<think>" A "</think {\"b\":\">\"}", ""},
    {"<think {\"b\":\">\"}" B, ""},
    {"<think>" A "</thinking>" B, ""},
    {"<think>" A "[/think]" B, ""},
    {"[THINK]" A "</think>" B, ""},
    {"<think>" A "</think><think>" B, ""},
    /* without a beginning all before it is reasoning */
    {A "</think>" B, B},
    {"hm " A " hm [/THINK]" B, B},
    {"hm " A "<channel|>" B, B},
    {"x" TRIANGLE("/think") "y", "y"},
    {A "</think>" B "</think>", ""},
    {A "</think>" B "</think>c", "c"},
    {A "<think>x</think>" B "</reasoning>c", "c"},
    /* within each other */
    {"<think>a<think>b</think>" A "</think>" B, B},
    {"<think>a<reasoning>b</reasoning>" A "</think>" B, B},
    {"<think>a<reasoning>b</think>" A "</reasoning>" B, B},
    {"<think>a<think>b</think>" A, ""},
    {"<think>a<reasoning>b</think>" A, ""},
    {"<think>" CHANNEL("final") A, ""},
    {"<think></think><think></think>" B, B},
    {"<think>x</think> <think>y</think>\n" B, " \n" B},
    {"a<think>b</think>c", "ac"},
    {"<think/>" B, B},
    {"<think />" B "</think>c", "c"},
    /* two halves of a mark */
    {"<thi<think>x</think>nk>" B, ""},
    {"<t<t<think>x</think>hink>y</think>hink>" A "</think>" B, B},
    {"<<<<<think/>think/>think/>think/>think/>" B, ""},
    /* harmony: the final messages alone */
    {CHANNEL("analysis") A "<|end|><|start|>assistant" CHANNEL("final") B
     "<|return|>",
     B},
    {"<|start|>assistant" CHANNEL("analysis") A
     "<|end|><|start|>assistant" CHANNEL("final") B,
     B},
    {CHANNEL("final") B, B},
    {CHANNEL("final <|constrain|>JSON") B, B},
    {CHANNEL("analysis") A, ""},
    {CHANNEL("analysis") A "<|end|>" B, ""},
    {CHANNEL("commentary") A "<|end|>", ""},
    {CHANNEL("commentary to=functions.x <|constrain|>json") A "<|call|>", ""},
    {A "<|end|><|start|>assistant" CHANNEL("final") B, B},
    {A "<|channel|>", ""},
    {A "<|start|>", ""},
    {"<|message|>" B, ""},
    {"<|start|>assistant<|message|>" B, ""},
    {"<|start|>user" CHANNEL("final") B, ""},
    {CHANNEL("finally") B, ""},
    {"<|channel|>final<|channel|>analysis<|message|>" B, ""},
    {CHANNEL("final") A "<|end|>" B, A},
    {CHANNEL("final") A "<|message|>" B, A},
    {CHANNEL("final") A "<|end|>" CHANNEL("final") B, A B},
    {CHANNEL("final") A "</think>" B, B},
    {CHANNEL("analysis") "assistantfinal" A, ""},
    {"analysisUser wants " A "assistantfinal" B, B},
    {"analysisUser wants " A, ""},
    {"commentaryI look." A "assistantanalysisHm.assistantfinal" B, B},
    {A "assistantcommentaryHm " B, ""},
    {A "<|end|>", A "<|end|>"},
    {"a<|return|>", "a<|return|>"},
    /* what is none */
    {"analysis of a line", "analysis of a line"},
    {"an analysisUser", "an analysisUser"},
    {"<thinker>a</thinker>", "<thinker>a</thinker>"},
    {"<rethink>a", "<rethink>a"},
    {"sort <thinking.txt", "sort <thinking.txt"},
    {"<channel>a</channel>", "<channel>a</channel>"},
    {"<start>a<end>", "<start>a<end>"},
    {"[reasoning](url) [analysis]", "[reasoning](url) [analysis]"},
    {"[think=1]", "[think=1]"},
    {"<th", "<th"},
    {"<think", "<think"},
    {"a & b < c [ d", "a & b < c [ d"},
    /* in an object that is whole a mark is data */
    {"{\"a\":\"<think>\"}", "{\"a\":\"<think>\"}"},
    {"x {\"a\":\"</think>\"} y", "x {\"a\":\"</think>\"} y"},
    {A " {\"a\":\"</think>\"}", A " {\"a\":\"</think>\"}"},
    {"{\"a\":\"" CHANNEL("analysis") "\"}",
     "{\"a\":\"" CHANNEL("analysis") "\"}"},
    {"<think>{\"a\":\"</think>\"}" A "</think>" B, B},
    {"<think>{\"a\":\"</think>\"}" A, ""},
    /* in one that is not whole it counts */
    {"{\"a\":\"</think>" B, B},
    {"{\"a\" \"</think>\"}" B, "\"}" B},
    {"<think>{\"a\":</think>" B, B},
    {"<think>{\"a\":\"</think>" B, B},
    {"<think>{\"a\":\"\n\"</think>" B, B},
};

static void
reasoning_is_told_from_the_answer(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        CLEANUP_BUF struct buf got = buf_of(1 << 16);
        bool any = reasoning_drop(rows[i].text, strlen(rows[i].text), &got);

        if (strcmp(got.p, rows[i].answer) != 0)
            fail_msg("%s\n-> %s\nnot %s", rows[i].text, got.p, rows[i].answer);
        if (any != (strcmp(rows[i].text, rows[i].answer) != 0))
            fail_msg("%s: %d", rows[i].text, any);
    }
}

static void
the_answer_is_added_to_what_is_there(void **state)
{
    CLEANUP_BUF struct buf got = buf_of(64);

    (void)state;
    buf_str(&got, "before ");
    assert_true(reasoning_drop("x</think>y", 10, &got));
    assert_string_equal(got.p, "before y");
}

/* Feeds the text in pieces; what may be shown at the end. */
static void
show(const char *text, size_t step, struct shown_text *s)
{
    size_t n = strlen(text), last = 0;

    *s = (struct shown_text){0};
    for (size_t i = 0; i < n; i += step) {
        /* a copy, so that no byte is read that has not come */
        size_t have = n - i < step ? n : i + step;
        char *copy = malloc(have);

        assert_non_null(copy);
        memcpy(copy, text, have);
        shown_text_read(s, copy, have);
        assert_true(s->end >= last && s->end <= have);
        last = s->end;
        free(copy);
    }
}

static void
only_an_object_in_front_is_shown_as_it_comes(void **state)
{
    static const struct {
        const char *text, *shown;
    } texts[] = {
        {A, A},
        {" \n" A " and " B, A},
        {"{\"a\":\"}{[\\\"", "{\"a\":\"}{[\\\""},
        {"{\"a\":[{\"b\":null}],\"c\":-1.5e+3}x", "{\"a\":[{\"b\":null}],"
                                                  "\"c\":-1.5e+3}"},
        {"{\"a\":\"<think>\"}<think>" B, "{\"a\":\"<think>\"}"},
        {"{\"a\" <think>", "{\"a\" "},
        {"{\"a\":\"\n<think>", "{\"a\":\""},
        {"<think>" A "</think>\n" B "</think>", B},
        {"<think>" A, ""},
        {"<think>a<think>b</think>" A "</think>" B, B},
        {"<thi", ""},
        {"<this>" A, ""},
        {"prose " A, ""},
        {"prose " A "</think>" B, ""},
        {"```json\n" A "\n```", ""},
        {"[1]", ""},
        {"[THINK]x[/THINK]" B, B},
        {TRIANGLE("think") "x" TRIANGLE("/think") B, B},
        {CHANNEL("analysis") A "<|end|><|start|>assistant" CHANNEL("final") B,
         B},
        {CHANNEL("commentary") A, ""},
        {"analysisUser " A "assistantfinal" B, B},
        {"an " A, ""},
        {"<|end|>" A, ""},
        {"<think/>" A, A},
    };
    static const size_t steps[] = {1, 2, 3, 7, 1000};

    (void)state;
    for (size_t i = 0; i < N_OF(texts); i++) {
        for (size_t k = 0; k < N_OF(steps); k++) {
            const char *text = texts[i].text, *shown = texts[i].shown;
            struct shown_text s;
            size_t n = strlen(shown);

            show(text, steps[k], &s);
            n = s.end > s.begin ? s.end - s.begin : 0;
            if (n != strlen(shown) || memcmp(text + s.begin, shown, n) != 0)
                fail_msg("%s by %zu: %.*s", text, steps[k], (int)n,
                         text + s.begin);
        }
    }
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(reasoning_is_told_from_the_answer),
        cmocka_unit_test(the_answer_is_added_to_what_is_there),
        cmocka_unit_test(only_an_object_in_front_is_shown_as_it_comes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
