/* SPDX-License-Identifier: GPL-3.0-or-later */
/* undo_plan.c - finds what a run changed, and what of that can be put back. */
#include "action/undo_plan.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "action/undo_attributes.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/fd.h"

#define COMPARED_BYTES 65536
#define HASHED_AT_ONCE (1u << 30) /* bytes that are read for one plan */

void
undo_temp_name(const char *by, size_t number, char name[UNDO_TEMP_SIZE])
{
    snprintf(name, UNDO_TEMP_SIZE, ".agentsh-undo-%.200s-%zu", by, number);
}

static void
free_memory(struct undo_memory *m)
{
    if (!m)
        return;
    for (size_t i = 0; i < UNDO_STEPS_MAX; i++) {
        undo_list_done(&m->before[i]);
        undo_list_done(&m->after[i]);
    }
    free(m->v);
    free(m);
}

void
undo_plan_done(struct undo_plan *p)
{
    free_memory(p->memory);
    free(p->v);
    *p = (struct undo_plan){0};
}

static int
add_undo_path(struct undo_memory *m, const struct undo_path *x, struct err *e)
{
    if (m->n == m->room) {
        size_t room = m->room ? 2 * m->room : 64;
        struct undo_path *v = reallocarray(m->v, room, sizeof(*v));

        if (!v)
            return err_nomem(e);
        m->v = v;
        m->room = room;
    }
    m->v[m->n++] = *x;
    return 0;
}

static const char *
path_name(const struct undo_path *x)
{
    return x->has_before ? x->before.path : x->after.path;
}

/* By path, then by step, what was before it first. */
static int
compare_path_rows(const void *a, const void *b)
{
    const struct undo_path *x = a, *y = b;
    int c = strcmp(path_name(x), path_name(y));

    if (c == 0)
        c = (x->step > y->step) - (x->step < y->step);
    return c ? c : x->has_after - y->has_after;
}

/* Whether the step was to write there: nothing else can be of its making. */
static bool
lies_below_root(const struct undo_list *before, const char *path)
{
    for (size_t i = 0; i < before->n_roots; i++) {
        const char *root = before->roots[i];
        size_t n = strlen(root);

        if (n > 0 && root[n - 1] != '/' && strncmp(path, root, n) == 0 &&
            (path[n] == '/' || path[n] == '\0'))
            return true;
    }
    return false;
}

static int
add_kept_step(struct undo_memory *m, size_t step, struct err *e)
{
    const struct undo_list *l = &m->before[step];

    for (size_t i = 0; i < l->n; i++) {
        const struct undo_path x = {
            .before = l->v[i], .step = step, .number = i, .has_before = true};

        if (add_undo_path(m, &x, e) < 0)
            return -1;
    }
    l = &m->after[step];
    for (size_t i = 0; i < l->n; i++) {
        const struct undo_path x = {
            .after = l->v[i], .step = step, .has_after = true};

        if (!undo_list_find(&m->before[step], x.after.path) &&
            !lies_below_root(&m->before[step], x.after.path))
            continue;
        if (add_undo_path(m, &x, e) < 0)
            return -1;
    }
    return 0;
}

/* A path that was there before a step, and is not listed after it, is gone;
 * of a step that was killed nobody knows. The row keeps its name all the same:
 * an earlier step may have made the path, and then nothing else has it. */
static void
note_after(const struct undo_memory *m, const struct undo_path *x,
           struct undo_path *row)
{
    if (x->has_after)
        row->after = x->after;
    else
        row->after = (struct undo_entry){.path = x->before.path};
    row->has_after = x->has_after || m->after[x->step].n > 0;
}

/* Where the first step only changed attributes, a later one kept the bytes. */
static void
take_bytes(struct undo_path *row, const struct undo_path *later)
{
    if (!row->has_before || row->before.kept != UNDO_KEPT_NOT ||
        !S_ISREG(row->before.st.st_mode) || !S_ISREG(later->before.st.st_mode))
        return;
    row->before.kept = later->before.kept;
    row->before.bytes = later->before.bytes;
    row->before.bytes_n = later->before.bytes_n;
    row->step = later->step;
    row->number = later->number;
}

/* Makes one row of all rows of a path. The first step that knows a path says
 * how it was; where it knows only how it is afterwards, there was nothing. */
static void
merge_rows(struct undo_memory *m)
{
    size_t out = 0;

    if (m->n > 1)
        qsort(m->v, m->n, sizeof(*m->v), compare_path_rows);
    for (size_t i = 0; i < m->n; i++) {
        const struct undo_path x = m->v[i];

        if (out == 0 || strcmp(path_name(&m->v[out - 1]), path_name(&x)) != 0)
            m->v[out++] = x;
        else if (x.has_before)
            take_bytes(&m->v[out - 1], &x);
        note_after(m, &x, &m->v[out - 1]);
    }
    m->n = out;
}

/* Removes what a killed undo_plan_apply, for the run of this store, had not yet
 * renamed: by its full name, and only files. */
static void
sweep_temporaries(struct undo_store *u, const struct undo_list *l)
{
    char prefix[UNDO_TEMP_SIZE];
    size_t n;

    undo_temp_name(undo_store_run(u), 0, prefix);
    n = strlen(prefix) - 1; /* without the number */
    for (size_t i = 0; i < l->n; i++) {
        const struct dirent *x;
        DIR *dir;
        int fd;

        if (!S_ISDIR(l->v[i].st.st_mode))
            continue;
        fd = beneath_open(undo_store_root(u), l->v[i].path + 1,
                          O_RDONLY | O_DIRECTORY);
        if (fd < 0 || !(dir = fdopendir(fd))) {
            fd_close_p(&fd);
            continue;
        }
        while ((x = readdir(dir)))
            if (strncmp(x->d_name, prefix, n) == 0)
                (void)unlinkat(fd, x->d_name, 0);
        closedir(dir);
    }
}

/* Reads what was there before and after step n. 1: there is no such step, or it
 * is none of those that are wanted. */
static int
read_kept_step(struct undo_store *u, struct undo_memory *m, size_t n, bool only,
               struct err *e)
{
    char name[32];
    struct err why = {0};

    snprintf(name, sizeof(name), "%zu.before", n);
    if (undo_list_read(&m->before[n], undo_store_dir(u), name, &why) < 0) {
        undo_list_done(&m->before[n]);
        if (why.code == ERR_NOT_FOUND)
            return 1;
        if (e)
            *e = why;
        return -1;
    }
    snprintf(name, sizeof(name), "%zu.after", n);
    if (undo_list_read(&m->after[n], undo_store_dir(u), name, &why) == 0)
        return only;
    undo_list_done(&m->after[n]);
    if (why.code != ERR_NOT_FOUND && why.code != ERR_PARSE) {
        if (e)
            *e = why;
        return -1;
    }
    m->killed[n] = true;
    sweep_temporaries(u, &m->before[n]);
    return undo_store_list_killed(u, &m->before[n], &m->after[n], e);
}

static int
read_kept_steps(struct undo_store *u, struct undo_memory *m, bool only,
                bool *killed, struct err *e)
{
    for (size_t n = 0; n < UNDO_STEPS_MAX; n++) {
        int rc = read_kept_step(u, m, n, only, e);

        if (rc < 0 || (rc == 0 && add_kept_step(m, n, e) < 0))
            return -1;
        *killed |= m->killed[n];
    }
    return 0;
}

/* False: a directory does not let us look. */
static bool
stat_now(const struct undo_store *u, const char *path, struct stat *st)
{
    if (beneath_stat(undo_store_root(u), path + 1, st) == 0)
        return true;
    *st = (struct stat){0};
    return errno != EACCES;
}

int
undo_open_kept(const struct undo_store *u, const struct undo_path *x)
{
    char name[64];

    snprintf(name, sizeof(name), "%zu.d/%zu", x->step, x->number);
    return beneath_open(undo_store_dir(u), name, O_RDONLY);
}

/* Whether the store has no such file any more. */
static bool
is_not_kept(const struct undo_store *u, const struct undo_path *x)
{
    CLEANUP(fd_close_p) int fd = undo_open_kept(u, x);

    return fd < 0 && errno == ENOENT;
}

/* Whether two open files have the same bytes from here on. */
static bool
have_same_bytes(int a, int b)
{
    char one[COMPARED_BYTES], two[COMPARED_BYTES];

    for (;;) {
        ssize_t n = read(a, one, sizeof(one)), got = 0, m;

        if (n < 0)
            return false;
        if (n == 0)
            return read(b, two, 1) == 0;
        while (got < n && (m = read(b, two + got, (size_t)(n - got))) > 0)
            got += m;
        if (got < n || memcmp(one, two, (size_t)n) != 0)
            return false;
    }
}

/* Whether the file has its original's contents, of which the same size is known
 * already. Where no bytes were kept, none were to be changed. */
static bool
has_kept_bytes(const struct undo_store *u, const struct undo_path *x)
{
    const struct undo_entry *was = &x->before;
    char bytes[COMPARED_BYTES];
    CLEANUP(fd_close_p) int kept = -1;
    CLEANUP(fd_close_p) int fd = -1;
    size_t at = 0;
    ssize_t n;

    if (was->kept == UNDO_KEPT_NOT)
        return true;
    fd = beneath_open(undo_store_root(u), was->path + 1, O_RDONLY);
    if (fd < 0)
        return false;
    if (was->kept == UNDO_KEPT_FILE)
        return (kept = undo_open_kept(u, x)) >= 0 && have_same_bytes(kept, fd);
    while ((n = read(fd, bytes, sizeof(bytes))) > 0) {
        if ((size_t)n > was->bytes_n - at ||
            memcmp(was->bytes + at, bytes, (size_t)n) != 0)
            return false;
        at += (size_t)n;
    }
    return n == 0 && at == was->bytes_n;
}

static bool
has_kept_attributes(const struct undo_store *u, const struct undo_entry *was)
{
    CLEANUP_BUF struct buf now = buf_of(UNDO_ATTRIBUTES_MAX);
    CLEANUP(fd_close_p)
    int fd = beneath_open(undo_store_root(u), was->path + 1,
                          O_PATH | O_NOFOLLOW);

    return fd >= 0 && undo_attributes_read(fd, &now, NULL) == 0 &&
           now.len == was->attributes_n &&
           memcmp(now.p ? now.p : "", was->attributes ? was->attributes : "",
                  now.len) == 0;
}

static bool
has_same_owner(const struct stat *a, const struct stat *b)
{
    return a->st_mode == b->st_mode && a->st_uid == b->st_uid &&
           a->st_gid == b->st_gid;
}

/* Of a directory that is one still. Its time is that of its last new entry: it
 * is set back unless somebody has made or removed one since. */
static enum undo_act
find_directory_act(const struct undo_store *u, const struct undo_path *x,
                   const struct stat *now, bool *times)
{
    const struct stat *was = &x->before.st, *after = &x->after.st;
    bool stayed = has_same_owner(was, now) &&
                  has_kept_attributes(u, &x->before);

    *times = !x->has_after || !S_ISDIR(after->st_mode) ||
             clock_is_same(&after->st_mtim, &now->st_mtim);
    if (!stayed && x->has_after && S_ISDIR(after->st_mode) &&
        !has_same_owner(after, now)) {
        *times = false;
        return has_same_owner(was, after) ? UNDO_NOTHING : UNDO_SINCE;
    }
    if (stayed && (!*times || clock_is_same(&was->st_mtim, &now->st_mtim)))
        return UNDO_NOTHING;
    return UNDO_SET;
}

/* Whether the store has the very file that is in its place: it was to go away,
 * and stayed. */
static bool
is_kept_in_place(const struct undo_store *u, const struct undo_path *x,
                 const struct stat *now)
{
    char name[64];
    struct stat kept;

    if (x->before.kept != UNDO_KEPT_FILE)
        return false;
    snprintf(name, sizeof(name), "%zu.d/%zu", x->step, x->number);
    return fstatat(undo_store_dir(u), name, &kept, AT_SYMLINK_NOFOLLOW) == 0 &&
           kept.st_ino == now->st_ino && kept.st_dev == now->st_dev;
}

/* What is to be done about a path, of which nobody changed anything since. */
static enum undo_act
find_act(const struct undo_store *u, const struct undo_path *x,
         const struct stat *now)
{
    const struct stat *was = &x->before.st;

    if (!x->has_before || was->st_mode == 0)
        return now->st_mode == 0 ? UNDO_NOTHING : UNDO_REMOVE;
    if (undo_entry_is_same(&x->before, now))
        return UNDO_NOTHING;
    if (!S_ISREG(was->st_mode) && !S_ISDIR(was->st_mode) &&
        !S_ISLNK(was->st_mode) && x->before.kept == UNDO_KEPT_NOT)
        return undo_stat_is_alike(was, now) ? UNDO_NOTHING : UNDO_CANNOT;
    if (is_kept_in_place(u, x, now)) {
        if (undo_stat_is_alike(was, now))
            return UNDO_NOTHING;
        return was->st_size == now->st_size &&
                       clock_is_same(&was->st_mtim, &now->st_mtim)
                   ? UNDO_SET
                   : UNDO_CANNOT;
    }
    if ((was->st_mode & S_IFMT) != (now->st_mode & S_IFMT))
        return UNDO_RESTORE;
    /* it was to go away, had another name meanwhile, and stayed */
    if (x->before.kept == UNDO_KEPT_FILE && undo_stat_is_alike(was, now) &&
        was->st_nlink == now->st_nlink && is_not_kept(u, x))
        return UNDO_NOTHING;
    if (S_ISREG(was->st_mode) && was->st_ino == now->st_ino &&
        was->st_dev == now->st_dev && was->st_size == now->st_size &&
        was->st_nlink == now->st_nlink && has_kept_bytes(u, x))
        return UNDO_SET;
    return UNDO_RESTORE;
}

/* Whether somebody changed it since the run; of a killed one nothing says. The
 * contents decide, where they are known: a file may have got a new time, or
 * have been put there again. */
static bool
is_changed_since(const struct undo_store *u, const struct undo_path *x,
                 const struct stat *now, uint64_t *left)
{
    static const struct undo_entry none;
    const struct undo_entry *after = x->has_after ? &x->after : &none;
    char hash[SHA256_HEX_SIZE];
    struct stat as_then = *now;

    if (S_ISDIR(after->st.st_mode) && S_ISDIR(now->st_mode))
        return false;
    as_then.st_ctim = after->st.st_ctim;
    if (undo_entry_is_same(after, now) ||
        (after->st.st_nlink != now->st_nlink &&
         undo_entry_is_same(after, &as_then))) /* a name came or went */
        return false;
    if (!after->hash[0] || !S_ISREG(now->st_mode) ||
        !has_same_owner(&after->st, now))
        return true;
    undo_keep_hash_file(undo_store_root(u), after->path, left, hash);
    return strcmp(hash, after->hash) != 0;
}

/* What is to be done about one path, and what is there now. */
static void
find_item(const struct undo_store *u, struct undo_path *x,
          struct undo_item *item, uint64_t *left)
{
    const struct stat *was = &x->before.st;

    *item = (struct undo_item){.path = path_name(x), .row = x};
    x->times = true;
    if (!stat_now(u, item->path, &x->seen)) {
        item->act = UNDO_CANNOT;
        snprintf(item->why, sizeof(item->why),
                 "its directory is closed: undo the run again when it is not");
        return;
    }
    item->act = x->has_before && S_ISDIR(was->st_mode) &&
                        S_ISDIR(x->seen.st_mode)
                    ? find_directory_act(u, x, &x->seen, &x->times)
                    : find_act(u, x, &x->seen);
    if (item->act != UNDO_NOTHING && is_changed_since(u, x, &x->seen, left))
        item->act = UNDO_SINCE;
    if (item->act == UNDO_RESTORE && S_ISREG(was->st_mode) &&
        (x->before.kept == UNDO_KEPT_NOT ||
         (x->before.kept == UNDO_KEPT_FILE && is_not_kept(u, x)))) {
        item->act = UNDO_CANNOT;
        snprintf(item->why, sizeof(item->why), "its original is not kept");
    }
}

int
undo_plan_make(struct undo_store *u, bool killed, struct undo_plan *out,
               struct err *e)
{
    struct undo_memory *m = calloc(1, sizeof(*m));
    uint64_t left = HASHED_AT_ONCE;

    *out = (struct undo_plan){.memory = m};
    if (!m)
        return err_nomem(e);
    if (read_kept_steps(u, m, killed, &out->killed, e) < 0) {
        undo_plan_done(out);
        return -1;
    }
    merge_rows(m);
    if (!(out->v = calloc(m->n + 1, sizeof(*out->v)))) {
        undo_plan_done(out);
        return err_nomem(e);
    }
    for (out->n = 0; out->n < m->n; out->n++)
        find_item(u, &m->v[out->n], &out->v[out->n], &left);
    return 0;
}

int
undo_plan_paths(const struct undo_plan *p, struct undo_targets *out,
                struct err *e)
{
    for (size_t i = 0; i < p->n; i++) {
        const struct undo_item *item = &p->v[i];
        const struct undo_path *x = item->row;
        enum undo_how how = UNDO_CHANGES;

        if (item->act == UNDO_NOTHING || item->act == UNDO_CANNOT ||
            item->turn != UNDO_NOW)
            continue;
        if (item->act == UNDO_SET && S_ISDIR(x->before.st.st_mode))
            how = UNDO_ALONE;
        else if (item->act == UNDO_REMOVE)
            how = UNDO_GOES;
        if (undo_targets_add(out, item->path, how, e) < 0)
            return -1;
    }
    return 0;
}
