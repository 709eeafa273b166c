/* SPDX-License-Identifier: GPL-3.0-or-later */
/* manager.c - apt, pacman, zypper, dnf, apk and brew as rows of a table. */
#include "plugins/pkg.manage/manager.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"

static const char *const action_names[ASK_ACTIONS] = {
    [ASK_INSTALL] = "install", [ASK_REMOVE] = "remove",
    [ASK_UPDATE] = "update",   [ASK_UPGRADE] = "upgrade",
    [ASK_SEARCH] = "search",   [ASK_MARK] = "mark",
    [ASK_STATE] = "state",     [ASK_REVERSE] = "reverse",
};

/* rpm(8): EVR is epoch, version and release as one */
#define RPM_LIST                                                               \
    {                                                                          \
        "rpm", "-qa", "--qf", "%{NAME} %{EVR}.%{ARCH}\\n"                      \
    }

/* Its caches are for root alone to write, and root may be one who cannot: in a
 * sandbox without a view of its own apt calls that an error. */
#define APT_CACHE                                                              \
    "apt-cache", "-o", "Dir::Cache::pkgcache=", "-o", "Dir::Cache::srcpkgcache="
#define APT_SIMULATE                                                           \
    "apt-get", "-o", "Dir::Cache::pkgcache=", "-o",                            \
        "Dir::Cache::srcpkgcache=", "-s"
#define APT_OLDER "apt-get", "-q", "%y", "--allow-downgrades"

/* The first whose program and mark are here manages the system: the order is
 * that of who is found beside whom as a guest. */
static const struct manager managers[] = {
    {
        .name = "apt",
        .mark = "/var/lib/dpkg/info/dpkg.list",
        /* dpkg cannot ask about a configuration file that was changed here:
         * what its package says, else the file stays */
        .yes = {"-y", "-o", "Dpkg::Options::=--force-confdef", "-o",
                "Dpkg::Options::=--force-confold"},
        .loose = true,
        .list = LIST_STATUS,
        .joins = "=",
        .marks = "/var/lib/apt/extended_states",
        .row =
            {
                [ASK_INSTALL] = {"apt-get", "-q", "%y", "install", "--", "%p"},
                [ASK_REMOVE] = {"apt-get", "-q", "%y", "remove", "--", "%p"},
                [ASK_UPDATE] = {"apt-get", "-q", "update"},
                [ASK_UPGRADE] = {"apt-get", "-q", "%y", "upgrade"},
                [ASK_UPGRADE_SOME] = {"apt-get", "-q", "%y", "install",
                                      "--only-upgrade", "--", "%p"},
                [ASK_INSTALL_VERSION] = {APT_OLDER, "install", "--", "%p"},
                [ASK_MARK_AUTOMATIC] = {"apt-mark", "auto", "%p"},
                [ASK_MARK_MANUAL] = {"apt-mark", "manual", "%p"},
                [ASK_VERSIONS] = {APT_CACHE, "madison", "--", "%p"},
                [ASK_WOULD_REMOVE] = {APT_SIMULATE, "remove", "--", "%p"},
                [ASK_SEARCH] = {APT_CACHE, "search", "--", "%q"},
                [ASK_LIST] = {"dpkg-query", "-W", "-f",
                              "${Package} ${Version} ${db:Status-Status}\\n"},
                [ASK_KNOWN] = {APT_CACHE, "-q", "show", "--", "%p"},
                [ASK_NAMES] = {APT_CACHE, "pkgnames", "--", "%p"},
            },
    },
    {
        .name = "pacman",
        .mark = "/var/lib/pacman/local",
        .yes = {"--noconfirm"},
        .found_none = 1,
        .row =
            {
                [ASK_INSTALL] = {"pacman", "-S", "%y", "--", "%p"},
                [ASK_REMOVE] = {"pacman", "-R", "%y", "--", "%p"},
                [ASK_UPDATE] = {"pacman", "-Sy"},
                [ASK_UPGRADE] = {"pacman", "-Su", "%y"},
                [ASK_MARK_AUTOMATIC] = {"pacman", "-D", "--asdeps", "--", "%p"},
                [ASK_MARK_MANUAL] = {"pacman", "-D", "--asexplicit", "%p"},
                [ASK_AUTOMATIC] = {"pacman", "-Qdq"},
                [ASK_SEARCH] = {"pacman", "-Ss", "--", "%q"},
                [ASK_LIST] = {"pacman", "-Q"},
                [ASK_KNOWN] = {"pacman", "-Si", "--", "%p"},
            },
    },
    {
        .name = "zypper",
        .mark = "/etc/zypp",
        .yes = {"--non-interactive"},
        .found_none = 104,
        .unknown = 104,
        /* zypper(8), EXIT CODES: a reboot, a restart of zypper, or a further
         * run is needed; a repository was passed over; a package's script
         * failed after its files were there */
        .fine = {102, 103, 106, 107},
        .row =
            {
                [ASK_INSTALL] = {"zypper", "%y", "install", "--", "%p"},
                [ASK_REMOVE] = {"zypper", "%y", "remove", "--", "%p"},
                [ASK_UPDATE] = {"zypper", "refresh"},
                [ASK_UPGRADE] = {"zypper", "%y", "update"},
                [ASK_UPGRADE_SOME] = {"zypper", "%y", "update", "--", "%p"},
                [ASK_SEARCH] = {"zypper", "--no-refresh", "search", "-d", "--",
                                "%q"},
                [ASK_LIST] = RPM_LIST,
            },
    },
    {
        .name = "dnf",
        .mark = "/etc/yum.repos.d",
        .yes = {"-y"},
        .silent = true,
        .joins = "-",
        .row =
            {
                [ASK_INSTALL] = {"dnf", "install", "%y", "%p"},
                [ASK_REMOVE] = {"dnf", "remove", "%y", "%p"},
                [ASK_UPDATE] = {"dnf", "makecache"},
                [ASK_UPGRADE] = {"dnf", "upgrade", "%y"},
                [ASK_UPGRADE_SOME] = {"dnf", "upgrade", "%y", "%p"},
                /* dnf(8): install takes an older version, too */
                [ASK_INSTALL_VERSION] = {"dnf", "install", "%y", "%p"},
                [ASK_VERSIONS] = {"dnf", "repoquery", "-C", "-q",
                                  "--showduplicates", "--qf",
                                  "%{name} %{evr}.%{arch}\\n", "%p"},
                [ASK_SEARCH] = {"dnf", "search", "-C", "%q"},
                [ASK_LIST] = RPM_LIST,
                [ASK_KNOWN] = {"dnf", "repoquery", "-C", "-q", "%p"},
            },
    },
    {
        .name = "apk",
        .mark = "/lib/apk/db",
        .silent = true,
        .list = LIST_JOINED,
        .row =
            {
                [ASK_INSTALL] = {"apk", "add", "%p"},
                [ASK_REMOVE] = {"apk", "del", "%p"},
                [ASK_UPDATE] = {"apk", "update"},
                [ASK_UPGRADE] = {"apk", "upgrade"},
                [ASK_UPGRADE_SOME] = {"apk", "upgrade", "%p"},
                [ASK_SEARCH] = {"apk", "search", "-v", "-d", "%q"},
                [ASK_LIST] = {"apk", "info", "-v"},
                [ASK_KNOWN] = {"apk", "search", "--exact", "%p"},
            },
    },
    {
        .name = "brew",
        .own = true,
        .found_none = 1,
        .row =
            {
                [ASK_INSTALL] = {"brew", "install", "%p"},
                [ASK_REMOVE] = {"brew", "uninstall", "%p"},
                [ASK_UPDATE] = {"brew", "update"},
                [ASK_UPGRADE] = {"brew", "upgrade"},
                [ASK_UPGRADE_SOME] = {"brew", "upgrade", "%p"},
                [ASK_SEARCH] = {"brew", "search", "%q"},
                [ASK_LIST] = {"brew", "list", "--versions"},
                [ASK_KNOWN] = {"brew", "info", "%p"},
            },
    },
};

#define N_MANAGERS (sizeof(managers) / sizeof(*managers))

const struct manager *
manager_at(size_t i)
{
    return i < N_MANAGERS ? &managers[i] : NULL;
}

const char *
manager_action_name(enum manager_ask ask)
{
    return action_names[ask];
}

bool
manager_is_fine(const struct manager *m, int exit_code)
{
    bool fine = exit_code == 0;

    for (size_t i = 0; i < MANAGER_FINE && m->fine[i]; i++)
        fine = fine || exit_code == m->fine[i];
    return fine;
}

static bool
is_here(const struct manager *m, bool of_system)
{
    CLEANUP(free_p) char *path = words_program(m->row[ASK_INSTALL][0]);

    return path && (!of_system || !m->mark || access(m->mark, F_OK) == 0);
}

const struct manager *
manager_find(const char *name, struct err *e)
{
    CLEANUP_BUF struct buf tried = buf_of(sizeof(e->text));

    for (const struct manager *m = managers; m < managers + N_MANAGERS; m++) {
        if (name && strcmp(m->name, name) != 0)
            continue;
        if (is_here(m, !name))
            return m;
        buf_printf(&tried, "%s%s", tried.len ? ", " : "",
                   m->row[ASK_INSTALL][0]);
    }
    if (tried.len == 0)
        err_set(e, ERR_INVALID, "args.manager: unknown manager \"%.40s\"",
                name);
    else
        err_set(e, ERR_UNSUPPORTED, "no package manager found: looked for %s",
                tried.p);
    return NULL;
}
