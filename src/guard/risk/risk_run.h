/* SPDX-License-Identifier: GPL-3.0-or-later */
/* risk_run.h - from nodes to calls, from calls to what they mean and run. */
#ifndef GUARD_RISK_RUN_H
#define GUARD_RISK_RUN_H

#include "guard/risk/risk_args.h"
#include "guard/risk/risk_state.h"

/* risk_walk.c: reads every command of a frame. */
void risk_walk(struct risk_state *st, const struct risk_frame *f);
/* Reads a text for a shell as a frame inside f. known: it has no expansion
 * that nobody can know. */
void risk_walk_text(struct risk_state *st, const struct risk_frame *f,
                    const char *text, bool known);

/* The same of a text that runs at some later time, once or often. */
void risk_walk_later(struct risk_state *st, const struct risk_frame *f,
                     const char *text, bool known);
/* At the end of the line: once more with what was defined since. */
void risk_walk_deferred(struct risk_state *st);

/* risk_call.c: what one command line would do; v[0] is the name. */
void risk_run(struct risk_state *st, const struct risk_frame *f,
              const struct risk_arg *v, size_t n);

/* risk_rules.c: facts, paths and hosts of a stanza's lines, then what they
 * run. True when the call only wraps others. */
bool risk_apply(struct risk_state *st, const struct risk_frame *f,
                const struct risk_parsed *p);

/* risk_select.c: the arguments that a line is about, appended. */
void risk_select(struct risk_state *st, const struct risk_parsed *p,
                 const struct program_rule *r, struct risk_args *out);

/* risk_nested.c: one line about what is run. True when it wraps. */
bool risk_nested(struct risk_state *st, const struct risk_frame *f,
                 const struct risk_parsed *p, const struct program_rule *r);

/* risk_builtin.c: cd, export, read, alias and the like change what the rest
 * of the line means. */
void risk_builtin(struct risk_state *st, const struct risk_frame *f,
                  const struct syntax_node *node, const struct risk_arg *v,
                  size_t n);
/* Returns the name of a variable before a command's name that may change what
 * it does, NULL: none does. */
const char *risk_assignments(struct risk_state *st, const struct risk_frame *f,
                             const struct syntax_node *node);
/* What a builtin evaluates and assigns. */
void risk_declare(struct risk_state *st, const struct risk_frame *f,
                  const struct syntax_node *node, const struct risk_arg *v,
                  size_t n);
/* Whether a word behind these is NAME=… of one, so that it stays one. */
bool risk_is_declaration(const struct risk_args *before,
                         const struct syntax_word *w);
struct risk_args *risk_assigned(struct risk_state *st,
                                const struct risk_frame *f,
                                const struct syntax_assign *a);
/* Whether what a node assigns or defines surely holds for what follows: it is
 * neither left out nor repeated, and no shell of its own forgets it. */
bool risk_is_certain(const struct risk_state *st, const struct risk_frame *f,
                     const struct syntax_node *node);
/* NAME=value of a variable: what it makes programs run is read and reported.
 * False: no table has its name, so a program that inherits it may do anything.
 */
bool risk_environment(struct risk_state *st, const struct risk_frame *f,
                      const char *name, size_t n, const struct risk_arg *value);

/* The same of what a loop, a builtin or ${NAME:=…} assigns; of what is put into
 * a program's environment it says nothing. NULL: nobody knows what. */
void risk_environment_assigned(struct risk_state *st,
                               const struct risk_frame *f, const char *name,
                               size_t n, const struct risk_args *value);

/* Whether no table has its name. */
bool risk_variable_matters(const char *name, size_t n);

/* risk_input.c: where a command's standard input comes from. */
struct risk_input risk_input_of(struct risk_state *st,
                                const struct risk_frame *f,
                                const struct syntax_node *node);

/* risk_redirect.c */
void risk_redirects(struct risk_state *st, const struct risk_frame *f,
                    const struct syntax_node *node);
bool risk_is_socket(const struct syntax_redirect *r);

/* risk_code.c: what code of another language would do. */
void risk_code(struct risk_state *st, const struct risk_frame *f,
               const char *language, const struct risk_arg *a);

/* risk_deceit.c: letters that look like others, or like nothing. */
void risk_deceit(struct risk_state *st, const struct risk_frame *f,
                 const struct syntax_word *w);
bool risk_name_deceives(const char *name);

#endif
