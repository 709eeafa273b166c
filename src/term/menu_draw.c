/* SPDX-License-Identifier: GPL-3.0-or-later */
/* menu_draw.c - lays out the text of a menu. */
#include "term/menu_draw.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/ascii.h"
#include "base/message.h"
#include "term/style.h"
#include "term/width.h"

#define LABEL_MAX (2 * MENU_LABEL_SIZE)
#define HELP_MAX  1024

void
menu_label_read(const struct menu_row *row, struct menu_label *l)
{
    const char *text = _(row->label);
    const char *mark = strchr(text, '[');
    bool marked = mark && mark[1] && mark[2] == ']';
    const char *at = marked ? mark + 1 : strchr(text, row->key);
    size_t before = marked ? (size_t)(mark - text) : 0;

    if (before >= sizeof(l->text)) /* a catalogue may say anything */
        marked = false, before = 0;
    l->key = marked ? mark[1] : row->key;
    snprintf(l->text, sizeof(l->text), "%.*s%s", (int)before, text,
             marked ? "" : text);
    if (marked)
        snprintf(l->text + before, sizeof(l->text) - before, "%c%s", mark[1],
                 mark + 3);
    l->at = marked ? before : at ? (size_t)(at - text) : SIZE_MAX;
    if (l->at >= strlen(l->text))
        l->at = SIZE_MAX; /* it was cut */
}

const struct menu_row *
menu_find(const struct menu_spec *spec, int key)
{
    for (const struct menu_row *r = spec->rows; r->key; r++) {
        if (r->key == key)
            return r;
    }
    return NULL;
}

const struct menu_row *
menu_find_shown(const struct menu_spec *spec, int key)
{
    for (const struct menu_row *r = spec->rows; r->key; r++) {
        struct menu_label l;

        menu_label_read(r, &l);
        if (l.key == key)
            return r;
    }
    return menu_find(spec, key);
}

/* How many rows the first n bytes of a word may mean; *row is the last one. */
static size_t
count_meant(const struct menu_spec *spec, const char *word, size_t n,
            bool translated, const struct menu_row **row)
{
    size_t found = 0;

    for (const struct menu_row *r = spec->rows; r->key; r++) {
        struct menu_label l;
        const char *label = r->label;

        menu_label_read(r, &l);
        if (translated)
            label = l.text;
        if (strncasecmp(label, word, n) != 0)
            continue;
        *row = r;
        if (strlen(label) == n)
            return 1;
        found++;
    }
    return found;
}

const struct menu_row *
menu_find_word(const struct menu_spec *spec, const char *word)
{
    const struct menu_row *row = NULL;
    size_t n = strlen(word);

    if (n == 1)
        row = menu_find_shown(spec, ascii_to_lower(word[0]));
    if (n == 0 || row)
        return row;
    if (count_meant(spec, word, n, true, &row) == 1 ||
        count_meant(spec, word, n, false, &row) == 1)
        return row;
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
    struct menu_label l;
    bool inside;

    menu_label_read(row, &l);
    inside = l.at != SIZE_MAX;
    if (row->key == spec->likely)
        buf_ch(out, '>');
    if (inside)
        buf_add(out, l.text, l.at);
    buf_printf(out, "[%c]", l.key);
    if (!inside)
        buf_ch(out, ' ');
    buf_str(out, inside ? l.text + l.at + 1 : l.text);
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

    width_wrap(out, _(question), strlen(_(question)), &w);
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

/* "Type one of run (recommended), step, help, quit: " */
static void
draw_words(struct buf *out, const struct term *t, const struct menu_spec *spec)
{
    const struct menu_row *last = last_shown(spec);
    struct width_wrap w = {.columns = (size_t)t->columns};
    CLEANUP_BUF struct buf words = buf_of(HELP_MAX);
    CLEANUP_BUF struct buf line = buf_of(HELP_MAX);

    for (const struct menu_row *r = spec->rows; r->key; r++) {
        struct menu_label l;

        if (is_hidden(spec, r))
            continue;
        menu_label_read(r, &l);
        if (r == last)
            buf_printf(&words, "%s, ", _("help"));
        buf_str(&words, l.text);
        if (r->key == spec->likely)
            buf_printf(&words, " (%s)", _("recommended"));
        buf_str(&words, r == last ? "" : ", ");
    }
    if (spec->question)
        buf_printf(&line, "%s ", _(spec->question));
    buf_printf(&line, _("Type one of %s"), words.p ? words.p : "");
    buf_ch(&line, ':');
    width_wrap(out, line.p, line.len, &w);
    buf_ch(out, ' '); /* a line that is wrapped ends without blanks */
}

/* The question mark is never split from the last label: alone on a line it
 * would look like a key. */
void
menu_draw(struct buf *out, const struct term *t, const struct menu_spec *spec)
{
    const struct menu_row *last = last_shown(spec);
    size_t at = 0;

    if (t->words) {
        draw_words(out, t, spec);
        return;
    }
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
        struct menu_label l;

        if (is_hidden(spec, r))
            continue;
        menu_label_read(r, &l);
        buf_str(&line, "  ");
        if (t->words)
            buf_printf(&line, "%s:", l.text);
        else
            style_add(&line, t, STYLE_KEY, &l.key, 1);
        buf_printf(&line, " %s%s", _(r->help),
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
    if (t->words) {
        buf_printf(out, "%s\n", why);
        return;
    }
    for (const struct menu_row *r = spec->rows; r->key; r++) {
        struct menu_label l;

        menu_label_read(r, &l);
        if (!is_hidden(spec, r))
            buf_printf(&line, "%s %c", comma, l.key);
        comma = is_hidden(spec, r) ? comma : ",";
    }
    buf_printf(&line, "; %s", _("? explains"));
    buf_str(out, style_on(t, STYLE_DIM));
    width_wrap(out, line.p, line.len, &w);
    buf_str(out, style_off(t, STYLE_DIM));
    buf_ch(out, '\n');
}
