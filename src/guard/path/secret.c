/* SPDX-License-Identifier: GPL-3.0-or-later */
/* secret.c - files that hold keys, and files that others will run. */
#include "guard/path/secret.h"

#include <fnmatch.h>
#include <stddef.h>
#include <string.h>

#include "base/path.h"

/* Each matches one component of a path. */
static const char *const secrets[] = {
    "*.pem",
    "*.key",
    "*.p12",
    "*.pfx",
    "*.kdbx",
    ".env*",
    "id_*",
    "shadow",
    "shadow-",
    "gshadow",
    "gshadow-",
    "kcore",
    "ssh_host_*_key",
    "keyrings",
    "environ",
    "*.jks",
    ".docker",
    "credentials",
    "gcloud",
    ".htpasswd",
    /* what was typed, passwords among it */
    ".*_history",
    "fish_history",
    ".histfile",
};

/* Sorted, so that a missing one is seen. */
static const char *const places[] = {
    ".age",
    ".aws",
    ".azure",
    ".cargo/credentials",
    ".cargo/credentials.toml",
    ".config/1Password",
    ".config/Bitwarden",
    ".config/BraveSoftware",
    ".config/agentsh",
    ".config/chromium",
    ".config/containers/auth.json",
    ".config/doctl",
    ".config/gcloud",
    ".config/gh",
    ".config/git/credentials",
    ".config/glab-cli",
    ".config/google-chrome",
    ".config/hub",
    ".config/microsoft-edge",
    ".config/op",
    ".config/opera",
    ".config/rclone",
    ".config/sops",
    ".config/vivaldi",
    ".docker/config.json",
    ".gem/credentials",
    ".git-credentials",
    ".gnupg",
    ".kube",
    ".local/share/agentsh",
    ".local/share/keyrings",
    ".local/share/kwalletd",
    ".local/state/agentsh",
    ".mozilla",
    ".my.cnf",
    ".netrc",
    ".npmrc",
    ".password-store",
    ".pgpass",
    ".pki",
    ".pypirc",
    ".ssh",
    ".terraform.d/credentials.tfrc.json",
    ".thunderbird",
    ".vault-token",
    "snap/chromium",
    "snap/firefox",
    NULL,
};

/* root may read these, a sandbox or not. */
static const char *const system_places[] = {
    "/etc/gshadow",
    "/etc/gshadow-",
    "/etc/shadow",
    "/etc/shadow-",
    "/etc/ssl/private",
    "/etc/ssh/ssh_host_ecdsa_key",
    "/etc/ssh/ssh_host_ed25519_key",
    "/etc/ssh/ssh_host_rsa_key",
    "/etc/sudoers",
    "/etc/sudoers.d",
    NULL,
};

#define N_OF(array) (sizeof(array) / sizeof((array)[0]))
#define NAME_SIZE   256 /* NAME_MAX and its NUL: no component is longer */

/* Its first and last byte tell most rows from most names. */
static bool
row_fits(const char *row, const char *name, size_t len)
{
    char first = row[0], last = row[strlen(row) - 1];

    return (first == '*' || first == name[0]) &&
           (last == '*' || last == name[len - 1]) && fnmatch(row, name, 0) == 0;
}

/* Whether some component of the path matches some row. */
static bool
component_in(const char *path, const char *const *rows, size_t n)
{
    while (*path) {
        size_t len = strcspn(path, "/");
        size_t kept = len < NAME_SIZE ? len : NAME_SIZE - 1;
        char name[NAME_SIZE];

        memcpy(name, path, kept);
        name[kept] = '\0';
        for (size_t i = 0; kept > 0 && i < n; i++)
            if (row_fits(rows[i], name, kept))
                return true;
        path += len;
        path += strspn(path, "/");
    }
    return false;
}

const char *const *
secret_places(void)
{
    return places;
}

const char *const *
secret_system_places(void)
{
    return system_places;
}

static bool
in_some_place(const char *path)
{
    for (const char *const *place = places; *place; place++)
        if (path_holds(path, *place))
            return true;
    return false;
}

bool
secret_is_path(const char *path)
{
    return component_in(path, secrets, N_OF(secrets)) || in_some_place(path);
}

bool
secret_is_key_of(const char *path, const char *home)
{
    return home && path_is_below(path, home) &&
           secret_is_path(path + strlen(home));
}

bool
secret_is_key(const char *path)
{
    static const char *const keys[] = {
        "*.pem", "*.key", "*.p12", "*.pfx",          "*.kdbx",
        "*.jks", ".env*", "id_*",  "ssh_host_*_key",
    };
    const char *base = strrchr(path, '/');

    return component_in(base ? base + 1 : path, keys, N_OF(keys)) ||
           in_some_place(path);
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
