/* SPDX-License-Identifier: GPL-3.0-or-later */
/* secret_name.c - which names of variables and fields mean a secret value. */
#include "base/secret_name.h"

#include <string.h>

#include "base/array.h"
#include "base/ascii.h"

/* A row, and the length of its suffix: many names are compared with all. */
struct name_row {
    struct secret_name is;
    size_t n;
};
#define NAME_ROW(suffix, ...)                                                  \
    {                                                                          \
        {suffix, __VA_ARGS__}, sizeof(suffix) - 1                              \
    }

static const struct name_row rows[] = {
    NAME_ROW("password", "password", false, false),
    NAME_ROW("passwd", "password", false, false),
    NAME_ROW("passphrase", "password", false, false),
    NAME_ROW("passcode", "password", true, false),
    NAME_ROW("pass", "password", true, false),
    NAME_ROW("pgpass", "password", false, false),
    NAME_ROW("sshpass", "password", false, false),
    NAME_ROW("storepass", "password", false, false),
    NAME_ROW("keypass", "password", false, false),
    NAME_ROW("pwd", "password", true, false),
    NAME_ROW("pw", "password", true, false),
    NAME_ROW("secret", "secret", false, false),
    NAME_ROW("token", "token", false, false),
    NAME_ROW("apikey", "api-key", false, false),
    NAME_ROW("api_key", "api-key", false, false),
    NAME_ROW("accesskey", "api-key", false, false),
    NAME_ROW("access_key", "api-key", false, false),
    NAME_ROW("secretkey", "secret", false, false),
    NAME_ROW("secret_key", "secret", false, false),
    NAME_ROW("secret_key_base", "secret", false, false),
    NAME_ROW("privatekey", "private-key", false, false),
    NAME_ROW("private_key", "private-key", false, false),
    NAME_ROW("signing_key", "secret", false, false),
    NAME_ROW("encryption_key", "secret", false, false),
    NAME_ROW("auth_key", "secret", false, false),
    NAME_ROW("authkey", "secret", false, false),
    NAME_ROW("credential", "secret", false, false),
    NAME_ROW("credentials", "secret", false, false),
    NAME_ROW("accountkey", "secret", false, false),
    NAME_ROW("sharedaccesskey", "secret", false, false),
    NAME_ROW("cookie", "cookie", true, false),
    NAME_ROW("authorization", "authorization", true, false),
    NAME_ROW("signature", "signature", true, true),
    NAME_ROW("pat", "token", true, true),
    NAME_ROW("sig", "signature", true, true),
    NAME_ROW("auth", "secret", true, true),
    NAME_ROW("key", "secret", true, true),
};

void
secret_name_index(struct pair_index *x)
{
    pair_index_init(x);
    for (size_t k = ARRAY_SIZE(rows); k-- > 0;) {
        const char *end = rows[k].is.suffix + rows[k].n;

        pair_index_add(x, k, end[-1], end[-2]);
    }
}

static char
normalize(char c)
{
    return c == '-' || c == '.' ? '_' : ascii_to_lower(c);
}

static bool
row_matches_name(const struct name_row *row, const char *low, size_t len)
{
    size_t n = row->n;

    if (len < n || low[len - 1] != row->is.suffix[n - 1] ||
        memcmp(low + len - n, row->is.suffix, n) != 0)
        return false;
    return !row->is.part || len == n || low[len - n - 1] == '_';
}

const struct secret_name *
secret_name_look_up(const struct pair_index *x, const char *name, size_t n)
{
    char low[SECRET_NAME_MAX];
    size_t len = 0, k;

    while (n > 0 && ascii_is_digit(name[n - 1]))
        n--;
    if (n < 2)
        return NULL; /* no suffix is as short */
    k = pair_index_first(x, normalize(name[n - 1]), normalize(name[n - 2]));
    if (k >= ARRAY_SIZE(rows))
        return NULL;
    for (size_t i = n < sizeof(low) ? 0 : n - sizeof(low); i < n; i++)
        low[len++] = normalize(name[i]);
    if (len == 3 && memcmp(low, "pwd", 3) == 0)
        return NULL;
    while (k < ARRAY_SIZE(rows) && !row_matches_name(&rows[k], low, len))
        k = pair_index_next(x, k);
    return k < ARRAY_SIZE(rows) ? &rows[k].is : NULL;
}

const struct secret_name *
secret_name_find(const char *name, size_t n)
{
    return secret_name_look_up(NULL, name, n);
}
