/* SPDX-License-Identifier: GPL-3.0-or-later */
/* landlock.c - restricts files, signals and TCP by Landlock. */
#include "sandbox/launch/landlock.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/landlock.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/path.h"
#include "guard/path/path_table.h"
#include "sandbox/confine.h"
#include "sandbox/kernel.h"
#include "sandbox/spec.h"

#define LAYER "landlock"

#define MAKES                                                                  \
    (LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE |          \
     LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_DIR |              \
     LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_SOCK |              \
     LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_BLOCK |            \
     LANDLOCK_ACCESS_FS_MAKE_SYM | LANDLOCK_ACCESS_FS_REFER)
#define FILE_WRITES (LANDLOCK_ACCESS_FS_WRITE_FILE | LL_FS_TRUNCATE)
#define WRITES      (MAKES | FILE_WRITES | LL_FS_IOCTL_DEV)
#define FILE_READS  (LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE)
#define READS       (FILE_READS | LANDLOCK_ACCESS_FS_READ_DIR)
#define FILE_ALL    (FILE_WRITES | FILE_READS | LL_FS_IOCTL_DEV)

/* Paths of the table that are not read as a part of the whole: devices,
 * directories that everybody shares, and what `reduced` hides in addition to
 * the spec's secrets. */
#define UNREAD_AT_ALL PATH_IS_DEVICES
#define UNREAD        (UNREAD_AT_ALL | PATH_IS_TEMPORARY)
#define PRIVATE       (UNREAD | PATH_IS_SERVICES | PATH_IS_ROOT_READABLE)
#define PRIVATE_MAX   8 /* such rows of the table, and the home directory */

struct ruleset {
    int fd;
    uint64_t handled; /* the rights that it restricts */
};

static uint64_t
known_rights(int abi, uint64_t rights)
{
    if (abi < LL_ABI_REFER)
        rights &= ~(uint64_t)LANDLOCK_ACCESS_FS_REFER;
    if (abi < LL_ABI_TRUNCATE)
        rights &= ~LL_FS_TRUNCATE;
    if (abi < LL_ABI_IOCTL)
        rights &= ~LL_FS_IOCTL_DEV;
    return rights;
}

static int
open_ruleset(struct ruleset *w, uint64_t rights, bool net, struct err *e)
{
    int abi = confine_landlock_abi();
    struct ll_ruleset attr = {.fs = known_rights(abi, rights)};
    size_t size = sizeof(attr.fs);

    if (abi >= LL_ABI_NET) {
        attr.net = net ? 0 : LL_NET_TCP;
        size += sizeof(attr.net);
    }
    if (abi >= LL_ABI_SCOPED) {
        attr.scoped = LL_SCOPES;
        size += sizeof(attr.scoped);
    }
    w->handled = attr.fs;
    w->fd = (int)syscall(SYS_landlock_create_ruleset, &attr, size, 0);
    return w->fd < 0 ? sandbox_layer_missing(e, LAYER) : 0;
}

/* Adds a rule for an open file and closes it. taken -1: the path does not
 * exist, and there is nothing to allow. */
static int
add_landlock_rule(const struct ruleset *w, int taken, const char *path,
                  uint64_t rights, struct err *e)
{
    CLEANUP(fd_close_p) int fd = taken;
    struct landlock_path_beneath_attr rule = {.parent_fd = fd};
    struct stat st;

    if (fd < 0 || fstat(fd, &st) < 0)
        return 0;
    if (!S_ISDIR(st.st_mode))
        rights &= FILE_ALL;
    rule.allowed_access = rights & w->handled;
    if (rule.allowed_access &&
        syscall(SYS_landlock_add_rule, w->fd, LANDLOCK_RULE_PATH_BENEATH, &rule,
                0) < 0)
        return sandbox_layer_missing_at(e, LAYER, path);
    return 0;
}

/* Allows the devices that shells and most programs write to. Without mounts the
 * terminals are the person's: a program can use those that it was given, and
 * its controlling one. */
static int
allow_devices(const struct ruleset *w, struct err *e)
{
    uint64_t rights = FILE_ALL | LANDLOCK_ACCESS_FS_READ_DIR;
    const char *device;
    size_t at = 0;

    while ((device = path_next(PATH_IS_SAFE_DEVICE, &at)))
        if (add_landlock_rule(w, open(device, O_PATH | O_CLOEXEC), device,
                              rights, e) < 0)
            return -1;
    return 0;
}

/* No terminals may be written but those that were given for it and new ones: an
 * open terminal can be opened again by its name in /proc, with the rights of
 * its path. */
static int
allow_terminals(const struct ruleset *w, bool input, struct err *e)
{
    static const char *const own[] = {"/dev/ptmx", "/dev/pts"};

    for (size_t i = 0; i < ARRAY_SIZE(own); i++) {
        int fd = open(own[i], O_PATH | O_CLOEXEC);

        if (add_landlock_rule(w, fd, own[i], FILE_ALL, e) < 0)
            return -1;
    }
    for (int i = input ? STDIN_FILENO : STDOUT_FILENO; i <= STDERR_FILENO;
         i++) {
        int fd = isatty(i) ? fcntl(i, F_DUPFD_CLOEXEC, 0) : -1;

        if (add_landlock_rule(w, fd, "a terminal", FILE_ALL, e) < 0)
            return -1;
    }
    return 0;
}

/* Adds rules for the entries of the list whose kind has its bit in kinds. */
static int
allow_binds(const struct ruleset *w, const struct binds *b, unsigned kinds,
            uint64_t rights, struct err *e)
{
    for (size_t i = 0; i < b->n; i++) {
        if ((kinds >> b->at[i].kind & 1) != 0 &&
            add_landlock_rule(w, binds_open_real(b->at[i].real), b->at[i].real,
                              rights, e) < 0)
            return -1;
    }
    return 0;
}

static int
enforce_ruleset(struct ruleset *w, struct err *e)
{
    long rc = syscall(SYS_landlock_restrict_self, w->fd, 0);

    close(w->fd);
    return rc < 0 ? sandbox_layer_missing(e, LAYER) : 0;
}

/* Allows writing in the empty places in which nothing else is seen. */
static int
allow_empty(const struct ruleset *w, const struct binds *b, struct err *e)
{
    for (size_t i = 0; i < b->n; i++) {
        const struct bind *at = &b->at[i];

        if (at->kind == BIND_EMPTY && !binds_shows_more(b, at) &&
            add_landlock_rule(w, binds_open_real(at->real), at->real, WRITES,
                              e) < 0)
            return -1;
    }
    return 0;
}

/* A read-only mount keeps from no pipe, so nothing is allowed as a whole that
 * has more in it than what may be written, /dev neither. */
int
landlock_restrict_writes(const struct sandbox_spec *s, const struct binds *b,
                         const char *scratch, struct err *e)
{
    struct ruleset w;

    if (confine_landlock_abi() == 0)
        return 0;
    if (open_ruleset(&w, WRITES, s->net, e) < 0 || allow_devices(&w, e) < 0 ||
        allow_terminals(&w, s->keep_terminal, e) < 0 ||
        allow_empty(&w, b, e) < 0 ||
        allow_binds(&w, b, 1u << BIND_WRITE | 1u << BIND_COPY, WRITES, e) < 0 ||
        (scratch && scratch[0] &&
         add_landlock_rule(&w, binds_open_real(scratch), scratch, WRITES, e) <
             0))
        return -1;
    return enforce_ruleset(&w, e);
}

struct landlock_hidden {
    const char *paths[SPEC_SECRETS_MAX + PRIVATE_MAX];
    size_t n;
};

static int allow_rest(const struct ruleset *w, const char *path,
                      const struct landlock_hidden *h, struct err *e);

/* Allows one entry of a directory below which something is hidden. */
static int
allow_entry(const struct ruleset *w, const char *dir, const char *name,
            const struct landlock_hidden *h, struct err *e)
{
    char path[PATH_MAX];
    bool above = false;

    if (snprintf(path, sizeof(path), "%s/%s", dir[1] ? dir : "", name) >=
        PATH_MAX)
        return 0;
    for (size_t i = 0; i < h->n; i++) {
        if (path_is_below(path, h->paths[i]))
            return 0;
        above |= path_is_below(h->paths[i], path);
    }
    if (above)
        return allow_rest(w, path, h, e);
    return add_landlock_rule(w, binds_open_real(path), path, READS, e);
}

/* Landlock rules have no exceptions: if a part of a directory is hidden, all
 * other entries are allowed one by one. */
static int
allow_rest(const struct ruleset *w, const char *path,
           const struct landlock_hidden *h, struct err *e)
{
    CLEANUP(dir_close_p) DIR *dir = opendir(path);
    const struct dirent *entry;

    while (dir && (entry = readdir(dir)) != NULL) {
        if (strcmp(entry->d_name, ".") != 0 &&
            strcmp(entry->d_name, "..") != 0 && entry->d_type != DT_LNK &&
            allow_entry(w, path, entry->d_name, h, e) < 0)
            return -1;
    }
    return 0;
}

static void
hide_path(struct landlock_hidden *h, const char *path)
{
    if (path && path[1] != '\0')
        h->paths[h->n++] = path;
}

bool
landlock_can_stand_alone(void)
{
    return confine_landlock_abi() >= LL_ABI_TRUNCATE;
}

/* Allows the devices that every program may read. */
static int
allow_sources(const struct ruleset *w, struct err *e)
{
    const char *device;
    size_t at = 0;

    while ((device = path_next(PATH_IS_SOURCE, &at)))
        if (add_landlock_rule(w, binds_open_real(device), device, FILE_READS,
                              e) < 0)
            return -1;
    return 0;
}

/* Allows reading an open path except for the secrets below it; closes the
 * descriptor. */
static int
allow_reading(const struct ruleset *w, int taken, const char *path,
              const struct landlock_hidden *secrets, struct err *e)
{
    CLEANUP(fd_close_p) int fd = taken;

    for (size_t i = 0; i < secrets->n; i++)
        if (path_is_below(secrets->paths[i], path) &&
            strcmp(path, secrets->paths[i]) != 0)
            return allow_rest(w, path, secrets, e);
    return add_landlock_rule(w, TAKE_FD(fd), path, READS, e);
}

static int
allow_paths(const struct ruleset *w, const char *const *paths,
            const struct landlock_hidden *secrets, struct err *e)
{
    for (; *paths; paths++)
        if (allow_reading(w, open(*paths, O_PATH | O_CLOEXEC), *paths, secrets,
                          e) < 0)
            return -1;
    return 0;
}

/* Allows reading what the list puts back, except for the secrets in it, and
 * writing where the list says so. The paths had no links when the list was
 * made; one that has become a link since is not followed. */
static int
allow_listed(const struct ruleset *w, const struct binds *b,
             const struct landlock_hidden *secrets, struct err *e)
{
    for (size_t i = 0; i < b->n; i++) {
        const char *real = b->at[i].real;

        if (b->at[i].kind != BIND_READ && b->at[i].kind != BIND_WRITE)
            continue;
        if (add_landlock_rule(w, binds_open_real(real), real,
                              LANDLOCK_ACCESS_FS_READ_DIR, e) < 0 ||
            allow_reading(w, binds_open_real(real), real, secrets, e) < 0)
            return -1;
    }
    return allow_devices(w, e) < 0
               ? -1
               : allow_binds(w, b, 1u << BIND_WRITE, WRITES, e);
}

/* The same for a spec without a list; nothing may be written. */
static int
allow_named(const struct ruleset *w, const struct sandbox_spec *s,
            const struct landlock_hidden *secrets, struct err *e)
{
    if (allow_paths(w, s->readable, secrets, e) < 0 ||
        allow_paths(w, s->programs, secrets, e) < 0)
        return -1;
    return s->workspace ? allow_reading(w, binds_open_real(s->workspace),
                                        s->workspace, secrets, e)
                        : 0;
}

/* Allows listing every directory, also one that holds secrets, since names,
 * owners and modes are visible everywhere; reading files needs another rule. */
static int
allow_looking(const struct ruleset *w, const struct landlock_hidden *h,
              struct err *e)
{
    if (add_landlock_rule(w, open("/", O_PATH | O_CLOEXEC), "/",
                          LANDLOCK_ACCESS_FS_READ_DIR, e) < 0 ||
        allow_sources(w, e) < 0)
        return -1;
    return allow_rest(w, "/", h, e);
}

/* Hides the spec's secrets, and the rows of the table of these kinds. */
static void
hide_all(struct landlock_hidden *secrets, struct landlock_hidden *h,
         const struct sandbox_spec *s, unsigned kinds)
{
    const char *row;
    size_t at = 0;

    for (size_t i = 0; s->secret[i]; i++)
        hide_path(secrets, s->secret[i]);
    *h = *secrets;
    while ((row = path_next(kinds, &at)))
        hide_path(h, row);
}

int
landlock_restrict_reads(const struct sandbox_spec *s, struct err *e)
{
    struct landlock_hidden h, secrets = {.n = 0};
    struct ruleset w;

    hide_all(&secrets, &h, s, UNREAD);
    if (open_ruleset(&w, WRITES | READS, false, e) < 0 ||
        allow_looking(&w, &h, e) < 0 || allow_named(&w, s, &secrets, e) < 0)
        return -1;
    return enforce_ruleset(&w, e);
}

int
landlock_restrict_reduced(const struct sandbox_spec *s, const struct binds *b,
                          const char *scratch, struct err *e)
{
    bool looks = s->profile == PROFILE_OBSERVE || s->sees_all;
    struct landlock_hidden h, secrets = {.n = 0};
    struct ruleset w;

    if (!landlock_can_stand_alone())
        return err_set(e, ERR_SANDBOX,
                       "sandbox: landlock: ABI %d, and `reduced` needs %d",
                       confine_landlock_abi(), LL_ABI_TRUNCATE);
    hide_all(&secrets, &h, s,
             s->sees_all ? UNREAD_AT_ALL
             : looks     ? UNREAD
                         : PRIVATE);
    if (!looks)
        hide_path(&h, s->home);
    if (open_ruleset(&w, WRITES | READS, s->net, e) < 0 ||
        (looks ? allow_looking(&w, &h, e) : allow_rest(&w, "/", &h, e)) < 0 ||
        allow_listed(&w, b, &secrets, e) < 0 ||
        (scratch[0] && add_landlock_rule(&w, binds_open_real(scratch), scratch,
                                         WRITES | READS, e) < 0))
        return -1;
    return enforce_ruleset(&w, e);
}
