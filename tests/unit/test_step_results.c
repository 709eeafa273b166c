/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_step_results.c - the results of steps for a model are bounded, valid and
 * without secrets. */
#include "tests/unit/unit.h"

#include <string.h>

#include "action/step_results.h"

static struct json *
line_of(const struct step_results *o, size_t from)
{
    const char *end = memchr(o->text.p + from, '\n', o->text.len - from);
    struct json *v;

    assert_non_null(end);
    v = json_parse(o->text.p + from, (size_t)(end - o->text.p) - from,
                   JSON_UNIQUE, NULL);
    assert_non_null(v);
    return v;
}

static void
add(struct step_results *o, const char *out, size_t n)
{
    const struct step s = {.id = (char *)(uintptr_t) "s1"};
    const struct step_end end = {.exit_code = 3,
                                 .error_code = "NOT_FOUND",
                                 .out = out,
                                 .out_len = n,
                                 .err = "",
                                 .denied = ""};

    step_results_add(o, &s, &end);
}

static void
a_step_is_a_line_with_its_status_and_text(void **state)
{
    CLEANUP(step_results_done) struct step_results o;
    CLEANUP(json_free_p) struct json *v = NULL;
    const struct step s = {.id = (char *)(uintptr_t) "s2"};
    int64_t code = 0;
    size_t first;

    (void)state;
    step_results_init(&o);
    add(&o, "a\"b\nc", 5);
    first = o.text.len;
    step_results_add(&o, &s, NULL);
    v = line_of(&o, 0);
    assert_true(json_int(json_get(v, "exit_code"), &code));
    assert_int_equal(code, 3);
    assert_string_equal(json_get_str(v, "error_code"), "NOT_FOUND");
    assert_string_equal(json_get_str(v, "stdout"), "a\"b\nc");
    json_free(v);
    v = line_of(&o, first);
    assert_string_equal(json_get_str(v, "step"), "s2");
    assert_null(json_get(v, "exit_code"));
}

static void
what_a_step_read_of_secrets_stays_here(void **state)
{
    const struct step s = {.id = (char *)(uintptr_t) "s1"};
    const struct step_end end = {.out = "plain",
                                 .out_len = 5,
                                 .err = "plain",
                                 .err_len = 5,
                                 .secret = true};
    CLEANUP(step_results_done) struct step_results o;

    (void)state;
    step_results_init(&o);
    step_results_add(&o, &s, &end);
    assert_null(strstr(o.text.p, "plain"));
    assert_non_null(strstr(o.text.p, "\"withheld\""));
}

static void
a_long_stream_keeps_its_end_at_a_character(void **state)
{
    static char text[3 * STEP_RESULTS_STREAM_MAX + 1];
    CLEANUP(step_results_done) struct step_results o;
    CLEANUP(json_free_p) struct json *v = NULL;
    const char *kept;
    size_t n;

    (void)state;
    for (size_t i = 0; i + 3 < sizeof(text); i += 3)
        memcpy(text + i, "\xe6\x89\x8b", 3);
    step_results_init(&o);
    add(&o, text, sizeof(text) - 1);
    v = line_of(&o, 0);
    kept = json_str(json_get(v, "stdout"), &n);
    assert_between(n, STEP_RESULTS_STREAM_MAX - 3, STEP_RESULTS_STREAM_MAX);
    assert_memory_equal(kept, "\xe6\x89\x8b", 3);
    assert_non_null(json_get(v, "cut"));
}

static void
secrets_and_bad_bytes_do_not_pass(void **state)
{
    static const char text[] =
        "token ghp_abcdefghijklmnopqrstuvwxyz0123456789 \xff end";
    CLEANUP(step_results_done) struct step_results o;
    CLEANUP(json_free_p) struct json *v = NULL;
    const char *kept;

    (void)state;
    step_results_init(&o);
    add(&o, text, sizeof(text) - 1);
    v = line_of(&o, 0);
    kept = json_get_str(v, "stdout");
    assert_null(strstr(kept, "abcdefghij"));
    assert_non_null(strstr(kept, "\xef\xbf\xbd end"));
}

static void
all_steps_together_have_a_bound(void **state)
{
    static char text[STEP_RESULTS_STREAM_MAX];
    CLEANUP(step_results_done) struct step_results o;

    (void)state;
    memset(text, 'x', sizeof(text));
    step_results_init(&o);
    for (int i = 0; i < AIACTION_STEPS_MAX; i++)
        add(&o, text, sizeof(text));
    assert_false(o.text.bad);
    assert_true(o.text.len < STEP_RESULTS_MAX + 2 * STEP_RESULTS_STREAM_MAX);
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_is_a_line_with_its_status_and_text),
        cmocka_unit_test(what_a_step_read_of_secrets_stays_here),
        cmocka_unit_test(a_long_stream_keeps_its_end_at_a_character),
        cmocka_unit_test(secrets_and_bad_bytes_do_not_pass),
        cmocka_unit_test(all_steps_together_have_a_bound),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
