/* SPDX-License-Identifier: GPL-3.0-or-later */
/* preview_diff.c - the lines of changed files, as a person reads them. */
#include <fcntl.h>

#include "base/cleanup.h"
#include "base/diff.h"
#include "base/file.h"
#include "base/size.h"
#include "person/preview_in.h"
#include "sandbox/preview/beneath.h"
#include "term/escape.h"
#include "term/style.h"

#define CONTEXT 3

/* Both sides of a file as text; false: it is none, or too big. */
struct sides {
    struct buf old, new;
};

static bool
read_side(int root, const char *path, bool there, struct buf *out)
{
    CLEANUP(fd_close_p)
    int fd = there ? beneath_open(root, path, O_RDONLY) : -1;

    if (!there)
        return true;
    return fd >= 0 && file_read_fd(fd, out, NULL) == 0 &&
           diff_is_text(out->p, out->len);
}

static bool
read_sides(const struct changes_spec *view, const struct change *c,
           struct sides *s)
{
    bool old = S_ISREG(c->before.st_mode);

    *s = (struct sides){buf_of(PREVIEW_TEXT_MAX), buf_of(PREVIEW_TEXT_MAX)};
    if (!S_ISREG(c->after.st_mode) || c->kind == CHANGE_ATTRIBUTES ||
        c->after.st_size > (off_t)PREVIEW_TEXT_MAX ||
        (old && c->before.st_size > (off_t)PREVIEW_TEXT_MAX))
        return false;
    return read_side(view->lower, c->path, old, &s->old) &&
           read_side(view->upper, c->path, true, &s->new);
}

static void
sides_done(struct sides *s)
{
    buf_done(&s->old);
    buf_done(&s->new);
}

/* Lines that came and went, or the size where there are none. */
void
preview_put_lines(struct buf *out, const struct changes_spec *view,
                  const struct change *c)
{
    CLEANUP(sides_done) struct sides s = {0};
    struct diff d;
    char size[SIZE_TEXT];

    if (read_sides(view, c, &s) &&
        diff_make(s.old.p, s.old.len, s.new.p, s.new.len, &d, NULL) == 0) {
        buf_printf(out, "+%zu -%zu lines", d.added, d.removed);
        diff_done(&d);
        return;
    }
    buf_str(out, size_text((uint64_t)c->before.st_size, size));
    buf_printf(out, " -> %s", size_text((uint64_t)c->after.st_size, size));
}

/* A diff on its way to the screen. */
struct diff_out {
    struct buf *out;
    const struct term *t;
    size_t lines;
    bool all;
};

static void
on_line(void *arg, char mark, const char *line, size_t n)
{
    struct diff_out *d = arg;
    enum style s = mark == '+'   ? STYLE_GOOD
                   : mark == '-' ? STYLE_ERROR
                   : mark == '@' ? STYLE_DIM
                                 : STYLE_PLAIN;

    d->lines++;
    buf_str(d->out, style_on(d->t, s));
    if (mark == '@')
        buf_printf(d->out, "@@ %.*s @@", (int)n, line);
    else if (mark == '\\')
        buf_str(d->out, "\\ no newline at the end");
    else
        buf_ch(d->out, mark);
    if (mark != '@')
        escape_text(d->out, d->t, line, n, ESCAPE_PROSE);
    buf_str(d->out, style_off(d->t, s));
    buf_ch(d->out, '\n');
}

static void
put_heading(struct diff_out *o, const struct changes *list,
            const struct change *c)
{
    buf_printf(o->out, "%s%s ", style_on(o->t, STYLE_HEADING), preview_sign(c));
    preview_put_name(o->out, o->t, list, c);
    buf_printf(o->out, "%s\n", style_off(o->t, STYLE_HEADING));
    o->lines++;
}

static void
put_file_diff(struct diff_out *o, const struct changes_spec *view,
              const struct changes *list, const struct change *c)
{
    CLEANUP(sides_done) struct sides s = {0};
    struct diff d;

    if (!S_ISREG(c->after.st_mode) || c->kind == CHANGE_ATTRIBUTES ||
        c->pair != CHANGE_NO_PAIR || (!o->all && preview_is_inner(c)))
        return;
    if (read_sides(view, c, &s) &&
        diff_make(s.old.p, s.old.len, s.new.p, s.new.len, &d, NULL) == 0) {
        put_heading(o, list, c);
        diff_unified(&d, CONTEXT, on_line, o);
        diff_done(&d);
    } else if (o->all) {
        put_heading(o, list, c);
        buf_printf(o->out, "  %s: %lld bytes\n",
                   c->after.st_size > (off_t)PREVIEW_TEXT_MAX
                       ? "too big to compare"
                       : "not text",
                   (long long)c->after.st_size);
    }
}

size_t
preview_put_diff(struct buf *out, const struct term *t,
                 const struct changes_spec *view, const struct changes *list,
                 bool all)
{
    struct diff_out o = {out, t, 0, all};

    for (size_t i = 0; i < list->n && !out->bad; i++)
        put_file_diff(&o, view, list, &list->v[i]);
    return o.lines;
}
