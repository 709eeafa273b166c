/* SPDX-License-Identifier: GPL-3.0-or-later */
/* units.h - the services that run, as their manager keeps them.
 *
 * Nothing is asked of the manager: systemd's groups of processes, OpenRC's
 * list of what it started, and sysvinit's pid files are read. */
#ifndef PLUGINS_SERVICES_UNITS_H
#define PLUGINS_SERVICES_UNITS_H

#include <stdbool.h>
#include <stddef.h>

#define UNITS_MAX 2048

struct unit {
    char name[256]; /* systemd's without .service */
    int pid;        /* its first process; 0: none that is known */
    int processes;  /* 0: not known */
};

struct units {
    const char *manager; /* "systemd", "openrc", "sysvinit"; NULL: none */
    struct unit *rows;   /* sorted by name */
    size_t n, room;
};

/* u begins zeroed, and needs units_done. */
void units_read(int root, struct units *u);
void units_done(struct units *u);

/* For the readers of each manager. One that does not fit is left out. */
void units_add(struct units *u, const char *name, size_t n, int pid,
               int processes);
void units_read_systemd(int root, struct units *u);

/* The first path in a script that is a pid file below /run or /var/run, with
 * nothing to expand in it, relative to "/". False: it names none. */
bool units_pid_file(const char *script, char *path, size_t size);

#endif
