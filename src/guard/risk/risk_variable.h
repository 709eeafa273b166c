/* SPDX-License-Identifier: GPL-3.0-or-later */
/* risk_variable.h - tracks what the line itself assigns to variables.
 *
 * Two sets are kept for a variable: the values that it may hold at the place
 * that is being read, and all that it ever gets. Words expand to the first.
 * Text that runs more than once or later (a loop, a trap) is read with the
 * second; the line is read again when that set grew too late. Where bash
 * evaluates a name, every value that it ever gets has to be harmless. */
#ifndef GUARD_RISK_RISK_VARIABLE_H
#define GUARD_RISK_RISK_VARIABLE_H

#include "guard/risk/risk_state.h"

/* What a value is read as where bash evaluates it. */
#define RISK_AS_ARITHMETIC 0x1u /* names in turn; subscripts expand */
#define RISK_AS_NUMBER     0x2u /* digits, next to other ones */
#define RISK_AS_NAME       0x4u /* a name, which may have a subscript */

/* NULL: nothing in the line mentions it. */
struct risk_variable *risk_variable_find(const struct risk_state *st,
                                         const char *name, size_t n);
/* Adds it when it is missing. NULL: a bound is met. */
struct risk_variable *risk_variable_add(struct risk_state *st, const char *name,
                                        size_t n);

/* The only value that it can hold here; NULL: not known. */
const struct risk_args *risk_variable_value(struct risk_state *st,
                                            struct risk_variable *v);
/* Whether every value that it may hold here is a number. */
bool risk_variable_is_number(struct risk_state *st, struct risk_variable *v);

/* value NULL: anything. instead: it replaces the values from before. */
void risk_variable_assign(struct risk_state *st, const char *name, size_t n,
                          struct risk_args *value, bool instead);
/* Any variable may hold anything from here on. */
void risk_variable_assign_all(struct risk_state *st);
/* An assignment by a node. It counts for the commands that surely follow the
 * node; behind them the variable is, or may be, what it was before. */
void risk_variable_assign_at(struct risk_state *st, const struct risk_frame *f,
                             const struct syntax_node *node, const char *name,
                             size_t n, struct risk_args *value);
/* Whether what a node does to a variable surely counts for what follows. Where
 * that ends, the variable is saved to be restored. */
bool risk_variable_branch(struct risk_state *st, const struct risk_frame *f,
                          const struct syntax_node *node, const char *name,
                          size_t n);
/* Restores variables whose branch of the frame ends before `at`. */
void risk_variable_leave(struct risk_state *st, const struct risk_frame *f,
                         size_t at);

/* Pushes a variable's values to a list; restores all that were pushed since
 * `until`. */
void risk_variable_save(struct risk_state *st, struct risk_saved **list,
                        const char *name, size_t n, bool surely);
void risk_variable_restore(struct risk_saved **list,
                           const struct risk_saved *until);

/* Whether bash itself makes it an array: DIRSTACK. */
bool risk_variable_is_array(const struct risk_variable *v);
/* The variable is an array, here and in text that repeats. */
void risk_variable_note_list(struct risk_state *st, const char *name, size_t n);
/* From here on every value of a name is evaluated; as: RISK_AS_ bits. */
void risk_variable_evaluate(struct risk_state *st, const char *name, size_t n,
                            unsigned as);

/* Sets a pair of risk_state: `now` from here on, `often` in text that
 * repeats. */
void risk_state_note_change(struct risk_state *st, bool *now, bool *often);

/* The end of the commands that surely run after a node in the same shell: of
 * x=1 && a. */
size_t risk_chain_end(const struct syntax_node *node);
/* The end of the line on which a node's whole command is, when another follows
 * in the same text; else 0. An error in an expansion ends one line, and bash
 * continues with the next. */
size_t risk_line_end(const struct syntax_node *node);
/* Whether a redirection of the node may fail, so that it does not run. */
bool risk_may_be_skipped(const struct risk_state *st,
                         const struct syntax_node *node);

/* What ~ stands for; NULL: not known, or the line assigns HOME. */
const char *risk_home(const struct risk_state *st);

/* How many leading bytes of the text are a name. */
size_t risk_name_length(const char *text);

/* A value of one word: with that text; with a number that is not known. */
struct risk_args *risk_value_of_text(struct risk_state *st, const char *text);
struct risk_args *risk_value_of_number(struct risk_state *st);

#endif
