/* SPDX-License-Identifier: GPL-3.0-or-later */
/* risk_paths.c - what it means to touch a path: whose it is, what is lost. */
#include "guard/risk_paths.h"

#include <fnmatch.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "guard/risk_args.h"
#include "guard/risk_memory.h"

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

/* What opens doors: a pattern of the end of a path. */
static const char *const secrets[] = {
    "*/.ssh/id_*",
    "*/.ssh",
    "*/.gnupg*",
    "*/.aws/credentials",
    "*/.aws",
    "*/.netrc",
    "*/.pgpass",
    "*/.my.cnf",
    "*/.git-credentials",
    "*/.kube/config",
    "*/.docker/config.json",
    "*/.config/gh/hosts.yml",
    "*/.config/gcloud*",
    "*/.azure/*",
    "*/.npmrc",
    "*/.pypirc",
    "*/.password-store*",
    "*/.vault-token",
    "*/.env",
    "*/.env.*",
    "*key*.pem",
    "*.key",
    "*.kdbx",
    "*/id_rsa",
    "*/id_ed25519",
    "*/id_ecdsa",
    "/etc/shadow*",
    "/etc/gshadow*",
    "/etc/sudoers*",
    "/etc/ssl/private*",
    "/etc/ssh/ssh_host_*_key",
    "/proc/*/environ",
    "*/.bash_history",
    "*/.zsh_history",
    "*/key4.db",
    "*/logins.json",
    "*/Login Data",
    NULL,
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
is_below(const char *path, const char *place)
{
    size_t n = strlen(place);

    return n && strncmp(path, place, n) == 0 && (!path[n] || path[n] == '/');
}

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
        if (is_below(path, *places))
            return true;
    return false;
}

/* Takes . and .. and doubled slashes out of an absolute path, in place. */
static void
tidy(char *path)
{
    char *to = path;
    const char *s = path;

    while (*s) {
        size_t n;

        while (*s == '/')
            s++;
        n = strcspn(s, "/");
        if (n == 2 && s[0] == '.' && s[1] == '.') {
            while (to > path && *--to != '/')
                ;
        } else if (n && !(n == 1 && s[0] == '.')) {
            *to++ = '/';
            memmove(to, s, n);
            to += n;
        }
        s += n;
    }
    if (to == path)
        *to++ = '/';
    *to = '\0';
}

/* The absolute path of an argument, * standing for what is not known. false:
 * nobody knows where it begins. */
static bool
resolve(const struct risk_state *st, const struct risk_arg *a, char *out)
{
    const char *text = a->known ? a->text : a->glob;
    const char *home = st->where->home;
    const char *dir = st->directory->dir;
    int n;

    if (a->tilde) {
        if (!home || (text[1] && text[1] != '/'))
            return false;
        n = snprintf(out, PATH_MAX, "%s%s", home, text + 1);
    } else if (text[0] == '/') {
        n = snprintf(out, PATH_MAX, "%s", text);
    } else {
        if (!dir || (!a->known && text[0] == '*' && strchr(text, '/')))
            return false;
        n = snprintf(out, PATH_MAX, "%s/%s", dir, text);
    }
    if (n < 0 || n >= PATH_MAX)
        return false;
    tidy(out);
    return true;
}

bool
risk_is_directory(const struct risk_state *st, const struct risk_arg *a)
{
    char path[PATH_MAX];
    struct stat s;

    return a->known && resolve(st, a, path) && stat(path, &s) == 0 &&
           S_ISDIR(s.st_mode);
}

/* Whether a file's bytes are there. A device or a FIFO loses nothing, nor
 * does what the kernel shows as a file. */
static bool
holds_bytes(const char *path)
{
    struct stat s;

    if (is_below(path, "/proc") || is_below(path, "/sys") ||
        (is_below(path, "/dev") && !is_below(path, "/dev/shm")))
        return false;
    return stat(path, &s) == 0 && S_ISREG(s.st_mode);
}

static bool
matches_file(const char *pattern)
{
    glob_t g;
    bool found = false;

    if (glob(pattern, GLOB_NOSORT, NULL, &g) == 0)
        for (size_t i = 0; !found && i < g.gl_pathc; i++)
            found = holds_bytes(g.gl_pathv[i]);
    globfree(&g);
    return found;
}

bool
risk_exists(const struct risk_state *st, const struct risk_arg *a)
{
    char path[PATH_MAX];

    if (a->fresh)
        return false;
    if (a->pattern && a->known)
        return true;
    if (strspn(a->glob, "*") == strlen(a->glob) && !a->known)
        return true;
    if (!resolve(st, a, path))
        return !a->known && !strpbrk(a->glob, "./");
    if (a->known)
        return holds_bytes(path);
    return matches_file(path);
}

static bool
is_home(const struct risk_state *st, const char *path)
{
    const char *home = st->where->home;

    return home && home[0] && home[1] && is_below(path, home);
}

static bool
is_system_path(const struct risk_state *st, const char *path)
{
    if (is_home(st, path))
        return false;
    if (is_in(path, common_places))
        return false;
    if (is_in(path, system_places))
        return true;
    /* What lies in / itself, but for /tmp. */
    return path[0] == '/' && !strchr(path + 1, '/') &&
           strcmp(path, "/tmp") != 0;
}

bool
risk_is_system(const struct risk_state *st, const struct risk_arg *a)
{
    char path[PATH_MAX];

    return resolve(st, a, path) && is_system_path(st, path);
}

bool
risk_is_made(const struct risk_state *st, const struct risk_arg *a)
{
    for (size_t i = 0; i < st->out->n_paths; i++) {
        const struct risk_path *p = &st->out->paths[i];

        if ((p->use == RISK_MAKES || p->use == RISK_CHANGES) &&
            strcmp(p->text, a->text) == 0)
            return true;
    }
    return false;
}

static void
record(struct risk_state *st, const struct risk_arg *a, enum risk_use use,
       bool recursive)
{
    struct risk_path *p = risk_add_path(st);

    if (!p)
        return;
    *p = (struct risk_path){
        .use = use,
        .recursive = recursive,
        .known = a->known,
        .text = a->text,
        .word = a->word,
        .dir = st->directory->dir,
        .from = a->from,
        .to = a->to,
    };
}

static void
say_read(struct risk_state *st, const struct risk_arg *a, const char *path,
         const char *name)
{
    if (is_one_of(path, secrets))
        risk_say(st, RISK_SECRET, a->from, a->to, name,
                 "reads what opens doors: a key, a password, a history");
    if (is_one_of(path, disks) ||
        (is_one_of(path, closed) && !is_home(st, path)))
        risk_say(st, RISK_PRIVILEGED, a->from, a->to, name,
                 "reads what only root may read");
}

static void
say_write(struct risk_state *st, const struct risk_arg *a, const char *path,
          enum risk_use use, const char *name)
{
    if (is_one_of(path, wide_gates) ||
        (use != RISK_MAKES && is_one_of(path, gates)))
        risk_say(st, RISK_DESTRUCTIVE, a->from, a->to, name,
                 "changes who may do what on this machine");
    if (is_one_of(path, disks)) {
        risk_say(st, RISK_DESTRUCTIVE, a->from, a->to, name,
                 "overwrites a disk");
        risk_say(st, RISK_PRIVILEGED, a->from, a->to, name,
                 "writes to a disk, which only root may");
    } else if (is_system_path(st, path)) {
        risk_say(st, RISK_PRIVILEGED, a->from, a->to, name,
                 "writes where only root may");
    }
}

void
risk_touch(struct risk_state *st, const struct risk_frame *f,
           const struct risk_arg *a, enum risk_use use, bool recursive,
           const char *name)
{
    char path[PATH_MAX];

    if (use == RISK_DELETES)
        risk_say(st, RISK_DESTRUCTIVE, a->from, a->to, name,
                 st->facts & RISK_DESTRUCTIVE ? "" : "deletes files");
    if (a->process || (a->known && strcmp(a->text, "-") == 0))
        return;
    if (use != RISK_READS)
        risk_say(st, RISK_WRITES, a->from, a->to, name, "");
    if (f->elsewhere)
        return;
    if (use == RISK_CHANGES && risk_exists(st, a))
        risk_say(st, RISK_DESTRUCTIVE, a->from, a->to, name,
                 "overwrites what is there");
    record(st, a, use, recursive);
    if (!resolve(st, a, path))
        return;
    if (use == RISK_READS)
        say_read(st, a, path, name);
    else
        say_write(st, a, path, use, name);
}
