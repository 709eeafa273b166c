/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mdoc_words.h - inside mdoc_read.c: what a macro line says in plain text. */
#ifndef OFFLINE_MDOC_WORDS_H
#define OFFLINE_MDOC_WORDS_H

#include "offline/manual/roff.h"

#define MDOC_OPEN_MAX 16

struct mdoc_words {
    struct buf line;                 /* what came out so far */
    char name[64];                   /* of the page, for .Nm */
    bool glue;                       /* no blank before the next word */
    bool unspaced;                   /* .Sm off */
    const char *shut[MDOC_OPEN_MAX]; /* of .Op, .Dq, … at the line's end */
    size_t n_shut;
};

void mdoc_words_init(struct mdoc_words *w);
void mdoc_words_done(struct mdoc_words *w);
void mdoc_words_set_name(struct mdoc_words *w, const char *name);

/* Appends what the words mean, macros among them called, to w->line. */
void mdoc_words_add(struct mdoc_words *w, struct roff *r,
                    const char *const *args, size_t n);

#endif
