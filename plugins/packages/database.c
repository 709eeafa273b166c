/* SPDX-License-Identifier: GPL-3.0-or-later */
/* database.c - which manager's list it is, and reading it. */
#include "plugins/packages/database.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/path.h"
#include "base/proc.h"
#include "plugins/lib/machine.h"

#define RPM_MS 20000 /* of its own database, cold, on a slow disk */

static int
read_file(int root, const char *path, struct database *d, struct err *e)
{
    return machine_read_all(root, path, &d->text, e);
}

/* The names of the directories, a line each. */
static int
read_names(int root, const char *path, struct database *d, struct err *e)
{
    CLEANUP(dir_close_p) DIR *dir = machine_list(root, path);
    struct dirent *at;

    if (!dir)
        return err_sys(e, "/%s", path);
    while ((at = readdir(dir)) != NULL) {
        if (at->d_name[0] == '.')
            continue;
        buf_str(&d->text, at->d_name);
        buf_ch(&d->text, '\n');
    }
    return buf_ok(&d->text, "the packages", e);
}

static int
ask_rpm(int root, const char *path, struct database *d, struct err *e)
{
    CLEANUP(free_p) char *rpm = path_find_program("rpm");
    const char *argv[] = {
        rpm, "-qa", "--qf",
        "%{NAME}\\t%|EPOCH?{%{EPOCH}:}|%{VERSION}-%{RELEASE}\\t%{ARCH}\\n",
        NULL};
    struct proc_spec spec = {.argv = argv,
                             .fds = {PROC_NULL, PROC_PIPE, PROC_INHERIT},
                             .pass_fd = -1};
    int status;

    (void)root;
    if (!rpm)
        return err_set(e, ERR_UNSUPPORTED,
                       "/%s exists, but rpm is not installed", path);
    if (proc_output(&spec, RPM_MS, &d->text, &status, e) < 0)
        return err_wrap(e, "rpm");
    return status == 0 ? 0 : err_set(e, ERR_IO, "rpm ended with %d", status);
}

struct manager {
    const char *name;
    const char *path; /* what it alone makes */
    int (*read)(int root, const char *path, struct database *d, struct err *e);
    int (*parse)(struct database *d, struct err *e);
};

/* A machine of one has at times the tools of another: rpm comes last. */
static const struct manager managers[] = {
    {"dpkg", "var/lib/dpkg/status", read_file, database_parse_dpkg},
    {"apk", "lib/apk/db/installed", read_file, database_parse_apk},
    {"apk", "usr/lib/apk/db/installed", read_file, database_parse_apk},
    {"pacman", "var/lib/pacman/local", read_names, database_parse_pacman},
    {"rpm", "var/lib/rpm", ask_rpm, database_parse_rpm},
    {"rpm", "usr/lib/sysimage/rpm", ask_rpm, database_parse_rpm},
};

static int
compare_spans(struct span a, struct span b)
{
    size_t n = a.n < b.n ? a.n : b.n;
    int c = n > 0 ? memcmp(a.p, b.p, n) : 0;

    return c != 0 ? c : (a.n > b.n) - (a.n < b.n);
}

static int
compare(const void *a, const void *b)
{
    const struct package *x = a, *y = b;
    int by_name = compare_spans(x->name, y->name);

    return by_name != 0 ? by_name : compare_spans(x->arch, y->arch);
}

int
database_read(int root, struct database *d, struct err *e)
{
    size_t i = 0;

    *d = (struct database){.n = 0};
    buf_init(&d->text, DATABASE_MAX);
    while (i < sizeof(managers) / sizeof(*managers) &&
           !machine_has(root, managers[i].path))
        i++;
    if (i == sizeof(managers) / sizeof(*managers))
        return err_set(e, ERR_UNSUPPORTED,
                       "no package database found (dpkg, apk, pacman, rpm)");
    d->manager = managers[i].name;
    if (managers[i].read(root, managers[i].path, d, e) < 0 ||
        managers[i].parse(d, e) < 0)
        return -1;
    if (d->n > 0)
        qsort(d->rows, d->n, sizeof(*d->rows), compare);
    return 0;
}

void
database_done(struct database *d)
{
    free(d->rows);
    buf_done(&d->text);
    *d = (struct database){0};
}

const char *
database_pacman_arch(int root, const struct package *p, char *text, size_t size)
{
    char path[512], desc[8192];
    struct span rest, line;

    text[0] = '\0';
    snprintf(path, sizeof(path), "var/lib/pacman/local/%.*s-%.*s/desc",
             (int)p->name.n, p->name.p, (int)p->version.n, p->version.p);
    machine_read(root, path, desc, sizeof(desc));
    rest = span_of(desc);
    while (span_line(&rest, &line)) {
        if (span_is(line, "%ARCH%") && span_line(&rest, &line))
            span_copy(line, text, size);
    }
    return text;
}
