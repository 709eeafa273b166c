/* SPDX-License-Identifier: GPL-3.0-or-later */
/* live.c - one line that says what takes so long, and disappears. */
#include "term/live.h"

#include <poll.h>
#include <string.h>

#include "base/clock.h"
#include "term/escape.h"
#include "term/filter.h"
#include "term/style.h"
#include "term/width.h"

#define TEXT_MAX                                                               \
    4096 /* bytes of what and of a noted line: many screens wide               \
          */
#define LINE_MAX (16u << 10)

struct live {
    struct term *t;
    struct watch *timer;
    struct buf what;           /* escaped */
    struct buf noted, noting;  /* the last whole line; the one begun */
    struct term_filter filter; /* for noting */
    int64_t since_ms;
    unsigned frame;
    bool drawn, hidden;
    bool at_start; /* the cursor is where a line begins */
};

static const char *const spin_utf8[] = {"⠈", "⠐", "⠠", "⢀", "⡀", "⠄", "⠂", "⠁"};
static const char *const spin_ascii[] = {"|", "/", "-", "\\"};

static const char *
spin(const struct live *v)
{
    return v->t->unicode ? spin_utf8[v->frame % 8] : spin_ascii[v->frame % 4];
}

static void
add_time(struct buf *out, int64_t ms)
{
    if (ms < 10000)
        buf_printf(out, "%d.%d s", (int)(ms / 1000), (int)(ms / 100 % 10));
    else if (ms < 60000)
        buf_printf(out, "%d s", (int)(ms / 1000));
    else
        buf_printf(out, "%d min %02d s", (int)(ms / 60000),
                   (int)(ms / 1000 % 60));
}

static void
add_line(struct live *v, struct buf *out)
{
    const char *dot = style_symbol(v->t, SYMBOL_DOT);
    const struct buf *note = v->noting.len > 0 ? &v->noting : &v->noted;

    buf_printf(out, "%s %s %s ", spin(v), v->what.p, dot);
    add_time(out, clock_ms() - v->since_ms);
    if (note->len > 0)
        buf_printf(out, " %s %s", dot, note->p);
}

/* Nobody reads: the terminal is stopped, and writing would stop us too. */
static bool
is_stopped(const struct term *t)
{
    struct pollfd p = {.fd = t->out, .events = POLLOUT};

    return poll(&p, 1, 0) != 1 || !(p.revents & POLLOUT);
}

static void
draw(struct live *v)
{
    CLEANUP_BUF struct buf line = buf_of(LINE_MAX);
    CLEANUP_BUF struct buf out = buf_of(LINE_MAX);

    if (v->hidden || !v->at_start || !v->t->moves || is_stopped(v->t))
        return;
    term_measure(v->t);
    add_line(v, &line);
    buf_str(&out, "\r");
    buf_str(&out, style_on(v->t, STYLE_DIM));
    width_truncate(&out, line.p, line.len, (size_t)v->t->columns - 1,
                   style_symbol(v->t, SYMBOL_ELLIPSIS));
    buf_str(&out, style_off(v->t, STYLE_DIM));
    buf_str(&out, "\033[K");
    (void)term_put(v->t, &out, NULL);
    v->drawn = true;
}

static void
erase(struct live *v)
{
    if (v->drawn)
        (void)term_write(v->t, "\r\033[K", 4, NULL);
    v->drawn = false;
}

static void
on_tick(void *arg, unsigned events)
{
    struct live *v = arg;

    (void)events;
    v->frame++;
    draw(v);
    watch_again(v->timer, LIVE_TICK_MS);
}

struct live *
live_open(struct loop *l, struct term *t, const char *what, struct err *e)
{
    CLEANUP(live_close_p) struct live *v = calloc(1, sizeof(*v));

    if (!v) {
        err_sys(e, "live line");
        return NULL;
    }
    v->t = t;
    v->at_start = true;
    buf_init(&v->what, TEXT_MAX);
    buf_init(&v->noted, TEXT_MAX);
    buf_init(&v->noting, TEXT_MAX);
    term_filter_init(&v->filter, 0);
    if (t->moves) {
        v->timer = loop_timer(l, LIVE_DELAY_MS, on_tick, v, e);
        if (!v->timer)
            return NULL;
    }
    live_what(v, what);
    return TAKE_PTR(v);
}

void
live_close(struct live *v)
{
    if (!v)
        return;
    erase(v);
    watch_free(v->timer);
    buf_done(&v->what);
    buf_done(&v->noted);
    buf_done(&v->noting);
    free(v);
}

void
live_what(struct live *v, const char *what)
{
    buf_clear(&v->what);
    buf_clear(&v->noted);
    buf_clear(&v->noting);
    escape_str(&v->what, NULL, what, ESCAPE_LINES);
    v->since_ms = clock_ms();
}

/* One character of output that was filtered: no sequences are left. */
static void
note_char(struct live *v, char c)
{
    if (c == '\n' || c == '\r') {
        struct buf old = v->noted;

        if (v->noting.len == 0)
            return;
        v->noted = v->noting;
        v->noting = old;
        buf_clear(&v->noting);
    } else if (c == '\t') {
        buf_ch(&v->noting, ' ');
    } else if (c != '\b') {
        buf_ch(&v->noting, c);
    }
}

void
live_note(struct live *v, const void *bytes, size_t n)
{
    CLEANUP_BUF struct buf text = buf_of(4 * TEXT_MAX);
    const char *p = bytes;

    if (n > TEXT_MAX) {
        p += n - TEXT_MAX;
        n = TEXT_MAX;
    }
    term_filter_add(&v->filter, p, n, &text);
    for (size_t i = 0; i < text.len; i++)
        note_char(v, text.p[i]);
}

/* Where the cursor is after the bytes: sequences do not move it. */
static bool
ends_line(const char *p, size_t n, bool before)
{
    const char *newline = memrchr(p, '\n', n);
    size_t at = newline ? (size_t)(newline - p) + 1 : 0;

    while (at < n) {
        size_t columns;

        if (p[at] != '\033')
            return false;
        at += width_unit(p + at, n - at, &columns);
    }
    return newline || before;
}

int
live_write(struct live *v, const void *bytes, size_t n, struct err *e)
{
    erase(v);
    v->at_start = ends_line(bytes, n, v->at_start);
    return term_write(v->t, bytes, n, e);
}

void
live_hide(struct live *v)
{
    erase(v);
    v->hidden = true;
}

void
live_show(struct live *v)
{
    v->hidden = false;
}
