/* SPDX-License-Identifier: GPL-3.0-or-later */
/* asking.c - waiting for a model with a person. */
#include "person/asking.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "action/known.h"
#include "person/chronicle.h"
#include "person/stops.h"
#include "term/escape.h"
#include "term/progress_line.h"
#include "term/style.h"
#include "term/width.h"

#define LABEL_MAX     160
#define REFUSED_SHOWN 4           /* by name */
#define LOOKED_MAX    (64u << 10) /* a line about a call, every byte escaped */

struct asking {
    struct app *app;
    struct asking_wish wish;
    const char *user, *outside;
    struct aiaction_tools tools;
    struct look *look; /* NULL: the model answers at once */
    struct inquiry *inquiry;
    struct answer *answer;
    struct progress_line *live;
    struct proposal *out;
    struct err why;
    bool over;
    size_t refused; /* calls that nobody could make, since it was asked */
};

void
proposal_done(struct proposal *r)
{
    if (!r)
        return;
    aiaction_free(r->action);
    free(r->model);
    for (size_t i = 0; i < r->n_choices; i++) {
        free(r->choices[i].command);
        free(r->choices[i].title);
    }
    *r = (struct proposal){0};
}

static void
on_text(void *arg, const char *bytes, size_t n)
{
    struct asking *q = arg;

    if (q->app->output == OUTPUT_TEXT) {
        progress_line_close(q->live); /* the text itself is progress now */
        q->live = NULL;
    }
    answer_add(q->answer, bytes, n);
}

static void
on_waiting(void *arg, const char *line)
{
    struct asking *q = arg;

    if (q->live)
        progress_line_set_text(q->live, line);
    log_debug(&q->app->log, "%s", line);
}

/* What came of a call, at the end of its line. */
static void
write_end(const struct look_call *c, char *end, size_t size)
{
    if (c->again)
        snprintf(end, size, "  as before");
    else if (c->malformed)
        snprintf(end, size, "  %s", c->why);
    else if (c->limit_ms)
        snprintf(end, size, "  timed out after %.3g s",
                 (double)c->limit_ms / 1000);
    else if (c->failed)
        snprintf(end, size, c->ran ? "  failed" : "  refused");
    else if (c->len < c->bytes)
        snprintf(end, size, "  %zu of %zu bytes", c->len, c->bytes);
    else
        snprintf(end, size, "  %zu bytes", c->bytes);
}

/* "  looked: fs.read_file /etc/hosts  312 bytes", in one line. */
static void
write_looked(const struct term *t, const struct look_call *c, struct buf *out)
{
    CLEANUP_BUF struct buf line = buf_of(LOOKED_MAX);
    char end[64];
    size_t room = (size_t)t->columns, used;

    write_end(c, end, sizeof(end));
    buf_str(&line, c->malformed ? "  refused: " : "  looked: ");
    escape_str(&line, NULL, c->line, ESCAPE_LINES);
    used = strlen(end) + 1;
    buf_str(out, style_on(t, STYLE_DIM));
    if (t->tty && room > 2 * used)
        (void)width_truncate(out, line.p, line.len, room - used,
                             style_symbol(t, SYMBOL_ELLIPSIS));
    else
        buf_add(out, line.p, line.len);
    buf_printf(out, "%s%s\n", end, style_off(t, STYLE_DIM));
}

static void
say_asking(const struct asking *q, char label[LABEL_MAX])
{
    snprintf(label, LABEL_MAX, "asking %s", q->wish.model_name);
}

/* Which of the two it is that takes so long. */
static void
on_looking(void *arg, const char *line)
{
    struct asking *q = arg;
    CLEANUP_BUF struct buf what = buf_of(LOOKED_MAX);
    char label[LABEL_MAX];

    say_asking(q, label);
    if (line)
        buf_printf(&what, "looking: %s", line);
    if (q->live)
        progress_line_set_text(q->live, line && !what.bad ? what.p : label);
}

static void
put_screen(struct asking *q, const struct buf *b)
{
    if (q->live)
        (void)progress_line_write(q->live, b->p, b->len, NULL);
    else
        (void)term_write(&q->app->screen, b->p, b->len, NULL);
}

static void
on_looked(void *arg, const struct look_call *c)
{
    struct asking *q = arg;
    CLEANUP_BUF struct buf b = buf_of(LOOKED_MAX);
    const struct term *t = &q->app->screen;

    chronicle_looked(q->app, c);
    account_looked(q->app, c);
    if (q->app->quiet)
        return;
    q->refused += c->malformed;
    if (c->malformed && q->refused > REFUSED_SHOWN && !q->app->verbose)
        return;
    write_looked(t, c, &b);
    put_screen(q, &b);
}

/* Those that were not shown one by one. */
static void
put_refused(struct asking *q)
{
    CLEANUP_BUF struct buf b = buf_of(LABEL_MAX);
    const struct term *t = &q->app->screen;

    if (q->refused > REFUSED_SHOWN && !q->app->verbose) {
        buf_printf(&b, "%s  refused: %zu more%s\n", style_on(t, STYLE_DIM),
                   q->refused - REFUSED_SHOWN, style_off(t, STYLE_DIM));
        put_screen(q, &b);
    }
    q->refused = 0;
}

static void
on_proposed(void *arg, struct aiaction *a, const struct inquiry_facts *f)
{
    struct asking *q = arg;

    q->out->action = a;
    q->out->facts = *f;
    if (f->model && f->model[0]) {
        free(q->out->model);
        q->out->model = strdup(f->model);
    }
    q->out->facts.model = q->out->model;
    q->over = true;
}

static void
on_failed(void *arg, const struct err *why)
{
    struct asking *q = arg;

    q->why = *why;
    q->over = true;
}

static void
on_signal(void *arg, unsigned signo)
{
    struct asking *q = arg;

    (void)signo;
    if (!q->over)
        inquiry_cancel(q->inquiry);
}

/* The model does without what cannot be read; the person hears of it. */
static int
open_look(struct asking *q, struct err *e)
{
    struct app *a = q->app;
    struct look_setting set = {0};
    struct err why = {0};

    if (app_registry(a, &why) < 0) {
        app_note(a, "no tools: %s", why.text);
        return 0;
    }
    q->tools = known_tools(a->registry);
    if (!q->wish.look)
        return 0;
    set = (struct look_setting){a->registry, a->policy, a->config,
                                (const char *const *)a->named};
    q->look = look_new(a->loop, &set, e);
    return q->look ? 0 : -1;
}

struct asking *
asking_open(struct app *a, const struct asking_wish *w, struct err *e)
{
    CLEANUP(asking_close_p) struct asking *q = calloc(1, sizeof(*q));

    if (!q) {
        err_nomem(e);
        return NULL;
    }
    q->app = a;
    q->wish = *w;
    return open_look(q, e) < 0 ? NULL : TAKE_PTR(q);
}

void
asking_close(struct asking *q)
{
    if (!q)
        return;
    progress_line_close(q->live);
    inquiry_free(q->inquiry);
    look_free(q->look);
    free(q);
}

void
asking_say(struct asking *q, const char *user, const char *outside)
{
    q->user = user;
    q->outside = outside;
}

static struct inquiry_wish
inquiry_wish_of(const struct asking *q)
{
    return (struct inquiry_wish){
        .mode = q->wish.mode,
        .user = q->user,
        .outside = q->outside,
        .look = q->look,
        .tools = q->tools.check ? &q->tools : NULL,
    };
}

void
asking_request(const struct asking *q, struct model_turn *turn,
               struct model_request *r)
{
    *turn = (struct model_turn){.role = MODEL_USER, .text = q->user};
    inquiry_fill(q->look, 0, r);
    r->turns = turn;
    r->n_turns = 1;
}

static int
wait_for(struct asking *q, struct err *e)
{
    CLEANUP(stops_done) struct stops stops;
    int rc = stops_init(&stops, q->app->loop, on_signal, q, e);

    while (!q->over && rc >= 0)
        rc = loop_turn(q->app->loop, -1, e);
    progress_line_close(q->live);
    q->live = NULL;
    put_refused(q);
    if (rc < 0)
        return -1;
    if (q->why.code == ERR_NONE)
        return 0;
    if (e)
        *e = q->why;
    return -1;
}

static int
ask(struct asking *q, const struct outcome *results, const char *words,
    struct err *e)
{
    static const struct inquiry_events events = {
        .text = on_text,
        .waiting = on_waiting,
        .looking = on_looking,
        .looked = on_looked,
        .proposed = on_proposed,
        .failed = on_failed,
    };
    const struct inquiry_wish wish = inquiry_wish_of(q);

    if (words)
        return inquiry_revise(q->inquiry, words, e);
    if (results)
        return inquiry_results(q->inquiry, results->text.p, results->text.len,
                               e);
    q->inquiry = inquiry_start(q->wish.model, &wish, &events, q, e);
    if (q->inquiry)
        chronicle_request(q->app); /* while the model thinks */
    return q->inquiry ? 0 : -1;
}

int
asking_run(struct asking *q, const struct outcome *results, const char *words,
           struct answer *w, struct proposal *out, struct err *e)
{
    char label[LABEL_MAX];

    say_asking(q, label);
    *out = (struct proposal){.asked = true,
                             .model = strdup(q->wish.model_name)};
    q->answer = w;
    q->out = out;
    q->over = false;
    q->why = (struct err){0};
    if (!q->app->quiet)
        q->live = progress_line_open(q->app->loop, &q->app->screen, label,
                                     NULL);
    if (ask(q, results, words, e) < 0 || wait_for(q, e) < 0) {
        progress_line_close(q->live);
        q->live = NULL;
        return -1;
    }
    out->outside = inquiry_outside(q->inquiry);
    out->may_go_on = inquiry_may_go_on(q->inquiry);
    return 0;
}
