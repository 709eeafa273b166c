/* SPDX-License-Identifier: GPL-3.0-or-later */
/* markdown.h - formats a model's markdown for a terminal while it streams.
 *
 * Text arrives in pieces. Each block (paragraph, list item, heading, table,
 * quotation) is shown as soon as it is complete, a fenced code block line by
 * line; the last block is shown by markdown_end. Blocks are parsed by md4c,
 * which is loaded for the first block, so that a program that shows no markdown
 * does not load it; where it cannot be loaded the text is shown unformatted.
 * Hostile bytes are escaped (ESCAPE_PROSE, in code all of them), links are
 * shown as text (address), code is neither wrapped nor changed.
 *
 * Where the output is no terminal, the markdown is passed on, escaped. */
#ifndef TERM_MARKDOWN_H
#define TERM_MARKDOWN_H

#include <stddef.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "term/term.h"

/* A block that exceeds this is shown as if it ended there. */
#define MARKDOWN_BLOCK_MAX (64u << 10)

struct markdown;

/* t is borrowed for as long as m lives; its columns are read for each block.
 * Every line begins with `indent` blanks. */
struct markdown *markdown_new(const struct term *t, size_t indent,
                              struct err *e);
void markdown_free(struct markdown *m);
DEFINE_CLEANUP(struct markdown, markdown_free)

/* From now on a paragraph or list item appears word by word, as it comes. What
 * cannot be known before its end (a mark whose other half is to come, a table)
 * still waits; where a later line changes what was shown, it is drawn again.
 * No effect where the terminal cannot do that. */
void markdown_set_live(struct markdown *m);

/* Adds n bytes of text, and appends the blocks that they complete to out. -1
 * when a buffer is full. */
int markdown_add(struct markdown *m, const void *bytes, size_t n,
                 struct buf *out);
/* Appends the rest, with a newline at its end; m is then as new. */
int markdown_end(struct markdown *m, struct buf *out);

#endif
