/* SPDX-License-Identifier: GPL-3.0-or-later */
/* transcript.c - what the last command showed, as a person would read it. */
#include "door/repl/transcript.h"

#include <string.h>

#include "base/cleanup.h"
#include "base/utf8.h"
#include "door/repl/page.h"
#include "door/repl/vt.h"

struct transcript {
    struct page page;
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
    buf_init(&t->page.text, 2 * PAGE_MAX);
    return t;
}

void
transcript_free(struct transcript *t)
{
    if (t)
        buf_done(&t->page.text);
    free(t);
}

void
transcript_clear(struct transcript *t)
{
    page_erase_all(&t->page);
    t->away = t->homed = false;
    t->vt = (struct vt){0};
}

/* Erasing all that is below the top of the screen is how programs clear it. */
static void
erase_display(struct transcript *t, int how)
{
    if (how >= 2 || (how == 0 && t->homed))
        page_erase_all(&t->page);
    else if (how == 0)
        page_erase_below(&t->page);
}

/* Absolute positions mean nothing here: what follows begins a line. */
static void
move_to(struct transcript *t, int row, int column)
{
    struct page *pg = &t->page;

    pg->row = pg->at = pg->text.len;
    if (pg->at > 0 && pg->text.p[pg->at - 1] != '\n')
        page_new_line(pg);
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
    struct page *pg = &t->page;
    int n = vt_param(&t->vt, 0, 1);
    int how = vt_param(&t->vt, 0, 0);

    switch (t->vt.final) {
    case 'A':
    case 'F':
        page_up(pg, n);
        break;
    case 'B':
    case 'E':
        page_down(pg, n);
        break;
    case 'C':
        page_to_column(pg, page_column(pg) + n);
        break;
    case 'D':
        page_to_column(pg, page_column(pg) - n);
        break;
    case 'G':
        page_to_column(pg, n - 1);
        break;
    case 'H':
    case 'f':
        move_to(t, n, vt_param(&t->vt, 1, 1));
        break;
    case 'J':
        erase_display(t, how);
        break;
    case 'K':
        page_erase_line(pg, how);
        break;
    case 'P':
        page_delete_chars(pg, n);
        break;
    default:
        break;
    }
}

static void
control(struct page *pg, unsigned char c)
{
    if (c == '\n')
        page_new_line(pg);
    else if (c == '\r')
        page_return(pg);
    else if (c == '\b')
        page_left(pg);
    else if (c == '\t')
        page_put(pg, '\t');
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
        page_put(&t->page, (char)c);
    else if (ev == VT_CONTROL)
        control(&t->page, c);
    else if (ev == VT_CSI && t->vt.lead == 0)
        sequence(t);
    else if (ev == VT_ESC && t->vt.final == 'M')
        page_up(&t->page, 1);
    else if (ev == VT_ESC && t->vt.final == 'c')
        page_erase_all(&t->page);
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
            plain = page_append(&t->page, p + i, n - i);
        t->homed = t->homed && plain == 0;
        i += plain;
        if (i < n)
            follow(t, (unsigned char)p[i++]);
    }
}

void
transcript_tail(const struct transcript *t, size_t max, struct buf *out)
{
    CLEANUP_BUF struct buf text = {0};
    size_t end, from = 0;
    const char *nl;

    /* a bad byte becomes three */
    buf_init(&text, 3 * t->page.text.len);
    utf8_mend(&text, t->page.text.p, t->page.text.len);
    end = text.len;
    while (end > 0 && strchr("\n \t", text.p[end - 1]))
        end--;
    if (end > max) { /* whole lines, when there are any */
        from = utf8_boundary(text.p, end, end - max + 3);
        nl = memchr(text.p + from, '\n', end - from);
        from = nl ? (size_t)(nl - text.p) + 1 : from;
    }
    buf_add(out, text.p + from, end - from);
}
