/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_policy_test.c - agentsh policy test: what the rules say about a line. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/linebuf.h"
#include "base/message_put.h"
#include "frontend/cli/command.h"
#include "guard/guard.h"
#include "guard/policy/policy.h"
#include "term/escape.h"
#include "term/style.h"
#include "ui/app.h"
#include "json/write.h"

#define ANSWER_MAX (256u * 1024) /* reasons are few, and short */
#define TEXT_MAX   (64u << 10)   /* bytes of a reason */
#define BATCH_MAX  (1u << 20)    /* answers that are written at once */

/* What all lines of a run have in common. */
struct tester {
    struct app *app;
    const struct policy *policy;
    struct path_context where;
};

static const struct {
    const char *word;
    unsigned facts;
} findings[] = {
    {"destructive", RISK_DESTRUCTIVE}, {"sudo", RISK_SUDO | RISK_PRIVILEGED},
    {"network", RISK_NETWORK},         {"secret", RISK_SECRET},
    {"opaque", RISK_OPAQUE},
};

#define N_FINDINGS ARRAY_SIZE(findings)

/* The i-th reason; NULL after the last. What nothing waives comes first, and
 * where no risk was found, what the rules say. */
static const char *
reason(const struct guard_finding *f, size_t i)
{
    bool own = f->reason[0] &&
               (f->effects.protected_path || f->risk.n_reasons == 0);

    if (own && i == 0)
        return f->reason;
    i -= own;
    return i < f->risk.n_reasons ? f->risk.reasons[i].text : NULL;
}

/* Whether one before it says the same. */
static bool
is_repeated_reason(const struct guard_finding *f, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (strcmp(reason(f, k), reason(f, i)) == 0)
            return true;
    return false;
}

static void
put_finding_json(const struct guard_finding *f, struct buf *out)
{
    struct json_writer w;
    const char *text;

    json_write_init(&w, out);
    json_open_object(&w);
    json_member_str(&w, "decision", guard_decision_name(f->decision));
    json_member_str(&w, "rule", f->rule);
    for (size_t i = 0; i < N_FINDINGS; i++)
        json_member_bool(&w, findings[i].word,
                         f->risk.facts & findings[i].facts);
    json_key(&w, "reasons");
    json_open_array(&w);
    for (size_t i = 0; (text = reason(f, i)) != NULL; i++)
        if (!is_repeated_reason(f, i))
            json_put_str(&w, text);
    json_close_array(&w);
    json_close_object(&w);
    buf_ch(out, '\n');
}

static void
put_labelled_line(struct buf *out, const struct term *t, const char *what,
                  const char *text)
{
    if (!text[0])
        return;
    if (t->plain && what[0])
        buf_printf(out, "  %s: ", what);
    else
        buf_printf(out, "  %-8s", t->plain ? "" : what);
    escape_str(out, t, text, ESCAPE_LINES);
    buf_ch(out, '\n');
}

static void
put_finding_text(const struct guard_finding *f, const struct term *t,
                 struct buf *out)
{
    static const enum style styles[] = {
        [GUARD_ALLOW] = STYLE_GOOD,
        [GUARD_ASK] = STYLE_WARNING,
        [GUARD_DENY] = STYLE_ERROR,
    };
    enum style s = styles[f->decision];
    char risk[80] = "";
    const char *text;

    buf_printf(out, "%s%s%s\n", style_on(t, s),
               guard_decision_name(f->decision), style_off(t, s));
    put_labelled_line(out, t, _("rule"), f->rule);
    for (size_t i = 0; i < N_FINDINGS; i++) {
        size_t n = strlen(risk);

        if (f->risk.facts & findings[i].facts)
            snprintf(risk + n, sizeof(risk) - n, "%s%s", n ? " " : "",
                     findings[i].word);
    }
    put_labelled_line(out, t, _("risk"), risk);
    for (size_t i = 0; (text = reason(f, i)) != NULL; i++) {
        CLEANUP_BUF struct buf said = buf_of(TEXT_MAX);

        if (is_repeated_reason(f, i))
            continue;
        (void)message_put(&said, text);
        put_labelled_line(out, t, i ? "" : _("because"), said.p);
    }
}

static int
judge(const struct tester *t, const char *command, bool json, struct buf *out,
      struct err *e)
{
    struct guard_finding f = {0};
    int rc = guard_judge(t->policy, command, &t->where, &f, e);

    if (rc == 0 && json)
        put_finding_json(&f, out);
    else if (rc == 0)
        put_finding_text(&f, &t->app->result, out);
    guard_finding_done(&f);
    return rc;
}

static int
judge_line(const struct tester *t, const char *line, size_t n, struct buf *out,
           struct err *e)
{
    if (strlen(line) < n) /* bash would not see what follows a NUL */
        return err_set(e, ERR_INVALID, "a line contains a NUL character");
    return judge(t, line, true, out, e);
}

static int
judge_lines(const struct tester *t, struct linebuf *lb, struct buf *out,
            struct err *e)
{
    const char *line;
    size_t n;

    while ((line = linebuf_next(lb, &n)) != NULL) {
        if (judge_line(t, line, n, out, e) < 0)
            return -1;
        if (out->len > BATCH_MAX / 2)
            app_put_result(t->app, out);
    }
    app_put_result(t->app, out);
    return 0;
}

static int
test_lines(const struct tester *t, struct err *e)
{
    CLEANUP(linebuf_free_p)
    struct linebuf *lb = linebuf_new(SYNTAX_LINE_MAX, e);
    CLEANUP_BUF struct buf out = buf_of(BATCH_MAX);
    const char *line;
    long got = 1;
    size_t n;

    while (lb && got > 0) {
        got = linebuf_read(lb, STDIN_FILENO, e);
        if (judge_lines(t, lb, &out, e) < 0)
            return -1;
    }
    if (lb && got == 0 && (line = linebuf_rest(lb, &n)) != NULL) {
        if (judge_line(t, line, n, &out, e) < 0)
            return -1;
        app_put_result(t->app, &out);
    }
    return lb && got == 0 ? 0 : -1;
}

static int
test_words(const struct tester *t, const struct command_args *c, struct err *e)
{
    CLEANUP_BUF struct buf line = buf_of(SYNTAX_LINE_MAX);
    CLEANUP_BUF struct buf out = buf_of(ANSWER_MAX);

    if (command_join_words(c, &line, e) < 0 ||
        judge(t, line.p, t->app->output != OUTPUT_TEXT, &out, e) < 0)
        return -1;
    app_put_result(t->app, &out);
    return 0;
}

static int
run_policy_test(struct command_args *c)
{
    struct err e = {0};
    CLEANUP(policy_free_p) struct policy *p = policy_load(c->app->seat, &e);
    struct tester t = {
        .app = c->app,
        .policy = p,
        .where = path_context_of(c->app->seat),
    };
    int rc;

    if (!p || app_config(c->app, &e) < 0)
        return app_fail(c->app, &e);
    app_set_named_paths(c->app, NULL);
    t.where.named = (const char *const *)c->app->named;
    rc = c->n > 0 ? test_words(&t, c, &e) : test_lines(&t, &e);
    return rc < 0 ? app_fail(c->app, &e) : 0;
}

const struct command cmd_policy_test = {
    .name = "policy test",
    .args = "CMD…",
    .help = N_("show what the rules decide about a command line, and why"),
    .options = FOR_REPORT | FOR_LINE,
    .run = run_policy_test,
};
