/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_exchange.h - sends a request to the plugin that is checked, and awaits
 * its answer. */
#ifndef TOOL_CHECK_CHECK_EXCHANGE_H
#define TOOL_CHECK_CHECK_EXCHANGE_H

#include "tool/check/check_report.h"
#include "tool/plugin_process.h"
#include "tool/protocol.h"

/* The answer to a request. */
struct check_reply {
    struct protocol_message response;
    size_t outputs; /* output events before it */
    int64_t ms;
    char came[256]; /* a description for a report */
};
void check_reply_done(struct check_reply *r);

struct check_request {
    const char *tool;   /* NULL: the plugin's name */
    const char *action; /* NULL: one that the plugin does not have */
    const char *args;   /* JSON text */
    bool stream;
};
/* Appends a request line with a new id. */
void check_write_request(struct check *t, const struct check_request *rq,
                         struct buf *out);

/* Sends a line and awaits the answer; the process is started if none is there.
 * -1: no valid answer came; e says what came instead. action: whose meta is
 * checked; NULL: none. */
int check_exchange(struct check *t, const struct buf *line, bool stream,
                   const struct manifest_action *action, struct check_reply *r,
                   struct err *e);
/* The same for a line that is no request, whose answer needs no id. */
int check_exchange_stray(struct check *t, const struct buf *line,
                         struct check_reply *r, struct err *e);
/* Awaits the next answer of a persistent process that was sent several
 * requests. */
int check_await_answer(struct check *t, int64_t id, struct check_reply *r,
                       struct err *e);
/* Starts a process, if none is there. */
int check_start_process(struct check *t, struct err *e);
/* Reports its log and what the sandbox denied it, and ends it. */
void check_end_process(struct check *t);

/* Below that: the lines to the process and from it. */

void check_lines_free(struct check_lines *t); /* ends its tree; accepts NULL */
DEFINE_CLEANUP(struct check_lines, check_lines_free)

/* Sends bytes, which may hold several lines, the last without its newline.
 * last: its input is closed then. */
int check_lines_send(struct check_lines *t, const char *bytes, size_t n,
                     bool last, struct err *e);
void check_lines_end_input(struct check_lines *t);

/* Whether its process ends within ms. What it writes meanwhile is kept. */
bool check_lines_ended(struct check_lines *t, int64_t ms, const int *stop);

#endif
