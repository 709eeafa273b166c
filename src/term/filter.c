/* SPDX-License-Identifier: GPL-3.0-or-later */
/* filter.c - lets through of a command's output what stays in its place.
 *
 * The states are those of the sequences of ECMA-48, as terminals read them:
 * ESC begins one, CAN, SUB and ESC break one off. A sequence is collected and
 * let through as a whole, or not at all. */
#include "term/filter.h"

#include <string.h>

#include "base/utf8.h"
#include "term/escape.h"
#include "term/filter_rules.h"

#define BEL 0x07
#define SO  0x0E
#define SI  0x0F
#define CAN 0x18
#define SUB 0x1A
#define ESC 0x1B

/* A string (OSC, DCS…) that nobody ends would hide all that follows. Titles
 * and links are short; a picture is longer, and then shows as text. */
#define STRING_MAX (64u << 10)

enum state { GROUND, CHARACTER, ESCAPE, CSI, CSI_LONG, STRING, STRING_ESC };

void
term_filter_init(struct term_filter *f, unsigned flags)
{
    *f = (struct term_filter){.flags = flags, .at_start = true};
}

static void
emit(struct term_filter *f, struct buf *out, const char *p, size_t n)
{
    f->at_start = false;
    buf_add(out, p, n);
}

static void
emit_char(struct term_filter *f, uint32_t cp, struct buf *out)
{
    f->at_start = false;
    if (escape_is_reordering(cp))
        escape_text(out, NULL, f->seq, f->n, 0);
    else
        buf_add(out, f->seq, f->n);
}

static void
begin(struct term_filter *f, enum state state, const char *seq)
{
    f->state = state;
    f->n = strlen(seq);
    memcpy(f->seq, seq, f->n);
    f->swallowed = 0;
}

/* A control character outside any sequence. */
static void
control(struct term_filter *f, unsigned char c, struct buf *out)
{
    bool screen = f->flags & TERM_FILTER_SCREEN;

    if (c == ESC) {
        begin(f, ESCAPE, "\033");
        return;
    }
    if (c == '\n' || c == '\r' || c == '\t' || c == '\b' ||
        (screen && (c == BEL || c == SO || c == SI)))
        emit(f, out, (const char *)&c, 1);
    f->at_start |= c == '\n';
    f->shifted |= screen && c == SO;
}

/* U+0080 to U+009F: terminals take them for ESC and a letter. */
static void
c1(struct term_filter *f, uint32_t cp)
{
    if (cp == 0x9B)
        begin(f, CSI, "\033[");
    else if (cp == 0x90 || cp == 0x98 || (cp >= 0x9D && cp <= 0x9F))
        begin(f, STRING, "");
}

/* One more byte of a character: whole, begun, or broken. */
static bool
in_character(struct term_filter *f, unsigned char c, struct buf *out)
{
    uint32_t cp;

    f->seq[f->n++] = (char)c;
    if (utf8_decode(f->seq, f->n, &cp) == f->n) {
        f->state = GROUND;
        if (cp < 0xA0)
            c1(f, cp);
        else
            emit_char(f, cp, out);
        return true;
    }
    if (utf8_partial(f->seq, f->n) == f->n)
        return true;
    f->state = GROUND;
    emit(f, out, "\xEF\xBF\xBD", 3);
    return f->n == 1; /* else c begins something of its own */
}

static bool
in_escape(struct term_filter *f, unsigned char c, struct buf *out)
{
    if (c < 0x20 || c > 0x7E) {
        f->state = GROUND;
        return c == CAN || c == SUB;
    }
    f->seq[f->n++] = (char)c;
    if (f->n == 2 && c == '[') {
        f->state = CSI;
        return true;
    }
    if (f->n == 2 && strchr("]PX^_", c)) {
        begin(f, STRING, "");
        return true;
    }
    if (c < 0x30 && f->n < sizeof(f->seq))
        return true;
    f->state = GROUND;
    if (filter_esc_passes(f))
        emit(f, out, f->seq, f->n);
    return true;
}

static bool
in_csi(struct term_filter *f, unsigned char c, struct buf *out)
{
    if (c < 0x20 || c > 0x7E) {
        f->state = GROUND;
        return c == CAN || c == SUB;
    }
    if (f->n < sizeof(f->seq))
        f->seq[f->n++] = (char)c;
    else
        f->state = CSI_LONG;
    if (c < 0x40)
        return true;
    if (f->state == CSI && filter_csi_passes(f))
        buf_add(out, f->seq, f->n);
    f->state = GROUND;
    return true;
}

/* Swallows up to BEL, ESC \, or the end of the line. */
static bool
in_string(struct term_filter *f, unsigned char c)
{
    if (f->state == STRING_ESC && c != '\\') {
        begin(f, ESCAPE, "\033");
        return false;
    }
    if (c == '\n' || ++f->swallowed > STRING_MAX) {
        f->state = GROUND;
        return false;
    }
    if (c == BEL || c == CAN || c == SUB || f->state == STRING_ESC)
        f->state = GROUND;
    else if (c == ESC)
        f->state = STRING_ESC;
    return true;
}

/* Takes one byte that is no plain text; false: it ended a state and is to be
 * looked at again. */
static bool
step(struct term_filter *f, unsigned char c, struct buf *out)
{
    switch ((enum state)f->state) {
    case CHARACTER:
        return in_character(f, c, out);
    case ESCAPE:
        return in_escape(f, c, out);
    case CSI:
    case CSI_LONG:
        return in_csi(f, c, out);
    case STRING:
    case STRING_ESC:
        return in_string(f, c);
    case GROUND:
        break;
    }
    if (c >= 0x80) {
        begin(f, CHARACTER, "");
        return false;
    }
    control(f, c, out);
    return true;
}

int
term_filter_add(struct term_filter *f, const void *bytes, size_t n,
                struct buf *out)
{
    const unsigned char *p = bytes;
    size_t i = 0;

    while (i < n) {
        size_t plain = i;

        while (f->state == GROUND && plain < n && p[plain] >= 0x20 &&
               p[plain] < 0x7F)
            plain++;
        if (plain > i)
            emit(f, out, (const char *)p + i, plain - i);
        i = plain;
        if (i < n && step(f, p[i], out))
            i++;
    }
    return out->bad ? -1 : 0;
}

int
term_filter_end(struct term_filter *f, struct buf *out)
{
    bool at_start = f->at_start;

    if (f->state == CHARACTER)
        emit(f, out, "\xEF\xBF\xBD", 3);
    at_start &= f->at_start;
    filter_reset(f, out);
    term_filter_init(f, f->flags);
    f->at_start = at_start;
    return out->bad ? -1 : 0;
}
