/* SPDX-License-Identifier: GPL-3.0-or-later */
/* orphans.c - finds launchers whose front was killed. */
#include "sandbox/orphans.h"

#include <dirent.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/process_list.h"

#define OUR_NAMES   "agentsh"
#define AGAIN_MS    5
#define STATUS_MAX  8192
#define PARENTS_MAX 8 /* a launcher may be another one's child */

struct process_row {
    char name[64];
    int parent;
    unsigned uid; /* its real one */
};

/* What follows a name at the begin of a line; NULL: there is no such line. */
static const char *
find_status_line(const char *text, const char *name)
{
    const char *at = text;
    size_t n = strlen(name);

    while (at && strncmp(at, name, n) != 0) {
        at = strchr(at, '\n');
        at = at ? at + 1 : NULL;
    }
    return at ? at + n : NULL;
}

/* What anybody may read of a process; false: there is no such process. A name
 * holds no newline here, as the kernel escapes it. */
static bool
read_process_row(int pid, struct process_row *out)
{
    CLEANUP_BUF struct buf b = buf_of(STATUS_MAX);
    char path[64], state;
    const char *name, *at, *parent, *uid;

    snprintf(path, sizeof(path), "/proc/%d/status", pid);
    if (file_read(path, &b, NULL) < 0 || b.len == 0 ||
        !(name = find_status_line(b.p, "Name:\t")) ||
        !(at = find_status_line(name, "State:")) ||
        !(parent = find_status_line(at, "PPid:")) ||
        !(uid = find_status_line(parent, "Uid:")) ||
        sscanf(at, " %c", &state) != 1 ||
        sscanf(parent, "%d", &out->parent) != 1 ||
        sscanf(uid, "%u", &out->uid) != 1)
        return false;
    snprintf(out->name, sizeof(out->name), "%.*s", (int)strcspn(name, "\n"),
             name);
    return state != 'Z' && state != 'X';
}

/* Whoever calls a program so, it is ours only if it is of our user. */
static bool
is_orphaned_launcher(int pid)
{
    struct process_row row;

    if (!read_process_row(pid, &row) || row.uid != getuid() ||
        strcmp(row.name, PROCESS_LAUNCHER) != 0)
        return false;
    for (int i = 0; i < PARENTS_MAX; i++) {
        if (!read_process_row(row.parent, &row))
            return true;
        if (strcmp(row.name, PROCESS_LAUNCHER) != 0)
            return strncmp(row.name, OUR_NAMES, strlen(OUR_NAMES)) != 0 &&
                   strcmp(row.name, "ai") != 0;
    }
    return false;
}

static bool
some_orphan(void)
{
    CLEANUP(dir_close_p) DIR *dir = opendir("/proc");
    const struct dirent *x;

    while (dir && (x = readdir(dir)))
        if (x->d_name[0] >= '1' && x->d_name[0] <= '9' &&
            is_orphaned_launcher((int)strtol(x->d_name, NULL, 10)))
            return true;
    return false;
}

bool
orphans_wait(int timeout_ms)
{
    int64_t until = clock_ms() + timeout_ms;

    while (some_orphan()) {
        if (clock_ms() >= until)
            return false;
        (void)poll(NULL, 0, AGAIN_MS);
    }
    return true;
}
