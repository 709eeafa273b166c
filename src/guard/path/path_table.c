/* SPDX-License-Identifier: GPL-3.0-or-later */
/* path_table.c - what the places of a system are, in one table. */
#include "guard/path/path_table.h"

#include <string.h>

#include "base/path.h"
#include "guard/path/git_place.h"

#define N_OF(array) (sizeof(array) / sizeof((array)[0]))

#define ROOTS     PATH_IS_ROOTS
#define SYSTEM    PATH_IS_SYSTEM
#define KERNEL    PATH_IS_KERNEL
#define SHOWN     PATH_IS_SHOWN
#define PROGRAMS  PATH_IS_PROGRAMS
#define DEVICE    (PATH_IS_DEVICE | PATH_IS_SHOWN)
#define CLOSED    PATH_IS_CLOSED
#define TEMPORARY PATH_IS_TEMPORARY
#define SHARED    PATH_IS_SHARED
#define MACHINE   PATH_IS_MACHINE
#define UPDATED   PATH_IS_UPDATED
#define SETTING   PATH_IS_SETTING
#define VITAL     PATH_IS_VITAL
#define KEPT      PATH_IS_KEPT
#define BIN       PATH_IS_BIN
#define HOMES     PATH_IS_HOMES
#define SWITCH    PATH_IS_SWITCH
#define SINK      PATH_IS_SINK
#define STREAM    PATH_IS_STREAM

/* Kinds that a path below a row does not have. */
#define ITSELF (VITAL | KEPT | BIN | HOMES | STREAM)

struct row {
    const char *path;
    unsigned kinds;
};

/* A row says all that holds below it: nothing is taken from the row above. */
static const struct row rows[] = {
    {"/", VITAL | KEPT},
    {"/bin", ROOTS | SYSTEM | PROGRAMS | BIN | VITAL | KEPT},
    {"/boot", ROOTS | SYSTEM | VITAL | KEPT},
    {"/dev", SYSTEM | KERNEL | DEVICE | VITAL | KEPT},
    {"/dev/fd", SYSTEM | KERNEL | DEVICE | SINK},
    {"/dev/fd/0", SYSTEM | KERNEL | DEVICE | SINK | STREAM},
    {"/dev/fd/1", SYSTEM | KERNEL | DEVICE | SINK | STREAM},
    {"/dev/fd/2", SYSTEM | KERNEL | DEVICE | SINK | STREAM},
    {"/dev/full", SYSTEM | KERNEL | DEVICE | SINK},
    {"/dev/null", SYSTEM | KERNEL | DEVICE | SINK | STREAM},
    {"/dev/random", SYSTEM | KERNEL | DEVICE | SINK},
    {"/dev/shm", SYSTEM | KERNEL | SHARED | MACHINE},
    {"/dev/stderr", SYSTEM | KERNEL | DEVICE | SINK | STREAM},
    {"/dev/stdin", SYSTEM | KERNEL | DEVICE | SINK | STREAM},
    {"/dev/stdout", SYSTEM | KERNEL | DEVICE | SINK | STREAM},
    {"/dev/tty", SYSTEM | KERNEL | DEVICE | SINK},
    {"/dev/urandom", SYSTEM | KERNEL | DEVICE | SINK},
    {"/dev/zero", SYSTEM | KERNEL | DEVICE | SINK},
    {"/efi", ROOTS | SYSTEM | VITAL | KEPT},
    {"/etc", ROOTS | SYSTEM | SETTING | VITAL | KEPT},
    {"/gnu", ROOTS | SYSTEM | UPDATED | VITAL | KEPT},
    {"/home", HOMES | VITAL | KEPT},
    {"/lib", ROOTS | SYSTEM | PROGRAMS | UPDATED | VITAL | KEPT},
    {"/lib32", ROOTS | SYSTEM | UPDATED | VITAL | KEPT},
    {"/lib64", ROOTS | SYSTEM | PROGRAMS | UPDATED | VITAL | KEPT},
    {"/libx32", ROOTS | SYSTEM | UPDATED | VITAL | KEPT},
    {"/media", KEPT},
    {"/mnt", KEPT},
    {"/nix", ROOTS | SYSTEM | UPDATED | VITAL | KEPT},
    {"/opt", ROOTS | PROGRAMS | KEPT},
    {"/ostree", ROOTS | SYSTEM | UPDATED | VITAL | KEPT},
    {"/proc", SYSTEM | KERNEL | SHOWN | MACHINE | VITAL | KEPT},
    {"/proc/acpi", SYSTEM | KERNEL | SHOWN | MACHINE | SWITCH},
    {"/proc/sys", ROOTS | SYSTEM | KERNEL | SHOWN | MACHINE | SWITCH},
    {"/proc/sysrq-trigger", ROOTS | SYSTEM | KERNEL | SHOWN | MACHINE | SWITCH},
    {"/root", ROOTS | CLOSED | VITAL | KEPT},
    {"/run", SYSTEM | MACHINE | KEPT},
    {"/sbin", ROOTS | SYSTEM | PROGRAMS | BIN | VITAL | KEPT},
    {"/snap", ROOTS | SYSTEM | UPDATED | KEPT},
    {"/snap/bin", ROOTS | SYSTEM | PROGRAMS | UPDATED},
    {"/srv", KEPT},
    {"/sys", ROOTS | SYSTEM | KERNEL | SHOWN | VITAL | KEPT},
    {"/sys/kernel", ROOTS | SYSTEM | KERNEL | SHOWN | SWITCH},
    {"/sys/power", ROOTS | SYSTEM | KERNEL | SHOWN | SWITCH},
    {"/sysroot", ROOTS | SYSTEM | UPDATED | VITAL | KEPT},
    {"/tmp", TEMPORARY | SHARED},
    {"/usr", ROOTS | SYSTEM | UPDATED | VITAL | KEPT},
    {"/usr/bin", ROOTS | SYSTEM | PROGRAMS | UPDATED | BIN | VITAL | KEPT},
    {"/usr/games", ROOTS | SYSTEM | PROGRAMS | UPDATED | BIN},
    {"/usr/lib", ROOTS | SYSTEM | UPDATED | VITAL | KEPT},
    {"/usr/libexec", ROOTS | SYSTEM | PROGRAMS | UPDATED},
    {"/usr/local", ROOTS | SYSTEM | KEPT},
    {"/usr/local/bin", ROOTS | SYSTEM | PROGRAMS | BIN},
    {"/usr/local/sbin", ROOTS | SYSTEM | PROGRAMS | BIN},
    {"/usr/sbin", ROOTS | SYSTEM | PROGRAMS | UPDATED | BIN | VITAL | KEPT},
    {"/var", ROOTS | VITAL | KEPT},
    {"/var/crash", SYSTEM | SHARED},
    {"/var/lib", ROOTS | SYSTEM | VITAL | KEPT},
    {"/var/lock", SYSTEM | SHARED},
    {"/var/log", ROOTS | MACHINE | KEPT},
    {"/var/run", SYSTEM | MACHINE},
    {"/var/spool", ROOTS | SYSTEM},
    {"/var/tmp", TEMPORARY | SHARED},
};

/* How the names of disks begin, of their partitions and volumes: also of one
 * that is not plugged in now, for a plan may run later. */
static const char *const disks[] = {
    "/dev/bcache", "/dev/block/", "/dev/cciss/", "/dev/dasd",  "/dev/disk/",
    "/dev/dm-",    "/dev/drbd",   "/dev/hd",     "/dev/loop",  "/dev/mapper/",
    "/dev/md",     "/dev/mmcblk", "/dev/mtd",    "/dev/nbd",   "/dev/nst",
    "/dev/nvme",   "/dev/pmem",   "/dev/ram",    "/dev/rbd",   "/dev/rdisk",
    "/dev/sd",     "/dev/sg",     "/dev/sr",     "/dev/ubi",   "/dev/vd",
    "/dev/xvd",    "/dev/zd",     "/dev/zram",   "/dev/zvol/",
};
static const char devices[] = "/dev/";
/* Directories of devices that are no disks. One of any other name is a group
 * of volumes: /dev/GROUP/VOLUME. */
static const char *const no_groups[] = {
    "/dev/binderfs/",  "/dev/bsg/",        "/dev/bus/",
    "/dev/char/",      "/dev/cpu/",        "/dev/dma_heap/",
    "/dev/dri/",       "/dev/dvb/",        "/dev/fd/",
    "/dev/hugepages/", "/dev/infiniband/", "/dev/input/",
    "/dev/mqueue/",    "/dev/net/",        "/dev/pts/",
    "/dev/serial/",    "/dev/shm/",        "/dev/snd/",
    "/dev/tcp/",       "/dev/udp/",        "/dev/usb/",
    "/dev/v4l/",       "/dev/vfio/",       "/dev/virtio-ports/",
};
/* The memory, as bytes that a program may write. */
static const char *const memories[] = {"/dev/kmem", "/dev/mem", "/dev/port"};

/* What we believe of a workspace. */
#define POLICY_DIR ".agentsh"

/* The kinds of a path that begins with another row's name (/usr/local/x with
 * /usr) are those of the longest. */
static const struct row *
nearest_row(const char *path)
{
    const struct row *best = NULL;
    size_t longest = 0;

    for (size_t i = 0; i < N_OF(rows); i++) {
        size_t n = strlen(rows[i].path);

        /* the second byte tells most rows from most paths */
        if (rows[i].path[1] && rows[i].path[1] != path[1])
            continue;
        if (n > longest && path_is_below(path, rows[i].path)) {
            best = &rows[i];
            longest = n;
        }
    }
    return best;
}

unsigned
path_kinds(const char *path)
{
    const struct row *row = path[0] == '/' ? nearest_row(path) : NULL;
    unsigned kinds = row ? row->kinds : 0;

    if (!row)
        return 0;
    if (strcmp(row->path, path) != 0)
        kinds &= ~ITSELF;
    if (strstr(path, "/../")) /* who knows which */
        kinds &= ~(SINK | STREAM);
    if (!strchr(path + 1, '/'))
        kinds |= PATH_IS_TOP;
    return kinds;
}

bool
path_is(const char *path, unsigned kinds)
{
    return (path_kinds(path) & kinds) != 0;
}

const char *
path_next(unsigned kinds, size_t *at)
{
    while (*at < N_OF(rows)) {
        const struct row *row = &rows[(*at)++];

        if (row->kinds & kinds)
            return row->path;
    }
    return NULL;
}

/* /dev/GROUP/VOLUME */
static bool
is_volume(const char *path)
{
    const char *volume;

    if (strncmp(path, devices, strlen(devices)) != 0)
        return false;
    volume = strchr(path + strlen(devices), '/');
    if (!volume || !volume[1] || strchr(volume + 1, '/'))
        return false;
    for (size_t i = 0; i < N_OF(no_groups); i++)
        if (strncmp(path, no_groups[i], strlen(no_groups[i])) == 0)
            return false;
    return true;
}

bool
path_is_disk(const char *path)
{
    for (size_t i = 0; i < N_OF(memories); i++)
        if (strcmp(path, memories[i]) == 0)
            return true;
    for (size_t i = 0; i < N_OF(disks); i++) {
        size_t n = strlen(disks[i]);

        if (strncmp(path, disks[i], n) == 0 && path[n])
            return true;
    }
    return is_volume(path);
}

bool
path_is_hidden(const char *path, const char *home)
{
    return (home && path_is_below(path, home)) ||
           path_is(path, PATH_IS_MACHINE);
}

bool
path_holds_hidden(const char *path, const char *home)
{
    const char *row;
    size_t at = 0;

    while ((row = path_next(PATH_IS_MACHINE, &at)))
        if (path_is_below(row, path))
            return true;
    return home && path_is_below(home, path);
}

bool
path_is_temporary(const char *path)
{
    return path_is(path, PATH_IS_TEMPORARY);
}

bool
path_is_sink(const char *path)
{
    return path_is(path, PATH_IS_SINK);
}

bool
path_runs_later(const char *path)
{
    return git_place_holds(path) || path_contains(path, POLICY_DIR);
}

bool
path_is_of_system(const char *dir)
{
    unsigned kinds = path_kinds(dir);

    /* one of the top that is in the table has other kinds too */
    return kinds & PATH_IS_SYSTEM ||
           (kinds & PATH_IS_TOP && kinds != PATH_IS_TOP);
}

bool
path_is_protected(const char *dir, const char *home)
{
    if (home && path_is_below(home, dir))
        return true;
    if (home && path_is_below(dir, home))
        return strstr(dir + strlen(home), "/.") != NULL;
    if (path_is_temporary(dir))
        return false;
    return path_is(dir, PATH_IS_TOP | PATH_IS_ROOTS | PATH_IS_SYSTEM |
                            PATH_IS_MACHINE);
}
