/* SPDX-License-Identifier: GPL-3.0-or-later */
/* discovery_cache.c - keeps the result of a discovery between runs.
 *
 * The file is $XDG_STATE_HOME/agentsh/found. Its first line has the time in
 * seconds since the epoch, the sockets that listened, and the model that was
 * named ("-": none). Then comes a line for each server that answered: URL, best
 * model ("-": none), why it is the best. Fields are separated by tabs. The
 * cache holds for the same sockets alone: a server that was restarted is asked
 * again. */
#include "model/discovery_cache.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "config/config_file.h"

#define FILE_NAME "found"
#define FILE_MAX  (8u << 10) /* four servers */
#define NONE      "-"

/* A model may be installed while a server runs. A server without a model may
 * still be starting: that result is kept for a shorter time. */
#define FRESH_S          600
#define FRESH_NO_MODEL_S 30

char *
discovery_cache_next_field(char **at)
{
    char *start = *at, *end = strpbrk(start, "\t\n");

    if (!end)
        return NULL;
    *at = end + 1;
    *end = '\0';
    return start;
}

static void
read_server(char **at, size_t row, struct discovery *out)
{
    const char *url = discovery_cache_next_field(at),
               *model = url ? discovery_cache_next_field(at) : NULL;
    const char *reason = model ? discovery_cache_next_field(at) : NULL;

    for (size_t i = row; reason && i < out->n; i++) {
        struct discovery_server v = out->v[i];

        if (strcmp(v.url, url) != 0)
            continue;
        v.answered = true;
        if (strcmp(model, NONE) != 0)
            snprintf(v.model, sizeof(v.model), "%s", model);
        snprintf(v.reason, sizeof(v.reason), "%s", reason);
        out->v[i] = out->v[row];
        out->v[row] = v;
        return;
    }
}

static bool
is_fresh(int64_t since, const struct discovery *d)
{
    int64_t age = (int64_t)time(NULL) - since;
    bool no_model = true;

    for (size_t i = 0; i < d->n; i++)
        no_model = no_model && !d->v[i].model[0];
    return age >= 0 && age < (no_model ? FRESH_NO_MODEL_S : FRESH_S);
}

/* Reads into a copy, so that a stale file leaves out unchanged. */
static int
read_cache(char *at, const char *sockets, const char *model,
           struct discovery *out)
{
    char *since = discovery_cache_next_field(&at),
         *where = since ? discovery_cache_next_field(&at) : NULL;
    char *named = where ? discovery_cache_next_field(&at) : NULL;
    struct discovery copy = *out;

    if (!named || strcmp(where, sockets) != 0 ||
        strcmp(named, model ? model : NONE) != 0)
        return -1;
    for (size_t row = 0; *at && row < copy.n; row++)
        read_server(&at, row, &copy);
    if (!is_fresh(strtoll(since, NULL, 10), &copy))
        return -1;
    *out = copy;
    return 0;
}

int
discovery_cache_load(const struct model_dirs *dirs, const char *sockets,
                     const char *model, struct discovery *out)
{
    CLEANUP_BUF struct buf b = buf_of(FILE_MAX);
    CLEANUP(free_p) char *path = model_dirs_file(dirs->state, FILE_NAME);
    bool exists;

    if (!path ||
        config_file_read(path, CONFIG_FILE_ANYONE, &b, &exists, NULL) < 0)
        return -1;
    return read_cache(b.p, sockets, model, out);
}

void
discovery_cache_store(const struct model_dirs *dirs, const char *sockets,
                      const char *model, const struct discovery *d)
{
    CLEANUP_BUF struct buf b = buf_of(FILE_MAX);
    CLEANUP(free_p) char *path = model_dirs_file(dirs->state, FILE_NAME);

    if (!path || (model && strpbrk(model, "\t\n")))
        return;
    buf_printf(&b, "%" PRId64 "\t%s\t%s\n", (int64_t)time(NULL), sockets,
               model ? model : NONE);
    for (size_t i = 0; i < d->n; i++) {
        const struct discovery_server *v = &d->v[i];

        if (v->answered)
            buf_printf(&b, "%s\t%s\t%s\n", v->url,
                       v->model[0] ? v->model : NONE, v->reason);
    }
    if (!b.bad && model_dirs_make(dirs, dirs->state, NULL) == 0)
        (void)file_write_cache(path, b.p, b.len, 0600, NULL);
}

void
discovery_cache_drop(const struct model_dirs *dirs)
{
    CLEANUP(free_p) char *path = model_dirs_file(dirs->state, FILE_NAME);

    if (path)
        (void)unlink(path);
}
