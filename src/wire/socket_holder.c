/* SPDX-License-Identifier: GPL-3.0-or-later */
/* socket_holder.c - finds sockets that an unconfined process holds. */
#include "wire/socket_holder.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"

#define SOCKET_LINK "socket:["
#define LOOKS       2
#define AHEAD       64 /* descriptors behind the last one of a process */

/* All processes, and the sockets that are looked for. */
struct socket_search {
    struct process_list processes;
    bool *confined; /* one for each process */
    struct socket_holders *known;
    struct held_socket *v;
    size_t n, open; /* how many there are; how many are not found yet */
};

int
socket_holder_compare(const void *a, const void *b)
{
    const struct held_socket *x = a, *y = b;

    return (x->peer.inode > y->peer.inode) - (x->peer.inode < y->peer.inode);
}

/* The socket that an entry of /proc/PID/fd is, if it is one of those. */
static struct held_socket *
find_link(const struct socket_search *s, int dir, const char *name)
{
    struct held_socket key;
    char text[64];
    ssize_t n = readlinkat(dir, name, text, sizeof(text) - 1);

    if (n < (ssize_t)strlen(SOCKET_LINK))
        return NULL;
    text[n] = '\0';
    if (strncmp(text, SOCKET_LINK, strlen(SOCKET_LINK)) != 0)
        return NULL;
    key.peer.inode = strtoull(text + strlen(SOCKET_LINK), NULL, 10);
    return bsearch(&key, s->v, s->n, sizeof(*s->v), socket_holder_compare);
}

static void
remember_holder(struct socket_holders *known, const struct process_entry *x,
                int fd)
{
    size_t i = 0;

    while (i < SOCKET_HOLDERS && (known->v[i].process.pid != x->pid ||
                                  known->v[i].process.begun != x->begun))
        i++;
    if (i == SOCKET_HOLDERS)
        i = known->next++ % SOCKET_HOLDERS;
    known->v[i].process = *x;
    known->v[i].fd = fd + 1;
}

/* Looks at one descriptor. The number of a process that has ended may be
 * another's by now: what it held does not count then. */
static void
search_descriptor(struct socket_search *s, const struct process_entry *x,
                  int dir, const char *name)
{
    struct held_socket *found = find_link(s, dir, name);

    if (!found || found->unconfined || !process_entry_is_there(x))
        return;
    found->unconfined = true;
    s->open--;
    remember_holder(s->known, x, (int)strtol(name, NULL, 10));
}

static void
search_descriptors(struct socket_search *s, const struct process_entry *x,
                   const char *path)
{
    CLEANUP(dir_close_p) DIR *dir = opendir(path);
    const struct dirent *row;

    while (dir && s->open > 0 && (row = readdir(dir)) != NULL)
        search_descriptor(s, x, dirfd(dir), row->d_name);
}

/* Looks where those that were found lately may have the next ones. */
static void
search_known(struct socket_search *s)
{
    for (size_t i = 0; i < SOCKET_HOLDERS && s->open > 0; i++) {
        const struct process_entry x = s->known->v[i].process;
        CLEANUP(fd_close_p) int dir = -1;
        char name[64];
        int from = s->known->v[i].fd;

        if (x.pid == 0)
            continue;
        snprintf(name, sizeof(name), "/proc/%d/fd", (int)x.pid);
        dir = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        for (int fd = from; dir >= 0 && fd < from + AHEAD && s->open > 0;
             fd++) {
            snprintf(name, sizeof(name), "%d", fd);
            search_descriptor(s, &x, dir, name);
        }
    }
}

/* One whose first thread has ended shows its descriptors by the others. */
static void
search_threads(struct socket_search *s, const struct process_entry *x)
{
    CLEANUP(dir_close_p) DIR *dir = NULL;
    const struct dirent *row;
    char path[64 + sizeof(row->d_name)];

    snprintf(path, sizeof(path), "/proc/%d/task", (int)x->pid);
    dir = opendir(path);
    while (dir && s->open > 0 && (row = readdir(dir)) != NULL) {
        if (row->d_name[0] == '.')
            continue;
        snprintf(path, sizeof(path), "/proc/%d/task/%s/fd", (int)x->pid,
                 row->d_name);
        search_descriptors(s, x, path);
    }
}

static void
search_process(struct socket_search *s, const struct process_entry *x)
{
    char path[64];

    if (x->ended) {
        search_threads(s, x);
        return;
    }
    snprintf(path, sizeof(path), "/proc/%d/fd", (int)x->pid);
    search_descriptors(s, x, path);
}

/* Whether a confined process of root's lives; true where that is not known.
 * While one lives, so does its launcher: those that have ended do not count. */
static bool
root_has_confined(const struct socket_search *s)
{
    for (size_t i = 0; i < s->processes.n; i++) {
        const struct process_entry *x = &s->processes.v[i];
        uid_t uid = 0;

        if (s->confined[i] && !x->ended &&
            (process_entry_uid(x, &uid) || process_entry_is_there(x)) &&
            uid == 0)
            return true;
    }
    return false;
}

/* The descriptors of root's processes are root's to see: another user's server
 * admits them all, or none. */
static void
pass_roots(struct socket_search *s)
{
    bool passes = geteuid() != 0 && !root_has_confined(s);

    for (size_t i = 0; i < s->n; i++) {
        if (!passes || s->v[i].peer.uid != 0 || s->v[i].unconfined)
            continue;
        s->v[i].unconfined = true;
        s->open--;
    }
}

static int
look_at_all(struct socket_search *s, struct err *e)
{
    CLEANUP(process_list_done) struct process_list processes = {0};
    CLEANUP(free_p) bool *confined = NULL;

    if (process_list_read(&processes, e) < 0)
        return -1;
    confined = calloc(processes.n + 1, sizeof(*confined));
    if (!confined)
        return err_nomem(e);
    s->processes = processes;
    s->confined = confined;
    for (size_t i = 0; i < processes.n; i++)
        confined[i] = process_list_is_confined(&processes, &processes.v[i],
                                               getpid());
    pass_roots(s);
    /* who connects has often just begun: the last one first */
    for (size_t i = processes.n; i > 0 && s->open > 0; i--)
        if (!confined[i - 1])
            search_process(s, &processes.v[i - 1]);
    return 0;
}

/* Where a process ends meanwhile, its children seem to come from nowhere. */
int
socket_holder_find(struct socket_holders *known, struct held_socket *v,
                   size_t n, struct err *e)
{
    struct socket_search s = {.known = known, .v = v, .n = n, .open = n};
    int rc = 0;

    search_known(&s);
    for (int i = 0; i < LOOKS && rc == 0 && s.open > 0; i++)
        rc = look_at_all(&s, e);
    return rc;
}
