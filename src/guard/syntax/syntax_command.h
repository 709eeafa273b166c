/* SPDX-License-Identifier: GPL-3.0-or-later */
/* syntax_command.h - the grammar of lists, pipelines, commands, assignments
 * and redirections; private to this folder. */
#ifndef GUARD_SYNTAX_SYNTAX_COMMAND_H
#define GUARD_SYNTAX_SYNTAX_COMMAND_H

#include "guard/syntax/syntax_parse.h"

/* What ends a list. The list does not consume it. */
enum syntax_list_end {
    SYNTAX_LIST_ALL, /* the end of the source */
    SYNTAX_LIST_PAREN,
    SYNTAX_LIST_BRACE,
    SYNTAX_LIST_INSIDE, /* a } where a command could begin */
    SYNTAX_LIST_THEN,
    SYNTAX_LIST_DO,
    SYNTAX_LIST_DONE,
    SYNTAX_LIST_FI,   /* elif, else or fi */
    SYNTAX_LIST_ESAC, /* ;; ;& ;;& or esac */
};

/* Reads a list into p->node. A list of one command gives that command; an
 * empty one NULL. */
void syntax_list_push(struct syntax_parser *p, enum syntax_list_end end);

/* Reads one command into p->node. */
void syntax_command_push(struct syntax_parser *p, bool compound_only);
/* Whether a compound command is ahead that is not a definition. */
bool syntax_command_is_compound(struct syntax_parser *p);

/* For the steps of a command. */
struct syntax_node *syntax_node_new(struct syntax_parser *p,
                                    enum syntax_kind kind, size_t from);
/* Links p->node as the command's next kid, p->word as its next word. */
void syntax_command_kid(struct syntax_parser *p, struct syntax_frame *f);
void syntax_command_word(struct syntax_parser *p, struct syntax_frame *f);
/* The command is complete: it becomes p->node, and the frame is popped. */
void syntax_command_end(struct syntax_parser *p, struct syntax_frame *f);
/* The same of a compound command, behind which redirections may follow. */
void syntax_command_redirects(struct syntax_parser *p, struct syntax_frame *f);

/* Compound commands, behind their first reserved word; (( … )) in front of
 * its brackets. */
syntax_step syntax_if_step, syntax_while_step, syntax_for_step,
    syntax_case_step, syntax_function_step, syntax_group_step, syntax_test_step,
    syntax_coproc_step, syntax_arith_step;
/* A simple command. */
syntax_step syntax_call_step;

/* Consumes a redirection operator and pushes its word; false: none is ahead.
 * The end function links the redirection with the word. */
bool syntax_redirect_begin(struct syntax_parser *p, struct syntax_frame *f);
void syntax_redirect_end(struct syntax_parser *p, struct syntax_frame *f);

/* Consumes "name=", "name+=" or "name[…]=" and pushes the value; false: none
 * is ahead. The end function links the assignment, if name[…] was one. */
bool syntax_assign_begin(struct syntax_parser *p, struct syntax_frame *f);
void syntax_assign_end(struct syntax_parser *p, struct syntax_frame *f);

/* To be called behind a newline: finds the bodies of the here-documents that
 * wait for one and continues behind them. Expansions in a body are read later,
 * by syntax_heredoc_read. */
void syntax_heredoc_bodies(struct syntax_parser *p);
/* For the driver: reads the next body that was found. */
void syntax_heredoc_read(struct syntax_parser *p);

#endif
