/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tool_record.c - what agentsh tool call did, told to the journal. */
#include "door/cli/tool_record.h"

#include "base/clock.h"

void
tool_record_call(struct tool_desk *d, const struct tool_record *r)
{
    if (!app_journal(d->app))
        return;
    d->recorded = true;
    app_record(d->app, "call",
               (const struct journal_member[]){
                   JOURNAL_STR("by", "person"),
                   JOURNAL_STR("directory", d->where.cwd),
                   JOURNAL_STR("tool", r->tool),
                   JOURNAL_STR("action", r->action),
                   JOURNAL_TREE("args", r->args),
                   JOURNAL_STR("rule", r->rule),
                   JOURNAL_FLAG("ok", r->ok),
                   JOURNAL_STR("error_code", r->error_code),
                   JOURNAL_NUM("ms", r->ms),
                   {0},
               });
}

void
tool_record_end(struct tool_desk *d, int status)
{
    if (!d->recorded)
        return;
    app_record(d->app, "end",
               (const struct journal_member[]){
                   JOURNAL_NUM("status", status),
                   JOURNAL_NUM("ms", clock_ms() - d->from_ms),
                   {0},
               });
    app_record_sync(d->app);
}
