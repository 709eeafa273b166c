/* SPDX-License-Identifier: GPL-3.0-or-later */
/* errand_check.c - what is refused of a request whatever the rules say. */
#include "action/errand_check.h"

#include <stdio.h>

int
errand_check_args(const struct tool *t, const struct errand_request *rq,
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

void
errand_check_sudo(struct permit *p)
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
