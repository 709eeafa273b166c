/* SPDX-License-Identifier: GPL-3.0-or-later */
/* line_query.h - asks `agentsh line` about the edited line.
 *
 * The child has no terminal; it is ended with its whole group when the query is
 * freed. */
#ifndef FRONTEND_REPL_LINE_QUERY_H
#define FRONTEND_REPL_LINE_QUERY_H

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/loop.h"

struct line_query;

struct line_query_start {
    const char *line, *cwd, *session;
    bool explains;             /* not a command: what the line means */
    const struct buf *environ; /* NAME=value fields */
    const char *aliases;       /* lines NAME=TEXT */
    int columns, rows;
};

/* Is called once; it may free the query. command: to be put in the place of the
 * line; NULL: none. below: lines to be shown; "": none. */
typedef void line_query_done(void *arg, const char *command, const char *below);

struct line_query *line_query_new(struct loop *l,
                                  const struct line_query_start *start,
                                  line_query_done *done, void *arg,
                                  struct err *e);
void line_query_free(struct line_query *q); /* accepts NULL */
DEFINE_CLEANUP(struct line_query, line_query_free)

#endif
