/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fill_place.h - inside fill*.c: where in a template a value stands.
 *
 * A value is quoted for each that reads it: the quotes of the template, the
 * pattern or string inside them, and the shell that a program hands its words
 * to once more (sh -c, ssh, watch, a line of cron). */
#ifndef OFFLINE_FILL_PLACE_H
#define OFFLINE_FILL_PLACE_H

#include "offline/wish/fill.h"

#define FILL_WORD_MAX (8 * REQUEST_BYTES_MAX) /* quoted for two shells */

/* What the quotes of the template make of a place in it. */
struct fill_quotes {
    char around;  /* the shell's own: ' or " or NUL */
    size_t open;  /* where that quote is */
    bool string;  /* inside, an odd number of " : a string of awk or jq */
    char divider; /* inside, what ends a pattern: the / of s/a/b/ */
    size_t start; /* where the command begins that the place belongs to */
};

struct fill_quotes fill_quotes(const struct fill_place *at);
bool fill_is_quoted(const struct fill_place *at);
/* Whether a word begins there. */
bool fill_begins_word(const struct fill_place *at);

/* Calls word for each word before the place, of its command, the one that the
 * place is in last and as far as it goes; true ends it. */
bool fill_words(const struct fill_place *at,
                bool (*word)(void *arg, const char *word, size_t n), void *arg);

/* fill_inside.c: appends the text as the quotes around the place want it. */
void fill_inside(struct buf *out, enum slot_type slot, const char *text,
                 const struct fill_place *at);

enum fill_reader {
    FILL_READER_NONE,
    FILL_READER_SHELL, /* what stands there is read by another shell too */
    FILL_READER_CRON,  /* a line of a crontab: the same, and % ends it */
};

/* Who reads that place again. What is a command itself ("sh -c {text}") is
 * nobody's word. */
enum fill_reader fill_reader(enum slot_type slot, const struct fill_place *at);

/* Appends a word of that reader's shell as a word of ours. */
void fill_for_reader(struct buf *out, enum fill_reader reader,
                     const char *word);
/* The same with what the reader itself needs alone. */
void fill_escape(struct buf *out, enum fill_reader reader, const char *word);

/* Whether a command is given there that a shell is to run as it is. */
bool fill_is_command(enum slot_type slot, const struct fill_place *at);

/* Whether it begins a line that a shell reads: echo {path} | at now. */
bool fill_is_job(const struct fill_place *at);

/* Whether the command looks for a text, and knows -e. */
bool fill_searches(const struct fill_place *at);
/* fill_form.c: and that must stand there, if the text begins with a dash. */
bool fill_wants_e(const struct fill_place *at);

#endif
