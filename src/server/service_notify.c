/* SPDX-License-Identifier: GPL-3.0-or-later */
/* service_notify.c - tells the service manager what a server does. */
#include "server/service_notify.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "base/clock.h"
#include "base/fd.h"

#define NOTIFY_MAX 512 /* bytes of the lines */

/* False: it is no valid name of a socket. */
static bool
fill_notify_address(const char *name, struct sockaddr_un *at, socklen_t *n)
{
    size_t len = strlen(name);

    *at = (struct sockaddr_un){.sun_family = AF_UNIX};
    if ((name[0] != '/' && name[0] != '@') || len < 2 ||
        len >= sizeof(at->sun_path))
        return false;
    memcpy(at->sun_path, name, len + 1);
    *n = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + len);
    if (name[0] == '@')
        at->sun_path[0] = '\0';
    else
        *n += 1;
    return true;
}

int
service_notify(const struct seat *s, const char *lines, struct err *e)
{
    CLEANUP(fd_close_p) int fd = -1;
    const char *name = seat_variable(s, "NOTIFY_SOCKET");
    struct sockaddr_un at;
    socklen_t n;

    if (!name || !*name)
        return 0;
    if (!fill_notify_address(name, &at, &n))
        return err_set(e, ERR_INVALID,
                       "NOTIFY_SOCKET is no path and no abstract name");
    fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0 || sendto(fd, lines, strlen(lines), MSG_NOSIGNAL,
                         (const struct sockaddr *)&at, n) < 0)
        return err_sys(e, "the service manager (NOTIFY_SOCKET)");
    return 0;
}

int
service_notify_timed(const struct seat *s, const char *lines, struct err *e)
{
    char text[NOTIFY_MAX];

    snprintf(text, sizeof(text), "%s\nMONOTONIC_USEC=%" PRId64, lines,
             clock_us());
    return service_notify(s, text, e);
}
