/* SPDX-License-Identifier: GPL-3.0-or-later */
/* errand_check.c - judges a request for a tool: its form, and the rules. */
#include "action/errand_check.h"

#include <stdio.h>

#include "action/approval.h"
#include "tool/protocol.h"

static int
check_errand_args(const struct tool *t, const struct errand_request *rq,
                  struct err *e)
{
    const struct manifest_action *a = manifest_action(t->manifest, rq->action);
    CLEANUP(json_free_p) struct json *none = NULL;
    const struct json *args = rq->args;

    if (!args && !(args = none = json_parse("{}", 2, 0, e)))
        return -1;
    if (!a)
        return err_set(e, ERR_INVALID, "action: %s has no action \"%.64s\"",
                       t->name, rq->action);
    if (json_type(args) != JSON_OBJECT)
        return err_set(e, ERR_INVALID, "args: must be an object");
    if (json_schema_check(a->args_check, args, 0, e) < 0)
        return err_wrap(e, "args");
    return 0;
}

/* No listener has a terminal on which a password could be typed. */
static void
deny_sudo(struct permit *p)
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

int
errand_check_judge(const struct errand_judged *j, struct permit *out,
                   struct buf *begun, struct err *e)
{
    if (check_errand_args(j->tool, j->rq, e) < 0 ||
        permit_judge(j->policy, j->tool, j->rq->action, j->rq->args, j->where,
                     out, e) < 0)
        return -1;
    deny_sudo(out);
    if (j->rq->is_long && begun->len == 0)
        protocol_begin_request(begun, j->rq->args);
    return 0;
}

int
errand_check_digest(const struct errand_judged *j, const struct permit *p,
                    char hex[SHA256_HEX_SIZE], struct err *e)
{
    const struct approval_call call = {.seat = j->seat,
                                       .tool = j->tool,
                                       .action = j->rq->action,
                                       .args = j->rq->args,
                                       .permit = p};

    return approval_call_digest(&call, hex, e);
}

int64_t
errand_check_limit(const struct tool *t, const struct errand_request *rq)
{
    int64_t own = t->manifest->needs.time_limit_ms;

    if (rq->timeout_ms != 0)
        return rq->timeout_ms;
    return own > 0 ? own : TOOL_CALL_TIMEOUT_MS;
}
