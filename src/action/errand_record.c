/* SPDX-License-Identifier: GPL-3.0-or-later */
/* errand_record.c - what the journal is told of an errand. */
#include "action/errand_record.h"

#include "json/json.h"

#define WORDS_MAX (4u << 20) /* of a command line: twice ARG_MAX */

static void
add_errand_event(const struct errand_params *p, const char *kind,
                 const struct journal_member *members, bool later)
{
    p->record.add(p->record.arg, kind, members, later);
}

/* NULL: it is added, or is not recorded. */
static struct journal_event *
make_call_event(const struct errand_params *p, const struct tool *t,
                const struct errand_request *rq, const struct permit *permit,
                const char *yes, bool prepare)
{
    const struct journal_member members[] = {
        JOURNAL_STR("step", rq->step_id),
        JOURNAL_STR("by", p->by),
        JOURNAL_WORD("tool", t->name),
        JOURNAL_WORD("action", rq->action),
        JOURNAL_TREE("args", rq->args),
        JOURNAL_WORD("decision", guard_decision_name(permit->decision)),
        JOURNAL_STR("yes", yes),
        JOURNAL_STR("rule", permit->rule[0] ? permit->rule : NULL),
        JOURNAL_STR("reason", permit->reason[0] ? permit->reason : NULL),
        {0},
    };

    if (prepare)
        return p->record.prepare(p->record.arg, "call", members);
    add_errand_event(p, "call", members, permit->read_only);
    return NULL;
}

void
errand_record_call(const struct errand_params *p, const struct tool *t,
                   const struct errand_request *rq, const struct permit *permit,
                   const char *yes)
{
    (void)make_call_event(p, t, rq, permit, yes, false);
}

void
errand_record_prepare(struct errand_unrecorded *u,
                      const struct errand_params *p, const struct tool *t,
                      const struct errand_request *rq,
                      const struct permit *permit, const char *yes)
{
    if (!u->due || !p->record.prepare)
        return;
    u->prepared = make_call_event(p, t, rq, permit, yes, true);
    u->due = u->prepared != NULL;
}

void
errand_record_due(struct errand_unrecorded *u, const struct errand_params *p,
                  const struct tool *t, const struct errand_request *rq,
                  const struct permit *permit, const char *yes)
{
    if (u->prepared)
        p->record.add_prepared(p->record.arg, TAKE_PTR(u->prepared));
    else if (u->due)
        errand_record_call(p, t, rq, permit, yes);
    u->due = false;
}

void
errand_record_refused(const struct errand_params *p, const char *step_id,
                      const char *tool, const char *action,
                      const struct json *args)
{
    const struct journal_member none = JOURNAL_STR("args", NULL);
    const struct journal_member tree = JOURNAL_TREE("args", args);

    add_errand_event(p, "call",
                     (const struct journal_member[]){
                         JOURNAL_STR("step", step_id),
                         JOURNAL_STR("by", p->by),
                         JOURNAL_STR("tool", tool),
                         JOURNAL_STR("action", action),
                         args ? tree : none,
                         {0},
                     },
                     true);
}

void
errand_record_elevation(const struct errand_params *p, const char *const *argv,
                        bool runs)
{
    CLEANUP(json_free_p) struct json *words = json_of_strings(argv, WORDS_MAX);

    add_errand_event(p, "need",
                     (const struct journal_member[]){
                         JOURNAL_TREE("argv", words),
                         JOURNAL_STR("by", p->yes),
                         JOURNAL_STR("decision", runs ? "run" : "refused"),
                         {0},
                     },
                     false);
}

void
errand_record_result(const struct errand_params *p,
                     const struct errand_request *rq,
                     const struct tool_result *r, bool later)
{
    const struct journal_member code = JOURNAL_NUM("exit_code", r->exit_code);
    const struct journal_member none = JOURNAL_STR("exit_code", NULL);

    add_errand_event(p, "result",
                     (const struct journal_member[]){
                         JOURNAL_STR("step", rq->step_id),
                         JOURNAL_FLAG("ok", r->ok),
                         JOURNAL_STR("code", r->error_code),
                         r->has_exit_code ? code : none,
                         JOURNAL_NUM("ms", r->duration_ms),
                         JOURNAL_TAIL("stdout", r->out, r->out_len),
                         JOURNAL_TAIL("stderr", r->err, r->err_len),
                         JOURNAL_NUM("stdout_kept", (int64_t)r->out_len),
                         JOURNAL_NUM("stderr_kept", (int64_t)r->err_len),
                         JOURNAL_FLAG("truncated", r->truncated),
                         {0},
                     },
                     later && p->record.flush);
}

void
errand_record_failure(const struct errand_params *p,
                      const struct errand_request *rq, const struct err *why,
                      int64_t ms)
{
    add_errand_event(p, "result",
                     (const struct journal_member[]){
                         JOURNAL_STR("step", rq ? rq->step_id : NULL),
                         JOURNAL_FLAG("ok", false),
                         JOURNAL_STR("code", err_tool_code(why->code)),
                         JOURNAL_STR("why", why->text),
                         JOURNAL_NUM("ms", ms),
                         {0},
                     },
                     p->record.flush != NULL);
}
