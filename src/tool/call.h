/* SPDX-License-Identifier: GPL-3.0-or-later */
/* call.h - one call of a tool: JSON in, JSON out, in a process of its own.
 *
 * tool/ finds plugins and speaks the Plugin Tool API with them (agentsh-
 * plugin(7)). A plugin is started by the launcher (sandbox/), gets a request
 * line and answers with event lines and one response line; a persistent one
 * stays for the next request in the same walls (tool_pool). It must not know
 * what a plan is. A plugin that hangs, dies, floods, writes garbage, answers
 * twice or answers another's id, or never reads, is a result with ok false
 * and a code; its whole tree is gone, and the next call starts afresh. */
#ifndef TOOL_CALL_H
#define TOOL_CALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/loop.h"
#include "sandbox/denials.h"
#include "sandbox/spec.h"
#include "tool/registry.h"

struct tool_call; /* a call under way */
struct tool_pool; /* persistent plugins that wait for their next request */

struct tool_pool *tool_pool_new(struct loop *l, struct err *e);
/* Ends them; after the calls that use it. Accepts NULL. */
void tool_pool_free(struct tool_pool *p);
DEFINE_CLEANUP(struct tool_pool, tool_pool_free)

/* What is asked; borrowed until tool_call_start returns. */
struct tool_request {
    const char *action;
    const struct json *args; /* an object; NULL: {} */
    const char *step_id;     /* for events; may be NULL */
    bool stream;             /* output comes as events too */
    int64_t timeout_ms;      /* < 0: none but the manifest's */
};

/* What a tool answered; texts are UTF-8 and borrowed for the callback. */
struct tool_result {
    bool ok;               /* the tool did its work */
    const char *out, *err; /* stdout and stderr of the response */
    size_t out_len, err_len;
    const char *error_code; /* NULL, or one of the API's */
    bool truncated;         /* the texts are not all that it wrote */
    bool has_exit_code;
    int exit_code;                 /* of a command */
    const struct denials *refused; /* by the walls, as far as is known */
    int64_t duration_ms;
    const struct json *meta; /* as it came, checked; NULL: it never answered */
};

/* Whether a program runs as root. */
enum tool_need {
    TOOL_NEED_NO,   /* no: the tool is told what to type */
    TOOL_NEED_YES,  /* now */
    TOOL_NEED_WAIT, /* tool_call_agree will say; until then its time stands
                       still, and a tool that says a word is at fault */
};

struct tool_events {
    /* The tool asks for argv, checked, NULL-ended, to be run as root, and
     * nothing but the answer is in the way. Borrowed, with TOOL_NEED_WAIT until
     * the call ends or is agreed to. The call is not freed in it. NULL: no */
    enum tool_need (*need)(void *arg, const char *const *argv);
    /* a piece of live output: stream is "stdout" or "stderr" */
    void (*output)(void *arg, const char *stream, const char *bytes, size_t n);
    /* how far it is, from an MCP server: 0..total, total < 0: not known */
    void (*progress)(void *arg, double done, double total, const char *text);
    /* exactly one of these two comes last. failed: the plugin, the walls or
     * the request are at fault; err_tool_code(why->code) is the API's code */
    void (*done)(void *arg, const struct tool_result *r);
    void (*failed)(void *arg, const struct err *why);
};

/* Behind which walls it runs, and in which way its output is shown. */
struct tool_setting {
    const struct sandbox_spec *sandbox;
    const struct config *config; /* which variables pass; NULL: the usual */
    struct tool_pool *pool;      /* NULL: a process for this call alone */
    bool colour;     /* the person's terminal shows colour: say so */
    bool privileged; /* what it asks the front to run (`need`) may run, when the
                        event agrees; without, and for who is not root, that is
                        refused with the command to type */
    /* of cmd.run: the words of a program that is executed in the place of the
     * command, and by no shell; what the command gets for its input. NULL:
     * neither */
    const char *const *argv;
    const struct buf *input;
    /* what the call may read and write, for the tool to keep to; NULL-ended
     * lists of absolute paths, or NULL */
    const char *const *read_roots, *const *write_roots;
};

/* Checks the arguments against the action's schema (ERR_INVALID, nothing is
 * started), starts or takes the tool's process, sends the request. The
 * callbacks come from the loop. t is borrowed while the call lives. */
struct tool_call *tool_call_start(struct loop *l, const struct tool *t,
                                  const struct tool_request *rq,
                                  const struct tool_setting *setting,
                                  const struct tool_events *ev, void *arg,
                                  struct err *e);

/* Answers TOOL_NEED_WAIT; nothing where none is open. failed may come of it. */
void tool_call_agree(struct tool_call *c, bool yes);

/* To everything that the call runs and that stayed in its group. */
void tool_call_signal(struct tool_call *c, int signo);

/* Held: its output is not read, so that it must wait when its pipe is full. */
void tool_call_hold(struct tool_call *c, bool held);

/* Ends the call with its whole tree; no callback comes afterwards. May be
 * called from done or failed. Accepts NULL. */
void tool_call_free(struct tool_call *c);
DEFINE_CLEANUP(struct tool_call, tool_call_free)

#endif
