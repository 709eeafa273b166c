/* SPDX-License-Identifier: GPL-3.0-or-later */
/* launch.h - inside tool/: how a program starts behind the launcher. */
#ifndef TOOL_LAUNCH_H
#define TOOL_LAUNCH_H

#include "base/proc.h"
#include "sandbox/launch/zygote_client.h"
#include "tool/call.h"

#define LAUNCHER "agentsh-launch" /* a program of libexec */

/* What starts: all that a process depends on, so that one which waits can be
 * told from another (pool.h). */
struct launch {
    struct buf words; /* the launcher's, argv after it */
    size_t n_words;
    char **env;
    const char *cwd; /* borrowed; NULL: our working directory */
};

struct launched {
    struct proc *proc;
    int report; /* where the launcher says what it refused; -1: nowhere */
};

/* argv: the program, absolute, and its arguments. l needs launch_done in any
 * case. */
int launch_prepare(struct launch *l, const char *const *argv,
                   const struct tool_setting *s, struct err *e);
/* The same for a tool: its program, or what speaks for it. */
int launch_prepare_tool(struct launch *l, const struct tool *t,
                        const struct tool_setting *s, struct err *e);
void launch_done(struct launch *l);

/* Appends all that makes one start differ from another, with the version of
 * the tool (its hash). */
void launch_key(const struct launch *l, const char *version, struct buf *out);

/* With pipes for its three streams; by the launcher that waits, unless spare is
 * NULL or it has a directory of its own. out needs launched_done when it was
 * filled. */
int launch_start(const struct launch *l, struct zygote_client *spare,
                 struct launched *out, struct err *e);
/* In /; nobody writes to it, or hears what the walls refuse it. */
int launch_start_alone(const struct launch *l, struct launched *out,
                       struct err *e);
void launched_done(struct launched *l); /* kills it */

#endif
