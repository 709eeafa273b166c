/* SPDX-License-Identifier: GPL-3.0-or-later */
/* recall_in.h - what the parts of recall.h share. */
#ifndef PERSON_RECALL_IN_H
#define PERSON_RECALL_IN_H

#include "person/recall.h"
#include "record/history.h"
#include "json/write.h"

#define RECALL_MAX                                                             \
    (64u << 20) /* of text: a run's rows, each byte an escape                  \
                 */

/* The verb of a run that is calls of tools alone (agentsh tool call). */
#define RECALL_TOOL "tool"

/* A run in one line. Strings are owned; "" where nothing is known. */
struct recall_item {
    char *run, *verb, *text, *why;
    char time[40]; /* of its first row, as stored */
    int64_t steps; /* that ran */
    int64_t ms;
    int64_t status; /* -1: it has no end */
};
void recall_item_done(struct recall_item *item); /* accepts NULL */
int recall_item_read(struct history *h, const char *run,
                     struct recall_item *item, struct err *e);

/* How it ended, in a word: "done", "denied", "unfinished" … */
const char *recall_outcome(int64_t status);

/* A stored time here and now, "2026-01-02 03:04:05"; "?" for what is none. */
#define RECALL_TIME_SIZE 64
#define RECALL_MINUTES   16 /* bytes of it, without the seconds */
const char *recall_time(const char *time, char out[RECALL_TIME_SIZE]);

/* A row as JSON; its body as it is, or as a text when it is none. */
void recall_row_json(struct json_writer *w, const struct chain_row *r);

/* A row as lines. */
void recall_row_text(struct buf *out, const struct term *t,
                     const struct chain_row *r);

#endif
