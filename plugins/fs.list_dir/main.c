/* SPDX-License-Identifier: GPL-3.0-or-later */
/* main.c - the tool fs.list_dir: what is in a directory. */
#include <fcntl.h>

#include "base/fd.h"
#include "plugins/fs.list_dir/entry.h"
#include "plugins/fs.list_dir/names.h"
#include "plugins/lib/args.h"
#include "plugins/lib/place.h"
#include "plugins/lib/reply.h"

#define ENTRIES       1000        /* unless the request says */
#define ENTRIES_LIMIT 10000       /* that it may say */
#define OBJECTS_MAX   (8u << 20)  /* the response has room for, beside text */
#define ENTRY_MAX     (64u << 10) /* a name and a target, escaped */

struct list_wanted {
    const char *path;
    bool hidden;
    int64_t max_entries;
    int64_t until_ms;
};

/* The answer as it grows: the lines and the objects of the same entries. */
struct listing {
    struct buf lines, objects;
    struct json_writer w;
    int64_t n, gone; /* told; no longer there when looked at */
};

static int
read_args(const struct request *r, struct list_wanted *want, struct err *e)
{
    *want = (struct list_wanted){
        .hidden = true,
        .max_entries = ENTRIES,
        .until_ms = r->timeout_ms < 0 ? -1 : r->began_ms + r->timeout_ms,
    };
    if (args_action(r, "list", e) < 0 ||
        args_path(r, "path", &want->path, e) < 0 ||
        args_bool(r, "hidden", &want->hidden, e) < 0)
        return -1;
    return args_int(r, "max_entries", 1, ENTRIES_LIMIT, &want->max_entries, e);
}

/* Adds an entry, or takes it back where it is too much for one response. */
static bool
add(struct listing *l, int dir, const char *name)
{
    size_t lines = l->lines.len, objects = l->objects.len;
    struct stat st;
    bool known = fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0;

    if (!known && errno == ENOENT) {
        l->gone++;
        return true;
    }
    entry_line(&l->lines, name, known ? &st : NULL);
    entry_object(&l->w, dir, name, known ? &st : NULL);
    if (l->lines.len > REPLY_TEXT_MAX || l->objects.len > OBJECTS_MAX) {
        buf_cut(&l->lines, lines);
        buf_cut(&l->objects, objects);
        return false;
    }
    l->n++;
    return true;
}

static void
answer(const struct request *r, struct listing *l, int64_t total)
{
    CLEANUP_BUF struct buf line = buf_of(REPLY_LINE_MAX);
    struct json_writer w;

    json_close_array(&l->w);
    reply_begin(r, &w, &line, true, l->lines.p, l->lines.len, "", 0);
    json_key(&w, "entries");
    json_put_raw(&w, l->objects.p, l->objects.len);
    json_member_int(&w, "total", total);
    json_member_bool(&w, "truncated", l->n < total);
    (void)reply_send(&w, NULL);
}

static void
listing_done(struct listing *l)
{
    buf_done(&l->lines);
    buf_done(&l->objects);
}

static void
list_names(const struct request *r, int dir, const struct names *names)
{
    CLEANUP(listing_done)
    struct listing l = {
        .lines = buf_of(REPLY_TEXT_MAX + ENTRY_MAX),
        .objects = buf_of(OBJECTS_MAX + ENTRY_MAX),
    };

    json_write_init(&l.w, &l.objects);
    json_open_array(&l.w);
    for (size_t i = 0; i < names->n && add(&l, dir, names->v[i]); i++)
        ;
    answer(r, &l, names->total - l.gone);
}

static int
list_dir(const struct request *r, struct err *e)
{
    CLEANUP(place_done) struct place place = {0};
    CLEANUP(names_done) struct names names = {0};
    CLEANUP(dir_close_p) DIR *dir = NULL;
    CLEANUP(fd_close_p) int fd = -1;
    struct list_wanted want;

    if (read_args(r, &want, e) < 0 ||
        place_to_read(r, want.path, &place, e) < 0)
        return -1;
    fd = place_open_dir(&place, e);
    if (fd < 0)
        return -1;
    dir = fdopendir(fd);
    if (!dir)
        return err_sys(e, "%s", place.shown);
    fd = -1;
    if (names_read(dir, (size_t)want.max_entries, want.hidden, want.until_ms,
                   &names, e) < 0)
        return err_wrap(e, "%s", place.shown);
    list_names(r, dirfd(dir), &names);
    return 0;
}

static void
handle(const struct request *r)
{
    struct err e = {0};

    if (list_dir(r, &e) < 0)
        reply_error(r, &e);
}

int
main(void)
{
    if (fd_fill_standard(NULL) < 0)
        return 1;
    return plugin_serve("fs.list_dir", handle);
}
