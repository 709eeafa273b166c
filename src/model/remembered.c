/* SPDX-License-Identifier: GPL-3.0-or-later */
/* remembered.c - what the last search for model servers found, in
 * $XDG_STATE_HOME/agentsh/found.
 *
 * A line of seconds since the epoch, the sockets that listened, and the model
 * that was wanted ("-": none); then one for each server that answered:
 * address, model ("-": none), why it was picked; tabs between. Other sockets
 * are another machine as far as this goes: a server that was started anew is
 * asked anew. */
#include "model/remembered.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/path.h"
#include "config/source.h"
#include "model/field.h"

#define FILE_NAME "found"
#define FILE_MAX  (8u << 10) /* four servers */
#define NONE      "-"

/* Models are installed while a server runs; where none had one, it may only
 * have begun. */
#define FRESH_S      600
#define FRESH_POOR_S 30

static char *
path_of_file(void)
{
    return path_of(PATH_STATE, FILE_NAME, NULL);
}

static void
take_row(char **at, size_t row, struct found *out)
{
    const char *url = field_take(at), *model = url ? field_take(at) : NULL;
    const char *why = model ? field_take(at) : NULL;

    for (size_t i = row; why && i < out->n; i++) {
        struct found_server v = out->v[i];

        if (strcmp(v.url, url) != 0)
            continue;
        v.answered = true;
        if (strcmp(model, NONE) != 0)
            snprintf(v.model, sizeof(v.model), "%s", model);
        snprintf(v.why, sizeof(v.why), "%s", why);
        out->v[i] = out->v[row];
        out->v[row] = v;
        return;
    }
}

static bool
is_fresh(int64_t since, const struct found *f)
{
    int64_t age = (int64_t)time(NULL) - since;
    bool poor = true;

    for (size_t i = 0; i < f->n; i++)
        poor = poor && !f->v[i].model[0];
    return age >= 0 && age < (poor ? FRESH_POOR_S : FRESH_S);
}

/* Into a copy: what is too old must leave no trace. */
static int
read_rows(char *at, const char *sockets, const char *want, struct found *out)
{
    char *since = field_take(&at), *where = since ? field_take(&at) : NULL;
    char *wanted = where ? field_take(&at) : NULL;
    struct found copy = *out;

    if (!wanted || strcmp(where, sockets) != 0 ||
        strcmp(wanted, want ? want : NONE) != 0)
        return -1;
    for (size_t row = 0; *at && row < copy.n; row++)
        take_row(&at, row, &copy);
    if (!is_fresh(strtoll(since, NULL, 10), &copy))
        return -1;
    *out = copy;
    return 0;
}

int
remembered_load(const char *sockets, const char *want, struct found *out)
{
    CLEANUP_BUF struct buf b = buf_of(FILE_MAX);
    CLEANUP(free_p) char *path = path_of_file();
    bool there;

    if (!path || source_read(path, SOURCE_ANYONE, &b, &there, NULL) < 0)
        return -1;
    return read_rows(b.p, sockets, want, out);
}

void
remembered_store(const char *sockets, const char *want, const struct found *f)
{
    CLEANUP_BUF struct buf b = buf_of(FILE_MAX);
    CLEANUP(free_p) char *dir = path_of(PATH_STATE, NULL, NULL);
    CLEANUP(free_p) char *path = path_of_file();

    if (!dir || !path || (want && strpbrk(want, "\t\n")))
        return;
    buf_printf(&b, "%" PRId64 "\t%s\t%s\n", (int64_t)time(NULL), sockets,
               want ? want : NONE);
    for (size_t i = 0; i < f->n; i++) {
        const struct found_server *v = &f->v[i];

        if (v->answered)
            buf_printf(&b, "%s\t%s\t%s\n", v->url,
                       v->model[0] ? v->model : NONE, v->why);
    }
    if (!b.bad && file_make_dirs(dir, 0700, NULL) == 0)
        (void)file_write(path, b.p, b.len, 0600, NULL);
}

void
remembered_forget(void)
{
    CLEANUP(free_p) char *path = path_of_file();

    if (path)
        (void)unlink(path);
}
