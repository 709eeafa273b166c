/* SPDX-License-Identifier: GPL-3.0-or-later */
/* request_line.c - the text of a wish as one line, names in it whole. */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/shell_quote.h"
#include "base/utf8.h"
#include "guard/syntax/syntax.h"
#include "offline/request/request_in.h"

#define BLANKS " \t\n\v\f\r"

/* Where the text of a $'…' at s ends, before its closing quote; NULL: it is
 * none. */
static const char *
ansi_end(const char *s)
{
    if (strncmp(s, "$'", 2) != 0)
        return NULL;
    for (s += 2; *s && *s != '\''; s++)
        s += *s == '\\' && s[1];
    return *s ? s : NULL;
}

/* The text that $'…' stands for, in quotes; false: it is no valid text. */
static bool
put_ansi(struct buf *out, const char *s, size_t n)
{
    CLEANUP(free_p) char *text = malloc(n + 1);

    if (!text)
        return false;
    text[syntax_ansi_decode(s, n, text)] = '\0';
    if (!*text || !utf8_valid(text, strlen(text)))
        return false;
    request_put_quoted(out, text);
    return true;
}

/* The bytes from s to the next blank, when they hold more than one line's and
 * are the name of something here; 0: they are not. */
static size_t
name_length(struct request_reader *r, const char *s)
{
    CLEANUP(free_p) char *name = strndup(s, strcspn(s, " "));
    bool is_dir;

    return name && strpbrk(name, BLANKS) && !strchr(BLANKS, *name) &&
                   request_looks(r, name, &is_dir)
               ? strlen(name)
               : 0;
}

/* Appends the word, or the text in quotes, that begins at s; returns how many
 * bytes of s it was. */
static size_t
put_part(struct request_reader *r, struct buf *out, const char *s)
{
    const char *end = ansi_end(s);
    size_t n;

    if (end && put_ansi(out, s + 2, (size_t)(end - s) - 2))
        return (size_t)(end - s) + 1;
    n = request_quoted(s, 0);
    if (n == 0 && (n = name_length(r, s)) > 0) {
        CLEANUP(free_p) char *name = strndup(s, n);

        request_put_quoted(out, name ? name : "");
        return n;
    }
    if (n == 0)
        n = strcspn(s, BLANKS);
    buf_add(out, s, n);
    return n;
}

char *
request_line(struct request_reader *r, const char *text, struct err *e)
{
    CLEANUP_BUF struct buf valid = buf_of(3 * REQUEST_BYTES_MAX + 1);
    CLEANUP_BUF struct buf line = buf_of(4 * REQUEST_BYTES_MAX + 1);

    utf8_repair(&valid, text, strnlen(text, REQUEST_BYTES_MAX));
    if (buf_ok(&valid, "a request", e) < 0)
        return NULL;
    buf_str(&line, "");
    for (const char *s = valid.p; *s;) {
        if (strchr(BLANKS, *s) || *s == '(') {
            buf_ch(&line, *s == '(' ? '(' : ' ');
            s++;
        } else {
            s += put_part(r, &line, s);
        }
    }
    return buf_ok(&line, "a request", e) < 0 ? NULL : buf_take(&line);
}
