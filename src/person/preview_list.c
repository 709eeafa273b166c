/* SPDX-License-Identifier: GPL-3.0-or-later */
/* preview_list.c - what changed, as a person reads it. */
#include "base/cleanup.h"
#include "person/preview_in.h"

#include <stdio.h>
#include <string.h>

#include "base/size.h"
#include "term/escape.h"
#include "term/style.h"

#define NAME_COLUMNS 40

const char *
preview_sign(const struct change *c)
{
    static const char *const signs[] = {
        [CHANGE_ADDED] = "+",
        [CHANGE_CHANGED] = "~",
        [CHANGE_ATTRIBUTES] = "=",
        [CHANGE_DELETED] = "-",
    };

    return c->pair != CHANGE_NO_PAIR ? ">" : signs[c->kind];
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

static const char *
type_text(mode_t mode)
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
        buf_printf(out, "mode %o -> %o", before, after);
    else if (c->before.st_uid != c->after.st_uid ||
             c->before.st_gid != c->after.st_gid)
        buf_str(out, "another owner");
    else
        buf_str(out, "only its times");
}

static void
put_deleted(struct buf *out, const struct change *c)
{
    char size[SIZE_TEXT];

    if (S_ISDIR(c->before.st_mode))
        buf_printf(out, "with %llu inside, ",
                   (unsigned long long)(c->files - 1));
    buf_str(out, size_text(c->bytes, size));
}

/* What there is to say of a change beside its name. */
static void
put_facts(struct buf *out, const struct changes_spec *view,
          const struct change *c)
{
    char size[SIZE_TEXT];

    if (c->kind == CHANGE_ATTRIBUTES)
        put_attributes(out, c);
    else if (c->kind == CHANGE_DELETED)
        put_deleted(out, c);
    else if (c->before.st_mode &&
             (c->before.st_mode & S_IFMT) != (c->after.st_mode & S_IFMT))
        buf_printf(out, "was %s, is %s", type_text(c->before.st_mode),
                   type_text(c->after.st_mode));
    else if (c->kind == CHANGE_CHANGED && S_ISREG(c->after.st_mode))
        preview_put_lines(out, view, c);
    else if (S_ISREG(c->after.st_mode))
        buf_str(out, size_text((uint64_t)c->after.st_size, size));
    if (S_ISREG(c->after.st_mode) && c->after.st_mode & (S_ISUID | S_ISGID) &&
        c->kind != CHANGE_ATTRIBUTES)
        buf_str(out, ", without its setuid bit");
    if (c->leaves && c->bar != CHANGE_TO_COPY)
        buf_str(out, ", points out of the workspace");
    if (c->bar == CHANGE_PROTECTED)
        buf_str(out, ", protected: will not be kept");
    if (c->bar == CHANGE_SPECIAL)
        buf_str(out, ", a special file: will not be kept");
    if (c->bar == CHANGE_TO_COPY)
        buf_str(out, ", points into the copy: will not be kept");
    if (c->meanwhile)
        buf_str(out, ", and the original was changed in the meantime");
}

void
preview_put_name(struct buf *out, const struct term *t,
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

    buf_printf(out, "  %s%s%s ", style_on(t, style_of(c)), preview_sign(c),
               style_off(t, style_of(c)));
    before = out->len;
    preview_put_name(out, t, list, c);
    put_facts(&facts, view, c);
    if (facts.len > 0) {
        size_t at = out->len - before;

        buf_printf(out, "%*s  %s%s%s",
                   at < NAME_COLUMNS ? (int)(NAME_COLUMNS - at) : 0, "",
                   style_on(t, STYLE_DIM),
                   facts.p + (strncmp(facts.p, ", ", 2) == 0 ? 2 : 0),
                   style_off(t, STYLE_DIM));
    }
    buf_ch(out, '\n');
}

/* The half of a renaming that is left out: the other says both. */
static bool
is_second_half(const struct change *c)
{
    return c->kind == CHANGE_DELETED && c->pair != CHANGE_NO_PAIR;
}

static bool
is_plain(const struct change *c)
{
    return c->kind == CHANGE_ADDED && c->pair == CHANGE_NO_PAIR &&
           style_of(c) != STYLE_WARNING;
}

/* How many entries a new directory holds that nobody needs to look at one by
 * one; 0 when one of them asks for a look. */
static size_t
count_inside(const struct changes *list, size_t at, uint64_t *bytes)
{
    const struct change *dir = &list->v[at];
    size_t n = strlen(dir->path), inside = 0;

    *bytes = 0;
    if (!is_plain(dir) || !S_ISDIR(dir->after.st_mode))
        return 0;
    for (size_t i = at + 1; i < list->n; i++) {
        const struct change *c = &list->v[i];

        if (strncmp(c->path, dir->path, n) != 0 || c->path[n] != '/')
            break;
        if (!is_plain(c))
            return 0;
        inside++;
        if (S_ISREG(c->after.st_mode))
            *bytes += (uint64_t)c->after.st_size;
    }
    return inside;
}

/* A new directory with all that is in it as one line. */
static size_t
put_folded(struct buf *out, const struct term *t,
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
    buf_printf(out, "  %swith %zu inside, %s%s\n", style_on(t, STYLE_DIM),
               inside, size_text(bytes, size), style_off(t, STYLE_DIM));
    return inside;
}

bool
preview_is_inner(const struct change *c)
{
    const char *git = strstr(c->path, ".git/");

    return git && (git == c->path || git[-1] == '/') &&
           style_of(c) != STYLE_WARNING;
}

void
preview_put_list(struct buf *out, const struct term *t,
                 const struct changes_spec *view, const struct changes *list,
                 size_t most)
{
    bool all = most == PREVIEW_ALL, folds = list->n > most;
    size_t shown = 0, more = 0, inner = 0;
    char size[SIZE_TEXT];

    for (size_t i = 0; i < list->n; i++) {
        if (is_second_half(&list->v[i]))
            continue;
        if (!all && preview_is_inner(&list->v[i])) {
            inner++;
            continue;
        }
        if (shown == most) {
            more++;
            continue;
        }
        if (folds)
            i += put_folded(out, t, view, list, i);
        else
            put_change(out, t, view, list, &list->v[i]);
        shown++;
    }
    if (more > 0)
        buf_printf(out, "  and %zu more\n", more);
    if (inner > 0)
        buf_printf(out, "  and %zu inside .git\n", inner);
    if (list->write_bytes >= 1000000)
        buf_printf(out, "  %s to write\n", size_text(list->write_bytes, size));
}

void
preview_put_report(struct buf *out, const struct term *t,
                   const struct changes *list, const struct apply_report *r,
                   size_t most)
{
    size_t shown = 0, wanted = 0;

    for (size_t i = 0; r->state && i < list->n; i++) {
        enum apply_state s = r->state[i];

        /* what is refused, or, when that was nothing, what is done */
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
        buf_printf(out, "  and %zu more\n", wanted - shown);
}
