/* SPDX-License-Identifier: GPL-3.0-or-later */
/* setup_stamps.c - notices that what a sandbox's setup was made from changed.
 */
#include "sandbox/setup_stamps.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/path.h"

#define TICK_NS 20000000 /* twice a tick where there are 100 a second */

struct stamp {
    char *path;
    bool changes; /* `ctime` counts */
    dev_t dev;
    ino_t ino;
    mode_t mode;
    uid_t uid;
    struct timespec ctime;
};

struct setup_stamps {
    int64_t from_ns; /* CLOCK_REALTIME, which file systems use */
    struct stamp *v;
    size_t n;
    bool lost; /* something could not be stamped */
};

struct setup_stamps *
setup_stamps_new(struct err *e)
{
    struct setup_stamps *st = calloc(1, sizeof(*st));
    struct timespec now;

    if (!st || !(st->v = calloc(SETUP_STAMPS_MAX, sizeof(*st->v)))) {
        free(st);
        err_nomem(e);
        return NULL;
    }
    clock_gettime(CLOCK_REALTIME, &now);
    st->from_ns = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
    return st;
}

void
setup_stamps_free(struct setup_stamps *st)
{
    if (!st)
        return;
    for (size_t i = 0; i < st->n; i++)
        free(st->v[i].path);
    free(st->v);
    free(st);
}

static bool
is_recent(const struct setup_stamps *st, const struct timespec *t)
{
    return (int64_t)t->tv_sec * 1000000000 + t->tv_nsec > st->from_ns - TICK_NS;
}

static void
add_stamp(struct setup_stamps *st, const char *path, const struct stat *now,
          bool changes)
{
    struct stamp *s = st->v;

    while (s < st->v + st->n && strcmp(s->path, path) != 0)
        s++;
    if (s == st->v + st->n) {
        if (st->n == SETUP_STAMPS_MAX || !(s->path = strdup(path))) {
            st->lost = true;
            return;
        }
        st->n++;
        s->dev = now->st_dev;
        s->ino = now->st_ino;
        s->mode = now->st_mode;
        s->uid = now->st_uid;
        s->ctime = now->st_ctim;
    }
    s->changes |= changes;
    /* it was another one a moment ago */
    if (s->dev != now->st_dev || s->ino != now->st_ino ||
        s->ctime.tv_sec != now->st_ctim.tv_sec ||
        s->ctime.tv_nsec != now->st_ctim.tv_nsec)
        st->lost |= s->changes || s->ino != now->st_ino;
    if (s->changes && is_recent(st, &now->st_ctim))
        st->lost = true;
}

/* Puts where the link at[0..n) leads in front of the rest of the path. */
static bool
follow_stamped_link(char path[PATH_MAX], size_t n)
{
    char target[PATH_MAX], rest[PATH_MAX], link[PATH_MAX];
    ssize_t len;
    int all;

    memcpy(link, path, n);
    link[n] = '\0';
    len = readlink(link, target, sizeof(target) - 1);
    if (len <= 0)
        return false;
    target[len] = '\0';
    memcpy(rest, path + n, strlen(path + n) + 1);
    *strrchr(link, '/') = '\0'; /* its directory */
    all = target[0] == '/'
              ? snprintf(path, PATH_MAX, "%s%s", target, rest)
              : snprintf(path, PATH_MAX, "%s/%s%s", link, target, rest);
    return all > 0 && all < PATH_MAX;
}

/* What counts of the last part of a path. */
enum stamp_last { STAMP_ITSELF, STAMP_NAMES, STAMP_ENTRY };

/* Stamps each part of the path up to the first link, or to what is missing.
 * Returns the length of the link; 0: there is none. */
static size_t
stamp_parts(struct setup_stamps *st, const char *path, enum stamp_last last)
{
    char part[PATH_MAX] = "/";
    struct stat now, above;
    size_t n = 0;

    if (lstat("/", &above) < 0) {
        st->lost = true;
        return 0;
    }
    while (path[n += strspn(path + n, "/")]) {
        size_t begin = n;

        n += strcspn(path + n, "/");
        memcpy(part, path, n);
        part[n] = '\0';
        if (lstat(part, &now) < 0 ||
            (last == STAMP_ENTRY && !path[n] && !S_ISLNK(now.st_mode))) {
            part[begin > 1 ? begin - 1 : 1] = '\0';
            add_stamp(st, part, &above, true);
            return 0;
        }
        add_stamp(st, part, &now,
                  S_ISLNK(now.st_mode) || (last == STAMP_NAMES && !path[n]));
        if (S_ISLNK(now.st_mode))
            return n;
        above = now;
    }
    return 0;
}

static void
stamp_path(struct setup_stamps *st, const char *path, enum stamp_last last)
{
    char rest[PATH_MAX];
    size_t size = strlen(path) + 1, n;
    int links = 0;

    if (path[0] != '/' || size > sizeof(rest)) {
        st->lost = true;
        return;
    }
    memcpy(rest, path, size);
    while ((n = stamp_parts(st, rest, last)) > 0)
        if (++links > PATH_LINKS_MAX || !follow_stamped_link(rest, n)) {
            st->lost = true;
            return;
        }
}

void
setup_stamps_path(struct setup_stamps *st, const char *path)
{
    if (st)
        stamp_path(st, path, STAMP_ITSELF);
}

void
setup_stamps_names(struct setup_stamps *st, const char *dir)
{
    if (st)
        stamp_path(st, dir, STAMP_NAMES);
}

void
setup_stamps_entry(struct setup_stamps *st, const char *path)
{
    if (st)
        stamp_path(st, path, STAMP_ENTRY);
}

static bool
stamp_holds(const struct stamp *s)
{
    struct stat now;

    return lstat(s->path, &now) == 0 && now.st_dev == s->dev &&
           now.st_ino == s->ino && now.st_mode == s->mode &&
           now.st_uid == s->uid &&
           (!s->changes || (now.st_ctim.tv_sec == s->ctime.tv_sec &&
                            now.st_ctim.tv_nsec == s->ctime.tv_nsec));
}

bool
setup_stamps_hold(const struct setup_stamps *st)
{
    if (st->lost)
        return false;
    for (size_t i = 0; i < st->n; i++)
        if (!stamp_holds(&st->v[i]))
            return false;
    return true;
}
