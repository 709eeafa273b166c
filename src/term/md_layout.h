/* SPDX-License-Identifier: GPL-3.0-or-later */
/* md_layout.h - blocks inside quotations and lists, line by line; for the
 * md_ files alone. */
#ifndef TERM_MD_LAYOUT_H
#define TERM_MD_LAYOUT_H

#include "term/md_render.h"
#include "term/md_table.h"

#define MD_LEVELS_MAX 16 /* what is deeper is shown at this depth */

enum md_level_type { MD_QUOTE, MD_LIST, MD_ITEM };

struct md_level {
    enum md_level_type type;
    bool began;      /* something of it was shown */
    bool loose;      /* list: empty lines stand between what is in it */
    char delimiter;  /* list: behind its numbers; 0: it has none */
    unsigned number; /* list: of its next item */
    char task;       /* item: the mark in its box; 0: it has none */
    bool marked;     /* item: its bullet was shown */
    size_t column;   /* item: where its text begins, once marked */
};

struct md_layout {
    const struct md_page *page;
    struct buf *out;
    struct md_level levels[MD_LEVELS_MAX];
    size_t depth;
    bool began; /* something was shown: an empty line may be due */
};

void md_layout_push(struct md_layout *l, const struct md_level *level);
void md_layout_pop(struct md_layout *l);

/* Text with its styles, which is wrapped; may hold newlines. */
void md_layout_text(struct md_layout *l, const char *p, size_t n);
/* Lines as they came. */
void md_layout_code(struct md_layout *l, const char *p, size_t n);
void md_layout_rule(struct md_layout *l);
void md_layout_table(struct md_layout *l, const struct md_table *tb);

#endif
