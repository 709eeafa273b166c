/* SPDX-License-Identifier: GPL-3.0-or-later */
/* environ.c - makes the environment of commands and tools. */
#include "tool/environ.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/environ_names.h"
#include "base/err.h"
#include "base/path.h"
#include "base/secret_name.h"
#include "guard/path/git_config.h"
#include "guard/path/git_files.h"
#include "sandbox/setup.h"

/* Git in a child that can write nothing only reads, and the configuration of a
 * repository may be anybody's: it may come from an unpacked archive. So git
 * gets settings by the environment, which override the configuration: no
 * fsmonitor, no hooks, no pager, no lock for refreshing the index, no prompt.
 * Filters and diff drivers have names that the repository chooses: the
 * configuration is searched for them, and each is turned off (git-config(1),
 * gitattributes(5)). Where there are more than ENVIRON_GIT_MAX git gets a count
 * that it refuses: it does not run there, and other programs do. */
#define ENVIRON_GIT_MAX 256

/* Variables that are added: a git driver has at most four keys, of two
 * variables each. */
#define OURS_MAX     (64 + 8 * ENVIRON_GIT_MAX)
#define NAME_MAX_LEN 200

/* An external diff program gets the path, the old file, its hash and mode, and
 * the same of the new file (git-config(1)). This one does what git itself would
 * do. */
#define OWN_DIFF                                                               \
    "f() { diff -u --label \"a/$1\" --label \"b/$1\" \"$2\" \"$5\"; :; }; f"

static bool
is_secret_name(const char *name, size_t n)
{
    return secret_name_find(name, n) != NULL;
}

void
environ_free(char **env)
{
    for (char **v = env; v && *v; v++)
        free(*v);
    free(env);
}

/* Whether a URL in the value holds a password: scheme://user:pass@host. */
static bool
holds_password(const char *value)
{
    for (const char *p = value; (p = strstr(p, "://")); p++) {
        size_t n = strcspn(p + 3, "/?# \t");

        if (memchr(p + 3, '@', n))
            return true;
    }
    return false;
}

/* Whether the setting pass_env names it. */
static bool
is_in_pass_env(const struct config *c, const char *name, size_t n)
{
    const char *at = c ? config_text(c, CONFIG_SANDBOX_PASS_ENV) : NULL, *item;
    size_t len;

    while (config_list_next(&at, &item, &len)) {
        if (len == n && memcmp(item, name, n) == 0)
            return true;
    }
    return false;
}

/* Whether the child gets the variable as it is. */
static bool
is_variable_passed(const struct environ_params *w, const char *variable)
{
    size_t n = strcspn(variable, "=");

    if (is_secret_name(variable, n) ||
        environ_names_steers_shell(variable, n) ||
        (n == 7 && memcmp(variable, "AGENTSH", n) == 0))
        return false;
    if (!w->spec || w->spec->profile == PROFILE_FULL ||
        is_in_pass_env(w->config, variable, n))
        return true;
    return (environ_names_is_plain(variable, n) ||
            (w->spec->net && environ_names_is_proxy(variable, n))) &&
           !holds_password(variable + n);
}

struct list {
    char **env;
    size_t n, max;
};

static int
add_environment_entry(struct list *l, char *variable, struct err *e)
{
    if (!variable || l->n == l->max) {
        free(variable);
        return err_set(e, ERR_NOMEM, "environment: out of memory");
    }
    l->env[l->n++] = variable;
    return 0;
}

/* Sets a variable, or replaces the one of that name. */
static int
set_child_variable(struct list *l, const char *name, const char *value,
                   struct err *e)
{
    size_t n = strlen(name);
    char *variable;

    for (size_t i = 0; i < l->n; i++) {
        if (strncmp(l->env[i], name, n) == 0 && l->env[i][n] == '=') {
            free(l->env[i]);
            memmove(l->env + i, l->env + i + 1, (--l->n - i) * sizeof(*l->env));
            l->env[l->n] = NULL;
            break;
        }
    }
    return add_environment_entry(
        l, asprintf(&variable, "%s=%s", name, value) < 0 ? NULL : variable, e);
}

/* A package manager whose cache is hidden or read-only fails. */
static int
redirect_caches(struct list *l, const struct environ_params *w, struct err *e)
{
    const struct sandbox_spec *spec = w->spec;

    for (const struct environ_cache *c = environ_names_caches(); c->name; c++) {
        const char *dir = seat_variable(w->seat, c->name);
        CLEANUP(free_p) char *usual = path_join(spec->home, c->below_home);

        if (!usual)
            return err_set(e, ERR_NOMEM, "environment: out of memory");
        if (!spec_shows_path(spec, dir ? dir : usual) &&
            set_child_variable(l, c->name, c->instead, e) < 0)
            return -1;
    }
    return 0;
}

/* Adds the directory of a tool's own, and the workspace. */
static int
add_tool_dirs(struct list *l, const struct sandbox_spec *spec, struct err *e)
{
    if (!spec || spec->profile != PROFILE_PLUGIN)
        return 0;
    if (spec->state &&
        set_child_variable(l, "AGENTSH_PLUGIN_STATE", spec->state, e) < 0)
        return -1;
    return spec->workspace
               ? set_child_variable(l, "AGENTSH_WORKSPACE", spec->workspace, e)
               : 0;
}

static int
set_git(void *arg, const char *name, const char *value, struct err *e)
{
    return set_child_variable(arg, name, value, e);
}

/* Whether nothing is writable, so that git can only read. */
static bool
writes_nothing(const struct sandbox_spec *spec)
{
    return spec && (spec->profile == PROFILE_READ_ONLY ||
                    spec->profile == PROFILE_OBSERVE ||
                    spec->profile == PROFILE_OBSERVE_PROC);
}

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
    /* a closed file still shows its size and the second of its change */
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

/* Called for each variable; returns -1 on error. */
typedef int environ_set(void *arg, const char *name, const char *value,
                        struct err *e);

struct writer {
    environ_set *set;
    void *arg;
    const char *dir; /* of the configuration file that is read */
    unsigned n, drivers;
    bool too_many;           /* drivers */
    char last[NAME_MAX_LEN]; /* the last driver, "filter.NAME" */
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

/* The keys of each driver that the configuration names. */
static const struct setting of_filter[] = {
    {"clean", ""},         {"smudge", ""}, {"process", ""},
    {"required", "false"}, {NULL, NULL},
};

static const struct setting of_diff[] = {
    {"textconv", "cat"},
    {"command", OWN_DIFF},
    {NULL, NULL},
};

/* Sets all keys of the driver of a key, "filter.NAME.clean". */
static int
put_driver(struct writer *w, const char *key, const struct setting *rows)
{
    const char *last = strrchr(key, '.');
    char full[NAME_MAX_LEN + 64];

    snprintf(full, sizeof(full), "%.*s", (int)(last - key), key);
    if (strcmp(full, w->last) == 0)
        return 0;
    if (last - key >= NAME_MAX_LEN || w->drivers == ENVIRON_GIT_MAX) {
        w->too_many = true;
        return 0;
    }
    memcpy(w->last, full, (size_t)(last - key) + 1);
    w->drivers++;
    for (; rows->key; rows++) {
        snprintf(full, sizeof(full), "%.*s.%s", (int)(last - key), key,
                 rows->key);
        if (put_setting(w, full, rows->value) < 0)
            return -1;
    }
    return 0;
}

static int read_git_config_file(struct writer *w, const char *path);

static int
follow_include(struct writer *w, const char *value)
{
    char path[PATH_MAX];
    struct writer inner = *w;
    int rc;

    if (w->depth == GIT_CONFIG_INCLUDES_MAX || *value == '~' ||
        snprintf(path, sizeof(path), "%s%s%s", *value == '/' ? "" : w->dir,
                 *value == '/' ? "" : "/", value) >= (int)sizeof(path))
        return 0;
    inner.depth++;
    rc = read_git_config_file(&inner, path);
    w->n = inner.n;
    w->drivers = inner.drivers;
    w->too_many = inner.too_many;
    return rc;
}

static int
read_git_config_key(void *arg, const char *key, const char *value)
{
    struct writer *w = arg;
    bool named = strchr(key, '.') != strrchr(key, '.');
    int rc = 0;

    if (git_config_use_of(key, value) == GIT_FILE)
        rc = follow_include(w, value);
    else if (named && strncmp(key, "filter.", 7) == 0)
        rc = put_driver(w, key, of_filter);
    else if (named && strncmp(key, "diff.", 5) == 0)
        rc = put_driver(w, key, of_diff);
    return rc < 0 ? 1 : 0;
}

static int
read_git_config_file(struct writer *w, const char *path)
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
    return git_config_read(text, (size_t)n, read_git_config_key, w) > 0 ? -1
                                                                        : 0;
}

/* Reads the configuration in a .git directory. */
static int
read_git_dir_configs(struct writer *w, const char *git)
{
    static const char *const files[] = {
        "config", "config.worktree",
        "../../config", /* of a linked working tree */
    };
    char path[PATH_MAX];

    for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
        if (snprintf(path, sizeof(path), "%s/%s", git, files[i]) <
                (int)sizeof(path) &&
            read_git_config_file(w, path) < 0)
            return -1;
    }
    return 0;
}

/* Follows a .git that is a file. */
static int
read_git_file(struct writer *w, const char *dir, const char *git)
{
    CLEANUP(fd_close_p)
    int fd = open(git, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    char text[PATH_MAX], path[PATH_MAX];
    ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
    const char *link;

    text[n < 0 ? 0 : n] = '\0';
    if (!(link = git_files_link(text)) ||
        snprintf(path, sizeof(path), "%s%s%s", link[0] == '/' ? "" : dir,
                 link[0] == '/' ? "" : "/", link) >= (int)sizeof(path))
        return 0;
    return read_git_dir_configs(w, path);
}

/* Reads the configuration of the directory, or of the nearest repository above
 * it. start NULL: the directory has no path, and nothing is read. */
static int
read_nearest_repository(struct writer *w, const char *start)
{
    CLEANUP(free_p) char *dir = start ? realpath(start, NULL) : NULL;
    char git[PATH_MAX + 8];
    char *slash = dir;

    while (slash) {
        snprintf(git, sizeof(git), "%s/.git", dir);
        if (access(git, F_OK) == 0)
            return read_git_dir_configs(w, git) < 0 ||
                           read_git_file(w, dir, git) < 0
                       ? -1
                       : 0;
        slash = strrchr(dir, '/');
        if (slash)
            *slash = '\0';
    }
    return 0;
}

static int
environ_git(const char *dir, environ_set *set, void *arg, struct err *e)
{
    struct writer w = {.set = set, .arg = arg, .e = e};
    char count[16] = "too many";

    for (const struct setting *v = variables; v->key; v++)
        if (set(arg, v->key, v->value, e) < 0)
            return -1;
    for (const struct setting *v = fixed; v->key; v++)
        if (put_setting(&w, v->key, v->value) < 0)
            return -1;
    if (read_nearest_repository(&w, dir) < 0)
        return -1;
    if (!w.too_many)
        snprintf(count, sizeof(count), "%u", w.n);
    return set(arg, "GIT_CONFIG_COUNT", count, e);
}

static int
fill_list(struct list *l, const struct environ_params *w, struct err *e)
{
    const struct sandbox_spec *spec = w->spec;

    for (const char *const *v = seat_variables(w->seat); *v; v++) {
        if (is_variable_passed(w, *v) &&
            add_environment_entry(l, strdup(*v), e) < 0)
            return -1;
    }
    if (set_child_variable(l, "AGENTSH", "1", e) < 0)
        return -1;
    if (w->colour && (set_child_variable(l, "FORCE_COLOR", "1", e) < 0 ||
                      set_child_variable(l, "CLICOLOR_FORCE", "1", e) < 0))
        return -1;
    if (spec && spec->home && spec_hides_home(spec) &&
        redirect_caches(l, w, e) < 0)
        return -1;
    if (writes_nothing(spec) &&
        environ_git(spec->workspace ? spec->workspace : seat_dir(w->seat),
                    set_git, l, e) < 0)
        return -1;
    return add_tool_dirs(l, spec, e);
}

char **
environ_for(const struct environ_params *w, struct err *e)
{
    CLEANUP(environ_free_p) char **env = NULL;
    struct list l;
    size_t n = 0;

    while (seat_variables(w->seat)[n])
        n++;
    l = (struct list){.max = n + OURS_MAX};
    env = l.env = calloc(l.max + 1, sizeof(*env));
    if (!env) {
        err_set(e, ERR_NOMEM, "environment: out of memory");
        return NULL;
    }
    return fill_list(&l, w, e) < 0 ? NULL : TAKE_PTR(env);
}
