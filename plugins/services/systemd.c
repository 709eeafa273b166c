/* SPDX-License-Identifier: GPL-3.0-or-later */
/* systemd.c - services by the groups of processes that systemd makes.
 *
 * A service that runs is a directory NAME.service below slices (*.slice), in
 * the one tree of cgroups 2 or the tree of its own of cgroups 1; cgroup.procs
 * lists its processes, or those of its parts where it has some. */
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "plugins/lib/machine.h"
#include "plugins/lib/span.h"
#include "plugins/services/units.h"

#define DEPTH_MAX  8 /* of slices; systemd itself nests a few */
#define PARTS_MAX  3 /* levels within a service */
#define PROCS_SIZE 32768
#define SUFFIX     ".service"

struct found {
    int pid, n;
};

static bool
ends(const char *name, const char *suffix)
{
    size_t n = strlen(name), m = strlen(suffix);

    return n > m && strcmp(name + n - m, suffix) == 0;
}

static void
count(int dir, struct found *f)
{
    char text[PROCS_SIZE];
    struct span rest, line;
    uint64_t pid;

    machine_read(dir, "cgroup.procs", text, sizeof(text));
    rest = span_of(text);
    while (span_line(&rest, &line)) {
        if (!span_number(line, 10, &pid) || pid > INT32_MAX)
            continue;
        f->n++;
        if (f->pid == 0 || (int)pid < f->pid)
            f->pid = (int)pid;
    }
}

/* Calls itself for directories within, levels deep at most. */
static void
count_all(int at, const char *name, int levels, struct found *f)
{
    CLEANUP(dir_close_p) DIR *d = machine_list(at, name);
    struct dirent *e;

    if (!d)
        return;
    count(dirfd(d), f);
    while (levels > 0 && (e = readdir(d)) != NULL) {
        if (e->d_type == DT_DIR && e->d_name[0] != '.')
            count_all(dirfd(d), e->d_name, levels - 1, f);
    }
}

static void
walk(int at, const char *name, int depth, struct units *u)
{
    CLEANUP(dir_close_p) DIR *d = machine_list(at, name);
    struct dirent *e;

    while (d && (e = readdir(d)) != NULL) {
        struct found f = {0};

        if (e->d_type != DT_DIR)
            continue;
        if (ends(e->d_name, ".slice") && depth < DEPTH_MAX)
            walk(dirfd(d), e->d_name, depth + 1, u);
        if (!ends(e->d_name, SUFFIX))
            continue;
        count_all(dirfd(d), e->d_name, PARTS_MAX, &f);
        if (f.n > 0)
            units_add(u, e->d_name, strlen(e->d_name) - strlen(SUFFIX), f.pid,
                      f.n);
    }
}

void
units_read_systemd(int root, struct units *u)
{
    static const char *const trees[] = {
        "sys/fs/cgroup", "sys/fs/cgroup/systemd", "sys/fs/cgroup/unified"};

    for (size_t i = 0; i < sizeof(trees) / sizeof(*trees); i++) {
        char path[64];

        snprintf(path, sizeof(path), "%s/system.slice", trees[i]);
        if (machine_has(root, path)) {
            walk(root, trees[i], 0, u);
            return;
        }
    }
}
