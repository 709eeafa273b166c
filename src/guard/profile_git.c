/* SPDX-License-Identifier: GPL-3.0-or-later */
/* profile_git.c - whether a call of git logs in with the person's keys. */
#include "guard/profile_git.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "guard/path/git_config.h"
#include "guard/path/path_absolute.h"
#include "guard/profile_keys.h"

#define INCLUDES_MAX 10 /* one in another, as git's */
#define FILES_MAX    64 /* in all: a hostile repository may name any number */

/* What the configurations say. */
struct logins {
    const char *home;
    bool ssh;       /* a remote's address is reached through ssh */
    bool rewrites;  /* and so may any other be */
    bool helper;    /* a program or a file knows the passwords */
    bool unknown;   /* not all of them could be read */
    size_t n_files; /* read or looked for */
};

/* One file of them. */
struct git_file {
    struct logins *l;
    const char *dir; /* where it lies; NULL: it is no file */
    int depth;
};

/* The words of git before its verb. */
struct git_words {
    const char *git_dir; /* NULL: git looks for it */
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

static int on_key(void *arg, const char *key, const char *value);

/* Nothing more is read once something is unknown. */
static void
read_path(const struct git_file *from, const char *path, git_config_fn *fn)
{
    CLEANUP_BUF struct buf text = buf_of(GIT_CONFIG_MAX);
    struct git_file c = {.l = from->l, .depth = from->depth + 1};
    char dir[PATH_MAX];

    if (c.depth > INCLUDES_MAX || ++c.l->n_files > FILES_MAX)
        c.l->unknown = true;
    if (c.l->unknown || access(path, F_OK) < 0)
        return;
    snprintf(dir, sizeof(dir), "%.*s", (int)(strrchr(path, '/') - path), path);
    c.dir = dir;
    if (file_read_regular(path, &text, NULL) < 0)
        c.l->unknown = true;
    else
        (void)git_config_read(text.p, text.len, fn, &c);
}

/* More configuration, whatever it is included for. */
static void
include(const struct git_file *c, const char *value)
{
    char path[PATH_MAX];
    int n;

    if (value[0] == '/')
        n = snprintf(path, sizeof(path), "%s", value);
    else if (begins_with(value, "~/") && c->l->home)
        n = snprintf(path, sizeof(path), "%s%s", c->l->home, value + 1);
    else if (value[0] != '~' && value[0] != '%' && c->dir)
        n = snprintf(path, sizeof(path), "%s/%s", c->dir, value);
    else
        n = PATH_MAX;
    if (n >= PATH_MAX)
        c->l->unknown = true;
    else
        read_path(c, path, on_key);
}

static void
read_address(struct logins *l, const char *key, const char *value)
{
    if (ends_with(key, ".url") || ends_with(key, ".pushurl"))
        l->ssh |= profile_is_over_ssh(value);
}

/* git-config(1): url.BASE.insteadOf puts BASE in front of an address. */
static int
on_key(void *arg, const char *key, const char *value)
{
    const struct git_file *c = arg;
    struct logins *l = c->l;

    if (begins_with(key, "remote.") || begins_with(key, "submodule."))
        read_address(l, key, value);
    else if (begins_with(key, "url."))
        l->rewrites |= profile_is_over_ssh(key + strlen("url."));
    else if (begins_with(key, "credential.") && ends_with(key, ".helper"))
        l->helper |= value[0] != '\0';
    else if (git_config_use_of(key, value) == GIT_FILE)
        include(c, value);
    return l->unknown;
}

/* gitmodules(5): git takes nothing else from that file, and includes none. */
static int
on_module_key(void *arg, const char *key, const char *value)
{
    const struct git_file *c = arg;

    if (begins_with(key, "submodule."))
        read_address(c->l, key, value);
    return 0;
}

static void
read_with(struct logins *l, const char *dir, const char *name,
          git_config_fn *fn)
{
    const struct git_file none = {.l = l};
    char path[PATH_MAX];

    if (snprintf(path, sizeof(path), "%s/%s", dir, name) < PATH_MAX)
        read_path(&none, path, fn);
    else
        l->unknown = true;
}

static void
read_file(struct logins *l, const char *dir, const char *name)
{
    read_with(l, dir, name, on_key);
}

/* The files of a repository's own directory. */
static void
read_git_dir(struct logins *l, const char *dir)
{
    read_file(l, dir, "config");
    read_file(l, dir, "config.worktree");
}

/* Only the person's files: a login that only the system's file sets up fails
 * in a sandbox, which hides the keys, and gives nothing away. */
static void
read_global(struct logins *l)
{
    const char *config = getenv("XDG_CONFIG_HOME");

    if (config && config[0] == '/')
        read_file(l, config, "git/config");
    if (!l->home)
        return;
    read_file(l, l->home, ".gitconfig");
    read_file(l, l->home, ".config/git/config");
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
    read_git_dir(l, path);
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
        read_git_dir(l, dir);
    while (dir[1] && !is_repository(dir)) {
        char *slash = strrchr(dir, '/');

        slash[slash == dir ? 1 : 0] = '\0';
    }
    read_file(l, dir, ".git/config");
    read_file(l, dir, ".git/config.worktree");
    read_with(l, dir, ".gitmodules", on_module_key);
    read_link(l, dir);
}

/* The directory in which the call begins; false: not known. */
static bool
find_start(const struct risk_call *call, const struct risk *r,
           const struct risk_place *where, char dir[PATH_MAX])
{
    const char *from = where->cwd;
    bool cut = false;

    for (size_t i = 0; i < r->n_paths; i++)
        if (r->paths[i].from >= call->from && r->paths[i].to <= call->to &&
            r->paths[i].to > 0)
            from = r->paths[i].dir;
    return path_absolute(".", from, where, dir, &cut) && !cut;
}

/* -c KEY=VALUE. A program that is to log in, or anything else that is no data,
 * is not looked into. */
static void
read_setting(struct logins *l, const char *setting)
{
    CLEANUP(free_p) char *key = strdup(setting);
    char *value = key ? strchr(key, '=') : NULL;
    const char *dot;
    struct git_file none = {.l = l};

    if (!value) { /* "true", of a key that may be anything */
        l->unknown = true;
        return;
    }
    *value++ = '\0';
    dot = strrchr(key, '.');
    for (char *p = key; *p; p++) /* a part between dots keeps its letters */
        if (p < strchr(key, '.') || p > dot)
            *p = (char)tolower((unsigned char)*p);
    on_key(&none, key, value);
    l->unknown |= git_config_use_of(key, value) != GIT_DATA &&
                  !(begins_with(key, "credential.") && !*value);
}

/* An option of git's own that has a value: how far its name goes; 0. */
static size_t
valued(const char *word)
{
    static const char *const names[] = {
        "--git-dir",   "--work-tree",    "--namespace",  "--config-env",
        "--exec-path", "--super-prefix", "--attr-source"};

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        size_t n = strlen(names[i]);

        if (strncmp(word, names[i], n) == 0 && (!word[n] || word[n] == '='))
            return n;
    }
    return 0;
}

/* git(1): what stands before the verb. dir: where git works, after it; returns
 * where the verb is. */
static size_t
read_options(struct logins *l, const struct risk_call *call,
             const struct risk_place *where, char dir[PATH_MAX],
             struct git_words *o)
{
    size_t i = 1;

    for (; i < call->n && call->argv[i][0] == '-'; i++) {
        const char *word = call->argv[i];
        size_t n = valued(word);
        const char *value = n && word[n] ? word + n + 1 : NULL;
        char next[PATH_MAX];
        bool cut = false;

        if (!value && (n || !strcmp(word, "-C") || !strcmp(word, "-c")) &&
            strcmp(word, "--exec-path") != 0)
            value = ++i < call->n ? call->argv[i] : "";
        if (strcmp(word, "-c") == 0)
            read_setting(l, value);
        else if (begins_with(word, "--git-dir"))
            o->git_dir = value;
        else if (begins_with(word, "--config-env") ||
                 (value && begins_with(word, "--exec-path")))
            l->unknown = true;
        if (strcmp(word, "-C") != 0)
            continue;
        if (!path_absolute(value, dir, where, next, &cut) || cut)
            l->unknown = true;
        else
            memcpy(dir, next, PATH_MAX);
    }
    return i;
}

/* Whether the line sets what git takes for its configuration, or for the
 * repository. */
static bool
sets_variables(const struct risk_call *call, const struct risk *r)
{
    for (size_t i = 0; i < r->n_reasons; i++)
        if (r->reasons[i].kind == RISK_KIND_VARIABLE && r->reasons[i].about &&
            begins_with(r->reasons[i].about, "GIT_") &&
            r->reasons[i].from <= call->to)
            return true;
    return false;
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

/* git-clone(1): -c K=V, -qcK=V, --config K=V, --config=K=V, which may be
 * shortened. NULL: the word is none of them. */
static const char *
setting_of_clone(const struct risk_call *call, size_t i)
{
    const char *word = call->argv[i];
    const char *next = i + 1 < call->n ? call->argv[i + 1] : NULL;
    size_t n = strcspn(word, "=");

    if (n > strlen("--c") && strncmp(word, "--config", n) == 0)
        return word[n] ? word + n + 1 : next;
    if (word[0] != '-')
        return NULL;
    word += 1 + strspn(word + 1, "46lnqsv"); /* have no value */
    if (word[0] != 'c')
        return NULL;
    return word[1] ? word + 1 : next;
}

/* What the words from the verb on say: 1 it uses keys, 0 an address that needs
 * none by itself, -1 nothing. */
static int
judge_words(struct logins *l, const struct risk_call *call, size_t verb)
{
    bool address = false;

    for (size_t i = verb; i < call->n; i++) {
        const char *word = call->argv[i];
        const char *setting = setting_of_clone(call, i);

        if (strcmp(word, "push") == 0 || strcmp(word, "send-pack") == 0 ||
            profile_is_over_ssh(begins_with(word, "--remote=")
                                    ? word + strlen("--remote=")
                                    : word))
            return 1;
        if (setting && strchr(setting, '='))
            read_setting(l, setting);
        address |= strstr(word, "://") != NULL;
    }
    return address ? 0 : -1;
}

static bool
has_expansion(const struct risk_call *call)
{
    for (size_t i = 1; i < call->n; i++)
        if (call->expands[i])
            return true;
    return false;
}

bool
profile_git_uses_keys(const struct risk_call *call, const struct risk *r,
                      const struct risk_place *where)
{
    struct logins l = {.home = where->home};
    struct git_words o = {0};
    char dir[PATH_MAX], git_dir[PATH_MAX];
    bool cut = false;
    int words;

    if (!contacts(call, r))
        return false;
    if (has_expansion(call) || sets_variables(call, r) ||
        !find_start(call, r, where, dir))
        return true;
    read_global(&l);
    words = judge_words(&l, call, read_options(&l, call, where, dir, &o));
    if (words > 0)
        return true;
    if (!o.git_dir)
        read_repository(&l, dir);
    else if (path_absolute(o.git_dir, dir, where, git_dir, &cut) && !cut)
        read_git_dir(&l, git_dir);
    else
        l.unknown = true;
    return l.unknown || l.rewrites || l.helper || (l.ssh && words < 0);
}
