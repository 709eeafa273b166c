/* SPDX-License-Identifier: GPL-3.0-or-later */
/* word.c - texts as words that a shell reads back unchanged. */
#include <ctype.h>
#include <string.h>

#include "base/shell_quote.h"
#include "offline/compose/compose.h"

#define BARE "_-./,:=@%+^"
#define GLOB "*?[]{}"

/* Bytes of the variable that begins at s: $NAME, ${NAME}; 0. */
static size_t
variable(const char *s)
{
    size_t n = 1;
    bool brace;

    if (s[0] != '$')
        return 0;
    brace = s[1] == '{';
    n += brace;
    if (!isalpha((unsigned char)s[n]) && s[n] != '_') /* $1, $@ */
        return !brace && s[n] && strchr("0123456789@", s[n]) ? 2 : 0;
    while (isalnum((unsigned char)s[n]) || s[n] == '_')
        n++;
    if (brace && s[n] != '}')
        return 0;
    return n + brace;
}

static bool
has_variable(const char *s)
{
    for (; (s = strchr(s, '$')); s++)
        if (variable(s))
            return true;
    return false;
}

/* A control character has no escape in double quotes: they are left for it. */
static void
double_quoted(struct buf *out, const char *s)
{
    buf_ch(out, '"');
    while (*s) {
        size_t n = variable(s);
        char one[] = {*s, '\0'};

        if (shell_quote_has_control(one)) {
            buf_ch(out, '"');
            shell_quote_ansi(out, one);
            buf_ch(out, '"');
            s++;
            continue;
        }
        if (!n && strchr("$`\"\\", *s))
            buf_ch(out, '\\');
        n = n ? n : 1;
        buf_add(out, s, n);
        s += n;
    }
    buf_ch(out, '"');
}

static void
single_quoted(struct buf *out, const char *s)
{
    buf_ch(out, '\'');
    for (; *s; s++) {
        if (*s == '\'')
            buf_str(out, "'\\'");
        buf_ch(out, *s);
    }
    buf_ch(out, '\'');
}

void
compose_quoted(struct buf *out, const char *text)
{
    if (has_variable(text))
        double_quoted(out, text);
    else if (shell_quote_has_control(text))
        shell_quote_ansi(out, text);
    else
        single_quoted(out, text);
}

/* Whether the shell reads text as itself; more names bytes that may stand
 * there as well. */
static bool
is_bare(const char *text, const char *more)
{
    for (const char *s = text; *s; s++)
        if (!isalnum((unsigned char)*s) && !strchr(BARE, *s) &&
            !strchr(more, *s))
            return false;
    return *text != '\0';
}

/* ~, ~name with the slash that follows: what must stay outside of quotes. */
static size_t
tilde(const char *text)
{
    size_t n = 1;

    if (text[0] != '~')
        return 0;
    while (isalnum((unsigned char)text[n]) ||
           (text[n] && strchr("_-", text[n])))
        n++;
    if (text[n] == '/')
        return n + 1;
    return text[n] ? 0 : n;
}

static void
word(struct buf *out, const char *text, const char *more)
{
    size_t home = tilde(text);

    buf_add(out, text, home);
    text += home;
    if (home && !*text)
        return;
    if (is_bare(text, more))
        buf_str(out, text);
    else
        compose_quoted(out, text);
}

void
compose_word(struct buf *out, const char *text)
{
    word(out, text, "");
}

void
compose_path(struct buf *out, const char *text)
{
    if (*text == '-')
        buf_str(out, "./");
    word(out, text, GLOB);
}
