/* SPDX-License-Identifier: GPL-3.0-or-later */
/* redact_shape.c - private keys, passwords in URLs, password hashes. */
#include <string.h>

#include "base/redact_in.h"

#define USERINFO_MAX 1024 /* longer is no user and password */
#define HASH_MIN     20   /* shortest salt and digest of crypt(3) formats */

/* "-----BEGIN x PRIVATE KEY-----" to its END line, or to the end of the text
 * when the END was cut off. */
bool
redact_pem(const struct redact_text *t, size_t i, struct redact_span *s)
{
    static const char begin[] = "-----BEGIN ", end[] = "-----END ";
    const size_t label_max = 64;
    const char *p = t->p + i, *key, *stop;
    size_t left = t->n - i, near;

    if (left <= sizeof(begin) || memcmp(p, begin, sizeof(begin) - 1) != 0)
        return false;
    near = left < label_max ? left : label_max;
    stop = memmem(p + sizeof(begin), near - sizeof(begin), "-----", 5);
    key = stop ? memmem(p, (size_t)(stop - p), "PRIVATE KEY", 11) : NULL;
    if (!key)
        return false;
    s->from = i;
    s->to = t->n;
    s->kind = "private-key";
    stop = memmem(key, left - (size_t)(key - p), end, sizeof(end) - 1);
    if (!stop)
        return true;
    stop += sizeof(end) - 1;
    near = t->n - (size_t)(stop - t->p);
    key = memmem(stop, near < label_max ? near : label_max, "-----", 5);
    s->to = key ? (size_t)(key + 5 - t->p) : (size_t)(stop - t->p);
    return true;
}

/* Where the userinfo of a URL's authority ends: at its last '@'. */
static size_t
userinfo_end(const struct redact_text *t, size_t from)
{
    size_t at = 0;

    for (size_t k = from; k < t->n && k - from < USERINFO_MAX; k++) {
        if (strchr("/?# \t\r\n\"'<>`", t->p[k]))
            break;
        if (t->p[k] == '@')
            at = k;
    }
    return at;
}

/* At the colon of "scheme://user:password@host". */
bool
redact_url(const struct redact_text *t, size_t i, struct redact_span *s)
{
    const char *colon;
    size_t from = i + 3, end;

    if (t->n - i < 4 || memcmp(t->p + i, "://", 3) != 0)
        return false;
    end = userinfo_end(t, from);
    if (end == 0 || redact_is_harmless(t->p + from, end - from))
        return false;
    colon = memchr(t->p + from, ':', end - from);
    if (colon)
        from = (size_t)(colon - t->p) + 1;
    else if (!redact_looks_random(t->p + from, end - from))
        return false; /* a user alone */
    if (redact_is_harmless(t->p + from, end - from))
        return false;
    *s = (struct redact_span){from, end, "url-password"};
    return true;
}

/* crypt(3): "$6$salt$digest" and its kin, as in /etc/shadow. */
bool
redact_crypt(const struct redact_text *t, size_t i, struct redact_span *s)
{
    static const char *const ids[] = {"$1$",  "$5$",     "$6$",     "$7$",
                                      "$y$",  "$gy$",    "$2a$",    "$2b$",
                                      "$2y$", "$argon2", "$scrypt$"};
    size_t end = i;

    for (size_t k = 0; k < sizeof(ids) / sizeof(ids[0]); k++) {
        size_t n = strlen(ids[k]);

        if (t->n - i <= n || memcmp(t->p + i, ids[k], n) != 0)
            continue;
        for (end = i + n; end < t->n; end++) {
            if (!redact_is_word(t->p[end]) && !strchr("$./+=,-", t->p[end]))
                break;
        }
        if (end - i < HASH_MIN)
            return false;
        *s = (struct redact_span){i, end, "password-hash"};
        return true;
    }
    return false;
}
