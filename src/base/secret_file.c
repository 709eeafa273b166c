/* SPDX-License-Identifier: GPL-3.0-or-later */
/* secret_file.c - which file names mean that the file holds credentials. */
#include "base/secret_file.h"

#include <fnmatch.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/ascii.h"
#include "base/str.h"

/* Patterns for a component of a path, in lower case. */
static const char *const names[] = {"*.pem",
                                    "*.key",
                                    "*.p8",
                                    "*.p12",
                                    "*.pfx",
                                    "*.pkcs12",
                                    "*.ppk",
                                    "*.jks",
                                    "*.keystore",
                                    "*.bcfks",
                                    "*.keytab",
                                    "*.kdb",
                                    "*.kdbx",
                                    "*.keychain",
                                    "*.keychain-db",
                                    "*.ovpn",
                                    "*.nmconnection",
                                    "*.publishsettings",
                                    "*.mobileconfig",
                                    "id_rsa*",
                                    "id_dsa*",
                                    "id_ecdsa*",
                                    "id_ed25519*",
                                    "id_xmss*",
                                    "ssh_host_*_key",
                                    ".env",
                                    ".env.*",
                                    ".env_*",
                                    ".envrc",
                                    "*.env",
                                    "shadow",
                                    "shadow-",
                                    "gshadow",
                                    "gshadow-",
                                    "kcore",
                                    "environ",
                                    "keyrings",
                                    ".docker",
                                    ".dockercfg",
                                    ".dockerconfigjson",
                                    "credentials",
                                    ".credentials",
                                    ".credentials.*",
                                    ".*credentials",
                                    "gcloud",
                                    ".secrets",
                                    ".secrets.*",
                                    ".htpasswd",
                                    "htpasswd",
                                    ".netrc",
                                    "_netrc",
                                    ".npmrc",
                                    ".pypirc",
                                    ".git-credentials",
                                    ".pgpass",
                                    "pgpass.conf",
                                    ".my.cnf",
                                    ".mylogin.cnf",
                                    ".s3cfg",
                                    ".boto",
                                    "rclone.conf",
                                    ".vault_pass*",
                                    ".vault-pass*",
                                    ".*_history",
                                    "fish_history",
                                    ".histfile",
                                    "*.tfstate",
                                    "*.tfstate.*",
                                    "*.tfvars",
                                    "*.tfvars.json",
                                    ".terraform",
                                    ".terraformrc",
                                    "terraform.rc",
                                    "kubeconfig",
                                    "kubeconfig.*",
                                    "*.kubeconfig",
                                    "*-kubeconfig",
                                    "*_kubeconfig",
                                    "*-kubeconfig.*",
                                    "wp-config.php",
                                    "localsettings.php",
                                    "wg[0-9]*.conf",
                                    "wpa_supplicant*.conf",
                                    "krb5cc_*",
                                    "cookies",
                                    "cookies.txt",
                                    "cookies.sqlite*",
                                    "cookies.db",
                                    "login?data*",
                                    "web?data",
                                    "logins.json",
                                    "key3.db",
                                    "key4.db",
                                    "signons.sqlite",
                                    "wallet.dat",
                                    "*.wallet",
                                    "utc--*",
                                    "secring.*",
                                    "private-keys-v1.d",
                                    "rootkey.csv",
                                    "*accesskeys.csv",
                                    "msal_token_cache*",
                                    "accesstokens.json",
                                    "*adminsdk*.json",
                                    "oauth_creds.json",
                                    "connectionstrings.config"};

/* Suffixes of data files; another suffix may be that of a program that deals
 * with secrets (token.c). */
static const char *const data_ends[] = {
    "json",       "yaml", "yml", "toml", "ini", "cfg", "conf",
    "properties", "xml",  "txt", "csv",  "env", "db",  "sqlite",
    "plist",      "auth", "enc", "gpg",  "asc"};

/* Patterns for the name of a data file without its suffix. */
static const char *const stems[] = {"credential",
                                    "credentials",
                                    "*credentials",
                                    "credentials-*",
                                    "secret",
                                    "secrets",
                                    "*-secret",
                                    "*_secret",
                                    "*.secret",
                                    "*-secrets",
                                    "*_secrets",
                                    "secret-*",
                                    "secrets-*",
                                    "secrets.*",
                                    "password",
                                    "passwords",
                                    "*-password",
                                    "*_password",
                                    "*-passwords",
                                    "*_passwords",
                                    "passphrase",
                                    "token",
                                    "*-token",
                                    "*_token",
                                    "*.token",
                                    "tokens",
                                    "*-tokens",
                                    "*_tokens",
                                    "apikey",
                                    "apikeys",
                                    "api_key",
                                    "api_keys",
                                    "api-key",
                                    "api-keys",
                                    "*-api-key",
                                    "*_api_key",
                                    "client_secret*",
                                    "client-secret*",
                                    "service-account*",
                                    "service_account*",
                                    "serviceaccount*",
                                    "*-service-account*",
                                    "*_service_account*",
                                    "*-key",
                                    "*_key",
                                    "*.key",
                                    "private*key",
                                    "auth",
                                    "oauth",
                                    "*-auth",
                                    "*_auth",
                                    "*recovery?codes*",
                                    "*backup?codes*",
                                    "mnemonic",
                                    "seed-phrase",
                                    "seed_phrase",
                                    "vault?pass*",
                                    "logins",
                                    "database"};

/* Patterns for the last component of a path, if it has no suffix. */
static const char *const bare[] = {
    "token",     "tokens",        "secret",        "secrets",    "password",
    "passwords", "passphrase",    "apikey",        "apikeys",    "api_key",
    "api_keys",  "*-token",       "*_token",       "*.token",    "*-secret",
    "*_secret",  "*-credentials", "*_credentials", "vault?pass*"};

/* Parts of a name that mark an example without real secrets. */
static const char *const examples[] = {"example", "sample", "template", "tmpl",
                                       "dist"};

#define NAME_SIZE 256       /* NAME_MAX and its NUL: no component is longer */
#define APART     "secrets" /* the name of a directory for data files */

/* A component of a path, in lower case. */
struct name {
    char text[NAME_SIZE];
    size_t len;
    bool last;
};

/* Reads the next component; false at the end. */
static bool
next_name(const char **path, struct name *out)
{
    const char *p = *path + strspn(*path, "/");
    size_t n = strcspn(p, "/"), kept = n < NAME_SIZE ? n : NAME_SIZE - 1;

    if (n == 0)
        return false;
    for (size_t i = 0; i < kept; i++)
        out->text[i] = ascii_to_lower(p[i]);
    out->text[kept] = '\0';
    out->len = kept;
    *path = p + n;
    out->last = p[n + strspn(p + n, "/")] == '\0';
    return true;
}

/* Compares the first and last byte before the pattern: that is enough for most
 * rows. */
static bool
row_fits(const char *row, const struct name *n)
{
    char last;

    if (n->len == 0 || (row[0] != '*' && row[0] != n->text[0]))
        return false;
    last = row[strlen(row) - 1];
    return (last == '*' || last == n->text[n->len - 1]) &&
           fnmatch(row, n->text, 0) == 0;
}

static bool
name_in_rows(const struct name *n, const char *const *rows, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (row_fits(rows[i], n))
            return true;
    return false;
}

/* Removes a suffix; false: the name has another one. */
static bool
drop_end(struct name *n, const char *end)
{
    size_t k = strlen(end);

    if (n->len <= k || strcmp(n->text + n->len - k, end) != 0)
        return false;
    n->len -= k;
    n->text[n->len] = '\0';
    return true;
}

/* Reduces the name of a copy, by an editor or a person, to the original's.
 * False: it is no copy. */
static bool
drop_copies(struct name *n)
{
    static const char *const ends[] = {"~",     ".bak",    ".old",  ".orig",
                                       ".save", ".backup", ".copy", ".tmp"};
    static const char *const swaps[] = {".swp", ".swo"};
    bool dropped = false;

    for (size_t i = 0; i < ARRAY_SIZE(ends); i++)
        if (drop_end(n, ends[i])) {
            dropped = true;
            i = (size_t)-1;
        }
    for (size_t i = 0; i < ARRAY_SIZE(swaps); i++) {
        if (n->text[0] != '.' || !drop_end(n, swaps[i]))
            continue;
        /* .id_rsa.swp, and .env.swp, whose name has the dot */
        if (strncmp(n->text, ".env", 4) != 0)
            memmove(n->text, n->text + 1, n->len--);
        return true;
    }
    return dropped;
}

/* Whether a part of the name, between dots, dashes or underscores, marks an
 * example; or whether it is a public key. */
static bool
is_example(const struct name *n)
{
    for (const char *p = n->text; *p; p += *p != '\0') {
        size_t k = strcspn(p, ".-_");

        if (p > n->text && STR_IN_N(p, k, examples))
            return true;
        p += k;
    }
    return n->len > 4 && strcmp(n->text + n->len - 4, ".pub") == 0;
}

/* Removes the suffix of a data file; false: it is none. */
static bool
drop_data_end(struct name *n)
{
    char *dot = strrchr(n->text, '.');

    for (size_t i = 0; dot && i < ARRAY_SIZE(data_ends); i++) {
        if (strcmp(dot + 1, data_ends[i]) != 0)
            continue;
        *dot = '\0';
        n->len = (size_t)(dot - n->text);
        return true;
    }
    return false;
}

/* Whether it is a data file by its suffix, and a secret one by the rest of its
 * name. */
static bool
is_secret_data(const struct name *n)
{
    struct name stem = *n;

    return drop_data_end(&stem) &&
           name_in_rows(&stem, stems, ARRAY_SIZE(stems));
}

/* Whether it is a data file below a directory for secrets (secrets/app.toml).
 */
static bool
is_kept_apart(const char *path)
{
    struct name n = {0};
    bool apart = false;

    while (next_name(&path, &n))
        apart |= !n.last && strcmp(n.text, APART) == 0;
    return apart && !is_example(&n) && drop_data_end(&n);
}

static bool
name_is_secret(struct name *n)
{
    if (is_example(n))
        return false;
    if (name_in_rows(n, names, ARRAY_SIZE(names)))
        return true;
    return (drop_copies(n) && name_in_rows(n, names, ARRAY_SIZE(names))) ||
           is_secret_data(n) ||
           (n->last && name_in_rows(n, bare, ARRAY_SIZE(bare)));
}

/* A single component. */
static struct name
single_name(const char *text, bool last)
{
    struct name n = {.last = last};

    (void)next_name(&text, &n);
    n.last = last;
    return n;
}

bool
secret_file_is(const char *path)
{
    const char *rest = path;
    struct name n;

    while (next_name(&rest, &n))
        if (name_is_secret(&n))
            return true;
    return is_kept_apart(path);
}

bool
secret_file_is_directory(const char *name)
{
    struct name n = single_name(name, false);

    return name_is_secret(&n);
}

bool
secret_file_is_for_data(const char *name)
{
    return strcasecmp(name, APART) == 0;
}

bool
secret_file_is_file(const char *name, bool in_data)
{
    struct name n = single_name(name, true), copy = n;

    return name_is_secret(&n) ||
           (in_data && !is_example(&copy) && drop_data_end(&copy));
}

/* A checksum of the tables. */
uint32_t
secret_file_version(void)
{
    static const struct {
        const char *const *rows;
        size_t n;
    } lists[] = {{names, ARRAY_SIZE(names)},
                 {data_ends, ARRAY_SIZE(data_ends)},
                 {stems, ARRAY_SIZE(stems)},
                 {bare, ARRAY_SIZE(bare)},
                 {examples, ARRAY_SIZE(examples)}};
    uint32_t sum = 2166136261u; /* FNV-1a */

    for (size_t i = 0; i < ARRAY_SIZE(lists); i++)
        for (size_t j = 0; j < lists[i].n; j++)
            for (const char *p = lists[i].rows[j]; *p; p++)
                sum = (sum ^ (unsigned char)*p) * 16777619u;
    return sum;
}

bool
secret_file_is_key(const char *name)
{
    static const char *const keys[] = {
        "*.pem",    "*.key",       "*.p12",          "*.pfx",   "*.kdbx",
        "*.jks",    ".env*",       "id_rsa*",        "id_dsa*", "id_ecdsa*",
        "id_xmss*", "id_ed25519*", "ssh_host_*_key",
    };
    struct name n = single_name(name, true);

    return n.len > 0 && !is_example(&n) &&
           name_in_rows(&n, keys, ARRAY_SIZE(keys));
}
