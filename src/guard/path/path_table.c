/* SPDX-License-Identifier: GPL-3.0-or-later */
/* path_table.c - the one table of what the paths of a system are. */
#include "guard/path/path_table.h"

#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/path.h"
#include "guard/path/git_trusted.h"
#include "guard/path/path_context.h"

#define ROOT       PATH_IS_ROOT_WRITABLE
#define SYSTEM     PATH_IS_SYSTEM
#define KERNEL     PATH_IS_KERNEL
#define VIRTUAL    PATH_IS_VIRTUAL
#define PROGRAMS   PATH_IS_PROGRAMS
#define DEVICE     (PATH_IS_DEVICE | PATH_IS_VIRTUAL)
#define ROOT_READS PATH_IS_ROOT_READABLE
#define TEMPORARY  PATH_IS_TEMPORARY
#define SHARED     PATH_IS_SHARED
#define STATE      PATH_IS_MACHINE_STATE
#define PACKAGED   PATH_IS_PACKAGED
#define SETTING    PATH_IS_SETTING
#define VITAL      PATH_IS_VITAL
#define PRECIOUS   PATH_IS_PRECIOUS
#define BIN        PATH_IS_BIN_DIR
#define HOMES      PATH_IS_HOMES
#define CONTROL    PATH_IS_CONTROL
#define AUTORUN    PATH_IS_AUTORUN
#define SECRET     PATH_IS_SECRET
#define SAFE       PATH_IS_SAFE_DEVICE
#define SINK       PATH_IS_SINK
#define SOURCE     PATH_IS_SOURCE
#define STDIO      PATH_IS_STDIO
#define STDIN      PATH_IS_STDIN
#define DROP       PATH_IS_DROP
#define SERVICES   PATH_IS_SERVICES
#define AUTHORITY  PATH_IS_AUTHORITY
#define ADDITION   PATH_IS_ADDITION
#define CLOSED     PATH_IS_CLOSED

/* The kinds that hold for a row itself only. */
#define ITSELF                                                                 \
    (VITAL | PRECIOUS | BIN | HOMES | STDIO | PATH_IS_DEVICES | PATH_IS_NULL | \
     STDIN)

struct path_row {
    const char *path;
    unsigned kinds;
};

/* A row lists all kinds of the paths below it: nothing is inherited from a
 * shorter row. A row with a star is a pattern for those who ask for AUTHORITY,
 * ADDITION or CLOSED; it has the other kinds of the row above it, since a
 * command line may hold the same star. */
static const struct path_row rows[] = {
    {"/", VITAL | PRECIOUS},
    {"/bin", ROOT | SYSTEM | PROGRAMS | BIN | VITAL | PRECIOUS},
    {"/boot", ROOT | SYSTEM | VITAL | PRECIOUS},
    {"/boot/grub/*", ROOT | SYSTEM | CLOSED},
    {"/dev", SYSTEM | KERNEL | DEVICE | PATH_IS_DEVICES | VITAL | PRECIOUS},
    {"/dev/fd", SYSTEM | KERNEL | DEVICE | SINK},
    {"/dev/fd/0", SYSTEM | KERNEL | DEVICE | SINK | STDIO | STDIN},
    {"/dev/fd/1", SYSTEM | KERNEL | DEVICE | SINK | STDIO},
    {"/dev/fd/2", SYSTEM | KERNEL | DEVICE | SINK | STDIO},
    {"/dev/full", SYSTEM | KERNEL | DEVICE | SINK | SAFE},
    {"/dev/mqueue", SYSTEM | KERNEL | DEVICE | DROP},
    {"/dev/null",
     SYSTEM | KERNEL | DEVICE | SINK | STDIO | SAFE | SOURCE | PATH_IS_NULL},
    {"/dev/random", SYSTEM | KERNEL | DEVICE | SINK | SAFE | SOURCE},
    {"/dev/shm", SYSTEM | KERNEL | SHARED | STATE | DROP},
    {"/dev/stderr", SYSTEM | KERNEL | DEVICE | SINK | STDIO},
    {"/dev/stdin", SYSTEM | KERNEL | DEVICE | SINK | STDIO | STDIN},
    {"/dev/stdout", SYSTEM | KERNEL | DEVICE | SINK | STDIO},
    {"/dev/tty", SYSTEM | KERNEL | DEVICE | SINK | SAFE},
    {"/dev/urandom", SYSTEM | KERNEL | DEVICE | SINK | SAFE | SOURCE},
    {"/dev/zero", SYSTEM | KERNEL | DEVICE | SINK | SAFE | SOURCE},
    {"/efi", ROOT | SYSTEM | VITAL | PRECIOUS},
    {"/etc", ROOT | SYSTEM | SETTING | VITAL | PRECIOUS},
    {"/etc/X11", ROOT | SYSTEM | SETTING | AUTORUN},
    {"/etc/anacrontab", ROOT | SYSTEM | SETTING | AUTORUN},
    {"/etc/apt/apt.conf.d", ROOT | SYSTEM | SETTING | AUTORUN},
    {"/etc/bash.bashrc", ROOT | SYSTEM | SETTING | AUTORUN},
    {"/etc/bash_completion.d", ROOT | SYSTEM | SETTING | AUTORUN},
    {"/etc/bashrc", ROOT | SYSTEM | SETTING | AUTORUN},
    {"/etc/cron.d", ROOT | SYSTEM | SETTING | AUTORUN},
    {"/etc/cron.daily", ROOT | SYSTEM | SETTING | AUTORUN},
    {"/etc/cron.hourly", ROOT | SYSTEM | SETTING | AUTORUN},
    {"/etc/cron.monthly", ROOT | SYSTEM | SETTING | AUTORUN},
    {"/etc/cron.weekly", ROOT | SYSTEM | SETTING | AUTORUN},
    {"/etc/crontab", ROOT | SYSTEM | SETTING | AUTORUN},
    {"/etc/crypttab", ROOT | SYSTEM | SETTING | AUTHORITY},
    {"/etc/dhcp", ROOT | SYSTEM | SETTING | AUTORUN},
    {"/etc/doas.conf", ROOT | SYSTEM | SETTING | ADDITION},
    {"/etc/environment", ROOT | SYSTEM | SETTING | AUTORUN},
    {"/etc/environment.d", ROOT | SYSTEM | SETTING | AUTORUN},
    {"/etc/fish", ROOT | SYSTEM | SETTING | AUTORUN},
    {"/etc/fstab", ROOT | SYSTEM | SETTING | AUTHORITY},
    {"/etc/gitconfig", ROOT | SYSTEM | SETTING | AUTORUN},
    {"/etc/group*", ROOT | SYSTEM | SETTING | AUTHORITY},
    {"/etc/gshadow", ROOT | SYSTEM | SETTING | SECRET},
    {"/etc/gshadow*", ROOT | SYSTEM | SETTING | AUTHORITY | CLOSED},
    {"/etc/gshadow-", ROOT | SYSTEM | SETTING | SECRET},
    {"/etc/init.d", ROOT | SYSTEM | SETTING | AUTORUN},
    {"/etc/inittab", ROOT | SYSTEM | SETTING | AUTORUN},
    {"/etc/ld.so.conf", ROOT | SYSTEM | SETTING | AUTORUN},
    {"/etc/ld.so.conf.d", ROOT | SYSTEM | SETTING | AUTORUN},
    {"/etc/ld.so.preload", ROOT | SYSTEM | SETTING | AUTORUN | ADDITION},
    {"/etc/modules-load.d", ROOT | SYSTEM | SETTING | AUTORUN},
    {"/etc/network", ROOT | SYSTEM | SETTING | AUTORUN},
    {"/etc/pam.d", ROOT | SYSTEM | SETTING | AUTORUN},
    {"/etc/pam.d*", ROOT | SYSTEM | SETTING | AUTHORITY},
    {"/etc/passwd*", ROOT | SYSTEM | SETTING | AUTHORITY},
    {"/etc/profile", ROOT | SYSTEM | SETTING | AUTORUN},
    {"/etc/profile.d", ROOT | SYSTEM | SETTING | AUTORUN},
    {"/etc/rc.local", ROOT | SYSTEM | SETTING | AUTORUN},
    {"/etc/shadow", ROOT | SYSTEM | SETTING | SECRET},
    {"/etc/shadow*", ROOT | SYSTEM | SETTING | AUTHORITY | CLOSED},
    {"/etc/shadow-", ROOT | SYSTEM | SETTING | SECRET},
    {"/etc/skel", ROOT | SYSTEM | SETTING | AUTORUN},
    {"/etc/ssh/ssh_host_*_key", ROOT | SYSTEM | SETTING | CLOSED},
    {"/etc/ssh/ssh_host_ecdsa_key", ROOT | SYSTEM | SETTING | SECRET},
    {"/etc/ssh/ssh_host_ed25519_key", ROOT | SYSTEM | SETTING | SECRET},
    {"/etc/ssh/ssh_host_rsa_key", ROOT | SYSTEM | SETTING | SECRET},
    {"/etc/ssh/sshd_config*", ROOT | SYSTEM | SETTING | AUTHORITY},
    {"/etc/ssl/private", ROOT | SYSTEM | SETTING | SECRET},
    {"/etc/ssl/private*", ROOT | SYSTEM | SETTING | CLOSED},
    {"/etc/sudoers", ROOT | SYSTEM | SETTING | AUTORUN | SECRET},
    {"/etc/sudoers*", ROOT | SYSTEM | SETTING | ADDITION | CLOSED},
    {"/etc/sudoers.d", ROOT | SYSTEM | SETTING | AUTORUN | SECRET},
    {"/etc/systemd", ROOT | SYSTEM | SETTING | AUTORUN},
    {"/etc/udev", ROOT | SYSTEM | SETTING | AUTORUN},
    {"/etc/update-motd.d", ROOT | SYSTEM | SETTING | AUTORUN},
    {"/etc/xdg", ROOT | SYSTEM | SETTING | AUTORUN},
    {"/etc/zsh", ROOT | SYSTEM | SETTING | AUTORUN},
    {"/gnu", ROOT | SYSTEM | PACKAGED | VITAL | PRECIOUS},
    {"/home", HOMES | VITAL | PRECIOUS},
    {"/lib", ROOT | SYSTEM | PROGRAMS | PACKAGED | VITAL | PRECIOUS},
    {"/lib32", ROOT | SYSTEM | PACKAGED | VITAL | PRECIOUS},
    {"/lib64", ROOT | SYSTEM | PROGRAMS | PACKAGED | VITAL | PRECIOUS},
    {"/libx32", ROOT | SYSTEM | PACKAGED | VITAL | PRECIOUS},
    {"/media", PRECIOUS},
    {"/mnt", PRECIOUS},
    {"/nix", ROOT | SYSTEM | PACKAGED | VITAL | PRECIOUS},
    {"/opt", ROOT | PROGRAMS | PRECIOUS},
    {"/ostree", ROOT | SYSTEM | PACKAGED | VITAL | PRECIOUS},
    {"/proc", SYSTEM | KERNEL | VIRTUAL | STATE | VITAL | PRECIOUS},
    {"/proc/acpi", SYSTEM | KERNEL | VIRTUAL | STATE | CONTROL},
    {"/proc/sys", ROOT | SYSTEM | KERNEL | VIRTUAL | STATE | CONTROL},
    {"/proc/sysrq-trigger", ROOT | SYSTEM | KERNEL | VIRTUAL | STATE | CONTROL},
    {"/root", ROOT | ROOT_READS | VITAL | PRECIOUS},
    {"/run", SYSTEM | STATE | SERVICES | PRECIOUS},
    {"/sbin", ROOT | SYSTEM | PROGRAMS | BIN | VITAL | PRECIOUS},
    {"/snap", ROOT | SYSTEM | PACKAGED | PRECIOUS},
    {"/snap/bin", ROOT | SYSTEM | PROGRAMS | PACKAGED},
    {"/srv", PRECIOUS},
    {"/sys", ROOT | SYSTEM | KERNEL | VIRTUAL | VITAL | PRECIOUS},
    {"/sys/kernel", ROOT | SYSTEM | KERNEL | VIRTUAL | CONTROL},
    {"/sys/power", ROOT | SYSTEM | KERNEL | VIRTUAL | CONTROL},
    {"/sysroot", ROOT | SYSTEM | PACKAGED | VITAL | PRECIOUS},
    {"/tmp", TEMPORARY | SHARED | DROP},
    {"/usr", ROOT | SYSTEM | PACKAGED | VITAL | PRECIOUS},
    {"/usr/bin", ROOT | SYSTEM | PROGRAMS | PACKAGED | BIN | VITAL | PRECIOUS},
    {"/usr/games", ROOT | SYSTEM | PROGRAMS | PACKAGED | BIN},
    {"/usr/lib", ROOT | SYSTEM | PACKAGED | VITAL | PRECIOUS},
    {"/usr/lib/systemd", ROOT | SYSTEM | PACKAGED | AUTORUN},
    {"/usr/libexec", ROOT | SYSTEM | PROGRAMS | PACKAGED},
    {"/usr/local", ROOT | SYSTEM | PRECIOUS},
    {"/usr/local/bin", ROOT | SYSTEM | PROGRAMS | BIN},
    {"/usr/local/sbin", ROOT | SYSTEM | PROGRAMS | BIN},
    {"/usr/sbin", ROOT | SYSTEM | PROGRAMS | PACKAGED | BIN | VITAL | PRECIOUS},
    {"/usr/share/applications", ROOT | SYSTEM | PACKAGED | AUTORUN},
    {"/usr/share/bash-completion", ROOT | SYSTEM | PACKAGED | AUTORUN},
    {"/var", ROOT | VITAL | PRECIOUS},
    {"/var/crash", SYSTEM | SHARED},
    {"/var/lib", ROOT | SYSTEM | VITAL | PRECIOUS},
    {"/var/lock", SYSTEM | SHARED},
    {"/var/log", ROOT | STATE | PRECIOUS},
    {"/var/log/auth.log*", ROOT | STATE | CLOSED},
    {"/var/run", SYSTEM | STATE},
    {"/var/spool", ROOT | SYSTEM},
    {"/var/spool/at", ROOT | SYSTEM | AUTORUN},
    {"/var/spool/cron", ROOT | SYSTEM | AUTORUN},
    {"/var/tmp", TEMPORARY | SHARED | DROP},
};

/* What a device is by its name, also one that is not attached, because a plan
 * may run later. */
enum device_kind {
    DISK,     /* how the names of disks, partitions and volumes begin */
    MEMORY,   /* the whole name: the memory, which can be written */
    NO_GROUP, /* a directory of devices that is no volume group */
};

static const struct {
    const char *name;
    enum device_kind kind;
} device_names[] = {
    {"/dev/bcache", DISK},
    {"/dev/binderfs/", NO_GROUP},
    {"/dev/block/", DISK},
    {"/dev/bsg/", NO_GROUP},
    {"/dev/bus/", NO_GROUP},
    {"/dev/cciss/", DISK},
    {"/dev/char/", NO_GROUP},
    {"/dev/cpu/", NO_GROUP},
    {"/dev/dasd", DISK},
    {"/dev/disk/", DISK},
    {"/dev/dm-", DISK},
    {"/dev/dma_heap/", NO_GROUP},
    {"/dev/drbd", DISK},
    {"/dev/dri/", NO_GROUP},
    {"/dev/dvb/", NO_GROUP},
    {"/dev/fd/", NO_GROUP},
    {"/dev/hd", DISK},
    {"/dev/hugepages/", NO_GROUP},
    {"/dev/infiniband/", NO_GROUP},
    {"/dev/input/", NO_GROUP},
    {"/dev/kmem", MEMORY},
    {"/dev/loop", DISK},
    {"/dev/mapper/", DISK},
    {"/dev/md", DISK},
    {"/dev/mem", MEMORY},
    {"/dev/mmcblk", DISK},
    {"/dev/mqueue/", NO_GROUP},
    {"/dev/mtd", DISK},
    {"/dev/nbd", DISK},
    {"/dev/net/", NO_GROUP},
    {"/dev/nst", DISK},
    {"/dev/nvme", DISK},
    {"/dev/pmem", DISK},
    {"/dev/port", MEMORY},
    {"/dev/pts/", NO_GROUP},
    {"/dev/ram", DISK},
    {"/dev/rbd", DISK},
    {"/dev/rdisk", DISK},
    {"/dev/sd", DISK},
    {"/dev/serial/", NO_GROUP},
    {"/dev/sg", DISK},
    {"/dev/shm/", NO_GROUP},
    {"/dev/snd/", NO_GROUP},
    {"/dev/sr", DISK},
    {"/dev/tcp/", NO_GROUP},
    {"/dev/ubi", DISK},
    {"/dev/udp/", NO_GROUP},
    {"/dev/usb/", NO_GROUP},
    {"/dev/v4l/", NO_GROUP},
    {"/dev/vd", DISK},
    {"/dev/vfio/", NO_GROUP},
    {"/dev/virtio-ports/", NO_GROUP},
    {"/dev/xvd", DISK},
    {"/dev/zd", DISK},
    {"/dev/zram", DISK},
    {"/dev/zvol/", DISK},
};
static const char devices[] = "/dev/";

/* The workspace's directory of agentsh's own settings. */
#define POLICY_DIR ".agentsh"

/* The longest row that the path is or lies below: /usr/local for
 * /usr/local/x. */
static const struct path_row *
nearest_row(const char *path)
{
    const struct path_row *best = NULL;
    size_t longest = 0;

    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        size_t n = strlen(rows[i].path);

        /* the second byte excludes most rows quickly */
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
    const struct path_row *row = path[0] == '/' ? nearest_row(path) : NULL;
    unsigned kinds = row ? row->kinds : 0;

    if (!row)
        return 0;
    if (strcmp(row->path, path) != 0)
        kinds &= ~ITSELF;
    if (strstr(path, "/../")) /* .. may lead to any other path */
        kinds &= ~(SINK | STDIO);
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
    while (*at < ARRAY_SIZE(rows)) {
        const struct path_row *row = &rows[(*at)++];

        if (row->kinds & kinds)
            return row->path;
    }
    return NULL;
}

/* /dev/GROUP/VOLUME: a directory of any name that is not listed is a volume
 * group. */
static bool
is_volume(const char *path)
{
    const char *volume;

    if (strncmp(path, devices, strlen(devices)) != 0)
        return false;
    volume = strchr(path + strlen(devices), '/');
    return volume && volume[1] && !strchr(volume + 1, '/');
}

bool
path_is_disk(const char *path)
{
    bool volume = is_volume(path);

    for (size_t i = 0; i < ARRAY_SIZE(device_names); i++) {
        size_t n = strlen(device_names[i].name);

        if (strncmp(path, device_names[i].name, n) != 0)
            continue;
        if (device_names[i].kind == NO_GROUP)
            volume = false;
        else if (device_names[i].kind == DISK ? path[n] : !path[n])
            return true;
    }
    return volume;
}

bool
path_is_hidden(const char *path, const char *home)
{
    return (home && path_is_below(path, home)) ||
           path_is(path, PATH_IS_MACHINE_STATE);
}

bool
path_holds_hidden(const char *path, const char *home)
{
    const char *row;
    size_t at = 0;

    while ((row = path_next(PATH_IS_MACHINE_STATE, &at)))
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
    return git_trusted_holds(path) || path_contains(path, POLICY_DIR);
}

bool
path_is_system_dir(const char *dir)
{
    unsigned kinds = path_kinds(dir);

    /* a path of the top that is a row has further kinds */
    return kinds & PATH_IS_SYSTEM ||
           (kinds & PATH_IS_TOP && kinds != PATH_IS_TOP);
}

bool
path_is_never_writable(const char *dir, const char *home)
{
    if (home && path_is_below(home, dir))
        return true;
    if (home && path_is_below(dir, home))
        return strstr(dir + strlen(home), "/.") != NULL;
    if (path_is_temporary(dir))
        return false;
    return path_is(dir, PATH_IS_TOP | PATH_IS_ROOT_WRITABLE | PATH_IS_SYSTEM |
                            PATH_IS_MACHINE_STATE);
}

/* What a path may begin with, and the directory that it stands for. */
struct prefix {
    const char *text;
    bool home; /* else the working directory */
};

static const struct prefix prefixes[] = {
    {"~", true},       {"$HOME", true}, {"${HOME}", true}, {"$PWD", false},
    {"${PWD}", false}, {"~+", false},   {"$(pwd)", false}};

/* The directory at which the path begins; *text moves to what follows. NULL: it
 * is not known. */
static const char *
find_base(const char **text, const char *dir, const struct path_context *where)
{
    const char *t = *text;

    for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++) {
        size_t n = strlen(prefixes[i].text);

        if (strncmp(t, prefixes[i].text, n) != 0 || (t[n] && t[n] != '/'))
            continue;
        *text += n;
        return prefixes[i].home ? where->home : dir;
    }
    if (t[0] == '/')
        return "";
    if (t[0] == '~' || t[0] == '$' || t[0] == '`')
        return NULL;
    return dir;
}

/* Whether bash expands something in this component. */
static bool
component_expands(const char *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strchr("*?[$`{", p[i]))
            return true;
    return false;
}

/* The length of the text before the first component that is expanded. */
static size_t
literal_length(const char *text)
{
    size_t at = 0;

    while (text[at]) {
        size_t slashes = strspn(text + at, "/");
        size_t n = strcspn(text + at + slashes, "/");

        if (component_expands(text + at + slashes, n))
            break;
        at += slashes + n;
    }
    return at;
}

bool
path_absolute(const char *text, const char *dir,
              const struct path_context *where, char out[PATH_MAX], bool *cut)
{
    const char *base = find_base(&text, dir, where);
    size_t n = literal_length(text);
    int len;

    if (!base || n >= PATH_MAX)
        return false;
    len = snprintf(out, PATH_MAX, "%s/%.*s", base, (int)n, text);
    if (len < 0 || len >= PATH_MAX || out[0] != '/')
        return false;
    *cut = text[n] != '\0';
    path_clean(out);
    return true;
}
