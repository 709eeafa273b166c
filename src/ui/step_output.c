/* SPDX-License-Identifier: GPL-3.0-or-later */
/* step_output.c - prints what steps write while they run. */
#include "ui/step_output.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/message.h"
#include "term/overprint.h"
#include "term/progress_line.h"
#include "term/style.h"
#include "term/term_filter.h"
#include "term/width.h"
#include "ui/app.h"
#include "ui/command_text.h"
#include "ui/host_lines.h"
#include "ui/plan_text.h"
#include "json/write.h"

#define OUTPUT_MAX (16u << 20) /* bytes of one event, filtered */
#define LABEL_MAX  256
#define META_SHOWN 4096 /* bytes: a line or two */

/* Members that are shown in another place. */
static const char *const shown_elsewhere[] = {"duration_ms", "exit_code",
                                              "stdout_bytes", "stderr_bytes"};

static bool
is_shown_elsewhere(const struct json *member)
{
    size_t n;
    const char *name = json_name(member, &n);

    for (size_t i = 0; i < ARRAY_SIZE(shown_elsewhere); i++) {
        if (strlen(shown_elsewhere[i]) == n &&
            memcmp(shown_elsewhere[i], name, n) == 0)
            return true;
    }
    return false;
}

static bool
is_empty_value(const struct json *v)
{
    bool yes = false;
    size_t n = 0;

    switch (json_type(v)) {
    case JSON_NULL:
        return true;
    case JSON_BOOL:
        return !json_bool(v, &yes) || !yes;
    case JSON_STRING:
        return !json_str(v, &n) || n == 0;
    case JSON_ARRAY:
    case JSON_OBJECT:
        return json_count(v) == 0;
    default:
        return false;
    }
}

static void
put_meta_name(struct buf *out, const struct json *member)
{
    size_t n;
    const char *name = json_name(member, &n);

    for (size_t i = 0; i < n; i++)
        buf_ch(out, name[i] == '_' ? ' ' : name[i]);
    buf_str(out, ": ");
}

static void
put_meta_value(struct buf *out, const struct json *v)
{
    struct json_writer w;
    size_t n;
    const char *text = json_str(v, &n);

    if (text) {
        buf_add(out, text, n);
    } else if (json_type(v) == JSON_BOOL) {
        buf_str(out, _("yes"));
    } else {
        json_write_init(&w, out);
        json_put_value(&w, v);
    }
}

void
step_output_meta(struct buf *out, const struct json *meta)
{
    const char *between = "";

    for (const struct json *v = json_first(meta); v; v = json_next(v)) {
        if (is_shown_elsewhere(v) || is_empty_value(v))
            continue;
        buf_str(out, between);
        put_meta_name(out, v);
        put_meta_value(out, v);
        between = "; ";
    }
}

/* The output of a run. */
struct step_output {
    struct app *app;
    const struct aiaction *action;
    struct report_json *json;
    struct progress_line *live; /* NULL before the first step */
    struct term_filter filter[2];
    struct overprint over[2]; /* where the terminal is plain */
    struct host_lines *lines; /* of several hosts; NULL: of one, or of here */
    struct sender *queue[2];  /* of what is not a terminal; else NULL */
    bool line_open; /* the output so far does not end with a newline */
    void (*drained)(void *arg); /* of step_output_drain; NULL: nobody waits */
    void *drained_arg;
    bool err_open; /* the same for standard error, where it is not a terminal */
};

struct step_output *
step_output_new(struct app *a, const struct aiaction *action,
                struct report_json *report, step_output_cb *cb, void *arg,
                struct err *e)
{
    CLEANUP(step_output_free_p) struct step_output *s = calloc(1, sizeof(*s));

    if (!s) {
        err_nomem(e);
        return NULL;
    }
    *s = (struct step_output){.app = a, .action = action, .json = report};
    for (int i = 0; i < 2; i++) {
        int fd = i == 0 ? STDOUT_FILENO : STDERR_FILENO;

        term_filter_init(&s->filter[i],
                         (a->screen.plain ? 0 : TERM_FILTER_MOVES) |
                             (a->result.color ? TERM_FILTER_COLOR : 0));
        overprint_init(&s->over[i]);
        if (isatty(fd))
            continue;
        s->queue[i] = sender_new(a->loop, fd, SENDER_MAX, cb, arg, e);
        if (!s->queue[i])
            return NULL;
    }
    report_json_to(report, s->queue[0]);
    return TAKE_PTR(s);
}

void
step_output_free(struct step_output *s)
{
    const struct err *lost;

    if (!s)
        return;
    lost = s->queue[0] ? sender_error(s->queue[0]) : NULL;
    if (lost)
        app_result_failed(s->app, lost);
    report_json_to(s->json, NULL);
    progress_line_close(s->live);
    host_lines_free(s->lines);
    sender_free(s->queue[0]);
    sender_free(s->queue[1]);
    free(s);
}

bool
step_output_is_drained(const struct step_output *s)
{
    for (int i = 0; i < 2; i++) {
        if (s->queue[i] && !sender_is_empty(s->queue[i]))
            return false;
    }
    return true;
}

static void
on_queue_empty(void *arg)
{
    struct step_output *s = arg;
    void (*cb)(void *arg) = s->drained;

    if (!cb || !step_output_is_drained(s))
        return;
    s->drained = NULL;
    cb(s->drained_arg);
}

void
step_output_drain(struct step_output *s, void (*cb)(void *arg), void *arg)
{
    s->drained = cb;
    s->drained_arg = arg;
    for (int i = 0; i < 2; i++) {
        if (s->queue[i] && !sender_is_empty(s->queue[i]))
            sender_on_empty(s->queue[i], on_queue_empty, s);
    }
}

/* Writes to the screen, around the live line where there is one. */
static void
write_screen(struct step_output *s, const struct buf *b)
{
    if (b->bad || b->len == 0)
        return;
    if (s->live && s->app->screen.tty)
        (void)progress_line_write(s->live, b->p, b->len, NULL);
    else if (s->queue[1])
        sender_add(s->queue[1], b->p, b->len);
    else
        (void)term_write(&s->app->screen, b->p, b->len, NULL);
}

static void
put_step_heading(struct step_output *s, size_t step)
{
    CLEANUP_BUF struct buf b = buf_of(OUTPUT_MAX);
    CLEANUP_BUF struct buf line = buf_of(OUTPUT_MAX);
    const struct term *t = &s->app->screen;
    struct width_wrap wrap = {.columns = (size_t)t->columns};

    if (s->action->n == 1 || s->app->quiet || s->app->output != OUTPUT_TEXT)
        return;
    buf_printf(&line, t->plain ? _("Step %zu of %zu: ") : "%zu/%zu ", step + 1,
               s->action->n);
    wrap.indent = line.len;
    command_text_put_paragraph(&line, t,
                               aiaction_step_shown(&s->action->steps[step]));
    buf_str(&b, style_on(t, STYLE_HEADING));
    width_wrap(&b, line.p, line.len, &wrap);
    buf_printf(&b, "%s\n", style_off(t, STYLE_HEADING));
    write_screen(s, &b);
}

void
step_output_begin(struct step_output *s, size_t step)
{
    char what[LABEL_MAX];

    snprintf(what, sizeof(what), _("step %zu of %zu"), step + 1, s->action->n);
    if (!s->live && !s->app->quiet)
        s->live = progress_line_open(s->app->loop, &s->app->screen, what, NULL);
    else if (s->live)
        progress_line_set_text(s->live, what);
    if (s->live)
        progress_line_show(s->live);
    put_step_heading(s, step);
    s->line_open = s->err_open = false;
}

void
step_output_hide(struct step_output *s)
{
    if (s->live)
        progress_line_hide(s->live);
}

/* Writes what a stream's filter let through. */
static void
put_filtered(struct step_output *s, int which, const struct buf *text)
{
    CLEANUP_BUF struct buf lines = buf_of(OUTPUT_MAX);
    const struct buf *b = text;

    if (s->app->screen.plain) {
        overprint_add(&s->over[which], text->p, text->len, &lines);
        b = &lines;
    }
    if (b->len > 0)
        s->line_open = b->p[b->len - 1] != '\n';
    write_screen(s, b);
}

/* Writes the bytes of one stream to the terminal, or to its redirection. */
static void
put_stream_bytes(struct step_output *s, int which, const char *bytes, size_t n)
{
    CLEANUP_BUF struct buf b = buf_of(OUTPUT_MAX);

    if (s->queue[which]) {
        sender_add(s->queue[which], bytes, n);
        if (which == 1 && n > 0)
            s->err_open = bytes[n - 1] != '\n';
        return;
    }
    (void)term_filter_add(&s->filter[which], bytes, n, &b);
    put_filtered(s, which, &b);
}

/* Ends styles and lines that a command left open. */
static void
close_streams(struct step_output *s)
{
    CLEANUP_BUF struct buf b = buf_of(OUTPUT_MAX);

    for (int i = 0; i < 2; i++) {
        (void)term_filter_end(&s->filter[i], &b);
        overprint_end(&s->over[i], &b);
    }
    if (b.len > 0)
        s->line_open = b.p[b.len - 1] != '\n';
    if (s->line_open)
        buf_ch(&b, '\n');
    s->line_open = false;
    write_screen(s, &b);
}

void
step_output_interrupt(struct step_output *s)
{
    close_streams(s);
    step_output_hide(s);
}

/* A whole line of one of several hosts. */
static void
on_host_line(void *arg, bool err, const char *line, size_t n)
{
    struct step_output *s = arg;
    CLEANUP_BUF struct buf b = buf_of(OUTPUT_MAX);
    struct term_filter filter;

    if (s->queue[err]) {
        sender_add(s->queue[err], line, n);
        return;
    }
    /* no host reaches into the name or into the line of another */
    term_filter_init(&filter, 0);
    (void)term_filter_add(&filter, line, n - 1, &b);
    (void)term_filter_end(&filter, &b);
    buf_ch(&b, '\n');
    write_screen(s, &b);
}

int
step_output_on(struct step_output *s, const struct host_list *hosts,
               struct err *e)
{
    if (hosts->n < 2)
        return 0;
    s->lines = host_lines_new(hosts, on_host_line, s, e);
    return s->lines ? 0 : -1;
}

/* Ends a line on standard error, so that the reason of a failure begins on a
 * line of its own. */
static void
end_error_line(struct step_output *s, const struct step_end *end)
{
    bool open = s->err_open && (end->exit_code != 0 || end->error_code);

    if (open && sender_is_empty(s->queue[1])) /* as our own messages */
        (void)term_write(&s->app->screen, "\n", 1, NULL);
    else if (open)
        sender_add(s->queue[1], "\n", 1);
    s->err_open = false;
}

/* How the step ended on a host: what was no success is said at once. */
static void
put_host_end(struct step_output *s, size_t step, const struct step_end *end)
{
    CLEANUP_BUF struct buf text = buf_of(META_SHOWN);

    if (s->lines)
        host_lines_end(s->lines, end->host);
    if (end->exit_code == 0 || s->app->output != OUTPUT_TEXT)
        return;
    step_output_interrupt(s);
    end_error_line(s, end);
    if (end->lost[0])
        buf_printf(&text, "%s: %s", end->host, end->lost);
    else
        buf_printf(&text, _("%s: step %zu failed with exit status %d"),
                   end->host, step + 1, end->exit_code);
    app_print(s->app, text.p);
    if (s->live && end->partial)
        progress_line_show(s->live);
}

void
step_output_add(struct step_output *s, size_t step, const char *host,
                const char *stream, const char *bytes, size_t n)
{
    report_json_output(s->json, step, host, stream, bytes, n);
    if (s->app->output == OUTPUT_TEXT && s->lines)
        host_lines_add(s->lines, host, strcmp(stream, "stderr") == 0, bytes, n);
    else if (s->app->output == OUTPUT_TEXT)
        put_stream_bytes(s, strcmp(stream, "stderr") == 0, bytes, n);
    else if (s->live)
        progress_line_add_output(s->live, bytes, n);
}

void
step_output_as_root(struct step_output *s, const char *const *argv)
{
    CLEANUP_BUF struct buf b = buf_of(OUTPUT_MAX);

    close_streams(s);
    if (argv)
        plan_text_put_root(&b, &s->app->screen, argv);
    write_screen(s, &b);
    if (s->live && geteuid() != 0)
        progress_line_hide(s->live); /* sudo may ask there */
    else if (s->live)
        progress_line_show(s->live);
}

/* Notes the meta of a tool that wrote no output. */
static void
put_meta_line(struct step_output *s, const struct step_end *end)
{
    CLEANUP_BUF struct buf line = buf_of(META_SHOWN);

    if (!end->meta || end->out_len > 0 || end->err_len > 0 ||
        s->app->output != OUTPUT_TEXT)
        return;
    step_output_meta(&line, end->meta);
    if (!line.bad && line.len > 0)
        app_note(s->app, "%s", line.p);
}

void
step_output_end(struct step_output *s, size_t step, const struct step_end *end)
{
    if (end->host)
        put_host_end(s, step, end);
    report_json_step(s->json, step, end);
    if (end->partial)
        return;
    close_streams(s);
    end_error_line(s, end);
    if (s->live)
        progress_line_hide(s->live);
    put_meta_line(s, end);
    if (end->denied[0] && s->app->output == OUTPUT_TEXT)
        app_note(s->app, "%s", end->denied);
    if (end->dropped[0] && s->app->output == OUTPUT_TEXT)
        app_note(s->app,
                 "dropped: %s: without your approval a step may only add the "
                 "files it names",
                 end->dropped);
}
