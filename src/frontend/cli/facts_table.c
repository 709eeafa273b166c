/* SPDX-License-Identifier: GPL-3.0-or-later */
/* facts_table.c - print a table that fits the screen. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/buf.h"
#include "base/size.h"
#include "base/utf8.h"
#include "frontend/cli/facts.h"
#include "term/escape.h"
#include "term/style.h"
#include "term/width.h"

#define GAP      2               /* columns between cells */
#define NARROW   12              /* text is not made narrower than that */
#define TEXT_MAX 4096            /* bytes of a cell that are shown: a path's */
#define CELL_MAX (32 * TEXT_MAX) /* the same, each escaped, in a style */

void
facts_table_init(struct facts_table *t, const struct term *term,
                 const char *const *heads, unsigned right)
{
    *t = (struct facts_table){.term = term, .heads = heads, .right = right};
    while (heads[t->n_columns])
        t->n_columns++;
}

void
facts_table_done(struct facts_table *t)
{
    if (!t)
        return;
    while (t->n > 0)
        free(t->cells[--t->n]);
    free(t->cells);
    *t = (struct facts_table){0};
}

static bool
grow(struct facts_table *t)
{
    size_t room = t->room ? 2 * t->room : 64;
    char **cells;

    if (t->n < t->room)
        return true;
    cells = reallocarray(t->cells, room, sizeof(*cells));
    if (!cells)
        return false;
    t->cells = cells;
    t->room = room;
    return true;
}

void
facts_table_cell(struct facts_table *t, const char *text)
{
    CLEANUP_BUF struct buf cell = buf_of(CELL_MAX);
    size_t n, shown;

    if (!text || !*text)
        text = "-";
    n = strlen(text);
    shown = utf8_boundary(text, n, TEXT_MAX);
    escape_text(&cell, t->term, text, shown, ESCAPE_LINES);
    if (shown < n)
        buf_str(&cell, style_symbol(t->term, SYMBOL_ELLIPSIS));
    if (!grow(t) || !(t->cells[t->n] = buf_take(&cell)))
        t->bad = true;
    else
        t->n++;
}

void
facts_table_text(struct facts_table *t, const struct json *string)
{
    facts_table_cell(t, json_str(string, NULL));
}

void
facts_table_number(struct facts_table *t, const struct json *number)
{
    char text[32] = "";
    int64_t v;

    if (json_int(number, &v))
        snprintf(text, sizeof(text), "%" PRId64, v);
    facts_table_cell(t, text);
}

void
facts_table_size(struct facts_table *t, const struct json *bytes)
{
    char text[SIZE_TEXT] = "";
    int64_t v;

    if (json_int(bytes, &v) && v >= 0)
        size_text((uint64_t)v, text);
    facts_table_cell(t, text);
}

static void
measure(const struct facts_table *t, size_t wide[FACTS_COLUMNS_MAX])
{
    for (size_t i = 0; i < t->n_columns; i++)
        wide[i] = width_str(t->heads[i]);
    for (size_t i = 0; i < t->n; i++) {
        size_t w = width_str(t->cells[i]);

        if (w > wide[i % t->n_columns])
            wide[i % t->n_columns] = w;
    }
}

static size_t
sum_of(const size_t *wide, size_t n)
{
    size_t sum = GAP * (n - 1);

    for (size_t i = 0; i < n; i++)
        sum += wide[i];
    return sum;
}

/* The widest column of text; a number cut short would be another number. */
static size_t
widest_text(const struct facts_table *t, const size_t *wide, size_t n)
{
    size_t widest = n;

    for (size_t i = 0; i < n; i++) {
        if (!(t->right & (1u << i)) && wide[i] > NARROW &&
            (widest == n || wide[i] > wide[widest]))
            widest = i;
    }
    return widest;
}

/* The widest text gives way, and when all are narrow the last column goes.
 * Returns how many columns are shown. */
static size_t
fit(const struct facts_table *t, size_t wide[FACTS_COLUMNS_MAX])
{
    size_t n = t->n_columns;

    while (t->term->tty && n > 1 &&
           sum_of(wide, n) > (size_t)t->term->columns) {
        size_t widest = widest_text(t, wide, n);

        if (widest == n)
            n--;
        else
            wide[widest]--;
    }
    return n;
}

static void
put_cell(const struct facts_table *t, const char *text, size_t column,
         size_t wide, struct buf *out)
{
    size_t w = width_str(text), pad = w < wide ? wide - w : 0;
    bool right = t->right & (1u << column);

    if (column > 0)
        buf_blanks(out, GAP);
    if (right)
        buf_blanks(out, pad);
    width_truncate(out, text, strlen(text), wide,
                   style_symbol(t->term, SYMBOL_ELLIPSIS));
    if (!right)
        buf_blanks(out, pad);
}

/* A row of cells, without buf_blanks at its end. */
static void
put_cells_row(const struct facts_table *t, const char *const *cells,
              const size_t *wide, size_t n, struct buf *out)
{
    for (size_t i = 0; i < n; i++)
        put_cell(t, cells[i], i, wide[i], out);
    while (out->len > 0 && out->p[out->len - 1] == ' ')
        buf_cut(out, out->len - 1);
}

/* "size: 12 MiB; type: ext4": a row for who hears it. */
static void
put_plain_row(const struct facts_table *t, const char *const *cells,
              struct buf *out)
{
    for (size_t i = 0; i < t->n_columns; i++) {
        buf_str(out, i ? "; " : "");
        for (const char *p = t->heads[i]; *p; p++)
            buf_ch(out, ascii_to_lower(*p));
        buf_printf(out, ": %s", cells[i]);
    }
    buf_ch(out, '\n');
}

void
facts_table_put(const struct facts_table *t, struct buf *out)
{
    size_t wide[FACTS_COLUMNS_MAX], n;

    if (t->n == 0 || t->bad) {
        out->bad = out->bad || t->bad;
        return;
    }
    for (size_t i = 0; t->term->plain && i < t->n; i += t->n_columns)
        put_plain_row(t, (const char *const *)t->cells + i, out);
    if (t->term->plain)
        return;
    measure(t, wide);
    n = fit(t, wide);
    buf_str(out, style_on(t->term, STYLE_HEADING));
    put_cells_row(t, t->heads, wide, n, out);
    buf_printf(out, "%s\n", style_off(t->term, STYLE_HEADING));
    for (size_t i = 0; i < t->n; i += t->n_columns) {
        put_cells_row(t, (const char *const *)t->cells + i, wide, n, out);
        buf_ch(out, '\n');
    }
}
