/* SPDX-License-Identifier: GPL-3.0-or-later */
/* repair_file.c - what a file is, by its first bytes. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/file.h"
#include "offline/repair/repair_find.h"

#define BEGIN_BYTES 4096 /* enough for tar's mark and a first line */
#define TAR_MARK_AT 257

bool
repair_file_begin(const struct repair_place *p, const char *path,
                  struct buf *out)
{
    CLEANUP(fd_close_p)
    int fd = openat(seat_fd(p->seat), path,
                    O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    struct stat st;
    ssize_t n = 0;

    if (fd < 0 || fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
        return false;
    while (out->len < out->max && buf_room(out, out->max - out->len) == 0 &&
           (n = read(fd, out->p + out->len, out->max - out->len)) > 0) {
        out->len += (size_t)n;
        out->p[out->len] = '\0';
    }
    return n >= 0;
}

bool
repair_file_kind(const struct repair_place *p, const char *path,
                 char out[PATH_MAX])
{
    static const struct {
        const char *kind, *bytes;
        size_t n, at;
    } kinds[] = {
        {"gzip", "\x1f\x8b", 2, 0},
        {"bzip2", "BZh", 3, 0},
        {"xz",
         "\xfd"
         "7zXZ",
         5, 0},
        {"zstd", "\x28\xb5\x2f\xfd", 4, 0},
        {"zip", "PK\003\004", 4, 0},
        {"zip", "PK\005\006", 4, 0},
        {"7z", "7z\xbc\xaf\x27\x1c", 6, 0},
        {"rar", "Rar!", 4, 0},
        {"elf", "\177ELF", 4, 0},
        {"tar", "ustar", 5, TAR_MARK_AT},
    };
    CLEANUP_BUF struct buf text = buf_of(BEGIN_BYTES);
    const char *newline, *kind = "text";

    if (!repair_file_begin(p, path, &text) || text.len == 0)
        return false;
    newline = memchr(text.p, '\n', text.len);
    if (newline && newline > text.p && newline[-1] == '\r')
        kind = "crlf";
    else if (text.len > 2 && memcmp(text.p, "#!", 2) == 0)
        kind = "script";
    for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
        if (text.len >= kinds[i].at + kinds[i].n &&
            memcmp(text.p + kinds[i].at, kinds[i].bytes, kinds[i].n) == 0) {
            kind = kinds[i].kind;
            break;
        }
    }
    snprintf(out, PATH_MAX, "%s", kind);
    return true;
}

bool
repair_file_interpreter(const struct repair_place *p, const char *path,
                        char out[PATH_MAX])
{
    CLEANUP_BUF struct buf text = buf_of(BEGIN_BYTES);
    const char *at;
    size_t n;

    if (!repair_file_begin(p, path, &text) || text.len < 3 ||
        memcmp(text.p, "#!", 2) != 0)
        return false;
    at = text.p + 2 + strspn(text.p + 2, " ");
    n = strcspn(at, " \t\r\n");
    if (n == 0 || n >= PATH_MAX)
        return false;
    snprintf(out, PATH_MAX, "%.*s", (int)n, at);
    return true;
}
