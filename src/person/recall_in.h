/* SPDX-License-Identifier: GPL-3.0-or-later */
/* recall_in.h - what the parts of recall.h share. */
#ifndef PERSON_RECALL_IN_H
#define PERSON_RECALL_IN_H

#include "person/recall.h"
#include "record/journal_read.h"
#include "json/write.h"

#define RECALL_MAX                                                             \
    (64u << 20) /* of text: a run's rows, each byte an escape                  \
                 */

/* The verb of a run that is calls of tools alone (agentsh tool call). */
#define RECALL_TOOL "tool"

/* A run in one line. Strings are owned; "" where nothing is known. */
struct recall_item {
    char *run, *verb, *text, *why, *directory;
    unsigned words; /* a bit each of the words of RECALL_WORDS_MAX found */
    char time[40];  /* of its first row, as stored */
    int64_t steps;  /* that ran */
    int64_t ms;
    int64_t status; /* -1: it has no end */
    bool inserted;  /* the person took it to their own prompt */
};
void recall_item_done(struct recall_item *item); /* accepts NULL */
/* words: looked for in it, n of them, whatever their case. */
int recall_item_read(struct journal_reader *h, const char *run,
                     const char *const *words, size_t n,
                     struct recall_item *item, struct err *e);

#define RECALL_WORDS_MAX 16

/* What became of it, as --status names it: "ran", "failed", "shown" (nothing
 * was to run here), "denied", "stopped" (by the person, or because the terminal
 * went), "unfinished". */
const char *recall_status(const struct recall_item *item);

/* How long ago, in at most four letters: "now", "5m", "3h", "2d"; "?". */
void recall_age(const char *time, int64_t now_s, char out[8]);
/* The day of a stored time here: "Today", "Yesterday", "2026-01-02". */
void recall_day(const char *time, int64_t now_s, char out[16]);

/* How it ended, in a word: "done", "denied", "unfinished" … */
const char *recall_outcome(int64_t status);

/* A stored time here and now, "2026-01-02 03:04:05"; "?" for what is none. */
#define RECALL_TIME_SIZE 64
#define RECALL_MINUTES   16 /* bytes of it, without the seconds */
const char *recall_time(const char *time, char out[RECALL_TIME_SIZE]);

/* A row as JSON; its body as it is, or as a text when it is none. */
void recall_row_json(struct json_writer *w, const struct ledger_row *r);

/* A row as lines. */
void recall_row_text(struct buf *out, const struct term *t,
                     const struct ledger_row *r);

#endif
