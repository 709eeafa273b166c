/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trace.c - the last command, where `ai` finds it. */
#include "frontend/repl/trace.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/fd.h"
#include "base/file.h"
#include "base/path.h"
#include "model/last_command.h"

#define WRITE_MS 1000

/* "KIND-SESSION" in the runtime directory; the caller frees it. */
static char *
path_for(const char *kind, const char *session, struct err *e)
{
    char name[128];

    snprintf(name, sizeof(name), "%s-%s", kind, session);
    return path_of(PATH_RUNTIME, name, e);
}

/* Not synced: it need not outlive a crash of the machine. */
static int
put(const char *path, const char *bytes, size_t n, struct err *e)
{
    CLEANUP(fd_close_p)
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC,
                  0600);

    if (fd < 0)
        return err_sys(e, "%s", path);
    return fd_write_all(fd, bytes, n, WRITE_MS, e);
}

static int
write_last(const struct trace *r, struct err *e)
{
    CLEANUP(free_p) char *path = path_for("last", r->session, e);
    CLEANUP_BUF struct buf b = buf_of(LAST_RECORD_MAX);

    if (!path)
        return -1;
    buf_printf(&b, "status=%d\n", r->status);
    if (!strchr(r->cwd, '\n'))
        buf_printf(&b, "cwd=%s\n", r->cwd);
    buf_printf(&b, "duration_ms=%lld\ncommand=%.*s", (long long)r->duration_ms,
               (int)LAST_COMMAND_MAX, r->command);
    if (buf_ok(&b, "the last command", e) < 0)
        return -1;
    return put(path, b.p, b.len, e);
}

static int
write_shown(const struct trace *r, struct err *e)
{
    CLEANUP(free_p) char *path = path_for("stderr", r->session, e);

    if (!path)
        return -1;
    if (r->status == 0) {
        (void)unlink(path);
        return 0;
    }
    return put(path, r->shown, strlen(r->shown), e);
}

int
trace_write(const struct trace *r, struct err *e)
{
    CLEANUP(free_p) char *dir = path_of(PATH_RUNTIME, NULL, e);

    if (!r->command)
        return 0;
    if (!dir || file_private_dir(dir, e) < 0 || write_last(r, e) < 0)
        return -1;
    return write_shown(r, e);
}

void
trace_remove(const char *session)
{
    CLEANUP(free_p) char *last = path_for("last", session, NULL);
    CLEANUP(free_p) char *shown = path_for("stderr", session, NULL);

    if (last)
        (void)unlink(last);
    if (shown)
        (void)unlink(shown);
}
