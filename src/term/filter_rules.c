/* SPDX-License-Identifier: GPL-3.0-or-later */
/* filter_rules.c - which sequences pass the filter, and what they leave. */
#include "term/filter_rules.h"

#include <string.h>

/* Final bytes of the control sequences that pass, by what they reach. */
static const char line_finals[] = "CDGKPX@`a";
static const char screen_finals[] = "ABEFHIJLMSTZbdefrsu";

/* The modes that programs on the whole screen set, and that are put back;
 * the first one is ANSI's (inserting), the others are private (after '?'). */
static const struct mode {
    unsigned number;
    bool normal; /* what it is without such programs */
} modes[] = {
    {4, false},    {1, false},    {7, true},     {12, false},   {25, true},
    {47, false},   {1000, false}, {1002, false}, {1003, false}, {1006, false},
    {1047, false}, {1049, false}, {2004, false},
};

#define N_MODES (sizeof(modes) / sizeof(modes[0]))
/* The bit behind the modes': lines are kept from scrolling. */
#define REGION (1u << N_MODES)

/* Parameters are digits and separators alone: no private marks. */
static bool
is_plain(const char *params, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if ((params[i] < '0' || params[i] > '9') && params[i] != ';' &&
            params[i] != ':')
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

        if (i < n && params[i] >= '0' && params[i] <= '9' && number < 10000) {
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

bool
filter_csi_passes(struct term_filter *f)
{
    char final = f->seq[f->n - 1];
    const char *params = f->seq + 2;
    size_t n = f->n - 3;

    if (final == 'h' || final == 'l')
        return f->flags & TERM_FILTER_SCREEN &&
               set_modes(f, params, n, final == 'h');
    if (!is_plain(params, n))
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
bool
filter_esc_passes(struct term_filter *f)
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

void
filter_reset(const struct term_filter *f, struct buf *out)
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
