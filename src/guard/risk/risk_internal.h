/* SPDX-License-Identifier: GPL-3.0-or-later */
/* risk_internal.h - the functions by which the files of this folder call each
 * other: from a text to its calls, from a call to its effects and to what it
 * runs in turn. */
#ifndef GUARD_RISK_RISK_INTERNAL_H
#define GUARD_RISK_RISK_INTERNAL_H

#include "guard/risk/risk_args.h"
#include "guard/risk/risk_state.h"

/* risk_walk.c: reads every command of a frame. */
void risk_walk(struct risk_state *st, const struct risk_frame *f);
/* Reads a text for a shell as a frame inside f. known: no expansion in it is
 * undecided. */
void risk_walk_text(struct risk_state *st, const struct risk_frame *f,
                    const char *text, bool known);
/* The same for a text that runs at some later time, once or often. */
void risk_walk_text_later(struct risk_state *st, const struct risk_frame *f,
                          const char *text, bool known);
/* At the end of the line: reads those texts again when functions or aliases
 * were defined since. */
void risk_walk_deferred(struct risk_state *st);

/* risk_call.c: what one call does; v[0] is its name. */
void risk_analyze_call(struct risk_state *st, const struct risk_frame *f,
                       const struct risk_arg *v, size_t n);

/* risk_rules.c: applies the stanza's rules: facts, paths and hosts, then what
 * the call runs. True: the call only wraps others. */
bool risk_apply_rules(struct risk_state *st, const struct risk_frame *f,
                      const struct risk_parsed *p);

/* risk_nested.c: the directory becomes that of which an option says that the
 * command works there; the caller sets it back. */
void risk_enter_directory(struct risk_state *st, const struct risk_frame *inner,
                          const struct risk_parsed *p);

/* risk_nested.c: one rule about what is run. True: the call wraps it. */
bool risk_analyze_nested(struct risk_state *st, const struct risk_frame *f,
                         const struct risk_parsed *p,
                         const struct program_rule *r);

/* risk_script.c: what code in another language does. */
void risk_script(struct risk_state *st, const struct risk_frame *f,
                 const char *language, const struct risk_arg *a);

/* risk_shell_builtin.c: cd, read, alias and the like change what the rest of
 * the line means. */
void risk_apply_builtin(struct risk_state *st, const struct risk_frame *f,
                        const struct syntax_node *node,
                        const struct risk_arg *v, size_t n);
/* Whether what a node assigns or defines surely holds for what follows: it is
 * neither skipped nor repeated, and runs in no subshell. */
bool risk_is_certain(const struct risk_state *st, const struct risk_frame *f,
                     const struct syntax_node *node);

/* risk_assignment.c: the assignments of a node. Returns the name of a variable
 * in front of a command that may change what the command does; NULL: none. */
const char *risk_apply_assignments(struct risk_state *st,
                                   const struct risk_frame *f,
                                   const struct syntax_node *node);
/* NAME=value variables with which the line's shell begins, as if it exported
 * them first; NULL: none. */
void risk_apply_variables(struct risk_state *st, const struct risk_frame *f,
                          const char *const *variables);
/* declare, local, export and the like. */
void risk_apply_declaration(struct risk_state *st, const struct risk_frame *f,
                            const struct syntax_node *node,
                            const struct risk_arg *v, size_t n);
/* Whether a word is NAME=… of a declaring builtin, whose words so far are
 * `before`: then it is not split. */
bool risk_is_declared_assignment(const struct risk_args *before,
                                 const struct syntax_word *w);

/* risk_environment.c: NAME=value in a program's environment. Reads and reports
 * what it makes programs run. False: no table lists the name, so a program
 * that inherits it may do anything. */
bool risk_environment_set(struct risk_state *st, const struct risk_frame *f,
                          const char *name, size_t n,
                          const struct risk_arg *value);
/* The same for what a loop, a builtin or ${NAME:=…} assigns; value NULL: not
 * known. */
void risk_environment_assigned(struct risk_state *st,
                               const struct risk_frame *f, const char *name,
                               size_t n, const struct risk_args *value);
bool risk_environment_is_unlisted(const char *name, size_t n);

/* risk_redirect.c: where a command's standard input comes from. */
struct risk_input risk_input_of(struct risk_state *st,
                                const struct risk_frame *f,
                                const struct syntax_node *node);
/* What the redirections of a node do to files. */
void risk_apply_redirects(struct risk_state *st, const struct risk_frame *f,
                          const struct syntax_node *node);
/* Whether one of the redirections is to /dev/tcp or /dev/udp. */
bool risk_is_socket(const struct syntax_redirect *r);

/* risk_homoglyph.c: reports invisible characters in a word. */
void risk_homoglyph_check(struct risk_state *st, const struct risk_frame *f,
                          const struct syntax_word *w);
/* Whether a command's name contains characters that look like others or that
 * are invisible. */
bool risk_homoglyph_in_name(const char *name);

#endif
