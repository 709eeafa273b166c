/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp_record.h - the journal of a connection: one run, from its first call on.
 *
 * Answers are sent when what they tell of is stored: those that end together
 * are one transaction, and while one is written the next ones wait for the
 * one after it. */
#ifndef SERVER_MCP_MCP_RECORD_H
#define SERVER_MCP_MCP_RECORD_H

#include "action/errand.h"

struct mcp_record;

struct mcp_record_setup {
    struct journal *journal; /* NULL: none is kept */
    void (*log)(void *arg, const char *line);
    void *log_arg;
    /* Some errands have ended: mcp_record_flush is to be called. */
    void (*flush)(void *arg);
    /* What was added until mcp_record_flush is stored, or cannot be. */
    void (*stored)(void *arg);
    void *arg;
};

struct mcp_record *mcp_record_new(const struct mcp_record_setup *set,
                                  struct err *e);
/* Ends the run, synced to the disk where something was done. Accepts NULL. */
void mcp_record_free(struct mcp_record *r, bool acted);

/* What their context is told; r is borrowed while it lives. */
struct errand_record mcp_record_of_errands(struct mcp_record *r);

/* Asks for `stored`, which must not be awaited already. It may come before this
 * returns; alone: nothing else is about to end, so that is tried. */
void mcp_record_flush(struct mcp_record *r, bool alone);

/* Records that the call with this id was ended before its end. */
void mcp_record_stopped(struct mcp_record *r, const char *id, const char *why);

#endif
