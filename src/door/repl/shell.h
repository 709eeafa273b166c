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
#include "door/repl/pty.h"
#include "door/repl/talk.h"

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

/* Whether bash took its place: false when it ended before it could attach.
 * shell_refusal says why, "" when bash itself did not. */
bool shell_is_attached(const struct shell *sh);
const char *shell_refusal(const struct shell *sh);
/* The signal that ended it, else 0. */
int shell_killed_by(const struct shell *sh);

/* At a prompt only: what comes next. A line may hold newlines. */
int shell_line(struct shell *sh, const char *line, struct err *e);
void shell_say(struct shell *sh, char kind); /* TALK_END or TALK_ABANDON */
/* $? of a line that the shell did not run; it prompts anew. */
void shell_set_status(struct shell *sh, int status);

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

/* At a prompt, questions. The answer is fields (strings one after another,
 * each with its NUL) in a buffer of the shell's, valid until the next one.
 * shell_ask sends; shell_answer is NULL until the answer is whole. */
int shell_ask(struct shell *sh, char kind, const char *const *fields,
              struct err *e);
const struct buf *shell_answer(const struct shell *sh);
const struct talk_matches *shell_matches(const struct shell *sh);
/* The same for quick ones: waits at most timeout_ms. */
const struct buf *shell_query(struct shell *sh, char kind,
                              const char *const *fields, int timeout_ms);

#endif
