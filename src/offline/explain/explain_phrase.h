/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain_phrase.h - what a command does, said so that it can be gone on.
 *
 * "lists" "the" "files" "below ." ", by name": a pipeline is said by giving
 * what one command makes to the phrase of the next, which may say it in
 * fewer words: "lists the ten largest files below .". */
#ifndef OFFLINE_EXPLAIN_PHRASE_H
#define OFFLINE_EXPLAIN_PHRASE_H

#include "offline/explain/explain_fact.h"

#define PHRASE_PART_MAX 512 /* bytes; a longer sentence tells nobody more */
#define PHRASE_COLUMNS  12

/* What a column of the output is, for those who sort by it. */
enum phrase_key {
    KEY_NONE,
    KEY_SIZE,
    KEY_TIME,
    KEY_COUNT,
    KEY_CPU,
    KEY_MEMORY,
};

struct phrase {
    struct buf verb;   /* "lists"; all of it where nothing is made */
    struct buf noun;   /* "files"; "what URL answers" unless it is many */
    struct buf rest;   /* " below ." */
    struct buf tail;   /* ", into a.txt" */
    bool many;         /* "the" noun rest, one a line */
    const char *order; /* "largest": of which the first comes first */
    enum phrase_key columns[PHRASE_COLUMNS];
};

void phrase_init(struct phrase *p);
void phrase_done(struct phrase *p); /* accepts NULL */
bool phrase_has_thing(const struct phrase *p);

/* Appends "the files below ."; what a line of text is made of: "the lines of
 * what URL answers". */
void phrase_thing(const struct phrase *p, struct buf *out);
void phrase_lines(const struct phrase *p, struct buf *out);

/* Appends the sentence. */
void phrase_write(const struct phrase *p, struct buf *out);

/* What is said of, and with what. */
struct sayer {
    const struct explainer *x;
    const struct fact *f;
    const struct fact_option *option; /* a ? row's; else NULL */
    const struct phrase *in;   /* what it reads; NULL: nothing before it */
    const struct phrase *each; /* what {} or more operands stand for; NULL */
    const char *mark;          /* xargs -I's, in place of {}; NULL */
    bool append;               /* … as with xargs: the operands have no {} */
    bool each_used;
    bool in_used; /* the sentence says what it reads */
    struct phrase *out;
};

/* Says a call by its table's sentences; false when none fits. */
bool template_say(struct sayer *s);

/* Appends a text of our tables with its gaps filled; false when a condition
 * does not hold or a gap has nothing. */
bool template_text(struct sayer *s, const char *conditions, const char *form,
                   struct buf *out);

/* Fills a gap of a sentence, {a|b|=c} without its braces: the first of them
 * that is there; false when none is. */
bool template_fill(struct sayer *s, const char *p, size_t n, struct buf *out);

/* Appends a word as a sentence shows it: without quotes, and not long. */
void phrase_word(const struct explainer *x, size_t base,
                 const struct syntax_word *w, struct buf *out);

/* Says sort, uniq, head, tail and wc of what they read; false: none such. */
bool filter_say(struct sayer *s);

/* Says a call in any case, in out, which is clean. */
void say_call(struct sayer *s);

/* Appends a value as a person says it: "days" makes "in the last 7 days" of
 * -7; false when there is no such form or the value has none. */
bool value_say(const char *form, const char *value, struct buf *out);
void value_number(long n, struct buf *out);  /* "ten", "250" */
void value_ordinal(long n, struct buf *out); /* "second", "21st" */

/* Appends a part of what a small program in sed's or awk's language does, as
 * the form asks for it ("sed": ", with a made b"; "fields": "field 1"); false
 * where it does not do that, or is none of the simple ones. */
bool script_part(const char *form, const char *text, struct buf *out);

/* The same for a reader of the parts: "the lines, with every a made b"; quiet:
 * only what a script of sed writes by a command. */
bool script_meaning(const char *language, const char *text, bool quiet,
                    struct buf *out);

/* "largest" or "smallest"; the other end; NULL for no key. */
const char *key_order(enum phrase_key key, bool down);
const char *key_other_end(const char *order);

/* The columns that a format writes, as find's -printf or stat's. */
void key_of_format(const char *format, struct phrase *out);

/* Appends where a command's output goes, ", and writes that into a.txt";
 * `text`: the sentence says "writes", and ends with what is in out. */
void redirects_say(const struct syntax_node *node, bool text, struct buf *out);
bool redirects_to_file(const struct syntax_node *node);

/* Appends what redirections do without a command, or for exec; false: there
 * is a command. */
bool redirects_alone(const struct syntax_node *node, struct buf *out);

/* One sentence for a whole line; NULL: not better than its parts. */
char *summary_of(const struct scope *s);

#endif
