/* SPDX-License-Identifier: GPL-3.0-or-later */
/* syntax.h - a command line as bash reads it: a tree of commands and words.
 *
 * guard/ says what may happen. It reads a command line (here), says what it
 * would do (risk.h) and to what (effects.h), and what the rules say of that
 * (policy.h); guard.h puts them together. It runs nothing and expands nothing
 * but what is literal. Everything that it reads is untrusted: a line of any
 * bytes gives a tree, or the tree of its beginning and a fault; never a crash,
 * never more than time and memory in proportion to the line. Nothing recurses:
 * a reader walks `all`, in which every command stands, those inside $(…) too,
 * and looks up through `parent` and `holder`. */
#ifndef GUARD_SYNTAX_H
#define GUARD_SYNTAX_H

#include "base/cleanup.h"
#include "base/err.h"
#include "guard/syntax/syntax_tree.h"

#define SYNTAX_LINE_MAX  (256 * 1024) /* far over a plan's 16 KiB commands */
#define SYNTAX_DEPTH_MAX 500          /* nested deeper, it is a fault */

struct syntax_comment {
    size_t from, to; /* # up to the newline */
    struct syntax_comment *next;
};

struct syntax {
    struct syntax_node *top; /* NULL: nothing but blanks and comments */
    struct syntax_node *all; /* every node, by the place where it begins; an
                                outer one before those inside it */
    struct syntax_comment *comments;
    /* NULL, or in words what bash would reject. Then the tree is of what came
     * before, and what was being read may lack its kids or its end. */
    const char *fault;
    size_t fault_at;
    void *memory; /* syntax.c's: everything lives here */
};

/* Reads line[0..n). 0, with a fault or without; -1 when there is no memory or
 * the line is over SYNTAX_LINE_MAX. The line may be gone afterwards. */
int syntax_read(const char *line, size_t n, struct syntax *out, struct err *e);
void syntax_done(struct syntax *s); /* accepts NULL */

#endif
