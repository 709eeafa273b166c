/* SPDX-License-Identifier: GPL-3.0-or-later */
/* session_file.c - the files by which `ai` reaches the shell that started it.
 */
#include "ui/session_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/fd.h"
#include "base/file.h"
#include "base/path.h"

/* Opens the file; -1 where others could read it or it has two names. */
static int
open_session_file(const struct seat *s, enum shell_file kind,
                  const char *session, int flags, size_t *size)
{
    struct stat st;
    CLEANUP(fd_close_p) int fd = shell_file_open(s, kind, session, flags, &st);

    if (fd < 0 || (st.st_mode & 077) != 0 || st.st_nlink != 1)
        return -1;
    *size = (size_t)st.st_size;
    return TAKE_FD(fd);
}

int
session_file_write(const struct seat *s, enum shell_file kind, size_t *size,
                   struct err *e)
{
    const char *session = seat_variable(s, "AGENTSH_SESSION");
    int fd = -1;

    if (shell_file_pid(session) == getppid())
        fd = open_session_file(s, kind, session, O_WRONLY | O_APPEND, size);
    return fd >= 0 ? fd
                   : err_set(e, ERR_UNSUPPORTED,
                             "this shell has not loaded the hook "
                             "(agentsh init)");
}

int
session_file_create(const struct seat *s, enum shell_file kind,
                    const char *session, struct err *e)
{
    CLEANUP(free_p) char *dir = seat_place(s, PATH_RUNTIME, NULL, e);
    CLEANUP(free_p) char *path = shell_file_path(s, kind, session, e);
    CLEANUP(fd_close_p) int fd = -1;

    if (!dir || !path || file_private_dir(dir, e) < 0)
        return -1;
    (void)unlink(path);
    fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    return fd < 0 ? err_sys(e, "%s", path) : 0;
}

int
session_file_read(const struct seat *s, enum shell_file kind,
                  const char *session, size_t *size)
{
    return open_session_file(s, kind, session, O_RDWR, size);
}
