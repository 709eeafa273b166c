/* SPDX-License-Identifier: GPL-3.0-or-later */
/* units.c - the services that run: OpenRC, sysvinit, and which manager is. */
#include "plugins/services/units.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "plugins/lib/machine.h"
#include "plugins/lib/span.h"

#define SCRIPT_SIZE 32768
#define SCRIPTS_MAX 1024
#define PIDS_SIZE   32
#define DAEMONS_MAX 64 /* of one service */

struct manager {
    const char *sign, *name; /* a path that it alone makes */
    void (*read)(int root, struct units *u);
};

static void read_openrc(int root, struct units *u);
static void read_sysvinit(int root, struct units *u);

static const struct manager managers[] = {
    {"run/systemd/system", "systemd", units_read_systemd},
    {"run/openrc/started", "openrc", read_openrc},
    {"etc/init.d", "sysvinit", read_sysvinit},
};

void
units_done(struct units *u)
{
    free(u->rows);
    *u = (struct units){0};
}

void
units_add(struct units *u, const char *name, size_t n, int pid, int processes)
{
    size_t room = u->room ? 2 * u->room : 64;
    struct unit *rows = u->rows;

    if (u->n == UNITS_MAX)
        return;
    if (u->n == u->room) {
        rows = reallocarray(u->rows, room, sizeof(*rows));
        if (!rows)
            return;
        u->rows = rows;
        u->room = room;
    }
    rows[u->n] = (struct unit){.pid = pid, .processes = processes};
    span_copy((struct span){name, n}, rows[u->n].name, sizeof(rows->name));
    u->n++;
}

static int
compare(const void *a, const void *b)
{
    return strcmp(((const struct unit *)a)->name,
                  ((const struct unit *)b)->name);
}

void
units_read(int root, struct units *u)
{
    for (size_t i = 0; i < sizeof(managers) / sizeof(*managers); i++) {
        if (!machine_has(root, managers[i].sign))
            continue;
        u->manager = managers[i].name;
        managers[i].read(root, u);
        break;
    }
    if (u->n > 0)
        qsort(u->rows, u->n, sizeof(*u->rows), compare);
}

/* The process of a pid file, when it still runs; else 0. */
static int
pid_of_file(int root, const char *path)
{
    char text[PIDS_SIZE], proc[64];
    uint64_t pid = 0;

    if (machine_read(root, path, text, sizeof(text)) == 0 ||
        !span_number(span_trim(span_of(text)), 10, &pid) || pid == 0 ||
        pid > INT32_MAX)
        return 0;
    snprintf(proc, sizeof(proc), "proc/%d", (int)pid);
    return machine_has(root, proc) ? (int)pid : 0;
}

static int
daemon_pid(int root, const char *path)
{
    char text[4096], file[512] = "";
    struct span rest, line, key, value;

    machine_read(root, path, text, sizeof(text));
    rest = span_of(text);
    while (span_line(&rest, &line)) {
        if (span_pair(line, '=', &key, &value) && span_is(key, "pidfile") &&
            value.n > 1 && *value.p == '/')
            span_copy((struct span){value.p + 1, value.n - 1}, file,
                      sizeof(file));
    }
    return file[0] ? pid_of_file(root, file) : 0;
}

static void
add_openrc(int root, struct units *u, const char *name)
{
    char path[600];
    CLEANUP(dir_close_p) DIR *d = NULL;
    struct dirent *at;
    int pid = 0, n = 0;

    snprintf(path, sizeof(path), "run/openrc/daemons/%s", name);
    d = machine_list(root, path);
    for (int i = 0; d && i < DAEMONS_MAX && (at = readdir(d)) != NULL; i++) {
        int one;

        if (at->d_name[0] == '.')
            continue;
        snprintf(path, sizeof(path), "run/openrc/daemons/%.255s/%.255s", name,
                 at->d_name);
        one = daemon_pid(root, path);
        n += one > 0;
        pid = pid == 0 || (one > 0 && one < pid) ? one : pid;
    }
    units_add(u, name, strlen(name), pid, n);
}

static void
read_openrc(int root, struct units *u)
{
    CLEANUP(dir_close_p) DIR *d = machine_list(root, "run/openrc/started");
    struct dirent *at;

    while (d && (at = readdir(d)) != NULL) {
        if (at->d_name[0] != '.')
            add_openrc(root, u, at->d_name);
    }
}

bool
units_pid_file(const char *script, char *path, size_t size)
{
    for (const char *at = script; (at = strstr(at, "/run/")) != NULL; at++) {
        size_t n = strcspn(at, " \t\n\"';|&)}:");
        struct span file = {at + 1, n - 1};

        if (n > 9 && n < size && strncmp(at + n - 4, ".pid", 4) == 0 &&
            !memchr(file.p, '$', file.n) && !memchr(file.p, '*', file.n)) {
            span_copy(file, path, size);
            return true;
        }
    }
    return false;
}

/* run/NAME/…pid */
static int
pid_in(int root, const char *name)
{
    char path[600];
    CLEANUP(dir_close_p) DIR *d = NULL;
    struct dirent *at;
    int pid = 0;

    snprintf(path, sizeof(path), "run/%s", name);
    d = machine_list(root, path);
    for (int i = 0; d && pid == 0 && i < DAEMONS_MAX && (at = readdir(d));
         i++) {
        size_t n = strlen(at->d_name);

        if (n < 5 || strcmp(at->d_name + n - 4, ".pid") != 0)
            continue;
        snprintf(path, sizeof(path), "run/%.255s/%.255s", name, at->d_name);
        pid = pid_of_file(root, path);
    }
    return pid;
}

static int
script_pid(int root, const char *name)
{
    CLEANUP(free_p) char *script = malloc(SCRIPT_SIZE);
    char path[600];
    int pid = 0;

    snprintf(path, sizeof(path), "etc/init.d/%s", name);
    if (script && machine_read(root, path, script, SCRIPT_SIZE) > 0 &&
        units_pid_file(script, path, sizeof(path)))
        pid = pid_of_file(root, path);
    snprintf(path, sizeof(path), "run/%s.pid", name);
    if (pid == 0)
        pid = pid_of_file(root, path);
    return pid ? pid : pid_in(root, name);
}

static void
read_sysvinit(int root, struct units *u)
{
    CLEANUP(dir_close_p) DIR *d = machine_list(root, "etc/init.d");
    struct dirent *at;

    for (int i = 0; d && i < SCRIPTS_MAX && (at = readdir(d)) != NULL; i++) {
        int pid = at->d_name[0] == '.' ? 0 : script_pid(root, at->d_name);

        if (pid > 0)
            units_add(u, at->d_name, strlen(at->d_name), pid, 0);
    }
}
