/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agreed.c - servers of this machine that the person has agreed to: one
 * address a line in $XDG_STATE_HOME/agentsh/servers. */
#include <string.h>

#include "base/file.h"
#include "base/path.h"
#include "model/choice.h"

#define FILE_NAME "servers"
#define FILE_MAX  (16u << 10) /* a person agrees to a handful */

static void
read_file(struct buf *b)
{
    CLEANUP(free_p) char *path = path_of(PATH_STATE, FILE_NAME, NULL);

    if (!path || file_read(path, b, NULL) < 0)
        buf_clear(b);
}

static bool
holds(const char *list, const char *url)
{
    size_t n = strlen(url);

    for (const char *p = list; p; p = strchr(p, '\n')) {
        p += *p == '\n';
        if (strncmp(p, url, n) == 0 && (p[n] == '\n' || p[n] == '\0'))
            return true;
    }
    return false;
}

bool
agreed_has(const char *url)
{
    CLEANUP_BUF struct buf b = buf_of(FILE_MAX);

    read_file(&b);
    return holds(b.p, url);
}

int
agreed_add(const char *url, struct err *e)
{
    CLEANUP_BUF struct buf b = buf_of(FILE_MAX);
    CLEANUP(free_p) char *dir = path_of(PATH_STATE, NULL, e);
    CLEANUP(free_p) char *path = path_of(PATH_STATE, FILE_NAME, e);

    if (!dir || !path)
        return -1;
    read_file(&b);
    if (holds(b.p, url))
        return 0;
    buf_printf(&b, "%s\n", url);
    if (buf_ok(&b, path, e) < 0 || file_make_dirs(dir, 0700, e) < 0)
        return -1;
    return file_write(path, b.p, b.len, 0600, e);
}
