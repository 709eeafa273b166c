/* SPDX-License-Identifier: GPL-3.0-or-later */
/* process_list.c - lists the processes of this machine. */
#include "base/process_list.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"

#define STAT_BYTES 1024
#define FIRST_ROOM 256

/* The first is the state, the third field of proc_pid_stat(5); the 22nd is the
 * start time. What lies between are numbers. */
#define STAT_FORM                                                              \
    " %c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d "  \
    "%*d %" SCNu64

static bool
is_comm(const char *from, const char *to, const char *name)
{
    return (size_t)(to - from) == strlen(name) &&
           memcmp(from, name, strlen(name)) == 0;
}

/* The name is in parentheses and may hold anything, those too. */
static bool
read_process_stat(const char *pid, struct process_entry *out)
{
    CLEANUP(fd_close_p) int fd = -1;
    char path[64], text[STAT_BYTES];
    const char *name, *end;
    ssize_t n;
    char state;

    snprintf(path, sizeof(path), "/proc/%s/stat", pid);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    n = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
    if (n <= 0)
        return false;
    text[n] = '\0';
    name = strchr(text, '(');
    end = strrchr(text, ')');
    if (!name || !end || end <= name ||
        sscanf(end + 1, STAT_FORM, &state, &out->parent, &out->begun) != 3)
        return false;
    out->pid = (pid_t)strtol(text, NULL, 10);
    out->launcher = is_comm(name + 1, end, PROCESS_LAUNCHER) ||
                    is_comm(name + 1, end, PROCESS_EXEC);
    out->ended = state == 'Z' || state == 'X';
    return true;
}

static int
list_process(struct process_list *p, size_t *room,
             const struct process_entry *x, struct err *e)
{
    if (p->n == *room) {
        size_t more = *room ? 2 * *room : FIRST_ROOM;
        struct process_entry *v = reallocarray(p->v, more, sizeof(*v));

        if (!v)
            return err_nomem(e);
        p->v = v;
        *room = more;
    }
    p->v[p->n++] = *x;
    return 0;
}

static int
compare_pids(const void *a, const void *b)
{
    const struct process_entry *x = a, *y = b;

    return (x->pid > y->pid) - (x->pid < y->pid);
}

int
process_list_read(struct process_list *out, struct err *e)
{
    CLEANUP(process_list_done) struct process_list found = {0};
    CLEANUP(dir_close_p) DIR *dir = opendir("/proc");
    const struct dirent *row;
    struct process_entry x;
    size_t room = 0;

    if (!dir)
        return err_sys(e, "/proc");
    while ((row = readdir(dir)) != NULL) {
        if (row->d_name[0] < '1' || row->d_name[0] > '9' ||
            !read_process_stat(row->d_name, &x))
            continue;
        if (list_process(&found, &room, &x, e) < 0)
            return -1;
    }
    if (found.n > 0)
        qsort(found.v, found.n, sizeof(*found.v), compare_pids);
    *out = found;
    found = (struct process_list){0};
    return 0;
}

void
process_list_done(struct process_list *p)
{
    free(p->v);
    *p = (struct process_list){0};
}

static const struct process_entry *
find_process(const struct process_list *p, pid_t pid)
{
    const struct process_entry key = {.pid = pid};

    return p->n > 0 ? bsearch(&key, p->v, p->n, sizeof(*p->v), compare_pids)
                    : NULL;
}

/* The list is read while processes begin and end, so that a circle is possible:
 * the number of steps is bounded. */
bool
process_list_is_confined(const struct process_list *p,
                         const struct process_entry *x, pid_t below)
{
    size_t steps = 0;

    for (; x && steps <= p->n; x = find_process(p, x->parent), steps++) {
        if (x->launcher || x->parent == below)
            return true;
    }
    return steps > p->n;
}

bool
process_entry_is_there(const struct process_entry *x)
{
    struct process_entry now;
    char pid[32];

    snprintf(pid, sizeof(pid), "%d", (int)x->pid);
    return read_process_stat(pid, &now) && now.begun == x->begun;
}
