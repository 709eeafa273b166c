/* SPDX-License-Identifier: GPL-3.0-or-later */
/* risk_deceit.c - letters that look like others, or like nothing. */
#include <string.h>

#include "base/utf8.h"
#include "guard/risk/risk_expand.h"
#include "guard/risk/risk_memory.h"
#include "guard/risk/risk_run.h"
#include "term/escape.h"

#define LATIN_END 0x250u /* below: letters that look like what they are */

/* One character; a byte that is no UTF-8 stands for the replacement. */
static size_t
decode(const char *s, size_t n, uint32_t *cp)
{
    size_t step = utf8_decode(s, n, cp);

    if (step > 0)
        return step;
    *cp = UTF8_REPLACEMENT;
    return 1;
}

bool
risk_name_deceives(const char *name)
{
    size_t n = strlen(name);

    for (size_t i = 0, step; i < n; i += step) {
        uint32_t cp;

        step = decode(name + i, n - i, &cp);
        if (escape_is_hidden(cp) || cp >= LATIN_END ||
            (cp >= 0x80 && cp < 0xc0))
            return true;
    }
    return false;
}

/* Joiners and variation selectors belong to emoji and to some scripts. */
static bool
belongs(uint32_t cp, uint32_t before)
{
    return before >= 0x80 &&
           (cp == 0x200c || cp == 0x200d || (cp >= 0xfe00 && cp <= 0xfe0f) ||
            (cp >= 0xe0100 && cp <= 0xe01ef));
}

/* Blanks of other widths are typography inside quotes, a trick outside. */
static bool
is_blank(uint32_t cp)
{
    return cp == 0xa0 || (cp >= 0x2000 && cp <= 0x200a) || cp == 0x202f ||
           cp == 0x205f || cp == 0x3000;
}

static bool
deceives(const struct syntax_part *p)
{
    const char *s = p->text;
    size_t n = strlen(s);
    uint32_t before = 0;

    for (size_t i = 0, step; i < n; i += step) {
        uint32_t cp;

        step = decode(s + i, n - i, &cp);
        if (cp >= 0x80 && escape_is_hidden(cp) && !belongs(cp, before) &&
            cp != UTF8_REPLACEMENT && !(p->quoted && is_blank(cp)))
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
risk_deceit(struct risk_state *st, const struct risk_frame *f,
            const struct syntax_word *w)
{
    if (w->flags & SYNTAX_ANSI || is_ascii(w->text))
        return;
    for (const struct syntax_part *p = w->parts; p; p = p->next)
        if (deceives(p)) {
            risk_say_opaque(st, risk_from(f, w->from), risk_to(f, w->to),
                            "contains invisible characters");
            return;
        }
}
