/* SPDX-License-Identifier: GPL-3.0-or-later */
/* environ_git.c - git that only looks runs no program of the directory's. */
#include "tool/environ_git.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "guard/path/git_config.h"

#define INCLUDES_MAX 10 /* one in another, as git's */
#define NAME_MAX_LEN 200

/* git-config(1): an external diff gets the path, the old file, its hash and
 * mode, and the same of the new one; this one does what git would. */
#define OWN_DIFF                                                               \
    "f() { diff -u --label \"a/$1\" --label \"b/$1\" \"$2\" \"$5\"; :; }; f"

struct setting {
    const char *key, *value;
};

static const struct setting variables[] = {
    {"GIT_OPTIONAL_LOCKS", "0"},
    {"GIT_TERMINAL_PROMPT", "0"},
    {"GIT_PAGER", "cat"},
    {NULL, NULL},
};

static const struct setting fixed[] = {
    {"core.fsmonitor", "false"},
    {"core.hooksPath", "/dev/null"},
    /* a file that is closed shows its size and the second it was changed */
    {"core.checkStat", "minimal"},
    {"core.trustctime", "false"},
    {"core.pager", "cat"},
    {"core.alternateRefsCommand", "true"},
    {"diff.external", OWN_DIFF},
    {"log.showSignature", "false"},
    {"gpg.program", "gpg"},
    {"gpg.openpgp.program", "gpg"},
    {"gpg.x509.program", "gpgsm"},
    {"gpg.ssh.program", "ssh-keygen"},
    {NULL, NULL},
};

/* Of each driver that has a name in the configuration. */
static const struct setting of_filter[] = {
    {"clean", ""},         {"smudge", ""}, {"process", ""},
    {"required", "false"}, {NULL, NULL},
};
static const struct setting of_diff[] = {
    {"textconv", "cat"},
    {"command", OWN_DIFF},
    {NULL, NULL},
};

struct writer {
    environ_set *set;
    void *arg;
    const char *dir; /* of the file that is read */
    unsigned n, drivers;
    int depth;
    struct err *e;
};

static int
put_setting(struct writer *w, const char *key, const char *value)
{
    char name[64];

    snprintf(name, sizeof(name), "GIT_CONFIG_KEY_%u", w->n);
    if (w->set(w->arg, name, key, w->e) < 0)
        return -1;
    snprintf(name, sizeof(name), "GIT_CONFIG_VALUE_%u", w->n++);
    return w->set(w->arg, name, value, w->e);
}

/* All keys of the driver of key, "filter.NAME.clean". */
static int
put_driver(struct writer *w, const char *key, const struct setting *rows)
{
    const char *last = strrchr(key, '.');
    char full[NAME_MAX_LEN + 64];

    if (last - key > NAME_MAX_LEN || w->drivers++ == ENVIRON_GIT_MAX)
        return 0;
    for (; rows->key; rows++) {
        snprintf(full, sizeof(full), "%.*s.%s", (int)(last - key), key,
                 rows->key);
        if (put_setting(w, full, rows->value) < 0)
            return -1;
    }
    return 0;
}

static int read_config(struct writer *w, const char *path);

static int
follow(struct writer *w, const char *value)
{
    char path[PATH_MAX];
    struct writer inner = *w;
    int rc;

    if (w->depth == INCLUDES_MAX || *value == '~' ||
        snprintf(path, sizeof(path), "%s%s%s", *value == '/' ? "" : w->dir,
                 *value == '/' ? "" : "/", value) >= (int)sizeof(path))
        return 0;
    inner.depth++;
    rc = read_config(&inner, path);
    w->n = inner.n;
    w->drivers = inner.drivers;
    return rc;
}

static int
take_key(void *arg, const char *key, const char *value)
{
    struct writer *w = arg;
    bool named = strchr(key, '.') != strrchr(key, '.');
    int rc = 0;

    if (git_config_use_of(key, value) == GIT_FILE)
        rc = follow(w, value);
    else if (named && strncmp(key, "filter.", 7) == 0)
        rc = put_driver(w, key, of_filter);
    else if (named && strncmp(key, "diff.", 5) == 0)
        rc = put_driver(w, key, of_diff);
    return rc < 0 ? 1 : 0;
}

static int
read_config(struct writer *w, const char *path)
{
    CLEANUP(fd_close_p)
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    CLEANUP(free_p) char *text = fd < 0 ? NULL : malloc(GIT_CONFIG_MAX);
    CLEANUP(free_p) char *dir = strdup(path);
    ssize_t n = text ? read(fd, text, GIT_CONFIG_MAX) : -1;
    char *slash = dir ? strrchr(dir, '/') : NULL;

    if (n <= 0 || !slash)
        return 0;
    *slash = '\0';
    w->dir = dir;
    return git_config_read(text, (size_t)n, take_key, w) > 0 ? -1 : 0;
}

/* Where the .git of a directory leads, with what is below it. */
static int
read_at(struct writer *w, const char *git)
{
    static const char *const files[] = {
        "config", "config.worktree",
        "../../config", /* of a linked working tree */
    };
    char path[PATH_MAX];

    for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
        if (snprintf(path, sizeof(path), "%s/%s", git, files[i]) <
                (int)sizeof(path) &&
            read_config(w, path) < 0)
            return -1;
    }
    return 0;
}

/* "gitdir: DIR" */
static int
read_link(struct writer *w, const char *dir, const char *git)
{
    CLEANUP(fd_close_p)
    int fd = open(git, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    char text[PATH_MAX], path[PATH_MAX];
    ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);

    if (n <= 8 || memcmp(text, "gitdir: ", 8) != 0)
        return 0;
    text[n] = '\0';
    text[strcspn(text, "\r\n")] = '\0';
    if (snprintf(path, sizeof(path), "%s%s%s", text[8] == '/' ? "" : dir,
                 text[8] == '/' ? "" : "/", text + 8) >= (int)sizeof(path))
        return 0;
    return read_at(w, path);
}

/* That of the directory, or of the nearest one above it. */
static int
read_nearest(struct writer *w, const char *start)
{
    CLEANUP(free_p) char *dir = realpath(start, NULL);
    char git[PATH_MAX + 8];
    char *slash = dir;

    while (slash) {
        snprintf(git, sizeof(git), "%s/.git", dir);
        if (access(git, F_OK) == 0)
            return read_at(w, git) < 0 || read_link(w, dir, git) < 0 ? -1 : 0;
        slash = strrchr(dir, '/');
        if (slash)
            *slash = '\0';
    }
    return 0;
}

int
environ_git(const char *dir, environ_set *set, void *arg, struct err *e)
{
    struct writer w = {.set = set, .arg = arg, .e = e};
    char count[16];

    for (const struct setting *v = variables; v->key; v++)
        if (set(arg, v->key, v->value, e) < 0)
            return -1;
    for (const struct setting *v = fixed; v->key; v++)
        if (put_setting(&w, v->key, v->value) < 0)
            return -1;
    if (read_nearest(&w, dir) < 0)
        return -1;
    snprintf(count, sizeof(count), "%u", w.n);
    return set(arg, "GIT_CONFIG_COUNT", count, e);
}
