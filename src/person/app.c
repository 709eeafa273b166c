/* SPDX-License-Identifier: GPL-3.0-or-later */
/* app.c - what a run of the program has. */
#include "person/app.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/fd.h"
#include "base/path.h"
#include "guard/path/secret.h"
#include "person/chronicle.h"
#include "term/escape.h"
#include "term/style.h"
#include "term/width.h"
#include "tool/registry.h"
#include "json/write.h"

#define LINE_MAX_BYTES 8192
#define WRITE_MS       10000
#define ERROR_JSON_MAX (512u << 20) /* an account, and a line */

int
app_init(struct app *a, const char *name, bool no_color, struct err *e)
{
    int fd = isatty(STDERR_FILENO) || !isatty(STDOUT_FILENO) ? STDERR_FILENO
                                                             : STDOUT_FILENO;

    *a = (struct app){
        .name = name, .no_color = no_color, .log = {.fd = STDERR_FILENO}};
    term_init(&a->screen, fd, no_color);
    term_init(&a->result, STDOUT_FILENO, no_color);
    account_init(&a->account);
    a->loop = loop_new(e);
    return a->loop ? 0 : -1;
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
    account_done(&a->account);
    secret_named_free(a->named);
    journal_close(a->journal);
    loop_free(a->loop);
}

void
app_name_places(struct app *a, const char *text)
{
    CLEANUP(free_p) char *cwd = getcwd(NULL, 0);
    struct err e = {0};

    secret_named_free(a->named);
    a->named = app_config(a, &e) < 0
                   ? NULL /* which is said where the settings are needed */
                   : secret_named_in(
                         text, config_text(a->config, CONFIG_SANDBOX_READABLE),
                         path_home(), cwd);
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
        a->policy = policy_load(e);
    return a->policy ? 0 : -1;
}

int
app_registry(struct app *a, struct err *e)
{
    if (app_config(a, e) < 0)
        return -1;
    if (a->registry)
        return 0;
    if (!(a->registry = registry_open(a->config, e)))
        return -1;
    app_tell_places(a, a->registry);
    return 0;
}

/* With what happened before it: a model that is gone when it was to see the
 * results of steps has not undone them. */
static void
put_error_json(const struct app *a, const struct err *e, struct buf *out)
{
    struct json_writer w;

    json_write_init(&w, out);
    json_open_object(&w);
    json_key(&w, "error");
    json_open_object(&w);
    json_member_str(&w, "code", err_tool_code(e->code));
    json_member_str(&w, "message", e->text);
    json_close_object(&w);
    account_put(a, &w);
    json_member_int(&w, "exit_status", err_exit_status(e->code));
    json_close_object(&w);
    buf_ch(out, '\n');
}

/* A terminal would break a line inside a word. */
static void
fit(const struct app *a, int fd, const struct buf *line, struct buf *out)
{
    bool shown = a->screen.tty && a->screen.out == fd;
    const struct width_wrap wrap = {.columns = shown ? (size_t)a->screen.columns
                                                     : SIZE_MAX};

    (void)width_wrap(out, line->p, line->len, &wrap);
    buf_ch(out, '\n');
}

void
app_tell(struct app *a, const char *text)
{
    CLEANUP_BUF struct buf line = buf_of(LINE_MAX_BYTES);
    CLEANUP_BUF struct buf out = buf_of(2 * LINE_MAX_BYTES);

    buf_printf(&line, "%s%s:%s ", style_on(&a->screen, STYLE_ERROR), a->name,
               style_off(&a->screen, STYLE_ERROR));
    escape_str(&line, &a->screen, text, ESCAPE_PROSE | ESCAPE_LINES);
    fit(a, STDERR_FILENO, &line, &out);
    (void)fd_write_all(STDERR_FILENO, out.p, out.len, WRITE_MS, NULL);
}

void
app_say(struct app *a, const struct err *e)
{
    app_tell(a, e->text);
}

void
app_tell_places(struct app *a, const struct registry *r)
{
    const struct tool *t;

    for (size_t i = 0; (t = registry_lost_place(r, i)) != NULL; i++)
        app_note(a, "ignoring the plugins of %s: it %s", t->name,
                 t->fault.text);
}

struct journal *
app_journal(struct app *a)
{
    CLEANUP_BUF struct buf line = buf_of(LINE_MAX_BYTES);
    struct err e = {0};

    if (a->journal_tried)
        return a->journal;
    a->journal_tried = true;
    /* settings that cannot be read are told by those who need them */
    if (app_config(a, NULL) < 0 ||
        !config_bool(a->config, CONFIG_RECORD_JOURNAL))
        return NULL;
    a->journal = journal_open(config_int(a->config, CONFIG_RECORD_KEEP_DAYS),
                              config_int(a->config, CONFIG_RECORD_KEEP_MB), &e);
    if (!a->journal) {
        buf_printf(&line, "this is not recorded: %s (agentsh doctor)", e.text);
        app_tell(a, line.p);
    }
    return a->journal;
}

static void
tell_trouble(struct app *a)
{
    const char *why = journal_trouble(a->journal);

    if (why)
        app_tell(a, why);
}

void
app_record(struct app *a, const char *kind,
           const struct journal_member *members)
{
    (void)journal_add(app_journal(a), kind, members);
    tell_trouble(a);
}

void
app_record_later(struct app *a, const char *kind,
                 const struct journal_member *members)
{
    (void)journal_add_later(app_journal(a), kind, members);
    tell_trouble(a);
}

void
app_record_sync(struct app *a, bool soon)
{
    (void)journal_sync(a->journal, soon);
    tell_trouble(a);
}

int
app_fail(struct app *a, const struct err *e)
{
    CLEANUP_BUF struct buf json = buf_of(ERROR_JSON_MAX);

    chronicle_end(a, e, err_exit_status(e->code));
    if (e->kind == ERR_KIND_NO_READER) {
        a->reader_left = true;
        return 0; /* result_status knows better */
    }
    app_say(a, e);
    if (a->output != OUTPUT_TEXT) {
        put_error_json(a, e, &json);
        (void)fd_write_all(STDOUT_FILENO, json.p, json.len, -1, NULL);
    }
    return err_exit_status(e->code);
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
    buf_vprintf(&text, fmt, ap);
    va_end(ap);
    escape_str(&line, &a->screen, text.p, ESCAPE_PROSE);
    fit(a, a->screen.out, &line, &out);
    (void)term_write(&a->screen, out.p, out.len, NULL);
}
