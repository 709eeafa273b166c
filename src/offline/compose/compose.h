/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compose.h - commands made to measure, where no template reaches.
 *
 * compose/ holds a composer a family of programs (find, grep, sort and its
 * friends, tar, ps …). Each reads a request (wish/request.h) for what its
 * program can say (find's tests and actions; the columns that cut takes) and
 * adds commands to the shortlist, with the words that it has made use of. It
 * knows nothing of recipes and of ranking: whether its command wins is decided
 * in wish/rank.c, by the words used, the fit and what recipes say. What can
 * fail: memory. A composer that does not apply adds nothing. */
#ifndef OFFLINE_COMPOSE_H
#define OFFLINE_COMPOSE_H

#include "offline/wish/shortlist.h"

struct composer {
    const char *name; /* "find": what a recipe's `compose find` row means */
    int (*compose)(const struct request *q, struct shortlist *s, struct err *e);
};

/* The table of all of them; ends with a name of NULL (compose.c). */
const struct composer *composer_all(void);

/* ---- what composers share ---- */

/* Appends a word for the shell: bare where that is safe, else in quotes. A
 * path that begins with ~ or $NAME keeps that part bare. */
void compose_word(struct buf *out, const char *text);
/* Always in single quotes, unless it holds a $: '*.txt'. */
void compose_quoted(struct buf *out, const char *text);

/* compose_tail.c: what is done with lines that a command lists. Appends
 * "| wc -l", "| sort -rn | head -n 5", "> list.txt" as the request says,
 * leaving alone the words in *used, and adds what it read to *used. Returns
 * whether it appended anything. */
bool compose_tail(const struct request *q, uint64_t *used, struct buf *out);

/* compose_place.c: where the work is done: "under /var/log", "in the current
 * directory", "~/src", "the home directory"; "." when it says nothing. Several
 * places are several words. Adds the words to *used. */
void compose_places(const struct request *q, uint64_t *used, struct buf *out);

#endif
