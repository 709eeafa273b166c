/* SPDX-License-Identifier: GPL-3.0-or-later */
/* doctor_text.c - print the findings of agentsh doctor for a person. */
#include "frontend/cli/doctor_text.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/message.h"
#include "base/message_put.h"
#include "term/escape.h"
#include "term/style.h"
#include "term/width.h"

#define FINDINGS_MAX 4096 /* a server that is found has one, a port each */
#define TEXT_MAX     (1u << 20) /* servers list hundreds of models */
#define NAME_COLUMNS 15
#define NARROW       60 /* columns: below, a text gets lines of its own */

struct row {
    struct doctor_finding f;
    char *name, *text; /* owned */
};

struct doctor_text {
    const struct term *screen;
    bool all, no_room;
    size_t n, room;
    struct row *rows;
};

struct doctor_text *
doctor_text_new(const struct term *screen, bool all, struct err *e)
{
    struct doctor_text *t = calloc(1, sizeof(*t));

    if (!t) {
        err_nomem(e);
        return NULL;
    }
    t->screen = screen;
    t->all = all;
    return t;
}

void
doctor_text_free(struct doctor_text *t)
{
    for (size_t i = 0; t && i < t->n; i++) {
        free(t->rows[i].name);
        free(t->rows[i].text);
    }
    if (t)
        free(t->rows);
    free(t);
}

/* Makes room for another row; false: there is none. */
static bool
make_row_room(struct doctor_text *t)
{
    size_t room = t->room ? 2 * t->room : 32;
    struct row *rows;

    if (t->n < t->room)
        return true;
    rows = room > FINDINGS_MAX ? NULL : realloc(t->rows, room * sizeof(*rows));
    if (!rows)
        return false;
    t->rows = rows;
    t->room = room;
    return true;
}

void
doctor_text_add(struct doctor_text *t, const struct doctor_finding *f)
{
    CLEANUP_BUF struct buf text = buf_of(TEXT_MAX);
    struct row *row;

    if (!make_row_room(t)) {
        t->no_room = true;
        return;
    }
    row = &t->rows[t->n++];
    row->f = *f;
    row->name = strdup(_(f->name));
    row->text = NULL;
    if (message_put(&text, f->longer ? f->longer : f->text) == 0)
        row->text = strdup(text.p);
    t->no_room |= !row->name || !row->text;
}

/* Whether a home directory's name at p is all of a path's beginning. */
static bool
is_home(const char *text, const char *p, const char *home, size_t n)
{
    return strncmp(p, home, n) == 0 && (p[n] == '/' || strchr(" :;,", p[n])) &&
           (p == text || strchr(" (", p[-1]));
}

/* The text with ~ for the home directory. */
static void
put_short(struct buf *out, const char *text)
{
    const char *home = getenv("HOME");
    size_t n = home ? strlen(home) : 0;
    const char *p = text;

    while (*p) {
        if (n > 1 && is_home(text, p, home, n)) {
            buf_ch(out, '~');
            p += n;
        } else {
            buf_ch(out, *p++);
        }
    }
}

/* Breaks lines at words; only a screen has an end of them. */
static void
put_wrapped(struct buf *out, const struct term *screen, const char *text,
            size_t start, size_t indent)
{
    CLEANUP_BUF struct buf shortened = buf_of(TEXT_MAX);
    CLEANUP_BUF struct buf clean = buf_of(TEXT_MAX);
    struct width_wrap wrap = {
        .columns = (size_t)screen->columns, .start = start, .indent = indent};

    put_short(&shortened, text);
    (void)escape_str(&clean, screen, shortened.len ? shortened.p : "",
                     ESCAPE_PROSE);
    if (screen->tty && screen->columns > 0)
        (void)width_wrap(out, clean.p, clean.len, &wrap);
    else
        buf_add(out, clean.p, clean.len);
    buf_ch(out, '\n');
}

static size_t
put_state_sign(struct buf *out, const struct term *screen,
               enum doctor_state state)
{
    static const struct {
        enum style style;
        enum symbol symbol;
    } signs[] = {
        [DOCTOR_GOOD] = {STYLE_GOOD, SYMBOL_GOOD},
        [DOCTOR_CHOICE] = {STYLE_DIM, SYMBOL_CHOICE},
        [DOCTOR_FAULT] = {STYLE_ERROR, SYMBOL_BAD},
    };
    const char *sign = style_symbol(screen, signs[state].symbol);

    size_t wide = width_str(style_symbol(screen, SYMBOL_BAD));

    if (screen->plain) {
        buf_printf(out, "  %s: ", sign);
        return 2 + width_str(sign) + 2;
    }
    buf_printf(out, "  %s%s%s%*s ", style_on(screen, signs[state].style), sign,
               style_off(screen, signs[state].style),
               (int)(wide - width_str(sign)), "");
    return 2 + wide + 1;
}

static void
put_doctor_row(const struct doctor_text *t, struct buf *out,
               const struct row *row)
{
    size_t at = put_state_sign(out, t->screen, row->f.state);
    bool narrow = t->screen->tty && t->screen->columns < NARROW;

    if (t->screen->plain) {
        buf_printf(out, "%s: ", row->name);
        put_wrapped(out, t->screen, row->text, at + width_str(row->name) + 2,
                    4);
        return;
    }
    buf_printf(out, "%-*s%c", narrow ? 0 : NAME_COLUMNS, row->name,
               narrow ? '\n' : ' ');
    if (narrow)
        buf_printf(out, "%*s", (int)at, "");
    else
        at += width_str(row->name) > NAME_COLUMNS ? width_str(row->name) + 1
                                                  : NAME_COLUMNS + 1;
    put_wrapped(out, t->screen, row->text, at, at);
}

static bool
is_folded(const struct doctor_text *t, const struct row *row)
{
    return !row->f.first && row->f.state == DOCTOR_GOOD && !t->all &&
           !row->f.shown;
}

/* The names of what is as it should be, in one line. */
static void
put_folded(const struct doctor_text *t, struct buf *out,
           enum doctor_group group)
{
    CLEANUP_BUF struct buf names = buf_of(TEXT_MAX);
    size_t at;

    for (size_t i = 0; i < t->n; i++)
        if (t->rows[i].f.group == group && is_folded(t, &t->rows[i]))
            buf_printf(&names, "%s%s", names.len ? ", " : "", t->rows[i].name);
    if (names.len == 0)
        return;
    at = put_state_sign(out, t->screen, DOCTOR_GOOD);
    put_wrapped(out, t->screen, names.p, at, at);
}

static void
put_group(const struct doctor_text *t, struct buf *out, enum doctor_group group)
{
    static const char *const titles[DOCTOR_GROUPS] = {
        [DOCTOR_YOU] = N_("You"),
        [DOCTOR_MODEL] = N_("Model"),
        [DOCTOR_SANDBOX] = N_("Sandbox"),
    };

    buf_ch(out, '\n');
    style_str(out, t->screen, STYLE_HEADING, _(titles[group]));
    buf_ch(out, '\n');
    for (size_t i = 0; i < t->n; i++)
        if (t->rows[i].f.group == group && !is_folded(t, &t->rows[i]) &&
            !t->rows[i].f.first)
            put_doctor_row(t, out, &t->rows[i]);
    put_folded(t, out, group);
}

/* "a, b" of the faults; returns whether one of them is needed. */
static bool
list_faults(const struct doctor_text *t, struct buf *names)
{
    bool needed = false;

    for (size_t i = 0; i < t->n; i++) {
        const struct row *row = &t->rows[i];

        if (row->f.state != DOCTOR_FAULT)
            continue;
        needed |= row->f.needed;
        buf_printf(names, "%s%s", names->len ? ", " : "", row->name);
    }
    return needed;
}

static size_t
list_todos(const struct doctor_text *t, struct buf *todos)
{
    size_t n = 0;

    for (size_t i = 0; i < t->n; i++)
        if (t->rows[i].f.state == DOCTOR_CHOICE && t->rows[i].f.todo[0])
            buf_printf(todos, "%s%s", n++ ? "; " : "", _(t->rows[i].f.todo));
    return n;
}

static void
put_verdict(const struct doctor_text *t, struct buf *out)
{
    CLEANUP_BUF struct buf text = buf_of(TEXT_MAX);
    CLEANUP_BUF struct buf faults = buf_of(TEXT_MAX);
    CLEANUP_BUF struct buf todos = buf_of(TEXT_MAX);
    bool broken = list_faults(t, &faults);
    size_t n = list_todos(t, &todos);

    for (size_t i = 0; i < t->n; i++)
        if (t->rows[i].f.first)
            put_wrapped(out, t->screen, t->rows[i].text, 0, 0);
    if (faults.len == 0)
        buf_str(&text, _("Ready."));
    else
        buf_printf(&text, "%s: %s.",
                   broken ? _("Not ready") : _("Ready, except"), faults.p);
    if (n > 0)
        buf_printf(&text,
                   P_(" %zu thing to do: %s.", " %zu things to do: %s.", n), n,
                   todos.p);
    put_wrapped(out, t->screen, text.p ? text.p : "", 0, 0);
}

void
doctor_text_write(const struct doctor_text *t, struct buf *out)
{
    put_verdict(t, out);
    for (enum doctor_group g = 0; g < DOCTOR_GROUPS; g++)
        put_group(t, out, g);
    if (t->no_room)
        out->bad = true;
    if (!t->all)
        buf_str(out, _("\nagentsh doctor -v shows everything.\n"));
}
