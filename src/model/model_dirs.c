/* SPDX-License-Identifier: GPL-3.0-or-later */
/* model_dirs.c - the directories of a seat in which model/ keeps files. */
#include "model/model_dirs.h"

#include <stdlib.h>
#include <string.h>

void
model_dirs_init(struct model_dirs *d, const struct seat *s)
{
    const char *home = seat_home(s);

    *d = (struct model_dirs){
        .config = seat_place(s, PATH_CONFIG, NULL, NULL),
        .state = seat_place(s, PATH_STATE, NULL, NULL),
        .cache = seat_place(s, PATH_CACHE, NULL, NULL),
        .home = home ? strdup(home) : NULL,
    };
}

static char *
copy_or_null(const char *path)
{
    return path ? strdup(path) : NULL;
}

void
model_dirs_copy(struct model_dirs *d, const struct model_dirs *from)
{
    *d = (struct model_dirs){
        .config = copy_or_null(from->config),
        .state = copy_or_null(from->state),
        .cache = copy_or_null(from->cache),
        .home = copy_or_null(from->home),
    };
}

void
model_dirs_done(struct model_dirs *d)
{
    if (!d)
        return;
    free(d->config);
    free(d->state);
    free(d->cache);
    free(d->home);
    *d = (struct model_dirs){0};
}

char *
model_dirs_file(const char *dir, const char *name)
{
    return dir ? path_join(dir, name) : NULL;
}

int
model_dirs_make(const struct model_dirs *d, const char *dir, struct err *e)
{
    if (!dir)
        return err_set(e, ERR_CONFIG,
                       "there is no home directory to keep a file below");
    return path_make_dirs_apart(dir, d->home, 0700, e);
}
