/* SPDX-License-Identifier: GPL-3.0-or-later */
/* owners.c - which processes hold which sockets, and who they are. */
#include "plugins/services/owners.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "plugins/lib/machine.h"

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

/* Whether its descriptors could be seen. A kernel's thread has none, and says
 * so at once. */
static bool
look_at(int proc, const char *pid, struct listeners *l)
{
    CLEANUP(dir_close_p) DIR *d = NULL;
    char path[64], target[64];
    struct dirent *at;

    snprintf(path, sizeof(path), "%.20s/fd", pid);
    d = machine_list(proc, path);
    if (!d)
        return errno == ENOENT; /* it has ended since */
    while ((at = readdir(d)) != NULL) {
        ssize_t n = at->d_name[0] == '.' ? 0
                                         : readlinkat(dirfd(d), at->d_name,
                                                      target, sizeof(target));
        uint64_t inode;

        if (n > 0 && socket_inode((struct span){target, (size_t)n}, &inode))
            note(l, inode, (int)strtol(pid, NULL, 10));
    }
    /* opening is allowed to more than reading the links is */
    return errno != EACCES;
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
        errno = 0;
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
