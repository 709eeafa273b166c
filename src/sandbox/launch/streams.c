/* SPDX-License-Identifier: GPL-3.0-or-later */
/* streams.c - checks a child's standard streams and sets its terminal's
 * foreground group. */
#include "sandbox/launch/streams.h"

#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

/* Returns whether a socket is a connected stream. A listening socket, or one
 * that is not connected yet, would let the child reach others where its profile
 * has a network. */
static bool
is_connected_stream(int fd)
{
    struct sockaddr_storage peer;
    socklen_t size = sizeof(peer), type_size = sizeof(int);
    int type = 0;

    return getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &type_size) == 0 &&
           type == SOCK_STREAM &&
           getpeername(fd, (struct sockaddr *)&peer, &size) == 0;
}

static int
check_stream(int fd, const char *name, struct err *e)
{
    struct stat st;

    if (fstat(fd, &st) < 0)
        return err_sys(e, "sandbox: %s", name);
    if (S_ISDIR(st.st_mode))
        return err_set(e, ERR_SANDBOX,
                       "sandbox: %s is a directory, which would give access to "
                       "everything below it",
                       name);
    if (S_ISSOCK(st.st_mode) && !is_connected_stream(fd))
        return err_set(e, ERR_SANDBOX,
                       "sandbox: %s is a socket that is not a connected "
                       "stream, and could send to others; use a pipe instead",
                       name);
    return 0;
}

int
streams_check(struct err *e)
{
    static const char *const names[] = {"standard input", "standard output",
                                        "standard error"};

    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (check_stream(fd, names[fd], e) < 0)
            return -1;
    return 0;
}

int
streams_open_terminal(void)
{
    return open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);
}

bool
streams_is_foreground(int tty)
{
    return tty >= 0 && tcgetpgrp(tty) == getpgrp();
}

void
streams_set_foreground(int tty, pid_t group)
{
    if (tty >= 0)
        (void)tcsetpgrp(tty, group);
}
