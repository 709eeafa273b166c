/* SPDX-License-Identifier: GPL-3.0-or-later */
/* profile_keys.c - finds out whether a call logs in with the person's keys. */
#include "guard/profile/profile_keys.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "base/str.h"
#include "guard/path/git_config.h"
#include "guard/path/git_files.h"
#include "guard/path/path_table.h"
#include "guard/risk/risk.h"

static bool
is_over_ssh(const char *address)
{
    static const char *const schemes[] = {
        "ssh://", "git+ssh://", "ssh+git://", "svn+ssh://", "sftp://", "sftp:",
    };
    size_t n = strcspn(address, ":/ ");

    for (size_t i = 0; i < ARRAY_SIZE(schemes); i++)
        if (strncmp(address, schemes[i], strlen(schemes[i])) == 0)
            return true;
    /* host::module is rsync's own protocol, or names a git remote helper */
    return n > 0 && address[n] == ':' && address[n + 1] != ':' &&
           strncmp(address + n, "://", 3) != 0;
}

/* Keys of git */

#define FILES_MAX 64 /* in total: a hostile repository may name any number */

/* What the configurations say. */
struct git_logins {
    struct git_person who;
    bool ssh;       /* a remote's address is reached through ssh */
    bool rewrites;  /* any other address may become such a one */
    bool helper;    /* a credential helper knows the passwords */
    bool unknown;   /* some configuration could not be read */
    size_t n_files; /* read or looked for */
};

/* One file of the configuration. */
struct git_file {
    struct git_logins *l;
    const char *dir; /* its directory; NULL: the key stands in no file */
    int depth;
};

/* git's own options. */
struct git_words {
    const char *git_dir; /* NULL: git searches for it */
};

static bool
begins_with(const char *text, const char *begin)
{
    return strncmp(text, begin, strlen(begin)) == 0;
}

static int on_config_key(void *arg, const char *key, const char *value);

/* Reads a file of the configuration, unless something is unknown already. */
static void
read_config_path(const struct git_file *from, const char *path,
                 git_config_fn *fn)
{
    CLEANUP_BUF struct buf text = buf_of(GIT_CONFIG_MAX);
    struct git_file c = {.l = from->l, .depth = from->depth + 1};
    char dir[PATH_MAX];

    if (c.depth > GIT_CONFIG_INCLUDES_MAX || ++c.l->n_files > FILES_MAX)
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

/* Reads an included file, whatever the condition of the include is. */
static void
include_file(const struct git_file *c, const char *value)
{
    char path[PATH_MAX];
    int n;

    if (value[0] == '/')
        n = snprintf(path, sizeof(path), "%s", value);
    else if (begins_with(value, "~/") && c->l->who.home)
        n = snprintf(path, sizeof(path), "%s%s", c->l->who.home, value + 1);
    else if (value[0] != '~' && value[0] != '%' && c->dir)
        n = snprintf(path, sizeof(path), "%s/%s", c->dir, value);
    else
        n = PATH_MAX;
    if (n >= PATH_MAX)
        c->l->unknown = true;
    else
        read_config_path(c, path, on_config_key);
}

static void
read_remote_url(struct git_logins *l, const char *key, const char *value)
{
    if (str_ends(key, ".url") || str_ends(key, ".pushurl"))
        l->ssh |= is_over_ssh(value);
}

/* url.BASE.insteadOf puts BASE in front of an address (git-config(1)). */
static int
on_config_key(void *arg, const char *key, const char *value)
{
    const struct git_file *c = arg;
    struct git_logins *l = c->l;

    if (begins_with(key, "remote.") || begins_with(key, "submodule."))
        read_remote_url(l, key, value);
    else if (begins_with(key, "url."))
        l->rewrites |= is_over_ssh(key + strlen("url."));
    else if (begins_with(key, "credential.") && str_ends(key, ".helper"))
        l->helper |= value[0] != '\0';
    else if (git_config_use_of(key, value) == GIT_FILE)
        include_file(c, value);
    return l->unknown;
}

/* git reads nothing else from that file, and no includes (gitmodules(5)). */
static int
on_module_key(void *arg, const char *key, const char *value)
{
    const struct git_file *c = arg;

    if (begins_with(key, "submodule."))
        read_remote_url(c->l, key, value);
    return 0;
}

static void
read_config_as(struct git_logins *l, const char *dir, const char *name,
               git_config_fn *fn)
{
    const struct git_file none = {.l = l};
    char path[PATH_MAX];

    if (snprintf(path, sizeof(path), "%s/%s", dir, name) < PATH_MAX)
        read_config_path(&none, path, fn);
    else
        l->unknown = true;
}

static void
read_repository_config(struct git_logins *l, const char *dir, const char *name)
{
    read_config_as(l, dir, name, on_config_key);
}

/* Reads the configuration in a repository's own directory. */
static void
read_login_configs(struct git_logins *l, const char *dir)
{
    read_repository_config(l, dir, "config");
    read_repository_config(l, dir, "config.worktree");
}

/* Reads the person's files. The system's are left out: a login that only they
 * set up fails in the sandbox, which hides the keys, so no key is exposed. */
static void
read_global(struct git_logins *l)
{
    const struct git_file none = {.l = l};
    char path[PATH_MAX];
    size_t at = 0;

    while (git_files_next(GIT_FILES_PERSON, &l->who, &at, path))
        read_config_path(&none, path, on_config_key);
}

/* Reads a .git that is a file: that of a linked working tree or a submodule. */
static void
read_linked_git_dir(struct git_logins *l, const char *dir)
{
    CLEANUP_BUF struct buf text = buf_of(PATH_MAX);
    const char *link;
    char path[PATH_MAX];

    if (snprintf(path, sizeof(path), "%s/.git", dir) >= PATH_MAX ||
        file_read_regular(path, &text, NULL) < 0 || text.len == 0 ||
        !(link = git_files_link(text.p)) ||
        snprintf(path, sizeof(path), "%s%s%s", link[0] == '/' ? "" : dir,
                 link[0] == '/' ? "" : "/", link) >= PATH_MAX)
        return;
    read_login_configs(l, path);
    read_repository_config(l, path, "../../config");
}

static bool
is_repository(const char *dir)
{
    char path[PATH_MAX];

    return snprintf(path, sizeof(path), "%s/.git", dir) < PATH_MAX &&
           access(path, F_OK) == 0;
}

static bool
is_bare_repository(const char *dir)
{
    char path[PATH_MAX];

    return snprintf(path, sizeof(path), "%s/HEAD", dir) < PATH_MAX &&
           access(path, F_OK) == 0 &&
           snprintf(path, sizeof(path), "%s/objects", dir) < PATH_MAX &&
           access(path, F_OK) == 0;
}

/* Reads the repository that the directory lies in, or is, if it is bare. */
static void
read_repository(struct git_logins *l, char *dir)
{
    if (is_bare_repository(dir))
        read_login_configs(l, dir);
    while (dir[1] && !is_repository(dir)) {
        char *slash = strrchr(dir, '/');

        slash[slash == dir ? 1 : 0] = '\0';
    }
    read_repository_config(l, dir, ".git/config");
    read_repository_config(l, dir, ".git/config.worktree");
    read_config_as(l, dir, ".gitmodules", on_module_key);
    read_linked_git_dir(l, dir);
}

/* The directory in which the call starts; false: not known. */
static bool
find_call_directory(const struct risk_call *call, const struct risk *r,
                    const struct path_context *where, char dir[PATH_MAX])
{
    const char *from = where->cwd;
    bool cut = false;

    for (size_t i = 0; i < r->n_paths; i++)
        if (r->paths[i].from >= call->from && r->paths[i].to <= call->to &&
            r->paths[i].to > 0)
            from = r->paths[i].dir;
    return path_absolute(".", from, where, dir, &cut) && !cut;
}

/* Reads the value of -c KEY=VALUE. A key that logs in, or is no plain data,
 * makes the result unknown. */
static void
read_setting(struct git_logins *l, const char *setting)
{
    CLEANUP(free_p) char *key = strdup(setting);
    char *value = key ? strchr(key, '=') : NULL;
    const char *dot;
    struct git_file none = {.l = l};

    if (!value) { /* such a key is "true", and may be any key */
        l->unknown = true;
        return;
    }
    *value++ = '\0';
    dot = strrchr(key, '.');
    for (char *p = key; *p;
         p++) /* the subsection, between the dots, keeps its case */
        if (p < strchr(key, '.') || p > dot)
            *p = (char)tolower((unsigned char)*p);
    on_config_key(&none, key, value);
    l->unknown |= git_config_use_of(key, value) != GIT_DATA &&
                  !(begins_with(key, "credential.") && !*value);
}

/* The length of the name of an option of git's own that has a value; else 0. */
static size_t
option_with_value(const char *word)
{
    static const char *const names[] = {
        "--git-dir",   "--work-tree",    "--namespace",  "--config-env",
        "--exec-path", "--super-prefix", "--attr-source"};

    for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
        size_t n = strlen(names[i]);

        if (strncmp(word, names[i], n) == 0 && (!word[n] || word[n] == '='))
            return n;
    }
    return 0;
}

/* Reads the options before the verb, git(1). dir becomes git's working
 * directory. Returns the index of the verb. */
static size_t
read_git_options(struct git_logins *l, const struct risk_call *call,
                 const struct path_context *where, char dir[PATH_MAX],
                 struct git_words *o)
{
    size_t i = 1;

    for (; i < call->n && call->argv[i][0] == '-'; i++) {
        const char *word = call->argv[i];
        size_t n = option_with_value(word);
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

/* Whether the line sets a variable that git takes its configuration or its
 * repository from. */
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
contacts_host(const struct risk_call *call, const struct risk *r)
{
    if (call->facts & RISK_NETWORK)
        return true;
    for (size_t i = 0; i < r->n_hosts; i++)
        if (begins_with(r->hosts[i].program, "git") &&
            r->hosts[i].from >= call->from && r->hosts[i].to <= call->to)
            return true;
    return false;
}

/* The value of clone's -c K=V, -qcK=V, --config K=V or --config=K=V, which may
 * be abbreviated (git-clone(1)). NULL: the word is none of them. */
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
    word += 1 + strspn(word + 1, "46lnqsv"); /* these letters have no value */
    if (word[0] != 'c')
        return NULL;
    return word[1] ? word + 1 : next;
}

/* Examines the words from the verb on. 1: it uses keys; 0: it has an address
 * that needs none by itself; -1: neither. */
static int
judge_git_words(struct git_logins *l, const struct risk_call *call, size_t verb)
{
    bool address = false;

    for (size_t i = verb; i < call->n; i++) {
        const char *word = call->argv[i];
        const char *setting = setting_of_clone(call, i);

        if (strcmp(word, "push") == 0 || strcmp(word, "send-pack") == 0 ||
            is_over_ssh(begins_with(word, "--remote=")
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
has_expanding_word(const struct risk_call *call)
{
    for (size_t i = 1; i < call->n; i++)
        if (call->expands[i])
            return true;
    return false;
}

static bool
git_uses_keys(const struct risk_call *call, const struct risk *r,
              const struct path_context *where)
{
    struct git_logins l = {.who = path_context_person(where)};
    struct git_words o = {0};
    char dir[PATH_MAX], git_dir[PATH_MAX];
    bool cut = false;
    int words;

    if (!contacts_host(call, r))
        return false;
    if (has_expanding_word(call) || sets_variables(call, r) ||
        !find_call_directory(call, r, where, dir))
        return true;
    read_global(&l);
    words = judge_git_words(&l, call,
                            read_git_options(&l, call, where, dir, &o));
    if (words > 0)
        return true;
    if (!o.git_dir)
        read_repository(&l, dir);
    else if (path_absolute(o.git_dir, dir, where, git_dir, &cut) && !cut)
        read_login_configs(&l, git_dir);
    else
        l.unknown = true;
    return l.unknown || l.rewrites || l.helper || (l.ssh && words < 0);
}

enum keys_when {
    KEYS_ALWAYS,
    KEYS_VERB,   /* if its first argument is row.verb */
    KEYS_REMOTE, /* if an address is reached through ssh */
};

struct keys_row {
    const char *name;
    enum keys_when when;
    const char *verb;
    bool carries; /* it runs a part of the line on the other machine */
};

static const struct keys_row rows[] = {
    {"ansible", KEYS_ALWAYS, NULL, true},
    {"ansible-playbook", KEYS_ALWAYS, NULL, false},
    {"autossh", KEYS_ALWAYS, NULL, true},
    {"aws", KEYS_ALWAYS, NULL, false},
    {"az", KEYS_ALWAYS, NULL, false},
    {"borg", KEYS_REMOTE, NULL, false},
    {"gcloud", KEYS_ALWAYS, NULL, false},
    {"gh", KEYS_ALWAYS, NULL, false},
    {"glab", KEYS_ALWAYS, NULL, false},
    {"gpg", KEYS_ALWAYS, NULL, false},
    {"gpg2", KEYS_ALWAYS, NULL, false},
    {"gsutil", KEYS_ALWAYS, NULL, false},
    {"helm", KEYS_ALWAYS, NULL, false},
    {"hg", KEYS_REMOTE, NULL, false},
    {"kubectl", KEYS_ALWAYS, NULL, false},
    {"mosh", KEYS_ALWAYS, NULL, true},
    {"npm", KEYS_VERB, "publish", false},
    {"parallel-ssh", KEYS_ALWAYS, NULL, true},
    {"pass", KEYS_ALWAYS, NULL, false},
    {"pssh", KEYS_ALWAYS, NULL, true},
    {"rclone", KEYS_REMOTE, NULL, false},
    {"restic", KEYS_REMOTE, NULL, false},
    {"rsync", KEYS_REMOTE, NULL, false},
    {"scp", KEYS_ALWAYS, NULL, false},
    {"sftp", KEYS_ALWAYS, NULL, false},
    {"ssh", KEYS_ALWAYS, NULL, true},
    {"ssh-add", KEYS_ALWAYS, NULL, false},
    {"ssh-copy-id", KEYS_ALWAYS, NULL, false},
    {"sshfs", KEYS_ALWAYS, NULL, false},
    {"svn", KEYS_REMOTE, NULL, false},
    {"twine", KEYS_ALWAYS, NULL, false},
    {"unison", KEYS_REMOTE, NULL, false},
};

static const struct keys_row *
find_program_row(const char *name)
{
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
        if (strcmp(rows[i].name, name) == 0)
            return &rows[i];
    return NULL;
}

/* An address is a word of its own, or the value of an option. */
static const char *
address_in(const char *word)
{
    const char *equals = strchr(word, '=');

    return word[0] == '-' && equals ? equals + 1 : word;
}

static bool
has_ssh_address(const struct risk_call *call)
{
    for (size_t i = 1; i < call->n; i++)
        if (call->expands[i] || is_over_ssh(address_in(call->argv[i])))
            return true;
    return false;
}

static bool
has_verb(const struct risk_call *call, const char *verb)
{
    for (size_t i = 1; i < call->n; i++)
        if (call->argv[i][0] != '-')
            return strcmp(call->argv[i], verb) == 0;
    return false;
}

bool
profile_call_uses_keys(const struct risk_call *call, const struct risk *r,
                       const struct path_context *where)
{
    const struct keys_row *row = find_program_row(call->name);

    if (strcmp(call->name, "git") == 0)
        return git_uses_keys(call, r, where);
    if (!row)
        return false;
    if (row->when == KEYS_ALWAYS)
        return true;
    return row->when == KEYS_VERB ? has_verb(call, row->verb)
                                  : has_ssh_address(call);
}

const char *
profile_remote_program_with_keys(const struct risk *r)
{
    const struct keys_row *row;

    for (size_t i = 0; i < r->n_reasons; i++) {
        row = find_program_row(r->reasons[i].program);
        if (row && row->when == KEYS_ALWAYS &&
            r->reasons[i].fact == RISK_NETWORK)
            return row->name;
    }
    for (size_t i = 0; i < r->n_hosts; i++) {
        row = find_program_row(r->hosts[i].program);
        if (row && row->carries)
            return row->name;
    }
    return NULL;
}
