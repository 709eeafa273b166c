/* SPDX-License-Identifier: GPL-3.0-or-later */
/* quote.c - a word as a shell and a rule read it. */
#include "guard/quote.h"

#include <string.h>

void
quote_word(struct buf *out, const char *word)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "abcdefghijklmnopqrstuvwxyz"
                                "0123456789_./:=,+@%^-";

    if (word[0] && !word[strspn(word, plain)]) {
        buf_str(out, word);
        return;
    }
    buf_ch(out, '\'');
    for (; *word; word++) {
        if (*word == '\'')
            buf_str(out, "'\\''");
        else
            buf_ch(out, *word);
    }
    buf_ch(out, '\'');
}
