/* SPDX-License-Identifier: GPL-3.0-or-later */
/* markdown.h - a model's prose on a terminal, while it streams.
 *
 * Text arrives in pieces. Each block (paragraph, list item, heading, table,
 * quotation) is shown as soon as it is complete, lines of a fenced code block
 * as they come; the last one at markdown_end. Blocks are parsed by md4c,
 * which is opened when the first one is there, so that a program that shows
 * no markdown does not load it; where it cannot be opened the text is shown
 * as it is. Hostile bytes are escaped (ESCAPE_PROSE; code strictly), links
 * are shown as text (address), code is neither wrapped nor changed.
 *
 * Where out is no terminal, the markdown passes as it came, but escaped. */
#ifndef TERM_MARKDOWN_H
#define TERM_MARKDOWN_H

#include <stddef.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "term/term.h"

/* A block that grows past this is shown as if it ended there. */
#define MARKDOWN_BLOCK_MAX (64u << 10)

struct markdown;

/* t is borrowed for as long as m lives; its columns are read block by block,
 * less `indent` blanks put in front of every line. */
struct markdown *markdown_new(const struct term *t, size_t indent,
                              struct err *e);
void markdown_free(struct markdown *m);
DEFINE_CLEANUP(struct markdown, markdown_free)

/* Appends what n more bytes complete. -1 when a buffer is full. */
int markdown_add(struct markdown *m, const void *bytes, size_t n,
                 struct buf *out);
/* Appends the rest, ended by a newline; m is then new again. */
int markdown_end(struct markdown *m, struct buf *out);

#endif
