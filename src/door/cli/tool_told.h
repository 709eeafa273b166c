/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tool_told.h - what the journal is told of calls of agentsh tool call. */
#ifndef DOOR_CLI_TOOL_TOLD_H
#define DOOR_CLI_TOOL_TOLD_H

#include "person/app.h"
#include "tool/call.h"
#include "tool/permit.h"

/* Before a call starts. One that only looks is added with its result; whether
 * it does more. */
bool tool_told_call(struct app *a, const struct tool *t, const char *action,
                    const struct json *args, const struct permit *p);

/* The same of a request that is refused before it is a call: as it was asked.
 * root NULL: it is no JSON. */
void tool_told_refused(struct app *a, const struct json *root);

/* Before what it asks for runs as root. */
void tool_told_need(struct app *a, const char *const *argv);

/* Before the answer goes out. */
void tool_told_result(struct app *a, const struct tool_result *r);
void tool_told_failed(struct app *a, const struct err *why, int64_t ms);

/* No more calls come. acted: some did more than look, so that it is to be on
 * the disk. */
void tool_told_end(struct app *a, bool acted, int status);

#endif
