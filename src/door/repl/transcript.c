/* SPDX-License-Identifier: GPL-3.0-or-later */
/* transcript.c - what the last command showed, as a person would read it. */
#include "door/repl/transcript.h"

#include <string.h>

#include "base/cleanup.h"
#include "base/utf8.h"
#include "door/repl/scroll.h"
#include "door/repl/vt.h"

struct transcript {
    struct scroll text;
    bool away;  /* on the alternate screen */
    bool homed; /* the cursor was sent to the top, nothing printed since */
    struct vt vt;
};

struct transcript *
transcript_new(struct err *e)
{
    struct transcript *t = calloc(1, sizeof(*t));

    if (!t) {
        err_sys(e, "transcript");
        return NULL;
    }
    buf_init(&t->text.text, 2 * SCROLL_MAX);
    return t;
}

void
transcript_free(struct transcript *t)
{
    if (t)
        buf_done(&t->text.text);
    free(t);
}

void
transcript_clear(struct transcript *t)
{
    scroll_erase_all(&t->text);
    t->away = t->homed = false;
    t->vt = (struct vt){0};
}

/* Erasing all that is below the top of the screen is how programs clear it. */
static void
erase_display(struct transcript *t, int how)
{
    if (how >= 2 || (how == 0 && t->homed))
        scroll_erase_all(&t->text);
    else if (how == 0)
        scroll_erase_below(&t->text);
}

/* Absolute positions mean nothing here: what follows begins a line. */
static void
move_to(struct transcript *t, int row, int column)
{
    struct scroll *sc = &t->text;

    sc->row = sc->at = sc->text.len;
    if (sc->at > 0 && sc->text.p[sc->at - 1] != '\n')
        scroll_new_line(sc);
    t->homed = row == 1 && column == 1;
}

static void
private_mode(struct transcript *t)
{
    int mode = vt_param(&t->vt, 0, 0);

    if (mode == 1049 || mode == 1047 || mode == 47)
        t->away = t->vt.final == 'h';
}

static void
sequence(struct transcript *t)
{
    struct scroll *sc = &t->text;
    int n = vt_param(&t->vt, 0, 1);
    int how = vt_param(&t->vt, 0, 0);

    switch (t->vt.final) {
    case 'A':
    case 'F':
        scroll_up(sc, n);
        break;
    case 'B':
    case 'E':
        scroll_down(sc, n);
        break;
    case 'C':
        scroll_to_column(sc, scroll_column(sc) + n);
        break;
    case 'D':
        scroll_to_column(sc, scroll_column(sc) - n);
        break;
    case 'G':
        scroll_to_column(sc, n - 1);
        break;
    case 'H':
    case 'f':
        move_to(t, n, vt_param(&t->vt, 1, 1));
        break;
    case 'J':
        erase_display(t, how);
        break;
    case 'K':
        scroll_erase_line(sc, how);
        break;
    case 'P':
        scroll_delete_chars(sc, n);
        break;
    default:
        break;
    }
}

static void
control(struct scroll *sc, unsigned char c)
{
    if (c == '\n')
        scroll_new_line(sc);
    else if (c == '\r')
        scroll_return(sc);
    else if (c == '\b')
        scroll_left(sc);
    else if (c == '\t')
        scroll_put(sc, '\t');
}

static void
follow(struct transcript *t, unsigned char c)
{
    enum vt_event ev = vt_step(&t->vt, c);

    if (ev == VT_CSI && t->vt.lead == '?')
        private_mode(t);
    if (t->away || ev == VT_NOTHING)
        return;
    if (ev == VT_TEXT)
        scroll_put(&t->text, (char)c);
    else if (ev == VT_CONTROL)
        control(&t->text, c);
    else if (ev == VT_CSI && t->vt.lead == 0)
        sequence(t);
    else if (ev == VT_ESC && t->vt.final == 'M')
        scroll_up(&t->text, 1);
    else if (ev == VT_ESC && t->vt.final == 'c')
        scroll_erase_all(&t->text);
    if (ev == VT_TEXT || ev == VT_CONTROL)
        t->homed = false;
}

void
transcript_feed(struct transcript *t, const char *p, size_t n)
{
    size_t i = 0, plain;

    while (i < n) {
        plain = 0;
        if (!t->away && t->vt.state == VT_GROUND)
            plain = scroll_append(&t->text, p + i, n - i);
        t->homed = t->homed && plain == 0;
        i += plain;
        if (i < n)
            follow(t, (unsigned char)p[i++]);
    }
}

void
transcript_tail(const struct transcript *t, size_t max, struct buf *out)
{
    /* a bad byte becomes three */
    CLEANUP_BUF struct buf text = buf_of(3 * t->text.text.len);
    size_t end, from = 0;
    const char *nl;

    utf8_mend(&text, t->text.text.p, t->text.text.len);
    end = text.len;
    while (end > 0 && strchr("\n \t", text.p[end - 1]))
        end--;
    if (end > max) { /* whole lines, when there are any */
        from = end - max;
        while (from < end && ((unsigned char)text.p[from] & 0xc0) == 0x80)
            from++;
        nl = memchr(text.p + from, '\n', end - from);
        from = nl ? (size_t)(nl - text.p) + 1 : from;
    }
    buf_add(out, text.p + from, end - from);
}
