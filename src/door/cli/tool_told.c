/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tool_told.c - what the journal is told of calls of agentsh tool call. */
#include "door/cli/tool_told.h"

#include "base/redact.h"
#include "person/chronicle.h"
#include "person/show_plan.h"

#define TAIL_BYTES (4u << 10) /* kept of each text of an answer */
#define SHOWN_MAX  (4u << 20)
#define BY         "caller, who typed it" /* said yes to what is asked */

bool
tool_told_call(struct app *a, const struct tool *t, const char *action,
               const struct json *args, const struct permit *p)
{
    const struct manifest_action *m = manifest_action(t->manifest, action);
    const struct journal_member members[] = {
        JOURNAL_STR("by", "caller"),
        JOURNAL_STR("tool", t->name),
        JOURNAL_STR("action", action),
        JOURNAL_TREE("args", args),
        JOURNAL_STR("decision", guard_decision_name(p->decision)),
        JOURNAL_STR("yes", p->decision == GUARD_ASK ? BY : NULL),
        JOURNAL_STR("rule", p->rule[0] ? p->rule : NULL),
        JOURNAL_STR("reason", p->reason[0] ? p->reason : NULL),
        {0},
    };

    bool looks = m && m->read_only;

    (looks ? app_record_later : app_record)(a, "call", members);
    return !looks;
}

void
tool_told_refused(struct app *a, const struct json *root)
{
    const struct json *args = json_get(root, "args");
    const struct journal_member none = JOURNAL_STR("args", NULL);
    const struct journal_member tree = JOURNAL_TREE("args", args);

    app_record_later(a, "call",
                     (const struct journal_member[]){
                         JOURNAL_STR("by", "caller"),
                         JOURNAL_STR("tool", json_get_str(root, "tool")),
                         JOURNAL_STR("action", json_get_str(root, "action")),
                         args ? tree : none,
                         {0},
                     });
}

void
tool_told_need(struct app *a, const char *const *argv)
{
    CLEANUP_BUF struct buf line = buf_of(SHOWN_MAX);

    chronicle_root(a, -1, argv, BY, true);
    if (!a->screen.tty)
        return;
    show_root(&line, &a->screen, argv);
    (void)term_put(&a->screen, &line, NULL);
}

void
tool_told_result(struct app *a, const struct tool_result *r)
{
    CLEANUP_BUF struct buf out = buf_of(8 * TAIL_BYTES);
    CLEANUP_BUF struct buf err = buf_of(8 * TAIL_BYTES);
    const struct journal_member code = JOURNAL_NUM("exit_code", r->exit_code);
    const struct journal_member none = JOURNAL_STR("exit_code", NULL);

    (void)redact_tail(r->out, r->out_len, TAIL_BYTES, &out);
    (void)redact_tail(r->err, r->err_len, TAIL_BYTES, &err);
    app_record(a, "result",
               (const struct journal_member[]){
                   JOURNAL_FLAG("ok", r->ok),
                   JOURNAL_STR("code", r->error_code),
                   r->has_exit_code ? code : none,
                   JOURNAL_NUM("ms", r->duration_ms),
                   JOURNAL_BYTES("stdout", out.p, out.len),
                   JOURNAL_BYTES("stderr", err.p, err.len),
                   JOURNAL_NUM("stdout_kept", (int64_t)r->out_len),
                   JOURNAL_NUM("stderr_kept", (int64_t)r->err_len),
                   JOURNAL_FLAG("truncated", r->truncated),
                   {0},
               });
}

void
tool_told_failed(struct app *a, const struct err *why, int64_t ms)
{
    app_record(a, "result",
               (const struct journal_member[]){
                   JOURNAL_FLAG("ok", false),
                   JOURNAL_STR("code", err_tool_code(why->code)),
                   JOURNAL_STR("why", why->text),
                   JOURNAL_NUM("ms", ms),
                   {0},
               });
}

void
tool_told_end(struct app *a, bool acted, int status)
{
    if (!a->journal) /* nothing was called */
        return;
    app_record(a, "end",
               (const struct journal_member[]){
                   JOURNAL_NUM("status", status),
                   {0},
               });
    app_record_sync(a, !acted);
}
