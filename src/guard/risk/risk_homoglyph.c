/* SPDX-License-Identifier: GPL-3.0-or-later */
/* risk_homoglyph.c - finds characters that look like others, or that are
 * invisible. */
#include <string.h>

#include "base/utf8.h"
#include "guard/risk/risk_findings.h"
#include "guard/risk/risk_internal.h"
#include "term/escape.h"

#define LATIN_END 0x250u /* below it letters are distinct */

/* Decodes one character; a byte that is not UTF-8 gives the replacement
 * character. */
static size_t
decode_char(const char *s, size_t n, uint32_t *cp)
{
    size_t step = utf8_decode(s, n, cp);

    if (step > 0)
        return step;
    *cp = UTF8_REPLACEMENT;
    return 1;
}

bool
risk_homoglyph_in_name(const char *name)
{
    size_t n = strlen(name);

    for (size_t i = 0, step; i < n; i += step) {
        uint32_t cp;

        step = decode_char(name + i, n - i, &cp);
        if (escape_is_hidden(cp) || cp >= LATIN_END ||
            (cp >= 0x80 && cp < 0xc0))
            return true;
    }
    return false;
}

/* Joiners and variation selectors are part of emoji and of some scripts. */
static bool
is_joiner(uint32_t cp, uint32_t before)
{
    return before >= 0x80 &&
           (cp == 0x200c || cp == 0x200d || (cp >= 0xfe00 && cp <= 0xfe0f) ||
            (cp >= 0xe0100 && cp <= 0xe01ef));
}

/* Blanks of other widths are typography inside quotes; outside they hide that a
 * word continues. */
static bool
is_wide_blank(uint32_t cp)
{
    return cp == 0xa0 || (cp >= 0x2000 && cp <= 0x200a) || cp == 0x202f ||
           cp == 0x205f || cp == 0x3000;
}

static bool
has_hidden_char(const struct syntax_part *p)
{
    const char *s = p->text;
    size_t n = strlen(s);
    uint32_t before = 0;

    for (size_t i = 0, step; i < n; i += step) {
        uint32_t cp;

        step = decode_char(s + i, n - i, &cp);
        if (cp >= 0x80 && escape_is_hidden(cp) && !is_joiner(cp, before) &&
            cp != UTF8_REPLACEMENT && !(p->quoted && is_wide_blank(cp)))
            return true;
        before = cp;
    }
    return false;
}

static bool
is_ascii(const char *s)
{
    for (; *s; s++)
        if ((unsigned char)*s >= 0x80)
            return false;
    return true;
}

void
risk_homoglyph_check(struct risk_state *st, const struct risk_frame *f,
                     const struct syntax_word *w)
{
    if (w->flags & SYNTAX_ANSI || is_ascii(w->text))
        return;
    for (const struct syntax_part *p = w->parts; p; p = p->next)
        if (has_hidden_char(p)) {
            risk_report_unread(st, risk_line_from(f, w->from),
                               risk_line_to(f, w->to),
                               "contains invisible characters");
            return;
        }
}
