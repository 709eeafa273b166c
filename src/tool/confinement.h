/* SPDX-License-Identifier: GPL-3.0-or-later */
/* confinement.h - the sandbox setup and the settings of a tool's process.
 *
 * A tool runs in the profile that its manifest's needs make, with what the
 * permit of the call adds. The built-in cmd.run is the exception: its caller
 * makes the setup, from the profile chosen for the command. */
#ifndef TOOL_CONFINEMENT_H
#define TOOL_CONFINEMENT_H

#include "sandbox/setup.h"
#include "tool/permit.h"

struct spawn_plan;
struct tool_pool; /* persistent plugins that wait for their next request */

/* What a tool's process is started with and told. */
struct tool_setting {
    const struct sandbox_spec *sandbox;
    const struct seat *seat;     /* its directory, and its variables */
    const struct config *config; /* which variables pass; NULL: the default */
    struct tool_pool *pool;      /* NULL: a process for this call alone */
    bool colour;                 /* the person's terminal shows colour */
    bool sudo; /* where we are not root, the person's own sudo may make it so;
                  only for the person at the terminal, or whoever typed it */
    bool privileged; /* programs that it asks to be run as root may run, when
                        the `elevate` event agrees. Without it, or when we are
                        not root and may not use sudo, the tool is told what
                        to type instead */
    /* of cmd.run: the argv of a program that is executed instead of the
     * command, without a shell; the standard input of the command, in the
     * place of its arguments' stdin. NULL: neither */
    const char *const *argv;
    const struct buf *input;
    /* where the next call of this setting finds what its process is started
     * with (spawn.h); NULL: there is none */
    struct spawn_plan **plan;
    /* what the tool is told that it may read and write: NULL-ended lists of
     * absolute paths, or NULL */
    const char *const *read_roots, *const *write_roots;
};

/* What the tool is told of the paths that it may use. It is advice, which a
 * tool may repeat in its own errors: the sandbox is what holds. */
enum confinement_roots {
    CONFINEMENT_ROOTS_NONE,      /* nothing */
    CONFINEMENT_ROOTS_READ,      /* it reads "/" and writes nothing */
    CONFINEMENT_ROOTS_DIRECTORY, /* it reads "/" and writes `directory` and what
                                the permit allows */
    CONFINEMENT_ROOTS_SANDBOX,   /* what the sandbox shows, and lets it write */
};

/* Borrowed, and for as long as the confinement is used. */
struct confinement_params {
    const struct tool *tool;
    const struct permit *permit; /* NULL: only what the manifest needs */
    const struct seat *seat;     /* of the session that calls it */
    const char *workspace;       /* NULL: there is none */
    char *const *closed; /* as in struct sandbox_setup_params; NULL: nothing */
    /* the caller's own setup, which is used as it is; NULL: one is made */
    const struct sandbox_spec *sandbox;
    const struct config *config; /* NULL: the default settings */
    struct tool_pool *pool;      /* this and the rest: struct tool_setting */
    bool colour, privileged, sudo;
    const char *const *argv;
    const struct buf *input;
    enum confinement_roots roots;
    const char *directory;    /* of CONFINEMENT_ROOTS_DIRECTORY */
    bool report;              /* the launcher reports what the kernel denied */
    struct spawn_plan **plan; /* as in struct tool_setting */
    struct setup_stamps *stamps; /* as in struct sandbox_setup_params */
};

/* The workspace and the lists of a sandbox_spec. */
#define CONFINEMENT_ROOTS_MAX (1 + SPEC_READABLE_MAX + SPEC_PATHS_MAX)

/* `setting` points into it: it stays where it is. */
struct confinement {
    struct sandbox_setup setup;
    struct tool_setting setting;
    const char *read_roots[CONFINEMENT_ROOTS_MAX + 1];
    const char *write_roots[CONFINEMENT_ROOTS_MAX + 1];
};

/* Fills out, which needs confinement_done in any case. The errors are those
 * of sandbox_setup_fill, and ERR_DENIED for a manifest that needs agentsh's own
 * directories, ERR_NOT_FOUND where a path that it writes to is missing. */
int confinement_fill(const struct confinement_params *p,
                     struct confinement *out, struct err *e);
void confinement_done(struct confinement *c); /* accepts NULL */

/* The setup alone, for the tool, permit, seat, workspace, closed files and
 * config of p. A workspace that the profile cannot have (it is the home
 * directory, say) is none. s is all zero, and needs sandbox_setup_done in any
 * case. */
int confinement_fill_sandbox(const struct confinement_params *p,
                             struct sandbox_setup *s, struct err *e);

#endif
