/* SPDX-License-Identifier: GPL-3.0-or-later */
/* md_table.c - lays out a markdown table in the width of the terminal. */
#include "term/md_table.h"

#include <string.h>

#include "base/cleanup.h"
#include "term/style.h"
#include "term/width.h"

#define CELLS_MAX  (256u << 10) /* bytes; a block has 64 KiB before escapes */
#define GAP        2            /* blanks between columns */
#define COLUMN_MIN 8            /* not made narrower, as words would overflow */

struct layout {
    const struct md_table *tb;
    const struct term *t;
    const char *prefix;
    size_t widths[MD_TABLE_COLUMNS_MAX];
    struct buf *out;
};

void
md_end_line(struct buf *out)
{
    size_t len = out->len;

    while (len > 0 && out->p[len - 1] == ' ')
        len--;
    buf_cut(out, len);
    buf_ch(out, '\n');
}

void
md_table_init(struct md_table *tb, size_t columns)
{
    if (columns > MD_TABLE_COLUMNS_MAX)
        columns = MD_TABLE_COLUMNS_MAX;
    *tb = (struct md_table){.columns = columns};
    buf_init(&tb->cells, CELLS_MAX);
}

void
md_table_done(struct md_table *tb)
{
    if (tb)
        buf_done(&tb->cells);
}

void
md_table_cell(struct md_table *tb, const char *text, size_t n,
              enum md_align align)
{
    if (tb->column == tb->columns)
        return;
    tb->align[tb->column++] = align;
    for (size_t i = 0; i < n; i++)
        buf_ch(&tb->cells, text[i] == '\n' || !text[i] ? ' ' : text[i]);
    buf_ch(&tb->cells, '\0');
}

void
md_table_end_row(struct md_table *tb)
{
    while (tb->column < tb->columns)
        md_table_cell(tb, "", 0, MD_TABLE_LEFT);
    tb->column = 0;
    tb->rows++;
}

static const char *
next_cell(const char *cell)
{
    return cell + strlen(cell) + 1;
}

static size_t
total_width(const struct layout *l)
{
    size_t sum = (l->tb->columns - 1) * GAP;

    for (size_t c = 0; c < l->tb->columns; c++)
        sum += l->widths[c];
    return sum;
}

/* Makes each column as wide as its widest cell, and then narrows the widest
 * ones until the table fits. */
static void
measure_columns(struct layout *l, size_t width)
{
    const char *cell = l->tb->cells.p;

    for (size_t i = 0; i < l->tb->rows * l->tb->columns; i++) {
        size_t c = i % l->tb->columns,
               columns = width_text_as(cell, strlen(cell), l->t->joins);

        if (columns > l->widths[c])
            l->widths[c] = columns;
        cell = next_cell(cell);
    }
    while (total_width(l) > width) {
        size_t widest = 0;

        for (size_t c = 1; c < l->tb->columns; c++) {
            if (l->widths[c] > l->widths[widest])
                widest = c;
        }
        if (l->widths[widest] <= COLUMN_MIN)
            break;
        l->widths[widest]--;
    }
}

static void
draw_cell(const struct layout *l, size_t c, const char *p, size_t n)
{
    size_t columns = width_text_as(p, n, l->t->joins), room = 0, left = 0;

    if (l->widths[c] > columns)
        room = l->widths[c] - columns;
    if (l->tb->align[c] != MD_TABLE_LEFT)
        left = l->tb->align[c] == MD_TABLE_RIGHT ? room : room / 2;
    buf_blanks(l->out, left);
    buf_add(l->out, p, n);
    if (c + 1 < l->tb->columns)
        buf_blanks(l->out, room - left + GAP);
}

/* Draws one line of a row: at[c] is the rest of cell c. Returns false when
 * nothing was left. */
static bool
draw_row_line(const struct layout *l, const char *at[], bool head)
{
    bool left = false;

    for (size_t c = 0; c < l->tb->columns; c++)
        left |= *at[c] != '\0';
    if (!left)
        return false;
    buf_str(l->out, l->prefix);
    buf_str(l->out, style_on(l->t, head ? STYLE_STRONG : STYLE_PLAIN));
    for (size_t c = 0; c < l->tb->columns; c++) {
        size_t n = strcspn(at[c], "\n");

        draw_cell(l, c, at[c], n);
        at[c] += n + (at[c][n] == '\n');
    }
    buf_str(l->out, style_off(l->t, head ? STYLE_STRONG : STYLE_PLAIN));
    md_end_line(l->out);
    return true;
}

/* Wraps the cells of a row, and draws it. Returns the next row's first. */
static const char *
draw_row(const struct layout *l, const char *cell, bool head)
{
    const char *at[MD_TABLE_COLUMNS_MAX];
    size_t from[MD_TABLE_COLUMNS_MAX];
    CLEANUP_BUF struct buf wrapped = buf_of(2 * CELLS_MAX);

    for (size_t c = 0; c < l->tb->columns; c++) {
        struct width_wrap w = {.columns = l->widths[c], .joins = l->t->joins};

        from[c] = wrapped.len;
        width_wrap(&wrapped, cell, strlen(cell), &w);
        buf_ch(&wrapped, '\0');
        cell = next_cell(cell);
    }
    for (size_t c = 0; c < l->tb->columns; c++)
        at[c] = wrapped.bad ? "" : wrapped.p + from[c];
    while (draw_row_line(l, at, head))
        continue;
    return cell;
}

static void
draw_rule(const struct layout *l)
{
    buf_str(l->out, l->prefix);
    buf_str(l->out, style_on(l->t, STYLE_DIM));
    for (size_t c = 0; c < l->tb->columns; c++) {
        for (size_t i = 0; i < l->widths[c]; i++)
            buf_str(l->out, style_symbol(l->t, SYMBOL_RULE));
        if (c + 1 < l->tb->columns)
            buf_blanks(l->out, GAP);
    }
    buf_str(l->out, style_off(l->t, STYLE_DIM));
    buf_ch(l->out, '\n');
}

/* "Name: a, Size: 12": a row that is heard says itself what each cell is. */
static void
put_plain_table(const struct md_table *tb, const char *prefix, struct buf *out)
{
    const char *cell = tb->cells.p;

    for (size_t row = 0; row < tb->rows; row++) {
        const char *head = tb->cells.p;
        const char *between = "";

        for (size_t c = 0; c < tb->columns; c++) {
            if (row > 0 && *cell) {
                buf_printf(out, "%s%s%s%s", *between ? between : prefix, head,
                           *head ? ": " : "", cell);
                between = ", ";
            }
            head = next_cell(head);
            cell = next_cell(cell);
        }
        if (*between)
            md_end_line(out);
    }
}

void
md_table_draw(const struct md_table *tb, const struct term *t, size_t width,
              const char *prefix, struct buf *out)
{
    struct layout l = {.tb = tb, .t = t, .prefix = prefix, .out = out};
    const char *cell = tb->cells.p;

    if (tb->cells.bad || tb->columns == 0)
        return;
    if (t->plain) {
        put_plain_table(tb, prefix, out);
        return;
    }
    measure_columns(&l, width);
    for (size_t row = 0; row < tb->rows; row++) {
        cell = draw_row(&l, cell, row == 0);
        if (row == 0)
            draw_rule(&l);
    }
}
