/* SPDX-License-Identifier: GPL-3.0-or-later */
/* md_render.h - one markdown block for the terminal; for markdown.c alone. */
#ifndef TERM_MD_RENDER_H
#define TERM_MD_RENDER_H

#include <stdbool.h>

#include "base/buf.h"
#include "term/term.h"

struct md_library; /* md4c, opened */

/* NULL when this machine has none. */
struct md_library *md_library_open(void);
void md_library_close(struct md_library *lib); /* accepts NULL */

struct md_page {
    const struct term *t;
    size_t columns; /* of a line with its indent */
    size_t indent;  /* blanks in front of every line */
};

/* Appends lines, each ended by a newline. -1: md4c gave up, or a buffer is
 * full; nothing was appended then. */
int md_render(const struct md_library *lib, const struct md_page *page,
              const char *text, size_t n, struct buf *out);

/* One line of code, without its newline, behind `prefix`. */
void md_render_code(const struct term *t, const char *prefix, const char *line,
                    size_t n, struct buf *out);

/* Ends a line of ours without the blanks that would trail. */
void md_end_line(struct buf *out);

#endif
