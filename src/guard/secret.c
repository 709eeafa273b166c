/* SPDX-License-Identifier: GPL-3.0-or-later */
/* secret.c - files that hold keys, and files that others will run. */
#include "guard/secret.h"

#include <fnmatch.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* Each matches one component of a path. */
static const char *const secrets[] = {
    "*.pem",    "*.key",   "*.p12",       "*.pfx",   "*.kdbx",
    ".env*",    "id_*",    ".ssh",        ".gnupg",  ".aws",
    ".kube",    ".azure",  ".netrc",      ".pgpass", ".git-credentials",
    ".npmrc",   ".pypirc", ".my.cnf",     "shadow",  ".password-store",
    "shadow-",  "gshadow", "gshadow-",    "kcore",   "ssh_host_*_key",
    "keyrings", "environ", "credentials", "*.jks",   ".vault-token",
    ".docker",  "gcloud",  ".htpasswd",
};

#define N_OF(array) (sizeof(array) / sizeof((array)[0]))
#define NAME_SIZE   256 /* NAME_MAX and its NUL: no component is longer */

/* Whether some component of the path matches some row. */
static bool
component_in(const char *path, const char *const *rows, size_t n)
{
    while (*path) {
        size_t len = strcspn(path, "/");
        char name[NAME_SIZE];

        snprintf(name, sizeof(name), "%.*s", (int)(len < 255 ? len : 255),
                 path);
        for (size_t i = 0; len > 0 && i < n; i++)
            if (fnmatch(rows[i], name, 0) == 0)
                return true;
        path += len;
        path += strspn(path, "/");
    }
    return false;
}

bool
secret_is_path(const char *path)
{
    return component_in(path, secrets, N_OF(secrets));
}

/* Settings, start-up files and hooks begin with a dot: there are too many
 * programs to list their names. */
bool
secret_runs_later(const char *path)
{
    static const char *const others[] = {"authorized_keys"};

    if (component_in(path, others, N_OF(others)))
        return true;
    while (*path) {
        size_t len = strcspn(path, "/");
        bool here = len == 1 || (len == 2 && path[1] == '.');

        if (path[0] == '.' && !here)
            return true;
        path += len;
        path += strspn(path, "/");
    }
    return false;
}
