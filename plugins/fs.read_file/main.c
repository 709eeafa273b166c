/* SPDX-License-Identifier: GPL-3.0-or-later */
/* main.c - the tool fs.read_file: what is in a file. */
#include <unistd.h>

#include "base/fd.h"
#include "plugins/fs.read_file/piece.h"
#include "plugins/lib/args.h"
#include "plugins/lib/place.h"

static int
read_args(const struct request *r, const char **path, struct piece_wanted *want,
          struct err *e)
{
    *want = (struct piece_wanted){.max_bytes = PIECE_BYTES, .until_ms = -1};
    if (r->timeout_ms >= 0)
        want->until_ms = r->began_ms + r->timeout_ms;
    if (args_action(r, "read", e) < 0 || args_path(r, "path", path, e) < 0 ||
        args_encoding(r, &want->base64, e) < 0 ||
        args_int(r, "max_bytes", 1, PIECE_BYTES_MAX, &want->max_bytes, e) < 0 ||
        args_int(r, "offset", 0, INT64_MAX / 2, &want->offset, e) < 0 ||
        args_int(r, "line", 1, INT64_MAX, &want->line, e) < 0 ||
        args_int(r, "lines", 1, INT64_MAX, &want->lines, e) < 0)
        return -1;
    if (want->line > 0 && want->offset > 0)
        return err_set(e, ERR_INVALID,
                       "args.line and args.offset: only one is allowed");
    return 0;
}

static void
answer(const struct request *r, const struct piece *p, const struct stat *st)
{
    CLEANUP_BUF struct buf line = buf_of(REPLY_LINE_MAX);
    struct json_writer w;

    reply_begin(r, &w, &line, true, p->text.p, p->text.len, "", 0);
    json_member_int(&w, "bytes_read", p->bytes);
    json_member_bool(&w, "truncated", p->more);
    json_member_int(&w, "size", st->st_size);
    json_member_int(&w, "offset", p->offset);
    json_member_int(&w, "end", p->offset + p->bytes);
    (void)reply_send(&w, NULL);
}

static int
read_file(const struct request *r, struct err *e)
{
    CLEANUP(place_done) struct place place = {0};
    CLEANUP(piece_done) struct piece piece = {0};
    CLEANUP(fd_close_p) int fd = -1;
    struct piece_wanted want;
    const char *path;
    struct stat st;

    if (read_args(r, &path, &want, e) < 0 ||
        place_to_read(r, path, &place, e) < 0)
        return -1;
    fd = place_open_file(&place, &st, e);
    if (fd < 0)
        return -1;
    if (piece_read(fd, &want, &piece, e) < 0)
        return err_wrap(e, "%s", place.shown);
    answer(r, &piece, &st);
    return 0;
}

static void
handle(const struct request *r)
{
    struct err e = {0};

    if (read_file(r, &e) < 0)
        reply_error(r, &e);
}

int
main(void)
{
    if (fd_fill_standard(NULL) < 0)
        return 1;
    return plugin_serve("fs.read_file", handle);
}
