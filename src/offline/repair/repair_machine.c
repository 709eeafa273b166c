/* SPDX-License-Identifier: GPL-3.0-or-later */
/* repair_machine.c - who holds a port, what runs, what packages there are. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/str.h"
#include "model/tcp_listeners.h"
#include "offline/repair/repair_find.h"

#define PROCESSES_MAX   4096
#define FILES_MAX       65536               /* of all processes */
#define INDEX_MAX_BYTES ((size_t)192 << 20) /* of one file of an index */
#define INDEXES_MAX     64
#define INDEX_PIECE     ((size_t)256 << 10) /* bytes that are read at a time */
#define INDEX_ROW_MAX   256                 /* bytes that are looked for */
#define INDEX_MS        400                 /* for all files of an index */
#define PORT_MAX        65535

/* Calls fn for each process until it returns true; false: it never did. */
static bool
each_process(bool (*fn)(DIR *proc, const char *pid, void *arg), void *arg)
{
    CLEANUP(dir_close_p) DIR *proc = opendir("/proc");
    struct dirent *x;
    size_t left = PROCESSES_MAX;

    while (proc && left > 0 && (x = readdir(proc))) {
        if (x->d_name[strspn(x->d_name, "0123456789")])
            continue;
        left--;
        if (fn(proc, x->d_name, arg))
            return true;
    }
    return false;
}

struct holder_search {
    char link[64]; /* socket:[INODE] */
    size_t left;
    char *pid; /* PATH_MAX bytes */
};

static bool
holds_socket(DIR *proc, const char *pid, void *arg)
{
    struct holder_search *h = arg;
    char path[64];
    CLEANUP(dir_close_p) DIR *d = NULL;
    struct dirent *x;
    int fd;

    snprintf(path, sizeof(path), "%.20s/fd", pid);
    fd = openat(dirfd(proc), path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return false;
    if (!(d = fdopendir(fd))) {
        close(fd);
        return false;
    }
    while (h->left > 0 && (x = readdir(d))) {
        char link[64];
        ssize_t n = readlinkat(fd, x->d_name, link, sizeof(link) - 1);

        h->left--;
        if (n > 0 && (size_t)n == strlen(h->link) &&
            memcmp(link, h->link, (size_t)n) == 0) {
            snprintf(h->pid, PATH_MAX, "%s", pid);
            return true;
        }
    }
    return false;
}

bool
repair_machine_holder(const struct repair_place *p, const char *port,
                      char out[PATH_MAX])
{
    struct holder_search h = {.left = FILES_MAX, .pid = out};
    struct tcp_listener one = {0};
    long number = strtol(port, NULL, 10);

    (void)p;
    if (number < 1 || number > PORT_MAX ||
        port[strspn(port, "0123456789")] != '\0')
        return false;
    one.port = (int)number;
    if (!tcp_listeners_find(&one, 1) || one.near == 0)
        return false;
    snprintf(h.link, sizeof(h.link), "socket:[%u]", one.inode);
    return each_process(holds_socket, &h);
}

struct program_search {
    char name[16];     /* as much of it as the kernel keeps, with the NUL */
    const char *below; /* "": anywhere */
};

static bool
is_called(DIR *proc, const char *pid, void *arg)
{
    const struct program_search *r = arg;
    char path[64], comm[32] = "", cwd[PATH_MAX];
    int fd;
    ssize_t n;

    snprintf(path, sizeof(path), "%.20s/comm", pid);
    fd = openat(dirfd(proc), path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    n = read(fd, comm, sizeof(comm) - 1);
    close(fd);
    if (n <= 0 || strlen(r->name) != strcspn(comm, "\n") ||
        !str_begins(comm, r->name))
        return false;
    if (!r->below[0])
        return true;
    snprintf(path, sizeof(path), "%.20s/cwd", pid);
    n = readlinkat(dirfd(proc), path, cwd, sizeof(cwd) - 1);
    if (n < 0) /* another user's may be here; one that has ended is not */
        return errno == EACCES || errno == EPERM;
    cwd[n] = '\0';
    return path_is_below(cwd, r->below);
}

bool
repair_machine_runs(const char *program, const char *below)
{
    struct program_search r = {.below = below};

    snprintf(r.name, sizeof(r.name), "%s", program);
    return each_process(is_called, &r);
}

/* Finds bytes across the pieces in which a file is read. */
struct index_search {
    const char *bytes;
    size_t n;
    int64_t until; /* clock_ms(): then nothing was found */
    char *piece;   /* INDEX_PIECE + INDEX_ROW_MAX bytes */
};

/* Whether a file of at most INDEX_MAX_BYTES holds them. It is read piece by
 * piece and not mapped: a disk that is slow, as one that has to wake up, holds
 * a piece, and all of it only until the time is over. */
static bool
file_holds(int dir, const char *name, const struct index_search *q)
{
    CLEANUP(fd_close_p)
    int fd = openat(dir, name, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    size_t kept = 0, left = INDEX_MAX_BYTES;
    struct stat st;
    ssize_t n;

    if (fd < 0 || fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
        return false;
    while (left >= INDEX_PIECE && clock_ms() < q->until &&
           (n = read(fd, q->piece + kept, INDEX_PIECE)) > 0) {
        size_t have = kept + (size_t)n;

        if (memmem(q->piece, have, q->bytes, q->n))
            return true;
        kept = have < q->n - 1 ? have : q->n - 1;
        memmove(q->piece, q->piece + have - kept, kept);
        left -= INDEX_PIECE;
    }
    return false;
}

/* apt's own cache has each name with its length, 16 bits, before it and a NUL
 * behind it. */
static bool
cache_has_package(struct index_search *q, const char *package)
{
    CLEANUP(dir_close_p) DIR *d = opendir("/var/cache/apt");
    char bytes[INDEX_ROW_MAX];
    size_t n = strlen(package);

    if (!d || n + 3 > sizeof(bytes))
        return false;
    bytes[0] = (char)(n & 0xff);
    bytes[1] = (char)(n >> 8);
    memcpy(bytes + 2, package, n + 1);
    q->bytes = bytes;
    q->n = n + 3;
    return file_holds(dirfd(d), "pkgcache.bin", q);
}

static bool
lists_have_package(struct index_search *q, const char *package)
{
    CLEANUP(dir_close_p) DIR *d = opendir("/var/lib/apt/lists");
    size_t left = INDEXES_MAX;
    struct dirent *x;
    char row[INDEX_ROW_MAX];

    q->n = (size_t)snprintf(row, sizeof(row), "\nPackage: %.200s\n", package);
    q->bytes = row;
    while (d && left > 0 && (x = readdir(d))) {
        left--;
        if (str_ends(x->d_name, "_Packages") &&
            file_holds(dirfd(d), x->d_name, q))
            return true;
    }
    return false;
}

bool
repair_machine_has_package(const struct repair_place *p, const char *package)
{
    CLEANUP(free_p) char *piece = malloc(INDEX_PIECE + INDEX_ROW_MAX);
    struct index_search q = {.piece = piece, .until = clock_ms() + INDEX_MS};

    (void)p;
    if (!piece || !package[0] ||
        package[strspn(package, "abcdefghijklmnopqrstuvwxyz0123456789+.-")])
        return false;
    return cache_has_package(&q, package) || lists_have_package(&q, package);
}
