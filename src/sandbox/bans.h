/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bans.h - build tool: the system calls that filters refuse. */
#ifndef SANDBOX_BANS_H
#define SANDBOX_BANS_H

enum ban_answer {
    BAN_DENY,   /* EPERM */
    BAN_ABSENT, /* ENOSYS, so that runtimes fall back */
};

struct ban {
    const char *name; /* NULL at the end of a set */
    enum ban_answer answer;
};

enum ban_set {
    BANS_EVERYWHERE,
    BANS_MODEL,      /* the process with the key */
    BANS_HOST,       /* in the machine's own pid and ipc namespaces */
    BANS_SIGNAL,     /* where nobody may be signalled */
    BANS_WRITE,      /* where nothing may be written */
    BANS_ATTRIBUTES, /* nor mode, owner and times be changed */
    BANS_CONNECT,    /* where there is no network */
    BANS_MODE,       /* where a file's mode is not free */
    BANS_LOCK,       /* where nothing is writable */
    BANS_N
};
const struct ban *bans_of(enum ban_set set);

#endif
