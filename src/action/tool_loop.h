/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tool_loop.h - makes the read-only tool calls of a model before it answers.
 *
 * callable_tools.h lists the tools. A call is bytes from outside: its name, its
 * arguments and the paths and hosts in them are checked and judged like
 * anyone's. What is wrong with a call is its result, for the model to read. The
 * output of a tool is sent redacted, cut, and marked as data. */
#ifndef ACTION_TOOL_LOOP_H
#define ACTION_TOOL_LOOP_H

#include "base/loop.h"
#include "base/seat.h"
#include "config/config.h"
#include "model/client.h"
#include "tool/registry.h"

/* Enough to look around, too little to fill a context or to take minutes. A
 * round is an answer of the model, whatever is in it. */
#define TOOL_LOOP_ROUNDS_MAX 8
#define TOOL_LOOP_RESULT_MAX (32u << 10)  /* bytes of one call's result */
#define TOOL_LOOP_BYTES_MAX  (128u << 10) /* of all of them */
#define TOOL_LOOP_MS_MAX     60000        /* of all calls, together */
/* A model that makes one call so often goes round in a circle: no more tools
 * are offered then. */
#define TOOL_LOOP_SAME_MAX 3

struct tool_loop;

/* Borrowed for as long as the tool_loop lives. */
struct tool_loop_setting {
    struct registry *registry;
    const struct policy *policy;
    const struct config *config;
    const struct seat *seat;
    const char *const *named;       /* see struct path_context; borrowed */
    const struct peer_files *files; /* see struct tool_invocation */
    struct tool_pool *pool;         /* of the owner; NULL: it has its own */
    bool aside;                     /* calls are judged in a thread */
};

/* A call that is over, for the person and the journal. All is borrowed. */
struct tool_loop_call {
    const char *line; /* "fs.read_file /etc/hosts"; bytes from outside */
    const char *tool, *action; /* NULL: it named none that is declared */
    const struct json *args;   /* NULL: they were not an object */
    bool malformed;            /* unknown name or invalid arguments */
    const char *why;           /* in a word or two, if malformed; else NULL */
    bool ran;                  /* the tool was started */
    bool failed;
    int64_t limit_ms;    /* the time limit that it passed; 0: none */
    bool again;          /* an equal call was answered before */
    const char *outside; /* what of it others could have written */
    const char *text;    /* what the model gets, redacted, without the marks */
    size_t len;
    size_t bytes; /* that the tool itself wrote */
    int64_t ms;
};

struct tool_loop_events {
    /* a call has started; line is bytes from outside */
    void (*started)(void *arg, const char *line);
    /* a call is over; text is the result as the model gets it */
    void (*ended)(void *arg, const struct model_tool_call *w,
                  const struct tool_loop_call *c, const char *text);
    void (*done)(void *arg); /* all calls are over; the last event */
};

/* Reads which tools there are, which takes about a millisecond. */
struct tool_loop *
tool_loop_new(struct loop *l, const struct tool_loop_setting *s, struct err *e);
void tool_loop_free(struct tool_loop *tl); /* ends a call that runs */
DEFINE_CLEANUP(struct tool_loop, tool_loop_free)

/* The tools to declare; none when the limits are used up, or one call, with
 * equal arguments, was made TOOL_LOOP_SAME_MAX times. */
const struct model_tool *tool_loop_tools(const struct tool_loop *tl, size_t *n);

/* Makes the calls, one after the other. `calls` is borrowed until `done`. All
 * events come from the loop. */
int tool_loop_start(struct tool_loop *tl, const struct model_tool_call *calls,
                    size_t n, const struct tool_loop_events *ev, void *arg,
                    struct err *e);
/* Ends the calls; no event comes afterwards. */
void tool_loop_stop(struct tool_loop *tl);

#endif
