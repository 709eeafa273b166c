/* SPDX-License-Identifier: GPL-3.0-or-later */
/* progress_line.c - shows what the program waits for, in one temporary line. */
#include "term/progress_line.h"

#include <poll.h>
#include <string.h>

#include "base/clock.h"
#include "term/escape.h"
#include "term/style.h"
#include "term/term_filter.h"
#include "term/width.h"

#define TEXT_MAX 4096 /* bytes of an activity, of a line of output */
#define LINE_MAX (16u << 10)

struct progress_line {
    struct term *t;
    struct watch *timer;
    struct buf activity;       /* escaped */
    struct buf last_output;    /* the last complete line of output */
    struct buf partial_output; /* the incomplete line after it */
    struct term_filter filter; /* of partial_output */
    int64_t since_ms;
    unsigned frame;
    bool drawn, hidden;
    bool at_start; /* the cursor is where a line begins */
};

static const char *const spin_utf8[] = {"⠈", "⠐", "⠠", "⢀", "⡀", "⠄", "⠂", "⠁"};
static const char *const spin_ascii[] = {"|", "/", "-", "\\"};

static const char *
spinner(const struct progress_line *v)
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
add_progress_text(struct progress_line *v, struct buf *out)
{
    const char *dot = style_symbol(v->t, SYMBOL_DOT);
    const struct buf *note = v->partial_output.len > 0 ? &v->partial_output
                                                       : &v->last_output;

    if (!v->t->plain)
        buf_printf(out, "%s ", spinner(v));
    buf_printf(out, "%s%s", v->activity.p, dot);
    add_time(out, clock_ms() - v->since_ms);
    if (note->len > 0)
        buf_printf(out, "%s%s", dot, note->p);
}

/* Whether the terminal is stopped (Ctrl-S): writing would block. */
static bool
is_stopped(const struct term *t)
{
    struct pollfd p = {.fd = t->out, .events = POLLOUT};

    return poll(&p, 1, 0) != 1 || !(p.revents & POLLOUT);
}

static void
draw_progress(struct progress_line *v)
{
    CLEANUP_BUF struct buf line = buf_of(LINE_MAX);
    CLEANUP_BUF struct buf out = buf_of(LINE_MAX);

    if (v->hidden || !v->at_start || !v->t->moves || is_stopped(v->t))
        return;
    term_measure(v->t);
    add_progress_text(v, &line);
    buf_str(&out, "\r");
    buf_str(&out, style_on(v->t, STYLE_DIM));
    width_truncate(&out, line.p, line.len, (size_t)v->t->columns - 1,
                   style_symbol(v->t, SYMBOL_ELLIPSIS));
    buf_str(&out, style_off(v->t, STYLE_DIM));
    buf_str(&out, "\033[K");
    (void)term_put(v->t, &out, NULL);
    v->drawn = true;
}

/* Prints the line for good. */
static void
print_progress(struct progress_line *v)
{
    CLEANUP_BUF struct buf line = buf_of(LINE_MAX);

    if (v->hidden || !v->at_start || is_stopped(v->t))
        return;
    add_progress_text(v, &line);
    buf_ch(&line, '\n');
    (void)term_put(v->t, &line, NULL);
}

static void
erase_line(struct progress_line *v)
{
    if (v->drawn)
        (void)term_write(v->t, "\r\033[K", 4, NULL);
    v->drawn = false;
}

static void
on_tick(void *arg, unsigned events)
{
    struct progress_line *v = arg;

    (void)events;
    v->frame++;
    if (v->t->plain)
        print_progress(v);
    else
        draw_progress(v);
    watch_again(v->timer,
                v->t->plain ? PROGRESS_LINE_PLAIN_MS : PROGRESS_LINE_TICK_MS);
}

struct progress_line *
progress_line_open(struct loop *l, struct term *t, const char *what,
                   struct err *e)
{
    CLEANUP(progress_line_close_p)
    struct progress_line *v = calloc(1, sizeof(*v));

    if (!v) {
        err_sys(e, "live line");
        return NULL;
    }
    v->t = t;
    v->at_start = true;
    buf_init(&v->activity, TEXT_MAX);
    buf_init(&v->last_output, TEXT_MAX);
    buf_init(&v->partial_output, TEXT_MAX);
    term_filter_init(&v->filter, 0);
    if (t->moves || (t->plain && t->tty)) {
        v->timer = loop_timer(
            l, t->plain ? PROGRESS_LINE_PLAIN_MS : PROGRESS_LINE_DELAY_MS,
            on_tick, v, e);
        if (!v->timer)
            return NULL;
    }
    progress_line_set_text(v, what);
    return TAKE_PTR(v);
}

void
progress_line_close(struct progress_line *v)
{
    if (!v)
        return;
    erase_line(v);
    watch_free(v->timer);
    buf_done(&v->activity);
    buf_done(&v->last_output);
    buf_done(&v->partial_output);
    free(v);
}

void
progress_line_set_text(struct progress_line *v, const char *what)
{
    buf_clear(&v->activity);
    buf_clear(&v->last_output);
    buf_clear(&v->partial_output);
    escape_str(&v->activity, NULL, what, ESCAPE_LINES);
    v->since_ms = clock_ms();
}

/* Adds a character of filtered output, which has no control sequences. */
static void
add_output_char(struct progress_line *v, char c)
{
    if (c == '\n' || c == '\r') {
        struct buf old = v->last_output;

        if (v->partial_output.len == 0)
            return;
        v->last_output = v->partial_output;
        v->partial_output = old;
        buf_clear(&v->partial_output);
    } else if (c == '\t') {
        buf_ch(&v->partial_output, ' ');
    } else if (c != '\b') {
        buf_ch(&v->partial_output, c);
    }
}

void
progress_line_add_output(struct progress_line *v, const void *bytes, size_t n)
{
    CLEANUP_BUF struct buf text = buf_of(4 * TEXT_MAX);
    const char *p = bytes;

    if (n > TEXT_MAX) {
        p += n - TEXT_MAX;
        n = TEXT_MAX;
    }
    term_filter_add(&v->filter, p, n, &text);
    for (size_t i = 0; i < text.len; i++)
        add_output_char(v, text.p[i]);
}

/* Whether the cursor is at the start of a line after the bytes; SGR sequences
 * do not move it. */
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
progress_line_write(struct progress_line *v, const void *bytes, size_t n,
                    struct err *e)
{
    erase_line(v);
    v->at_start = ends_line(bytes, n, v->at_start);
    return term_write(v->t, bytes, n, e);
}

void
progress_line_hide(struct progress_line *v)
{
    erase_line(v);
    v->hidden = true;
}

void
progress_line_show(struct progress_line *v)
{
    v->hidden = false;
}

void
progress_line_put_below(struct buf *out, const char *text)
{
    if (text[0])
        buf_str(out, "\033D\033[A"); /* there is a line below now */
    buf_printf(out, "\0337\033[B\r%s\033[K\0338", text);
}
