/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tool_record.h - what agentsh tool call did, told to the journal. */
#ifndef DOOR_CLI_TOOL_RECORD_H
#define DOOR_CLI_TOOL_RECORD_H

#include "door/cli/tool_job.h"

/* One call with what came of it. */
struct tool_record {
    const char *tool, *action, *rule, *error_code; /* each may be NULL */
    const struct json *args;
    bool ok;
    int64_t ms;
};
void tool_record_call(struct tool_desk *d, const struct tool_record *r);

/* The run is over; nothing where there was no call. */
void tool_record_end(struct tool_desk *d, int status);

#endif
