/* SPDX-License-Identifier: GPL-3.0-or-later */
/* secret_file.c - names of files that say that they open doors. */
#include "base/secret_file.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

/* Each matches a component of a path, in whatever case. */
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

/* With one of these ends a file is data, not the source of a program that
 * deals with such a thing (token.c). */
static const char *const data_ends[] = {
    "json",       "yaml", "yml", "toml", "ini", "cfg", "conf",
    "properties", "xml",  "txt", "csv",  "env", "db",  "sqlite",
    "plist",      "auth", "enc", "gpg",  "asc"};

/* Each matches the name of a file of data without its end. */
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

/* Each matches the last component where it has no end at all. */
static const char *const bare[] = {
    "token",     "tokens",        "secret",        "secrets",    "password",
    "passwords", "passphrase",    "apikey",        "apikeys",    "api_key",
    "api_keys",  "*-token",       "*_token",       "*.token",    "*-secret",
    "*_secret",  "*-credentials", "*_credentials", "vault?pass*"};

/* A part of a name that says that nothing in it is real. */
static const char *const examples[] = {"example", "sample", "template", "tmpl",
                                       "dist"};

#define N_OF(array) (sizeof(array) / sizeof((array)[0]))
#define NAME_SIZE   256       /* NAME_MAX and its NUL: no component is longer */
#define APART       "secrets" /* a directory for files of data */

/* A component of a path on its own, in small letters. */
struct name {
    char text[NAME_SIZE];
    size_t len;
    bool last;
};

/* The next component; false at the end. */
static bool
next_name(const char **path, struct name *out)
{
    const char *p = *path + strspn(*path, "/");
    size_t n = strcspn(p, "/"), kept = n < NAME_SIZE ? n : NAME_SIZE - 1;

    if (n == 0)
        return false;
    for (size_t i = 0; i < kept; i++)
        out->text[i] = (char)tolower((unsigned char)p[i]);
    out->text[kept] = '\0';
    out->len = kept;
    *path = p + n;
    out->last = p[n + strspn(p + n, "/")] == '\0';
    return true;
}

/* Its first and last byte tell most rows from most names. */
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
is_in(const struct name *n, const char *const *rows, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (row_fits(rows[i], n))
            return true;
    return false;
}

/* Takes an end off; false: it has another. */
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

/* A copy that an editor or a person left is what it is a copy of. False: it is
 * none. */
static bool
drop_copies(struct name *n)
{
    static const char *const ends[] = {"~",     ".bak",    ".old",  ".orig",
                                       ".save", ".backup", ".copy", ".tmp"};
    static const char *const swaps[] = {".swp", ".swo"};
    bool dropped = false;

    for (size_t i = 0; i < N_OF(ends); i++)
        if (drop_end(n, ends[i])) {
            dropped = true;
            i = (size_t)-1;
        }
    for (size_t i = 0; i < N_OF(swaps); i++) {
        if (n->text[0] != '.' || !drop_end(n, swaps[i]))
            continue;
        /* .id_rsa.swp, and .env.swp, whose name has the dot */
        if (strncmp(n->text, ".env", 4) != 0)
            memmove(n->text, n->text + 1, n->len--);
        return true;
    }
    return dropped;
}

/* A part of the name, between dots, dashes or underscores. */
static bool
is_example(const struct name *n)
{
    for (const char *p = n->text; *p; p += *p != '\0') {
        size_t k = strcspn(p, ".-_");

        for (size_t i = 0; p > n->text && i < N_OF(examples); i++)
            if (strlen(examples[i]) == k && memcmp(p, examples[i], k) == 0)
                return true;
        p += k;
    }
    return n->len > 4 && strcmp(n->text + n->len - 4, ".pub") == 0;
}

/* Takes the end of a file of data off; false: it is none. */
static bool
drop_data_end(struct name *n)
{
    char *dot = strrchr(n->text, '.');

    for (size_t i = 0; dot && i < N_OF(data_ends); i++) {
        if (strcmp(dot + 1, data_ends[i]) != 0)
            continue;
        *dot = '\0';
        n->len = (size_t)(dot - n->text);
        return true;
    }
    return false;
}

/* A file of data whose name without its end is a stem. */
static bool
is_data(const struct name *n)
{
    struct name stem = *n;

    return drop_data_end(&stem) && is_in(&stem, stems, N_OF(stems));
}

/* A file of data in a directory for them (secrets/app.toml). */
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
    if (is_in(n, names, N_OF(names)))
        return true;
    return (drop_copies(n) && is_in(n, names, N_OF(names))) || is_data(n) ||
           (n->last && is_in(n, bare, N_OF(bare)));
}

/* One name by itself. */
static struct name
name_of(const char *text, bool last)
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
    struct name n = name_of(name, false);

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
    struct name n = name_of(name, true), copy = n;

    return name_is_secret(&n) ||
           (in_data && !is_example(&copy) && drop_data_end(&copy));
}

/* Over the rows and what is done with them. */
uint32_t
secret_file_version(void)
{
    static const struct {
        const char *const *rows;
        size_t n;
    } lists[] = {{names, N_OF(names)},
                 {data_ends, N_OF(data_ends)},
                 {stems, N_OF(stems)},
                 {bare, N_OF(bare)},
                 {examples, N_OF(examples)}};
    uint32_t sum = 2166136261u; /* FNV-1a */

    for (size_t i = 0; i < N_OF(lists); i++)
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
    struct name n = name_of(name, true);

    return n.len > 0 && !is_example(&n) && is_in(&n, keys, N_OF(keys));
}
