/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shell.h - the one bash that runs the person's commands.
 *
 * It lives on a pty of its own, in a session of its own, and takes its lines
 * from a socket (talk.h): its state lasts because it is never left. */
#ifndef REPL_SHELL_H
#define REPL_SHELL_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/loop.h"
#include "door/repl/dialog.h"
#include "term/pty.h"

struct shell;

/* What the shell tells its owner. Strings are the shell's, for the call. */
struct shell_ops {
    /* Something was written to the pty. */
    void (*output)(void *arg, const char *p, size_t n);
    /* All output of a command has been handed out, and the next line is
     * wanted. */
    void (*prompt)(void *arg, const struct talk_prompt *p);
    /* The pty has taken all keys that waited. */
    void (*typed)(void *arg);
    /* bash has ended; status as a shell counts. The last call. */
    void (*ended)(void *arg, int status);
};

struct shell_start {
    const char *bash; /* the program */
    const char *rc;   /* agentsh_bash.rc, beside agentsh_bash.so */
    struct winsize size;
    struct termios modes; /* those of the person's terminal */
};

struct shell *shell_new(struct loop *l, const struct shell_start *start,
                        const struct shell_ops *ops, void *arg, struct err *e);
/* Hangs up: bash writes its history and passes the hangup to its jobs; what
 * does not end in time is killed. Accepts NULL. */
void shell_free(struct shell *sh);
DEFINE_CLEANUP(struct shell, shell_free)

/* To tell it what comes next, and to ask. */
struct dialog *shell_dialog(struct shell *sh);
/* Whether the loop takes answers as they come. Otherwise messages are only
 * read with the output that they belong to, which saves waking up twice at
 * each prompt. */
void shell_listen(struct shell *sh, bool on);

/* Whether bash stopped itself (suspend), since this was asked last; and lets
 * it go on. */
bool shell_was_stopped(const struct shell *sh);
void shell_continue(struct shell *sh);
/* The signal that ended it, else 0. */
int shell_killed_by(const struct shell *sh);

/* Keys for the command that runs. False when some wait: offer no more until
 * the typed call. */
bool shell_type(struct shell *sh, const char *p, size_t n);
/* Takes back the keys that no command has read: they belong to the next line.
 */
void shell_untype(struct shell *sh, struct buf *out);

/* For its size and modes. */
const struct pty *shell_pty(const struct shell *sh);
/* Stops and resumes reading the pty; bash then waits where it writes. */
void shell_pause(struct shell *sh, bool paused);

#endif
