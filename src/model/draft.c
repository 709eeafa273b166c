/* SPDX-License-Identifier: GPL-3.0-or-later */
/* draft.c - gathers an answer's parts and judges them at the end. */
#include "model/draft.h"

#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "model/client.h"
#include "model/spoken.h"
#include "json/write.h"

#define REFUSAL_MAX 4096u /* a line is made of it; more is not shown */

static const char think_open[] = "<think>";
static const char think_close[] = "</think>";

void
draft_init(struct draft *r, bool wants_tool, const char *key)
{
    *r = (struct draft){
        .wants_tool = wants_tool, .tokens_in = -1, .tokens_out = -1};
    buf_init(&r->text, MODEL_ANSWER_MAX);
    buf_init(&r->refusal, REFUSAL_MAX);
    for (size_t i = 0; i < DRAFT_KEPT; i++)
        buf_init(&r->kept[i].text, WANT_EXTRA_MAX);
    fault_init(&r->fault, 0, key);
}

void
draft_done(struct draft *r)
{
    if (!r)
        return;
    buf_done(&r->text);
    buf_done(&r->refusal);
    for (size_t i = 0; i < DRAFT_KEPT; i++)
        buf_done(&r->kept[i].text);
    wants_done(&r->wants);
}

void
draft_offer(struct draft *r, enum draft_calls calls, unsigned made)
{
    r->calls = calls;
    r->made = made;
}

/* At the start: whether the text begins with a block of reasoning. */
static void
watch_open(struct draft *r)
{
    const size_t n = sizeof(think_open) - 1;
    size_t blanks = strspn(r->text.p, " \t\r\n");
    size_t have = r->text.len - blanks;

    if (have < n && memcmp(r->text.p + blanks, think_open, have) == 0)
        return; /* may still become one */
    if (have < n || memcmp(r->text.p + blanks, think_open, n) != 0) {
        r->think = THINK_OUTSIDE;
        return;
    }
    r->think = THINK_INSIDE;
    buf_drop(&r->text, blanks + n);
}

/* Within reasoning: drops it up to its end, keeping what may be the first
 * half of the closing mark. */
static void
watch_close(struct draft *r)
{
    const size_t n = sizeof(think_close) - 1;
    const char *end = memmem(r->text.p, r->text.len, think_close, n);

    r->reasoned = r->reasoned_ever = true;
    if (end) {
        buf_drop(&r->text, (size_t)(end - r->text.p) + n);
        r->think = THINK_MAYBE; /* another block may follow */
    } else if (r->text.len >= n) {
        buf_drop(&r->text, r->text.len - (n - 1));
    }
}

int
draft_text(struct draft *r, const char *p, size_t n, struct err *e)
{
    size_t before;

    if (buf_add(&r->text, p, n) < 0)
        return err_set(e, ERR_ANSWER, "the answer is larger than %u MiB",
                       MODEL_ANSWER_MAX >> 20);
    do {
        before = r->text.len;
        if (r->think == THINK_MAYBE)
            watch_open(r);
        if (r->think == THINK_INSIDE)
            watch_close(r);
    } while (r->think == THINK_MAYBE && r->text.len < before);
    return 0;
}

int
draft_str(struct draft *r, const struct json *v, struct err *e)
{
    size_t n;
    const char *s = json_str(v, &n);

    return s ? draft_text(r, s, n, e) : 0;
}

void
draft_reasoning(struct draft *r, const struct json *v)
{
    size_t n;
    const char *s = json_str(v, &n);

    if (s && n > 0)
        r->reasoned = r->reasoned_ever = true;
}

void
draft_keep(struct draft *r, const char *name, const struct json *v)
{
    size_t n;
    const char *s = json_str(v, &n);

    draft_reasoning(r, v);
    for (size_t i = 0; s && r->calls == CALLS_NATIVE && i < DRAFT_KEPT; i++) {
        struct draft_kept *k = &r->kept[i];

        if (k->name && strcmp(k->name, name) != 0)
            continue;
        k->name = name;
        buf_add(&k->text, s, n);
        return;
    }
}

void
draft_refusal(struct draft *r, const struct json *v)
{
    size_t n;
    const char *s = json_str(v, &n);

    if (s && r->refusal.len + n <= r->refusal.max)
        buf_add(&r->refusal, s, n);
}

/* The forced tool is the first call of its name; where nothing else was
 * offered, the first of any: servers may leave the name out. */
static bool
is_answer(const struct draft *r, const struct want *c)
{
    if (!r->wants_tool)
        return false;
    if (r->calls != CALLS_NATIVE)
        return c == r->wants.rows;
    return strcmp(c->name.p, ANSWER_NAME) == 0;
}

static int
add_object(struct draft *r, const struct json *v, struct err *e)
{
    CLEANUP_BUF struct buf b = buf_of(MODEL_ANSWER_MAX);
    struct json_writer w;

    json_write_init(&w, &b);
    json_put_value(&w, v);
    return draft_text(r, b.p, b.len, e);
}

int
draft_call(struct draft *r, const struct want_piece *p, struct err *e)
{
    struct want *c;

    if (!r->wants_tool && r->calls != CALLS_NATIVE)
        return 0;
    c = wants_take(&r->wants, p, e);
    if (!c)
        return -1;
    if (!is_answer(r, c))
        return want_add_args(c, p->args, e);
    if (draft_text(r, c->args.p, c->args.len, e) < 0)
        return -1;
    buf_clear(&c->args); /* what came before the name */
    return json_type(p->args) == JSON_OBJECT ? add_object(r, p->args, e)
                                             : draft_str(r, p->args, e);
}

void
draft_finish(struct draft *r, const struct json *v,
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
draft_model(struct draft *r, const struct json *v)
{
    const char *name = json_str(v, NULL);

    if (name && *name)
        snprintf(r->model, sizeof(r->model), "%s", name);
}

void
draft_tokens(int64_t *to, const struct json *v)
{
    int64_t n;

    if (json_int(v, &n) && n >= 0)
        *to = n;
}

int
draft_fault(struct draft *r, const struct json *v, struct err *e)
{
    if (r->finish != FINISH_NONE && (r->text.len > 0 || r->wants.n > 0))
        return 0; /* the answer was whole before it */
    r->faulty = true;
    fault_read_json(&r->fault, v);
    return err_set(e, ERR_ANSWER, "error %s: %.150s",
                   r->text.len > 0 ? "in the middle of the answer"
                                   : "instead of an answer",
                   r->fault.message);
}

static bool
may_be_call(const struct draft *r)
{
    return r->calls != CALLS_NONE && !r->settled && r->told == 0 &&
           spoken_may_be(r->calls == CALLS_TEXT, r->text.p);
}

const char *
draft_news(struct draft *r, size_t *n)
{
    const char *p = r->text.p + r->told;

    if (r->think != THINK_OUTSIDE || r->told >= r->text.len || may_be_call(r))
        return NULL;
    *n = r->text.len - r->told;
    r->told = r->text.len;
    return p;
}

const char *
draft_rest(struct draft *r, size_t *n)
{
    if (r->think == THINK_MAYBE)
        r->think = THINK_OUTSIDE;
    return draft_news(r, n);
}

static int
check_finish(const struct draft *r, int limit, struct err *e)
{
    bool full = limit > 0 && r->tokens_out >= limit;

    if (r->finish == FINISH_LENGTH || (r->finish != FINISH_NONE && full))
        return err_set_kind(e, ERR_ANSWER, ERR_KIND_CUT,
                            "the answer was cut at its token limit");
    switch (r->finish) {
    case FINISH_NONE:
        return err_set(e, ERR_ANSWER, "the answer ended early");
    case FINISH_TOOL:
        if (r->wants_tool || r->wants.n > 0)
            return 0;
        if (r->calls == CALLS_NATIVE)
            return err_set(e, ERR_ANSWER,
                           "the model announced a tool call, but sent none");
        return err_set_kind(e, ERR_ANSWER, ERR_KIND_UNOFFERED,
                            "the model called a tool that it was not offered");
    case FINISH_OTHER:
        return err_set(e, ERR_ANSWER, "the answer ended with \"%s\"",
                       r->finish_word);
    default:
        return 0;
    }
}

static int
tell_refusal(const struct draft *r, struct err *e)
{
    const char *words = r->refusal.p;

    /* a plan that was begun is no reason */
    if (!*words && strcmp(r->finish_word, "refusal") == 0 &&
        !strchr("{[`", r->text.p[strspn(r->text.p, " \t\r\n")]))
        words = r->text.p;
    if (*words)
        return err_set(e, ERR_MODEL, "the model refused: %.160s", words);
    return err_set(e, ERR_MODEL, "the model, or a filter, refused (%s)",
                   *r->finish_word ? r->finish_word : "no reason given");
}

/* What came as a call and is the answer, or came as text and is a call. */
static int
settle(struct draft *r, struct err *e)
{
    struct wants *w = &r->wants;
    int rc = 0;

    for (size_t i = w->n; i-- > 0;) {
        if (is_answer(r, &w->rows[i]) || r->calls != CALLS_NATIVE)
            wants_drop(w, i);
    }
    r->settled = true;
    if (w->n == 0 && r->calls != CALLS_NONE)
        rc = spoken_read(w, r->calls == CALLS_TEXT, r->text.p, r->text.len, e);
    if (rc < 0)
        return -1;
    if (rc > 0)
        buf_clear(&r->text);
    for (size_t i = 0; w->n > 0 && i < DRAFT_KEPT; i++) {
        const struct draft_kept *k = &r->kept[i];

        if (k->text.len > 0 && !k->text.bad)
            want_add_extra(&w->rows[0], k->name, k->text.p, k->text.len);
    }
    wants_seal(w, r->made);
    if (w->n > MODEL_WANTED_MAX)
        return err_set(e, ERR_ANSWER,
                       "the model called more than %d tools at once",
                       MODEL_WANTED_MAX);
    return 0;
}

int
draft_check(struct draft *r, int limit, struct err *e)
{
    bool blank = r->think == THINK_INSIDE ||
                 strspn(r->text.p, " \t\r\n") == r->text.len;

    if (r->refusal.len > 0 || r->finish == FINISH_REFUSED)
        return tell_refusal(r, e);
    if (r->finish == FINISH_NONE && blank && !r->reasoned_ever &&
        r->wants.n == 0)
        return err_set(e, ERR_ANSWER, "no answer");
    if (r->finish == FINISH_NONE)
        return check_finish(r, limit, e);
    if (settle(r, e) < 0 || check_finish(r, limit, e) < 0)
        return -1;
    if (blank && r->wants.n == 0)
        return err_set(e, ERR_ANSWER, "the answer is empty%s",
                       r->reasoned_ever ? ": only reasoning" : "");
    return 0;
}
