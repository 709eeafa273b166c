/* SPDX-License-Identifier: GPL-3.0-or-later */
/* call.h - one call of a tool: JSON in, JSON out, in a process of its own.
 *
 * tool/ finds plugins and speaks the Plugin Tool API with them. A plugin is
 * started by the launcher (sandbox/), gets one request line and answers with
 * event lines and one response line. It must not know what a plan is. A
 * plugin that dies, floods, writes garbage or answers twice is ERR_PEER and
 * its whole tree is gone; the next call starts afresh. */
#ifndef TOOL_CALL_H
#define TOOL_CALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/loop.h"
#include "sandbox/refused.h"
#include "sandbox/spec.h"

struct tool_call; /* a call under way */

/* What a tool answered; texts are UTF-8 and borrowed for the callback. */
struct tool_result {
    bool ok;               /* the tool did its work */
    const char *out, *err; /* stdout and stderr of the response */
    size_t out_len, err_len;
    const char *error_code; /* NULL, or one of the API's */
    bool truncated;         /* the texts are not all that it wrote */
    bool has_exit_code;
    int exit_code;                 /* of a command */
    const struct refused *refused; /* by the walls, as far as is known */
    int64_t duration_ms;
};

struct tool_events {
    /* a piece of live output: stream is "stdout" or "stderr" */
    void (*output)(void *arg, const char *stream, const char *bytes, size_t n);
    /* exactly one of these two comes last */
    void (*done)(void *arg, const struct tool_result *r);
    void (*failed)(void *arg, const struct err *why);
};

/* Behind which walls it runs, and in which way its output is shown. */
struct tool_setting {
    const struct sandbox_spec *sandbox;
    const struct config *config; /* which variables pass; NULL: the usual */
    bool colour; /* the person's terminal shows colour: say so to commands */
};

/* Starts `tool` (a plugin's name) and sends the request, one JSON object
 * without newline, n bytes. The callbacks come from the loop. */
struct tool_call *tool_call_start(struct loop *l, const char *tool,
                                  const char *request, size_t n,
                                  const struct tool_setting *setting,
                                  const struct tool_events *ev, void *arg,
                                  struct err *e);

/* To everything that the call runs and that stayed in its group. */
void tool_call_signal(struct tool_call *c, int signo);

/* Held: its output is not read, so that it must wait when its pipe is full. */
void tool_call_hold(struct tool_call *c, bool held);

/* Ends the call with its whole tree; no callback comes afterwards. May be
 * called from done or failed. Accepts NULL. */
void tool_call_free(struct tool_call *c);
DEFINE_CLEANUP(struct tool_call, tool_call_free)

#endif
