/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bus_topic.c - which topics a pattern matches. */
#include "server/bus/bus_topic.h"

#include <string.h>

enum bus_pattern_kind
bus_topic_kind(const char *pattern, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (pattern[i] == '*' || pattern[i] == '?' || pattern[i] == '[')
            return BUS_TOPIC_GLOB;
    return n > 0 && (pattern[n - 1] == '-' || pattern[n - 1] == ':')
               ? BUS_TOPIC_PREFIX
               : BUS_TOPIC_ITSELF;
}

/* The character at the front of valid UTF-8; *size is how many bytes it has. */
static uint32_t
topic_character(const char *s, size_t n, size_t *size)
{
    unsigned char c = (unsigned char)s[0];
    size_t len = c < 0x80 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
    uint32_t v = len == 1 ? c : c & (0x7fu >> len);

    if (len > n)
        len = n;
    for (size_t i = 1; i < len; i++)
        v = v << 6 | ((unsigned char)s[i] & 0x3fu);
    *size = len;
    return v;
}

/* Whether a set, at whose bracket s is, has the character; *size is how many
 * bytes it has, 0 where it is not closed. */
static bool
set_has(const char *s, size_t n, uint32_t c, size_t *size)
{
    size_t at = 1, len, first;
    bool negated = n > 1 && s[1] == '!', found = false;

    at += negated;
    first = at;
    *size = 0;
    while (at < n && (s[at] != ']' || at == first)) {
        uint32_t low = topic_character(s + at, n - at, &len), high = low;

        at += len;
        if (at + 1 < n && s[at] == '-' && s[at + 1] != ']') {
            high = topic_character(s + at + 1, n - at - 1, &len);
            at += 1 + len;
        }
        found = found || (low <= c && c <= high);
    }
    if (at >= n)
        return false;
    *size = at + 1;
    return found != negated;
}

/* Whether the front of a pattern, which is no star, matches the character at
 * the front of a topic; *used is how many bytes of the pattern that takes. */
static bool
matches_one(const char *pattern, size_t n, const char *topic, size_t topic_n,
            size_t *used)
{
    size_t size, own;
    uint32_t c = topic_character(topic, topic_n, &size);
    bool has;

    *used = 1;
    if (*pattern == '?')
        return true;
    if (*pattern == '[') {
        has = set_has(pattern, n, c, used);
        if (*used > 0)
            return has;
    }
    has = topic_character(pattern, n, &own) == c;
    *used = own;
    return has;
}

/* Goes back to the last star only, so that it takes n times topic_n steps at
 * most. */
static bool
matches_glob(const char *pattern, size_t n, const char *topic, size_t topic_n)
{
    size_t at = 0, topic_at = 0, star = SIZE_MAX, back = 0, used, size;

    while (topic_at < topic_n) {
        if (at < n && pattern[at] == '*') {
            star = ++at;
            back = topic_at;
            if (star == n)
                return true;
        } else if (at < n && matches_one(pattern + at, n - at, topic + topic_at,
                                         topic_n - topic_at, &used)) {
            at += used;
            (void)topic_character(topic + topic_at, topic_n - topic_at, &size);
            topic_at += size;
        } else if (star != SIZE_MAX) {
            (void)topic_character(topic + back, topic_n - back, &size);
            back += size;
            at = star;
            topic_at = back;
        } else {
            return false;
        }
    }
    while (at < n && pattern[at] == '*')
        at++;
    return at == n;
}

bool
bus_topic_matches(const char *pattern, size_t n, const char *topic,
                  size_t topic_n)
{
    switch (bus_topic_kind(pattern, n)) {
    case BUS_TOPIC_GLOB:
        return matches_glob(pattern, n, topic, topic_n);
    case BUS_TOPIC_PREFIX:
        return topic_n >= n && memcmp(pattern, topic, n) == 0;
    default:
        return topic_n == n && memcmp(pattern, topic, n) == 0;
    }
}

/* FNV-1a */
uint64_t
bus_topic_hash(const char *s, size_t n)
{
    uint64_t h = 14695981039346656037u;

    for (size_t i = 0; i < n; i++)
        h = (h ^ (unsigned char)s[i]) * 1099511628211u;
    return h ^ h >> 29;
}
