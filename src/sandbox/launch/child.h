/* SPDX-License-Identifier: GPL-3.0-or-later */
/* child.h - the launcher's child, until it executes the program.
 *
 * It confines itself in this order: the view of the files, limits, no
 * capabilities, no new privileges, Landlock, the seccomp filter; then it
 * executes the program. If a layer fails, it prints the layer's name and ends
 * with status 125.
 *
 * In a pid namespace the child is the first process (init), and starts the
 * program as a child of its own. Init is as confined as the program, and
 * nothing in the namespace can trace it. When it ends, the kernel ends
 * everything else in the namespace. It reports earlier that nothing else is
 * left, since the kernel takes longer for its end, which releases the mounts,
 * than many a program takes. */
#ifndef SANDBOX_LAUNCH_CHILD_H
#define SANDBOX_LAUNCH_CHILD_H

#include <signal.h>
#include <termios.h>

#include "sandbox/launch/binds.h"
#include "sandbox/launch/launch.h"
#include "sandbox/protect/protect.h"

struct prefork_message;
struct kernel_mounts;

/* A program that is part of this executable and need not be executed. */
struct child_builtin {
    const char *program; /* its path, as in argv */
    int (*run)(void);    /* returns its exit status */
};

struct child_config {
    const struct sandbox_spec *spec; /* NULL: only the filter for steps */
    char **argv;
    char *cwd;           /* the program's working directory */
    sigset_t mask;       /* the program's signal mask */
    unsigned namespaces; /* the CLONE_NEW flags of the child's namespaces */
    bool preforked;      /* the child waited in them (prefork.h) */
    /* The protected paths are still to be received; NULL: they are known. */
    struct prefork_message *message;
    bool has_session; /* the child is already in a session of its own */
    struct kernel_mounts *kernel_mounts; /* opened already; NULL: not yet */
    const struct child_builtin *builtin; /* NULL: there is none */
    pid_t launcher;                      /* our parent while it lives */
    int channel;     /* the socket to the launcher: receives the byte to go on,
                        sends the seccomp listener */
    int tty;         /* the controlling terminal; -1: there is none */
    bool foreground; /* the program becomes its foreground group */
    bool has_modes;  /* of it: the terminal's modes are kept in `modes` */
    struct termios modes;
    pid_t front;         /* who started the launcher … */
    pid_t front_group;   /* … and its process group then */
    bool root;           /* root outside: RLIMIT_NPROC does not apply */
    const char *scratch; /* for TMPDIR; "": none */
    struct binds binds;
    struct protect *kept;
    size_t n_kept;
};

/* Closes all descriptors from `first` on except the n in kept, which it sorts;
 * -1 stands for none. */
int child_close_all_but(int first, int *kept, size_t n);

/* Confines this process and runs the program. Never returns. */
_Noreturn void child_run(struct child_config *conf);

/* Prints a sentence on standard error; returns status. */
int child_print_error(const char *what, int status);

/* Signals from the launcher to init: the program shall go on, in the
 * foreground or in the background. SIGCONT cannot be used: a shell sends it to
 * the whole group before the terminal is the program's. */
#define CHILD_INIT_FOREGROUND SIGUSR1
#define CHILD_INIT_BACKGROUND SIGUSR2

/* LAUNCH_PASS (launch.h) comes to init as it came to the launcher.
 *
 * Init sends on the channel: a byte with the number of the signal when the
 * program was stopped; this byte, that of the exit status, and that of the
 * signal which ended the program (0: none) when the program and everything it
 * started have ended. No signal has this number. */
#define CHILD_INIT_OVER 'E'

#endif
