/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spaces.h - the Agent Spaces protocol: operations in, events out.
 *
 * server/spaces/ reads lines of an agent, one message each (spaces_message.h),
 * runs their operations in the order in which they come (spaces_run.h), and
 * answers each line by one, as soon as the one before was taken. A run that
 * waits for an approval waits in the store (record/spaces_store.h), for this
 * process or a later one. The folder knows no other server, and no terminal.
 * What can fail: the peer (its lines are answered by an error, and it is left
 * when it reads no more), the store, the disk; a run goes on or ends with an
 * event that says so. */
#ifndef SERVER_SPACES_SPACES_H
#define SERVER_SPACES_SPACES_H

#include "base/seat.h"
#include "config/config.h"
#include "record/journal.h"
#include "record/spaces_store.h"

struct spaces;

/* Borrowed while the server lives, unless it says otherwise. */
struct spaces_setup {
    struct loop *loop;
    const struct seat *seat; /* of the process */
    const struct config *config;
    struct journal *journal; /* NULL: none is kept */
    const char *workspace;   /* NULL: the seat's directory */
    const char *policy;      /* the option; NULL: the person's rules */
    int64_t expiry_ms;       /* of approvals; 0: never */
    int in, out;             /* in -1: no lines come, spaces_go_on is called */
    bool once;               /* the input is a list of jobs, not a peer */
    struct spaces_store *store; /* taken on success; NULL: it is opened */
    void (*log)(void *arg, const char *line);
    void (*ended)(void *arg); /* called once, at the end */
    void *arg;
};

/* ERR_USAGE: the workspace or the policy is wrong. */
struct spaces *spaces_new(const struct spaces_setup *set, struct err *e);
void spaces_free(struct spaces *s); /* accepts NULL */
DEFINE_CLEANUP(struct spaces, spaces_free)

/* Resumes a run, writes its events, and ends. r is borrowed until then. */
int spaces_go_on(struct spaces *s, const struct spaces_resume *r,
                 struct err *e);

/* Ends: what runs is killed, what was answered is written, for half a second at
 * most. `ended` follows. */
void spaces_stop(struct spaces *s);

/* At the end: 0, or the exit status of the failures (agentsh(1)). */
int spaces_exit_status(const struct spaces *s);

#endif
