/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tool_job.c - one request of agentsh tool call, from its line to its answer.
 */
#include "door/cli/tool_job.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "door/cli/tool_answer.h"
#include "door/cli/tool_told.h"
#include "door/cli/tool_trust.h"
#include "door/cli/tool_walls.h"

#define TIMEOUT_MS 30000 /* the API's, unless the request or manifest says */

struct tool_job {
    struct tool_desk *desk;
    struct json *root; /* of the request; what follows points into it */
    const struct json *args;
    const char *action, *step_id;
    bool stream;
    int64_t timeout_ms, from_ms;
    const struct tool *tool;
    struct permit permit;
    struct site site;
    const char *read_roots[TOOL_ROOTS_MAX + 1];
    struct tool_call *call;
    tool_job_cb *cb;
    void *arg;
};

void
tool_job_free(struct tool_job *j)
{
    if (!j)
        return;
    tool_call_free(j->call);
    site_done(&j->site);
    permit_done(&j->permit);
    json_free(j->root);
    free(j);
}
DEFINE_CLEANUP(struct tool_job, tool_job_free)

void
tool_job_hold(struct tool_job *j, bool held)
{
    tool_call_hold(j->call, held);
}

static int
read_text(const struct json *root, const char *name, const char **out,
          struct err *e)
{
    *out = json_get_str(root, name);
    if (*out)
        return 0;
    if (!json_get(root, name))
        return err_set(e, ERR_INVALID, "the request is missing \"%s\"", name);
    return err_set(e, ERR_INVALID, "%s: must be a string", name);
}

/* In the arguments, where cmd.run has it, or beside them; -1: none. */
static int
read_timeout(struct tool_job *j, struct err *e)
{
    const struct json *v = json_get(j->args, "timeout_ms");
    int64_t own = j->tool->manifest->needs.time_limit_ms;

    j->timeout_ms = own > 0 ? own : TIMEOUT_MS;
    if (!v)
        v = json_get(j->root, "timeout_ms");
    if (v && json_type(v) == JSON_NULL)
        j->timeout_ms = -1;
    else if (v && (!json_int(v, &j->timeout_ms) || j->timeout_ms < 1))
        return err_set(e, ERR_INVALID,
                       "timeout_ms: must be a whole number of at least 1");
    return 0;
}

/* Asks about a tool that is not trusted, once. */
static int
check_trust(struct tool_desk *d, const struct tool *t, struct err *e)
{
    bool no = false;

    if (t->trust == TOOL_TRUSTED)
        return 0;
    for (size_t i = 0; i < d->n_refused; i++)
        if (d->refused[i] == t)
            return err_set(e, ERR_DENIED, "not using %s: you said no", t->name);
    if (tool_trust_ask(d->app, d->registry, t, &no, e) == 0)
        return 0;
    if (no && d->n_refused < REGISTRY_TOOLS_MAX)
        d->refused[d->n_refused++] = t;
    return -1;
}

static int
read_tool(struct tool_job *j, struct err *e)
{
    struct tool_desk *d = j->desk;
    const char *name = d->only;

    if ((!name || json_get(j->root, "tool")) &&
        read_text(j->root, "tool", &name, e) < 0)
        return -1;
    if (d->only && strcmp(name, d->only) != 0)
        return err_set(e, ERR_INVALID,
                       "tool: only %s is called here, not %.64s", d->only,
                       name);
    j->tool = registry_find(d->registry, name, e);
    if (!j->tool || check_trust(d, j->tool, e) < 0)
        return -1;
    if (j->tool->server) /* it may have stood for its tools until now */
        j->tool = registry_find(d->registry, name, e);
    return j->tool ? 0 : -1;
}

static int
check_args(struct tool_job *j, struct err *e)
{
    const struct manifest_action *a = manifest_action(j->tool->manifest,
                                                      j->action);
    CLEANUP(json_free_p) struct json *none = json_parse("{}", 2, 0, e);
    const struct json *args = j->args ? j->args : none;

    if (!none)
        return -1;
    if (!a)
        return err_set(e, ERR_INVALID, "action: %s has no action \"%.64s\"",
                       j->tool->name, j->action);
    if (json_type(args) != JSON_OBJECT)
        return err_set(e, ERR_INVALID, "args: must be an object");
    if (json_schema_check(a->args_check, args, 0, e) < 0)
        return err_wrap(e, "args");
    return 0;
}

/* A name that is misspelt would be passed over, and what it asks for not be
 * done. */
static int
check_members(const struct json *root, struct err *e)
{
    static const char *const known[] = {"tool",    "action", "args",      "id",
                                        "step_id", "stream", "timeout_ms"};

    for (const struct json *m = json_first(root); m; m = json_next(m)) {
        const char *name = json_name(m, &(size_t){0});
        size_t i = 0;

        while (i < sizeof(known) / sizeof(*known) && strcmp(name, known[i]))
            i++;
        if (i == sizeof(known) / sizeof(*known))
            return err_set(e, ERR_INVALID,
                           "unknown member \"%.64s\" in the request", name);
    }
    return 0;
}

static int
read_request(struct tool_job *j, const char *line, size_t n, struct err *e)
{
    const struct json *stream;

    if (!(j->root = json_parse(line, n, JSON_UNIQUE, e))) {
        if (e->code == ERR_INVALID)
            e->code = ERR_PARSE;
        return err_wrap(e, "the request");
    }
    if (json_type(j->root) != JSON_OBJECT)
        return err_set(e, ERR_INVALID, "a request must be an object");
    if (check_members(j->root, e) < 0 || read_tool(j, e) < 0 ||
        read_text(j->root, "action", &j->action, e) < 0)
        return -1;
    j->args = json_get(j->root, "args");
    j->step_id = json_get_str(j->root, "step_id");
    stream = json_get(j->root, "stream");
    if (stream && !json_bool(stream, &j->stream))
        return err_set(e, ERR_INVALID, "stream: must be true or false");
    return check_args(j, e) < 0 ? -1 : read_timeout(j, e);
}

/* There is no terminal on which a password could be typed. */
static void
block_sudo(struct permit *p)
{
    const struct risk *r = p->found ? &p->found->risk : NULL;

    for (size_t i = 0; r && i < r->n_calls; i++) {
        if (!(r->calls[i].facts & RISK_SUDO))
            continue;
        p->decision = GUARD_DENY;
        snprintf(p->rule, sizeof(p->rule), "no terminal for a password");
        snprintf(p->reason, sizeof(p->reason), "Command '%.60s' is blocked",
                 r->calls[i].wrapper[0] ? r->calls[i].wrapper
                                        : r->calls[i].name);
        return;
    }
}

static void
put(const struct tool_job *j, struct buf *line)
{
    struct err e = {0};

    if (buf_ok(line, "the answer", &e) < 0) {
        buf_clear(line);
        tool_answer_error(line, &e, clock_ms() - j->from_ms);
    }
    if (j->desk->app->result.tty)
        tool_answer_show(line);
    outlet_add(j->desk->out, line->p, line->len);
}

static void
put_error(const struct tool_job *j, const struct err *why)
{
    CLEANUP_BUF struct buf line = buf_of(TOOL_ANSWER_MAX);

    tool_told_failed(j->desk->app, why, clock_ms() - j->from_ms);
    tool_answer_error(&line, why, clock_ms() - j->from_ms);
    put(j, &line);
}

static void
on_output(void *arg, const char *stream, const char *bytes, size_t n)
{
    const struct tool_job *j = arg;
    CLEANUP_BUF struct buf line = buf_of(TOOL_ANSWER_MAX);

    tool_answer_output(&line, j->step_id, stream, bytes, n);
    put(j, &line);
}

/* Whoever wrote the request said yes to all that it makes the tool do. */
static enum tool_need
on_need(void *arg, const char *const *argv)
{
    const struct tool_job *j = arg;

    tool_told_need(j->desk->app, argv);
    return TOOL_NEED_YES;
}

/* A command failed that could not write where it usually can, which may be
 * why. Said once, whatever the number of calls. */
static void
say_reduced(const struct tool_job *j, const struct tool_result *r)
{
    const struct sandbox_spec *s = &j->site.spec;

    if (!r->has_exit_code || r->exit_code == 0 || !s->reduced ||
        s->profile != PROFILE_READ_ONLY || j->desk->said_reduced)
        return;
    j->desk->said_reduced = true;
    app_tell(j->desk->app,
             "reduced: no namespaces here, so nothing was writable; where that "
             "is why it failed, [sandbox] allow_reduced = yes lets commands "
             "write in their directory");
}

static void
on_done(void *arg, const struct tool_result *r)
{
    struct tool_job *j = arg;
    CLEANUP_BUF struct buf line = buf_of(TOOL_ANSWER_MAX);
    bool ok = r->ok;

    say_reduced(j, r);
    tool_told_result(j->desk->app, r);
    tool_answer_result(&line, r);
    put(j, &line);
    j->cb(j->arg, ok);
}

static void
on_failed(void *arg, const struct err *why)
{
    struct tool_job *j = arg;

    put_error(j, why);
    j->cb(j->arg, false);
}

static int
run(struct tool_job *j, struct err *e)
{
    static const struct tool_events events = {.need = on_need,
                                              .output = on_output,
                                              .done = on_done,
                                              .failed = on_failed};
    const struct tool_desk *d = j->desk;
    const struct tool_request rq = {.action = j->action,
                                    .args = j->args,
                                    .step_id = j->step_id,
                                    .stream = j->stream,
                                    .timeout_ms = j->timeout_ms};
    struct tool_setting setting = {.sandbox = &j->site.spec,
                                   .config = d->app->config,
                                   .pool = d->pool,
                                   .privileged = true,
                                   .read_roots = j->read_roots,
                                   .write_roots = j->site.spec.writable};

    if (tool_walls_fill(d, j->tool, j->args, &j->permit, &j->site, e) < 0)
        return -1;
    if (j->permit.found && j->permit.found->profile.n_reader > 0)
        setting.argv = (const char *const *)j->permit.found->profile.reader;
    tool_walls_roots(&j->site.spec, j->read_roots);
    j->call = tool_call_start(d->app->loop, j->tool, &rq, &setting, &events, j,
                              e);
    return j->call ? 0 : -1;
}

/* What was denied is told and answered. A look is told together with its
 * result: it is begun first, and works while the journal is opened. */
static int
begin(struct tool_job *j, struct err *e)
{
    struct tool_desk *d = j->desk;
    bool denied = j->permit.decision == GUARD_DENY;
    bool first = j->permit.read_only && !denied;
    int rc = first ? run(j, e) : 0;

    d->acted |= tool_told_call(d->app, j->tool, j->action, j->args, &j->permit);
    if (denied) /* who called has said yes to ask */
        return err_set(e, ERR_DENIED, "%s", j->permit.reason);
    return first ? rc : run(j, e);
}

static void
put_denied(const struct tool_job *j, const struct err *why)
{
    CLEANUP_BUF struct buf line = buf_of(TOOL_ANSWER_MAX);

    tool_told_failed(j->desk->app, why, clock_ms() - j->from_ms);
    tool_answer_denied(&line, &j->permit, clock_ms() - j->from_ms);
    put(j, &line);
}

struct tool_job *
tool_job_start(struct tool_desk *d, const char *line, size_t n, tool_job_cb *cb,
               void *arg)
{
    CLEANUP(tool_job_free_p) struct tool_job *j = calloc(1, sizeof(*j));
    struct tool_job none = {.desk = d, .from_ms = clock_ms()};
    struct err e = {0};

    if (!j) {
        err_set(&e, ERR_NOMEM, "out of memory");
        put_error(&none, &e);
        return NULL;
    }
    *j = none;
    j->cb = cb;
    j->arg = arg;
    if (read_request(j, line, n, &e) < 0 ||
        permit_judge(d->policy, j->tool, j->action, j->args, &d->where,
                     &j->permit, &e) < 0) {
        tool_told_refused(d->app, j->root);
        put_error(j, &e);
        return NULL;
    }
    block_sudo(&j->permit);
    if (begin(j, &e) < 0) {
        (j->permit.decision == GUARD_DENY ? put_denied : put_error)(j, &e);
        return NULL;
    }
    return TAKE_PTR(j);
}
