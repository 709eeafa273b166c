/* SPDX-License-Identifier: GPL-3.0-or-later */
/* workcopy_list.c - reads the list of what a copy held before the command. */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/file.h"
#include "sandbox/preview/changes_list.h"
#include "sandbox/preview/workcopy.h"

void
workcopy_free(struct workcopy *w)
{
    if (!w)
        return;
    free(w->v);
    free(w->text);
    free(w);
}

static int
read_entry_line(struct workcopy_entry *x, const char *line, size_t size)
{
    uintmax_t ino;
    intmax_t sec, length, written;
    long nsec, written_nsec;
    unsigned mode, uid, gid;
    int n = 0;

    if (!memchr(line, '\0', size) ||
        sscanf(line, "%ju %jd %ld %o %u %u %jd %jd %ld%n", &ino, &sec, &nsec,
               &mode, &uid, &gid, &length, &written, &written_nsec, &n) != 9 ||
        line[n] != ' ' || line[n + 1] == '\0')
        return -1;
    *x = (struct workcopy_entry){.path = line + n + 1,
                                 .ino = (ino_t)ino,
                                 .changed = {(time_t)sec, nsec},
                                 .mode = (mode_t)mode,
                                 .uid = (uid_t)uid,
                                 .gid = (gid_t)gid,
                                 .size = (off_t)length,
                                 .written = {(time_t)written, written_nsec}};
    return 0;
}

static int
compare_entry_paths(const void *a, const void *b)
{
    return changes_compare_paths(((const struct workcopy_entry *)a)->path,
                                 ((const struct workcopy_entry *)b)->path);
}

const struct workcopy_entry *
workcopy_find(const struct workcopy *w, const char *path)
{
    struct workcopy_entry key = {.path = path};

    return bsearch(&key, w->v, w->n, sizeof(*w->v), compare_entry_paths);
}

static int
read_all_entries(struct workcopy *w, size_t size, struct err *e)
{
    size_t at = 0;

    while (at < size && w->n <= WORKCOPY_FILES_MAX &&
           read_entry_line(&w->v[w->n], w->text + at, size - at) == 0) {
        at += strlen(w->text + at) + 1;
        w->n++;
    }
    if (w->n > 1)
        qsort(w->v, w->n, sizeof(*w->v), compare_entry_paths);
    if (at == size && workcopy_find(w, "."))
        return 0;
    return err_set(e, ERR_PARSE, "the list of what was copied is damaged");
}

struct workcopy *
workcopy_read(int list, struct err *e)
{
    CLEANUP(workcopy_free_p) struct workcopy *w = calloc(1, sizeof(*w));
    CLEANUP_BUF struct buf b = buf_of(WORKCOPY_LIST_MAX);

    if (lseek(list, 0, SEEK_SET) < 0 || file_read_fd(list, &b, e) < 0)
        return NULL;
    if (w) {
        w->v = calloc(WORKCOPY_FILES_MAX + 1, sizeof(*w->v));
        w->text = malloc(b.len + 1);
    }
    if (!w || !w->v || !w->text) {
        err_nomem(e);
        return NULL;
    }
    memcpy(w->text, b.p, b.len);
    w->text[b.len] = '\0';
    return read_all_entries(w, b.len, e) < 0 ? NULL : TAKE_PTR(w);
}

bool
workcopy_is_untouched(const struct workcopy_entry *x, const struct stat *now)
{
    return x->ino == now->st_ino && x->mode == now->st_mode &&
           x->size == now->st_size &&
           clock_is_same(&x->written, &now->st_mtim) &&
           clock_is_same(&x->changed, &now->st_ctim);
}

void
workcopy_translate(const struct workcopy_entry *x, const struct stat *original,
                   struct stat *now)
{
    if (!x || x->ino != now->st_ino || x->mode != now->st_mode ||
        (x->mode & S_IFMT) != (original->st_mode & S_IFMT))
        return;
    now->st_mode = original->st_mode;
    if (now->st_uid == x->uid)
        now->st_uid = original->st_uid;
    if (now->st_gid == x->gid)
        now->st_gid = original->st_gid;
}
