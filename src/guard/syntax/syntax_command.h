/* SPDX-License-Identifier: GPL-3.0-or-later */
/* syntax_command.h - inside syntax.c: lists, pipelines and commands. */
#ifndef GUARD_SYNTAX_COMMAND_H
#define GUARD_SYNTAX_COMMAND_H

#include "guard/syntax/syntax_parse.h"

/* Where a list ends; what ends it is not taken. */
enum syntax_list_end {
    SYNTAX_LIST_ALL, /* where the source does */
    SYNTAX_LIST_PAREN,
    SYNTAX_LIST_BRACE,
    SYNTAX_LIST_INSIDE, /* a } where a command could stand */
    SYNTAX_LIST_THEN,
    SYNTAX_LIST_DO,
    SYNTAX_LIST_DONE,
    SYNTAX_LIST_FI,   /* elif, else or fi */
    SYNTAX_LIST_ESAC, /* ;; ;& ;;& or esac */
};

/* Leaves the list in p->node; of one command, that alone. NULL: it is
 * empty. */
void syntax_list_push(struct parser *p, enum syntax_list_end end);

/* syntax_command.c: leaves the command in p->node. */
void syntax_command_push(struct parser *p, bool compound_only);
bool syntax_command_is_compound(struct parser *p); /* not a definition */

/* Steps of a command share these. */
struct syntax_node *syntax_node_new(struct parser *p, enum syntax_kind kind,
                                    size_t from);
void syntax_command_kid(struct parser *p, struct frame *f);
void syntax_command_word(struct parser *p, struct frame *f);
void syntax_command_end(struct parser *p, struct frame *f);
void syntax_command_redirects(struct parser *p, struct frame *f);

/* syntax_call.c, syntax_compound.c, …: a command's steps. */
syntax_step syntax_call_step, syntax_if_step, syntax_while_step,
    syntax_for_step, syntax_case_step, syntax_function_step, syntax_group_step,
    syntax_test_step, syntax_coproc_step, syntax_arith_step;

/* syntax_redirect.c: takes an operator and pushes its word, or says that
 * there is none; then takes the word. */
bool syntax_redirect_begin(struct parser *p, struct frame *f);
void syntax_redirect_end(struct parser *p, struct frame *f);

/* syntax_assign.c: takes "name=", "name+=" or "name[…]=" and pushes what
 * follows; then adds the assignment, if name[…] was one. */
bool syntax_assign_begin(struct parser *p, struct frame *f);
void syntax_assign_end(struct parser *p, struct frame *f);

#endif
