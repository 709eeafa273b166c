/* SPDX-License-Identifier: GPL-3.0-or-later */
/* captured.h - runs one program by the launcher, and keeps what it writes.
 *
 * It may have the person's own terminal: as its standard input, while standard
 * output and error are kept, so that sudo asks for a password on the terminal;
 * or as all three, for an editor. Then it is the foreground job of that
 * terminal: its Ctrl-C and Ctrl-Z are those of the keyboard, and the caller
 * must not read the keyboard until `done`. What is typed never passes through
 * us. The launcher, and then this process, put the terminal back as it was. */
#ifndef TOOL_CAPTURED_H
#define TOOL_CAPTURED_H

#include "base/buf.h"
#include "base/loop.h"
#include "tool/confinement.h"

enum captured_terminal {
    CAPTURED_ALONE, /* no input, no terminal, and a session of its own */
    CAPTURED_INPUT, /* the terminal is standard input, and /dev/tty */
    CAPTURED_WHOLE, /* nothing is kept: it has all of the terminal */
};

struct captured_params {
    const char *const *argv;
    /* how it is confined; its spec has keep_terminal unless CAPTURED_ALONE */
    const struct tool_setting *setting;
    const char *cwd; /* absolute */
    enum captured_terminal terminal;
    bool stream; /* `output` is called; the end is kept, not the beginning */
    size_t kept_max; /* bytes of each stream */
};

struct captured_end {
    int status;    /* as in a shell */
    int killed_by; /* the signal that ended it (spec `alike`); 0: none */
    bool truncated;
    const char *text[2]; /* stdout, stderr: UTF-8, borrowed */
    size_t len[2];
    int64_t ms;
};

struct captured_events {
    /* whole characters; may not free it */
    void (*output)(void *arg, const char *stream, const char *bytes, size_t n);
    /* the last event, from the loop; may free it */
    void (*done)(void *arg, const struct captured_end *end);
};

struct captured; /* a program that runs, or has ended */

/* Whether a program of ours could have the terminal now: there is one that is
 * ours (/dev/tty), and this process is in its foreground. ERR_UNSUPPORTED says
 * what is missing. */
int captured_find_terminal(struct err *e);

/* The params are borrowed during the call. */
struct captured *captured_start(struct loop *l, const struct captured_params *p,
                                const struct captured_events *ev, void *arg,
                                struct err *e);
/* Ends it, and takes the terminal back. Accepts NULL. */
void captured_free(struct captured *c);
DEFINE_CLEANUP(struct captured, captured_free)

/* To the program; SIGTSTP stops it, and SIGCONT continues it. */
void captured_signal(struct captured *c, int signo);
void captured_pause(struct captured *c, bool paused); /* nothing is read */

#endif
