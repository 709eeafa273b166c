/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plain_paths.c - files a plain call may read and write. */
#include "guard/plain_paths.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/path.h"
#include "base/utf8.h"
#include "guard/secret.h"

/* Working directories in which a new file may be a program, a service or a
 * job of the system. */
static const char *const system_dirs[] = {
    "/etc",   "/usr",   "/bin",     "/sbin",      "/lib",
    "/lib32", "/lib64", "/libx32",  "/boot",      "/dev",
    "/proc",  "/sys",   "/var/lib", "/var/spool", "/run",
};

bool
plain_ask(struct guard_finding *out, const char *fmt, ...)
{
    va_list ap;
    size_t len;

    va_start(ap, fmt);
    vsnprintf(out->reason, sizeof(out->reason), fmt, ap);
    va_end(ap);
    len = strlen(out->reason); /* vsnprintf may have cut a character */
    out->reason[len - utf8_partial(out->reason, len)] = '\0';
    out->decision = GUARD_ASK;
    return false;
}

/* Whether path is dir or lies below it. */
static bool
is_below(const char *path, const char *dir)
{
    size_t n = strlen(dir);

    return strncmp(path, dir, n) == 0 && (path[n] == '\0' || path[n] == '/');
}

/* `path` as seen from cwd; the caller frees it. */
static char *
from_cwd(const char *path, const char *cwd)
{
    return path[0] == '/' ? strdup(path) : path_join(cwd, path);
}

bool
plain_may_read(const char *path, const char *cwd, struct guard_finding *out)
{
    CLEANUP(free_p) char *full = from_cwd(path, cwd);
    CLEANUP(free_p) char *real = full ? realpath(full, NULL) : NULL;

    if (secret_is_path(path) || (real && secret_is_path(real)))
        return plain_ask(out, "reads what may be a secret: %s", path);
    if (strcmp(path, "/dev/null") == 0)
        return true;
    /* by its spelling too: /dev/tcp/… is no file, but bash opens it */
    if (is_below(real ? real : path, "/dev"))
        return plain_ask(out, "reads a device: %s", path);
    return true;
}

bool
plain_is_directory(const char *path, const char *cwd)
{
    CLEANUP(free_p) char *full = from_cwd(path, cwd);
    struct stat st;

    return full && stat(full, &st) == 0 && S_ISDIR(st.st_mode);
}

/* The directory of the file, links resolved; the caller frees it. */
static char *
real_parent(const char *full)
{
    CLEANUP(free_p) char *dir = strdup(full);
    char *slash = dir ? strrchr(dir, '/') : NULL;

    if (!slash)
        return NULL;
    slash[slash == dir] = '\0';
    return realpath(dir, NULL);
}

/* Whether the working directory, links resolved, is one to write into. */
static bool
may_write_cwd(const char *real, struct guard_finding *out)
{
    if (strcmp(real, "/") == 0)
        return plain_ask(out, "writes into the root directory");
    for (size_t i = 0; i < sizeof(system_dirs) / sizeof(system_dirs[0]); i++)
        if (is_below(real, system_dirs[i]))
            return plain_ask(out, "writes into a system directory: %s", real);
    return true;
}

static bool
may_write_file(const char *full, const char *path, bool append,
               struct guard_finding *out)
{
    struct stat st;

    if (lstat(full, &st) < 0) {
        if (errno == ENOENT)
            return true;
        return plain_ask(out, "cannot see what it writes to: %s", path);
    }
    if (!append)
        return plain_ask(out, "overwrites %s", path);
    if (!S_ISREG(st.st_mode) || st.st_nlink > 1)
        return plain_ask(out, "appends to what is no plain file: %s", path);
    return true;
}

bool
plain_may_write(const char *path, const char *cwd, bool append,
                struct guard_finding *out)
{
    CLEANUP(free_p) char *full = from_cwd(path, cwd);
    CLEANUP(free_p) char *root = realpath(cwd, NULL);
    CLEANUP(free_p) char *dir = full ? real_parent(full) : NULL;
    CLEANUP(free_p) char *real = dir ? path_join(dir, path_base(path)) : NULL;
    const char *name = path_base(path);

    if (strcmp(path, "/dev/null") == 0)
        return true;
    if (!root)
        return plain_ask(out, "there is no working directory %s", cwd);
    if (!real || !*name || strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
        return plain_ask(out, "there is no directory for %s", path);
    if (!is_below(dir, root))
        return plain_ask(out, "writes outside the working directory: %s", path);
    if (secret_is_path(real) || secret_runs_later(real))
        return plain_ask(out, "writes what others trust or run: %s", path);
    return may_write_cwd(root, out) && may_write_file(full, path, append, out);
}
