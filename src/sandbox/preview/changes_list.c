/* SPDX-License-Identifier: GPL-3.0-or-later */
/* changes_list.c - a list of changes: its order, totals and rules. */
#include <string.h>
#include <strings.h>
#include <time.h>

#include "base/cleanup.h"
#include "guard/path/git_trusted.h"
#include "sandbox/preview/changes_in.h"

void
changes_done(struct changes *c)
{
    if (!c)
        return;
    for (size_t i = 0; i < c->n; i++) {
        free(c->v[i].path);
        free(c->v[i].target);
    }
    free(c->v);
    *c = (struct changes){0};
}

#define TICK_PAUSES 500 /* 100 ms: ten ticks of the slowest kernel */

static bool
is_before(const struct timespec *a, const struct timespec *b)
{
    if (a->tv_sec != b->tv_sec)
        return a->tv_sec < b->tv_sec;
    return a->tv_nsec < b->tv_nsec;
}

int
changes_begin(struct timespec *since, struct err *e)
{
    static const struct timespec pause = {.tv_nsec = 200 * 1000};
    struct timespec now, ticked;

    if (clock_gettime(CLOCK_REALTIME, &now) < 0)
        return err_sys(e, "clock");
    for (int i = 0; i < TICK_PAUSES; i++) {
        (void)nanosleep(&pause, NULL);
        if (clock_gettime(CLOCK_REALTIME_COARSE, &ticked) < 0)
            return err_sys(e, "clock");
        if (is_before(&ticked, &now))
            continue;
        *since = now;
        return 0;
    }
    return err_set(e, ERR_TIMEOUT, "the clock has stopped");
}

static int
rank(char c)
{
    return c == '/' ? 1 : c == '\0' ? 0 : (unsigned char)c + 2;
}

int
changes_compare_paths(const char *a, const char *b)
{
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return rank(*a) - rank(*b);
}

static int
compare_changes(const void *a, const void *b)
{
    return changes_compare_paths(((const struct change *)a)->path,
                                 ((const struct change *)b)->path);
}

void
changes_order(struct changes *c)
{
    if (c->n > 1)
        qsort(c->v, c->n, sizeof(*c->v), compare_changes);
}

const struct change *
changes_find(const struct changes *c, const char *path)
{
    size_t from = 0, to = c->n;

    while (from < to) {
        size_t mid = from + (to - from) / 2;
        int order = changes_compare_paths(path, c->v[mid].path);

        if (order == 0)
            return &c->v[mid];
        if (order < 0)
            to = mid;
        else
            from = mid + 1;
    }
    return NULL;
}

void
changes_sum(struct changes *c)
{
    c->barred = c->meanwhile = 0;
    c->write_bytes = 0;
    for (size_t i = 0; i < c->n; i++) {
        const struct change *x = &c->v[i];

        c->barred += x->bar != CHANGE_FREE;
        c->meanwhile += x->meanwhile;
        if (S_ISREG(x->after.st_mode) && x->bar == CHANGE_FREE &&
            x->kind != CHANGE_ATTRIBUTES)
            c->write_bytes += (uint64_t)x->after.st_blocks * 512;
    }
}

/* Whether the part of a path, n bytes, is this name. Without regard to case:
 * a filesystem may have none. */
static bool
is_part(const char *part, size_t n, const char *name)
{
    return strlen(name) == n && strncasecmp(part, name, n) == 0;
}

enum change_bar
changes_bar_of(const char *path)
{
    if (git_trusted_holds(path))
        return CHANGE_PROTECTED;
    while (*path) {
        size_t n = strcspn(path, "/");

        if (is_part(path, n, ".agentsh"))
            return CHANGE_PROTECTED;
        path += n;
        path += *path == '/';
    }
    return CHANGE_FREE;
}

bool
changes_link_leaves(const char *path, const char *target, const char *place)
{
    size_t n = strlen(place);
    long depth = 0;

    if (target[0] == '/') {
        if (strncmp(target, place, n) != 0 ||
            (target[n] != '/' && target[n] != '\0'))
            return true;
        target += n;
    } else {
        for (const char *p = path; *p; p++)
            depth += *p == '/';
    }
    while (*target) {
        size_t len = strcspn(target, "/");

        if (len == 2 && memcmp(target, "..", 2) == 0)
            depth--;
        else if (len > 0 && !(len == 1 && *target == '.'))
            depth++;
        if (depth < 0)
            return true;
        target += len;
        target += *target == '/';
    }
    return false;
}
