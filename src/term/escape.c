/* SPDX-License-Identifier: GPL-3.0-or-later */
/* escape.c - makes every byte visible of text that a person approves. */
#include "term/escape.h"

#include <string.h>

#include "base/array.h"
#include "base/ascii.h"
#include "base/utf8.h"
#include "term/style.h"

/* Characters that show nothing, or something other than themselves: the general
 * categories Cf, Zl, Zp, Co, the noncharacters, Default_Ignorable_Code_Point,
 * and letters and symbols with an empty glyph (Unicode 15). Controls and blanks
 * are handled apart. Sorted. */
static const struct utf8_range hidden[] = {
    {0x00AD, 0x00AD},   /* soft hyphen */
    {0x034F, 0x034F},   /* grapheme joiner */
    {0x0600, 0x0605},   /* Arabic number signs */
    {0x061C, 0x061C},   /* Arabic letter mark */
    {0x06DD, 0x06DD},   /* end of ayah */
    {0x070F, 0x070F},   /* Syriac abbreviation */
    {0x0890, 0x0891},   /* Arabic pound and piastre marks */
    {0x08E2, 0x08E2},   /* disputed end of ayah */
    {0x115F, 0x1160},   /* Hangul fillers */
    {0x17B4, 0x17B5},   /* Khmer inherent vowels */
    {0x180B, 0x180F},   /* Mongolian selectors and separator */
    {0x200B, 0x200F},   /* zero width, joiners, directional marks */
    {0x2028, 0x202E},   /* separators, embeddings, overrides */
    {0x2060, 0x206F},   /* joiner, invisible operators, isolates */
    {0x2800, 0x2800},   /* empty Braille */
    {0x3164, 0x3164},   /* Hangul filler */
    {0xD800, 0xF8FF},   /* private use (surrogates cannot come) */
    {0xFDD0, 0xFDEF},   /* noncharacters */
    {0xFE00, 0xFE0F},   /* variation selectors */
    {0xFEFF, 0xFEFF},   /* byte order mark */
    {0xFFA0, 0xFFA0},   /* halfwidth Hangul filler */
    {0xFFF0, 0xFFFB},   /* ignorable, annotation anchors */
    {0xFFFE, 0xFFFF},   /* noncharacters */
    {0x110BD, 0x110BD}, /* Kaithi number signs */
    {0x110CD, 0x110CD}, /* … above */
    {0x13430, 0x1343F}, /* Egyptian joiners */
    {0x1BCA0, 0x1BCA3}, /* shorthand controls */
    {0x1D173, 0x1D17A}, /* musical beams */
    {0x1FFFE, 0x1FFFF}, /* noncharacters, here and below */
    {0x2FFFE, 0x2FFFF},  {0x3FFFE, 0x3FFFF}, {0x4FFFE, 0x4FFFF},
    {0x5FFFE, 0x5FFFF},  {0x6FFFE, 0x6FFFF}, {0x7FFFE, 0x7FFFF},
    {0x8FFFE, 0x8FFFF},  {0x9FFFE, 0x9FFFF}, {0xAFFFE, 0xAFFFF},
    {0xBFFFE, 0xBFFFF},  {0xCFFFE, 0xCFFFF}, {0xDFFFE, 0xDFFFF},
    {0xE0000, 0x10FFFF}, /* tags, selectors, private planes */
};

/* White space that does not separate words for a shell: category Zs without the
 * blank. */
static const struct utf8_range blanks[] = {
    {0x00A0, 0x00A0}, {0x1680, 0x1680}, {0x2000, 0x200A},
    {0x202F, 0x202F}, {0x205F, 0x205F}, {0x3000, 0x3000},
};

/* Characters that join or vary the one before. */
static const struct utf8_range joiners[] = {
    {0x180B, 0x180D},
    {0x200C, 0x200D},
    {0xFE00, 0xFE0F},
};

static const struct utf8_range reordering[] = {
    {0x202A, 0x202E},
    {0x2066, 0x2069},
    {0xE0000, 0xE007F},
};

#define IS_IN(table, cp) utf8_is_in(table, ARRAY_SIZE(table), cp)

static bool
is_control(uint32_t cp)
{
    return cp < 0x20 || (cp >= 0x7F && cp < 0xA0);
}

bool
escape_is_hidden(uint32_t cp)
{
    if (cp < 0x7F)
        return cp < 0x20;
    return is_control(cp) || IS_IN(hidden, cp) || IS_IN(blanks, cp);
}

bool
escape_is_reordering(uint32_t cp)
{
    return IS_IN(reordering, cp);
}

/* The state of a scan: what prose allows depends on the characters before. */
struct escape_scan {
    const char *p;
    size_t n;
    unsigned flags;
    uint32_t base;   /* the last character that stands for itself */
    unsigned joined; /* joiners and selectors since then */
};

/* The emoji "heart on fire" is a heart, a selector, a joiner and a fire; more
 * joiners in a row could hide a message. */
#define JOINED_MAX 2

/* Whether it is the selector in a keycap: 1, U+FE0F, U+20E3. */
static bool
is_keycap(const struct escape_scan *s, uint32_t cp, size_t len)
{
    bool key = ascii_is_digit((int)s->base) || s->base == '#' || s->base == '*';

    return key && cp == 0xFE0F && s->n - len >= 3 &&
           memcmp(s->p + len, "\xE2\x83\xA3", 3) == 0;
}

/* Whether the character at s->p is shown unescaped; updates s. */
static bool
stays(struct escape_scan *s, uint32_t cp, size_t len)
{
    if (cp == '\n' || cp == '\t')
        return !(s->flags & ESCAPE_LINES);
    if (!escape_is_hidden(cp)) {
        s->base = cp;
        s->joined = 0;
        return true;
    }
    if (!(s->flags & ESCAPE_PROSE))
        return false;
    if (IS_IN(joiners, cp) && (s->base >= 0x80 || is_keycap(s, cp, len)))
        return s->joined++ < JOINED_MAX;
    s->base = 0;
    return IS_IN(blanks, cp);
}

static void
add_visible_escape(struct buf *out, const struct term *t, uint32_t cp)
{
    buf_str(out, style_on(t, STYLE_HOSTILE));
    if (cp < 0x100)
        buf_printf(out, "\\x%02x", (unsigned)cp);
    else if (cp < 0x10000)
        buf_printf(out, "\\u%04x", (unsigned)cp);
    else
        buf_printf(out, "\\U%08x", (unsigned)cp);
    buf_str(out, style_off(t, STYLE_HOSTILE));
}

int
escape_text(struct buf *out, const struct term *t, const char *p, size_t n,
            unsigned flags)
{
    struct escape_scan s = {.p = p, .n = n, .flags = flags};
    const char *clean = p; /* not yet appended */

    while (s.n > 0) {
        uint32_t cp = (unsigned char)*s.p;
        size_t len = utf8_decode(s.p, s.n, &cp);
        bool stay = len > 0 && stays(&s, cp, len);

        len += len == 0;
        if (!stay) {
            buf_add(out, clean, (size_t)(s.p - clean));
            add_visible_escape(out, t, cp);
            clean = s.p + len;
        }
        s.p += len;
        s.n -= len;
    }
    return buf_add(out, clean, (size_t)(s.p - clean));
}

int
escape_str(struct buf *out, const struct term *t, const char *s, unsigned flags)
{
    return escape_text(out, t, s, strlen(s), flags);
}

bool
escape_is_clean(const char *p, size_t n)
{
    struct escape_scan s = {.p = p, .n = n};

    while (s.n > 0) {
        uint32_t cp;
        size_t len = utf8_decode(s.p, s.n, &cp);

        if (len == 0 || !stays(&s, cp, len))
            return false;
        s.p += len;
        s.n -= len;
    }
    return true;
}
