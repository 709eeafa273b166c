/* SPDX-License-Identifier: GPL-3.0-or-later */
/* listener.c - accepts connections on a socket, from the loop. */
#include "wire/listener.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/array.h"
#include "base/fd.h"
#include "base/path.h"
#include "wire/address.h"
#include "wire/peer_check.h"

#define BACKLOG     1024  /* for the time that peer_check takes, too */
#define AGAIN_MS    100   /* before a socket that failed is created again … */
#define AGAIN_MAX   10000 /* … at most, after it failed again and again */
#define ACCEPTS_MAX 16    /* in one turn of the loop */

struct listener {
    struct loop *loop;
    struct address address;
    const struct listener_events *ev;
    void *arg;
    int fd; /* -1: it failed, and the timer `again` will create it */
    struct watch *watch, *again;
    int64_t again_ms;
    bool made_file;
    bool keeps;               /* open only to its user, and root */
    struct peer_check *check; /* of TCP connections, where it keeps */
    bool paused;              /* the check is full */
    unsigned reported;        /* a bit for each code of a refusal */
    dev_t dev;                /* of the file of a Unix socket that it made */
    ino_t ino;
    int held; /* callbacks that we go on after */
    bool dead;
};

static const char *
unix_path(const struct listener *l)
{
    const struct sockaddr_un *un = (const void *)&l->address.at;

    return un->sun_path;
}

/* Removes the file of a socket that no process listens on. */
static int
remove_stale(const struct listener *l, struct err *e)
{
    const char *path = unix_path(l);
    CLEANUP(fd_close_p) int fd = -1;
    struct stat st;

    if (lstat(path, &st) < 0)
        return 0;
    if (!S_ISSOCK(st.st_mode))
        return err_set(e, ERR_USAGE, "%s: a file that is no socket", path);
    fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0)
        return err_sys(e, "%s", path);
    if (connect(fd, (const struct sockaddr *)&l->address.at, l->address.len) ==
            0 ||
        errno != ECONNREFUSED)
        return err_set(e, ERR_USAGE, "%s: another process listens there", path);
    if (unlink(path) < 0 && errno != ENOENT)
        return err_sys(e, "%s", path);
    return 0;
}

/* Where everybody may put another socket in its place, clients would show their
 * token to that one. */
static int
check_directory_of_socket(const char *path, struct err *e)
{
    const char *name = path_base(path);
    char dir[sizeof(((struct sockaddr_un *)0)->sun_path) + 1];
    struct stat st;

    snprintf(dir, sizeof(dir), "%.*s", (int)(name - path), path);
    if (stat(dir[0] ? dir : ".", &st) < 0 || !(st.st_mode & S_IWOTH) ||
        st.st_mode & S_ISVTX)
        return 0;
    return err_set(e, ERR_USAGE,
                   "%s: everybody may replace it in this directory. To do: "
                   "chmod o-w %s",
                   path, dir[0] ? dir : ".");
}

/* Only the user can connect to the socket: its mode is set before it listens.
 */
static int
protect_file(struct listener *l, struct err *e)
{
    struct stat st;

    if (lstat(unix_path(l), &st) < 0)
        return err_sys(e, "%s", unix_path(l));
    l->made_file = true;
    l->dev = st.st_dev;
    l->ino = st.st_ino;
    if (chmod(unix_path(l), 0600) < 0)
        return err_sys(e, "%s", unix_path(l));
    return 0;
}

static int
bind_socket(struct listener *l, int fd, struct err *e)
{
    CLEANUP_BUF struct buf name = buf_of(256);
    bool is_unix = l->address.at.ss_family == AF_UNIX;
    const int on = 1;

    address_put(&name, &l->address);
    if (is_unix && (check_directory_of_socket(unix_path(l), e) < 0 ||
                    remove_stale(l, e) < 0))
        return -1;
    if (!is_unix)
        (void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
    if (bind(fd, (const struct sockaddr *)&l->address.at, l->address.len) < 0)
        return errno == EADDRINUSE && !is_unix
                   ? err_set(e, ERR_IO,
                             "%s: another process listens there. To do: end "
                             "it, or name another address by --listen",
                             name.p)
                   : err_sys(e, "%s", name.p);
    if (is_unix && protect_file(l, e) < 0)
        return -1;
    if (listen(fd, BACKLOG) < 0)
        return err_sys(e, "%s", name.p);
    /* a port that the kernel chose stays the same when the socket is created
     * again */
    l->address.len = sizeof(l->address.at);
    if (getsockname(fd, (struct sockaddr *)&l->address.at, &l->address.len) < 0)
        return err_sys(e, "%s", name.p);
    return 0;
}

static void on_connections(void *arg, unsigned events);

static int
open_listening_socket(struct listener *l, struct err *e)
{
    CLEANUP(fd_close_p) int fd = -1;

    if (l->address.fd >= 0)
        fd = fcntl(l->address.fd, F_DUPFD_CLOEXEC, FD_FIRST_FREE);
    else
        fd = socket(l->address.at.ss_family,
                    SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0)
        return err_sys(e, "socket");
    if (l->address.fd < 0 ? bind_socket(l, fd, e) < 0
                          : fd_set_nonblock(fd, true, e) < 0)
        return -1;
    l->watch = loop_fd(l->loop, fd, LOOP_READ, on_connections, l, e);
    if (!l->watch)
        return -1;
    l->fd = TAKE_FD(fd);
    return 0;
}

static void
close_socket(struct listener *l)
{
    watch_free(l->watch);
    l->watch = NULL;
    fd_close_p(&l->fd);
    l->fd = -1;
}

/* Errors of a connection that has gone before it was accepted, or that a packet
 * filter forbids; accept(2) has them all. */
static bool
is_passing(int sys)
{
    static const int errors[] = {EAGAIN,       EINTR,       ECONNABORTED,
                                 EPROTO,       EPERM,       ENETDOWN,
                                 ENONET,       ENOPROTOOPT, EHOSTDOWN,
                                 EHOSTUNREACH, ENETUNREACH, EOPNOTSUPP};

    for (size_t i = 0; i < ARRAY_SIZE(errors); i++) {
        if (errors[i] == sys)
            return true;
    }
    return false;
}

static bool
is_lack(int sys)
{
    return sys == EMFILE || sys == ENFILE || sys == ENOBUFS || sys == ENOMEM;
}

/* Tries again later; with `keep` with the same socket. */
static void
listen_later(struct listener *l, bool keep, const struct err *why)
{
    if (keep)
        watch_events(l->watch, 0);
    else
        close_socket(l);
    watch_again(l->again, l->again_ms);
    l->again_ms = l->again_ms * 2 < AGAIN_MAX ? l->again_ms * 2 : AGAIN_MAX;
    l->ev->trouble(l->arg, why);
}

static void
on_accept_error(struct listener *l)
{
    struct err e = {0};
    int sys = errno;

    if (is_passing(sys))
        return;
    err_sys(&e, "accepting a connection");
    listen_later(l, is_lack(sys) || l->address.fd >= 0, &e);
}

/* Whether the other end of a Unix socket is of this user, or root. */
static bool
is_own_peer(int fd)
{
    struct ucred peer;
    socklen_t size = sizeof(peer);

    return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
           (peer.uid == 0 || peer.uid == geteuid());
}

/* Reports the first refusal of each kind. */
static void
report_refused_peer(struct listener *l, const struct err *why)
{
    unsigned kind = 1u << why->code;
    struct err e = {0};

    if (l->reported & kind)
        return;
    l->reported |= kind;
    err_set(&e, why->code, "refused a connection: %s", why->text);
    l->ev->trouble(l->arg, &e);
}

static void
refuse_other(struct listener *l, int fd, const struct err *why)
{
    if (l->ev->refused)
        l->ev->refused(l->arg, fd, why);
    else
        fd_close_p(&fd);
    if (!l->dead && why->code != ERR_PEER)
        report_refused_peer(l, why);
}

static void
refuse_other_user(struct listener *l, int fd)
{
    struct err e = {0};

    err_set(&e, ERR_PERMISSION,
            "without a token a Unix socket is its user's alone");
    refuse_other(l, fd, &e);
}

/* The listener may be freed by a callback. */
static void
release_listener(struct listener *l)
{
    if (--l->held == 0 && l->dead)
        free(l);
}

/* It has been checked who is at the other end. */
static void
on_checked(void *arg, int fd, const struct err *why)
{
    struct listener *l = arg;

    l->held++;
    if (why)
        refuse_other(l, fd, why);
    else
        l->ev->accepted(l->arg, fd);
    if (!l->dead && l->watch && l->paused)
        watch_events(l->watch, LOOP_READ);
    l->paused = false;
    release_listener(l);
}

static bool
is_tcp(const struct listener *l)
{
    return l->address.at.ss_family == AF_INET ||
           l->address.at.ss_family == AF_INET6;
}

/* Hands a connection over, at once or when it has been checked. */
static void
take_connection(struct listener *l, int fd)
{
    if (!l->check) {
        l->ev->accepted(l->arg, fd);
        return;
    }
    peer_check_take(l->check, fd);
    l->paused = l->check && peer_check_is_full(l->check);
    if (l->paused)
        watch_events(l->watch, 0);
}

static bool
accept_one(struct listener *l)
{
    int fd = accept4(l->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    const int on = 1;

    if (fd < 0) {
        on_accept_error(l);
        return false;
    }
    l->again_ms = AGAIN_MS;
    if (l->keeps && l->address.at.ss_family == AF_UNIX && !is_own_peer(fd)) {
        refuse_other_user(l, fd);
        return true;
    }
    if (is_tcp(l))
        (void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    take_connection(l, fd);
    return true;
}

static void
accept_some(struct listener *l)
{
    l->held++;
    for (int i = 0; i < ACCEPTS_MAX && !l->dead && l->fd >= 0; i++) {
        if ((l->check && peer_check_is_full(l->check)) || !accept_one(l))
            break;
    }
    release_listener(l);
}

static void
on_connections(void *arg, unsigned events)
{
    struct listener *l = arg;
    struct err e = {0};

    if (!(events & LOOP_HUP)) {
        accept_some(l);
        return;
    }
    /* accept4(2) on such a Unix socket fails with EAGAIN */
    err_set(&e, ERR_IO, "the socket does not listen any more");
    listen_later(l, l->address.fd >= 0, &e);
}

static void
on_again(void *arg, unsigned events)
{
    struct listener *l = arg;
    struct err e = {0};

    (void)events;
    if (l->watch) {
        watch_events(l->watch, LOOP_READ);
        return;
    }
    if (open_listening_socket(l, &e) < 0)
        listen_later(l, false, &e);
}

int
listener_keep_to_user(struct listener *l, struct err *e)
{
    l->keeps = true;
    if (!is_tcp(l))
        return 0;
    l->check = peer_check_new(l->loop, on_checked, l, e);
    return l->check ? 0 : -1;
}

struct listener *
listener_new(struct loop *loop, const char *address,
             const struct listener_events *ev, void *arg, struct err *e)
{
    CLEANUP(listener_free_p) struct listener *l = calloc(1, sizeof(*l));

    if (!l) {
        err_nomem(e);
        return NULL;
    }
    *l = (struct listener){
        .loop = loop, .ev = ev, .arg = arg, .fd = -1, .again_ms = AGAIN_MS};
    if (address_read(address, &l->address, e) < 0 ||
        !(l->again = loop_timer(loop, AGAIN_MS, on_again, l, e)))
        return NULL;
    watch_stop(l->again);
    return open_listening_socket(l, e) < 0 ? NULL : TAKE_PTR(l);
}

/* Removes the file of a Unix socket, unless another process has put its own
 * there. */
static void
remove_file(const struct listener *l)
{
    struct stat st;

    if (l->made_file && lstat(unix_path(l), &st) == 0 && st.st_dev == l->dev &&
        st.st_ino == l->ino)
        (void)unlink(unix_path(l));
}

void
listener_free(struct listener *l)
{
    if (!l)
        return;
    remove_file(l);
    close_socket(l);
    peer_check_free(l->check);
    l->check = NULL;
    watch_free(l->again);
    l->again = NULL;
    l->dead = true;
    if (l->held == 0)
        free(l);
}

bool
listener_is_open(const struct listener *l)
{
    return address_is_open(&l->address);
}

void
listener_put_address(const struct listener *l, struct buf *out)
{
    address_put(out, &l->address);
}

int
listener_passed_fds(const char *pid, const char *fds)
{
    long n;

    if (!pid || !fds || strtol(pid, NULL, 10) != (long)getpid())
        return 0;
    n = strtol(fds, NULL, 10);
    return n > 0 && n < 1024 ? (int)n : 0;
}

int
listener_connect(const char *address, int timeout_ms, struct err *e)
{
    struct address a;
    CLEANUP(fd_close_p) int fd = -1;
    struct pollfd pfd = {.events = POLLOUT};
    int sys = 0;
    socklen_t n = sizeof(sys);

    if (address_read(address, &a, e) < 0)
        return -1;
    fd = socket(a.at.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0)
        return err_sys(e, "%s", address);
    if (connect(fd, (const struct sockaddr *)&a.at, a.len) == 0)
        return TAKE_FD(fd);
    if (errno != EINPROGRESS)
        return err_sys(e, "%s", address);
    pfd.fd = fd;
    if (poll(&pfd, 1, timeout_ms) <= 0)
        return err_set(e, ERR_TIMEOUT, "%s: no answer", address);
    if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &sys, &n) < 0 || sys != 0) {
        errno = sys ? sys : errno;
        return err_sys(e, "%s", address);
    }
    return TAKE_FD(fd);
}
