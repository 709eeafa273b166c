/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stage.c - what the person sees while steps run. */
#include "person/stage.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "person/meta_line.h"
#include "person/result.h"
#include "person/show_plan.h"
#include "term/progress_line.h"
#include "term/style.h"
#include "term/term_filter.h"
#include "term/width.h"

#define OUTPUT_MAX (16u << 20) /* one event's data, filtered */
#define LABEL_MAX  256
#define META_SHOWN 4096 /* a line or two */

struct stage {
    struct app *app;
    const struct aiaction *action;
    struct report *report;
    struct progress_line *live; /* NULL before the first step */
    struct term_filter filter[2];
    struct outqueue *outlet[2]; /* for what is no terminal; else NULL */
    bool line_open; /* the output so far does not end with a newline */
    bool err_open;  /* the same of standard error, which is no terminal */
};

struct stage *
stage_new(struct app *a, const struct aiaction *action, struct report *report,
          stage_cb *cb, void *arg, struct err *e)
{
    CLEANUP(stage_free_p) struct stage *s = calloc(1, sizeof(*s));

    if (!s) {
        err_nomem(e);
        return NULL;
    }
    *s = (struct stage){.app = a, .action = action, .report = report};
    for (int i = 0; i < 2; i++) {
        int fd = i == 0 ? STDOUT_FILENO : STDERR_FILENO;

        term_filter_init(&s->filter[i],
                         TERM_FILTER_MOVES |
                             (a->result.color ? TERM_FILTER_COLOR : 0));
        if (isatty(fd))
            continue;
        s->outlet[i] = outqueue_new(a->loop, fd, cb, arg, e);
        if (!s->outlet[i])
            return NULL;
    }
    report_to(report, s->outlet[0]);
    return TAKE_PTR(s);
}

void
stage_free(struct stage *s)
{
    const struct err *lost;

    if (!s)
        return;
    lost = s->outlet[0] ? outqueue_error(s->outlet[0]) : NULL;
    if (lost)
        result_lost(s->app, lost);
    report_to(s->report, NULL);
    progress_line_close(s->live);
    outqueue_free(s->outlet[0]);
    outqueue_free(s->outlet[1]);
    free(s);
}

bool
stage_is_quiet(const struct stage *s)
{
    for (int i = 0; i < 2; i++) {
        if (s->outlet[i] && !outqueue_is_empty(s->outlet[i]))
            return false;
    }
    return true;
}

/* To the screen, around the live line; or straight where there is none. */
static void
put_screen(struct stage *s, const struct buf *b)
{
    if (b->bad || b->len == 0)
        return;
    if (s->live && s->app->screen.tty)
        (void)progress_line_write(s->live, b->p, b->len, NULL);
    else if (s->outlet[1])
        outqueue_add(s->outlet[1], b->p, b->len);
    else
        (void)term_write(&s->app->screen, b->p, b->len, NULL);
}

static void
put_heading(struct stage *s, size_t step)
{
    CLEANUP_BUF struct buf b = buf_of(OUTPUT_MAX);
    CLEANUP_BUF struct buf line = buf_of(OUTPUT_MAX);
    const struct term *t = &s->app->screen;
    struct width_wrap wrap = {.columns = (size_t)t->columns};

    if (s->action->n == 1 || s->app->quiet || s->app->output != OUTPUT_TEXT)
        return;
    buf_printf(&line, "%zu/%zu ", step + 1, s->action->n);
    wrap.indent = line.len;
    show_words(&line, t, s->action->steps[step].description);
    buf_str(&b, style_on(t, STYLE_HEADING));
    width_wrap(&b, line.p, line.len, &wrap);
    buf_printf(&b, "%s\n", style_off(t, STYLE_HEADING));
    put_screen(s, &b);
}

void
stage_begin(struct stage *s, size_t step)
{
    char what[LABEL_MAX];

    snprintf(what, sizeof(what), "step %zu of %zu", step + 1, s->action->n);
    if (!s->live && !s->app->quiet)
        s->live = progress_line_open(s->app->loop, &s->app->screen, what, NULL);
    else if (s->live)
        progress_line_set_text(s->live, what);
    if (s->live)
        progress_line_show(s->live);
    put_heading(s, step);
    s->line_open = s->err_open = false;
}

void
stage_hide(struct stage *s)
{
    if (s->live)
        progress_line_hide(s->live);
}

/* One stream's bytes to where the person sent them. */
static void
put_stream(struct stage *s, int which, const char *bytes, size_t n)
{
    CLEANUP_BUF struct buf b = buf_of(OUTPUT_MAX);

    if (s->outlet[which]) {
        outqueue_add(s->outlet[which], bytes, n);
        if (which == 1 && n > 0)
            s->err_open = bytes[n - 1] != '\n';
        return;
    }
    (void)term_filter_add(&s->filter[which], bytes, n, &b);
    if (b.len > 0)
        s->line_open = b.p[b.len - 1] != '\n';
    put_screen(s, &b);
}

void
stage_output(struct stage *s, size_t step, const char *stream,
             const char *bytes, size_t n)
{
    report_output(s->report, step, stream, bytes, n);
    if (s->app->output == OUTPUT_TEXT)
        put_stream(s, strcmp(stream, "stderr") == 0, bytes, n);
    else if (s->live)
        progress_line_add_output(s->live, bytes, n);
}

/* Styles and lines that a command left open do not reach what comes next. */
static void
close_streams(struct stage *s)
{
    CLEANUP_BUF struct buf b = buf_of(OUTPUT_MAX);

    for (int i = 0; i < 2; i++)
        (void)term_filter_end(&s->filter[i], &b);
    if (s->line_open)
        buf_ch(&b, '\n');
    s->line_open = false;
    put_screen(s, &b);
}

void
stage_interrupt(struct stage *s)
{
    close_streams(s);
    stage_hide(s);
}

void
stage_root(struct stage *s, const char *const *argv)
{
    CLEANUP_BUF struct buf b = buf_of(OUTPUT_MAX);

    close_streams(s);
    if (argv)
        show_root(&b, &s->app->screen, argv);
    put_screen(s, &b);
    if (s->live)
        progress_line_show(s->live);
}

/* Why the step failed comes next there, on a line of its own. */
static void
end_err_line(struct stage *s, const struct step_end *end)
{
    bool open = s->err_open && (end->exit_code != 0 || end->error_code);

    if (open && outqueue_is_empty(s->outlet[1])) /* as what we say ourselves */
        (void)term_write(&s->app->screen, "\n", 1, NULL);
    else if (open)
        outqueue_add(s->outlet[1], "\n", 1);
    s->err_open = false;
}

/* What a tool says beside what it wrote, where it wrote nothing. */
static void
put_meta(struct stage *s, const struct step_end *end)
{
    CLEANUP_BUF struct buf line = buf_of(META_SHOWN);

    if (!end->meta || end->out_len > 0 || end->err_len > 0 ||
        s->app->output != OUTPUT_TEXT)
        return;
    meta_line(&line, end->meta);
    if (!line.bad && line.len > 0)
        app_note(s->app, "%s", line.p);
}

void
stage_end(struct stage *s, size_t step, const struct step_end *end)
{
    close_streams(s);
    end_err_line(s, end);
    report_step(s->report, step, end);
    if (s->live)
        progress_line_hide(s->live);
    put_meta(s, end);
    if (end->blocked[0] && s->app->output == OUTPUT_TEXT)
        app_note(s->app, "%s", end->blocked);
    if (end->dropped[0] && s->app->output == OUTPUT_TEXT)
        app_note(s->app,
                 "dropped: %s: without your approval a step may only add the "
                 "files it names",
                 end->dropped);
}
