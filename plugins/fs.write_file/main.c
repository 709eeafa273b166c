/* SPDX-License-Identifier: GPL-3.0-or-later */
/* main.c - the tool fs.write_file: a whole file at once. */
#include <string.h>

#include "base/base64.h"
#include "base/fd.h"
#include "plugins/lib/args.h"
#include "plugins/lib/replace.h"
#include "plugins/lib/reply.h"

/* "644" or "0644". Who runs a program is no business of its text: the bits
 * for that are not taken. */
static int
read_mode(const struct json *v, int *mode, struct err *e)
{
    const char *s = json_str(v, NULL);
    size_t n = s ? strlen(s) : 0;
    int bits = 0;

    if (!v || json_type(v) == JSON_NULL)
        return 0;
    if ((n != 3 && n != 4) || strspn(s, "01234567") != n ||
        (n == 4 && s[0] != '0'))
        return err_set(e, ERR_INVALID,
                       "args.mode must be three octal digits, as in \"0644\"");
    for (size_t i = 0; i < n; i++)
        bits = bits * 8 + (s[i] - '0');
    *mode = bits;
    return 0;
}

/* What the file will hold: the text, or what is encoded in it. decoded is
 * initialised and outlives want. */
static int
read_content(const struct request *r, struct buf *decoded,
             struct replace_want *want, struct err *e)
{
    bool base64 = false;

    if (args_encoding(r, &base64, e) < 0)
        return -1;
    want->bytes = json_str(json_get(r->args, "content"), &want->n);
    if (!want->bytes)
        return err_set(e, ERR_INVALID, "args.content must be a string");
    if (!base64)
        return 0;
    if (base64_decode(decoded, want->bytes, want->n, e) < 0)
        return err_wrap(e, "args.content");
    want->bytes = decoded->p;
    want->n = decoded->len;
    return 0;
}

static int
read_args(const struct request *r, const char **path, struct buf *decoded,
          struct replace_want *want, struct err *e)
{
    *want = (struct replace_want){.mode = REPLACE_KEEP_MODE, .backup = true};
    if (args_action(r, "write", e) < 0 || args_path(r, "path", path, e) < 0 ||
        read_content(r, decoded, want, e) < 0 ||
        args_bool(r, "backup", &want->backup, e) < 0 ||
        args_bool(r, "exclusive", &want->exclusive, e) < 0)
        return -1;
    return read_mode(json_get(r->args, "mode"), &want->mode, e);
}

static void
answer(const struct request *r, const struct replace_want *want,
       const struct replaced *done)
{
    CLEANUP_BUF struct buf line = buf_of(REPLY_LINE_MAX);
    struct json_writer w;

    reply_begin(r, &w, &line, true, "", 0, "", 0);
    json_member_int(&w, "bytes_written", (int64_t)want->n);
    json_member_bool(&w, "created", done->created);
    if (done->backup_path)
        json_member_str(&w, "backup_path", done->backup_path);
    if (done->others > 0)
        json_member_int(&w, "other_names", done->others);
    (void)reply_send(&w, NULL);
}

static int
write_file(const struct request *r, struct err *e)
{
    CLEANUP(place_done) struct place place = {0};
    CLEANUP(replaced_done) struct replaced done = {0};
    CLEANUP_BUF struct buf decoded = buf_of(REPLY_LINE_MAX);
    struct replace_want want;
    const char *path;

    /* a link has the name as well: open(2), O_EXCL */
    if (read_args(r, &path, &decoded, &want, e) < 0 ||
        place_to_write(r, path, want.exclusive ? PLACE_ITSELF : PLACE_TARGET,
                       &place, e) < 0 ||
        replace_file(&place, &want, &done, e) < 0)
        return -1;
    answer(r, &want, &done);
    return 0;
}

static void
handle(const struct request *r)
{
    struct err e = {0};

    if (write_file(r, &e) < 0)
        reply_error(r, &e);
}

int
main(void)
{
    if (fd_fill_standard(NULL) < 0)
        return 1;
    return plugin_serve("fs.write_file", handle);
}
