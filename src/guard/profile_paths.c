/* SPDX-License-Identifier: GPL-3.0-or-later */
/* profile_paths.c - which paths a profile hides, and which it never gives. */
#include "guard/profile_paths.h"

#include <stddef.h>
#include <string.h>

#include "guard/place.h"
#include "guard/secret.h"

#define N_OF(array) (sizeof(array) / sizeof((array)[0]))

static const char *const views[] = {"/run", "/proc", "/var/run", "/var/log",
                                    "/dev/shm"};
static const char *const temporary[] = {"/tmp", "/var/tmp"};
static const char *const sinks[] = {
    "/dev/null",   "/dev/zero",   "/dev/full", "/dev/tty",    "/dev/stdin",
    "/dev/stdout", "/dev/stderr", "/dev/fd",   "/dev/random", "/dev/urandom",
};
static const char *const system_dirs[] = {
    "/boot", "/dev", "/etc",  "/lib", "/lib32", "/lib64", "/proc", "/run",
    "/sbin", "/bin", "/snap", "/sys", "/usr",   "/var",   "/root",
};

static bool
is_below_one(const char *path, const char *const *dirs, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (place_is_below(path, dirs[i]))
            return true;
    return false;
}

bool
profile_path_is_hidden(const char *path, const char *home)
{
    return (home && place_is_below(path, home)) ||
           is_below_one(path, views, N_OF(views));
}

bool
profile_path_holds_hidden(const char *path, const char *home)
{
    for (size_t i = 0; i < N_OF(views); i++)
        if (place_is_below(views[i], path))
            return true;
    return home && place_is_below(home, path);
}

bool
profile_path_is_key(const char *path, const char *home)
{
    return home && place_is_below(path, home) &&
           secret_is_path(path + strlen(home));
}

bool
profile_path_is_temporary(const char *path)
{
    return is_below_one(path, temporary, N_OF(temporary));
}

bool
profile_path_is_sink(const char *path)
{
    return is_below_one(path, sinks, N_OF(sinks));
}

bool
profile_path_runs_later(const char *path)
{
    static const char *const parts[] = {".git/hooks", ".git/config",
                                        ".agentsh"};

    for (size_t i = 0; i < N_OF(parts); i++)
        if (place_holds(path, parts[i]))
            return true;
    return false;
}

bool
profile_path_is_protected(const char *dir, const char *home)
{
    if (home && place_is_below(home, dir))
        return true;
    if (home && place_is_below(dir, home))
        return strstr(dir + strlen(home), "/.") != NULL;
    if (profile_path_is_temporary(dir))
        return false;
    if (strcmp(dir, "/") == 0 || !strchr(dir + 1, '/'))
        return true;
    return is_below_one(dir, system_dirs, N_OF(system_dirs));
}
