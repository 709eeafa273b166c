/* SPDX-License-Identifier: GPL-3.0-or-later */
/* model_memory.c - remembers which model answers where a default is gone.
 *
 * The file is $XDG_STATE_HOME/agentsh/models. It has a line for each address,
 * the newest first: seconds since the epoch, URL, the default that is gone, the
 * model that answers. Fields are separated by tabs. */
#include "model/model_memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/file.h"
#include "model/discovery_cache.h"

#define FILE_NAME "models"
#define FILE_MAX  (64u << 10)
#define LINES_MAX 32
#define LOCK_MS   500
#define FRESH_S   (30 * 24 * 3600)

struct memory_row {
    int64_t time;
    const char *url, *gone, *model;
};

static bool
next_kept(char **at, struct memory_row *r)
{
    const char *time_text = discovery_cache_next_field(at);

    r->url = discovery_cache_next_field(at);
    r->gone = discovery_cache_next_field(at);
    r->model = discovery_cache_next_field(at);
    if (!time_text || !r->model)
        return false;
    r->time = strtoll(time_text, NULL, 10);
    return true;
}

static void
read_kept_model(const struct model_dirs *dirs, struct buf *b)
{
    CLEANUP(free_p) char *path = model_dirs_file(dirs->state, FILE_NAME);

    if (!path || file_read_regular(path, b, NULL) < 0)
        buf_clear(b);
}

int
model_memory_load(const struct model_dirs *dirs, const char *url,
                  const char *gone, char model[MODEL_NAME_SIZE])
{
    CLEANUP_BUF struct buf b = buf_of(FILE_MAX);
    struct memory_row r;
    char *at;

    read_kept_model(dirs, &b);
    for (at = b.p; *at && next_kept(&at, &r);) {
        if (strcmp(r.url, url) != 0)
            continue;
        if (strcmp(r.gone, gone) != 0 || r.time + FRESH_S <= time(NULL) ||
            !*r.model || strlen(r.model) >= MODEL_NAME_SIZE)
            return -1;
        snprintf(model, MODEL_NAME_SIZE, "%s", r.model);
        return 0;
    }
    return -1;
}

void
model_memory_store(const struct model_dirs *dirs, const char *url,
                   const char *gone, const char *model)
{
    CLEANUP_BUF struct buf b = buf_of(FILE_MAX);
    CLEANUP_BUF struct buf out = buf_of(FILE_MAX);
    CLEANUP(free_p) char *path = model_dirs_file(dirs->state, FILE_NAME);
    CLEANUP(fd_close_p) int lock = -1;
    struct memory_row r;
    int lines = 1;
    char *at;

    if (strpbrk(model, "\t\r\n ") || !path ||
        model_dirs_make(dirs, dirs->state, NULL) < 0 ||
        (lock = file_lock_dir(dirs->state, LOCK_MS, NULL)) < 0)
        return;
    read_kept_model(dirs, &b);
    buf_printf(&out, "%" PRId64 "\t%s\t%s\t%s\n", (int64_t)time(NULL), url,
               gone, model);
    for (at = b.p; lines < LINES_MAX && *at && next_kept(&at, &r);) {
        if (strcmp(r.url, url) == 0)
            continue;
        buf_printf(&out, "%" PRId64 "\t%s\t%s\t%s\n", r.time, r.url, r.gone,
                   r.model);
        lines++;
    }
    if (!out.bad)
        (void)file_write(path, out.p, out.len, 0600, NULL);
}
