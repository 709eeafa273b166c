/* SPDX-License-Identifier: GPL-3.0-or-later */
/* word_scan.h - inside words.c: the state of the cut, and its helpers. */
#ifndef GUARD_WORD_SCAN_H
#define GUARD_WORD_SCAN_H

#include "guard/words.h"

struct word_scan {
    const char *s;
    size_t n, at;
    struct words *out;
    char *text; /* where the next byte of text goes, in out->arena */
    size_t word_cap, part_cap;
    unsigned flags; /* of the word being read */
    size_t word;    /* its index */
    bool nomem;
};

/* Reads the word that begins at sc->at; leaves sc->at behind it. */
void word_scan_word(struct word_scan *sc);

/* Takes the unquoted body of a here-document, [from, to): its expansions. */
void word_scan_body(struct word_scan *sc, size_t from, size_t to);

/* The place behind the quote that closes the one at `open`, n + 1 when none
 * does. A backslash hides a single quote only in $'…'. */
size_t word_nest_single(const struct word_scan *sc, size_t open, bool ansi);
size_t word_nest_backtick(const struct word_scan *sc, size_t open);

/* The place behind the bracket that closes the one at `open`, n and a fault
 * when none does. *inner: behind the first bracket inside it, if any. A case
 * pattern's lone bracket in $(…) ends it too early. */
size_t word_nest_close(struct word_scan *sc, size_t open, size_t *inner);

void word_scan_fault(struct word_scan *sc, size_t at, const char *what);

#define WORD_HEREDOCS_MAX 16 /* on one line; bash's own bound */

struct word_split {
    struct word_scan sc;
    bool at_start;                  /* a command's name may come */
    bool in_test;                   /* between [[ and ]] */
    bool after_for;                 /* "((" begins its header */
    size_t docs[WORD_HEREDOCS_MAX]; /* redirects whose bodies are to come */
    size_t n_docs;
};

/* Begins a token and ends it: what the scanner wrote between is its text. */
struct word *word_split_add(struct word_split *sp, enum word_kind kind,
                            size_t from);
void word_split_end(struct word_split *sp, size_t index);
void word_split_put(struct word_scan *sc, size_t from, size_t to);

/* The row of a table that stands at `at`, NULL when none does. */
const char *word_split_match(const struct word_scan *sc, size_t at,
                             const char *const *rows, size_t n);
#define WORD_SPLIT_MATCH(sc, at, rows)                                         \
    word_split_match(sc, at, rows, sizeof(rows) / sizeof((rows)[0]))

/* Takes a redirection's operator; false when none stands there. */
bool word_split_redirect(struct word_split *sp);

/* Takes the bodies of the here-documents, at the start of the next line. */
void word_split_bodies(struct word_split *sp);

#endif
