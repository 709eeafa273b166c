/* SPDX-License-Identifier: GPL-3.0-or-later */
/* repl_state.h - the state machine of the REPL: its modes and its callbacks.
 *
 * repl.c creates the state and frees what it holds. */
#ifndef FRONTEND_REPL_REPL_STATE_H
#define FRONTEND_REPL_REPL_STATE_H

#include "base/loop.h"
#include "base/seat.h"
#include "frontend/repl/ai_child.h"
#include "frontend/repl/background_output.h"
#include "frontend/repl/bash.h"
#include "frontend/repl/command_capture.h"
#include "frontend/repl/history.h"
#include "frontend/repl/line_query.h"
#include "frontend/repl/prompt_sign.h"
#include "frontend/repl/screen.h"

enum repl_mode {
    REPL_RUNNING,    /* the terminal is raw: keys go to the pty, and its
                            output to the screen */
    REPL_EDITING,    /* a line is edited; other output goes above it */
    REPL_QUERYING,   /* the same, while a key of the editor is answered */
    REPL_COMPLETING, /* the editor waits for bash's answer */
    REPL_ASSISTING,  /* the assistant has the terminal */
};

struct repl_state {
    struct loop *loop;
    struct screen *screen;
    struct bash *bash;
    struct history *history;
    struct ai_child *ai;
    struct line_query *query;  /* while REPL_QUERYING */
    struct watch *slow;        /* then it says that it waits */
    struct warm_process *warm; /* the model process of all `ai` lines */
    struct background_output background;
    struct command_capture capture;
    struct watch *keys;
    const char *session; /* names the files that `ai` reads */
    /* where they are; an `ai` has a seat of its own, of the directory and the
     * variables that the shell has then (repl_state.c) */
    struct seat *seat;
    enum repl_mode mode;
    bool lent;    /* while completing: the terminal is bash's */
    bool clears;  /* and the prompt is erased first */
    bool due;     /* a prompt waits until the screen is drained */
    bool midline; /* what commands wrote last did not end its line */
    bool more;    /* it is PS2: the line continues a command */
    bool vi;
    long binds; /* calls of `bind` in bash */
    long binds_taken;
    struct buf prompt;
    struct prompt_sign *sign;
    struct buf insert; /* a command from the assistant for the next line */
    char *cwd;
    bool over;
    int status; /* once it is over */
};

/* The callbacks; arg is the state. Of the terminal, the output queue in front
 * of it, the line editor and the background output: */
void repl_on_keys(void *arg, unsigned events);
void repl_on_drained(void *arg);
void repl_on_line(void *arg, char *text);
void repl_show_background(void *arg, const char *p, size_t n);
/* and of bash (struct bash_ops): */
void repl_on_output(void *arg, const char *p, size_t n);
void repl_on_prompt(void *arg, const struct bash_prompt *p);
void repl_on_typed(void *arg);
void repl_on_bash_end(void *arg, int status);

void repl_on_signal(struct repl_state *f, int signo);

/* struct bash_waiter: the editor waits for bash, which may want the terminal.
 *
 * Most replies come at once. A completion that takes its time, or paints, may
 * be a program of its own, such as a chooser on the whole screen: then keys go
 * to bash, Ctrl-C too, and what it paints is shown, until it has replied. */
bool repl_wait_reply(void *arg, bool clears);

#endif
