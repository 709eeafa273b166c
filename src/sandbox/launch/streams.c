/* SPDX-License-Identifier: GPL-3.0-or-later */
/* streams.c - what a confined child gets for its input and output. */
#include "sandbox/launch/streams.h"

#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

/* A server's socket has no peer, nor has one that is still to be connected:
 * both would be by the filter where there is a network. */
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
check(int fd, const char *name, struct err *e)
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
        if (check(fd, names[fd], e) < 0)
            return -1;
    return 0;
}
