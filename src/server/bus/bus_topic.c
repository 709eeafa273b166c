/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bus_topic.c - which topics a pattern matches. */
#include "server/bus/bus_topic.h"

#include <string.h>

static bool
is_glob_character(char c)
{
    return c == '*' || c == '?' || c == '[';
}

enum bus_pattern_kind
bus_topic_kind(const char *pattern, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (is_glob_character(pattern[i]))
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

/* How many bytes at the front of a pattern stand for themselves. */
static size_t
literal_size(const char *pattern, size_t n)
{
    size_t size = 0;

    while (size < n && !is_glob_character(pattern[size]))
        size++;
    return size;
}

/* Where behind a star the rest of a pattern may begin in a topic, from `at` on;
 * SIZE_MAX: nowhere. What stands for itself is looked for at once, so that a
 * pattern of stars and such text takes one pass. */
static size_t
find_behind_star(const char *rest, size_t n, const char *topic, size_t topic_n,
                 size_t at)
{
    size_t size = literal_size(rest, n);
    const char *found;

    if (size == n && size > topic_n - at)
        return SIZE_MAX;
    if (size == n)
        return memcmp(topic + topic_n - size, rest, size) == 0 ? topic_n - size
                                                               : SIZE_MAX;
    if (size <= topic_n - at && memcmp(topic + at, rest, size) == 0)
        return at;
    found = size == 1 ? memchr(topic + at, *rest, topic_n - at)
                      : memmem(topic + at, topic_n - at, rest, size);
    return found ? (size_t)(found - topic) : SIZE_MAX;
}

/* Goes back to the last star only, so that it takes n times topic_n steps at
 * most: fewer where no `?` or `[` is behind a star. */
static bool
matches_glob(const char *pattern, size_t n, const char *topic, size_t topic_n)
{
    size_t at = 0, topic_at = 0, star = SIZE_MAX, back = 0, used, size;

    while (topic_at < topic_n) {
        if (at < n && pattern[at] == '*') {
            star = ++at;
            back = topic_at;
        } else if (at < n && matches_one(pattern + at, n - at, topic + topic_at,
                                         topic_n - topic_at, &used)) {
            at += used;
            (void)topic_character(topic + topic_at, topic_n - topic_at, &size);
            topic_at += size;
            continue;
        } else if (star != SIZE_MAX) {
            (void)topic_character(topic + back, topic_n - back, &size);
            back += size;
            at = star;
        } else {
            return false;
        }
        if (star == n)
            return true;
        back = find_behind_star(pattern + star, n - star, topic, topic_n, back);
        if (back == SIZE_MAX)
            return false;
        topic_at = back;
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
