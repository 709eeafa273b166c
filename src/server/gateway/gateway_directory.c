/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gateway_directory.c - looks for a directory beside the loop. */
#include "server/gateway/gateway_directory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/worker.h"

struct gateway_directory {
    struct worker *worker;
    char *path;
    int sys; /* why it is none; 0: it is one */
    void (*cb)(void *arg, const struct err *why);
    void *arg;
};

static void
drop_directory(void *arg)
{
    struct gateway_directory *d = arg;

    free(d->path);
    free(d);
}

void
gateway_directory_free(struct gateway_directory *d)
{
    if (d && d->worker)
        worker_leave(d->worker, drop_directory);
    else if (d)
        drop_directory(d);
}
DEFINE_CLEANUP(struct gateway_directory, gateway_directory_free)

/* In the thread, which may be on its own by then. */
static void
look_for_directory(void *arg)
{
    struct gateway_directory *d = arg;
    struct stat st;

    if (stat(d->path, &st) < 0)
        d->sys = errno;
    else if (!S_ISDIR(st.st_mode))
        d->sys = ENOTDIR;
}

static void
on_directory_seen(void *arg)
{
    CLEANUP(gateway_directory_free_p) struct gateway_directory *d = arg;
    struct err why = {0};

    errno = d->sys;
    if (d->sys)
        err_sys(&why, "directory %.150s", d->path);
    d->cb(d->arg, d->sys ? &why : NULL);
}

struct gateway_directory *
gateway_directory_look(struct loop *l, const char *path,
                       void (*cb)(void *arg, const struct err *why), void *arg,
                       struct err *e)
{
    CLEANUP(gateway_directory_free_p)
    struct gateway_directory *d = calloc(1, sizeof(*d));

    if (!d || !(d->path = strdup(path))) {
        err_nomem(e);
        return NULL;
    }
    d->cb = cb;
    d->arg = arg;
    d->worker = worker_start(l, look_for_directory, on_directory_seen, d, e);
    return d->worker ? TAKE_PTR(d) : NULL;
}
