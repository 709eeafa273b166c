/* SPDX-License-Identifier: GPL-3.0-or-later */
/* preview_text.c - writes the changes of a preview: a list and a diff. */
#include "ui/preview_text.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diff.h"
#include "base/file.h"
#include "base/message.h"
#include "base/size.h"
#include "sandbox/preview/beneath.h"
#include "term/escape.h"
#include "term/style.h"

#define NAME_COLUMNS 40
#define CONTEXT      3

/* What the list and the diff share. */

/* "+", "~", "=", "-" or, for a renamed file, ">"; on a plain terminal the word.
 */
static const char *
change_sign(const struct term *t, const struct change *c)
{
    static const char *const signs[][2] = {
        [CHANGE_ADDED] = {"+", "new"},
        [CHANGE_CHANGED] = {"~", "changed"},
        [CHANGE_ATTRIBUTES] = {"=", "attributes"},
        [CHANGE_DELETED] = {"-", "deleted"},
    };

    if (c->pair != CHANGE_NO_PAIR)
        return t->plain ? "renamed" : ">";
    return signs[c->kind][t->plain];
}

static enum style
style_of(const struct change *c)
{
    if (c->meanwhile || c->bar != CHANGE_FREE || c->leaves)
        return STYLE_WARNING;
    if (c->pair != CHANGE_NO_PAIR)
        return STYLE_PLAIN;
    return c->kind == CHANGE_ADDED     ? STYLE_GOOD
           : c->kind == CHANGE_DELETED ? STYLE_ERROR
                                       : STYLE_PLAIN;
}

/* Whether it is a file of git's own that needs no warning. */
static bool
is_git_internal(const struct change *c)
{
    const char *git = strstr(c->path, ".git/");

    return git && (git == c->path || git[-1] == '/') &&
           style_of(c) != STYLE_WARNING;
}

static const char *
file_type_text(mode_t mode)
{
    return S_ISDIR(mode)   ? "a directory"
           : S_ISLNK(mode) ? "a link"
           : S_ISREG(mode) ? "a file"
                           : "a special file";
}

static void
put_attributes(struct buf *out, const struct change *c)
{
    unsigned before = c->before.st_mode & 07777;
    unsigned after = c->after.st_mode & 07777;

    if (before != after)
        buf_printf(out, _("mode %o -> %o"), before, after);
    else if (c->before.st_uid != c->after.st_uid ||
             c->before.st_gid != c->after.st_gid)
        buf_str(out, _("another owner"));
    else
        buf_str(out, _("only its times"));
}

static void
put_deleted_size(struct buf *out, const struct change *c)
{
    char size[SIZE_TEXT];

    if (S_ISDIR(c->before.st_mode))
        buf_printf(out, _("with %llu inside, "),
                   (unsigned long long)(c->files - 1));
    buf_str(out, size_text(c->bytes, size));
}

/* Both sides of a changed file, as text. */
struct file_sides {
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

/* False: the file is not text, or too big. */
static bool
read_sides(const struct changes_spec *view, const struct change *c,
           struct file_sides *s)
{
    bool old = S_ISREG(c->before.st_mode);

    *s = (struct file_sides){buf_of(PREVIEW_TEXT_MAX),
                             buf_of(PREVIEW_TEXT_MAX)};
    if (!S_ISREG(c->after.st_mode) || c->kind == CHANGE_ATTRIBUTES ||
        c->after.st_size > (off_t)PREVIEW_TEXT_MAX ||
        (old && c->before.st_size > (off_t)PREVIEW_TEXT_MAX))
        return false;
    return read_side(view->lower, c->path, old, &s->old) &&
           read_side(view->upper, c->path, true, &s->new);
}

static void
file_sides_done(struct file_sides *s)
{
    buf_done(&s->old);
    buf_done(&s->new);
}

/* Appends how many lines were added and removed; the sizes of what is not text.
 */
static void
put_line_counts(struct buf *out, const struct changes_spec *view,
                const struct change *c)
{
    CLEANUP(file_sides_done) struct file_sides s = {0};
    struct diff d;
    char size[SIZE_TEXT];

    if (read_sides(view, c, &s) &&
        diff_make(s.old.p, s.old.len, s.new.p, s.new.len, &d, NULL) == 0) {
        buf_printf(out, _("+%zu -%zu lines"), d.added, d.removed);
        diff_done(&d);
        return;
    }
    buf_str(out, size_text((uint64_t)c->before.st_size, size));
    buf_printf(out, " -> %s", size_text((uint64_t)c->after.st_size, size));
}

/* Appends what is known of a change beside its name. */
static void
put_change_facts(struct buf *out, const struct changes_spec *view,
                 const struct change *c)
{
    char size[SIZE_TEXT];

    if (c->kind == CHANGE_ATTRIBUTES)
        put_attributes(out, c);
    else if (c->kind == CHANGE_DELETED)
        put_deleted_size(out, c);
    else if (c->before.st_mode &&
             (c->before.st_mode & S_IFMT) != (c->after.st_mode & S_IFMT))
        buf_printf(out, _("was %s, is %s"), file_type_text(c->before.st_mode),
                   file_type_text(c->after.st_mode));
    else if (c->kind == CHANGE_CHANGED && S_ISREG(c->after.st_mode))
        put_line_counts(out, view, c);
    else if (S_ISREG(c->after.st_mode))
        buf_str(out, size_text((uint64_t)c->after.st_size, size));
    if (S_ISREG(c->after.st_mode) && c->after.st_mode & (S_ISUID | S_ISGID) &&
        c->kind != CHANGE_ATTRIBUTES)
        buf_str(out, _(", without its setuid bit"));
    if (c->leaves && c->bar != CHANGE_TO_COPY)
        buf_str(out, _(", points out of the workspace"));
    if (c->bar == CHANGE_PROTECTED)
        buf_str(out, _(", protected: will not be kept"));
    if (c->bar == CHANGE_SPECIAL)
        buf_str(out, _(", a special file: will not be kept"));
    if (c->bar == CHANGE_TO_COPY)
        buf_str(out, _(", points into the copy: will not be kept"));
    if (c->meanwhile)
        buf_str(out, _(", and the original was changed in the meantime"));
}

/* Appends its name, with a link's target and a renamed file's old name. */
static void
put_change_name(struct buf *out, const struct term *t,
                const struct changes *list, const struct change *c)
{
    bool is_dir = S_ISDIR(c->after.st_mode ? c->after.st_mode
                                           : c->before.st_mode);

    if (c->pair != CHANGE_NO_PAIR) {
        escape_str(out, t, list->v[c->pair].path, ESCAPE_LINES);
        buf_str(out, " -> ");
    }
    escape_str(out, t, c->path, ESCAPE_LINES);
    if (is_dir && strcmp(c->path, ".") != 0)
        buf_ch(out, '/');
    if (c->target && c->pair == CHANGE_NO_PAIR) {
        buf_str(out, " -> ");
        escape_str(out, t, c->target, ESCAPE_LINES);
    }
}

static void
put_change(struct buf *out, const struct term *t,
           const struct changes_spec *view, const struct changes *list,
           const struct change *c)
{
    CLEANUP_BUF struct buf facts = buf_of(512);
    size_t before;

    buf_printf(out, "  %s%s%s ", style_on(t, style_of(c)), change_sign(t, c),
               style_off(t, style_of(c)));
    before = out->len;
    put_change_name(out, t, list, c);
    put_change_facts(&facts, view, c);
    if (facts.len > 0) {
        size_t at = t->plain ? NAME_COLUMNS : out->len - before;

        buf_printf(out, "%*s  %s%s%s",
                   at < NAME_COLUMNS ? (int)(NAME_COLUMNS - at) : 0, "",
                   style_on(t, STYLE_DIM),
                   facts.p + (strncmp(facts.p, ", ", 2) == 0 ? 2 : 0),
                   style_off(t, STYLE_DIM));
    }
    buf_ch(out, '\n');
}

/* The half of a renaming that is left out: the other half names both. */
static bool
is_second_half(const struct change *c)
{
    return c->kind == CHANGE_DELETED && c->pair != CHANGE_NO_PAIR;
}

static bool
is_plain_addition(const struct change *c)
{
    return c->kind == CHANGE_ADDED && c->pair == CHANGE_NO_PAIR &&
           style_of(c) != STYLE_WARNING;
}

/* How many entries a new directory holds, if they need not be listed one by
 * one; 0 when one of them needs a warning. */
static size_t
count_inside(const struct changes *list, size_t at, uint64_t *bytes)
{
    const struct change *dir = &list->v[at];
    size_t n = strlen(dir->path), inside = 0;

    *bytes = 0;
    if (!is_plain_addition(dir) || !S_ISDIR(dir->after.st_mode))
        return 0;
    for (size_t i = at + 1; i < list->n; i++) {
        const struct change *c = &list->v[i];

        if (strncmp(c->path, dir->path, n) != 0 || c->path[n] != '/')
            break;
        if (!is_plain_addition(c))
            return 0;
        inside++;
        if (S_ISREG(c->after.st_mode))
            *bytes += (uint64_t)c->after.st_size;
    }
    return inside;
}

/* Appends a new directory with all that is in it as one line. Returns how many
 * entries that covers. */
static size_t
put_new_directory(struct buf *out, const struct term *t,
                  const struct changes_spec *view, const struct changes *list,
                  size_t at)
{
    uint64_t bytes;
    size_t inside = count_inside(list, at, &bytes);
    char size[SIZE_TEXT];

    put_change(out, t, view, list, &list->v[at]);
    if (inside == 0)
        return 0;
    buf_cut(out, out->len - 1);
    buf_printf(out, _("  %swith %zu inside, %s%s\n"), style_on(t, STYLE_DIM),
               inside, size_text(bytes, size), style_off(t, STYLE_DIM));
    return inside;
}

void
preview_text_list(struct buf *out, const struct term *t,
                  const struct changes_spec *view, const struct changes *list,
                  size_t most)
{
    bool all = most == PREVIEW_TEXT_ALL, folds = list->n > most;
    size_t shown = 0, more = 0, inner = 0;
    char size[SIZE_TEXT];

    for (size_t i = 0; i < list->n; i++) {
        if (is_second_half(&list->v[i]))
            continue;
        if (!all && is_git_internal(&list->v[i])) {
            inner++;
            continue;
        }
        if (shown == most) {
            more++;
            continue;
        }
        if (folds)
            i += put_new_directory(out, t, view, list, i);
        else
            put_change(out, t, view, list, &list->v[i]);
        shown++;
    }
    if (more > 0)
        buf_printf(out, _("  and %zu more\n"), more);
    if (inner > 0)
        buf_printf(out, _("  and %zu inside .git\n"), inner);
    if (list->write_bytes >= 1000000)
        buf_printf(out, _("  %s to write\n"),
                   size_text(list->write_bytes, size));
}

void
preview_text_report(struct buf *out, const struct term *t,
                    const struct changes *list, const struct apply_report *r,
                    size_t most)
{
    size_t shown = 0, wanted = 0;

    for (size_t i = 0; r->state && i < list->n; i++) {
        enum apply_state s = r->state[i];

        /* what was refused; when nothing was, what was done */
        if (r->refused ? s <= APPLY_LEFT_OUT : s != APPLY_DONE)
            continue;
        if (++wanted > most)
            continue;
        shown++;
        buf_str(out, "  ");
        escape_str(out, t, list->v[i].path, ESCAPE_LINES);
        buf_printf(out, ": %s\n", apply_state_text(s));
    }
    if (wanted > shown)
        buf_printf(out, _("  and %zu more\n"), wanted - shown);
}

/* A diff that is being written. */
struct diff_out {
    struct buf *out;
    const struct term *t;
    size_t lines;
    bool all;
};

static void
on_diff_line(void *arg, char mark, const char *line, size_t n)
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
put_diff_heading(struct diff_out *o, const struct changes *list,
                 const struct change *c)
{
    buf_printf(o->out, "%s%s ", style_on(o->t, STYLE_HEADING),
               change_sign(o->t, c));
    put_change_name(o->out, o->t, list, c);
    buf_printf(o->out, "%s\n", style_off(o->t, STYLE_HEADING));
    o->lines++;
}

static void
put_file_diff(struct diff_out *o, const struct changes_spec *view,
              const struct changes *list, const struct change *c)
{
    CLEANUP(file_sides_done) struct file_sides s = {0};
    struct diff d;

    if (!S_ISREG(c->after.st_mode) || c->kind == CHANGE_ATTRIBUTES ||
        c->pair != CHANGE_NO_PAIR || (!o->all && is_git_internal(c)))
        return;
    if (read_sides(view, c, &s) &&
        diff_make(s.old.p, s.old.len, s.new.p, s.new.len, &d, NULL) == 0) {
        put_diff_heading(o, list, c);
        diff_unified(&d, CONTEXT, on_diff_line, o);
        diff_done(&d);
    } else if (o->all) {
        put_diff_heading(o, list, c);
        buf_printf(o->out, _("  %s: %lld bytes\n"),
                   c->after.st_size > (off_t)PREVIEW_TEXT_MAX
                       ? "too big to compare"
                       : "not text",
                   (long long)c->after.st_size);
    }
}

size_t
preview_text_diff(struct buf *out, const struct term *t,
                  const struct changes_spec *view, const struct changes *list,
                  bool all)
{
    struct diff_out o = {out, t, 0, all};

    for (size_t i = 0; i < list->n && !out->bad; i++)
        put_file_diff(&o, view, list, &list->v[i]);
    return o.lines;
}
