/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tool_calls.h - builds and decodes tool calls as the four providers stream
 * them. */
#ifndef TESTS_UNIT_TOOL_CALLS_H
#define TESTS_UNIT_TOOL_CALLS_H

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
struct calls_row {
    const char *provider, *body;
    const char *calls; /* NULL: fails with these words */
    const char *words; /* or, where it does not fail, the text beside */
};

static inline void
calls_put(const struct model_response *r, struct buf *out)
{
    for (size_t i = 0; i < r->tool_calls.n; i++) {
        struct model_tool_call c = tool_calls_view(&r->tool_calls.rows[i]);

        buf_printf(out, "%s %s %.*s%s%s\n", c.id, c.name, (int)c.args_len,
                   c.args, c.extra ? " " : "", c.extra ? c.extra : "");
    }
}

/* Feeds the row in pieces of step bytes; 7 ids of ours came before. */
static inline void
calls_check_row(const struct calls_row *row, enum tool_declarations_form calls,
                size_t step)
{
    CLEANUP_BUF struct buf got = buf_of(1 << 20);
    const struct stream_row s = {.provider = row->provider, .body = row->body};
    struct model_response r;
    struct err e = {0};
    int rc;

    model_response_init(&r, false, NULL);
    model_response_expect_calls(&r, calls, 7);
    rc = stream_run(&s, step, &r, &e);
    if (rc == 0)
        calls_put(&r, &got);
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
    model_response_done(&r);
}

static inline void
calls_check(const struct calls_row *rows, size_t n,
            enum tool_declarations_form calls)
{
    static const size_t steps[] = {1, 3, 64, 1 << 20};

    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < N_OF(steps); k++)
            calls_check_row(&rows[i], calls, steps[k]);
    }
}

#endif
