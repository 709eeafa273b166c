/* SPDX-License-Identifier: GPL-3.0-or-later */
/* term_filter.c - lets a command's output through, but for what reaches beyond
 * its place on the screen.
 *
 * The states are those of the sequences of ECMA-48, as terminals read them:
 * ESC begins one; CAN, SUB and ESC break one off. A sequence is collected and
 * passes as a whole, or not at all. */
#include "term/term_filter.h"

#include <stdbool.h>
#include <string.h>

#include "base/array.h"
#include "base/ascii.h"
#include "base/utf8.h"
#include "term/escape.h"

#define SO 0x0E
#define SI 0x0F

/* An unterminated string (OSC, DCS…) would hide all output after it. Titles and
 * links are shorter; a longer one, such as a picture, shows as text. */
#define STRING_MAX (64u << 10)

enum filter_state {
    GROUND,
    CHARACTER,
    ESCAPE,
    CSI,
    CSI_LONG,
    STRING,
    STRING_ESC
};

/* Which sequences pass, and what they leave behind. */

/* Final bytes of the control sequences that pass, by what they reach. */
static const char line_finals[] = "CDGKPX@`a";
static const char screen_finals[] = "ABEFHIJLMSTZbdefrsu";

/* The modes that full-screen programs set, and that are reset at the end; the
 * first one is ANSI's insert mode, the others are private (after '?'). */
static const struct mode {
    unsigned number;
    bool normal; /* the value without such programs */
} modes[] = {
    {4, false},    {1, false},    {7, true},     {12, false},   {25, true},
    {47, false},   {1000, false}, {1002, false}, {1003, false}, {1006, false},
    {1047, false}, {1049, false}, {2004, false},
};

#define N_MODES ARRAY_SIZE(modes)
/* The bit after those of the modes: a scrolling region is set. */
#define REGION (1u << N_MODES)

/* Whether the parameters are only digits and separators, without private marks.
 */
static bool
are_plain_parameters(const char *params, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!ascii_is_digit(params[i]) && params[i] != ';' && params[i] != ':')
            return false;
    }
    return true;
}

static bool
is_reset(const char *params, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (params[i] != '0' && params[i] != ';')
            return false;
    }
    return true;
}

/* The row of a mode, N_MODES when there is none. */
static size_t
find_mode(unsigned number, bool is_private)
{
    for (size_t row = is_private; row < (is_private ? N_MODES : 1); row++) {
        if (modes[row].number == number)
            return row;
    }
    return N_MODES;
}

/* N;N… h or l, all private or none: every mode must be a row. */
static bool
set_modes(struct term_filter *f, const char *params, size_t n, bool on)
{
    bool is_private = n > 0 && params[0] == '?';
    unsigned other = f->modes, number = 0;

    for (size_t i = is_private; i <= n; i++) {
        size_t row;

        if (i < n && ascii_is_digit(params[i]) && number < 10000) {
            number = number * 10 + (unsigned)(params[i] - '0');
            continue;
        }
        row = find_mode(number, is_private);
        if (row == N_MODES || (i < n && params[i] != ';'))
            return false;
        other &= ~(1u << row);
        if (on != modes[row].normal)
            other |= 1u << row;
        number = 0;
    }
    f->modes = other;
    return true;
}

/* Whether the complete control sequence (ESC [ … final) in f->seq passes;
 * records in f what it changes. */
static bool
csi_passes(struct term_filter *f)
{
    char final = f->seq[f->n - 1];
    const char *params = f->seq + 2;
    size_t n = f->n - 3;

    if (final == 'h' || final == 'l')
        return f->flags & TERM_FILTER_SCREEN &&
               set_modes(f, params, n, final == 'h');
    if (!are_plain_parameters(params, n))
        return false;
    if (final == 'm') {
        if (f->flags & TERM_FILTER_COLOR)
            f->styled = !is_reset(params, n);
        return f->flags & TERM_FILTER_COLOR;
    }
    if (strchr(line_finals, final))
        return f->flags & (TERM_FILTER_MOVES | TERM_FILTER_SCREEN);
    if (!(f->flags & TERM_FILTER_SCREEN) || !strchr(screen_finals, final))
        return false;
    if (final == 'r')
        f->modes |= REGION;
    return true;
}

/* On the whole screen: cursor (7 8), lines (D E M), keypad (= >) and the
 * character sets for text and line drawing. */
static bool
esc_passes(struct term_filter *f)
{
    char last = f->seq[f->n - 1];

    if (!(f->flags & TERM_FILTER_SCREEN))
        return false;
    if (f->n == 2)
        return strchr("78DEM=>", last) != NULL;
    if (f->n != 3 || !strchr("()", f->seq[1]) || !strchr("B0", last))
        return false;
    f->shifted |= last == '0';
    return true;
}

/* Appends the sequences that undo the changes. */
static void
undo_changes(const struct term_filter *f, struct buf *out)
{
    if (f->styled)
        buf_str(out, "\033[m");
    if (f->shifted)
        buf_str(out, "\017\033(B");
    for (size_t i = 0; i < N_MODES; i++) {
        if (f->modes & 1u << i)
            buf_printf(out, "\033[%s%u%c", i ? "?" : "", modes[i].number,
                       modes[i].normal ? 'h' : 'l');
    }
    if (f->modes & REGION)
        buf_str(out, "\0337\033[r\0338"); /* it moves the cursor home */
}

/* The states of the filter. */

void
term_filter_init(struct term_filter *f, unsigned flags)
{
    *f = (struct term_filter){.flags = flags, .at_start = true};
}

static void
pass_bytes(struct term_filter *f, struct buf *out, const char *p, size_t n)
{
    f->at_start = false;
    buf_add(out, p, n);
}

static void
pass_char(struct term_filter *f, uint32_t cp, struct buf *out)
{
    f->at_start = false;
    if (escape_is_reordering(cp))
        escape_text(out, NULL, f->seq, f->n, 0);
    else
        buf_add(out, f->seq, f->n);
}

static void
begin_state(struct term_filter *f, enum filter_state state, const char *seq)
{
    f->state = state;
    f->n = strlen(seq);
    memcpy(f->seq, seq, f->n);
    f->swallowed = 0;
}

/* A control character outside any sequence. */
static void
take_control(struct term_filter *f, unsigned char c, struct buf *out)
{
    bool screen = f->flags & TERM_FILTER_SCREEN;

    if (c == ASCII_ESC) {
        begin_state(f, ESCAPE, "\033");
        return;
    }
    if (c == '\n' || c == '\r' || c == '\t' || c == '\b' ||
        (screen && (c == ASCII_BEL || c == SO || c == SI)))
        pass_bytes(f, out, (const char *)&c, 1);
    f->at_start |= c == '\n';
    f->shifted |= screen && c == SO;
}

/* U+0080 to U+009F: terminals take them for ESC and a letter. */
static void
take_c1(struct term_filter *f, uint32_t cp)
{
    if (cp == 0x9B)
        begin_state(f, CSI, "\033[");
    else if (cp == 0x90 || cp == 0x98 || (cp >= 0x9D && cp <= 0x9F))
        begin_state(f, STRING, "");
}

/* Adds a byte to a character, which may then be complete, incomplete or
 * invalid. */
static bool
in_character(struct term_filter *f, unsigned char c, struct buf *out)
{
    uint32_t cp;

    f->seq[f->n++] = (char)c;
    if (utf8_decode(f->seq, f->n, &cp) == f->n) {
        f->state = GROUND;
        if (cp < 0xA0)
            take_c1(f, cp);
        else
            pass_char(f, cp, out);
        return true;
    }
    if (utf8_incomplete_tail(f->seq, f->n) == f->n)
        return true;
    f->state = GROUND;
    pass_bytes(f, out, "\xEF\xBF\xBD", 3);
    return f->n == 1; /* else c begins something new */
}

static bool
in_escape(struct term_filter *f, unsigned char c, struct buf *out)
{
    if (c < 0x20 || c > 0x7E) {
        f->state = GROUND;
        return c == ASCII_CAN || c == ASCII_SUB;
    }
    f->seq[f->n++] = (char)c;
    if (f->n == 2 && c == '[') {
        f->state = CSI;
        return true;
    }
    if (f->n == 2 && strchr("]PX^_", c)) {
        begin_state(f, STRING, "");
        return true;
    }
    if (c < 0x30 && f->n < sizeof(f->seq))
        return true;
    f->state = GROUND;
    if (esc_passes(f))
        pass_bytes(f, out, f->seq, f->n);
    return true;
}

static bool
filter_in_csi(struct term_filter *f, unsigned char c, struct buf *out)
{
    if (c < 0x20 || c > 0x7E) {
        f->state = GROUND;
        return c == ASCII_CAN || c == ASCII_SUB;
    }
    if (f->n < sizeof(f->seq))
        f->seq[f->n++] = (char)c;
    else
        f->state = CSI_LONG;
    if (c < 0x40)
        return true;
    if (f->state == CSI && csi_passes(f))
        buf_add(out, f->seq, f->n);
    f->state = GROUND;
    return true;
}

/* Removes a string up to BEL, ESC \, or the end of the line. */
static bool
filter_in_string(struct term_filter *f, unsigned char c)
{
    if (f->state == STRING_ESC && c != '\\') {
        begin_state(f, ESCAPE, "\033");
        return false;
    }
    if (c == '\n' || ++f->swallowed > STRING_MAX) {
        f->state = GROUND;
        return false;
    }
    if (c == ASCII_BEL || c == ASCII_CAN || c == ASCII_SUB ||
        f->state == STRING_ESC)
        f->state = GROUND;
    else if (c == ASCII_ESC)
        f->state = STRING_ESC;
    return true;
}

/* Processes one byte that is no plain text; false: it ended a state and must be
 * processed again. */
static bool
take_byte(struct term_filter *f, unsigned char c, struct buf *out)
{
    switch ((enum filter_state)f->state) {
    case CHARACTER:
        return in_character(f, c, out);
    case ESCAPE:
        return in_escape(f, c, out);
    case CSI:
    case CSI_LONG:
        return filter_in_csi(f, c, out);
    case STRING:
    case STRING_ESC:
        return filter_in_string(f, c);
    case GROUND:
        break;
    }
    if (c >= 0x80) {
        begin_state(f, CHARACTER, "");
        return false;
    }
    take_control(f, c, out);
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
            pass_bytes(f, out, (const char *)p + i, plain - i);
        i = plain;
        if (i < n && take_byte(f, p[i], out))
            i++;
    }
    return out->bad ? -1 : 0;
}

int
term_filter_end(struct term_filter *f, struct buf *out)
{
    bool at_start = f->at_start;

    if (f->state == CHARACTER)
        pass_bytes(f, out, "\xEF\xBF\xBD", 3);
    at_start &= f->at_start;
    undo_changes(f, out);
    term_filter_init(f, f->flags);
    f->at_start = at_start;
    return out->bad ? -1 : 0;
}
