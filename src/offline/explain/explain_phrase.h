/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain_phrase.h - what a command does, in pieces that a pipeline can join.
 *
 * A phrase is "lists" + "the" + "files" + " below ." + ", by name". The phrase
 * of one command is the input of the next one in a pipeline, which can so say
 * it in fewer words: "lists the ten largest files below .".
 * explain_phrase.c makes the phrase of any command, explain_template.c by the
 * sentences of manual/tables/ (its README has their language), and
 * explain_sentence.c joins phrases to the sentence about a line. */
#ifndef OFFLINE_EXPLAIN_EXPLAIN_PHRASE_H
#define OFFLINE_EXPLAIN_EXPLAIN_PHRASE_H

#include "offline/explain/explain_fact.h"

#define PHRASE_PART_MAX 512 /* bytes of a piece; nobody reads a longer one */
#define PHRASE_COLUMNS  12

/* What a column of the output holds, for a sort that follows. */
enum phrase_key {
    KEY_NONE,
    KEY_SIZE,
    KEY_TIME,
    KEY_COUNT,
    KEY_CPU,
    KEY_MEMORY,
};

struct phrase {
    struct buf verb;   /* "lists"; the whole phrase where there is no noun */
    struct buf noun;   /* "files", or "what URL answers" when many is false */
    struct buf rest;   /* " below ." */
    struct buf tail;   /* ", into a.txt" */
    bool many;         /* the noun is a plural: "the files", one a line */
    const char *order; /* "largest": the lines are sorted so; or NULL */
    enum phrase_key columns[PHRASE_COLUMNS];
};

void phrase_init(struct phrase *p);
void phrase_done(struct phrase *p); /* accepts NULL */

/* Whether the phrase names something that the next command can work on. */
bool phrase_has_thing(const struct phrase *p);

/* Appends the thing, "the files below ."; or as lines of text, "the lines of
 * what URL answers". */
void phrase_thing(const struct phrase *p, struct buf *out);
void phrase_lines(const struct phrase *p, struct buf *out);

/* Appends the whole phrase. */
void phrase_write(const struct phrase *p, struct buf *out);

/* The same in another language, whose articles the table has. */
void phrase_write_plain(const struct explainer *x, const struct phrase *p,
                        struct buf *out);

/* What a phrase is made of. */
struct phrase_context {
    const struct explainer *x;
    const struct fact *f;             /* the command */
    const struct fact_option *option; /* of a V row; else NULL */
    const struct phrase *in; /* what the command reads; NULL: no pipe */
    const struct phrase
        *each;        /* what {}, or more operands, stand for; or NULL */
    const char *mark; /* what xargs -I puts in place of {}; or NULL */
    bool append;      /* as xargs does: `each` are operands behind the others */
    bool each_used;   /* set when the phrase names `each` */
    bool in_used;     /* set when the phrase names `in` */
    struct phrase *out;
};

/* Writes the phrase of a command in s->out, which is empty. It uses the table's
 * sentence, and names the command where there is none. */
void phrase_of_call(struct phrase_context *s);

/* Appends a word as a sentence shows it: without quotes, and shortened. */
void phrase_word(const struct explainer *x, size_t base,
                 const struct syntax_word *w, struct buf *out);

/* Appends where the output of a command goes: ", and writes that into a.txt".
 * text: the sentence ends with a text that is written, so that " into a.txt"
 * is enough. */
void phrase_redirects(const struct explainer *x, const struct syntax_node *node,
                      bool text, struct buf *out);

/* Whether the standard output of the command goes into a file. */
bool phrase_writes_file(const struct syntax_node *node);

/* Appends what redirections do that stand without a command, or with exec.
 * Returns false when there is a command. */
bool phrase_redirects_alone(const struct explainer *x,
                            const struct syntax_node *node, struct buf *out);

/* In explain_template.c. */

/* Writes the phrase by the first sentence of the command's table whose
 * conditions hold. Returns false when there is none. */
bool template_render(struct phrase_context *s);

/* Appends a text of a table with its gaps filled. Returns false when a
 * condition does not hold, or when nothing fits a gap. */
bool template_text(struct phrase_context *s, const char *conditions,
                   const char *form, struct buf *out);

/* Fills one gap: p[0..n) is "a|b|=c" without its braces, alternatives of which
 * the first that has a value is appended. Returns false when none has. */
bool template_fill(struct phrase_context *s, const char *p, size_t n,
                   struct buf *out);

/* Appends the part of what a sed or awk program does that the form asks for:
 * "sed" gives ", with a made b", "fields" gives "field 1". Returns false when
 * the program does not do that, or is not understood. */
bool script_part(const char *form, const char *text, struct buf *out);

/* Appends the whole of what a program in that language does: "the lines, with
 * every a made b". quiet: sed has -n. */
bool script_meaning(const char *language, const char *text, bool quiet,
                    struct buf *out);

/* In explain_value.c. */

/* Appends a value in words: form "days" makes "in the last 7 days" of -7.
 * Returns false when the form is not known or the value does not have it. */
bool value_render(const struct explainer *x, const char *form,
                  const char *value, struct buf *out);
void value_number(long long n, struct buf *out);  /* "ten", "250" */
void value_ordinal(long long n, struct buf *out); /* "second", "21st" */

/* "largest" or "smallest", and the opposite of such a word; NULL when there is
 * none. */
const char *value_key_order(enum phrase_key key, bool down);
const char *value_key_other_end(const char *order);

/* Fills out->columns from a format as find -printf and stat -c take it. */
void value_key_of_format(const char *format, struct phrase *out);

/* Appends who receives a signal when the operand of kill stands for more than
 * one process: 0, -1 and -42 do. Returns false for every other operand. */
bool value_signal_group(const struct explainer *x, const char *operand,
                        struct buf *out);

/* In explain_sentence.c. */

/* One sentence about a whole command line, which the caller frees. NULL when
 * it would say no more than the parts, or when something in the line cannot be
 * explained. */
char *explain_sentence_of(const struct explain_scope *s);

#endif
