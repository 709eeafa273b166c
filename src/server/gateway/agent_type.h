/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent_type.h - the types of agents: rows of the files `agents`.
 *
 * A section is one type, [ID]. The files: the one that agentsh brings, with the
 * agents that it knows; then SYSCONFDIR/agentsh/agents and
 * $XDG_CONFIG_HOME/agentsh/agents. A later section of the same name replaces
 * the earlier one as a whole. What is unknown, twice or of the wrong form is
 * ERR_CONFIG with the file and the line; the owner of a file is checked as with
 * the configuration. agentsh-config(5) has the keys. */
#ifndef SERVER_GATEWAY_AGENT_TYPE_H
#define SERVER_GATEWAY_AGENT_TYPE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/seat.h"
#include "guard/profile/profile.h"

#define AGENT_TYPES_MAX   64
#define AGENT_SECRETS_MAX 16 /* of one type */

#define AGENT_TYPE_USUAL "agentsh" /* the type that is always there */

/* A variable of the agent's environment whose value is secret, and where that
 * is from: a file that its owner alone may read, or a command's output. */
struct agent_secret {
    char *variable;
    char *file;    /* NULL: a command */
    char *command; /* NULL: a file */
};

struct agent_type {
    char *id;
    char *name;
    char *description;     /* NULL: none */
    char *image;           /* of a container; NULL: none */
    char *command;         /* words as of a shell; NULL: none */
    char *directory;       /* in the container, absolute; NULL: /workspace */
    char *capabilities;    /* words between colons; NULL: none */
    char *readable;        /* paths between colons that its sandbox shows … */
    char *writable;        /* … or lets it write; NULL: none */
    char *found_linux;     /* paths of which one exists where the agent is */
    char *found_macos;     /* installed; NULL: that is not known, */
    char *found_windows;   /* or told by the command's program */
    int64_t memory_mb;     /* 0: no limit */
    double cores;          /* 0: no limit */
    int64_t limit_s;       /* of a turn; 0: none */
    int64_t transcript_mb; /* of a task's events; 0: no limit */
    enum profile profile;  /* of its sandbox: workspace-write or full */
    bool enabled;
    struct agent_secret secrets[AGENT_SECRETS_MAX];
    size_t n_secrets;
};

struct agent_types;

/* ERR_CONFIG, ERR_NOMEM. A file may be absent; the type AGENT_TYPE_USUAL is
 * always there. */
struct agent_types *agent_types_load(const struct seat *seat, struct err *e);
void agent_types_free(struct agent_types *t); /* accepts NULL */
DEFINE_CLEANUP(struct agent_types, agent_types_free)

/* All, in the order of the files. Borrowed; at returns NULL behind the last. */
const struct agent_type *agent_types_at(const struct agent_types *t, size_t i);
/* NULL: there is none; one that is not enabled is found too. */
const struct agent_type *agent_types_find(const struct agent_types *t,
                                          const char *id);

#endif
