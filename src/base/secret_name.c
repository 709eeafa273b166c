/* SPDX-License-Identifier: GPL-3.0-or-later */
/* secret_name.c - which names of variables and fields mean a secret value. */
#include "base/secret_name.h"

#include <string.h>

#include "base/array.h"
#include "base/ascii.h"

static const struct secret_name rows[] = {
    {"password", "password", false, false},
    {"passwd", "password", false, false},
    {"passphrase", "password", false, false},
    {"passcode", "password", true, false},
    {"pass", "password", true, false},
    {"pgpass", "password", false, false},
    {"sshpass", "password", false, false},
    {"storepass", "password", false, false},
    {"keypass", "password", false, false},
    {"pwd", "password", true, false},
    {"pw", "password", true, false},
    {"secret", "secret", false, false},
    {"token", "token", false, false},
    {"apikey", "api-key", false, false},
    {"api_key", "api-key", false, false},
    {"accesskey", "api-key", false, false},
    {"access_key", "api-key", false, false},
    {"secretkey", "secret", false, false},
    {"secret_key", "secret", false, false},
    {"secret_key_base", "secret", false, false},
    {"privatekey", "private-key", false, false},
    {"private_key", "private-key", false, false},
    {"signing_key", "secret", false, false},
    {"encryption_key", "secret", false, false},
    {"auth_key", "secret", false, false},
    {"authkey", "secret", false, false},
    {"credential", "secret", false, false},
    {"credentials", "secret", false, false},
    {"accountkey", "secret", false, false},
    {"sharedaccesskey", "secret", false, false},
    {"cookie", "cookie", true, false},
    {"authorization", "authorization", true, false},
    {"signature", "signature", true, true},
    {"pat", "token", true, true},
    {"sig", "signature", true, true},
    {"auth", "secret", true, true},
    {"key", "secret", true, true},
};

static char
normalize(char c)
{
    return c == '-' || c == '.' ? '_' : ascii_to_lower(c);
}

static bool
row_matches_name(const struct secret_name *row, const char *low, size_t len)
{
    size_t n = strlen(row->suffix);

    if (len < n || memcmp(low + len - n, row->suffix, n) != 0)
        return false;
    return !row->part || len == n || low[len - n - 1] == '_';
}

const struct secret_name *
secret_name_find(const char *name, size_t n)
{
    char low[SECRET_NAME_MAX] = "";
    size_t len = 0;

    while (n > 0 && ascii_is_digit(name[n - 1]))
        n--;
    for (size_t i = n < sizeof(low) ? 0 : n - sizeof(low); i < n; i++)
        low[len++] = normalize(name[i]);
    if (len == 3 && memcmp(low, "pwd", 3) == 0)
        return NULL;
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        if (row_matches_name(&rows[i], low, len))
            return &rows[i];
    }
    return NULL;
}
