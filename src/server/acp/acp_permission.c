/* SPDX-License-Identifier: GPL-3.0-or-later */
/* acp_permission.c - asks the editor about a step. */
#include "server/acp/acp_permission.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "action/step_sandbox.h"
#include "server/acp/acp_files.h"

void
acp_permission_begin(struct acp_permission *p, struct turn *turn,
                     unsigned token, const struct step *step,
                     const struct step_verdict *v, const char *digest)
{
    p->turn = turn;
    p->token = token;
    p->step = step;
    p->grant = NULL;
    memcpy(p->digest, digest, sizeof(p->digest));
    free(p->rule);
    p->rule = acp_session_propose(p->session, step, v);
}

void
acp_permission_begin_more(struct acp_permission *p, struct turn *turn,
                          unsigned token, const struct step *step,
                          struct grant *grant, const struct plan *plan,
                          char *why, size_t size)
{
    const char *what;

    p->turn = turn;
    p->token = token;
    p->step = step;
    p->digest[0] = '\0'; /* there is no yes for good */
    free(TAKE_PTR(p->rule));
    p->grant = grant;
    p->remedy = *plan_remedy(plan);
    what = run_audit_grant_name(&p->remedy);
    what = strchr(what, ' ') ? strchr(what, ' ') + 1 : what;
    snprintf(why, size, "%s: run it again with more (%s%s%s)?",
             plan_failure(plan), what, p->remedy.path[0] ? ", " : "",
             p->remedy.path);
}

static bool
is_for_editor(const struct acp_permission *p, const struct step_verdict *v)
{
    const struct tool_request rq = {.action = p->step->action,
                                    .args = p->step->args};
    struct peer_files files;

    return v->tool && peer_call_takes(acp_files_of(p->session, &files),
                                      p->session->seat, v->tool, &rq);
}

void
acp_permission_put_sandbox(const struct acp_permission *p,
                           const struct step_verdict *v, struct buf *out)
{
    bool none = !v->tool && v->found.profile.profile == PROFILE_FULL;

    if (is_for_editor(p, v)) {
        buf_str(out, "No sandbox: the editor does it");
        return;
    }
    buf_str(out, none ? "No sandbox: " : "Sandbox: ");
    step_sandbox_write(out, v->seat, v);
}

/* The option that was chosen; NULL: none was. */
static const char *
chosen_option(const struct jsonrpc *m)
{
    const struct json *outcome = m && m->kind == JSONRPC_RESULT
                                     ? json_get(m->result, "outcome")
                                     : NULL;
    const char *what = json_get_str(outcome, "outcome");

    return what && strcmp(what, "selected") == 0
               ? json_get_str(outcome, "optionId")
               : NULL;
}

/* The yes is for this step in any case. */
static void
allow_for_session(const struct acp_permission *p)
{
    struct err e = {0};

    if (acp_session_allow(p->session, p->step, p->digest, p->rule, &e) < 0)
        p->session->shared->log(p->session->shared->log_arg, e.text);
}

static bool
grant_step(const struct acp_permission *p)
{
    struct err e = {0};

    if (grant_add(p->grant, &p->remedy, &e) == 0)
        return true;
    p->session->shared->log(p->session->shared->log_arg, e.text);
    return false;
}

static void
on_permission(void *arg, const struct jsonrpc *m, const struct acp_editor *by)
{
    struct acp_permission *p = arg;
    struct acp_session *s = p->session;
    const char *option = chosen_option(m);
    bool always = option && p->rule && strcmp(option, "allow_always") == 0;
    bool yes = always || (option && strcmp(option, "allow_once") == 0);

    if (by)
        snprintf(s->answered_by, sizeof(s->answered_by), "person, by %s",
                 by->client.name[0] ? by->client.name : "the editor");
    else
        snprintf(s->answered_by, sizeof(s->answered_by), "nobody");
    if (always)
        allow_for_session(p);
    if (p->answered)
        p->answered(p->arg);
    if (p->grant && yes) {
        bool more = grant_step(p);

        (void)turn_answer(p->turn, p->token, more ? PLAN_MORE : PLAN_QUIT,
                          more ? run_audit_grant_name(&p->remedy) : "quit");
        return;
    }
    (void)turn_answer(p->turn, p->token, yes ? PLAN_RUN : PLAN_QUIT,
                      always   ? "run, and in this session"
                      : yes    ? "run"
                      : option ? "quit"
                               : "quit: no answer");
}

void
acp_permission_ask(struct acp_permission *p, const struct buf *params)
{
    struct err e = {0};

    p->poll.session = p->session;
    p->poll.method = "session/request_permission";
    p->poll.waits = p->session->shared->keeps;
    p->poll.answered = on_permission;
    p->poll.arg = p;
    if (acp_poll_ask(&p->poll, params, &e) < 0)
        (void)turn_answer(p->turn, p->token, PLAN_QUIT, "quit: nobody to ask");
}

void
acp_permission_withdraw(struct acp_permission *p)
{
    acp_poll_withdraw(&p->poll);
}

void
acp_permission_done(struct acp_permission *p)
{
    acp_permission_withdraw(p);
    free(p->rule);
}
