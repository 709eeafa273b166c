/* SPDX-License-Identifier: GPL-3.0-or-later */
/* model_progress.c - what a terminal shows while a model is asked. */
#include "ui/model_progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "term/escape.h"
#include "term/progress_line.h"
#include "term/style.h"
#include "term/width.h"

#define LABEL_MAX     160
#define REFUSED_SHOWN 4           /* refused calls that are printed by name */
#define CALL_LINE_MAX (64u << 10) /* bytes of a call's line, all escaped */

struct model_progress {
    struct app *app;
    struct progress_line *live; /* NULL: with -q, and once text has come */
    char label[LABEL_MAX];
    size_t refused; /* malformed calls so far */
};

struct model_progress *
model_progress_open(struct app *a, const char *model, struct err *e)
{
    struct model_progress *p = calloc(1, sizeof(*p));

    if (!p) {
        err_nomem(e);
        return NULL;
    }
    p->app = a;
    snprintf(p->label, sizeof(p->label), _("asking %s"), model);
    if (!a->quiet)
        p->live = progress_line_open(a->loop, &a->screen, p->label, NULL);
    return p;
}

void
model_progress_text(struct model_progress *p)
{
    if (!p || p->app->output != OUTPUT_TEXT)
        return;
    progress_line_close(p->live);
    p->live = NULL;
}

void
model_progress_waiting(struct model_progress *p, const char *line)
{
    if (!p)
        return;
    if (p->live)
        progress_line_set_text(p->live, line);
    log_debug(&p->app->log, "%s", line);
}

/* Writes the result of a call, for the end of its line. */
static void
write_call_result(const struct tool_loop_call *c, char *end, size_t size)
{
    if (c->again)
        snprintf(end, size, _("  as before"));
    else if (c->malformed)
        snprintf(end, size, "  %s", c->why);
    else if (c->limit_ms)
        snprintf(end, size, _("  timed out after %.3g s"),
                 (double)c->limit_ms / 1000);
    else if (c->failed)
        snprintf(end, size, "%s", c->ran ? _("  failed") : _("  refused"));
    else if (c->len < c->bytes)
        snprintf(end, size, _("  %zu of %zu bytes"), c->len, c->bytes);
    else
        snprintf(end, size, _("  %zu bytes"), c->bytes);
}

/* Appends a line such as "  looked: fs.read_file /etc/hosts  312 bytes". */
static void
write_call_line(const struct term *t, const struct tool_loop_call *c,
                struct buf *out)
{
    CLEANUP_BUF struct buf line = buf_of(CALL_LINE_MAX);
    char end[64];
    size_t room = (size_t)t->columns, used;

    write_call_result(c, end, sizeof(end));
    buf_str(&line, c->malformed ? _("  refused: ") : _("  looked: "));
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

/* The live line says whether the model or a tool takes the time. */
void
model_progress_tool_started(struct model_progress *p, const char *line)
{
    CLEANUP_BUF struct buf what = buf_of(CALL_LINE_MAX);

    if (line)
        buf_printf(&what, _("looking: %s"), line);
    if (p && p->live)
        progress_line_set_text(p->live, line && !what.bad ? what.p : p->label);
}

static void
print_text(struct model_progress *p, const struct buf *b)
{
    if (p->live)
        (void)progress_line_write(p->live, b->p, b->len, NULL);
    else
        (void)term_write(&p->app->screen, b->p, b->len, NULL);
}

void
model_progress_tool_ended(struct model_progress *p,
                          const struct tool_loop_call *c)
{
    CLEANUP_BUF struct buf b = buf_of(CALL_LINE_MAX);

    if (!p)
        return;
    app_report_tool_call(p->app, c);
    if (p->app->quiet)
        return;
    p->refused += c->malformed;
    if (c->malformed && p->refused > REFUSED_SHOWN && !p->app->verbose)
        return;
    write_call_line(&p->app->screen, c, &b);
    print_text(p, &b);
}

static void
put_refused(struct model_progress *p)
{
    CLEANUP_BUF struct buf b = buf_of(LABEL_MAX);
    const struct term *t = &p->app->screen;

    if (p->refused <= REFUSED_SHOWN || p->app->verbose)
        return;
    buf_printf(&b, _("%s  refused: %zu more%s\n"), style_on(t, STYLE_DIM),
               p->refused - REFUSED_SHOWN, style_off(t, STYLE_DIM));
    print_text(p, &b);
}

void
model_progress_close(struct model_progress *p)
{
    if (!p)
        return;
    progress_line_close(p->live);
    p->live = NULL;
    put_refused(p);
    free(p);
}
