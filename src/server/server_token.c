/* SPDX-License-Identifier: GPL-3.0-or-later */
/* server_token.c - reads the file with the token, and compares tokens. */
#include "server/server_token.h"

#include <string.h>

#include "base/ascii.h"
#include "base/file.h"

int
server_token_read(const char *path, struct buf *out, struct err *e)
{
    size_t n;

    if (!path)
        return 0;
    if (file_read_regular(path, out, e) < 0)
        return err_wrap(e, "--token-file");
    if (strlen(out->p) != out->len)
        return err_set(e, ERR_USAGE, "--token-file %.100s: it holds a NUL",
                       path);
    n = strcspn(out->p, "\r\n");
    while (n > 0 && (out->p[n - 1] == ' ' || out->p[n - 1] == '\t'))
        n--;
    buf_cut(out, n);
    if (n == 0)
        return err_set(e, ERR_USAGE,
                       "--token-file %.100s: its first line is no token", path);
    return 0;
}

bool
server_token_decode(const char *text, bool form, struct buf *out)
{
    for (; *text && *text != '&'; text++) {
        int high, low;

        if (*text != '%') {
            buf_ch(out, form && *text == '+' ? ' ' : *text);
            continue;
        }
        high = ascii_hex_value(text[1]);
        low = high < 0 ? -1 : ascii_hex_value(text[2]);
        if (low < 0 || (high | low) == 0)
            return false;
        buf_ch(out, (char)(high << 4 | low));
        text += 2;
    }
    return !out->bad;
}

bool
server_token_is(const char *token, const char *shown, size_t n)
{
    size_t len = strlen(token);
    unsigned char differs = len != n;

    for (size_t i = 0; i < n; i++)
        differs |= (unsigned char)shown[i] ^
                   (unsigned char)token[i % (len + 1)];
    return !differs;
}

int
server_token_do_without(struct listener *l, const char *address, struct err *e)
{
    if (listener_is_open(l))
        return err_set(e, ERR_DENIED,
                       "%s: other machines could reach it without a token. To "
                       "do: add --token-file, or listen at 127.0.0.1",
                       address);
    return listener_keep_to_user(l, e);
}
