/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spaces_shared.h - what the runs of a process share, and their states. */
#ifndef SERVER_SPACES_SPACES_SHARED_H
#define SERVER_SPACES_SPACES_SHARED_H

#include "action/errand.h"
#include "record/spaces_store.h"
#include "server/spaces/spaces_event.h"

/* What the runs of a process share. All of it is borrowed. */
struct spaces_shared {
    struct loop *loop;
    const struct seat *seat; /* its directory is the workspace */
    int root;                /* that directory */
    const struct policy *policy;
    const char *policy_option; /* what names it; may be NULL */
    struct registry *registry;
    struct path_context where;
    struct errand_params errand; /* of: */
    struct errand_context *errands;
    struct journal *journal;    /* NULL: none is kept */
    struct spaces_store *store; /* NULL: nothing can wait for an approval */
    int64_t expiry_ms;          /* of approvals; 0: never */
    void (*log)(void *arg, const char *line);
    void *arg;                    /* of it */
    void (*begins)(void *server); /* an operation begins that takes time */
    void *server;
    struct spaces_run *current; /* whose events errands record */
    char yes[256];              /* who agreed to what runs now */
};

/* Bytes that the operations of one message may add to the events, as JSON. */
#define SPACES_RUN_CONTENT_MAX (32u << 20)

enum spaces_status { SPACES_COMPLETED, SPACES_AWAITING, SPACES_ERROR };

/* The result of all operations. */
enum spaces_result { SPACES_ALL_WELL, SPACES_SOME_FAILED, SPACES_SOME_DENIED };

/* The exit status that belongs to it, agentsh(1). */
#define SPACES_STATUS_FAILED 1
#define SPACES_STATUS_DENIED 5
int spaces_result_status(enum spaces_result r);

/* A new id of a run. */
int spaces_run_make_id(char id[SPACES_STORE_ID_SIZE], struct err *e);
const char *spaces_status_name(enum spaces_status s);

/* Adds an event to the journal; an error goes to the log. */
void spaces_record(const struct spaces_shared *sh, struct journal_run *to,
                   const char *kind, const struct journal_member *members);

#endif
