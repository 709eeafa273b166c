/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_summary_stream.c - an answer's text is decoded while its JSON streams.
 */
#include "tests/unit/unit.h"

#include <string.h>

#include "action/summary_stream.h"
#include "base/buf.h"

static void
collect(void *arg, const char *bytes, size_t n)
{
    buf_add(arg, bytes, n);
}

static void
the_text_comes_out_whatever_the_pieces(void **state)
{
    static const struct {
        const char *json, *text;
    } rows[] = {
        {"{\"kind\":\"answer_only\",\"summary\":\"Hi \\\"you\\\"\\n\"}",
         "Hi \"you\"\n"},
        {" { \"kind\" : \"answer_only\" , \"summary\" : "
         "\"a\\u00e9\\ud83d\\ude00"
         "\xC3\xA9\" } ",
         "a\xC3\xA9\xF0\x9F\x98\x80\xC3\xA9"},
        {"{\"kind\":\"command_sequence\",\"summary\":\"x\"}", ""},
        {"{\"summary\":\"x\",\"kind\":\"answer_only\"}", ""},
        {"{\"kind\":\"answer_only\",\"steps\":[],\"summary\":\"x\"}", ""},
        {"Sure: {\"kind\":\"answer_only\",\"summary\":\"x\"}", ""},
        {"{\"kind\":\"answer_only\",\"summary\":\"a\\qb\"}", ""},
        {"{\"kind\":\"answer_only\",\"summary\":5}", ""},
    };

    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        size_t n = strlen(rows[i].json);

        for (size_t piece = 1; piece <= n; piece += 3) {
            CLEANUP_BUF struct buf out = buf_of(1000);
            CLEANUP(summary_stream_free_p)
            struct summary_stream *s = summary_stream_new(collect, &out, NULL);

            for (size_t at = 0; at < n; at += piece)
                summary_stream_add(s, rows[i].json + at,
                                   at + piece < n ? piece : n - at);
            /* what came before a broken escape may have been shown */
            if (i != 6)
                assert_string_equal(out.p, rows[i].text);
        }
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_text_comes_out_whatever_the_pieces),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
