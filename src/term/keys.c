/* SPDX-License-Identifier: GPL-3.0-or-later */
/* keys.c - decodes the bytes from a keyboard into keys. */
#include "term/keys.h"

#include "base/ascii.h"

#define CTRL_D 0x04

/* A terminal sends a sequence at once; a slow line may split it. */
#define ESCAPE_MS 200
/* A paste or a report whose end was lost must not block the keyboard. */
#define STUCK_MS 1000

enum keys_state {
    GROUND,
    ESCAPE,  /* ESC: Alt and a key, or a longer sequence */
    CSI,     /* ESC [ … final */
    CONSOLE, /* ESC [ [ letter: the function keys of the Linux console */
    SS3,     /* ESC O letter */
    STRING,  /* ESC ] or P …: a report that an earlier program asked for */
};

void
keys_init(struct keys *k)
{
    *k = (struct keys){0};
}

static void
begin_sequence(struct keys *k, unsigned char c)
{
    k->number = 0;
    if (c == ASCII_ESC)
        return;
    k->state = c == '['                           ? CSI
               : c == 'O'                         ? SS3
               : c == ']' || c == 'P' || c == '_' ? STRING
                                                  : GROUND;
}

/* ESC [ 200 ~ and 201 ~ stand round pasted text (xterm, "Bracketed Paste").
 * Returns KEY_MANY when a paste has ended. */
static int
key_in_csi(struct keys *k, unsigned char c)
{
    bool was_pasting = k->pasting;

    if (ascii_is_digit(c) && k->number < 1000)
        k->number = k->number * 10 + c - '0';
    else if (c == '[')
        k->state = CONSOLE;
    else if (c < 0x20 || c >= 0x40)
        k->state = GROUND;
    if (c == '~' && (k->number == 200 || k->number == 201))
        k->pasting = k->number == 200;
    return was_pasting && !k->pasting ? KEY_MANY : KEY_NONE;
}

static int
decode_plain(const struct keys *k, unsigned char c)
{
    if (k->pasting || (c >= 0x80 && c < 0xC0)) /* the rest of a character */
        return KEY_NONE;
    if (c == '\r' || c == '\n')
        return KEY_ENTER;
    if (c == CTRL_D)
        return KEY_EOF;
    return c >= 0x20 && c < 0x7F ? c : KEY_OTHER;
}

static int
decode_byte(struct keys *k, unsigned char c)
{
    switch ((enum keys_state)k->state) {
    case GROUND:
        if (c != ASCII_ESC)
            return decode_plain(k, c);
        k->state = ESCAPE;
        break;
    case ESCAPE:
        begin_sequence(k, c);
        break;
    case CSI:
        return key_in_csi(k, c);
    case STRING:
        if (c == ASCII_ESC)
            k->state = ESCAPE;
        else if (c == ASCII_BEL)
            k->state = GROUND;
        break;
    case CONSOLE:
    case SS3:
        k->state = GROUND;
        break;
    }
    return KEY_NONE;
}

int
keys_decode(struct keys *k, const char *bytes, size_t n, int64_t now_ms)
{
    int64_t since = now_ms - k->last_ms;
    int key = KEY_NONE;

    if (k->state == ESCAPE && since > ESCAPE_MS)
        k->state = GROUND;
    if (since > STUCK_MS)
        keys_init(k);
    k->last_ms = now_ms;
    for (size_t i = 0; i < n; i++) {
        int next = decode_byte(k, (unsigned char)bytes[i]);

        if (key == KEY_NONE)
            key = next;
        else if (next != KEY_NONE && next != KEY_ENTER)
            key = KEY_MANY;
    }
    return key;
}
