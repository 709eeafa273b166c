/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spaces_command_op.h - one operation that is a command.
 *
 * It runs as an errand of the tool cmd.run (action/errand.h), by the rules of
 * the workspace. It begins and ends on the loop, and nothing waits for it. */
#ifndef SERVER_SPACES_SPACES_COMMAND_OP_H
#define SERVER_SPACES_SPACES_COMMAND_OP_H

#include "server/spaces/spaces_shared.h"

/* What becomes of it; one of them is called, from the loop. */
struct spaces_command_events {
    /* The rules ask about it: it does not run. digest: of the command, for a
     * yes. Both are borrowed until this returns. */
    void (*asks)(void *arg, const struct permit *p, const char *digest);
    /* It is refused; suggestion NULL: there is none. */
    void (*denied)(void *arg, const char *reason, const char *suggestion);
    /* Its event has been added to the others. */
    void (*ended)(void *arg, bool success);
};

/* The first members are the caller's to set, and borrowed until it is over; the
 * rest are of spaces_command_op.c, and zero at first. */
struct spaces_command_op {
    struct spaces_shared *shared;
    const struct spaces_op *op;
    const char *approved; /* the digest that a person agreed to; NULL: nobody */
    struct buf *events;
    size_t room; /* bytes that its output may take in them */
    const struct spaces_command_events *on;
    void *arg;
    struct errand_request rq;
    struct errand *errand;
    struct json *args; /* of the errand */
};

/* Starts it. On failure no event is called. */
int spaces_command_op_start(struct spaces_command_op *c, struct err *e);

/* Ends it where it runs, without an event, and frees what it holds. */
void spaces_command_op_done(struct spaces_command_op *c);

#endif
