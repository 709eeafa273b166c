/* SPDX-License-Identifier: GPL-3.0-or-later */
/* clip.c - text into the person's clipboard, by OSC 52. */
#include "term/clip.h"

#include <stdint.h>

#include "base/cleanup.h"

#define FRAMED_MAX 100016u /* base64 of CLIP_MAX and the sequence round it */

/* RFC 4648, section 4. */
static void
add_base64(struct buf *out, const unsigned char *p, size_t n)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                 "abcdefghijklmnopqrstuvwxyz0123456789+/";

    for (size_t i = 0; i < n; i += 3) {
        uint32_t three = (uint32_t)p[i] << 16;

        if (i + 1 < n)
            three |= (uint32_t)p[i + 1] << 8;
        if (i + 2 < n)
            three |= p[i + 2];
        buf_ch(out, digits[three >> 18]);
        buf_ch(out, digits[three >> 12 & 63]);
        buf_ch(out, i + 1 < n ? digits[three >> 6 & 63] : '=');
        buf_ch(out, i + 2 < n ? digits[three & 63] : '=');
    }
}

int
clip_copy(const struct term *t, const char *text, size_t n, struct err *e)
{
    CLEANUP_BUF struct buf out = buf_of(FRAMED_MAX);

    if (!t->moves)
        return err_set(e, ERR_UNSUPPORTED,
                       "copying needs a terminal that has a clipboard");
    if (n > CLIP_MAX)
        return err_set(e, ERR_INVALID,
                       "%zu bytes are too many for the clipboard (%u at most)",
                       n, CLIP_MAX);
    buf_str(&out, "\033]52;c;");
    add_base64(&out, (const unsigned char *)text, n);
    buf_str(&out, "\033\\");
    return term_put(t, &out, e);
}
