/* SPDX-License-Identifier: GPL-3.0-or-later */
/* md_layout.c - blocks inside quotations and lists, line by line. */
#include "term/md_layout.h"

#include <string.h>

#include "base/cleanup.h"
#include "term/style.h"
#include "term/width.h"

#define PREFIX_MAX 1024 /* bytes: 16 levels and the caller's indent */

static struct md_level *
level_at(struct md_layout *l, size_t depth)
{
    return &l->levels[depth < MD_LEVELS_MAX ? depth : MD_LEVELS_MAX - 1];
}

void
md_layout_push(struct md_layout *l, const struct md_level *level)
{
    *level_at(l, l->depth++) = *level;
}

void
md_layout_pop(struct md_layout *l)
{
    if (l->depth > 0)
        l->depth--;
}

/* The box, number or bullet of the item at depth; its list counts on. */
static void
add_mark(struct md_layout *l, size_t depth, struct buf *out)
{
    struct md_level *item = level_at(l, depth);
    struct md_level *list = depth > 0 ? level_at(l, depth - 1) : item;

    if (item->task)
        buf_printf(out, "[%c] ", item->task);
    else if (list->delimiter)
        buf_printf(out, "%u%c ", list->number++, list->delimiter);
    else
        buf_printf(out, "%s ", style_symbol(l->page->t, SYMBOL_BULLET));
    item->marked = true;
    item->column = width_str(out->p);
}

static void
fill_to(struct buf *out, size_t column)
{
    for (size_t at = width_str(out->p); at < column; at++)
        buf_ch(out, ' ');
}

/* What stands in front of a line: for every level its bar, its bullet once,
 * or blanks as wide as the bullet. */
static void
add_prefix(struct md_layout *l, struct buf *out)
{
    const struct term *t = l->page->t;

    fill_to(out, l->page->indent);
    for (size_t i = 0; i < l->depth && i < MD_LEVELS_MAX; i++) {
        struct md_level *level = &l->levels[i];

        if (level->type == MD_QUOTE) {
            style_str(out, t, STYLE_DIM, style_symbol(t, SYMBOL_BAR));
            buf_ch(out, ' ');
        } else if (level->type == MD_ITEM && !level->marked) {
            add_mark(l, i, out);
        } else if (level->type == MD_ITEM) {
            fill_to(out, level->column);
        }
    }
}

/* An empty line between blocks, where their list is not a tight one. What
 * stands in front of a list is its parent's to say. */
static void
open_gap(struct md_layout *l)
{
    bool loose = true;

    for (size_t i = 0; i < l->depth; i++) {
        struct md_level *level = level_at(l, i);

        if (level->type == MD_LIST && level->began)
            loose = level->loose;
        level->began = true;
    }
    if (loose && l->began)
        buf_ch(l->out, '\n');
    l->began = true;
}

void
md_layout_text(struct md_layout *l, const char *p, size_t n)
{
    struct width_wrap w = {.columns = l->page->columns,
                           .joins = l->page->t->joins};
    CLEANUP_BUF struct buf first = buf_of(PREFIX_MAX);
    CLEANUP_BUF struct buf rest = buf_of(PREFIX_MAX);

    open_gap(l);
    add_prefix(l, &first);
    add_prefix(l, &rest);
    w.start = width_str(first.p);
    w.prefix = rest.p;
    buf_add(l->out, first.p, first.len);
    width_wrap(l->out, p, n, &w);
    buf_ch(l->out, '\n');
}

void
md_layout_code(struct md_layout *l, const char *p, size_t n)
{
    open_gap(l);
    while (n > 0) {
        const char *newline = memchr(p, '\n', n);
        size_t take = newline ? (size_t)(newline - p) : n;
        CLEANUP_BUF struct buf prefix = buf_of(PREFIX_MAX);

        add_prefix(l, &prefix);
        md_render_code(l->page->t, prefix.p, p, take, l->out);
        p += take + (newline != NULL);
        n -= take + (newline != NULL);
    }
}

void
md_layout_rule(struct md_layout *l)
{
    const struct term *t = l->page->t;
    CLEANUP_BUF struct buf prefix = buf_of(PREFIX_MAX);

    open_gap(l);
    add_prefix(l, &prefix);
    buf_add(l->out, prefix.p, prefix.len);
    buf_str(l->out, style_on(t, STYLE_DIM));
    for (size_t i = width_str(prefix.p); i < l->page->columns; i++)
        buf_str(l->out, style_symbol(t, SYMBOL_RULE));
    buf_str(l->out, style_off(t, STYLE_DIM));
    buf_ch(l->out, '\n');
}

void
md_layout_table(struct md_layout *l, const struct md_table *tb)
{
    CLEANUP_BUF struct buf first = buf_of(PREFIX_MAX);
    CLEANUP_BUF struct buf rest = buf_of(PREFIX_MAX);
    size_t taken;

    open_gap(l);
    add_prefix(l, &first);
    add_prefix(l, &rest);
    if (strcmp(first.p, rest.p) != 0) { /* a bullet has a line of its own */
        buf_add(l->out, first.p, first.len);
        buf_ch(l->out, '\n');
    }
    taken = width_str(rest.p);
    md_table_draw(tb, l->page->t,
                  l->page->columns > taken ? l->page->columns - taken : 1,
                  rest.p, l->out);
}
