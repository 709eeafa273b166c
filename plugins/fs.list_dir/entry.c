/* SPDX-License-Identifier: GPL-3.0-or-later */
/* entry.c - one name of a directory, for a person and for a program. */
#include "plugins/fs.list_dir/entry.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/utf8.h"
#include "plugins/lib/place.h"

static void
put_name(struct buf *out, const char *name)
{
    CLEANUP_BUF struct buf valid = buf_of(3 * PATH_MAX);

    utf8_repair(&valid, name, strlen(name));
    for (const char *p = valid.p; *p; p++) {
        unsigned char c = (unsigned char)*p;

        if (c == '\n')
            buf_str(out, "\\n");
        else if (c == '\t')
            buf_str(out, "\\t");
        else if (c == '\\')
            buf_str(out, "\\\\");
        else if (c < 0x20 || c == 0x7F)
            buf_printf(out, "\\%03o", c);
        else
            buf_ch(out, *p);
    }
}

static const char *
mark_of(mode_t mode)
{
    switch (mode & S_IFMT) {
    case S_IFDIR:
        return "/";
    case S_IFLNK:
        return "@";
    case S_IFIFO:
        return "|";
    case S_IFSOCK:
        return "=";
    case S_IFREG:
        return mode & 0111 ? "*" : "";
    default:
        return "";
    }
}

void
entry_line(struct buf *out, const char *name, const struct stat *st)
{
    put_name(out, name);
    if (st)
        buf_str(out, mark_of(st->st_mode));
    buf_ch(out, '\n');
}

static void
put_target(struct json_writer *w, int dir, const char *name)
{
    char target[PATH_MAX];
    ssize_t n = readlinkat(dir, name, target, sizeof(target));

    if (n < 0)
        return;
    json_key(w, "target");
    json_put_strn(w, target, (size_t)n);
}

void
entry_object(struct json_writer *w, int dir, const char *name,
             const struct stat *st)
{
    char time[CLOCK_RFC3339_SIZE], mode[16];

    json_open_object(w);
    json_member_str(w, "name", name);
    json_member_str(w, "type", st ? place_kind(st->st_mode) : "unknown");
    if (st) {
        snprintf(mode, sizeof(mode), "%04o", (unsigned)st->st_mode & 07777);
        json_member_int(w, "size", S_ISREG(st->st_mode) ? st->st_size : 0);
        json_member_str(w, "mtime", clock_rfc3339(st->st_mtime, time));
        json_member_str(w, "mode", mode);
        if (S_ISLNK(st->st_mode))
            put_target(w, dir, name);
    }
    json_close_object(w);
}
