/* SPDX-License-Identifier: GPL-3.0-or-later */
/* config_headers.c - checks a setting that is a list of HTTP headers. */
#include "config/config_headers.h"

#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/ascii.h"

#define BLANKS          " \t"
#define HEADER_NAME_MAX 64   /* bytes: no service has a longer one */
#define VALUE_MAX       4096 /* a token of an identity service has 2 KiB */

/* Headers that a request has anyway, or that frame it. Another value would
 * silently replace ours, or cut the request. */
struct own_header {
    const char *name, *advice;
};

static const struct own_header own_headers[] = {
    {"authorization", "api_key_file or api_key_command sets it"},
    {"x-api-key", "api_key_file or api_key_command sets it"},
    {"x-goog-api-key", "api_key_file or api_key_command sets it"},
    {"anthropic-version", "agentsh sets it"},
    {"content-type", "agentsh sets it"},
    {"content-length", "agentsh sets it"},
    {"content-encoding", "agentsh sets it"},
    {"user-agent", "agentsh sets it"},
    {"accept", "agentsh sets it"},
    {"accept-encoding", "agentsh sets it"},
    {"host", "base_url sets it"},
    {"connection", "agentsh sets it"},
    {"expect", "agentsh sets it"},
    {"te", "agentsh sets it"},
    {"trailer", "agentsh sets it"},
    {"transfer-encoding", "agentsh sets it"},
    {"upgrade", "agentsh sets it"},
    {"proxy-authorization", "HTTPS_PROXY sets it"},
};

/* The length of the name, a token of RFC 9110, 5.6.2; 0: it is none. */
static size_t
name_length(const char *p, size_t n)
{
    size_t i = 0;

    while (i < n && (ascii_is_word(p[i]) ||
                     (p[i] != '\0' && strchr("!#$%&'*+-.^`~", p[i]))))
        i++;
    return i < n && p[i] == ':' && i <= HEADER_NAME_MAX ? i : 0;
}

/* Whether a value has printable ASCII and blanks alone (RFC 9110, 5.5). */
static bool
is_header_value(const char *p, size_t n)
{
    while (n > 0 && strchr(BLANKS, *p)) {
        p++;
        n--;
    }
    for (size_t i = 0; i < n; i++) {
        if ((p[i] < ' ' || p[i] > '~') && p[i] != '\t')
            return false;
    }
    return n > 0 && n <= VALUE_MAX;
}

static const struct own_header *
find_own(const char *name, size_t n)
{
    for (size_t i = 0; i < ARRAY_SIZE(own_headers); i++) {
        if (strlen(own_headers[i].name) == n &&
            strncasecmp(own_headers[i].name, name, n) == 0)
            return &own_headers[i];
    }
    return NULL;
}

static bool
is_repeated(const char *text, const char *item, size_t name)
{
    const char *other;
    size_t n;

    while (config_header_next(&text, &other, &n) && other != item) {
        if (name_length(other, n) == name &&
            strncasecmp(other, item, name) == 0)
            return true;
    }
    return false;
}

static int
check_header(const struct config_row *row, const char *text, const char *item,
             size_t n, struct err *e)
{
    size_t name = name_length(item, n);
    const struct own_header *own = find_own(item, name);

    if (name == 0)
        return err_set(e, ERR_CONFIG,
                       "%s must be \"Name: value\", with | between two, or "
                       "none",
                       row->name);
    if (own)
        return err_set(e, ERR_CONFIG, "%s cannot have %.*s: %s", row->name,
                       (int)name, item, own->advice);
    if (!is_header_value(item + name + 1, n - name - 1))
        return err_set(e, ERR_CONFIG,
                       "%s: the value of %.*s must have 1 to %d printable "
                       "ASCII characters",
                       row->name, (int)name, item, VALUE_MAX);
    if (is_repeated(text, item, name))
        return err_set(e, ERR_CONFIG, "%s has %.*s twice", row->name, (int)name,
                       item);
    return 0;
}

int
config_headers_check(const struct config_row *row, const char *text,
                     struct err *e)
{
    const char *at = text, *item;
    size_t n, count = 0;

    while (config_header_next(&at, &item, &n)) {
        if (check_header(row, text, item, n, e) < 0)
            return -1;
        if (++count > (size_t)row->max)
            return err_set(e, ERR_CONFIG, "%s has more than %.0f elements",
                           row->name, row->max);
    }
    return 0;
}
