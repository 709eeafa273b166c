/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain_state.h - what the files of explain/ share while they read one line.
 *
 * explain_script.c walks the syntax tree of a command line and calls, for each
 * node, the file that explains its kind: explain_call.c for a command,
 * explain_shell.c for redirections and operators, explain_expansion.c for what
 * the shell puts in place of words. Each adds parts through explain_add(). A
 * word that is a command line of its own (bash -c,
 * $(...)) goes back to explain_line_within(): this is the recursion of the
 * grammar, bounded by the two limits below.
 * Out of memory is remembered in struct explainer and reported once, by
 * explain_line(); the functions here go on with less. */
#ifndef OFFLINE_EXPLAIN_EXPLAIN_STATE_H
#define OFFLINE_EXPLAIN_EXPLAIN_STATE_H

#include "guard/syntax/syntax.h"
#include "offline/explain/explain.h"
#include "offline/manual/knowledge.h"

/* Limits of nesting: command lines inside one another (substitutions, bash
 * -c), and commands that run commands (sudo env nice ...) in one line. */
#define EXPLAIN_DEPTH_MAX 8
#define EXPLAIN_CALLS_MAX 16

struct fact;
struct fact_option;

/* The state of one explain_line(). */
struct explainer {
    const char *line;
    struct explain *out;
    struct fact *facts; /* the newest first (explain_fact.h) */
    char *sentence;     /* for the command line that was read last; or NULL */
    size_t cap;         /* room in out->parts */
    struct knowledge known;
    unsigned depth; /* of nested command lines */
    unsigned calls; /* commands that run commands, so far */
    bool nomem;
};

/* A range of the line that is a command line itself. Positions in its syntax
 * tree are relative: add `base` for a position in the whole line. */
struct explain_scope {
    struct explainer *x;
    const struct syntax *s;
    size_t base;
    const struct syntax_node *function; /* the first that it defines, or NULL */
    const struct syntax_word **heredocs; /* the bodies, sorted by position */
    size_t n_heredocs;
    bool mapped; /* words are not bytes of the line: `...` with backslashes */
};

/* A command and its arguments; argv[0] is its name. */
struct explain_command {
    const struct explain_scope *s;
    const struct syntax_word *const *argv;
    size_t n;
};

/* In explain_parts.c: parts. */

/* A text of ours for who reads the explanation. */
const char *explain_words(const struct explainer *x, const char *text)
    __attribute__((format_arg(2)));

/* Adds a part over bytes [from, to) of the line. `what` is its spelling, NULL
 * for those bytes; fmt is printf's and makes the meaning, in the language of
 * who reads it. Returns NULL without
 * memory, or when there are EXPLAIN_PARTS_MAX parts. */
struct explain_part *explain_add(struct explainer *x, enum explain_kind kind,
                                 size_t from, size_t to, const char *what,
                                 const char *fmt, ...)
    __attribute__((format(printf, 6, 7)));

/* The same over a word of a scope. */
struct explain_part *
explain_add_word(const struct explain_scope *s, const struct syntax_word *w,
                 enum explain_kind kind, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* The text of b as one line of valid UTF-8, which the caller frees: b may hold
 * bytes of the line, and a name that was cut may end inside a character. The
 * marks around the name of a value (page.h) are removed. NULL without memory,
 * or when b is bad. */
char *explain_one_line(const struct buf *b);

/* Replaces the meaning of a part; does nothing when there is no such part. */
void explain_replace_meaning(struct explainer *x, size_t part,
                             const struct buf *meaning);

/* Marks a part as not known. Accepts NULL. */
void explain_unknown(struct explain_part *p);

/* In explain_script.c: command lines. */

/* Explains bytes [from, to) of the line as a command line, one level deeper.
 * Afterwards x->sentence is its sentence, or NULL when there is none. */
void explain_line_within(struct explainer *x, size_t from, size_t to);

/* The same for the text of a word. Returns false when the quotes of the word
 * do not leave its text as bytes of the line. */
bool explain_word_as_line(const struct explain_scope *s,
                          const struct syntax_word *w);

/* Adds parts for the operators and reserved words in bytes [from, to) of the
 * scope, which lie inside `node` (NULL: in none). Comments and here-documents
 * are skipped. */
void explain_operators(const struct explain_scope *s,
                       const struct syntax_node *node, size_t from, size_t to);

/* In explain_call.c: commands. */

/* Explains a command, its options and operands. Returns what was found out
 * about it, owned by the explainer, or NULL. */
struct fact *explain_call(const struct explain_command *c);

/* Explains a call of a function that the line defines. Returns false when it
 * is not one. */
bool explain_function_call(const struct explain_command *c);

/* Rewrites the meaning of options for which a table has a sentence with their
 * value (explain_template.c). Accepts NULL. */
void explain_precise(struct explainer *x, const struct fact *f);

/* In explain_shell.c: the shell's own language. */

/* Adds a part for the operator or reserved word at `from`, which lies inside
 * `node` (NULL: in none), and sets *to behind it. *to is the end of the text
 * before. Returns false when there is none. */
bool explain_operator(const struct explain_scope *s,
                      const struct syntax_node *node, size_t from, size_t *to);

/* Whether the text is a reserved word of bash. */
bool explain_is_keyword(const char *text);

/* Whether the word reads as NAME=VALUE. */
bool explain_is_assignment(const struct syntax_word *w);

void explain_redirect(const struct explain_scope *s,
                      const struct syntax_redirect *r);
void explain_assignment(const struct explain_scope *s,
                        const struct syntax_assign *a);

/* Adds a part for each variable, substitution and pattern in the words of a
 * command (explain_expansion.c). */
void explain_expansions(const struct explain_scope *s,
                        const struct syntax_node *node);

/* The meaning of a signal or of a condition of trap, by name ("TERM",
 * "SIGTERM", "EXIT") or number; NULL when it is not known. */
const char *explain_signal(const char *name);

/* In explain_risk.c. */

/* Asks the guard what is dangerous in the line. Returns -1 without memory. */
int explain_risk_read(const struct seat *s, const char *line,
                      struct explain_risk *out);

#endif
