/* SPDX-License-Identifier: GPL-3.0-or-later */
/* units.c - unit files and control groups. */
#include "plugins/svc.manage/units.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"

#define EVENTS_MAX 4096 /* two lines */

/* systemd.unit(5), UNIT FILE LOAD PATH */
static const char *const directories[] = {
    "/etc/systemd/system.control", "/run/systemd/system.control",
    "/run/systemd/transient",      "/run/systemd/generator.early",
    "/etc/systemd/system",         "/etc/systemd/system.attached",
    "/run/systemd/system",         "/run/systemd/system.attached",
    "/run/systemd/generator",      "/usr/local/lib/systemd/system",
    "/usr/lib/systemd/system",     "/lib/systemd/system",
    "/run/systemd/generator.late",
};

static const char *const types[] = {
    ".service", ".socket", ".device", ".mount", ".automount", ".swap",
    ".target",  ".path",   ".timer",  ".slice", ".scope",
};

/* The name with its type. */
static void
full_name(const char *name, char out[NAME_MAX + 16])
{
    size_t n = strlen(name);
    bool typed = false;

    for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++) {
        size_t len = strlen(types[i]);

        typed = typed || (n > len && strcmp(name + n - len, types[i]) == 0);
    }
    snprintf(out, NAME_MAX + 16, "%s%s", name, typed ? "" : ".service");
}

static bool
is_there(const char *file)
{
    char path[PATH_MAX];

    for (size_t i = 0; i < sizeof(directories) / sizeof(*directories); i++) {
        snprintf(path, sizeof(path), "%s/%s", directories[i], file);
        if (access(path, F_OK) == 0)
            return true;
    }
    return false;
}

bool
units_has(const char *name)
{
    char file[NAME_MAX + 16], template[2 * NAME_MAX + 32];
    const char *at, *dot;

    full_name(name, file);
    at = strchr(file, '@');
    dot = strrchr(file, '.');
    if (is_there(file))
        return true;
    if (!at || dot < at)
        return false;
    snprintf(template, sizeof(template), "%.*s%s", (int)(at - file + 1), file,
             dot);
    return is_there(template);
}

/* "system-getty.slice/" for getty@tty1: an instance is in its template's
 * slice, in whose name a hyphen is escaped. */
static void
slice_of(const char *name, char out[4 * NAME_MAX + 32])
{
    const char *at = strchr(name, '@');
    size_t n = 0;

    *out = '\0';
    if (!at)
        return;
    n = (size_t)snprintf(out, 4 * NAME_MAX + 32, "system-");
    for (const char *p = name; p < at; p++)
        n += (size_t)snprintf(out + n, 5, *p == '-' ? "\\x2d" : "%c", *p);
    snprintf(out + n, sizeof(".slice/"), ".slice/");
}

bool
units_is_populated(const char *name)
{
    static const char *const roots[] = {"/sys/fs/cgroup",
                                        "/sys/fs/cgroup/unified"};
    char file[NAME_MAX + 16], slice[4 * NAME_MAX + 32], path[PATH_MAX];
    bool populated = false;

    full_name(name, file);
    slice_of(file, slice);
    for (size_t i = 0; i < sizeof(roots) / sizeof(*roots); i++) {
        CLEANUP_BUF struct buf text = buf_of(EVENTS_MAX);

        snprintf(path, sizeof(path), "%s/system.slice/%s%s/cgroup.events",
                 roots[i], slice, file);
        if (file_read(path, &text, NULL) == 0)
            populated = populated || strstr(text.p, "populated 1");
    }
    return populated;
}
