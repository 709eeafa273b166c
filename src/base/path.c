/* SPDX-License-Identifier: GPL-3.0-or-later */
/* path.c - joins file names, and finds our directories, the home directory and
 * programs. */
#include "base/path.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"

#define PASSWD_MAX (16u << 20)
/* Fields of a line of /etc/passwd, from 0. */
#define PASSWD_UID  2
#define PASSWD_HOME 5

struct place_row {
    const char *variable;
    const char
        *below_home; /* NULL: the runtime directory has a rule of its own */
};

static const struct place_row places[] = {
    [PATH_CONFIG] = {"XDG_CONFIG_HOME", ".config"},
    [PATH_STATE] = {"XDG_STATE_HOME", ".local/state"},
    [PATH_CACHE] = {"XDG_CACHE_HOME", ".cache"},
    [PATH_DATA] = {"XDG_DATA_HOME", ".local/share"},
    [PATH_RUNTIME] = {"XDG_RUNTIME_DIR", NULL},
};

bool
path_is_dot(const char *name)
{
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

char *
path_join(const char *dir, const char *name)
{
    size_t n = strlen(dir);
    char *out;

    if (asprintf(&out, "%s%s%s", dir, n && dir[n - 1] == '/' ? "" : "/", name) <
        0)
        return NULL;
    return out;
}

char *
path_beside(const char *path, const char *suffix)
{
    char *out;

    return asprintf(&out, "%s%s", path, suffix) < 0 ? NULL : out;
}

char *
path_home(void)
{
    return path_home_of(getenv("HOME"));
}

char *
path_home_of(const char *variable)
{
    return variable && variable[0] == '/' ? strdup(variable)
                                          : path_passwd_home();
}

/* A field of a line of /etc/passwd, which ends at a colon or the end of the
 * line; NULL: it has fewer, or is about no user of this machine's. */
static const char *
passwd_field(const char *line, int field)
{
    if (strchr("#+-", *line))
        return NULL;
    for (; field > 0; field--) {
        line += strcspn(line, ":\n");
        if (*line++ != ':')
            return NULL;
    }
    return line;
}

/* Reads /etc/passwd directly: getpwuid(3) loads the modules of nsswitch.conf,
 * and a static program crashes in some of them (libnss_systemd); fgetpwent(3)
 * returns memory that all threads share. */
char *
path_passwd_home(void)
{
    CLEANUP_BUF struct buf text = buf_of(PASSWD_MAX);
    char own[24];
    int n = snprintf(own, sizeof(own), "%u:", (unsigned)getuid());
    const char *line, *uid, *home;

    (void)file_read("/etc/passwd", &text, NULL);
    for (line = text.p; *line; line += *line == '\n') {
        uid = passwd_field(line, PASSWD_UID);
        home = passwd_field(line, PASSWD_HOME);
        if (uid && home && strncmp(uid, own, (size_t)n) == 0)
            return home[0] == '/' ? strndup(home, strcspn(home, ":\n")) : NULL;
        line += strcspn(line, "\n");
    }
    return NULL;
}

/* Our directory of a kind, for the values of its variable and of HOME; the
 * caller frees it. */
static char *
agentsh_dir(enum path_place place, const char *base, const char *home_variable,
            struct err *e)
{
    const struct place_row *row = &places[place];
    CLEANUP(free_p) char *home = NULL;
    char *out = NULL;
    int rc;

    if (base && base[0] == '/') {
        rc = asprintf(&out, "%s/agentsh", base);
    } else if (!row->below_home) {
        rc = asprintf(&out, "/tmp/agentsh-%u", (unsigned)geteuid());
    } else {
        home = path_home_of(home_variable);
        if (!home) {
            err_set(e, ERR_CONFIG, "HOME is %s and uid %u has no entry",
                    home_variable ? "not an absolute path" : "not set",
                    (unsigned)getuid());
            return NULL;
        }
        rc = asprintf(&out, "%s/%s/agentsh", home, row->below_home);
    }
    if (rc < 0) {
        err_nomem(e);
        return NULL;
    }
    return out;
}

const char *
path_variable(enum path_place place)
{
    return places[place].variable;
}

char *
path_of(enum path_place place, const char *name, struct err *e)
{
    return path_of_variables(place, getenv(places[place].variable),
                             getenv("HOME"), name, e);
}

char *
path_of_variables(enum path_place place, const char *base, const char *home,
                  const char *name, struct err *e)
{
    CLEANUP(free_p) char *dir = agentsh_dir(place, base, home, e);
    char *out;

    if (!dir || !name)
        return TAKE_PTR(dir);
    out = path_join(dir, name);
    if (!out)
        err_nomem(e);
    return out;
}

/* A missing home directory is never made: the path of a user without one may be
 * a placeholder (/nonexistent), which root could make. */
static int
make_dir(const char *path, const char *home, mode_t mode, struct err *e)
{
    if (home && path_is_below(home, path) && access(path, F_OK) < 0 &&
        errno == ENOENT)
        return err_set(e, ERR_CONFIG,
                       "the home directory %s is not there, and is not made",
                       home);
    if (mkdir(path, mode) < 0 && errno != EEXIST)
        return err_sys(e, "%s", path);
    return 0;
}

int
path_make_dirs(const char *path, mode_t mode, struct err *e)
{
    CLEANUP(free_p) char *home = path_home();

    return path_make_dirs_apart(path, home, mode, e);
}

int
path_make_dirs_apart(const char *path, const char *home, mode_t mode,
                     struct err *e)
{
    CLEANUP(free_p) char *p = strdup(path);

    if (!p)
        return err_set(e, ERR_NOMEM, "%s: out of memory", path);
    for (char *s = p + 1; *s; s++) {
        if (*s != '/')
            continue;
        *s = '\0';
        if (make_dir(p, home, mode, e) < 0)
            return -1;
        *s = '/';
    }
    return make_dir(p, home, mode, e);
}

const char *
path_base(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

bool
path_is_program(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 && S_ISREG(st.st_mode) &&
           access(path, X_OK) == 0;
}

bool
path_next_dir(const char **at, const char **dir, size_t *n)
{
    if (!*at)
        return false;
    *dir = *at;
    *n = strcspn(*at, ":");
    *at = (*at)[*n] ? *at + *n + 1 : NULL;
    if (*n == 0) {
        *dir = ".";
        *n = 1;
    }
    return true;
}

/* The path of a program in one directory of PATH. False: it is too long. */
static bool
put_program_path(const char *dir, size_t n, const char *cwd, const char *name,
                 char out[PATH_MAX])
{
    int len;

    if (dir[0] == '/')
        len = snprintf(out, PATH_MAX, "%.*s/%s", (int)n, dir, name);
    else if (n == 1 && dir[0] == '.')
        len = snprintf(out, PATH_MAX, "%s/%s", cwd, name);
    else
        len = snprintf(out, PATH_MAX, "%s/%.*s/%s", cwd, (int)n, dir, name);
    return len > 0 && len < PATH_MAX;
}

bool
path_find_in(const char *dirs, const char *cwd, const char *name,
             char out[PATH_MAX])
{
    const char *dir;
    size_t n;

    while (path_next_dir(&dirs, &dir, &n)) {
        if (!cwd && dir[0] != '/') /* its contents are unknown */
            return put_program_path(".", 1, ".", name, out);
        if (put_program_path(dir, n, cwd, name, out) && path_is_program(out))
            return true;
    }
    return false;
}

char *
path_find_program(const char *name)
{
    char path[PATH_MAX];

    if (strchr(name, '/'))
        return path_is_program(name) ? strdup(name) : NULL;
    return path_find_in(getenv("PATH"), ".", name, path) ? strdup(path) : NULL;
}

char *
path_find_bash(void)
{
    const char *bash = path_bash();

    return bash ? strdup(bash) : path_find_program("bash");
}

/* The directory of the running program; false: it is not known. */
static bool
program_dir(char dir[PATH_MAX])
{
    ssize_t n = readlink("/proc/self/exe", dir, PATH_MAX - 1);
    char *slash;

    if (n <= 0)
        return false;
    dir[n] = '\0';
    slash = strrchr(dir, '/');
    if (slash)
        *slash = '\0';
    return true;
}

/* Finds a file in one of the places relative to the program's directory, or in
 * the place where it is installed. The caller frees the path, which is the last
 * one where there is no such file: *exists. */
static char *
find_beside(const char *const *tries, const char *installed, const char *name,
            bool *exists)
{
    char dir[PATH_MAX], path[2 * PATH_MAX];

    *exists = true;
    for (bool known = program_dir(dir); known && *tries; tries++) {
        snprintf(path, sizeof(path), "%s/%s%s", dir, *tries, name);
        if (access(path, F_OK) == 0)
            return strdup(path);
    }
    snprintf(path, sizeof(path), "%s/%s", installed, name);
    *exists = access(path, F_OK) == 0;
    return strdup(path);
}

static char *
find_installed_file(const char *const *tries, const char *installed,
                    const char *name, struct err *e)
{
    bool exists;
    char *path = find_beside(tries, installed, name, &exists);

    if (path && exists)
        return path;
    err_set(e, ERR_NOT_FOUND,
            "%s: no such file or directory; is the installation complete?",
            path ? path : name);
    free(path);
    return NULL;
}

char *
path_libexec(const char *name, struct err *e)
{
    /* installed: bin/ and libexec/ stand side by side; then the build tree, and
     * programs of libexec that look for another */
    static const char *const tries[] = {"../libexec/agentsh/", "", NULL};

    return find_installed_file(tries, PKGLIBEXECDIR, name, e);
}

char *
path_bin(const char *name, struct err *e)
{
    /* from libexec/agentsh/, from bin/ or in the build tree */
    static const char *const tries[] = {"../../bin/", "", NULL};

    return find_installed_file(tries, BINDIR, name, e);
}

char *
path_share(const char *name)
{
    /* from bin/, from libexec/agentsh/, and in the build tree */
    static const char *const tries[] = {"../share/agentsh/",
                                        "../../share/agentsh/", "share/",
                                        "../../share/", NULL};
    bool exists;
    char *path = find_beside(tries, PKGDATADIR, name, &exists);

    if (path && exists)
        return path;
    free(path);
    return NULL;
}

char *
path_expand_below(const char *home, const char *path)
{
    if (path[0] != '~' || (path[1] && path[1] != '/') || !home)
        return strdup(path);
    return path[1] ? path_join(home, path + 2) : strdup(home);
}

void
path_clean(char *path)
{
    char *to = path;

    for (const char *p = path; *p;) {
        size_t n;

        p += strspn(p, "/");
        n = strcspn(p, "/");
        if (n == 2 && p[0] == '.' && p[1] == '.') {
            while (to > path && *--to != '/')
                ;
        } else if (n > 0 && !(n == 1 && p[0] == '.')) {
            *to++ = '/';
            memmove(to, p, n);
            to += n;
        }
        p += n;
    }
    if (to == path)
        *to++ = '/';
    *to = '\0';
}

const char *
path_behind(const char *path, const char *dir)
{
    size_t n = strlen(dir);

    while (n > 0 && dir[n - 1] == '/')
        n--;
    if (strncmp(path, dir, n) != 0 || (path[n] != '/' && path[n] != '\0'))
        return NULL;
    return path + n + strspn(path + n, "/");
}

bool
path_is_below(const char *path, const char *dir)
{
    return path_behind(path, dir) != NULL;
}

bool
path_contains(const char *path, const char *part)
{
    size_t n = strlen(part);

    for (const char *p = path; (p = strstr(p, part)); p++)
        if ((p == path || p[-1] == '/') && (!p[n] || p[n] == '/'))
            return true;
    return false;
}

const char *
path_short(const char *path, const char *home, char out[PATH_MAX])
{
    size_t n = home ? strlen(home) : 0;

    if (n > 1 && path_is_below(path, home))
        snprintf(out, PATH_MAX, "~%s", path + n);
    else
        snprintf(out, PATH_MAX, "%s", path);
    return out;
}

const char *
path_bash(void)
{
    static const char *const shells[] = {"/bin/bash", "/usr/bin/bash",
                                         "/usr/local/bin/bash"};

    for (size_t i = 0; i < sizeof(shells) / sizeof(*shells); i++) {
        if (access(shells[i], X_OK) == 0)
            return shells[i];
    }
    return NULL;
}
