/* SPDX-License-Identifier: GPL-3.0-or-later */
/* changes_below.c - what goes with an original, and is it what it was? */
#include "sandbox/preview/beneath.h"
#include "sandbox/preview/changes_in.h"

/* Entries below what was deleted: a second, about. */
#define BELOW_MAX 1000000

bool
changes_is_meanwhile(const struct changes_spec *spec, const struct stat *st)
{
    const struct timespec *since = &spec->since;

    if (st->st_ctim.tv_sec != since->tv_sec)
        return st->st_ctim.tv_sec > since->tv_sec;
    return st->st_ctim.tv_nsec >= since->tv_nsec;
}

/* What a directory takes along when it goes. */
struct below {
    const struct changes_spec *spec;
    struct change *c;
};

static int
count_below(void *arg, const struct beneath_entry *x, struct err *e)
{
    struct below *b = arg;

    if (++b->c->files > BELOW_MAX)
        return err_set(e, ERR_NOMEM, "more than %d files are deleted",
                       BELOW_MAX);
    if (changes_bar_of(x->path) != CHANGE_FREE)
        b->c->bar = CHANGE_PROTECTED;
    if (S_ISDIR(x->st.st_mode))
        return 0;
    b->c->bytes += (uint64_t)x->st.st_size;
    b->c->meanwhile |= changes_is_meanwhile(b->spec, &x->st);
    return 0;
}

int
changes_weigh(const struct changes_spec *spec, const char *path,
              struct change *c, struct err *e)
{
    struct below b = {spec, c};

    if (!S_ISDIR(c->before.st_mode)) {
        c->files = 1;
        c->bytes = (uint64_t)c->before.st_size;
        c->meanwhile = changes_is_meanwhile(spec, &c->before);
        return 0;
    }
    if (beneath_walk(spec->lower, path, false, 0, count_below, &b, e) < 0)
        return -1;
    c->files++; /* itself */
    return 0;
}
