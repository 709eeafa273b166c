/* SPDX-License-Identifier: GPL-3.0-or-later */
/* audit.c - writes a run to the journal while it goes on. */
#include "ui/audit.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "action/approval.h"
#include "base/array.h"
#include "base/clock.h"
#include "base/redact.h"
#include "model/select.h"
#include "json/write.h"

#define TAIL_BYTES (4u << 10)  /* of each stream of a step, which are kept */
#define TEXT_BYTES (32u << 10) /* of a stream while it is redacted */
#define WORDS_MAX  (1u << 20)  /* bytes of a program's words, escaped */

#define USAGE_PRICE_MAX 256 /* bytes of four prices with their date */

static const char *const verbs[] = {
    [AIACTION_DO] = "do",
    [AIACTION_RUN] = "run",
    [AIACTION_EXPLAIN] = "explain",
};

void
audit_begin(struct audit *u, struct app *a,
            const struct assist_request *request)
{
    *u = (struct audit){.app = a, .request = request, .begun_ms = clock_ms()};
    a->audit = u;
}

void
audit_input(struct app *a, const char *bytes, size_t n)
{
    struct audit *u = a->audit;

    if (!u || n == 0)
        return;
    u->input = n;
    sha256_hex(bytes, n, u->input_sha256);
}

void
audit_model(struct app *a, const struct model_selection *m, size_t sent)
{
    struct audit *u = a->audit;

    if (!u)
        return;
    snprintf(u->provider, sizeof(u->provider), "%s",
             model_selection_provider(m));
    snprintf(u->model, sizeof(u->model), "%s", model_selection_model(m));
    u->sent = sent;
}

/* Appends the options that decide what may run, as they are typed. */
static void
put_request_options(const struct assist_request *request, struct buf *out)
{
    const struct {
        bool given;
        const char *name;
    } rows[] = {
        {request->yes, "--yes"},
        {request->each_step, "--step"},
        {request->preview, "--preview"},
        {request->reduced, "--profile reduced"},
        {request->dry_run, "--dry-run"},
        {request->show_request, "--show-request"},
        {request->model.offline, "--offline"},
    };

    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        if (rows[i].given)
            buf_printf(out, "%s%s", out->len ? " " : "", rows[i].name);
    }
}

/* A number, or nothing when it is below 0. */
static struct journal_member
number_or_none(const char *name, int64_t v)
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

/* now: by itself; else with the next event. */
static void
add_request(struct audit *u, bool now)
{
    CLEANUP_BUF struct buf options = buf_of(TEXT_BYTES);

    put_request_options(u->request, &options);
    (now ? app_record : app_record_later)(
        u->app, "request",
        (const struct journal_member[]){
            JOURNAL_STR("verb", verbs[u->request->mode]),
            JOURNAL_STR("text", u->request->text),
            JOURNAL_STR("directory", seat_dir(u->app->seat)),
            JOURNAL_STR("options", or_null(options.p)),
            JOURNAL_STR("plan", u->request->plan_in),
            JOURNAL_STR("plan_out", u->request->plan_out),
            JOURNAL_STR("provider", or_null(u->provider)),
            JOURNAL_STR("model", or_null(u->model)),
            JOURNAL_STR("offline_reason", or_null(u->app->offline_reason)),
            number_or_none("sent_bytes", u->sent ? (int64_t)u->sent : -1),
            number_or_none("input_bytes", u->input ? (int64_t)u->input : -1),
            JOURNAL_STR("input_sha256", or_null(u->input_sha256)),
            JOURNAL_STR("version", PACKAGE_VERSION),
            JOURNAL_NUM("uid", (int64_t)getuid()),
            {0},
        });
}

static void
add_request_once(struct audit *u, bool now)
{
    if (u->requested)
        return;
    u->requested = true;
    add_request(u, now);
}

void
audit_request(struct app *a)
{
    if (a->audit)
        add_request_once(a->audit, true);
}

/* The run, with its request added to the journal; NULL where it is not kept.
 */
static struct audit *
audit_open(struct app *a)
{
    if (!a->audit || !app_journal(a))
        return NULL;
    add_request_once(a->audit, false);
    return a->audit;
}

void
audit_tool_call(struct app *a, const struct tool_loop_call *c)
{
    if (!audit_open(a))
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

/* The amount and the price of the time, as they are kept. */
struct usage_text {
    struct buf cost, price;
};

static void
usage_text_init(struct usage_text *u, const struct conversation_usage *f)
{
    buf_init(&u->cost, COST_TEXT_MAX);
    buf_init(&u->price, USAGE_PRICE_MAX);
    if (!f || !f->cost.known)
        return;
    cost_put(&u->cost, &f->cost);
    price_put(&u->price, &f->price);
}

static void
usage_text_done(struct usage_text *u)
{
    buf_done(&u->cost);
    buf_done(&u->price);
}

/* All of what the answers cost so far; f may be NULL. */
#define USAGE_MEMBERS(f, text)                                                 \
    number_or_none("tokens_in", (f) ? (f)->tokens_in : -1),                    \
        number_or_none("tokens_cached", (f) ? (f)->tokens_cached : -1),        \
        number_or_none("tokens_cache_written",                                 \
                       (f) ? (f)->tokens_cache_written : -1),                  \
        number_or_none("tokens_out", (f) ? (f)->tokens_out : -1),              \
        number_or_none("tokens_reasoning", (f) ? (f)->tokens_reasoning : -1),  \
        JOURNAL_STR("cost", or_null((text).cost.p)),                           \
        JOURNAL_STR("price", or_null((text).price.p))

void
audit_answer(struct app *a, const char *text, const char *model,
             const struct conversation_usage *f)
{
    struct usage_text usage;

    if (!audit_open(a))
        return;
    usage_text_init(&usage, f);
    app_record_later(a, "answer",
                     (const struct journal_member[]){
                         JOURNAL_STR("text", text),
                         JOURNAL_STR("model", model),
                         USAGE_MEMBERS(f, usage),
                         number_or_none("model_ms", f ? f->ms : -1),
                         {0},
                     });
    usage_text_done(&usage);
}

void
audit_spent(struct app *a, const struct conversation_usage *f)
{
    if (!a->audit)
        return;
    a->audit->spent = *f;
    a->audit->spent.model = NULL; /* borrowed; the request has a name */
}

void
audit_decision(struct app *a, enum plan_question q, size_t step,
               const char *what)
{
    static const char *const questions[] = {
        [PLAN_ASK_ALL] = "plan",
        [PLAN_ASK_STEP] = "step",
        [PLAN_ASK_WORD] = "dangerous step",
        [PLAN_ASK_ELEVATE] = "program as root",
        [PLAN_ASK_FAILED] = "failed step",
        [PLAN_ASK_SUDO] = "plan that needs sudo",
    };
    struct audit *u = audit_open(a);
    const struct journal_member members[] = {
        JOURNAL_STR("by", "person"),
        JOURNAL_STR("about", questions[q]),
        JOURNAL_STR("verdict", what),
        JOURNAL_NUM("step", (int64_t)step + 1),
        {0},
    };

    if (!u)
        return;
    u->decided = true;
    app_record(a, "decision", members);
}

/* A plan that runs without a question was approved by --yes or the rules. */
static void
add_approval(struct audit *u)
{
    if (u->decided)
        return;
    u->decided = true;
    app_record(u->app, "decision",
               (const struct journal_member[]){
                   JOURNAL_STR("by", u->request->yes ? "--yes" : "rules"),
                   JOURNAL_STR("about", "plan"),
                   JOURNAL_STR("verdict", "run"),
                   {0},
               });
}

void
audit_step(struct app *a, const struct aiaction *action, const struct plan *p,
           size_t step)
{
    const struct step *s = &action->steps[step];
    struct audit *u = audit_open(a);
    const struct step_verdict *j = plan_step_verdict(p, step);
    char digest[SHA256_HEX_SIZE] = "";

    if (!u)
        return;
    add_approval(u);
    u->ran = true;
    (void)approval_digest(s, j, digest, NULL);
    app_record(a, "step",
               (const struct journal_member[]){
                   JOURNAL_NUM("step", (int64_t)step + 1),
                   JOURNAL_STR("id", s->id),
                   JOURNAL_STR("tool", s->tool),
                   JOURNAL_STR("action", s->action),
                   JOURNAL_TREE("args", s->args),
                   JOURNAL_STR("command", s->command),
                   JOURNAL_STR("directory", j->directory),
                   JOURNAL_STR("profile", step_verdict_profile(j)),
                   JOURNAL_FLAG("network", step_verdict_network(j)),
                   JOURNAL_STR("decision", guard_decision_name(j->decision)),
                   JOURNAL_STR("sha256", digest),
                   {0},
               });
}

/* Appends the end of a stream and hashes it. Of a file of secrets not even the
 * hash is kept. */
static void
redact_stream(const struct step_end *end, const char *p, size_t n,
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
audit_result(struct app *a, const struct aiaction *action, size_t step,
             const struct step_end *end)
{
    CLEANUP_BUF struct buf out = buf_of(TEXT_BYTES);
    CLEANUP_BUF struct buf err = buf_of(TEXT_BYTES);
    char of_out[SHA256_HEX_SIZE], of_err[SHA256_HEX_SIZE];

    if (!audit_open(a))
        return;
    redact_stream(end, end->out, end->out_len, &out, of_out);
    redact_stream(end, end->err, end->err_len, &err, of_err);
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
                   JOURNAL_STR("blocked", or_null(end->denied)),
                   JOURNAL_STR("dropped", or_null(end->dropped)),
                   {0},
               });
}

/* Adds a denial that nobody was asked about, or nobody could be. */
static void
add_denial(struct audit *u, const struct err *why)
{
    if (u->decided || why->code != ERR_DENIED)
        return;
    app_record(u->app, "decision",
               (const struct journal_member[]){
                   JOURNAL_STR("by", "rules"),
                   JOURNAL_STR("verdict", "denied"),
                   JOURNAL_STR("why", why->text),
                   {0},
               });
}

void
audit_end(struct app *a, const struct err *why, int status)
{
    struct audit *u = a->audit;
    bool failed = why && why->code != ERR_NONE;
    const struct conversation_usage *spent = u && u->spent.tokens_in > 0
                                                 ? &u->spent
                                                 : NULL;
    struct usage_text usage;

    /* a wrong command line was never a request */
    if (!u || u->ended || (!u->requested && failed && why->code == ERR_USAGE))
        return;
    if (!audit_open(a))
        return;
    u->ended = true;
    if (failed)
        add_denial(u, why);
    usage_text_init(&usage, spent);
    app_record(
        a, "end",
        (const struct journal_member[]){
            JOURNAL_NUM("status", status),
            JOURNAL_STR("code", failed ? err_tool_code(why->code) : NULL),
            JOURNAL_STR("why", failed ? why->text : NULL),
            USAGE_MEMBERS(spent, usage),
            JOURNAL_NUM("ms", clock_ms() - u->begun_ms),
            {0},
        });
    usage_text_done(&usage);
}

void
audit_done(struct audit *u, int status)
{
    /* a failure has ended it with its reason */
    if (u->requested || status == 0)
        audit_end(u->app, NULL, status);
    u->app->audit = NULL;
    /* the user reads an answer already: only steps must be on the disk */
    app_record_sync(u->app, !u->ran);
}

const char *
audit_verdict_name(enum plan_choice v)
{
    static const char *const names[] = {
        [PLAN_RUN] = "run",    [PLAN_STEPS] = "run, step by step",
        [PLAN_MORE] = "grant", [PLAN_SKIP] = "skip",
        [PLAN_QUIT] = "quit",
    };

    return names[v];
}

const char *
audit_grant_name(const struct denial_remedy *remedy)
{
    static const char *const names[] = {
        [DENIAL_REMEDY_NONE] = "grant: nothing",
        [DENIAL_REMEDY_APPROVAL] = "grant: write in the workspace",
        [DENIAL_REMEDY_WRITE] = "grant: write in a directory",
        [DENIAL_REMEDY_READ] = "grant: see the files of home",
        [DENIAL_REMEDY_NET] = "grant: network",
        [DENIAL_REMEDY_FULL] = "grant: no sandbox",
    };

    return names[remedy->kind];
}

/* Programs that run as root for a tool. */

static struct json *
argv_tree(const char *const *argv)
{
    CLEANUP_BUF struct buf text = buf_of(WORDS_MAX);
    struct json_writer w;

    json_write_init(&w, &text);
    json_open_array(&w);
    for (; *argv; argv++)
        json_put_str(&w, *argv);
    json_close_array(&w);
    return text.bad ? NULL : json_parse(text.p, text.len, 0, NULL);
}

void
audit_elevation_by(struct app *a, int64_t step, const char *const *argv,
                   const char *by, bool runs)
{
    CLEANUP(json_free_p) struct json *words = argv_tree(argv);

    app_record(a, "need",
               (const struct journal_member[]){
                   number_or_none("step", step),
                   JOURNAL_TREE("argv", words),
                   JOURNAL_STR("by", by),
                   JOURNAL_STR("decision", runs ? "run" : "refused"),
                   {0},
               });
}

void
audit_elevation(struct app *a, size_t step, const char *const *argv,
                enum plan_elevation_by how)
{
    static const char *const whose[] = {
        [PLAN_ELEVATE_STEP] = "the yes to the step",
        [PLAN_ELEVATE_YES] = "person",
        [PLAN_ELEVATE_NO] = "person",
        [PLAN_ELEVATE_NOBODY] = "no terminal to ask on",
    };

    if (audit_open(a))
        audit_elevation_by(a, (int64_t)step + 1, argv, whose[how],
                           how == PLAN_ELEVATE_STEP || how == PLAN_ELEVATE_YES);
}

static void
put_judged_step(struct json_writer *w, const struct step *s,
                const struct step_verdict *j)
{
    json_open_object(w);
    aiaction_put_step(w, s);
    json_member_str(w, "decision", guard_decision_name(j->decision));
    json_member_str(w, "reason", j->reason);
    json_member_str(w, "rule", step_verdict_rule(j));
    json_member_bool(w, "destructive", j->destructive);
    json_member_bool(w, "privileged", j->privileged);
    json_member_str(w, "profile", step_verdict_profile(j));
    json_member_bool(w, "network", step_verdict_network(j));
    json_close_object(w);
}

/* The steps with the verdict on each. */
static struct json *
plan_tree(const struct aiaction *action, const struct plan *p)
{
    CLEANUP_BUF struct buf text = buf_of(AIACTION_JSON_MAX);
    struct json_writer w;

    json_write_init(&w, &text);
    json_open_array(&w);
    for (size_t i = 0; i < action->n; i++)
        put_judged_step(&w, &action->steps[i], plan_step_verdict(p, i));
    json_close_array(&w);
    return text.bad ? NULL : json_parse(text.p, text.len, 0, NULL);
}

void
audit_plan(struct app *a, const struct aiaction *action, const struct plan *p,
           const struct conversation_usage *f)
{
    CLEANUP(json_free_p) struct json *steps = NULL;
    char digest[SHA256_HEX_SIZE] = "";
    struct usage_text usage;

    if (!audit_open(a))
        return;
    usage_text_init(&usage, f);
    if (a->audit->ran) /* another plan, after the results of the first */
        a->audit->decided = false;
    steps = plan_tree(action, p);
    (void)plan_digest(p, digest, NULL);
    app_record(a, "plan",
               (const struct journal_member[]){
                   JOURNAL_STR("kind", aiaction_kind_name(action->kind)),
                   JOURNAL_STR("summary", action->summary),
                   JOURNAL_TREE("steps", steps),
                   JOURNAL_STR("sha256", digest),
                   JOURNAL_STR("model", f ? f->model : NULL),
                   USAGE_MEMBERS(f, usage),
                   number_or_none("model_ms", f ? f->ms : -1),
                   {0},
               });
    usage_text_done(&usage);
}
