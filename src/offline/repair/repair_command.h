/* SPDX-License-Identifier: GPL-3.0-or-later */
/* repair_command.h - the command that failed: its calls, and edits of it.
 *
 * An edit changes single words, by guard's parser, and leaves every other byte
 * as it was typed. Each returns false, and changes nothing, where the command
 * has no such word or there is no memory. */
#ifndef OFFLINE_REPAIR_REPAIR_COMMAND_H
#define OFFLINE_REPAIR_REPAIR_COMMAND_H

#include <stdbool.h>

#include "base/buf.h"
#include "guard/syntax/syntax.h"

struct repair_command {
    struct buf text;
    struct syntax tree;
    const char *home; /* that ~ stands for; borrowed; NULL: unknown */
    size_t chosen;    /* which of the calls it is about, from 1; 0: none */
    const struct syntax_node *call;    /* that one */
    const struct syntax_word *program; /* its program, behind sudo and env */
};

/* False: no memory, or the text is too long. repair_command_done in any case.
 */
bool repair_command_read(struct repair_command *c, const char *text,
                         const char *home);
void repair_command_done(struct repair_command *c); /* accepts NULL */

/* Chooses the call that the rule is about: the first, or the last, whose
 * program is one of the names, or any for NULL. */
bool repair_command_choose(struct repair_command *c, const char *names,
                           bool last);

/* The name of the chosen call's program, without directories; "": none. */
const char *repair_command_program(const struct repair_command *c);

/* A word of the chosen call: "program"; "sub", the first that is no option;
 * "operand", the second; "last", the last. NULL: none, or it is not literal. */
const char *repair_command_word(const struct repair_command *c,
                                const char *which, size_t n);

/* Whether the chosen call has this word, or an option of one letter (-C) among
 * others (-xC). */
bool repair_command_has(const struct repair_command *c, const char *word);

/* The literal word behind `option` in the chosen call; NULL: none. */
const char *repair_command_behind(const struct repair_command *c,
                                  const char *option);

/* The word `from`, or the part of one that it is (--file=FROM, DIR/FROM),
 * becomes `to`, quoted where that is needed. */
bool repair_command_swap(struct repair_command *c, const char *from,
                         const char *to);
/* Text is put before the program, behind it, behind its first operand (the
 * subcommand), at the end of the call, before any redirection. */
bool repair_command_before(struct repair_command *c, const char *text);
bool repair_command_behind_program(struct repair_command *c, const char *text);
bool repair_command_behind_sub(struct repair_command *c, const char *text);
bool repair_command_append(struct repair_command *c, const char *text);
/* The word `from` becomes text that is no longer one word; "": it goes. */
bool repair_command_replace(struct repair_command *c, const char *from,
                            const char *text);
/* "|OLD|NEW|" with any byte for |: the first OLD as typed becomes NEW. */
bool repair_command_text(struct repair_command *c, const char *change);
/* Every pattern (*, ?, [ ]) of the chosen call goes in quotes. */
bool repair_command_quote_patterns(struct repair_command *c);
/* Dashes, quotes and blanks of typography become those of the shell, but in
 * quotes of the shell. */
bool repair_command_ascii(struct repair_command *c);
/* [ and ] get the blanks that they need. */
bool repair_command_brackets(struct repair_command *c);
/* The file that the call writes to by redirection is written by sudo tee. */
bool repair_command_tee(struct repair_command *c, const char *file);

#endif
