/* SPDX-License-Identifier: GPL-3.0-or-later */
/* denylist.h - the system calls that the filters refuse, for mkfilter.
 *
 * The folder build/ is a program of the build, mkfilter, which writes the
 * filters of every profile as arrays of C for one target. Nothing of it is in
 * what is installed, and it must not know the launcher: profiles are named
 * where confine.c loads them. A failure ends the build. */
#ifndef SANDBOX_BUILD_DENYLIST_H
#define SANDBOX_BUILD_DENYLIST_H

enum denylist_answer {
    DENYLIST_EPERM,
    DENYLIST_ENOSYS, /* so that language runtimes use another call instead */
};

struct denylist_entry {
    const char *name; /* NULL at the end of a set */
    enum denylist_answer answer;
};

enum denylist_set {
    DENYLIST_EVERYWHERE,
    DENYLIST_MODEL,      /* the process that holds the API key */
    DENYLIST_HOST,       /* in the machine's own pid and ipc namespaces */
    DENYLIST_SIGNAL,     /* no process may be signalled */
    DENYLIST_WRITE,      /* nothing may be written */
    DENYLIST_ATTRIBUTES, /* mode, owner and times may not be changed */
    DENYLIST_CONNECT,    /* there is no network */
    DENYLIST_MODE,       /* a file's mode may not be set freely */
    DENYLIST_LOCK,       /* nothing is writable, so nobody shall wait for a
                            lock */
    DENYLIST_N
};

/* Returns the entries of a set. */
const struct denylist_entry *denylist_of(enum denylist_set set);

#endif
