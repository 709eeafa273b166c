/* SPDX-License-Identifier: GPL-3.0-or-later */
/* effects_text.c - writes what a line would touch, for a person. */
#include "guard/effects/effects_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/array.h"
#include "base/message.h"
#include "base/path.h"
#include "term/escape.h"

static void
add_bytes(struct buf *out, uint64_t bytes)
{
    static const char *const units[] = {"KiB", "MiB", "GiB", "TiB"};
    double v = (double)bytes;
    size_t unit = 0;

    if (bytes < 1024) {
        buf_printf(out, P_("%u byte", "%u bytes", bytes), (unsigned)bytes);
        return;
    }
    for (v /= 1024; v >= 1023.95 && unit + 1 < ARRAY_SIZE(units); unit++)
        v /= 1024;
    buf_printf(out, "%.1f %s", v, units[unit]);
}

/* Writes a path as the person would: relative to the working directory, or to
 * home. */
static void
add_relative_path(struct buf *out, const char *path,
                  const struct path_context *where)
{
    const char *cwd = where->cwd;
    const char *rest = cwd && cwd[1] ? path_behind(path, cwd) : NULL;
    char text[PATH_MAX];

    path = rest && *rest ? rest : path_short(path, where->home, text);
    escape_str(out, NULL, path, ESCAPE_LINES);
}

static void
add_files(struct buf *out, uint64_t files)
{
    buf_printf(out, P_("%llu file", "%llu files", files),
               (unsigned long long)files);
}

static const char *
verb_of(enum risk_use use)
{
    return use == RISK_DELETES ? _("deletes") : _("changes");
}

/* Totals of one kind of use. */
struct use_tally {
    size_t paths, directories;
    uint64_t files, bytes;
};

static struct use_tally
tally_of(const struct effects *x, enum risk_use use)
{
    struct use_tally t = {0};

    for (size_t i = 0; i < x->n_paths; i++) {
        const struct effects_path *p = &x->paths[i];

        if (p->use != use || !p->exists)
            continue;
        t.paths++;
        t.directories += p->is_directory;
        t.files += p->files;
        t.bytes += p->bytes;
    }
    return t;
}

/* The list of paths is cut at its maximum. When there is only one kind of use,
 * the totals of the whole scan are that kind's. */
static void
use_totals(struct use_tally *t, const struct use_tally *other,
           const struct effects *x)
{
    if (t->paths == 0 || other->paths > 0)
        return;
    t->files = x->files;
    t->bytes = x->bytes;
}

/* Names the first paths, and says how many more there are. */
static void
add_path_names(struct buf *out, const struct effects *x, enum risk_use use,
               const struct use_tally *t, const struct path_context *where)
{
    size_t named = 0;

    for (size_t i = 0; i < x->n_paths && named < EFFECTS_NAMED; i++) {
        const struct effects_path *p = &x->paths[i];

        if (p->use != use || !p->exists)
            continue;
        buf_str(out, named++ ? ", " : "");
        add_relative_path(out, p->path, where);
        if (p->is_directory && p->path[1])
            buf_ch(out, '/');
    }
    if (t->paths > named)
        buf_printf(out, _(" and %zu more"), t->paths - named);
}

static void
add_tally(struct buf *out, const struct effects *x, enum risk_use use,
          const struct use_tally *t, const struct path_context *where,
          const char *dot)
{
    if (t->paths == 0)
        return;
    buf_printf(out, "%s%s ", out->len ? "; " : "", verb_of(use));
    add_path_names(out, x, use, t, where);
    if (t->files == 0 && use != RISK_DELETES)
        return;
    buf_printf(out, "%s%s", dot, x->more ? _("at least ") : "");
    if (t->files == 0) {
        buf_str(out, _("no files"));
        return;
    }
    if (t->paths > 1 || t->directories > 0) {
        add_files(out, t->files);
        buf_str(out, ", ");
    }
    add_bytes(out, t->bytes);
}

static void
append_process(struct buf *out, const struct effects_process *p)
{
    char when[32] = "";
    time_t started = (time_t)p->started, now = time(NULL);
    struct tm tm;

    if (localtime_r(&started, &tm))
        strftime(when, sizeof(when),
                 now - started < 86400 ? "%H:%M" : "%Y-%m-%d", &tm);
    escape_str(out, NULL, p->name, ESCAPE_LINES);
    buf_printf(out, _(" (pid %d, started %s, "), p->pid, when);
    if (p->ours)
        buf_str(out, _("yours)"));
    else
        buf_printf(out, _("%s's)"), p->owner);
}

static void
add_processes(struct buf *out, const struct effects *x)
{
    size_t others = 0;

    for (size_t i = 0; i < x->n_processes; i++)
        others += !x->processes[i].ours;
    if (x->n_processes == 0)
        return;
    buf_printf(out, _("%sends "), out->len ? "; " : "");
    if (x->n_processes == 1) {
        append_process(out, &x->processes[0]);
        return;
    }
    buf_printf(out, _("%s%zu processes"), x->more ? _("at least ") : "",
               x->n_processes);
    if (others)
        buf_printf(out, _(", %zu not yours"), others);
}

static void
add_untracked(struct buf *out, const struct effects *x)
{
    if (x->untracked >= x->files)
        buf_str(out, _(", not in git"));
    else
        buf_printf(out, _(", %zu not in git"), x->untracked);
}

static void
add_places(struct buf *out, const struct effects *x,
           const struct path_context *where)
{
    const char *workspace = where->workspace ? where->workspace : where->cwd;
    char text[PATH_MAX];

    if (x->outside && workspace) {
        buf_printf(out, _(", %zu outside "), x->outside);
        escape_str(out, NULL, path_short(workspace, where->home, text),
                   ESCAPE_LINES);
    }
    if (x->untracked)
        add_untracked(out, x);
    for (size_t i = 0; i < x->n_paths; i++) {
        if (!x->paths[i].repository)
            continue;
        buf_str(out, _(", a git repository with its history"));
        break;
    }
}

int
effects_summary(const struct effects *x, const struct path_context *where,
                const char *dot, struct buf *out)
{
    CLEANUP_BUF struct buf b = buf_of(64 * 1024);
    struct use_tally deletes = tally_of(x, RISK_DELETES);
    struct use_tally changes = tally_of(x, RISK_CHANGES);

    use_totals(&deletes, &changes, x);
    use_totals(&changes, &deletes, x);
    add_tally(&b, x, RISK_DELETES, &deletes, where, dot);
    add_tally(&b, x, RISK_CHANGES, &changes, where, dot);
    if (b.len > 0)
        add_places(&b, x, where);
    add_processes(&b, x);
    if (x->unknown)
        buf_printf(&b, "%s",
                   b.len ? _("; cannot tell what else this changes")
                         : _("cannot tell what this changes"));
    if (b.bad)
        out->bad = true;
    return buf_add(out, b.p, b.len);
}

bool
effects_has_more(const struct effects *x)
{
    size_t deletes = tally_of(x, RISK_DELETES).paths;
    size_t changes = tally_of(x, RISK_CHANGES).paths;

    return deletes > EFFECTS_NAMED || changes > EFFECTS_NAMED ||
           x->n_processes > 1;
}

static void
list_path(struct buf *out, const struct effects_path *p,
          const struct path_context *where)
{
    buf_printf(out, "%s ", verb_of(p->use));
    add_relative_path(out, p->path, where);
    if (!p->exists) {
        buf_str(out, _(": not there now\n"));
        return;
    }
    if (p->is_directory)
        buf_ch(out, '/');
    buf_str(out, "  ");
    if (p->is_directory && p->files) {
        add_files(out, p->files);
        buf_str(out, ", ");
    }
    if (!p->is_directory || p->files)
        add_bytes(out, p->bytes);
    else
        buf_str(out, _("directory"));
    if (p->outside)
        buf_str(out, _(", outside the workspace"));
    if (p->untracked)
        buf_str(out,
                p->is_directory ? _(", some not in git") : _(", not in git"));
    if (p->repository)
        buf_str(out, _(", a git repository with its history"));
    buf_ch(out, '\n');
}

int
effects_list(const struct effects *x, const struct path_context *where,
             unsigned indent, size_t max, struct buf *out)
{
    size_t all = x->n_paths + x->n_processes, shown = 0;

    for (size_t i = 0; i < x->n_paths && shown < max; i++, shown++) {
        buf_printf(out, "%*s", (int)indent, "");
        list_path(out, &x->paths[i], where);
    }
    for (size_t i = 0; i < x->n_processes && shown < max; i++, shown++) {
        buf_printf(out, "%*sends ", (int)indent, "");
        append_process(out, &x->processes[i]);
        buf_ch(out, '\n');
    }
    if (shown < all)
        buf_printf(out, "%*sand %zu more%s\n", (int)indent, "", all - shown,
                   x->more ? ", at least" : "");
    return out->bad ? -1 : 0;
}
