/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spaces_command.h - what agentsh spaces and agentsh approvals share: a process
 * that runs or resumes a run. */
#ifndef SERVER_SPACES_COMMAND_H
#define SERVER_SPACES_COMMAND_H

#include "server/server_commands.h"
#include "server/service.h"
#include "server/spaces/spaces.h"

struct spaces_command {
    struct service service;
    struct spaces_store *store; /* until spaces has it */
    struct spaces *spaces;
    char *policy, *workspace; /* owned */
    char by[64];              /* the user, for the journal */
    int in;                   /* the file that is read; -1: none */
};

/* Opens the service, the journal and, with `store`, the store. r is released
 * with spaces_command_done in any case. */
int spaces_command_open(struct spaces_command *r, struct command_args *c,
                        const char *name, bool store, struct err *e);
void spaces_command_done(struct spaces_command *r); /* accepts NULL */

/* What a server needs beside its input. */
struct spaces_setup spaces_command_setup(struct spaces_command *r,
                                         struct command_args *c);

/* Runs the server of r->spaces. Returns the exit status of its operations; -1
 * with e. */
int spaces_command_run(struct spaces_command *r, struct err *e);

/* Goes on with a run, in its own workspace and by its own rules where the
 * options name no others, and writes its events. Returns the exit status, or -1
 * with e. */
int spaces_command_go_on(struct spaces_command *r, struct command_args *c,
                         const struct spaces_resume *resume, struct err *e);

#endif
