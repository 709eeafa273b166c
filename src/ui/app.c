/* SPDX-License-Identifier: GPL-3.0-or-later */
/* app.c - holds the state of a run: settings, journal, terminals, results. */
#include "ui/app.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "action/run_audit.h"
#include "action/tool_loop.h"
#include "base/buf.h"
#include "base/fd.h"
#include "base/message.h"
#include "base/message_put.h"
#include "base/path.h"
#include "guard/path/secret.h"
#include "model/warm_process.h"
#include "term/escape.h"
#include "term/style.h"
#include "term/width.h"
#include "tool/registry.h"
#include "json/write.h"

#define LINE_MAX_BYTES 8192
#define WRITE_MS       10000
#define CALLS_MAX      (16u << 20)  /* bytes: names and arguments, no results */
#define PLANS_MAX      (256u << 20) /* bytes: as reports are bounded */

static void
prior_results_init(struct prior_results *prior)
{
    buf_init(&prior->tool_calls, CALLS_MAX);
    buf_init(&prior->plans, PLANS_MAX);
}

static void
prior_results_done(struct prior_results *prior)
{
    buf_done(&prior->tool_calls);
    buf_done(&prior->plans);
}

int
app_init(struct app *a, const char *name, bool no_color, struct err *e)
{
    int fd = isatty(STDERR_FILENO) || !isatty(STDOUT_FILENO) ? STDERR_FILENO
                                                             : STDOUT_FILENO;

    *a = (struct app){
        .name = name, .no_color = no_color, .log = {.fd = STDERR_FILENO}};
    term_init(&a->screen, fd, no_color);
    term_init(&a->result, STDOUT_FILENO, no_color);
    prior_results_init(&a->prior);
    a->warm_process = warm_process_borrow();
    a->seat = seat_of_process(e);
    return a->seat && (a->loop = loop_new(e)) != NULL ? 0 : -1;
}

void
app_set_plain(struct app *a)
{
    term_set_plain(&a->screen);
    term_set_plain(&a->result);
}

void
app_done(struct app *a)
{
    if (!a)
        return;
    term_done(&a->screen);
    term_done(&a->result);
    config_free(a->config);
    policy_free(a->policy);
    registry_free(a->registry);
    prior_results_done(&a->prior);
    secret_named_free(a->named);
    journal_run_free(a->run);
    journal_close(a->journal);
    fd_close_p(&a->warm_process);
    loop_free(a->loop);
    seat_free(a->seat);
}

void
app_set_named_paths(struct app *a, const char *text)
{
    struct err e = {0};

    secret_named_free(a->named);
    a->named = app_config(a, &e) < 0
                   ? NULL /* printed where the settings are needed */
                   : secret_named_in(
                         text, config_text(a->config, CONFIG_SANDBOX_READABLE),
                         seat_home(a->seat), seat_dir(a->seat));
}

int
app_config(struct app *a, struct err *e)
{
    if (!a->config)
        a->config = config_load(e);
    return a->config ? 0 : -1;
}

int
app_policy(struct app *a, struct err *e)
{
    if (!a->policy)
        a->policy = policy_load(a->seat, e);
    return a->policy ? 0 : -1;
}

int
app_registry(struct app *a, struct err *e)
{
    if (app_config(a, e) < 0)
        return -1;
    if (a->registry)
        return 0;
    if (!(a->registry = registry_open(a->seat, a->config, e)))
        return -1;
    app_note_lost_plugins(a, a->registry);
    return 0;
}

/* Wraps a line at words; a terminal would break it inside a word. */
static void
wrap_line(const struct app *a, int fd, const struct buf *line, struct buf *out)
{
    bool shown = a->screen.tty && a->screen.out == fd;
    const struct width_wrap wrap = {.columns = shown ? (size_t)a->screen.columns
                                                     : SIZE_MAX};

    (void)width_wrap(out, line->p, line->len, &wrap);
    buf_ch(out, '\n');
}

void
app_print(struct app *a, const char *text)
{
    CLEANUP_BUF struct buf said = buf_of(LINE_MAX_BYTES);
    CLEANUP_BUF struct buf line = buf_of(LINE_MAX_BYTES);
    CLEANUP_BUF struct buf out = buf_of(2 * LINE_MAX_BYTES);

    buf_printf(&line, "%s%s:%s ", style_on(&a->screen, STYLE_ERROR), a->name,
               style_off(&a->screen, STYLE_ERROR));
    (void)message_put(&said, text);
    escape_str(&line, &a->screen, said.p, ESCAPE_PROSE | ESCAPE_LINES);
    wrap_line(a, STDERR_FILENO, &line, &out);
    (void)fd_write_all(STDERR_FILENO, out.p, out.len, WRITE_MS, NULL);
}

void
app_print_err(struct app *a, const struct err *e)
{
    app_print(a, e->text);
}

void
app_note_lost_plugins(struct app *a, const struct registry *r)
{
    const struct tool *t;

    for (size_t i = 0; (t = registry_unreadable_dir(r, i)) != NULL; i++)
        app_note(a, "ignoring the plugins of %s: it %s", t->name,
                 t->fault.text);
}

struct journal_run *
app_journal(struct app *a)
{
    CLEANUP_BUF struct buf line = buf_of(LINE_MAX_BYTES);
    struct err e = {0};

    if (a->journal_tried)
        return a->run;
    a->journal_tried = true;
    /* settings that cannot be read are reported where they are needed */
    if (app_config(a, NULL) < 0 ||
        !config_bool(a->config, CONFIG_RECORD_JOURNAL))
        return NULL;
    a->journal = journal_open(config_int(a->config, CONFIG_RECORD_KEEP_DAYS),
                              config_int(a->config, CONFIG_RECORD_KEEP_MB), &e);
    a->run = journal_run_new(a->journal, &e);
    if (!a->run) {
        (void)message_printf(&line, "this is not recorded: %s (agentsh doctor)",
                             e.text);
        app_print(a, line.p);
    }
    return a->run;
}

static void
print_journal_trouble(struct app *a)
{
    const char *why = journal_trouble(a->journal);

    if (why)
        app_print(a, why);
}

static struct journal_run *
open_app_journal(void *arg)
{
    return app_journal(arg);
}

static void
on_event_added(void *arg)
{
    print_journal_trouble(arg);
}

struct run_audit_journal
app_audit_journal(struct app *a)
{
    return (struct run_audit_journal){open_app_journal, on_event_added, a};
}

void
app_record(struct app *a, const char *kind,
           const struct journal_member *members)
{
    (void)journal_add(app_journal(a), kind, members);
    print_journal_trouble(a);
}

void
app_record_later(struct app *a, const char *kind,
                 const struct journal_member *members)
{
    (void)journal_add_later(app_journal(a), kind, members);
    print_journal_trouble(a);
}

void
app_record_flush(struct app *a)
{
    (void)journal_flush(a->journal);
    print_journal_trouble(a);
}

void
app_record_sync(struct app *a, bool soon)
{
    (void)journal_sync(a->run, soon);
    print_journal_trouble(a);
}

void
app_note(struct app *a, const char *fmt, ...)
{
    CLEANUP_BUF struct buf text = buf_of(LINE_MAX_BYTES);
    CLEANUP_BUF struct buf line = buf_of(LINE_MAX_BYTES);
    CLEANUP_BUF struct buf out = buf_of(2 * LINE_MAX_BYTES);
    va_list ap;

    if (a->quiet)
        return;
    va_start(ap, fmt);
    (void)message_vprintf(&text, fmt, ap);
    va_end(ap);
    escape_str(&line, &a->screen, text.p, ESCAPE_PROSE);
    wrap_line(a, a->screen.out, &line, &out);
    (void)term_write(&a->screen, out.p, out.len, NULL);
}

static void
put_call_members(struct json_writer *w, const struct tool_loop_call *c)
{
    json_member_str(w, "tool", c->tool);
    json_member_str(w, "action", c->action);
    if (c->args) {
        json_key(w, "args");
        json_put_value(w, c->args);
    }
    json_member_bool(w, "ran", c->ran);
    json_member_bool(w, "ok", !c->failed);
    json_member_int(w, "bytes", (int64_t)c->bytes);
    json_member_int(w, "duration_ms", c->ms);
}

static void
print_call_event(struct app *a, const struct tool_loop_call *c)
{
    CLEANUP_BUF struct buf line = buf_of(CALLS_MAX);
    struct json_writer w;

    json_write_init(&w, &line);
    json_open_object(&w);
    json_member_str(&w, "event", "looked");
    put_call_members(&w, c);
    json_close_object(&w);
    buf_ch(&line, '\n');
    app_put_result(a, &line);
}

void
app_report_tool_call(struct app *a, const struct tool_loop_call *c)
{
    struct buf *b = &a->prior.tool_calls;
    struct json_writer w;

    if (a->output == OUTPUT_JSONL)
        print_call_event(a, c);
    if (a->output != OUTPUT_JSON)
        return;
    json_write_init(&w, b);
    w.comma = b->len > 0;
    json_open_object(&w);
    put_call_members(&w, c);
    json_close_object(&w);
}

void
app_report_prior_plan(struct app *a, const char *json, size_t n)
{
    struct buf *b = &a->prior.plans;

    if (b->len > 0)
        buf_ch(b, ',');
    buf_add(b, json, n);
}

static void
put_items(struct json_writer *w, const char *name, const struct buf *items)
{
    if (items->len == 0 || items->bad)
        return;
    json_key(w, name);
    json_open_array(w);
    json_put_raw(w, items->p, items->len);
    json_close_array(w);
}

void
app_put_prior_results(const struct app *a, struct json_writer *w)
{
    put_items(w, "looked", &a->prior.tool_calls);
    put_items(w, "before", &a->prior.plans);
}

void
app_result_failed(struct app *a, const struct err *why)
{
    a->reader_left |= why->code == ERR_PEER;
    if (a->unwritten.code != ERR_NONE || why->code == ERR_PEER)
        return;
    a->unwritten = *why;
    err_wrap(&a->unwritten, "standard output");
}

void
app_put_result(struct app *a, struct buf *b)
{
    struct err e = {0};

    if (buf_ok(b, "the result", &e) < 0 ||
        fd_write_all(a->result.out, b->p, b->len, -1, &e) < 0)
        app_result_failed(a, &e);
    buf_clear(b);
}

int
app_write_result(const struct buf *b, struct err *e)
{
    struct err why = {0};

    if (fd_write_all(STDOUT_FILENO, b->p, b->len, -1, &why) == 0)
        return 0;
    if (why.code == ERR_PEER)
        why.kind = ERR_KIND_NO_READER;
    *e = why;
    return -1;
}
