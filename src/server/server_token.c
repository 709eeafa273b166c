/* SPDX-License-Identifier: GPL-3.0-or-later */
/* server_token.c - reads the file with the token, and compares tokens. */
#include "server/server_token.h"

#include <string.h>
#include <sys/prctl.h>

#include "base/ascii.h"
#include "base/file.h"

/* The length of the first line, without blanks at its end. */
static size_t
first_line_length(const char *text)
{
    size_t n = strcspn(text, "\r\n");

    while (n > 0 && ascii_is_blank(text[n - 1]))
        n--;
    return n;
}

/* Whether a header can carry it: RFC 9110, 5.5. */
static bool
is_token_text(const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if ((unsigned char)text[i] < ' ' || text[i] == 127)
            return false;
    return true;
}

int
server_token_read(const char *path, struct buf *out, bool *seen, struct err *e)
{
    bool read = false;
    size_t n;

    if (!path)
        return 0;
    if (file_read_private(path, out, &read, e) < 0)
        return err_wrap(e, "--token-file");
    n = first_line_length(out->p);
    if (n == 0)
        return err_set(e, ERR_USAGE,
                       "--token-file %.100s: its first line is no token. To "
                       "do: write a long random text into it",
                       path);
    if (strlen(out->p) != out->len || !is_token_text(out->p, n))
        return err_set(e, ERR_USAGE,
                       "--token-file %.100s: it holds control characters, "
                       "which no client can send. To do: write a long random "
                       "text into it",
                       path);
    buf_cut(out, n);
    if (seen)
        *seen = read;
    return 0;
}

void
server_token_show_process(const struct buf *token)
{
    if (token->len == 0)
        (void)prctl(PR_SET_DUMPABLE, 1);
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
