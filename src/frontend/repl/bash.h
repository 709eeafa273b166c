/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bash.h - the one bash process that runs the person's commands.
 *
 * It has a pty and a session of its own and reads its lines from a socket
 * (bash_protocol.h). Its variables, jobs and functions last because all lines
 * run in this one process. */
#ifndef FRONTEND_REPL_BASH_H
#define FRONTEND_REPL_BASH_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/loop.h"
#include "base/pty.h"
#include "frontend/repl/bash_channel.h"

struct bash;

/* Callbacks to the owner. Strings are valid for the call. */
struct bash_ops {
    /* A command wrote to the pty. */
    void (*output)(void *arg, const char *p, size_t n);
    /* bash wants the next line; all output of the last command was passed on.
     */
    void (*prompt)(void *arg, const struct bash_prompt *p);
    /* The pty has taken all pending keys. */
    void (*typed)(void *arg);
    /* bash has ended; status as in $?. This is the last call. */
    void (*ended)(void *arg, int status);
};

struct bash_start {
    const char *bash; /* the program */
    const char *rc;   /* agentsh_bash.rc, beside agentsh_bash.so */
    struct winsize size;
    struct termios modes; /* those of the person's terminal */
};

struct bash *bash_new(struct loop *l, const struct bash_start *start,
                      const struct bash_ops *ops, void *arg, struct err *e);
/* Hangs up: bash writes its history and sends SIGHUP to its jobs. It is killed
 * when it does not end in time. Accepts NULL. */
void bash_free(struct bash *sh);
DEFINE_CLEANUP(struct bash, bash_free)

/* The channel for lines and questions; it belongs to sh. */
struct bash_channel *bash_get_channel(struct bash *sh);
/* Turns the watching of the channel on or off. While it is off, messages are
 * read together with the output that they belong to, which saves one wake-up
 * at each prompt. */
void bash_watch_channel(struct bash *sh, bool on);

/* Whether bash stopped itself (the builtin suspend) since the last call; and
 * continue it. */
bool bash_was_stopped(const struct bash *sh);
void bash_continue(struct bash *sh);
/* The signal that ended bash, else 0. */
int bash_killed_by(const struct bash *sh);

/* Passes keys to the running command. Returns false when some are pending: the
 * caller passes no more until ops->typed is called. */
bool bash_type(struct bash *sh, const char *p, size_t n);
/* Takes back the keys that no command has read; they belong to the next line.
 * Their echo has gone to ops->output when it returns. Is called from
 * ops->prompt or later. */
void bash_take_unread_keys(struct bash *sh, struct buf *out);

/* The pty, for its size and modes. */
const struct pty *bash_pty(const struct bash *sh);
/* Stops or resumes reading the pty; bash then blocks where it writes. */
void bash_pause(struct bash *sh, bool paused);

#endif
