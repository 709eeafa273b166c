/* SPDX-License-Identifier: GPL-3.0-or-later */
/* risk_places.c - what kind of place an absolute path is. */
#include "guard/risk/risk_places.h"

#include <string.h>

#include "base/path.h"
#include "guard/path/path_table.h"
#include "guard/path/secret.h"
#include "guard/risk/risk_args.h"

/* What decides who may do what: who loses it, or finds another there, has
 * another machine. */
static const char *const gates[] = {
    "/etc/passwd*", "/etc/shadow*",          "/etc/gshadow*",
    "/etc/group*",  "/etc/ssh/sshd_config*", "/etc/pam.d*",
    "/etc/fstab",   "/etc/crypttab",         NULL,
};
/* A new file, or one more line, is enough here. */
static const char *const wide_gates[] = {
    "/etc/sudoers*",
    "/etc/doas.conf",
    "/etc/ld.so.preload",
    NULL,
};

/* What a normal user may not even read. */
static const char *const closed[] = {
    "/etc/shadow*",
    "/etc/gshadow*",
    "/etc/sudoers*",
    "/boot/grub/*",
    "/var/log/auth.log*",
    "/etc/ssl/private*",
    "/etc/ssh/ssh_host_*_key",
    NULL,
};

static bool
is_one_of(const char *path, const char *const *patterns)
{
    for (; *patterns; patterns++)
        if (risk_matches(*patterns, path))
            return true;
    return false;
}

static bool
is_system(unsigned kinds)
{
    return kinds & PATH_IS_ROOT_WRITABLE ||
           (kinds & PATH_IS_TOP && !(kinds & PATH_IS_TEMPORARY));
}

unsigned
risk_place_of(const char *path, const struct risk_place *where)
{
    const char *home = where ? where->home : NULL;
    bool own = home && home[0] && home[1] && path_is_below(path, home);
    unsigned is = path_kinds(path), kind = 0;

    kind |= !own && is_system(is) ? RISK_PLACE_SYSTEM : 0;
    kind |= !own && (is & PATH_IS_ROOT_READABLE || is_one_of(path, closed))
                ? RISK_PLACE_CLOSED
                : 0;
    kind |= secret_is_path(path, where) ? RISK_PLACE_SECRET : 0;
    kind |= path_is_disk(path) ? RISK_PLACE_DISK : 0;
    kind |= is_one_of(path, gates) ? RISK_PLACE_GATE : 0;
    kind |= is_one_of(path, wide_gates) ? RISK_PLACE_WIDE_GATE : 0;
    kind |= is & PATH_IS_VIRTUAL ? RISK_PLACE_SHOWN : 0;
    return kind;
}
