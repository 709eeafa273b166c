/* SPDX-License-Identifier: GPL-3.0-or-later */
/* process_list.c - lists the processes of this machine. */
#include "base/process_list.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"

#define STAT_BYTES   1024
#define STATUS_BYTES 1024 /* the user is in the first ten lines */
#define FIRST_ROOM   256

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

/* Reads a file of a process, up to size bytes with the NUL. False: errno says
 * why; ESRCH or ENOENT, there is no such process. */
static bool
read_process_file(int pid, const char *name, char *text, size_t size)
{
    CLEANUP(fd_close_p) int fd = -1;
    char path[64];
    ssize_t n;

    snprintf(path, sizeof(path), "/proc/%d/%s", pid, name);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    n = fd < 0 ? -1 : read(fd, text, size - 1);
    if (n == 0)
        errno = ESRCH;
    if (n <= 0)
        return false;
    text[n] = '\0';
    return true;
}

/* The name is in parentheses and may hold anything, those too. */
static bool
read_process_stat(int pid, struct process_entry *out)
{
    char text[STAT_BYTES];
    const char *name, *end;
    char state;

    if (!read_process_file(pid, "stat", text, sizeof(text)))
        return false;
    errno = EINVAL;
    name = strchr(text, '(');
    end = strrchr(text, ')');
    if (!name || !end || end <= name ||
        sscanf(end + 1, STAT_FORM, &state, &out->parent, &out->begun) != 3)
        return false;
    out->pid = pid;
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

static const struct process_entry *
find_process(const struct process_list *p, pid_t pid)
{
    const struct process_entry key = {.pid = pid};

    return p->n > 0 ? bsearch(&key, p->v, p->n, sizeof(*p->v), compare_pids)
                    : NULL;
}

/* Where /proc hides the processes of others (hidepid), it hides our parent,
 * too, or one of ours that protects its memory. */
static int
check_all_are_seen(const struct process_list *p, struct err *e)
{
    if (find_process(p, getpid()) &&
        (getppid() == 0 || find_process(p, getppid())))
        return 0;
    return err_set(e, ERR_PERMISSION, "/proc hides processes");
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
        if (row->d_name[0] < '1' || row->d_name[0] > '9')
            continue;
        if (read_process_stat((int)strtol(row->d_name, NULL, 10), &x)) {
            if (list_process(&found, &room, &x, e) < 0)
                return -1;
        } else if (errno != ENOENT && errno != ESRCH) {
            return err_sys(e, "/proc/%.16s/stat", row->d_name);
        }
    }
    if (found.n > 0)
        qsort(found.v, found.n, sizeof(*found.v), compare_pids);
    if (check_all_are_seen(&found, e) < 0)
        return -1;
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

/* The first process of a namespace has no parent. A parent is older than its
 * child: else its number is another's by now. So a circle is none of parents.
 */
bool
process_list_is_confined(const struct process_list *p,
                         const struct process_entry *x, pid_t below)
{
    for (size_t steps = 0; steps <= p->n; steps++) {
        const struct process_entry *parent = find_process(p, x->parent);

        if (x->launcher || x->parent == below)
            return true;
        if (x->parent == 0)
            return false;
        if (!parent || parent->begun > x->begun)
            return true;
        x = parent;
    }
    return true;
}

bool
process_entry_uid(const struct process_entry *x, uid_t *uid)
{
    char text[STATUS_BYTES];
    const char *at;
    unsigned real;

    if (!read_process_file(x->pid, "status", text, sizeof(text)) ||
        !(at = strstr(text, "\nUid:")) || sscanf(at, " Uid: %u", &real) != 1)
        return false;
    *uid = real;
    return true;
}

bool
process_entry_is_there(const struct process_entry *x)
{
    struct process_entry now;

    return read_process_stat(x->pid, &now) && now.begun == x->begun;
}
