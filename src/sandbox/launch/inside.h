/* SPDX-License-Identifier: GPL-3.0-or-later */
/* inside.h - the child of the launcher, up to the program.
 *
 * What it is to be, in the order in which it becomes it: the view of the
 * files, limits, no capabilities, no new privileges, Landlock, the filter,
 * and then the program. Whatever fails ends it with 125 and the layer's
 * name. */
#ifndef SANDBOX_INSIDE_H
#define SANDBOX_INSIDE_H

#include <signal.h>

#include "sandbox/launch/binds.h"
#include "sandbox/launch/protect.h"

#define EXIT_SANDBOX 125
#define EXIT_LIMIT   124

struct brief;
struct mounts_own;

/* A program that is in us as well: it need not be executed. */
struct inside_tool {
    const char *program; /* its path, as in argv */
    int (*run)(void);    /* returns its exit status */
};

struct inside {
    const struct sandbox_spec *spec; /* NULL: the filter for steps only */
    char **argv;
    char *cwd;              /* where the program starts */
    sigset_t mask;          /* that it starts with */
    unsigned namespaces;    /* CLONE_NEW… that the child has got */
    bool ready;             /* it waited in them (ready.h) */
    struct brief *brief;    /* what is kept is told later; NULL: known */
    bool session;           /* it has one of its own already */
    struct mounts_own *own; /* that it has already; NULL: none */
    const struct inside_tool *tool; /* NULL: none */
    pid_t launcher;                 /* our parent, as long as it lives */
    int line;        /* to the launcher: a byte that says go, the listener */
    int tty;         /* its controlling terminal; -1: it has none */
    bool foreground; /* the program gets it */
    bool root;       /* outside we are root: limits by number do not bind */
    const char *scratch; /* what TMPDIR is to name; "": nothing */
    struct binds binds;
    struct protect *kept;
    size_t n_kept;
};

/* Closes all from `first` on but the n that are kept, -1 being none; sorts
 * them. */
int inside_close_but(int first, int *kept, size_t n);

/* Never returns. */
_Noreturn void inside_run(struct inside *in);

/* Whether the program is the one that is in us. */
bool inside_has_program(const struct inside *in);

/* In a child, which may share our memory when it executes its program: a group
 * or session of its own, the terminal, the mask, the program. */
_Noreturn void inside_execute(const struct inside *in);

/* A sentence on standard error; returns status. */
int inside_complain(const char *what, int status);

#endif
