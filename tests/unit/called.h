/* SPDX-License-Identifier: GPL-3.0-or-later */
/* called.h - makes plugins for a test, calls them, and records the result. */
#ifndef TESTS_CALLED_H
#define TESTS_CALLED_H

#include "base/loop.h"
#include "tests/unit/tree.h"
#include "tool/call.h"

#define CALLED_TEXT 512
#define CALLED_MS   30000 /* for all that a test waits for */

/* A plugin in a directory of its own. */
struct called_tool {
    struct tree tree;
    char program[PATH_MAX];
    struct manifest *manifest;
    struct tool tool;
};

/* What came of a call. */
struct called {
    struct tool_call *call;
    bool over;
    enum err_code failed; /* ERR_NONE: it answered */
    bool ok;
    char out[CALLED_TEXT], err[CALLED_TEXT]; /* err: or why it failed */
    char code[32];                           /* error_code; "" */
    char live[CALLED_TEXT];                  /* output events, one after one */
    size_t live_bytes;
    char need[CALLED_TEXT];    /* words, a blank before each */
    enum tool_elevation agree; /* the answer to it */
    int64_t duration_ms;
};

struct called_request {
    const struct tool_setting *set;
    const char *action; /* NULL: go */
    const char *args;   /* JSON; NULL: none */
    int64_t timeout_ms;
    enum tool_elevation agree; /* to what it needs */
    bool stream, queued;
};

/* A shell script that runs for each process; `members` are those of the
 * manifest beside name, version, summary, executable and actions, with a comma
 * behind each. The action is "go"; `action` its members, as well. */
int called_script(struct called_tool *t, const char *script,
                  const char *members, const char *action);
/* One of the build tree, for a test in tests/unit. */
int called_builtin(struct called_tool *t, const char *name, struct err *e);
void called_tool_drop(struct called_tool *t);

/* Walls that are none. */
const struct tool_setting *called_open(void);

/* Make a loop the state of a group of tests, and free it. */
int called_open_loop(void **state);
int called_close_loop(void **state);

int called_start(struct called *c, struct loop *l, const struct called_tool *t,
                 const struct called_request *w, struct err *e);
/* Turns the loop until each of n is over, and frees their calls. -1: not
 * before the deadline. */
int called_wait(struct called *c, size_t n, struct loop *l);
/* Start and wait. */
int called_once(struct called *c, struct loop *l, const struct called_tool *t,
                const struct called_request *w);

/* The numbers that a plugin wrote into the file `pids` beside it: whether all
 * of these processes are gone, some time before the deadline. */
bool called_are_gone(const struct called_tool *t); /* now */
bool called_gone(const struct called_tool *t);
/* How many it wrote. */
size_t called_count(const struct called_tool *t);

#endif
