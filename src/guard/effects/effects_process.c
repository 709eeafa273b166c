/* SPDX-License-Identifier: GPL-3.0-or-later */
/* effects_process.c - the processes of the machine, from /proc. */
#include "guard/effects/effects_process.h"

#include <inttypes.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/path.h"

#define STAT_MAX    4096
#define CMDLINE_MAX (256 * 1024) /* arguments can be long: the first counts */
#define START_FIELD 22           /* of /proc/PID/stat, proc(5) */
#define GROUP_FIELD 5
#define NAME_KEPT   15

/* When the machine started, in seconds since 1970. */
static int64_t
boot_time(void)
{
    CLEANUP(file_close_p) FILE *f = fopen("/proc/stat", "re");
    char line[1024];
    int64_t t;

    while (f && fgets(line, sizeof(line), f))
        if (sscanf(line, "btime %" SCNd64, &t) == 1)
            return t;
    return 0;
}

/* Field `wanted` of a stat line, counted as proc(5) does; the second, the name
 * in parentheses, may hold blanks and parentheses of its own. */
static int64_t
field_of(const char *line, int wanted)
{
    const char *p = strrchr(line, ')');
    int64_t v = 0;

    for (int i = 3; p && i <= wanted; i++)
        p = strchr(p + 1, ' ');
    if (p)
        sscanf(p, " %" SCNd64, &v);
    return v;
}

static void
read_name(const char *line, struct effects_process *p)
{
    const char *open = strchr(line, '('), *close = strrchr(line, ')');

    if (open && close && close > open)
        snprintf(p->name, sizeof(p->name), "%.*s", (int)(close - open - 1),
                 open + 1);
}

static void
read_owner(unsigned uid, struct effects_process *p)
{
    const struct passwd *pw;

    p->ours = uid == getuid();
    pw = getpwuid(uid);
    if (pw)
        snprintf(p->owner, sizeof(p->owner), "%.63s", pw->pw_name);
    else
        snprintf(p->owner, sizeof(p->owner), "%u", uid);
}

void
effects_proc_arguments(int pid, struct buf *out)
{
    char path[64];

    snprintf(path, sizeof(path), "/proc/%d/cmdline", pid);
    file_read(path, out, NULL); /* too long: its beginning is there */
    for (size_t i = 0; i + 1 < out->len; i++)
        if (out->p[i] == '\0')
            out->p[i] = ' ';
}

/* The kernel keeps 15 bytes of a program's name. */
static void
read_command(struct effects_proc *p)
{
    CLEANUP_BUF struct buf b = buf_of(CMDLINE_MAX);
    char path[64];

    snprintf(path, sizeof(path), "/proc/%d/cmdline", p->shown.pid);
    file_read(path, &b, NULL);
    snprintf(p->command, sizeof(p->command), "%.63s", path_base(b.p));
}

static bool
read_stat(int pid, struct buf *out, unsigned *uid)
{
    char path[64];
    struct stat st;

    snprintf(path, sizeof(path), "/proc/%d/stat", pid);
    if (pid <= 0 || stat(path, &st) < 0 || file_read(path, out, NULL) < 0)
        return false;
    *uid = (unsigned)st.st_uid;
    return true;
}

bool
effects_proc_read(int pid, struct effects_proc *out)
{
    CLEANUP_BUF struct buf b = buf_of(STAT_MAX);
    struct effects_proc p = {.shown.pid = pid};

    if (!read_stat(pid, &b, &p.uid))
        return false;
    read_name(b.p, &p.shown);
    p.group = (int)field_of(b.p, GROUP_FIELD);
    if (strlen(p.shown.name) >= NAME_KEPT)
        read_command(&p);
    *out = p;
    return true;
}

void
effects_proc_describe(struct effects_proc *p)
{
    CLEANUP_BUF struct buf b = buf_of(STAT_MAX);
    long ticks = sysconf(_SC_CLK_TCK);

    if (!read_stat(p->shown.pid, &b, &p->uid))
        return;
    read_owner(p->uid, &p->shown);
    p->shown.started = boot_time() +
                       field_of(b.p, START_FIELD) / (ticks > 0 ? ticks : 100);
}
