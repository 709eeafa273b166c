/* SPDX-License-Identifier: GPL-3.0-or-later */
/* response.c - collects one answer of a provider, and checks it at the end. */
#include "model/provider/response.h"

#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "model/client.h"
#include "model/provider/tool_fallback.h"
#include "json/write.h"

#define REFUSAL_MAX 4096u /* it is shown in one line; more is not needed */
/* No model reads or writes as many; sums of these never overflow. */
#define TOKENS_MAX (INT64_C(1) << 40)

static const char blanks[] = " \t\r\n";

void
model_response_init(struct model_response *r, bool forced_tool, const char *key)
{
    *r = (struct model_response){
        .forced_tool = forced_tool,
        .commentary = -1,
        .tokens_in = -1,
        .tokens_out = -1,
        .tokens_cached = -1,
        .tokens_cache_written = -1,
        .tokens_reasoning = -1,
    };
    buf_init(&r->text, MODEL_ANSWER_MAX);
    buf_init(&r->refusal, REFUSAL_MAX);
    for (size_t i = 0; i < MODEL_RESPONSE_REASONING_MAX; i++)
        buf_init(&r->reasoning[i].text, TOOL_CALLS_EXTRA_MAX);
    api_error_init(&r->error, 0, key);
}

void
model_response_done(struct model_response *r)
{
    if (!r)
        return;
    buf_done(&r->text);
    buf_done(&r->refusal);
    for (size_t i = 0; i < MODEL_RESPONSE_REASONING_MAX; i++)
        buf_done(&r->reasoning[i].text);
    content_blocks_done(&r->blocks);
    tool_calls_done(&r->tool_calls);
}

void
model_response_expect_calls(struct model_response *r,
                            enum tool_declarations_form calls, unsigned made)
{
    r->calls = calls;
    r->last_own_id = made;
}

static int
add_text(struct model_response *r, const char *p, size_t n, struct err *e)
{
    if (buf_add(&r->text, p, n) < 0)
        return err_set(e, ERR_ANSWER, "the answer is larger than %u MiB",
                       MODEL_ANSWER_MAX >> 20);
    shown_text_read(&r->shown, r->text.p, r->text.len);
    r->reasoned |= shown_text_has_reasoning(&r->shown);
    return 0;
}

/* Takes the reasoning and the blanks in front out of the text. What was handed
 * out before is then the beginning of it, or void. */
static int
settle_text(struct model_response *r, struct err *e)
{
    CLEANUP_BUF struct buf plain = buf_of(MODEL_ANSWER_MAX);
    const char *had = r->text.p + r->shown.begin;
    size_t n = r->handed_out > 0 ? r->handed_out - r->shown.begin : 0;
    struct buf whole;

    r->reasoned |= reasoning_drop(r->text.p, r->text.len, &plain);
    if (buf_ok(&plain, "the answer", e) < 0)
        return -1;
    buf_drop(&plain, strspn(plain.p, blanks));
    r->replaced |= n > plain.len || memcmp(plain.p, had, n) != 0;
    r->handed_out = r->replaced ? 0 : n;
    whole = r->text;
    r->text = plain;
    plain = whole;
    return 0;
}

int
model_response_add_text(struct model_response *r, const struct json *v,
                        struct err *e)
{
    size_t n;
    const char *s = json_str(v, &n);

    return s ? add_text(r, s, n, e) : 0;
}

void
model_response_note_reasoning(struct model_response *r, const struct json *v)
{
    size_t n;
    const char *s = json_str(v, &n);

    if (s && n > 0)
        r->reasoned = true;
}

void
model_response_keep_reasoning(struct model_response *r, const char *name,
                              const struct json *v)
{
    size_t n;
    const char *s = json_str(v, &n);

    model_response_note_reasoning(r, v);
    for (size_t i = 0; s && r->calls == TOOL_DECLARATIONS_NATIVE &&
                       i < MODEL_RESPONSE_REASONING_MAX;
         i++) {
        struct model_response_reasoning *k = &r->reasoning[i];

        if (k->name && strcmp(k->name, name) != 0)
            continue;
        k->name = name;
        buf_add(&k->text, s, n);
        return;
    }
}

void
model_response_add_refusal(struct model_response *r, const struct json *v)
{
    size_t n;
    const char *s = json_str(v, &n);

    if (s && r->refusal.len + n <= r->refusal.max)
        buf_add(&r->refusal, s, n);
}

/* Whether the call is the answer: it has the name of the forced tool. Where no
 * other tool was declared the first call is: servers may leave the name out. */
static bool
is_answer(const struct model_response *r, const struct tool_calls_entry *c)
{
    if (!r->forced_tool)
        return false;
    if (r->calls != TOOL_DECLARATIONS_NATIVE)
        return c == r->tool_calls.rows;
    return strcmp(c->name.p, ANSWER_NAME) == 0;
}

static int
add_object(struct model_response *r, const struct json *v, struct err *e)
{
    CLEANUP_BUF struct buf b = buf_of(MODEL_ANSWER_MAX);
    struct json_writer w;

    json_write_init(&w, &b);
    json_put_value(&w, v);
    return add_text(r, b.p, b.len, e);
}

/* The arguments of the forced tool are no part of reasoning that a text beside
 * them did not close. */
static int
begin_answer(struct model_response *r, struct err *e)
{
    if (r->answer_called)
        return 0;
    r->answer_called = true;
    if (settle_text(r, e) < 0)
        return -1;
    r->shown = (struct shown_text){0};
    shown_text_read(&r->shown, r->text.p, r->text.len);
    return 0;
}

int
model_response_add_call(struct model_response *r,
                        const struct tool_calls_piece *p, struct err *e)
{
    struct tool_calls_entry *c;

    if (!r->forced_tool && r->calls == TOOL_DECLARATIONS_NONE)
        return 0;
    c = tool_calls_add_piece(&r->tool_calls, p, e);
    if (!c)
        return -1;
    if (!is_answer(r, c))
        return tool_calls_add_args(c, p->args, e);
    if (begin_answer(r, e) < 0)
        return -1;
    if (add_text(r, c->args.p, c->args.len, e) < 0)
        return -1;
    buf_clear(&c->args); /* these came before the name */
    return json_type(p->args) == JSON_OBJECT
               ? add_object(r, p->args, e)
               : model_response_add_text(r, p->args, e);
}

void
model_response_set_finish(struct model_response *r, const struct json *v,
                          const struct finish_row *rows)
{
    const char *word = json_str(v, NULL);

    if (!word || !*word)
        return;
    snprintf(r->finish_word, sizeof(r->finish_word), "%s", word);
    while (rows->word && strcmp(rows->word, word) != 0)
        rows++;
    r->finish = rows->finish;
}

void
model_response_set_reason(struct model_response *r, const char *text)
{
    api_error_clean(r->reason, sizeof(r->reason), text, r->error.key);
}

void
model_response_set_model(struct model_response *r, const struct json *v)
{
    const char *name = json_str(v, NULL);

    if (name && *name)
        snprintf(r->model, sizeof(r->model), "%s", name);
}

void
model_response_set_tokens(int64_t *to, const struct json *v)
{
    int64_t n;

    if (json_int(v, &n) && n >= 0 && n <= TOKENS_MAX)
        *to = n;
}

void
model_response_read_usage(struct model_response *r, const struct json *usage,
                          const struct usage_row *rows)
{
    for (; rows->name; rows++) {
        const struct json *from = rows->object ? json_get(usage, rows->object)
                                               : usage;

        model_response_set_tokens((int64_t *)(void *)((char *)r + rows->at),
                                  json_get(from, rows->name));
    }
}

int
model_response_set_error(struct model_response *r, const struct json *v,
                         struct err *e)
{
    if (r->finish != FINISH_NONE && (r->text.len > 0 || r->tool_calls.n > 0))
        return 0; /* the answer was complete before it */
    r->failed = true;
    api_error_read_json(&r->error, v);
    return err_set(e, ERR_ANSWER, "error %s: %.150s",
                   r->text.len > 0 ? "in the middle of the answer"
                                   : "instead of an answer",
                   r->error.message);
}

static bool
may_be_call(const struct model_response *r)
{
    return r->calls != TOOL_DECLARATIONS_NONE && !r->calls_known &&
           r->handed_out == 0 &&
           tool_fallback_may_be_call(r->calls == TOOL_DECLARATIONS_TEXT,
                                     r->text.p + r->shown.begin);
}

const char *
model_response_new_text(struct model_response *r, size_t *n)
{
    size_t from = r->handed_out, end = r->text.len;

    if (!r->settled) {
        from = from > 0 ? from : r->shown.begin;
        end = r->shown.end;
    }
    if (from >= end || (!r->settled && may_be_call(r)))
        return NULL;
    *n = end - from;
    r->handed_out = end;
    return r->text.p + from;
}

static int
check_finish(const struct model_response *r, int limit, struct err *e)
{
    bool full = limit > 0 && r->tokens_out >= limit;

    if (r->finish == FINISH_LENGTH || (r->finish != FINISH_NONE && full))
        return err_set_kind(e, ERR_ANSWER, ERR_KIND_TRUNCATED,
                            "the answer was cut at its token limit");
    switch (r->finish) {
    case FINISH_NONE:
        return err_set(e, ERR_ANSWER, "the answer ended early");
    case FINISH_TOOL:
        if (r->forced_tool || r->tool_calls.n > 0)
            return 0;
        if (r->calls == TOOL_DECLARATIONS_NATIVE)
            return err_set(e, ERR_ANSWER,
                           "the model announced a tool call, but sent none");
        return err_set_kind(e, ERR_ANSWER, ERR_KIND_UNDECLARED_TOOL,
                            "the model called a tool that it was not offered");
    case FINISH_OTHER:
        return err_set(e, ERR_ANSWER, "the answer ended with \"%s\"%s%s",
                       r->finish_word, *r->reason ? ": " : "", r->reason);
    default:
        return 0;
    }
}

static int
report_refusal(const struct model_response *r, struct err *e)
{
    const char *words = r->refusal.p;

    /* JSON or a code block is no reason: it is the start of a plan */
    if (!*words && !*r->reason && strcmp(r->finish_word, "refusal") == 0 &&
        !strchr("{[`", r->text.p[strspn(r->text.p, blanks)]))
        words = r->text.p;
    if (*words)
        return err_set(e, ERR_MODEL, "the model refused: %.160s", words);
    if (*r->reason)
        return err_set(e, ERR_MODEL, "the model, or a filter, refused (%s): %s",
                       *r->finish_word ? r->finish_word : "no reason given",
                       r->reason);
    return err_set(e, ERR_MODEL, "the model, or a filter, refused (%s)",
                   *r->finish_word ? r->finish_word : "no reason given");
}

static bool
put_blocks(const struct model_response *r, size_t call, bool add)
{
    CLEANUP_BUF struct buf json = buf_of(TOOL_CALLS_EXTRA_MAX);
    struct tool_calls_entry *c = &r->tool_calls.rows[call];

    if (content_blocks_write(&r->blocks, call, &json) == 0)
        return true;
    if (json.bad)
        return false;
    if (!add)
        return json.len + c->extra.len + CONTENT_MEMBER_MAX <
               TOOL_CALLS_EXTRA_MAX;
    return tool_calls_add_extra_json(c, r->blocks_name, json.p, json.len);
}

/* Gives each call the blocks that go back before it, or none does any. */
static void
keep_blocks(struct model_response *r)
{
    if (!r->blocks_name || !content_blocks_has_thinking(&r->blocks))
        return;
    for (size_t i = 0; i < r->tool_calls.n; i++) {
        if (!put_blocks(r, i, false))
            return;
    }
    for (size_t i = 0; i < r->tool_calls.n; i++)
        (void)put_blocks(r, i, true);
}

/* Tells text and calls apart: removes the forced tool's call, which is the
 * answer, and reads calls that are text. */
static int
separate_calls(struct model_response *r, struct err *e)
{
    struct tool_calls *calls = &r->tool_calls;
    int rc = 0;

    for (size_t i = calls->n; i-- > 0;) {
        if (is_answer(r, &calls->rows[i]) ||
            r->calls == TOOL_DECLARATIONS_NONE) {
            tool_calls_remove(calls, i);
            content_blocks_remove_call(&r->blocks, i);
        }
    }
    r->calls_known = true;
    /* some servers make calls of text by themselves, asked or not */
    if (calls->n == 0 && r->calls != TOOL_DECLARATIONS_NONE)
        rc = tool_fallback_read_calls(calls, r->calls == TOOL_DECLARATIONS_TEXT,
                                      r->text.p, r->text.len, e);
    if (rc < 0)
        return -1;
    if (rc > 0)
        buf_clear(&r->text);
    for (size_t i = 0; calls->n > 0 && i < MODEL_RESPONSE_REASONING_MAX; i++) {
        const struct model_response_reasoning *k = &r->reasoning[i];

        if (k->text.len > 0 && !k->text.bad)
            tool_calls_add_extra(&calls->rows[0], k->name, k->text.p,
                                 k->text.len);
    }
    keep_blocks(r);
    tool_calls_finish(calls, r->last_own_id);
    if (calls->n > MODEL_TOOL_CALLS_MAX)
        return err_set(e, ERR_ANSWER,
                       "the model called more than %d tools at once",
                       MODEL_TOOL_CALLS_MAX);
    return 0;
}

int
model_response_check(struct model_response *r, int limit, struct err *e)
{
    bool blank;

    if (!r->settled && settle_text(r, e) < 0)
        return -1;
    r->settled = true;
    blank = r->text.len == 0;
    if (r->refusal.len > 0 || r->finish == FINISH_REFUSED)
        return report_refusal(r, e);
    if (r->finish == FINISH_NONE && blank && !r->reasoned &&
        r->tool_calls.n == 0)
        return err_set(e, ERR_ANSWER, "no answer");
    if (r->finish == FINISH_NONE)
        return check_finish(r, limit, e);
    if (separate_calls(r, e) < 0 || check_finish(r, limit, e) < 0)
        return -1;
    if (blank && r->tool_calls.n == 0)
        return err_set(e, ERR_ANSWER, "the answer is empty%s",
                       r->reasoned ? ": only reasoning" : "");
    return 0;
}
