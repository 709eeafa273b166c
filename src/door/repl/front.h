/* SPDX-License-Identifier: GPL-3.0-or-later */
/* front.h - the REPL at work: its states, and what it does when something
 * comes.
 *
 * repl.c makes one and tears it down. Callbacks take the front as their
 * argument. */
#ifndef REPL_FRONT_H
#define REPL_FRONT_H

#include "base/loop.h"
#include "door/repl/aside.h"
#include "door/repl/assistant.h"
#include "door/repl/deed.h"
#include "door/repl/history.h"
#include "door/repl/screen.h"
#include "door/repl/shell.h"

enum front_state {
    FRONT_RUNNING,    /* terminal raw: keys to the pty, output from there */
    FRONT_PROMPTED,   /* a line is edited; other output goes above it */
    FRONT_COMPLETING, /* the editor waits for bash's answer */
    FRONT_ASSISTING,  /* the assistant has the terminal */
};

struct front {
    struct loop *loop;
    struct screen *screen;
    struct shell *shell;
    struct history *history;
    struct assistant *assistant;
    struct aside aside;
    struct deed deed;
    struct watch *keys;
    const char *session; /* names the files that `ai` reads */
    enum front_state state;
    bool lent;   /* while completing: keys go to bash */
    bool clears; /* and the prompt goes first */
    bool due;    /* a prompt is to be shown once the screen is drained */
    bool more;   /* it is for the rest of a command */
    bool vi;
    long binds; /* calls of `bind` in bash */
    long binds_taken;
    struct buf prompt;
    struct buf insert; /* a command of the assistant's for the next line */
    char *cwd;
    bool over;
    int status; /* once it is over */
};

/* Sets the terminal's modes for the line editor. */
void front_edit(struct front *f);

void front_on_keys(void *arg, unsigned events); /* the terminal */
void front_on_drained(void *arg);               /* the screen */
void front_on_entered(void *arg, char *text);   /* the editor */
void front_show_aside(void *arg, const char *p, size_t n);
/* the shell */
void front_on_output(void *arg, const char *p, size_t n);
void front_on_prompt(void *arg, const struct talk_prompt *p);
void front_on_typed(void *arg);
void front_on_ended(void *arg, int status);

void front_signal(struct front *f, int signo);

#endif
