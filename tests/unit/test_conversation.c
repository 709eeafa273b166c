/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_conversation.c - a conversation keeps its own copy of every turn. */
#include "tests/unit/unit.h"

#include <string.h>

#include "action/conversation.h"

static void
turns_come_back_in_order_and_whole(void **state)
{
    CLEANUP(conversation_free_p)
    struct conversation *t = conversation_new(NULL);
    char id[] = "call_1", name[] = "sysinfo", args[] = "{}x";
    const struct model_tool_call calls[] = {
        {.id = id, .name = name, .args = args, .args_len = 2},
        {.id = "2", .name = "x", .args = "{", .args_len = 1, .extra = "[1]"},
    };
    const struct model_answer a = {
        .text = "hm\0rest", .len = 7, .tool_calls = calls, .n_tool_calls = 2};
    const struct model_turn *turns;
    size_t n;

    (void)state;
    assert_int_equal(conversation_add_user(t, "what is this", NULL, NULL, NULL),
                     0);
    assert_int_equal(conversation_add_assistant(t, &a, NULL), 0);
    assert_int_equal(
        conversation_add_result(t, &calls[0], "told", "a file", false, NULL),
        0);
    assert_int_equal(
        conversation_add_result(t, &calls[1], "no", NULL, true, NULL), 0);
    memset(id, '!', sizeof(id) - 1);
    memset(name, '!', sizeof(name) - 1);
    memset(args, '!', sizeof(args) - 1);
    turns = conversation_turns(t, &n);
    assert_int_equal(n, 4);
    assert_int_equal(turns[0].role, MODEL_USER);
    assert_string_equal(turns[0].text, "what is this");
    assert_int_equal(turns[1].role, MODEL_ASSISTANT);
    assert_string_equal(turns[1].text, "hm");
    assert_int_equal(turns[1].n_tool_calls, 2);
    assert_string_equal(turns[1].tool_calls[0].id, "call_1");
    assert_string_equal(turns[1].tool_calls[0].args, "{}");
    assert_null(turns[1].tool_calls[0].extra);
    assert_string_equal(turns[1].tool_calls[1].extra, "[1]");
    assert_int_equal(turns[2].role, MODEL_RESULT);
    assert_string_equal(turns[2].call_id, "call_1");
    assert_string_equal(turns[2].call_name, "sysinfo");
    assert_string_equal(turns[2].text, "told");
    assert_false(turns[2].failed);
    assert_true(turns[3].failed);
}

static void
it_does_not_grow_for_ever(void **state)
{
    CLEANUP(conversation_free_p)
    struct conversation *t = conversation_new(NULL);
    struct err e = {0};

    (void)state;
    for (int i = 0; i < CONVERSATION_TURNS_MAX; i++)
        assert_int_equal(conversation_add_user(t, "x", NULL, NULL, &e), 0);
    assert_int_equal(conversation_add_user(t, "x", NULL, NULL, &e), -1);
    assert_int_equal(e.code, ERR_NOMEM);
}

/* The sum of in or out is unknown with one that is; a part counts as far as it
 * is told. */
static void
what_answers_cost_is_summed(void **state)
{
    CLEANUP(conversation_free_p)
    struct conversation *t = conversation_new(NULL);
    const struct conversation_usage *u = conversation_usage(t);
    const struct model_answer plain = {.tokens_in = 10,
                                       .tokens_out = 3,
                                       .tokens_cached = -1,
                                       .tokens_cache_written = -1,
                                       .tokens_reasoning = -1,
                                       .ms = 5};
    const struct model_answer cached = {.tokens_in = 30,
                                        .tokens_out = 4,
                                        .tokens_cached = 20,
                                        .tokens_cache_written = 5,
                                        .tokens_reasoning = 2};
    const struct model_answer silent = {.tokens_in = -1,
                                        .tokens_out = 1,
                                        .tokens_cached = -1,
                                        .tokens_cache_written = -1,
                                        .tokens_reasoning = -1};

    (void)state;
    conversation_count_answer(t, &plain);
    assert_int_equal(u->tokens_cached, -1);
    conversation_count_answer(t, &cached);
    conversation_count_answer(t, &plain);
    assert_int_equal(u->tokens_in, 50);
    assert_int_equal(u->tokens_in_most, 30);
    assert_int_equal(u->tokens_out, 10);
    assert_int_equal(u->tokens_cached, 20);
    assert_int_equal(u->tokens_cache_written, 5);
    assert_int_equal(u->tokens_reasoning, 2);
    assert_int_equal(u->ms, 10);
    conversation_count_answer(t, &silent);
    assert_int_equal(u->tokens_in, -1);
    assert_int_equal(u->tokens_out, 11);
}

/* Their bytes are bounded, and none is kept without its words. */
static void
old_images_are_dropped_with_their_request(void **state)
{
    CLEANUP(conversation_free_p)
    struct conversation *c = conversation_new(NULL);
    CLEANUP(model_images_free_p)
    struct model_images *images = model_images_new(NULL);
    const struct model_answer a = {.text = "seen", .len = 4};
    const struct model_turn *turns;
    size_t n;

    (void)state;
    images->bytes = MODEL_IMAGES_BYTES_MAX; /* as if there were large ones */
    for (size_t i = 0; i < 4; i++) {
        conversation_begin(c);
        assert_int_equal(conversation_add_user(c, "look", NULL, images, NULL),
                         0);
        assert_int_equal(conversation_add_assistant(c, &a, NULL), 0);
    }
    turns = conversation_turns(c, &n);
    assert_int_equal(n, 6);
    assert_ptr_equal(turns[0].images, images);
    assert_int_equal(images->more_owners, 3);
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(turns_come_back_in_order_and_whole),
        cmocka_unit_test(it_does_not_grow_for_ever),
        cmocka_unit_test(what_answers_cost_is_summed),
        cmocka_unit_test(old_images_are_dropped_with_their_request),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
