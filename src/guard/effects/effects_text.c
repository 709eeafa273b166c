/* SPDX-License-Identifier: GPL-3.0-or-later */
/* effects_text.c - what a line would touch, in words for a person. */
#include "guard/effects/effects_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/path.h"
#include "term/escape.h"

#define N_OF(array) (sizeof(array) / sizeof((array)[0]))

static void
add_bytes(struct buf *out, uint64_t bytes)
{
    static const char *const units[] = {"KiB", "MiB", "GiB", "TiB"};
    double v = (double)bytes;
    size_t unit = 0;

    if (bytes < 1024) {
        buf_printf(out, "%u byte%s", (unsigned)bytes, bytes == 1 ? "" : "s");
        return;
    }
    for (v /= 1024; v >= 1023.95 && unit + 1 < N_OF(units); unit++)
        v /= 1024;
    buf_printf(out, "%.1f %s", v, units[unit]);
}

/* As the person would write it: from the working directory on, or from home. */
static void
add_path(struct buf *out, const char *path, const struct risk_place *where)
{
    const char *cwd = where->cwd;
    char text[PATH_MAX];

    if (cwd && cwd[1] && path_is_below(path, cwd) && path[strlen(cwd)])
        path += strlen(cwd) + 1;
    else
        path = path_short(path, where->home, text);
    escape_str(out, NULL, path, ESCAPE_LINES);
}

static void
add_files(struct buf *out, uint64_t files)
{
    buf_printf(out, "%" PRIu64 " file%s", files, files == 1 ? "" : "s");
}

static const char *
verb_of(enum risk_use use)
{
    return use == RISK_DELETES ? "deletes" : "changes";
}

/* What is there of one kind. */
struct tally {
    size_t paths, missing;
    uint64_t files, bytes;
    const struct effects_path *only; /* when it is one */
};

static struct tally
tally_of(const struct effects *x, enum risk_use use)
{
    struct tally t = {0};

    for (size_t i = 0; i < x->n_paths; i++) {
        const struct effects_path *p = &x->paths[i];

        if (p->use != use)
            continue;
        if (!p->exists) {
            t.missing++;
            continue;
        }
        t.paths++;
        t.files += p->files;
        t.bytes += p->bytes;
        t.only = t.paths == 1 ? p : NULL;
    }
    return t;
}

/* The list ends at some length; all that was counted belongs to the one kind,
 * where there is only one. */
static void
take_all(struct tally *t, const struct tally *other, const struct effects *x)
{
    if (t->paths == 0 || other->paths > 0)
        return;
    t->files = x->files;
    t->bytes = x->bytes;
}

static void
add_tally(struct buf *out, const struct effects *x, enum risk_use use,
          const struct tally *t, const struct risk_place *where)
{
    if (t->paths == 0)
        return;
    buf_printf(out, "%s%s %s", out->len ? "; " : "", verb_of(use),
               x->more ? "at least " : "");
    if (t->only && !t->only->is_directory) {
        add_path(out, t->only->path, where);
    } else if (t->only) {
        if (t->files > 0) {
            add_files(out, t->files);
            buf_str(out, " in ");
        } else {
            buf_str(out, "the directory ");
        }
        add_path(out, t->only->path, where);
    } else if (t->files > 0) {
        add_files(out, t->files);
    } else {
        buf_printf(out, "%zu directories", t->paths);
    }
    if (t->files > 0) {
        buf_str(out, " (");
        add_bytes(out, t->bytes);
        buf_ch(out, ')');
    }
}

static void
add_process(struct buf *out, const struct effects_process *p)
{
    char when[32] = "";
    time_t started = (time_t)p->started, now = time(NULL);
    struct tm tm;

    if (localtime_r(&started, &tm))
        strftime(when, sizeof(when),
                 now - started < 86400 ? "%H:%M" : "%Y-%m-%d", &tm);
    escape_str(out, NULL, p->name, ESCAPE_LINES);
    buf_printf(out, " (pid %d, started %s, ", p->pid, when);
    if (p->ours)
        buf_str(out, "yours)");
    else
        buf_printf(out, "%s's)", p->owner);
}

static void
add_processes(struct buf *out, const struct effects *x)
{
    size_t others = 0;

    for (size_t i = 0; i < x->n_processes; i++)
        others += !x->processes[i].ours;
    if (x->n_processes == 0)
        return;
    buf_printf(out, "%sends ", out->len ? "; " : "");
    if (x->n_processes == 1) {
        add_process(out, &x->processes[0]);
        return;
    }
    buf_printf(out, "%s%zu processes", x->more ? "at least " : "",
               x->n_processes);
    if (others)
        buf_printf(out, ", %zu not yours", others);
}

int
effects_summary(const struct effects *x, const struct risk_place *where,
                struct buf *out)
{
    CLEANUP_BUF struct buf b = buf_of(64 * 1024);
    struct tally deletes = tally_of(x, RISK_DELETES);
    struct tally changes = tally_of(x, RISK_CHANGES);
    char text[PATH_MAX];
    const char *workspace = where->workspace ? where->workspace : where->cwd;

    take_all(&deletes, &changes, x);
    take_all(&changes, &deletes, x);
    add_tally(&b, x, RISK_DELETES, &deletes, where);
    add_tally(&b, x, RISK_CHANGES, &changes, where);
    if (x->outside && workspace) {
        buf_printf(&b, ", %zu outside ", x->outside);
        escape_str(&b, NULL, path_short(workspace, where->home, text),
                   ESCAPE_LINES);
    }
    if (x->untracked)
        buf_printf(&b, ", %zu not known to git", x->untracked);
    for (size_t i = 0; i < x->n_paths; i++) {
        if (!x->paths[i].repository)
            continue;
        buf_str(&b, ", a git repository with its history");
        break;
    }
    add_processes(&b, x);
    if (b.len == 0 && deletes.missing)
        buf_str(&b, "deletes nothing that is there now");
    if (x->unknown)
        buf_printf(&b, "%s",
                   b.len ? "; and what else, nobody can say"
                         : "what it touches, nobody can say");
    if (b.bad)
        out->bad = true;
    return buf_add(out, b.p, b.len);
}

static void
list_path(struct buf *out, const struct effects_path *p,
          const struct risk_place *where)
{
    buf_printf(out, "%s ", verb_of(p->use));
    add_path(out, p->path, where);
    if (!p->exists) {
        buf_str(out, ": not there now\n");
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
        buf_str(out, "directory");
    if (p->outside)
        buf_str(out, ", outside the workspace");
    if (p->untracked)
        buf_str(out, p->is_directory ? ", some not known to git"
                                     : ", not known to git");
    if (p->repository)
        buf_str(out, ", a git repository with its history");
    buf_ch(out, '\n');
}

int
effects_list(const struct effects *x, const struct risk_place *where,
             unsigned indent, size_t max, struct buf *out)
{
    size_t all = x->n_paths + x->n_processes, shown = 0;

    for (size_t i = 0; i < x->n_paths && shown < max; i++, shown++) {
        buf_printf(out, "%*s", (int)indent, "");
        list_path(out, &x->paths[i], where);
    }
    for (size_t i = 0; i < x->n_processes && shown < max; i++, shown++) {
        buf_printf(out, "%*sends ", (int)indent, "");
        add_process(out, &x->processes[i]);
        buf_ch(out, '\n');
    }
    if (shown < all)
        buf_printf(out, "%*sand %zu more%s\n", (int)indent, "", all - shown,
                   x->more ? ", at least" : "");
    return out->bad ? -1 : 0;
}
