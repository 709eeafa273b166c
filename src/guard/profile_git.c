/* SPDX-License-Identifier: GPL-3.0-or-later */
/* profile_git.c - whether a call of git logs in with the person's keys. */
#include "guard/profile_git.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "guard/path/git_config.h"
#include "guard/path/path_absolute.h"
#include "guard/profile_keys.h"

/* What the configurations say. */
struct logins {
    bool ssh;    /* an address is reached through ssh */
    bool helper; /* a program or a file knows the passwords */
};

static bool
ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);

    return n >= m && strcmp(text + n - m, end) == 0;
}

static bool
begins_with(const char *text, const char *begin)
{
    return strncmp(text, begin, strlen(begin)) == 0;
}

/* git-config(1): url.BASE.insteadOf puts BASE in front of an address. */
static int
on_key(void *arg, const char *key, const char *value)
{
    struct logins *l = arg;
    bool remote = begins_with(key, "remote.") || begins_with(key, "submodule.");

    if (remote && (ends_with(key, ".url") || ends_with(key, ".pushurl")))
        l->ssh |= profile_is_over_ssh(value);
    else if (begins_with(key, "url."))
        l->ssh |= profile_is_over_ssh(key + strlen("url."));
    else if (begins_with(key, "credential.") && ends_with(key, ".helper"))
        l->helper |= value[0] != '\0';
    return 0;
}

static void
read_file(struct logins *l, const char *dir, const char *name)
{
    CLEANUP_BUF struct buf text = buf_of(GIT_CONFIG_MAX);
    char path[PATH_MAX];

    if (snprintf(path, sizeof(path), "%s/%s", dir, name) < PATH_MAX &&
        file_read_regular(path, &text, NULL) == 0)
        (void)git_config_read(text.p, text.len, on_key, l);
}

/* "gitdir: DIR", of a linked working tree or a submodule. */
static void
read_link(struct logins *l, const char *dir)
{
    CLEANUP_BUF struct buf text = buf_of(PATH_MAX);
    char path[PATH_MAX];

    if (snprintf(path, sizeof(path), "%s/.git", dir) >= PATH_MAX ||
        file_read_regular(path, &text, NULL) < 0 || text.len == 0 ||
        !begins_with(text.p, "gitdir: "))
        return;
    text.p[strcspn(text.p, "\r\n")] = '\0';
    if (snprintf(path, sizeof(path), "%s%s%s", text.p[8] == '/' ? "" : dir,
                 text.p[8] == '/' ? "" : "/", text.p + 8) >= PATH_MAX)
        return;
    read_file(l, path, "config");
    read_file(l, path, "../../config");
}

static bool
is_repository(const char *dir)
{
    char path[PATH_MAX];

    return snprintf(path, sizeof(path), "%s/.git", dir) < PATH_MAX &&
           access(path, F_OK) == 0;
}

static bool
is_bare(const char *dir)
{
    char path[PATH_MAX];

    return snprintf(path, sizeof(path), "%s/HEAD", dir) < PATH_MAX &&
           access(path, F_OK) == 0 &&
           snprintf(path, sizeof(path), "%s/objects", dir) < PATH_MAX &&
           access(path, F_OK) == 0;
}

/* The repository that the directory lies in; a bare one is the directory. */
static void
read_repository(struct logins *l, char *dir)
{
    if (is_bare(dir))
        read_file(l, dir, "config");
    while (dir[1] && !is_repository(dir)) {
        char *slash = strrchr(dir, '/');

        slash[slash == dir ? 1 : 0] = '\0';
    }
    read_file(l, dir, ".git/config");
    read_file(l, dir, ".gitmodules");
    read_link(l, dir);
}

/* The directory in which git works; false: not known. */
static bool
find_directory(const struct risk_call *call, const struct risk *r,
               const struct risk_place *where, char dir[PATH_MAX])
{
    const char *from = where->cwd;
    bool cut = false;

    for (size_t i = 0; i < r->n_paths; i++)
        if (r->paths[i].from >= call->from && r->paths[i].to <= call->to &&
            r->paths[i].to > 0)
            from = r->paths[i].dir;
    if (!path_absolute(".", from, where, dir, &cut))
        return false;
    for (size_t i = 1; i + 1 < call->n; i++) {
        char next[PATH_MAX];

        if (strcmp(call->argv[i], "-C") != 0)
            continue;
        if (!path_absolute(call->argv[i + 1], dir, where, next, &cut) || cut)
            return false;
        memcpy(dir, next, PATH_MAX);
    }
    return true;
}

static bool
contacts(const struct risk_call *call, const struct risk *r)
{
    if (call->facts & RISK_NETWORK)
        return true;
    for (size_t i = 0; i < r->n_hosts; i++)
        if (begins_with(r->hosts[i].program, "git") &&
            r->hosts[i].from >= call->from && r->hosts[i].to <= call->to)
            return true;
    return false;
}

/* What the words say: 1 it uses keys, 0 it uses none, -1 nothing. */
static int
judge_words(const struct risk_call *call, const struct logins *l)
{
    bool address = false;

    for (size_t i = 1; i < call->n; i++) {
        const char *word = call->argv[i];

        if (strcmp(word, "push") == 0 || strcmp(word, "send-pack") == 0 ||
            call->expands[i] ||
            profile_is_over_ssh(begins_with(word, "--remote=")
                                    ? word + strlen("--remote=")
                                    : word))
            return 1;
        address |= strstr(word, "://") != NULL;
    }
    return address ? l->helper : -1;
}

bool
profile_git_uses_keys(const struct risk_call *call, const struct risk *r,
                      const struct risk_place *where)
{
    struct logins l = {0};
    char dir[PATH_MAX];
    int words;

    if (!contacts(call, r))
        return false;
    if (where->home) {
        read_file(&l, where->home, ".gitconfig");
        read_file(&l, where->home, ".config/git/config");
    }
    if (l.ssh || (words = judge_words(call, &l)) > 0)
        return true;
    if (words == 0)
        return false;
    if (!find_directory(call, r, where, dir))
        return true;
    read_repository(&l, dir);
    return l.ssh || l.helper;
}
