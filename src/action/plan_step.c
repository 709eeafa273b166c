/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plan_step.c - one approved step, run by its tool. */
#include <limits.h>
#include <string.h>

#include "action/plan_in.h"
#include "base/buf.h"
#include "base/path.h"
#include "guard/denial.h"
#include "guard/exit_status.h"
#include "sandbox/setup.h"
#include "json/write.h"

#define BLOCKED_MAX  16384 /* a sentence with a path in it */
#define EXIT_LAUNCH  124   /* and above: the launcher's, a shell's, a signal */
#define EXIT_UNKNOWN 255
#define DROPPED_MAX  65536 /* one with a few of them, every byte escaped */

/* A request: the command and a path, every byte escaped at worst. */
#define REQUEST_MAX (6 * (AIACTION_COMMAND_MAX + PATH_MAX) + 4096)

static void
step_failed(struct plan *p, const struct err *why)
{
    p->end.why = *why;
    if (p->set.can_ask &&
        (!p->set.reports || p->gain.kind != DENIAL_REMEDY_NONE))
        plan_ask(p, PLAN_ASK_FAILED);
    else
        plan_complete(p);
}

static void
on_output(void *arg, const char *stream, const char *bytes, size_t n)
{
    struct plan *p = arg;

    if (p->part == PLAN_READER && strcmp(stream, "stdout") == 0) {
        buf_add(&p->read, bytes, n);
        return;
    }
    if (p->part == PLAN_READER && p->judged[p->at].found.profile.reader_quiet)
        return;
    p->streamed = true;
    p->ev->output(p->arg, p->at, stream, bytes, n);
}

/* A tool that does not stream says all of it at its end. */
static void
put_unstreamed(struct plan *p, const struct tool_result *r)
{
    if (!p->judged[p->at].tool || p->streamed)
        return;
    if (r->out_len > 0)
        p->ev->output(p->arg, p->at, "stdout", r->out, r->out_len);
    if (r->err_len > 0)
        p->ev->output(p->arg, p->at, "stderr", r->err, r->err_len);
}

/* Codes that have an exit status of their own. */
static enum err_code
code_of(const struct tool_result *r)
{
    static const enum err_code codes[] = {ERR_TIMEOUT, ERR_SANDBOX};

    for (size_t i = 0; r->error_code && i < 2; i++) {
        if (strcmp(r->error_code, err_tool_code(codes[i])) == 0)
            return codes[i];
    }
    return ERR_TOOL;
}

static void
write_failure(const struct plan *p, const struct tool_result *r,
              const struct step_end *end, struct err *why)
{
    const struct judgement *j = &p->judged[p->at];
    bool answers;
    const char *meaning = j->tool
                              ? NULL
                              : exit_status_meaning(&j->found.syntax,
                                                    &j->found.risk,
                                                    end->exit_code, &answers);

    if (j->tool && !r->has_exit_code)
        err_set(why, code_of(r), "step %zu failed: %s: %s", p->at + 1,
                j->tool->name, r->error_code ? r->error_code : "no reason");
    else
        err_set(why, ERR_TOOL, "step %zu failed with exit status %d%s%s",
                p->at + 1, end->exit_code, meaning ? ": " : "",
                meaning ? meaning : "");
}

/* Which wall a step that failed may have met, in words, and what it lacked.
 * Where its status is an answer, what was refused on the way to it did not
 * matter. */
static void
explain_block(struct plan *p, const struct tool_result *r, int status,
              struct buf *out)
{
    const struct judgement *j = &p->judged[p->at];
    const struct profile_choice *c = &j->found.profile;
    const char *writable[PROFILE_DIRS_MAX];
    struct denial_run ran = {
        .profile = c->profile,
        .reduced = c->reduced,
        .net = c->net,
        .workspace = p->cwd,
        .writable = writable,
        .n_writable = c->n_writable,
        .calls = r->refused->names,
        .n_calls = r->refused->n,
        .unasked = p->judge.unasked,
        .asks_next = p->set.can_ask && !p->set.preview,
        .stderr_text = r->err,
        .stderr_len = r->err_len,
    };
    const struct risk_context where = {.cwd = j->directory,
                                       .home = p->judge.home,
                                       .path = p->judge.path,
                                       .workspace = p->cwd};
    bool answers;

    (void)exit_status_meaning(&j->found.syntax, &j->found.risk, status,
                              &answers);
    if (answers)
        ran.n_calls = ran.stderr_len = 0;
    memcpy(writable, c->writable, c->n_writable * sizeof(*writable));
    (void)denial_explain(&j->found, &ran, &where, &p->gain, out);
    /* to go without a sandbox is said, and given by the review alone */
    if (p->set.preview || p->gain.kind == DENIAL_REMEDY_FULL)
        p->gain.kind = DENIAL_REMEDY_NONE;
}

/* The step is over: what it added stays. */
static int
keep_additions(struct plan *p, struct buf *dropped, struct err *e)
{
    const struct profile_choice *c = &p->judged[p->at].found.profile;

    return p->additions
               ? additions_keep(p->additions, c->added, c->n_added, dropped, e)
               : 0;
}

/* The step has ended, and nothing of it is left to run. */
static void
end_step(struct plan *p, const struct tool_result *r)
{
    struct step_end end = {
        .exit_code = r->has_exit_code ? r->exit_code : (r->ok ? 0 : 1),
        .duration_ms = r->duration_ms,
        .out = r->out,
        .out_len = r->out_len,
        .err = r->err,
        .err_len = r->err_len,
        .truncated = r->truncated,
        .secret = p->judged[p->at].secret,
        .error_code = r->error_code,
    };
    bool named = p->judged[p->at].tool != NULL;
    CLEANUP_BUF struct buf blocked = buf_of(BLOCKED_MAX);
    CLEANUP_BUF struct buf dropped = buf_of(DROPPED_MAX);
    struct err why = {0};
    bool kept;

    p->part = PLAN_WHOLE;
    end.duration_ms += p->reader_ms;
    put_unstreamed(p, r);
    if (named)
        end.meta = r->meta;
    else if (end.exit_code != 0)
        explain_block(p, r, end.exit_code, &blocked);
    end.blocked = blocked.p;
    kept = keep_additions(p, &dropped, &why) == 0;
    end.dropped = dropped.p;
    p->end.executed++;
    p->end.duration_ms += r->duration_ms;
    p->ev->step_complete(p->arg, p->at, &end);
    if (r->ok && end.exit_code == 0 && kept) {
        plan_call_over(p);
        plan_step_over(p);
        return;
    }
    if (kept)
        write_failure(p, r, &end, &why);
    else
        err_wrap(&why, "step %zu", p->at + 1);
    plan_call_over(p);
    step_failed(p, &why);
}

/* Whether what a reader wrote is all that it has to say. Its own status is its
 * own affair, as in a shell; a wall that is missing (125), a limit of time
 * (124), a program that could not be executed and a signal are not. */
static int
check_reader(const struct plan *p, int status, struct err *why)
{
    const char *name = p->judged[p->at].found.profile.reader[0];

    if (p->read.bad)
        return err_set(why, ERR_TOOL, "step %zu: %s wrote more than %u MiB",
                       p->at + 1, name, PLAN_READ_MAX >> 20);
    if (status >= EXIT_LAUNCH)
        return err_set(why, ERR_TOOL, "step %zu: %s did not exit", p->at + 1,
                       name);
    return 0;
}

/* A reader has ended: the rest of the line starts from the loop, since its
 * call must not end in here. */
static void
on_done(void *arg, const struct tool_result *r)
{
    struct plan *p = arg;
    int status = r->has_exit_code ? r->exit_code : EXIT_UNKNOWN;
    struct err why = {0};

    if (p->part != PLAN_READER) {
        end_step(p, r);
        return;
    }
    p->reader_ms = r->duration_ms;
    plan_call_over(p);
    if (check_reader(p, status, &why) < 0) {
        p->part = PLAN_WHOLE;
        step_failed(p, &why);
        return;
    }
    p->part = PLAN_REST;
    watch_events(p->soon, LOOP_READ);
    watch_again(p->soon, 0);
}

static void
on_failed(void *arg, const struct err *why)
{
    struct plan *p = arg;
    struct err copy = *why;

    if (copy.code != ERR_SANDBOX)
        copy.code = ERR_TOOL;
    err_wrap(&copy, "step %zu", p->at + 1);
    p->part = PLAN_WHOLE;
    plan_call_over(p);
    step_failed(p, &copy);
}

void
plan_call_over(struct plan *p)
{
    tool_call_free(p->call);
    p->call = NULL;
    additions_close(TAKE_PTR(p->additions)); /* nothing writes there now */
    if (p->need)
        p->token = 0; /* the question is about nothing now */
    p->need = NULL;
}

/* A built-in tool wants what its step says: the word for the step covers it.
 * What another wants is known only now. It is asked about from the loop: the
 * call that tells of it must not end in here. */
static enum tool_need
on_need(void *arg, const char *const *argv)
{
    struct plan *p = arg;

    if (p->judged[p->at].tool->source == TOOL_BUILTIN) {
        p->ev->need(p->arg, p->at, argv, PLAN_NEED_STEP);
        return TOOL_NEED_YES;
    }
    if (!p->set.can_ask) {
        p->ev->need(p->arg, p->at, argv, PLAN_NEED_NOBODY);
        return TOOL_NEED_NO;
    }
    p->need = argv;
    watch_events(p->soon, LOOP_READ);
    watch_again(p->soon, 0);
    return TOOL_NEED_WAIT;
}

void
plan_agree(struct plan *p, bool yes)
{
    p->ev->need(p->arg, p->at, p->need, yes ? PLAN_NEED_YES : PLAN_NEED_NO);
    p->need = NULL;
    tool_call_agree(p->call, yes);
}

/* What was approved is what runs: any difference stops the plan. */
static int
check_approval(struct plan *p, struct err *e)
{
    char now[SHA256_HEX_SIZE];

    if (judge_digest(&p->action->steps[p->at], &p->judged[p->at], now, e) < 0)
        return -1;
    if (strcmp(now, p->digests[p->at]) != 0)
        return err_set(e, ERR_DENIED, "the step differs from the approved one");
    return 0;
}

/* The arguments of cmd.run; the caller frees them. */
static struct json *
step_args(const char *command, const char *directory, struct err *e)
{
    CLEANUP_BUF struct buf text = buf_of(REQUEST_MAX);
    struct json_writer w;

    json_write_init(&w, &text);
    json_open_object(&w);
    json_member_str(&w, "command", command);
    json_member_str(&w, "working_directory", directory);
    json_member_str(&w, "timeout_ms", NULL); /* Ctrl-C is a step's limit */
    json_close_object(&w);
    if (buf_ok(&text, "the request", e) < 0)
        return NULL;
    return json_parse(text.p, text.len, JSON_UNIQUE, e);
}

static int
find_tool(struct plan_tool *t, struct err *e)
{
    CLEANUP(free_p) char *dir = NULL;

    if (t->program)
        return 0;
    if (!(dir = path_libexec("plugins/" AIACTION_TOOL, e)) ||
        !(t->manifest = manifest_read(dir, e)))
        return -1;
    if (!(t->program = path_join(dir, t->manifest->executable)))
        return err_nomem(e);
    t->tool = (struct tool){.name = t->manifest->name,
                            .program = t->program,
                            .manifest = t->manifest};
    return 0;
}

/* The view of a step of which only additions are kept. */
static int
open_additions(struct plan *p, struct sandbox_setup *s, struct err *e)
{
    if (!s->spec.workspace)
        return err_set(e, ERR_SANDBOX, "no workspace to add files to");
    additions_close(TAKE_PTR(p->additions));
    p->additions = additions_open(s->spec.workspace,
                                  p->action->steps[p->at].command, e);
    return p->additions
               ? sandbox_setup_use_view(s, additions_view(p->additions), e)
               : -1;
}

/* The files of the workspace that step `at` must not read; NULL: it may. */
static char *const *
closed_to(const struct plan *p)
{
    return p->judged[p->at].closed ? p->secrets.paths : NULL;
}

/* The walls of the profile that was approved; the workspace is where the
 * person works. */
static int
fill_site(struct plan *p, struct sandbox_setup *s, struct err *e)
{
    const struct profile_choice *c = &p->judged[p->at].found.profile;
    const char *writable[PROFILE_DIRS_MAX + 1] = {NULL};
    const char *readable[PROFILE_DIRS_MAX + 1] = {NULL};
    bool reader = p->part == PLAN_READER;
    const struct sandbox_setup_params wish = {
        .profile = reader ? PROFILE_OBSERVE_PROC : c->profile,
        .net = c->net && !reader,
        .writable = writable,
        .readable = readable,
        .named = p->set.named,
        .closed = closed_to(p),
        .programs = true};

    memcpy(writable, c->writable, c->n_writable * sizeof(*writable));
    memcpy(readable, c->readable, c->n_readable * sizeof(*readable));
    if (sandbox_setup_fill(s, &wish, p->set.config, e) < 0)
        return -1;
    s->spec.report = true;
    s->spec.owners = c->owners && !reader;
    if (reader)
        return 0;
    if (c->profile == PROFILE_PREVIEW)
        return sandbox_setup_use_view(s, p->set.preview, e);
    return c->n_added > 0 ? open_additions(p, s, e) : 0;
}

/* What is asked of a tool, and behind which walls. */
struct run {
    const struct tool *tool;
    struct json *args; /* of a command; owned */
    struct tool_request request;
    struct tool_setting setting;
    struct sandbox_setup site;
    /* a tool reads what its walls show it, and writes where the yes said */
    const char *read[2], *write[PROFILE_DIRS_MAX + 2];
};

static void
run_done(struct run *r)
{
    sandbox_setup_done(&r->site);
    json_free(r->args);
}

static int
prepare_command(struct plan *p, struct run *r, struct err *e)
{
    const struct step *step = &p->action->steps[p->at];
    const struct judgement *j = &p->judged[p->at];
    const struct profile_choice *c = &j->found.profile;
    CLEANUP(free_p) char *directory = NULL;

    if (p->part == PLAN_READER || (c->n_reader > 0 && !c->rest))
        r->setting.argv = (const char *const *)c->reader;
    if (p->part == PLAN_REST)
        r->setting.input = &p->read;
    directory = c->profile == PROFILE_PREVIEW
                    ? view_path(p->set.preview, j->directory)
                    : strdup(j->directory);
    if (!directory)
        return err_nomem(e);
    r->args = step_args(p->part == PLAN_REST ? c->rest : step->command,
                        directory, e);
    r->request.action = "execute";
    r->request.args = r->args;
    r->tool = &p->tool.tool;
    return r->args && find_tool(&p->tool, e) == 0 ? fill_site(p, &r->site, e)
                                                  : -1;
}

static void
put_roots(struct run *r, const char *cwd, const struct permit *permit)
{
    size_t n = 0;

    r->read[0] = "/";
    r->write[n++] = cwd;
    for (size_t i = 0; i < permit->n_writable; i++)
        r->write[n++] = permit->writable[i];
    r->setting.read_roots = r->read;
    r->setting.write_roots = r->write;
}

/* What it asks the front to run is covered by a yes to this very step. */
static int
prepare_call(struct plan *p, struct run *r, struct err *e)
{
    const struct step *step = &p->action->steps[p->at];
    const struct judgement *j = &p->judged[p->at];
    const struct risk_context where = {
        .cwd = p->cwd, .workspace = p->cwd, .home = p->judge.home};
    char workspace[PATH_MAX];

    r->tool = j->tool;
    r->request.action = step->action;
    r->request.args = step->args;
    r->setting.privileged = j->permit.privileged && p->word_asked;
    put_roots(r, p->cwd, &j->permit);
    return permit_site(&j->permit, j->tool, guard_workspace(&where, workspace),
                       closed_to(p), p->set.config, &r->site, e);
}

/* Which part of step `at` runs first. */
static void
begin_parts(struct plan *p)
{
    p->streamed = false;
    p->gain.kind = DENIAL_REMEDY_NONE;
    p->reader_ms = 0;
    p->part = p->judged[p->at].found.profile.rest ? PLAN_READER : PLAN_WHOLE;
    buf_clear(&p->read);
}

int
plan_run_step(struct plan *p, struct err *e)
{
    static const struct tool_events events = {.need = on_need,
                                              .output = on_output,
                                              .done = on_done,
                                              .failed = on_failed};
    const struct step *step = &p->action->steps[p->at];
    CLEANUP(run_done)
    struct run r = {
        .request = {.step_id = step->id, .stream = true, .timeout_ms = -1},
        .setting = {.config = p->set.config, .colour = p->set.colour},
    };

    if (!p->pool && p->action->n > 1 && !(p->pool = tool_pool_new(p->loop, e)))
        return -1;
    r.setting.pool = p->pool;
    r.setting.sandbox = &r.site.spec;
    if (p->part != PLAN_REST)
        begin_parts(p);
    if (check_approval(p, e) < 0 ||
        (step->tool ? prepare_call(p, &r, e) : prepare_command(p, &r, e)) < 0)
        return -1;
    p->call = tool_call_start(p->loop, r.tool, &r.request, &r.setting, &events,
                              p, e);
    if (p->call && p->held)
        tool_call_hold(p->call, true);
    return p->call ? 0 : -1;
}
