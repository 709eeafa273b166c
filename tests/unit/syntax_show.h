/* SPDX-License-Identifier: GPL-3.0-or-later */
/* syntax_show.h - prints a syntax tree as one line, for tables of tests. */
#ifndef TESTS_UNIT_SYNTAX_SHOW_H
#define TESTS_UNIT_SYNTAX_SHOW_H

#include "base/buf.h"
#include "guard/syntax/syntax.h"

/* A call is [words and redirects]; a word has letters in front of a colon:
 * q quoted, n $'…', p a pattern, x expands, r runs, o an operator. What runs
 * in it follows as <…>. Others are (kind words kid join kid …). */
void syntax_show(struct buf *out, const struct syntax *s);

/* The parts of each word of the first command, one after the other. */
void syntax_show_parts(struct buf *out, const struct syntax *s);

/* NULL, or what is wrong with the tree's offsets, links or order. */
const char *syntax_wrong(const struct syntax *s, size_t line_bytes);

#endif
