/* SPDX-License-Identifier: GPL-3.0-or-later */
/* utf8.c - decodes, encodes, validates and repairs UTF-8 (RFC 3629). */
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Length that a lead byte announces, 0 when it leads nothing; *low and *high
 * bound the second byte (RFC 3629, section 4). */
static size_t
lead(unsigned char c, unsigned char *low, unsigned char *high)
{
    *low = 0x80;
    *high = 0xBF;
    if (c < 0x80)
        return 1;
    if (c < 0xC2 || c > 0xF4)
        return 0;
    if (c == 0xE0)
        *low = 0xA0;
    if (c == 0xED)
        *high = 0x9F;
    if (c == 0xF0)
        *low = 0x90;
    if (c == 0xF4)
        *high = 0x8F;
    return c < 0xE0 ? 2 : c < 0xF0 ? 3 : 4;
}

/* The number of valid bytes at p: of a whole character (*whole), or of the
 * longest start of one. */
static size_t
good_prefix(const char *p, size_t n, bool *whole)
{
    const unsigned char *u = (const unsigned char *)p;
    unsigned char low, high;
    size_t want = lead(u[0], &low, &high);
    size_t i = 1;

    *whole = false;
    if (want == 0)
        return 0;
    for (; i < want && i < n; i++) {
        if (u[i] < (i == 1 ? low : 0x80) || u[i] > (i == 1 ? high : 0xBF))
            return i;
    }
    *whole = i == want;
    return i;
}

size_t
utf8_decode(const char *p, size_t n, uint32_t *cp)
{
    static const unsigned char lead_bits[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
    bool whole;
    size_t len = good_prefix(p, n, &whole);

    if (!whole)
        return 0;
    *cp = (unsigned char)p[0] & lead_bits[len];
    for (size_t i = 1; i < len; i++)
        *cp = *cp << 6 | ((unsigned char)p[i] & 0x3F);
    return len;
}

size_t
utf8_bytes(char b[UTF8_MAX], uint32_t cp)
{
    if (cp > 0x10FFFF || (cp >= 0xD800 && cp <= 0xDFFF))
        cp = UTF8_REPLACEMENT;
    if (cp < 0x80) {
        b[0] = (char)cp;
        return 1;
    }
    if (cp < 0x800) {
        b[0] = (char)(0xC0 | cp >> 6);
        b[1] = (char)(0x80 | (cp & 0x3F));
        return 2;
    }
    if (cp < 0x10000) {
        b[0] = (char)(0xE0 | cp >> 12);
        b[1] = (char)(0x80 | (cp >> 6 & 0x3F));
        b[2] = (char)(0x80 | (cp & 0x3F));
        return 3;
    }
    b[0] = (char)(0xF0 | cp >> 18);
    b[1] = (char)(0x80 | (cp >> 12 & 0x3F));
    b[2] = (char)(0x80 | (cp >> 6 & 0x3F));
    b[3] = (char)(0x80 | (cp & 0x3F));
    return 4;
}

int
utf8_encode(struct buf *out, uint32_t cp)
{
    char b[UTF8_MAX];

    return buf_add(out, b, utf8_bytes(b, cp));
}

/* The number of ASCII bytes at the front, by eight at a time, since most text
 * is ASCII. */
static size_t
ascii_length(const char *p, size_t n)
{
    size_t i = 0;
    uint64_t word;

    for (; n - i >= sizeof(word); i += sizeof(word)) {
        memcpy(&word, p + i, sizeof(word));
        if (word & UINT64_C(0x8080808080808080))
            break;
    }
    while (i < n && !((unsigned char)p[i] & 0x80))
        i++;
    return i;
}

/* Offset of the first byte that is not UTF-8, or n. */
static size_t
first_bad(const char *p, size_t n)
{
    size_t i = 0;

    while ((i += ascii_length(p + i, n - i)) < n) {
        bool whole;
        size_t len;

        len = good_prefix(p + i, n - i, &whole);
        if (!whole)
            return i;
        i += len;
    }
    return n;
}

bool
utf8_is_in(const struct utf8_range *table, size_t n, uint32_t cp)
{
    size_t low = 0, high = n;

    while (low < high) {
        size_t mid = low + (high - low) / 2;

        if (cp > table[mid].last)
            low = mid + 1;
        else
            high = mid;
    }
    return low < n && cp >= table[low].first;
}

bool
utf8_valid(const char *p, size_t n)
{
    return first_bad(p, n) == n;
}

int
utf8_repair(struct buf *out, const char *p, size_t n)
{
    while (n > 0) {
        size_t good = first_bad(p, n);
        bool whole;
        size_t bad;

        buf_add(out, p, good);
        p += good;
        n -= good;
        if (n == 0)
            break;
        bad = good_prefix(p, n, &whole);
        bad += bad == 0;
        utf8_encode(out, UTF8_REPLACEMENT);
        p += bad;
        n -= bad;
    }
    return out->bad ? -1 : 0;
}

size_t
utf8_boundary(const char *p, size_t n, size_t at)
{
    if (at >= n)
        return n;
    while (at > 0 && ((unsigned char)p[at] & 0xC0) == 0x80)
        at--;
    return at;
}

size_t
utf8_incomplete_tail(const char *p, size_t n)
{
    for (size_t back = 1; back <= 3 && back <= n; back++) {
        bool whole;

        if (((unsigned char)p[n - back] & 0xC0) == 0x80)
            continue;
        if (good_prefix(p + n - back, back, &whole) == back && !whole)
            return back;
        return 0;
    }
    return 0;
}

static const char *
locale_variable(const char *name)
{
    const char *v = getenv(name);

    return v && *v ? v : NULL;
}

/* The first of the three variables that is set decides (POSIX, 8.2). */
bool
utf8_is_locale(void)
{
    const char *v = locale_variable("LC_ALL");

    if (!v)
        v = locale_variable("LC_CTYPE");
    if (!v)
        v = locale_variable("LANG");
    v = v ? strchr(v, '.') : NULL;
    return v && (strncasecmp(v, ".utf-8", 6) == 0 ||
                 strncasecmp(v, ".utf8", 5) == 0);
}
