/* SPDX-License-Identifier: GPL-3.0-or-later */
/* risk_places.c - what kind of place an absolute path is. */
#include "guard/risk/risk_places.h"

#include <string.h>

#include "guard/place.h"
#include "guard/risk/risk_args.h"
#include "guard/secret.h"

/* Where only root may write. */
static const char *const system_places[] = {
    "/bin", "/boot",     "/efi",   "/etc",
    "/lib", "/lib32",    "/lib64", "/libx32",
    "/opt", "/proc/sys", "/root",  "/sbin",
    "/sys", "/usr",      "/var",   "/proc/sysrq-trigger",
    NULL,
};
static const char *const common_places[] = {
    "/var/tmp", "/var/lock", "/var/crash", "/dev/shm", NULL,
};

/* What holds a disk's bytes. */
static const char *const disks[] = {
    "/dev/sd*",   "/dev/hd*",     "/dev/vd*", "/dev/xvd*",    "/dev/nvme*",
    "/dev/disk*", "/dev/mmcblk*", "/dev/md*", "/dev/mapper*", "/dev/dm-*",
    "/dev/loop*", "/dev/rdisk*",  "/dev/mem", "/dev/kmem",    "/dev/port",
    "/dev/sr*",   "/dev/zd*",     NULL,
};

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
    "/root",
    "/root/*",
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
is_in(const char *path, const char *const *places)
{
    for (; *places; places++)
        if (place_is_below(path, *places))
            return true;
    return false;
}

static bool
is_system(const char *path)
{
    if (is_in(path, common_places))
        return false;
    if (is_in(path, system_places))
        return true;
    /* What lies in / itself, but for /tmp. */
    return path[0] == '/' && !strchr(path + 1, '/') &&
           strcmp(path, "/tmp") != 0;
}

static bool
is_shown(const char *path)
{
    return place_is_below(path, "/proc") || place_is_below(path, "/sys") ||
           (place_is_below(path, "/dev") && !place_is_below(path, "/dev/shm"));
}

unsigned
risk_place_of(const char *path, const char *home)
{
    bool own = home && home[0] && home[1] && place_is_below(path, home);
    unsigned kind = 0;

    kind |= !own && is_system(path) ? RISK_PLACE_SYSTEM : 0;
    kind |= !own && is_one_of(path, closed) ? RISK_PLACE_CLOSED : 0;
    kind |= secret_is_path(path) ? RISK_PLACE_SECRET : 0;
    kind |= is_one_of(path, disks) ? RISK_PLACE_DISK : 0;
    kind |= is_one_of(path, gates) ? RISK_PLACE_GATE : 0;
    kind |= is_one_of(path, wide_gates) ? RISK_PLACE_WIDE_GATE : 0;
    kind |= is_shown(path) ? RISK_PLACE_SHOWN : 0;
    return kind;
}
