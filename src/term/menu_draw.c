/* SPDX-License-Identifier: GPL-3.0-or-later */
/* menu_draw.c - lays out the text of a menu. */
#include "term/menu_draw.h"

#include <string.h>

#include "term/style.h"
#include "term/width.h"

#define LABEL_MAX 256 /* bytes of a row's label */
#define HELP_MAX  1024

const struct menu_row *
menu_find(const struct menu_spec *spec, int key)
{
    for (const struct menu_row *r = spec->rows; r->key; r++) {
        if (r->key == key)
            return r;
    }
    return NULL;
}

static bool
is_hidden(const struct menu_spec *spec, const struct menu_row *row)
{
    return spec->hidden && strchr(spec->hidden, row->key);
}

/* "e[x]plain", or "[1] first" when the key is not in the label. Without any
 * style: the brackets say enough, and a script that waits for "[r]un" finds
 * it. */
static void
add_label(struct buf *out, const struct menu_spec *spec,
          const struct menu_row *row)
{
    const char *at = strchr(row->label, row->key);

    if (row->key == spec->likely)
        buf_ch(out, '>');
    if (at)
        buf_add(out, row->label, (size_t)(at - row->label));
    buf_printf(out, "[%c]", row->key);
    if (!at)
        buf_ch(out, ' ');
    buf_str(out, at ? at + 1 : row->label);
}

/* Appends a piece on this line or the next; pieces are never split. */
static void
add_piece(struct buf *out, const struct term *t, size_t *at, const char *piece,
          const char *gap)
{
    size_t columns = width_str(piece), between = *at > 0 ? strlen(gap) : 0;

    if (*at > 0 && *at + between + columns >= (size_t)t->columns) {
        buf_ch(out, '\n');
        *at = between = 0;
    }
    if (between > 0)
        buf_str(out, gap);
    buf_str(out, piece);
    *at += between + columns;
}

/* Appends the question, which may take several lines; *at is the column where
 * it ends. */
static void
add_question(struct buf *out, const struct term *t, const char *question,
             size_t *at)
{
    struct width_wrap w = {.columns = (size_t)t->columns};
    size_t from = out->len;
    const char *line;

    width_wrap(out, question, strlen(question), &w);
    line = memrchr(out->p + from, '\n', out->len - from);
    *at = width_str(line ? line + 1 : out->p + from);
}

static const struct menu_row *
last_shown(const struct menu_spec *spec)
{
    const struct menu_row *last = NULL;

    for (const struct menu_row *r = spec->rows; r->key; r++) {
        if (!is_hidden(spec, r))
            last = r;
    }
    return last;
}

/* The question mark is never split from the last label: alone on a line it
 * would look like a key. */
void
menu_draw(struct buf *out, const struct term *t, const struct menu_spec *spec)
{
    const struct menu_row *last = last_shown(spec);
    size_t at = 0;

    if (spec->question)
        add_question(out, t, spec->question, &at);
    for (const struct menu_row *r = spec->rows; r->key; r++) {
        CLEANUP_BUF struct buf label = buf_of(LABEL_MAX);

        if (is_hidden(spec, r))
            continue;
        add_label(&label, spec, r);
        buf_str(&label, r == last ? " ?" : "");
        add_piece(out, t, &at, label.p, "  ");
    }
    if (!last)
        add_piece(out, t, &at, "?", " ");
    buf_ch(out, ' ');
}

void
menu_draw_help(struct buf *out, const struct term *t,
               const struct menu_spec *spec)
{
    struct width_wrap w = {.columns = (size_t)t->columns, .indent = 4};

    for (const struct menu_row *r = spec->rows; r->key; r++) {
        CLEANUP_BUF struct buf line = buf_of(HELP_MAX);

        if (is_hidden(spec, r))
            continue;
        buf_str(&line, "  ");
        style_add(&line, t, STYLE_KEY, &r->key, 1);
        buf_printf(&line, " %s%s", r->help,
                   r->key == spec->enter ? " (Enter)" : "");
        width_wrap(out, line.p, line.len, &w);
        buf_ch(out, '\n');
    }
}

void
menu_draw_hint(struct buf *out, const struct term *t,
               const struct menu_spec *spec, const char *why)
{
    struct width_wrap w = {.columns = (size_t)t->columns};
    CLEANUP_BUF struct buf line = buf_of(HELP_MAX);
    const char *comma = "";

    buf_str(&line, why);
    for (const struct menu_row *r = spec->rows; r->key; r++) {
        if (!is_hidden(spec, r))
            buf_printf(&line, "%s %c", comma, r->key);
        comma = is_hidden(spec, r) ? comma : ",";
    }
    buf_str(&line, "; ? explains");
    buf_str(out, style_on(t, STYLE_DIM));
    width_wrap(out, line.p, line.len, &w);
    buf_str(out, style_off(t, STYLE_DIM));
    buf_ch(out, '\n');
}
