/* SPDX-License-Identifier: GPL-3.0-or-later */
/* owners.c - which processes hold which sockets, and who they are. */
#include "plugins/services/owners.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "plugins/lib/machine.h"

#define ENTRIES_SIZE 8192 /* some 300 descriptors at a time */

static int
compare_inodes(const void *a, const void *b)
{
    const struct listener *x = a, *y = b;

    return x->inode < y->inode ? -1 : x->inode > y->inode;
}

static void
note(struct listeners *l, uint64_t inode, int pid)
{
    struct listener key = {.inode = inode};
    struct listener *one = bsearch(&key, l->rows, l->n, sizeof(*l->rows),
                                   compare_inodes);

    if (!one || one->last == pid)
        return;
    one->last = pid;
    one->processes++;
    if (one->pid == 0 || pid < one->pid)
        one->pid = pid;
}

/* "socket:[1234]" */
static bool
socket_inode(struct span link, uint64_t *inode)
{
    if (!span_begins(link, "socket:["))
        return false;
    link.p += 8;
    link.n -= 8;
    return span_number(link, 10, inode);
}

/* A thread of the kernel and one that has ended have no program, and hold
 * nothing. One call tells; most of what is in /proc is such. */
static bool
has_program(int proc, const char *pid)
{
    char path[64], first;

    snprintf(path, sizeof(path), "%.20s/exe", pid);
    return readlinkat(proc, path, &first, 1) >= 0 || errno != ENOENT;
}

/* The entries that getdents64 gave. False: we may not see what they are;
 * opening the directory is allowed to more. */
static bool
look_at_some(int fds, const char *entries, size_t n, int pid,
             struct listeners *l)
{
    const struct dirent64 *at;

    for (size_t i = 0; i < n; i += at->d_reclen) {
        char target[64];
        uint64_t inode;
        ssize_t len;

        at = (const void *)(entries + i);
        if (at->d_name[0] == '.')
            continue;
        len = readlinkat(fds, at->d_name, target, sizeof(target));
        if (len < 0 && errno == EACCES)
            return false;
        if (len > 0 && socket_inode((struct span){target, (size_t)len}, &inode))
            note(l, inode, pid);
    }
    return true;
}

/* Whether its descriptors could be seen. */
static bool
look_at(int proc, const char *pid, struct listeners *l)
{
    _Alignas(struct dirent64) char entries[ENTRIES_SIZE];
    CLEANUP(fd_close_p) int fds = -1;
    int number = (int)strtol(pid, NULL, 10);
    bool seen = true;
    char path[64];
    ssize_t n;

    if (!has_program(proc, pid))
        return true;
    snprintf(path, sizeof(path), "%.20s/fd", pid);
    fds = openat(proc, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fds < 0)
        return errno == ENOENT; /* it has ended since */
    while (seen && (n = getdents64(fds, (void *)entries, sizeof(entries))) > 0)
        seen = look_at_some(fds, entries, (size_t)n, number, l);
    return seen;
}

void
owners_find(int root, struct listeners *l, size_t *hidden)
{
    CLEANUP(dir_close_p) DIR *d = machine_list(root, "proc");
    struct dirent *at;

    *hidden = 0;
    if (!d)
        return;
    if (l->n > 0)
        qsort(l->rows, l->n, sizeof(*l->rows), compare_inodes);
    while (l->n > 0 && (at = readdir(d)) != NULL) {
        if (at->d_name[0] < '1' || at->d_name[0] > '9')
            continue;
        *hidden += !look_at(dirfd(d), at->d_name, l);
    }
}

bool
process_uid(struct span status, uint64_t *uid)
{
    struct span line, key, value, word;

    while (span_line(&status, &line)) {
        /* real, effective, saved, of the file system */
        if (span_pair(line, ':', &key, &value) && span_is(key, "Uid"))
            return span_word(&value, &word) && span_word(&value, &word) &&
                   span_number(word, 10, uid);
    }
    return false;
}

const char *
process_unit(struct span cgroup, char *unit, size_t size)
{
    struct span line, part;

    unit[0] = '\0';
    while (span_line(&cgroup, &line)) {
        while (span_split(&line, '/', &part)) {
            if (part.n > 8 &&
                span_is((struct span){part.p + part.n - 8, 8}, ".service"))
                span_copy(part, unit, size);
        }
    }
    return unit;
}

bool
process_read(int root, const struct users *u, int pid, struct process *out)
{
    char path[64], text[4096];
    uint64_t uid = 0;

    *out = (struct process){.pid = pid};
    snprintf(path, sizeof(path), "proc/%d/comm", pid);
    if (machine_read(root, path, out->program, sizeof(out->program)) == 0)
        return false;
    snprintf(path, sizeof(path), "proc/%d/status", pid);
    machine_read(root, path, text, sizeof(text));
    if (process_uid(span_of(text), &uid))
        users_name(u, uid, out->user);
    snprintf(path, sizeof(path), "proc/%d/cgroup", pid);
    machine_read(root, path, text, sizeof(text));
    process_unit(span_of(text), out->unit, sizeof(out->unit));
    return true;
}
