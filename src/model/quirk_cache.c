/* SPDX-License-Identifier: GPL-3.0-or-later */
/* quirk_cache.c - keeps the quirks of servers between runs.
 *
 * The file is $XDG_CACHE_HOME/agentsh/quirks. It has a line for each server and
 * model, the newest first: seconds since the epoch, URL, model, names of quirks
 * with commas between. Fields are separated by tabs. */
#include "model/quirk_cache.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "model/discovery_cache.h"
#include "model/provider/provider.h"

#define FILE_NAME "quirks"
#define FILE_MAX  (64u << 10)
#define LINES_MAX 64
#define LOCK_MS   500
#define FRESH_S   (30 * 24 * 3600) /* then the server may have been updated */

struct cached_quirks {
    int64_t time;
    const char *url, *model, *quirks;
};

static bool
read_row(char **at, struct cached_quirks *r)
{
    const char *time_text = discovery_cache_next_field(at);

    r->url = discovery_cache_next_field(at);
    r->model = discovery_cache_next_field(at);
    r->quirks = discovery_cache_next_field(at);
    if (!time_text || !r->quirks)
        return false;
    r->time = strtoll(time_text, NULL, 10);
    return true;
}

static bool
row_is_for(const struct cached_quirks *r, const char *url, const char *model)
{
    return strcmp(r->url, url) == 0 && strcmp(r->model, model) == 0;
}

static unsigned
read_quirks(const char *list)
{
    unsigned quirks = 0;

    while (*list) {
        char name[32];
        size_t n = strcspn(list, ",");

        snprintf(name, sizeof(name), "%.*s", (int)n, list);
        quirks |= quirk_bit(name);
        list += n + (list[n] == ',');
    }
    return quirks;
}

static void
read_quirk_file(const struct model_dirs *dirs, struct buf *b)
{
    CLEANUP(free_p) char *path = model_dirs_file(dirs->cache, FILE_NAME);

    if (!path || file_read(path, b, NULL) < 0)
        buf_clear(b);
}

unsigned
quirk_cache_load(const struct model_dirs *dirs, const char *url,
                 const char *model)
{
    CLEANUP_BUF struct buf b = buf_of(FILE_MAX);
    char *at;
    struct cached_quirks r;

    read_quirk_file(dirs, &b);
    for (at = b.p; *at && read_row(&at, &r);) {
        if (row_is_for(&r, url, model) && r.time + FRESH_S > time(NULL))
            return read_quirks(r.quirks);
    }
    return 0;
}

static void
write_row(struct buf *out, const char *url, const char *model, unsigned quirks)
{
    const char *comma = "";

    buf_printf(out, "%" PRId64 "\t%s\t%s\t", (int64_t)time(NULL), url, model);
    for (unsigned bit = 1; bit < QUIRKS_END; bit <<= 1) {
        if (!(quirks & bit))
            continue;
        buf_printf(out, "%s%s", comma, quirk_name(bit));
        comma = ",";
    }
    buf_ch(out, '\n');
}

void
quirk_cache_store(const struct model_dirs *dirs, const char *url,
                  const char *model, unsigned quirks)
{
    CLEANUP_BUF struct buf b = buf_of(FILE_MAX);
    CLEANUP_BUF struct buf out = buf_of(FILE_MAX);
    CLEANUP(free_p) char *path = model_dirs_file(dirs->cache, FILE_NAME);
    CLEANUP(fd_close_p) int lock = -1;
    int lines = 1;
    char *at;
    struct cached_quirks r;

    if (!path || model_dirs_make(dirs, dirs->cache, NULL) < 0 ||
        (lock = file_lock_dir(dirs->cache, LOCK_MS, NULL)) < 0)
        return;
    read_quirk_file(dirs, &b);
    write_row(&out, url, model, quirks);
    for (at = b.p; lines < LINES_MAX && *at && read_row(&at, &r);) {
        if (row_is_for(&r, url, model))
            continue;
        buf_printf(&out, "%" PRId64 "\t%s\t%s\t%s\n", r.time, r.url, r.model,
                   r.quirks);
        lines++;
    }
    if (!out.bad)
        (void)file_write(path, out.p, out.len, 0600, NULL);
}
