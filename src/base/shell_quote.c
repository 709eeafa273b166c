/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shell_quote.c - quotes words for a shell and for a policy rule. */
#include "base/shell_quote.h"

#include <string.h>

bool
shell_quote_has_control(const char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text < ' ' || *text == 0x7f)
            return true;
    return false;
}

void
shell_quote_ansi(struct buf *out, const char *text)
{
    static const char escapes[] = "a\ab\bt\tn\nv\vf\fr\re\x1b";

    buf_str(out, "$'");
    for (; *text; text++) {
        const char *known = strchr(escapes, *text);

        if ((unsigned char)*text >= ' ' && *text != 0x7f)
            buf_printf(out, strchr("'\\", *text) ? "\\%c" : "%c", *text);
        else if (known)
            buf_printf(out, "\\%c", known[-1]);
        else /* three digits: no digit behind them counts */
            buf_printf(out, "\\%03o", (unsigned)*text);
    }
    buf_ch(out, '\'');
}

void
shell_quote_word(struct buf *out, const char *word)
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
