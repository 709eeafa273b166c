/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_plugin_check.c - agentsh plugin check: test a plugin against the Plugin
 * Tool API. */
#include <signal.h>
#include <string.h>

#include "base/message.h"
#include "base/message_put.h"
#include "frontend/cli/command.h"
#include "term/escape.h"
#include "term/style.h"
#include "tool/check/check.h"
#include "ui/app.h"
#include "ui/stop_signals.h"
#include "json/write.h"

#define REPORT_MAX     (1u << 20)
#define TEXT_MAX_BYTES 8192

static const struct verdict_row {
    const char *word, *shown;
    enum style style;
} verdicts[] = {
    [CHECK_OK] = {"ok", "ok     ", STYLE_GOOD},
    [CHECK_FAILED] = {"not_ok", "not ok ", STYLE_ERROR},
    [CHECK_SKIPPED] = {"skipped", "skipped", STYLE_DIM},
    [CHECK_NOTE] = {"note", "note   ", STYLE_WARNING},
};

struct report {
    struct app *app;
    struct buf json; /* the findings so far */
    struct json_writer w;
    struct stop_signals stops;
    int signal, passed, skipped;
};

static void
plugin_report_done(struct report *r)
{
    stop_signals_done(&r->stops);
    buf_done(&r->json);
}

static void
on_signal(void *arg, unsigned signo)
{
    ((struct report *)arg)->signal = (int)signo;
}

static void
put_finding_part(struct buf *out, const struct term *screen, const char *before,
                 const char *text)
{
    CLEANUP_BUF struct buf said = buf_of(TEXT_MAX_BYTES);

    if (!text[0])
        return;
    (void)message_put(&said, text);
    buf_str(out, before);
    escape_str(out, screen, said.p, ESCAPE_LINES);
}

static void
put_check_text(struct report *r, const struct check_finding *f)
{
    const struct verdict_row *v = &verdicts[f->verdict];
    const struct term *screen = &r->app->result;
    CLEANUP_BUF struct buf line = buf_of(TEXT_MAX_BYTES);

    style_add(&line, screen, v->style, v->shown, strlen(v->shown));
    put_finding_part(&line, screen, "  ", f->name);
    put_finding_part(&line, screen, _(": expected "), f->expected);
    put_finding_part(&line, screen,
                     f->verdict == CHECK_FAILED ? _("; came ") : ": ", f->came);
    put_finding_part(&line, screen, _(". To do: "), f->advice);
    buf_ch(&line, '\n');
    app_put_result(r->app, &line);
}

static void
put_check_json(struct report *r, const struct check_finding *f)
{
    json_open_object(&r->w);
    json_member_str(&r->w, "verdict", verdicts[f->verdict].word);
    json_member_str(&r->w, "name", f->name);
    if (f->expected[0])
        json_member_str(&r->w, "expected", f->expected);
    if (f->came[0])
        json_member_str(&r->w, "came", f->came);
    if (f->advice[0])
        json_member_str(&r->w, "advice", f->advice);
    json_close_object(&r->w);
}

static void
on_finding(void *arg, const struct check_finding *f)
{
    struct report *r = arg;

    r->passed += f->verdict == CHECK_OK;
    r->skipped += f->verdict == CHECK_SKIPPED;
    if (r->app->output == OUTPUT_TEXT)
        put_check_text(r, f);
    else
        put_check_json(r, f);
}

static void
print_heading(struct report *r, const char *dir)
{
    json_write_init(&r->w, &r->json);
    json_open_object(&r->w);
    json_member_str(&r->w, "plugin", dir);
    json_key(&r->w, "tests");
    json_open_array(&r->w);
}

static int
finish_report(struct report *r, int failed, struct err *e)
{
    CLEANUP_BUF struct buf line = buf_of(TEXT_MAX_BYTES);

    if (r->app->output == OUTPUT_TEXT) {
        buf_printf(&line, _("%d passed, %d failed, %d skipped\n"), r->passed,
                   failed, r->skipped);
        app_put_result(r->app, &line);
        return 0;
    }
    json_close_array(&r->w);
    json_member_bool(&r->w, "ok", failed == 0);
    json_close_object(&r->w);
    buf_ch(&r->json, '\n');
    if (buf_ok(&r->json, "the report", e) < 0)
        return -1;
    app_put_result(r->app, &r->json);
    return 0;
}

static int
run_checks_to_report(struct report *r, struct command_args *c, struct err *e)
{
    struct check_params params = {.loop = c->app->loop,
                                  .seat = c->app->seat,
                                  .dir = c->words[0],
                                  .run_all = c->options.run_all,
                                  .stop = &r->signal,
                                  .report = on_finding,
                                  .arg = r};
    int failed;

    if (app_config(c->app, e) < 0)
        return -1;
    params.config = c->app->config;
    if (stop_signals_init(&r->stops, params.loop, on_signal, r, e) < 0)
        return -1;
    print_heading(r, params.dir);
    failed = check_plugin(&params, e);
    if (failed < 0 || finish_report(r, failed, e) < 0)
        return -1;
    return failed;
}

static int
run_plugin_check(struct command_args *c)
{
    CLEANUP(plugin_report_done)
    struct report r = {.app = c->app, .json = buf_of(REPORT_MAX)};
    struct err e = {0};
    int failed;

    if (c->n != 1) {
        err_set(&e, ERR_USAGE, "missing argument: the directory of one plugin");
        return app_fail(c->app, &e);
    }
    failed = run_checks_to_report(&r, c, &e);
    if (r.signal)
        return 128 + r.signal;
    return failed < 0 ? app_fail(c->app, &e) : failed > 0;
}

const struct command cmd_plugin_check = {
    .name = "plugin check",
    .args = "DIR",
    .help = N_("test a plugin against the Plugin Tool API"),
    .options = FOR_PLUGIN_CHECK | FOR_REPORT | FOR_NAMES,
    .run = run_plugin_check,
};
