/* SPDX-License-Identifier: GPL-3.0-or-later */
/* look.c - a model looks before it answers: its calls, one after the other. */
#include "action/look.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "action/look_in.h"
#include "base/clock.h"
#include "base/redact.h"
#include "base/utf8.h"
#include "model/prompt/origin.h"
#include "model/prompt/prompt.h"
#include "term/escape.h"
#include "term/width.h"
#include "json/write.h"

#define RAW_MAX        (8u << 20) /* a tool's text, mended and redacted */
#define TOLD_MAX       (LOOK_RESULT_MAX + 4096u) /* with a note and marks */
#define LINE_MAX_BYTES 200
#define REVIEW_COLUMNS 60 /* of a call in a review */

static void next_call(void *arg, unsigned events);

struct look *
look_new(struct loop *l, const struct look_setting *s, struct err *e)
{
    CLEANUP(look_free_p) struct look *k = calloc(1, sizeof(*k));

    if (!k || !(k->cwd = getcwd(NULL, 0))) {
        err_sys(e, "the working directory");
        return NULL;
    }
    k->loop = l;
    k->set = *s;
    k->where = risk_context_here(k->cwd);
    k->where.workspace = k->cwd;
    k->where.named = s->named;
    k->soon = loop_timer(l, 0, next_call, k, e);
    k->pool = tool_pool_new(l, e);
    if (!k->soon || !k->pool)
        return NULL;
    watch_events(k->soon, 0);
    look_read_offers(k);
    return TAKE_PTR(k);
}

static void
call_done(struct look *k)
{
    tool_call_free(k->call);
    k->call = NULL;
    json_free(k->args);
    k->args = NULL;
    k->offer = NULL;
}

void
look_free(struct look *k)
{
    if (!k)
        return;
    call_done(k);
    watch_free(k->soon);
    tool_pool_free(k->pool);
    secret_tree_done(&k->secrets);
    for (size_t i = 0; i < k->n_told; i++) {
        free(k->told[i].text);
        free(k->told[i].outside);
    }
    look_offers_done(k);
    free(k->cwd);
    free(k);
}

const struct model_tool *
look_tools(const struct look *k, size_t *n)
{
    bool spent = k->bytes >= LOOK_BYTES_MAX || k->ms >= LOOK_MS_MAX;

    *n = spent ? 0 : k->n_offers;
    return k->tools;
}

static void
go_on_soon(struct look *k)
{
    watch_events(k->soon, LOOP_READ);
    watch_again(k->soon, 0);
}

int
look_start(struct look *k, const struct model_tool_call *wanted, size_t n,
           const struct look_events *ev, void *arg, struct err *e)
{
    if (k->tool_calls)
        return err_set(e, ERR_INVALID, "a tool call is still running");
    k->tool_calls = wanted;
    k->n_tool_calls = n;
    k->at = 0;
    k->ev = ev;
    k->arg = arg;
    secret_tree_forget(&k->secrets);
    go_on_soon(k);
    return 0;
}

void
look_stop(struct look *k)
{
    call_done(k);
    k->tool_calls = NULL;
    watch_events(k->soon, 0);
}

static void
next_call(void *arg, unsigned events)
{
    struct look *k = arg;

    (void)events;
    if (!k->tool_calls)
        return;
    if (k->at < k->n_tool_calls) {
        look_make_call(k);
        return;
    }
    k->tool_calls = NULL;
    k->ev->done(k->arg);
}

static void
write_name(const struct look *k, struct buf *out)
{
    const struct look_offer *o = k->offer;

    buf_str(out, o ? o->tool->name : k->tool_calls[k->at].name);
    if (o && o->tool->manifest->n_actions > 1)
        buf_printf(out, " %s", o->action->name);
    if (json_first(k->args))
        buf_ch(out, ' ');
}

/* Its first text, or else all of what it was given. */
static void
write_args(const struct look *k, struct buf *out)
{
    const struct json *first = json_first(k->args);
    const char *text = json_str(first, NULL);
    struct json_writer w;

    if (!first)
        return;
    if (text && json_count(k->args) == 1) {
        buf_str(out, text);
        return;
    }
    json_write_init(&w, out);
    json_put_value(&w, k->args);
}

/* One line for the person, cut where it is long. */
static char *
line_of(const struct look *k)
{
    CLEANUP_BUF struct buf line = buf_of(MODEL_ARGS_MAX * 2);

    write_name(k, &line);
    write_args(k, &line);
    if (line.len > LINE_MAX_BYTES)
        buf_cut(&line, utf8_boundary(line.p, line.len, LINE_MAX_BYTES));
    line.bad = false;
    return buf_take(&line);
}

void
look_begun(const struct look *k)
{
    CLEANUP(free_p) char *line = line_of(k);

    if (line && k->ev->looking)
        k->ev->looking(k->arg, line);
}

/* The call, for the review, whose lines are broken at blanks: a name must not
 * end one and write the next. So no blank of it stays one. */
static void
name_outside(struct look *k, struct origin *o)
{
    CLEANUP_BUF struct buf args = buf_of(MODEL_ARGS_MAX * 2);
    CLEANUP_BUF struct buf line = buf_of(MODEL_ARGS_MAX * 8);
    CLEANUP_BUF struct buf shown = buf_of(sizeof(o->outside) - 1);

    if (!look_is_outside(k))
        return;
    write_args(k, &args);
    write_name(k, &line);
    for (const char *p = args.p; args.len && *p; p++) {
        size_t n = strcspn(p, " ");

        escape_text(&line, NULL, p, n, ESCAPE_LINES);
        p += n;
        if (!*p)
            break;
        buf_str(&line, "\\x20");
    }
    (void)width_truncate(&shown, line.p, line.len, REVIEW_COLUMNS, "…");
    origin_note(o, shown.len ? shown.p : k->offer->tool->name);
}

static void
keep_told(struct look *k, const char *text, const char *outside, bool failed)
{
    struct look_told *told = &k->told[k->n_told];

    if (!k->key[0] || k->n_told == sizeof(k->told) / sizeof(k->told[0]))
        return;
    told->text = strdup(text);
    told->outside = outside ? strdup(outside) : NULL;
    if (!told->text || (outside && !told->outside)) {
        free(told->text);
        free(told->outside);
        return;
    }
    memcpy(told->key, k->key, sizeof(told->key));
    told->failed = failed;
    k->n_told++;
}

/* The call is over: told to the model, the person and the record. */
static void
tell(struct look *k, const struct look_call *c, const char *told)
{
    const struct model_tool_call *w = &k->tool_calls[k->at++];

    k->bytes += strlen(told);
    k->ev->looked(k->arg, w, c, told);
    if (!k->tool_calls)
        return; /* the callback ended it */
    call_done(k);
    go_on_soon(k);
}

static struct look_call
call_of(const struct look *k, const char *line)
{
    struct look_call c = {.line = line ? line : "", .args = k->args};

    if (k->offer) {
        c.tool = k->offer->tool->name;
        c.action = k->offer->action->name;
    }
    return c;
}

/* What may leave of it: valid, without secrets, no longer than there is room
 * for. */
static void
cut_result(const struct look *k, const char *text, size_t n, struct buf *out)
{
    CLEANUP_BUF struct buf valid = buf_of(RAW_MAX);
    CLEANUP_BUF struct buf clean = buf_of(RAW_MAX);
    size_t left = k->bytes < LOOK_BYTES_MAX ? LOOK_BYTES_MAX - k->bytes : 0;
    size_t room = left < LOOK_RESULT_MAX ? left : LOOK_RESULT_MAX;

    utf8_repair(&valid, text, n);
    redact(valid.p, valid.len, &clean);
    if (clean.len <= room) {
        buf_add(out, clean.p, clean.len);
        return;
    }
    buf_add(out, clean.p, utf8_boundary(clean.p, clean.len, room));
    buf_printf(out, "\n[cut: %zu of %zu bytes]\n", out->len, clean.len);
}

void
look_over(struct look *k, const char *text, size_t n, bool raw, bool failed)
{
    CLEANUP(free_p) char *line = line_of(k);
    CLEANUP_BUF struct buf cut = buf_of(TOLD_MAX);
    CLEANUP_BUF struct buf told = buf_of(2 * TOLD_MAX);
    struct look_call c = call_of(k, line);
    struct origin origin = {0};

    if (raw) {
        cut_result(k, text, n, &cut);
        prompt_data(PROMPT_RESULT, cut.p, cut.len, &told);
    } else { /* our own words, about the model's */
        utf8_repair(&cut, text, n);
        buf_add(&told, cut.p, cut.len);
    }
    c.ran = raw;
    c.malformed = k->malformed != NULL;
    c.why = k->malformed;
    c.failed = failed;
    c.limit_ms = k->timed_out ? k->limit_ms : 0;
    c.text = cut.p;
    c.len = cut.len;
    c.bytes = raw ? k->wrote : 0;
    c.ms = raw ? clock_ms() - k->began_ms : 0;
    if (raw) {
        name_outside(k, &origin);
        c.outside = origin_outside(&origin);
        keep_told(k, told.p, c.outside, failed);
    }
    tell(k, &c, told.p);
}

void
look_again(struct look *k, const struct look_told *before)
{
    CLEANUP(free_p) char *line = line_of(k);
    CLEANUP(free_p) char *told = strdup(before->text);
    struct look_call c = call_of(k, line);

    c.again = true;
    c.failed = before->failed;
    c.outside = before->outside;
    c.text = "";
    tell(k, &c, told ? told : "");
}
