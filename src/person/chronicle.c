/* SPDX-License-Identifier: GPL-3.0-or-later */
/* chronicle.c - a run, told to the journal as it goes. */
#include "person/chronicle.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/redact.h"
#include "model/select.h"

#define TAIL_BYTES (4u << 10)  /* kept of each stream of a step */
#define TEXT_BYTES (32u << 10) /* of one while it is redacted */

static const char *const verbs[] = {
    [AIACTION_DO] = "do",
    [AIACTION_RUN] = "run",
    [AIACTION_EXPLAIN] = "explain",
};

void
chronicle_begin(struct chronicle *c, struct app *a, const struct wish *w)
{
    *c = (struct chronicle){.app = a, .wish = w, .begun_ms = clock_ms()};
    a->chronicle = c;
}

void
chronicle_input(struct app *a, const char *bytes, size_t n)
{
    struct chronicle *c = a->chronicle;

    if (!c || n == 0)
        return;
    c->input = n;
    sha256_hex(bytes, n, c->input_sha256);
}

void
chronicle_model(struct app *a, const struct model_selection *m, size_t sent)
{
    struct chronicle *c = a->chronicle;

    if (!c)
        return;
    snprintf(c->provider, sizeof(c->provider), "%s",
             model_selection_provider(m));
    snprintf(c->model, sizeof(c->model), "%s", model_selection_model(m));
    c->sent = sent;
}

/* The options that decide what may happen, as they are typed. */
static void
put_options(const struct wish *w, struct buf *out)
{
    const struct {
        bool given;
        const char *name;
    } rows[] = {
        {w->yes, "--yes"},
        {w->each_step, "--step"},
        {w->preview, "--preview"},
        {w->reduced, "--profile reduced"},
        {w->dry_run, "--dry-run"},
        {w->show_request, "--show-request"},
        {w->model.offline, "--offline"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        if (rows[i].given)
            buf_printf(out, "%s%s", out->len ? " " : "", rows[i].name);
    }
}

struct journal_member
chronicle_number(const char *name, int64_t v)
{
    struct journal_member none = JOURNAL_STR(name, NULL);
    struct journal_member number = JOURNAL_NUM(name, v);

    return v < 0 ? none : number;
}

static const char *
or_null(const char *s)
{
    return s[0] ? s : NULL;
}

/* now: by itself, or with what comes next. */
static void
add_request(struct chronicle *c, bool now)
{
    CLEANUP_BUF struct buf options = buf_of(TEXT_BYTES);
    CLEANUP(free_p) char *cwd = getcwd(NULL, 0);

    put_options(c->wish, &options);
    (now ? app_record : app_record_later)(
        c->app, "request",
        (const struct journal_member[]){
            JOURNAL_STR("verb", verbs[c->wish->mode]),
            JOURNAL_STR("text", c->wish->text),
            JOURNAL_STR("directory", cwd),
            JOURNAL_STR("options", or_null(options.p)),
            JOURNAL_STR("plan", c->wish->plan_in),
            JOURNAL_STR("plan_out", c->wish->plan_out),
            JOURNAL_STR("provider", or_null(c->provider)),
            JOURNAL_STR("model", or_null(c->model)),
            chronicle_number("sent_bytes", c->sent ? (int64_t)c->sent : -1),
            chronicle_number("input_bytes", c->input ? (int64_t)c->input : -1),
            JOURNAL_STR("input_sha256", or_null(c->input_sha256)),
            JOURNAL_STR("version", PACKAGE_VERSION),
            JOURNAL_NUM("uid", (int64_t)getuid()),
            {0},
        });
}

static void
request(struct chronicle *c, bool now)
{
    if (c->requested)
        return;
    c->requested = true;
    add_request(c, now);
}

void
chronicle_request(struct app *a)
{
    if (a->chronicle)
        request(a->chronicle, true);
}

struct chronicle *
chronicle_open(struct app *a)
{
    if (!a->chronicle || !app_journal(a))
        return NULL;
    request(a->chronicle, false);
    return a->chronicle;
}

void
chronicle_looked(struct app *a, const struct look_call *c)
{
    if (!chronicle_open(a))
        return;
    app_record(a, "call",
               (const struct journal_member[]){
                   JOURNAL_STR("by", "model"),
                   JOURNAL_STR("tool", c->tool),
                   JOURNAL_STR("action", c->action),
                   JOURNAL_STR("line", c->line),
                   JOURNAL_TREE("args", c->args),
                   JOURNAL_FLAG("ran", c->ran),
                   JOURNAL_FLAG("ok", !c->failed),
                   JOURNAL_NUM("ms", c->ms),
                   JOURNAL_BYTES("told", c->text, c->len),
                   {0},
               });
}

void
chronicle_answer(struct app *a, const char *text, const char *model,
                 const struct inquiry_facts *f)
{
    if (!chronicle_open(a))
        return;
    app_record_later(a, "answer",
                     (const struct journal_member[]){
                         JOURNAL_STR("text", text),
                         JOURNAL_STR("model", model),
                         chronicle_number("tokens_in", f ? f->tokens_in : -1),
                         chronicle_number("tokens_out", f ? f->tokens_out : -1),
                         chronicle_number("model_ms", f ? f->ms : -1),
                         {0},
                     });
}

void
chronicle_decision(struct app *a, enum plan_question q, size_t step,
                   const char *what)
{
    static const char *const questions[] = {
        [PLAN_ASK_ALL] = "plan",
        [PLAN_ASK_STEP] = "step",
        [PLAN_ASK_WORD] = "dangerous step",
        [PLAN_ASK_NEED] = "program as root",
        [PLAN_ASK_FAILED] = "failed step",
        [PLAN_ASK_SUDO] = "plan that needs sudo",
    };
    struct chronicle *c = chronicle_open(a);
    const struct journal_member members[] = {
        JOURNAL_STR("by", "person"),
        JOURNAL_STR("about", questions[q]),
        JOURNAL_STR("verdict", what),
        JOURNAL_NUM("step", (int64_t)step + 1),
        {0},
    };

    if (!c)
        return;
    c->decided = true;
    app_record(a, "decision", members);
}

/* A plan that runs without a question was approved by --yes and the rules. */
static void
add_yes(struct chronicle *c)
{
    if (c->decided)
        return;
    c->decided = true;
    app_record(c->app, "decision",
               (const struct journal_member[]){
                   JOURNAL_STR("by", c->wish->yes ? "--yes" : "rules"),
                   JOURNAL_STR("about", "plan"),
                   JOURNAL_STR("verdict", "run"),
                   {0},
               });
}

void
chronicle_step(struct app *a, const struct aiaction *action,
               const struct plan *p, size_t step)
{
    const struct step *s = &action->steps[step];
    struct chronicle *c = chronicle_open(a);
    const struct judgement *j = plan_judgement(p, step);
    char digest[SHA256_HEX_SIZE] = "";

    if (!c)
        return;
    add_yes(c);
    c->ran = true;
    (void)judge_digest(s, j, digest, NULL);
    app_record(a, "step",
               (const struct journal_member[]){
                   JOURNAL_NUM("step", (int64_t)step + 1),
                   JOURNAL_STR("id", s->id),
                   JOURNAL_STR("tool", s->tool),
                   JOURNAL_STR("action", s->action),
                   JOURNAL_TREE("args", s->args),
                   JOURNAL_STR("command", s->command),
                   JOURNAL_STR("directory", j->directory),
                   JOURNAL_STR("profile", judge_profile(j)),
                   JOURNAL_FLAG("network", judge_network(j)),
                   JOURNAL_STR("decision", guard_decision_name(j->decision)),
                   JOURNAL_STR("sha256", digest),
                   {0},
               });
}

/* The end of a stream. Of what opens doors not even the hash. */
static void
keep_stream(const struct step_end *end, const char *p, size_t n,
            struct buf *out, char hash[SHA256_HEX_SIZE])
{
    hash[0] = '\0';
    if (n == 0)
        return;
    if (end->secret) {
        buf_str(out, "[redacted:secret-file]");
        return;
    }
    (void)redact_tail(p, n, TAIL_BYTES, out);
    sha256_hex(p, n, hash);
}

void
chronicle_result(struct app *a, const struct aiaction *action, size_t step,
                 const struct step_end *end)
{
    CLEANUP_BUF struct buf out = buf_of(TEXT_BYTES);
    CLEANUP_BUF struct buf err = buf_of(TEXT_BYTES);
    char of_out[SHA256_HEX_SIZE], of_err[SHA256_HEX_SIZE];

    if (!chronicle_open(a))
        return;
    keep_stream(end, end->out, end->out_len, &out, of_out);
    keep_stream(end, end->err, end->err_len, &err, of_err);
    app_record(a, "result",
               (const struct journal_member[]){
                   JOURNAL_NUM("step", (int64_t)step + 1),
                   JOURNAL_STR("id", action->steps[step].id),
                   JOURNAL_NUM("exit_code", end->exit_code),
                   JOURNAL_NUM("ms", end->duration_ms),
                   JOURNAL_BYTES("stdout", out.p, out.len),
                   JOURNAL_BYTES("stderr", err.p, err.len),
                   JOURNAL_NUM("stdout_kept", (int64_t)end->out_len),
                   JOURNAL_NUM("stderr_kept", (int64_t)end->err_len),
                   JOURNAL_STR("stdout_sha256", or_null(of_out)),
                   JOURNAL_STR("stderr_sha256", or_null(of_err)),
                   JOURNAL_FLAG("truncated", end->truncated),
                   JOURNAL_STR("blocked", or_null(end->blocked)),
                   JOURNAL_STR("dropped", or_null(end->dropped)),
                   {0},
               });
}

/* Nobody was asked, or nobody could be. */
static void
add_denial(struct chronicle *c, const struct err *why)
{
    if (c->decided || why->code != ERR_DENIED)
        return;
    app_record(c->app, "decision",
               (const struct journal_member[]){
                   JOURNAL_STR("by", "rules"),
                   JOURNAL_STR("verdict", "denied"),
                   JOURNAL_STR("why", why->text),
                   {0},
               });
}

void
chronicle_end(struct app *a, const struct err *why, int status)
{
    struct chronicle *c = a->chronicle;
    bool failed = why && why->code != ERR_NONE;

    /* a call that says nothing was never a request */
    if (!c || c->ended || (!c->requested && failed && why->code == ERR_USAGE))
        return;
    if (!chronicle_open(a))
        return;
    c->ended = true;
    if (failed)
        add_denial(c, why);
    app_record(
        a, "end",
        (const struct journal_member[]){
            JOURNAL_NUM("status", status),
            JOURNAL_STR("code", failed ? err_tool_code(why->code) : NULL),
            JOURNAL_STR("why", failed ? why->text : NULL),
            JOURNAL_NUM("ms", clock_ms() - c->begun_ms),
            {0},
        });
}

void
chronicle_done(struct chronicle *c, int status)
{
    /* the others ended it with their reason */
    if (c->requested || status == 0)
        chronicle_end(c->app, NULL, status);
    c->app->chronicle = NULL;
    /* an answer is read when it is there: nobody waits for the disk then */
    app_record_sync(c->app, !c->ran);
}

const char *
chronicle_verdict(enum plan_verdict v)
{
    static const char *const names[] = {
        [PLAN_RUN] = "run",    [PLAN_STEPS] = "run, step by step",
        [PLAN_MORE] = "grant", [PLAN_SKIP] = "skip",
        [PLAN_QUIT] = "quit",
    };

    return names[v];
}

const char *
chronicle_grant(const struct denial_remedy *gain)
{
    static const char *const names[] = {
        [DENIAL_REMEDY_NONE] = "grant: nothing",
        [DENIAL_REMEDY_APPROVAL] = "grant: write in the workspace",
        [DENIAL_REMEDY_WRITE] = "grant: write in a directory",
        [DENIAL_REMEDY_READ] = "grant: see the files of home",
        [DENIAL_REMEDY_NET] = "grant: network",
        [DENIAL_REMEDY_FULL] = "grant: no sandbox",
    };

    return names[gain->kind];
}
