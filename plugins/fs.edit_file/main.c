/* SPDX-License-Identifier: GPL-3.0-or-later */
/* main.c - the tool fs.edit_file: pieces of a file replaced by others. */
#include <string.h>

#include "base/fd.h"
#include "base/file.h"
#include "plugins/fs.edit_file/change.h"
#include "plugins/fs.edit_file/edits.h"
#include "plugins/lib/args.h"
#include "plugins/lib/replace.h"
#include "plugins/lib/reply.h"

/* A file, before and after. */
struct editing {
    struct place place;
    struct stat seen;
    struct buf before, after;
    int64_t made;
    struct replaced done;
};

static void
editing_done(struct editing *x)
{
    place_done(&x->place);
    buf_done(&x->before);
    buf_done(&x->after);
    replaced_done(&x->done);
}

static int
load(struct editing *x, struct err *e)
{
    CLEANUP(fd_close_p) int fd = place_open_file(&x->place, &x->seen, e);

    if (fd < 0)
        return -1;
    if (file_read_fd(fd, &x->before, e) < 0)
        return err_wrap(e, "%s", x->place.shown);
    buf_add(&x->after, x->before.p, x->before.len);
    return buf_ok(&x->after, "the file", e);
}

static bool
is_same(const struct editing *x)
{
    return x->before.len == x->after.len &&
           memcmp(x->before.p, x->after.p, x->before.len) == 0;
}

static void
answer(const struct request *r, const struct editing *x, size_t written)
{
    CLEANUP_BUF struct buf line = buf_of(REPLY_LINE_MAX);
    CLEANUP_BUF struct buf diff = buf_of(REPLY_TEXT_MAX);
    bool whole = change_show(x->place.real, &x->before, &x->after, &diff);
    struct json_writer w;

    reply_begin(r, &w, &line, true, diff.p, diff.len, "", 0);
    json_member_int(&w, "edits_made", x->made);
    json_member_int(&w, "bytes_written", (int64_t)written);
    json_member_bool(&w, "truncated", !whole);
    if (x->done.backup_path)
        json_member_str(&w, "backup_path", x->done.backup_path);
    if (x->done.others > 0)
        json_member_int(&w, "other_names", x->done.others);
    (void)reply_send(&w, NULL);
}

/* A file that would hold what it holds is left alone. */
static int
store(const struct request *r, struct editing *x, bool backup, struct err *e)
{
    struct replace_want want = {
        .bytes = x->after.p,
        .n = x->after.len,
        .mode = REPLACE_KEEP_MODE,
        .backup = backup,
        .seen = &x->seen,
    };

    if (is_same(x)) {
        answer(r, x, 0);
        return 0;
    }
    if (replace_file(&x->place, &want, &x->done, e) < 0)
        return -1;
    answer(r, x, x->after.len);
    return 0;
}

static int
edit_file(const struct request *r, struct err *e)
{
    CLEANUP(editing_done)
    struct editing x = {
        .before = buf_of(EDITS_BYTES_MAX),
        .after = buf_of(EDITS_BYTES_MAX),
    };
    const char *path;
    bool backup = true;

    if (args_action(r, "edit", e) < 0 || args_path(r, "path", &path, e) < 0 ||
        args_bool(r, "backup", &backup, e) < 0 ||
        place_to_write(r, path, PLACE_TARGET, &x.place, e) < 0 ||
        load(&x, e) < 0)
        return -1;
    if (edits_apply(json_get(r->args, "edits"), &x.after, &x.made, e) < 0)
        return err_wrap(e, "%s", x.place.shown);
    return store(r, &x, backup, e);
}

static void
handle(const struct request *r)
{
    struct err e = {0};

    if (edit_file(r, &e) < 0)
        reply_error(r, &e);
}

int
main(void)
{
    if (fd_fill_standard(NULL) < 0)
        return 1;
    return plugin_serve("fs.edit_file", handle);
}
