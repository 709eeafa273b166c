/* SPDX-License-Identifier: GPL-3.0-or-later */
/* risk_variable.h - what the line itself says of its variables.
 *
 * A variable's values are kept twice: those that it may hold at the place that
 * is being read, and all that it ever gets. The first are for words that are
 * expanded; what runs more than once or later (a loop, a trap) is read with
 * the second, for which the line is read again when it has to be. Where bash
 * evaluates a name, all that it ever gets has to be harmless. */
#ifndef GUARD_RISK_VARIABLE_H
#define GUARD_RISK_VARIABLE_H

#include "guard/risk/risk_state.h"

/* What a value is read as where bash evaluates it. */
#define RISK_AS_ARITHMETIC 0x1u /* names in it in turn, subscripts expanded */
#define RISK_AS_NUMBER     0x2u /* as digits, beside others */
#define RISK_AS_NAME       0x4u /* as a name, which may have a subscript */

/* The variable; NULL: nothing in the line says anything of it. */
struct risk_variable *risk_variable(const struct risk_state *st,
                                    const char *name, size_t n);

/* What it holds here and surely; NULL: nobody knows. */
const struct risk_args *risk_variable_value(struct risk_state *st,
                                            struct risk_variable *v);
/* Whether all that it may hold here are numbers. */
bool risk_variable_is_number(struct risk_state *st, struct risk_variable *v);

/* value NULL: anything. instead: of what it held before. */
void risk_assign(struct risk_state *st, const char *name, size_t n,
                 struct risk_args *value, bool instead);
/* Whether bash itself makes it one: DIRSTACK. */
bool risk_variable_is_array(const struct risk_variable *v);
/* The variable is an array, here and in what repeats. */
void risk_variable_note_list(struct risk_state *st, const char *name, size_t n);
/* Something holds from here on; in what repeats, from the beginning. */
void risk_note_change(struct risk_state *st, bool *now, bool *often);
/* Any variable may hold anything from here on. */
void risk_assign_all(struct risk_state *st);

/* From here on all values of a name are read as RISK_AS_ bits. */
void risk_evaluate_name(struct risk_state *st, const char *name, size_t n,
                        unsigned as);

/* The same by a node: for the commands behind it as far as it surely comes
 * before them; behind that the variable is, or may be, what it was. */
void risk_assign_at(struct risk_state *st, const struct risk_frame *f,
                    const struct syntax_node *node, const char *name, size_t n,
                    struct risk_args *value);
/* Whether what a node does to a variable surely holds for what follows, as far
 * as risk_assign_at() says; there it is what it was again. */
bool risk_variable_branch(struct risk_state *st, const struct risk_frame *f,
                          const struct syntax_node *node, const char *name,
                          size_t n);
/* Where those end that surely run when a node does, in the same shell: of
 * x=1 && a. */
size_t risk_chain_end(const struct syntax_node *node);
/* Where the line ends on which the whole command stands that a node is of, when
 * another follows in the same text; else 0. An error in an expansion ends one
 * line, and bash goes on with the next. */
size_t risk_line_end(const struct syntax_node *node);
/* Whether a redirection of the node may fail, which leaves it out. */
bool risk_may_be_left_out(const struct risk_state *st,
                          const struct syntax_node *node);
/* Behind what ends before `at` of a frame. */
void risk_variable_leave(struct risk_state *st, const struct risk_frame *f,
                         size_t at);

/* Keeps what a variable holds in a list, and gives all that was kept since
 * then back. */
void risk_variable_save(struct risk_state *st, struct risk_saved **list,
                        const char *name, size_t n, bool surely);
void risk_variable_restore(struct risk_saved **list,
                           const struct risk_saved *until);

/* Adds it when it is not there. NULL: no more. */
struct risk_variable *risk_variable_get(struct risk_state *st, const char *name,
                                        size_t n);

/* What ~ stands for; NULL: not known, or the line sets another. */
const char *risk_home(const struct risk_state *st);

/* How many bytes of the text are a name. */
size_t risk_name_length(const char *text);

/* A lone argument with a text that is known; with a number that is not. */
struct risk_args *risk_value(struct risk_state *st, const char *text);
struct risk_args *risk_value_number(struct risk_state *st);

#endif
