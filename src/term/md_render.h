/* SPDX-License-Identifier: GPL-3.0-or-later */
/* md_render.h - renders one markdown block; for markdown.c. */
#ifndef TERM_MD_RENDER_H
#define TERM_MD_RENDER_H

#include "base/buf.h"
#include "term/term.h"

struct md_library; /* md4c, loaded */

/* NULL when md4c is not installed. */
struct md_library *md_library_open(void);
void md_library_close(struct md_library *lib); /* accepts NULL */

struct md_page {
    const struct term *t;
    size_t columns; /* of a line, its indent included */
    size_t indent;  /* blanks in front of every line */
};

/* Appends the block's lines, each with a newline. -1: md4c failed, or a buffer
 * is full, and nothing was appended. */
int md_render(const struct md_library *lib, const struct md_page *page,
              const char *text, size_t n, struct buf *out);

/* Appends a line of code, given without its newline, behind `prefix`. */
void md_render_code(const struct term *t, const char *prefix, const char *line,
                    size_t n, struct buf *out);

#endif
