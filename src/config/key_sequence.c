/* SPDX-License-Identifier: GPL-3.0-or-later */
/* key_sequence.c - keys by their names. */
#include "config/key_sequence.h"

#include <string.h>
#include <strings.h>

#include "base/ascii.h"

#define SHOWN_MAX 60 /* bytes of a wrong value in a message */
#define CTRL      0x1f

/* Appends the bytes of one name, n bytes. False: it is none. */
static bool
add_key(struct key_sequence *k, const char *p, size_t n, bool first)
{
    char c = n > 0 ? ascii_to_lower(p[n - 1]) : '\0';
    bool letter = ascii_is_lower(c);

    if (n == 6 && strncasecmp(p, "Ctrl-", 5) == 0 && letter) {
        k->bytes[k->n++] = (char)(c & CTRL);
        return !first || !strchr("cmj", c);
    }
    if (n == 5 && strncasecmp(p, "Alt-", 4) == 0 &&
        (letter || ascii_is_digit(c))) {
        k->bytes[k->n++] = ASCII_ESC;
        k->bytes[k->n++] = c;
        return true;
    }
    k->bytes[k->n++] = c;
    return n == 1 && !first && (letter || ascii_is_digit(c));
}

int
key_sequence_read(const char *text, struct key_sequence *out, struct err *e)
{
    struct key_sequence k = {.n = 0};
    const char *p = text + strspn(text, " ");
    int count = 0;

    if (strcmp(text, "none") == 0)
        p = "";
    else if (!*p)
        count = KEY_SEQUENCE_MAX + 1;
    while (*p && count <= KEY_SEQUENCE_MAX) {
        size_t n = strcspn(p, " ");

        if (count == KEY_SEQUENCE_MAX || !add_key(&k, p, n, count == 0))
            count = KEY_SEQUENCE_MAX;
        count++;
        p += n;
        p += strspn(p, " ");
    }
    if (count > KEY_SEQUENCE_MAX)
        return err_set(e, ERR_CONFIG,
                       "keys are named as in \"Ctrl-X Ctrl-A\", \"Alt-A\" or "
                       "\"none\", not \"%.*s\"",
                       SHOWN_MAX, text);
    if (out)
        *out = k;
    return 0;
}
