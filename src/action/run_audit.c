/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run_audit.c - writes a run to the journal while it goes on. */
#include "action/run_audit.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "action/approval.h"
#include "base/array.h"
#include "base/clock.h"
#include "model/select.h"
#include "json/write.h"

#define WORDS_MAX (1u << 20) /* bytes of a program's words, escaped */

#define USAGE_PRICE_MAX 256 /* bytes of four prices with their date */

void
run_audit_begin(struct run_audit *u, const struct run_audit_request *request,
                const struct run_audit_journal *to)
{
    *u = (struct run_audit){
        .request = request, .to = *to, .begun_ms = clock_ms()};
}

const char *
run_audit_name(struct run_audit *u)
{
    return u ? journal_run_name(u->to.open(u->to.arg)) : NULL;
}

void
run_audit_input(struct run_audit *u, const char *bytes, size_t n)
{
    if (!u || n == 0)
        return;
    u->input = n;
    sha256_hex(bytes, n, u->input_sha256);
}

void
run_audit_model(struct run_audit *u, const struct model_selection *m,
                size_t sent)
{
    if (!u)
        return;
    snprintf(u->provider, sizeof(u->provider), "%s",
             model_selection_provider(m));
    snprintf(u->model, sizeof(u->model), "%s", model_selection_model(m));
    u->sent = sent;
}

/* Adds an event now, or with the next one. */
static void
add_run_event(struct run_audit *u, bool now, const char *kind,
              const struct journal_member *members)
{
    struct journal_run *r = u->to.open(u->to.arg);

    (void)(now ? journal_add : journal_add_later)(r, kind, members);
    u->to.added(u->to.arg);
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
add_request(struct run_audit *u, bool now)
{
    const struct run_audit_request *r = u->request;

    add_run_event(
        u, now, "request",
        (const struct journal_member[]){
            JOURNAL_STR("verb", r->verb),
            JOURNAL_STR("text", r->text),
            JOURNAL_STR("hint", r->hint),
            JOURNAL_STR("directory", r->directory),
            JOURNAL_STR("options", r->options),
            JOURNAL_STR("plan", r->plan),
            JOURNAL_STR("plan_out", r->plan_out),
            JOURNAL_STR("from", r->from),
            JOURNAL_STR("session", r->session),
            JOURNAL_STR("provider", or_null(u->provider)),
            JOURNAL_STR("model", or_null(u->model)),
            JOURNAL_STR("offline_reason",
                        r->offline_reason ? or_null(r->offline_reason) : NULL),
            number_or_none("sent_bytes", u->sent ? (int64_t)u->sent : -1),
            number_or_none("input_bytes", u->input ? (int64_t)u->input : -1),
            JOURNAL_STR("input_sha256", or_null(u->input_sha256)),
            JOURNAL_STR("version", PACKAGE_VERSION),
            JOURNAL_NUM("uid", (int64_t)getuid()),
            {0},
        });
}

static void
add_request_once(struct run_audit *u, bool now)
{
    if (u->requested)
        return;
    u->requested = true;
    add_request(u, now);
}

void
run_audit_ask(struct run_audit *u)
{
    if (u)
        add_request_once(u, true);
}

int
run_audit_when_stored(struct run_audit *u, void (*cb)(void *arg), void *arg,
                      struct err *e)
{
    return journal_when_stored(u ? u->to.open(u->to.arg) : NULL, cb, arg, e);
}

/* Adds the request to the journal, once. Returns whether one is kept. */
static bool
is_kept(struct run_audit *u)
{
    if (!u || !u->to.open(u->to.arg))
        return false;
    add_request_once(u, false);
    return true;
}

void
run_audit_tool_call(struct run_audit *u, const struct tool_loop_call *c)
{
    if (!is_kept(u))
        return;
    add_run_event(u, true, "call",
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
run_audit_answer(struct run_audit *u, const char *text, const char *model,
                 const struct conversation_usage *f)
{
    struct usage_text usage;

    if (!is_kept(u))
        return;
    usage_text_init(&usage, f);
    add_run_event(u, false, "answer",
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
run_audit_spent(struct run_audit *u, const struct conversation_usage *f)
{
    if (!u)
        return;
    u->spent = *f;
    u->spent.model = NULL; /* borrowed; the request has a name */
}

void
run_audit_decision(struct run_audit *u, enum plan_question q, size_t step,
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

    if (!is_kept(u))
        return;
    u->decided = true;
    add_run_event(u, true, "decision",
                  (const struct journal_member[]){
                      JOURNAL_STR("by", u->request->answered_by),
                      JOURNAL_STR("about", questions[q]),
                      JOURNAL_STR("verdict", what),
                      JOURNAL_NUM("step", (int64_t)step + 1),
                      {0},
                  });
}

/* A plan that runs without a question was approved by --yes or the rules. */
static void
add_approval(struct run_audit *u)
{
    if (u->decided)
        return;
    u->decided = true;
    add_run_event(u, true, "decision",
                  (const struct journal_member[]){
                      JOURNAL_STR("by", u->request->approved_by),
                      JOURNAL_STR("about", "plan"),
                      JOURNAL_STR("verdict", "run"),
                      {0},
                  });
}

void
run_audit_step(struct run_audit *u, const struct aiaction *action,
               const struct plan *p, size_t step)
{
    const struct step *s = &action->steps[step];
    const struct step_verdict *j = plan_step_verdict(p, step);
    CLEANUP(json_free_p) struct json *hosts = NULL;
    char digest[SHA256_HEX_SIZE] = "";

    if (!is_kept(u))
        return;
    if (j->hosts)
        hosts = json_of_strings((const char *const *)j->hosts->names,
                                WORDS_MAX);
    add_approval(u);
    u->ran = true;
    (void)approval_digest(s, j, digest, NULL);
    add_run_event(u, true, "step",
                  (const struct journal_member[]){
                      JOURNAL_NUM("step", (int64_t)step + 1),
                      JOURNAL_STR("id", s->id),
                      JOURNAL_STR("tool", s->tool),
                      JOURNAL_STR("action", s->action),
                      JOURNAL_TREE("args", s->args),
                      JOURNAL_STR("command", s->command),
                      JOURNAL_STR("directory", j->directory),
                      JOURNAL_TREE("hosts", hosts),
                      JOURNAL_STR("profile", step_verdict_profile(j)),
                      JOURNAL_FLAG("network", step_verdict_network(j)),
                      JOURNAL_STR("decision", guard_decision_name(j->decision)),
                      JOURNAL_STR("sha256", digest),
                      {0},
                  });
}

/* What is kept of a stream: its end, and the hash of the whole. Of a file of
 * secrets neither. */
static struct journal_member
stream_member(const struct step_end *end, const char *name, const char *p,
              size_t n, char hash[SHA256_HEX_SIZE])
{
    static const char hidden[] = "[redacted:secret-file]";

    hash[0] = '\0';
    if (n > 0 && end->secret)
        return (struct journal_member)JOURNAL_STR(name, hidden);
    if (n > 0)
        sha256_hex(p, n, hash);
    return (struct journal_member)JOURNAL_TAIL(name, n > 0 ? p : NULL, n);
}

void
run_audit_result(struct run_audit *u, const struct aiaction *action,
                 size_t step, const struct step_end *end)
{
    struct journal_member out, err;
    char of_out[SHA256_HEX_SIZE], of_err[SHA256_HEX_SIZE];

    if (!is_kept(u))
        return;
    out = stream_member(end, "stdout", end->out, end->out_len, of_out);
    err = stream_member(end, "stderr", end->err, end->err_len, of_err);
    add_run_event(
        u, true, "result",
        (const struct journal_member[]){
            JOURNAL_NUM("step", (int64_t)step + 1),
            JOURNAL_STR("id", action->steps[step].id),
            JOURNAL_STR("host", end->host),
            JOURNAL_STR("lost", end->host ? or_null(end->lost) : NULL),
            JOURNAL_NUM("exit_code", end->exit_code),
            JOURNAL_NUM("ms", end->duration_ms),
            out,
            err,
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
add_denial(struct run_audit *u, const struct err *why)
{
    if (u->decided || why->code != ERR_DENIED)
        return;
    add_run_event(u, true, "decision",
                  (const struct journal_member[]){
                      JOURNAL_STR("by", "rules"),
                      JOURNAL_STR("verdict", "denied"),
                      JOURNAL_STR("why", why->text),
                      {0},
                  });
}

void
run_audit_end(struct run_audit *u, const struct err *why, int status)
{
    bool failed = why && why->code != ERR_NONE;
    const struct conversation_usage *spent = u && u->spent.tokens_in > 0
                                                 ? &u->spent
                                                 : NULL;
    struct usage_text usage;

    /* a wrong command line was never a request */
    if (!u || u->ended || (!u->requested && failed && why->code == ERR_USAGE))
        return;
    if (!is_kept(u))
        return;
    u->ended = true;
    if (failed)
        add_denial(u, why);
    usage_text_init(&usage, spent);
    add_run_event(
        u, true, "end",
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

bool
run_audit_done(struct run_audit *u, int status)
{
    if (!u)
        return false;
    /* a failure has ended it with its reason */
    if (u->requested || status == 0)
        run_audit_end(u, NULL, status);
    return u->ran;
}

const char *
run_audit_verdict_name(enum plan_choice v)
{
    static const char *const names[] = {
        [PLAN_RUN] = "run",    [PLAN_STEPS] = "run, step by step",
        [PLAN_MORE] = "grant", [PLAN_SKIP] = "skip",
        [PLAN_QUIT] = "quit",
    };

    return names[v];
}

const char *
run_audit_grant_name(const struct denial_remedy *remedy)
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

void
run_audit_elevation(struct run_audit *u, size_t step, const char *const *argv,
                    enum plan_elevation_by how)
{
    static const char *const by[] = {
        [PLAN_ELEVATE_STEP] = "the yes to the step",
        [PLAN_ELEVATE_NOBODY] = "no terminal to ask on",
    };
    CLEANUP(json_free_p) struct json *words = json_of_strings(argv, WORDS_MAX);
    bool runs = how == PLAN_ELEVATE_STEP || how == PLAN_ELEVATE_YES;

    if (!is_kept(u))
        return;
    add_run_event(u, true, "need",
                  (const struct journal_member[]){
                      JOURNAL_NUM("step", (int64_t)step + 1),
                      JOURNAL_TREE("argv", words),
                      JOURNAL_STR("by", how < ARRAY_SIZE(by) && by[how]
                                            ? by[how]
                                            : u->request->answered_by),
                      JOURNAL_STR("decision", runs ? "run" : "refused"),
                      {0},
                  });
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
run_audit_plan(struct run_audit *u, const struct aiaction *action,
               const struct plan *p, const struct conversation_usage *f)
{
    CLEANUP(json_free_p) struct json *steps = NULL;
    char digest[SHA256_HEX_SIZE] = "";
    struct usage_text usage;

    if (!is_kept(u))
        return;
    usage_text_init(&usage, f);
    if (u->ran) /* another plan, after the results of the first */
        u->decided = false;
    steps = plan_tree(action, p);
    (void)plan_digest(p, digest, NULL);
    add_run_event(u, true, "plan",
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
