/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plan.c - a plan on its way: judged, asked about, run step by step. */
#include "action/plan.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "tool/call.h"

/* A request: the command and a path, every byte escaped at worst. */
#define REQUEST_MAX (6 * (AIACTION_COMMAND_MAX + PATH_MAX) + 4096)

struct plan {
    struct loop *loop;
    const struct aiaction *action;
    struct plan_setting set;
    const struct plan_events *ev;
    void *arg;
    struct judgement *judged;       /* one a step */
    char approved[SHA256_HEX_SIZE]; /* digest; "" until the plan is approved */
    size_t at;                      /* the step that is next or runs */
    bool step_asked, word_asked;    /* questions of step `at` answered yes */
    unsigned token;                 /* of the open question; 0: none */
    unsigned last_token;
    enum plan_question question;
    struct tool_call *call; /* of the step that runs */
    struct watch *soon;     /* goes on from the loop, not from a callback */
    struct plan_end end;
    struct err skipped; /* of a failed step that was skipped */
    bool over;
};

static void go_on(void *arg, unsigned events);

void
plan_free(struct plan *p)
{
    if (!p)
        return;
    watch_free(p->soon);
    tool_call_free(p->call);
    for (size_t i = 0; p->judged && i < p->action->n; i++)
        judgement_done(&p->judged[i]);
    free(p->judged);
    free(p);
}

static int
judge_all(struct plan *p, struct err *e)
{
    CLEANUP(free_p) char *cwd = getcwd(NULL, 0);

    if (!cwd)
        return err_sys(e, "the working directory");
    for (size_t i = 0; i < p->action->n; i++) {
        if (judge_step(&p->action->steps[i], cwd, &p->judged[i], e) < 0)
            return err_wrap(e, "step %zu cannot run, so nothing was run",
                            i + 1);
    }
    return 0;
}

struct plan *
plan_new(struct loop *l, const struct aiaction *a, const struct plan_setting *s,
         const struct plan_events *ev, void *arg, struct err *e)
{
    CLEANUP(plan_free_p) struct plan *p = calloc(1, sizeof(*p));

    if (!p) {
        err_set(e, ERR_NOMEM, "no memory");
        return NULL;
    }
    *p = (struct plan){.loop = l, .action = a, .set = *s, .ev = ev, .arg = arg};
    p->judged = calloc(a->n, sizeof(*p->judged));
    if (!p->judged) {
        err_set(e, ERR_NOMEM, "no memory");
        return NULL;
    }
    p->soon = loop_timer(l, 0, go_on, p, e);
    if (!p->soon || judge_all(p, e) < 0)
        return NULL;
    watch_events(p->soon, 0); /* until plan_start */
    return TAKE_PTR(p);
}

const struct judgement *
plan_judgement(const struct plan *p, size_t step)
{
    return &p->judged[step];
}

const char *
plan_trouble(const struct plan *p)
{
    return p->end.why.text;
}

void
plan_signal(struct plan *p, int signo)
{
    if (p->call)
        tool_call_signal(p->call, signo);
}

/* The last event. why may be p->end.why itself. */
static void
complete(struct plan *p)
{
    p->over = true;
    p->token = 0;
    p->end.success = p->end.why.code == ERR_NONE;
    p->ev->complete(p->arg, &p->end);
}

static void
cannot_ask(struct plan *p, enum plan_question q)
{
    if (q == PLAN_ASK_ALL && !p->set.yes)
        err_set(&p->end.why, ERR_DENIED,
                "the plan needs your approval, and there is no terminal to ask "
                "at: nothing was run (--yes approves what only looks)");
    else
        err_set(&p->end.why, ERR_DENIED,
                "step %zu must be asked about, and there is no terminal to ask "
                "at: %s",
                p->at + 1, p->judged[p->at].reason);
}

static void
ask(struct plan *p, enum plan_question q)
{
    if (!p->set.can_ask) {
        cannot_ask(p, q);
        complete(p);
        return;
    }
    p->question = q;
    p->token = ++p->last_token;
    p->ev->ask(p->arg, p->token, q, p->at);
}

/* --yes covers a plan whose every step is plainly allowed. */
static bool
all_allowed(struct plan *p)
{
    for (size_t i = 0; i < p->action->n; i++) {
        if (p->judged[i].decision != GUARD_ALLOW) {
            p->at = p->set.can_ask ? 0 : i; /* the one to name */
            return false;
        }
    }
    return true;
}

static void
approve(struct plan *p)
{
    if (aiaction_digest(p->action, p->approved, &p->end.why) < 0)
        complete(p);
    else
        go_on(p, 0);
}

static bool
refuse(struct plan *p)
{
    for (size_t i = 0; i < p->action->n; i++) {
        const struct judgement *j = &p->judged[i];

        if (!j->refused)
            continue;
        if (j->privileged)
            err_set(&p->end.why, ERR_DENIED,
                    "step %zu needs sudo, which agentsh does not run: type it "
                    "yourself",
                    i + 1);
        else
            err_set(&p->end.why, ERR_DENIED, "step %zu: %s", i + 1, j->reason);
        p->at = i;
        return true;
    }
    return false;
}

void
plan_start(struct plan *p)
{
    if (refuse(p))
        complete(p);
    else if (p->set.yes && all_allowed(p))
        approve(p);
    else
        ask(p, PLAN_ASK_ALL);
}

static void
step_over(struct plan *p)
{
    p->at++;
    p->step_asked = p->word_asked = false;
    watch_events(p->soon, LOOP_READ);
    watch_again(p->soon, 0);
}

static void
step_failed(struct plan *p, const struct err *why)
{
    p->end.why = *why;
    if (p->set.can_ask)
        ask(p, PLAN_ASK_FAILED);
    else
        complete(p);
}

static void
on_output(void *arg, const char *stream, const char *bytes, size_t n)
{
    struct plan *p = arg;

    p->ev->output(p->arg, p->at, stream, bytes, n);
}

static void
on_done(void *arg, const struct tool_result *r)
{
    struct plan *p = arg;
    struct step_end end = {
        .exit_code = r->has_exit_code ? r->exit_code : (r->ok ? 0 : 1),
        .duration_ms = r->duration_ms,
        .out = r->out,
        .out_len = r->out_len,
        .err = r->err,
        .err_len = r->err_len,
    };
    struct err why = {0};

    p->end.executed++;
    p->end.duration_ms += r->duration_ms;
    p->ev->step_complete(p->arg, p->at, &end);
    tool_call_free(p->call);
    p->call = NULL;
    if (r->ok && end.exit_code == 0) {
        step_over(p);
        return;
    }
    err_set(&why, ERR_TOOL, "step %zu failed with exit status %d", p->at + 1,
            end.exit_code);
    step_failed(p, &why);
}

static void
on_failed(void *arg, const struct err *why)
{
    struct plan *p = arg;
    struct err copy = *why;

    if (copy.code != ERR_SANDBOX)
        copy.code = ERR_TOOL;
    err_wrap(&copy, "step %zu", p->at + 1);
    tool_call_free(p->call);
    p->call = NULL;
    step_failed(p, &copy);
}

/* What was approved is what runs: any difference stops the plan. */
static int
check_approval(struct plan *p, struct err *e)
{
    char now[SHA256_HEX_SIZE];

    if (aiaction_digest(p->action, now, e) < 0)
        return -1;
    if (strcmp(now, p->approved) != 0)
        return err_set(e, ERR_DENIED, "the plan is not the one approved");
    return 0;
}

static void
put_request(struct buf *out, const struct step *s, const char *directory)
{
    struct json_writer w;

    json_write_init(&w, out);
    json_open_object(&w);
    json_member_str(&w, "tool", AIACTION_TOOL);
    json_member_str(&w, "action", "execute");
    json_member_bool(&w, "stream", true);
    json_member_str(&w, "step_id", s->id);
    json_key(&w, "args");
    json_open_object(&w);
    json_member_str(&w, "command", s->command);
    json_member_str(&w, "working_directory", directory);
    json_member_str(&w, "timeout_ms", NULL); /* Ctrl-C is a step's limit */
    json_close_object(&w);
    json_close_object(&w);
}

static int
run_step(struct plan *p, struct err *e)
{
    static const struct tool_events events = {
        .output = on_output, .done = on_done, .failed = on_failed};
    const struct tool_setting setting = {.colour = p->set.colour};
    CLEANUP_BUF struct buf request = buf_of(REQUEST_MAX);

    put_request(&request, &p->action->steps[p->at], p->judged[p->at].directory);
    if (buf_ok(&request, "the request", e) < 0 || check_approval(p, e) < 0)
        return -1;
    p->call = tool_call_start(p->loop, AIACTION_TOOL, request.p, request.len,
                              &setting, &events, p, e);
    return p->call ? 0 : -1;
}

/* The next step: its questions, then its run, or the end. */
static void
go_on(void *arg, unsigned events)
{
    struct plan *p = arg;
    const struct judgement *j;

    (void)events;
    if (p->over || p->token || p->call || !p->approved[0])
        return;
    if (p->at == p->action->n) {
        p->end.why = p->skipped; /* not every step succeeded, then */
        complete(p);
        return;
    }
    j = &p->judged[p->at];
    if (p->set.each_step && !p->step_asked) {
        ask(p, PLAN_ASK_STEP);
        return;
    }
    if ((j->destructive || j->privileged) && !p->word_asked) {
        ask(p, PLAN_ASK_WORD);
        return;
    }
    p->ev->step_begin(p->arg, p->at);
    if (run_step(p, &p->end.why) < 0)
        complete(p);
}

static void
quit(struct plan *p)
{
    if (p->question != PLAN_ASK_FAILED)
        err_set(&p->end.why, ERR_DENIED, "not approved%s",
                p->end.executed ? ": the rest was not run"
                                : ": nothing was run");
    complete(p);
}

void
plan_answer(struct plan *p, unsigned token, enum plan_verdict v)
{
    enum plan_question q = p->question;

    if (token == 0 || token != p->token)
        return;
    p->token = 0;
    if (v == PLAN_QUIT) {
        quit(p);
        return;
    }
    p->set.each_step |= v == PLAN_STEPS;
    if (v == PLAN_SKIP && q == PLAN_ASK_FAILED)
        p->skipped = p->end.why;
    p->end.why = (struct err){0};
    if (v == PLAN_SKIP) {
        step_over(p);
        return;
    }
    p->step_asked |= q == PLAN_ASK_STEP || q == PLAN_ASK_FAILED;
    p->word_asked |= q == PLAN_ASK_WORD;
    if (q == PLAN_ASK_ALL)
        approve(p);
    else
        go_on(p, 0);
}

void
plan_cancel(struct plan *p)
{
    if (p->over)
        return;
    tool_call_free(p->call);
    p->call = NULL;
    err_set(&p->end.why, ERR_INTERRUPTED, "interrupted in step %zu", p->at + 1);
    complete(p);
}
