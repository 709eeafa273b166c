/* SPDX-License-Identifier: GPL-3.0-or-later */
/* streams.h - builds and decodes bodies as the four providers stream them. */
#ifndef TESTS_UNIT_STREAMS_H
#define TESTS_UNIT_STREAMS_H

#include <stdio.h>
#include <string.h>

#include "model/provider/provider.h"
#include "model/provider/provider_table.h"
#include "model/provider/response.h"
#include "model/provider/stream.h"

#define STREAM_LIMIT 8192 /* tokens that the tests' calls ask for */

/* clang-format off */
#define OA(content) \
    "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"" content \
    "\"},\"finish_reason\":null}]}\n\n"
#define OA_END(why) \
    "data: {\"model\":\"m-1\",\"choices\":[{\"delta\":{}," \
    "\"finish_reason\":\"" why "\"}]}\n\n"
#define DONE "data: [DONE]\n\n"
#define AN(text) \
    "event: content_block_delta\ndata: {\"type\":\"content_block_delta\"," \
    "\"delta\":{\"type\":\"text_delta\",\"text\":\"" text "\"}}\n\n"
#define AN_END(why) \
    "event: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":" \
    "{\"stop_reason\":\"" why "\"},\"usage\":{\"output_tokens\":5}}\n\n" \
    "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n"
#define GE(text, more) \
    "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"" text \
    "\"}]}" more "}]}\r\n\r\n"
#define GE_STOP ",\"finishReason\":\"STOP\""
#define OL(text) \
    "{\"model\":\"q\",\"message\":{\"content\":\"" text \
    "\"},\"done\":false}\n"
#define OL_END(why) \
    "{\"model\":\"q\",\"message\":{\"content\":\"\"},\"done\":true," \
    "\"done_reason\":\"" why "\",\"eval_count\":3}\n"
/* clang-format on */

/* Adds text as a provider's file does; json is a JSON string. */
static inline int
stream_add_text(struct model_response *r, const char *json)
{
    CLEANUP(json_free_p) struct json *v = NULL;

    v = json_parse(json, strlen(json), 0, NULL);
    assert_non_null(v);
    return model_response_add_text(r, v, NULL);
}

/* What comes of a body: the text, or the words of the failure. */
struct stream_row {
    const char *provider, *body;
    const char *text; /* NULL: fails */
    enum err_code code;
    const char *words;
};

/* Feeds the body in pieces of `step` bytes. */
static inline int
stream_run(const struct stream_row *row, size_t step, struct model_response *r,
           struct err *e)
{
    CLEANUP(stream_free_p) struct stream *s = NULL;
    size_t n = strlen(row->body);

    s = stream_new(provider_find(row->provider), r, e);
    assert_non_null(s);
    for (size_t i = 0; i < n; i += step) {
        size_t part = n - i < step ? n - i : step;

        if (stream_add(s, row->body + i, part, e) < 0)
            return -1;
    }
    if (stream_end(s, e) < 0)
        return -1;
    return model_response_check(r, STREAM_LIMIT, e);
}

static inline void
stream_check_row(const struct stream_row *row, size_t step)
{
    struct model_response r;
    struct err e = {0};
    int rc;

    model_response_init(&r, false, NULL);
    rc = stream_run(row, step, &r, &e);
    if ((rc == 0) != (row->text != NULL) ||
        (row->text && strcmp(r.text.p, row->text) != 0) ||
        (row->words && !strstr(e.text, row->words)))
        print_error("# by %zu: %s\n# -> %d %s | %s\n", step, row->body, rc,
                    e.text, r.text.p);
    assert_int_equal(rc, row->text ? 0 : -1);
    if (row->text) {
        assert_string_equal(r.text.p, row->text);
    } else {
        assert_int_equal(e.code, row->code);
        assert_non_null(strstr(e.text, row->words));
    }
    model_response_done(&r);
}

/* Every row, cut everywhere. */
static inline void
stream_check(const struct stream_row *rows, size_t n)
{
    static const size_t steps[] = {1, 2, 7, 64, 1 << 20};

    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < N_OF(steps); k++)
            stream_check_row(&rows[i], steps[k]);
    }
}

#endif
