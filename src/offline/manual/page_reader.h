/* SPDX-License-Identifier: GPL-3.0-or-later */
/* page_reader.h - inside blocks.c: the two macro packages. */
#ifndef OFFLINE_PAGE_READER_H
#define OFFLINE_PAGE_READER_H

#include "offline/manual/blocks.h"
#include "offline/manual/roff.h"

/* Each reads from `line`, the first, to the end of the page. */
void man_read(struct roff *r, struct roff_line *line, struct blocks *b);
void mdoc_read(struct roff *r, struct roff_line *line, struct blocks *b);

#endif
