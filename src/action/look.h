/* SPDX-License-Identifier: GPL-3.0-or-later */
/* look.h - a model looks before it answers: read-only tools, and what of them.
 *
 * Offered is each action that its manifest calls read-only, of a tool that is
 * built in or agreed to, where the rules allow it. A call is bytes from
 * outside: its name, its arguments and what they name are checked and judged
 * like anyone's; what is wrong with it goes back to the model as the result.
 * What a tool told goes back redacted, cut, and between marks as data. */
#ifndef ACTION_LOOK_H
#define ACTION_LOOK_H

#include "base/loop.h"
#include "config/config.h"
#include "model/client.h"
#include "tool/registry.h"

/* Enough to look around, too little to fill a context or a morning. A round
 * is an answer of the model; each counts, whatever it asks for. */
#define LOOK_ROUNDS_MAX 8
#define LOOK_RESULT_MAX (32u << 10)  /* bytes of one call's result */
#define LOOK_BYTES_MAX  (128u << 10) /* of all of them */
#define LOOK_MS_MAX     60000        /* of tools at work, all of them */
#define LOOK_TOOLS_MAX  64           /* offered */

struct look;

/* Borrowed for as long as the look lives. */
struct look_setting {
    struct registry *registry;
    const struct policy *policy;
    const struct config *config;
    const char *const *named; /* see struct risk_context; borrowed */
};

/* A call, for the person and the record. All of it is borrowed. */
struct look_call {
    const char *line; /* "fs.read_file /etc/hosts"; bytes from outside */
    const char *tool, *action; /* NULL: it named none that is offered */
    const struct json *args;   /* NULL: they were no object */
    bool malformed;            /* nobody could make such a call */
    const char *why;           /* in a word or two, when it is; else NULL */
    bool ran;                  /* the tool was started */
    bool failed;
    int64_t limit_ms;    /* of time, that it did not keep; 0: it did */
    bool again;          /* answered from before */
    const char *outside; /* what of it others could have written: client.h */
    const char *text;    /* what the model is told, without marks; redacted */
    size_t len;
    size_t bytes; /* of what the tool itself wrote */
    int64_t ms;
};

struct look_events {
    /* a tool is at work on this, which is bytes from outside */
    void (*looking)(void *arg, const char *line);
    /* one of the calls is over: told, the result as the model gets it */
    void (*looked)(void *arg, const struct model_tool_call *w,
                   const struct look_call *c, const char *told);
    void (*done)(void *arg); /* all of them are; the last */
};

/* Reads which tools there are; this takes about a millisecond. */
struct look *look_new(struct loop *l, const struct look_setting *s,
                      struct err *e);
void look_free(struct look *k); /* ends a call that runs, with its tree */
DEFINE_CLEANUP(struct look, look_free)

/* What to offer; none when the limits are used up. */
const struct model_tool *look_tools(const struct look *k, size_t *n);

/* Makes the calls, one after the other; `wanted` is borrowed until done, which
 * comes from the loop. */
int look_start(struct look *k, const struct model_tool_call *wanted, size_t n,
               const struct look_events *ev, void *arg, struct err *e);
/* Ends them; nothing comes afterwards. */
void look_stop(struct look *k);

#endif
