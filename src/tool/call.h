/* SPDX-License-Identifier: GPL-3.0-or-later */
/* call.h - makes one call of a tool: JSON in, JSON out, in its own process.
 *
 * tool/ finds plugins and speaks the Plugin Tool API with them
 * (agentsh-plugin(7)). The launcher (sandbox/) starts a plugin, which gets a
 * request line and answers with event lines and one response line. A persistent
 * plugin stays for the next request in the same confinement (tool_pool).
 * tool/ must not know what a plan, a model or a terminal is. A plugin that
 * hangs, dies, floods, writes garbage, answers twice or with another id, or
 * never reads is a failed call with a code: its whole process tree is killed,
 * and the next call starts a new process. */
#ifndef TOOL_CALL_H
#define TOOL_CALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/loop.h"
#include "sandbox/denials.h"
#include "tool/confinement.h"
#include "tool/confinement_cache.h"

#define TOOL_CALL_TIMEOUT_MS 30000 /* unless the request or manifest says */

struct registry;
struct peer_files;
struct tool_call; /* a call under way */

/* A pool, for calls that may share processes. */
struct tool_pool *tool_pool_new(struct loop *l, struct err *e);
/* Ends the processes in it. No call may use it any more. Accepts NULL. */
void tool_pool_free(struct tool_pool *p);
DEFINE_CLEANUP(struct tool_pool, tool_pool_free)

/* Ends the processes of plugins in it. Servers of mcp.json stay: who uses one
 * pool for many requests starts them once. */
void tool_pool_rest(struct tool_pool *p);

/* Ends the processes in it that are of a session's servers
 * (registry_add_servers), which may be removed then. Nothing waits. */
void tool_pool_end_servers(struct tool_pool *p, const struct registry *r);

/* What is asked; borrowed until tool_call_start returns. */
struct tool_request {
    const char *action;
    const struct json *args; /* an object; NULL: {} */
    struct buf *begun;   /* of protocol_begin_request, taken; NULL, or empty */
    const char *step_id; /* for events; may be NULL */
    bool stream;         /* output comes as events too */
    /* many calls that read may come at once: such a one may wait in the pipe of
     * a process that answers another; its time begins with its turn */
    bool queued;
    int64_t timeout_ms; /* < 0: only the manifest's limit holds */
};

/* What a tool answered. Texts are UTF-8 and valid during the callback. */
struct tool_result {
    bool ok;               /* the tool succeeded */
    const char *out, *err; /* stdout and stderr of the response */
    size_t out_len, err_len;
    const char *error_code; /* NULL, or one of the API's */
    bool truncated;         /* the texts are only a part of its output */
    bool has_exit_code;
    int exit_code;                 /* of a command */
    const struct denials *refused; /* what the sandbox denied, if known */
    int64_t duration_ms;
    const struct json *meta; /* checked by the action's schema; may be NULL */
};

/* Whether a program that a tool asks for runs as root. */
enum tool_elevation {
    TOOL_ELEVATE_NO,    /* no: the tool is told what to type */
    TOOL_ELEVATE_YES,   /* now */
    TOOL_ELEVATE_LATER, /* tool_call_elevate will say; until then its time
                       stands still, and a tool that says a word is at fault */
};

struct tool_events {
    /* The tool asks for a program to be run as root; only this answer is
     * missing. argv is checked and NULL-ended, and borrowed: with
     * TOOL_ELEVATE_LATER until the answer or the end of the call. The callback
     * must not free the call. NULL: the answer is no */
    enum tool_elevation (*elevate)(void *arg, const char *const *argv);
    /* a piece of live output: stream is "stdout" or "stderr". The callback must
     * not free the call */
    void (*output)(void *arg, const char *stream, const char *bytes, size_t n);
    /* progress of an MCP server, 0..total; total < 0: not known */
    void (*progress)(void *arg, double done, double total, const char *text);
    /* exactly one of these two comes last. failed: no valid response came;
     * err_tool_code(why->code) is the API's code */
    void (*done)(void *arg, const struct tool_result *r);
    void (*failed)(void *arg, const struct err *why);
};

/* Sends a request to a tool whose confinement is made already.
 *
 * The arguments are checked against the action's schema first (ERR_INVALID:
 * nothing is started). The process comes from the pool or is started. All
 * callbacks come from the loop. t is borrowed while the call lives. */
struct tool_call *tool_call_start(struct loop *l, const struct tool *t,
                                  const struct tool_request *rq,
                                  const struct tool_setting *setting,
                                  const struct tool_events *ev, void *arg,
                                  struct err *e);

/* Makes a whole call: permit, roots and sandbox setup, settings, start.
 *
 * `confine` is borrowed until tool_invoke returns; its tool and its pool are
 * borrowed while the call lives. Without a permit but with a policy, the call
 * is judged here (permit_judge). It fails with ERR_DENIED, the rule and the
 * reason when the decision is stricter than `accept`: GUARD_ALLOW where nobody
 * was asked, GUARD_ASK where the request itself is the person's yes. With
 * `where`, the workspace is guard_workspace of it. Other errors are those of
 * confinement_fill and tool_call_start. */
struct tool_invocation {
    struct confinement_params confine;
    const struct policy *policy; /* NULL: it was judged, or needs no judging */
    const struct path_context *where; /* NULL: confine.workspace is used */
    struct confinement_cache *cache;  /* for many calls; NULL: none */
    enum guard_decision accept;
    const struct peer_files *files; /* peer_files.h; NULL: none are offered */
};
struct tool_call *tool_invoke(struct loop *l, const struct tool_invocation *in,
                              const struct tool_request *rq,
                              const struct tool_events *ev, void *arg,
                              struct err *e);

/* The milliseconds that it may take, from its start: the least of what the
 * manifest, the request and the sandbox setup allow. < 0: no limit. */
int64_t tool_call_limit(const struct tool_call *c);

/* Answers after TOOL_ELEVATE_LATER. Without an open question nothing happens.
 * `failed` may be called. */
void tool_call_elevate(struct tool_call *c, bool yes);

/* Sends a signal to the process group of the call. */
void tool_call_signal(struct tool_call *c, int signo);

/* While paused its output is not read: it blocks when its pipe is full. */
void tool_call_pause(struct tool_call *c, bool paused);

/* Ends the call and kills its process tree; no callback comes afterwards. May
 * be called from done or failed. Accepts NULL. */
void tool_call_free(struct tool_call *c);
DEFINE_CLEANUP(struct tool_call, tool_call_free)

#endif
