/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shell_word.c - writes texts as words that the shell reads back unchanged. */
#include <ctype.h>
#include <string.h>

#include "base/shell_quote.h"
#include "offline/generate/generate.h"

#define BARE "_-./,:=@%+^"
#define GLOB "*?[]{}"

/* The length of the variable at s, $NAME or ${NAME}; 0 when there is none. */
static size_t
variable_length(const char *s)
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
        if (variable_length(s))
            return true;
    return false;
}

/* Double quotes have no escapes for control characters: they are closed for
 * one. */
static void
double_quoted(struct buf *out, const char *s)
{
    buf_ch(out, '"');
    while (*s) {
        size_t n = variable_length(s);
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
generate_quoted(struct buf *out, const char *text)
{
    if (has_variable(text))
        double_quoted(out, text);
    else if (shell_quote_has_control(text))
        shell_quote_ansi(out, text);
    else
        single_quoted(out, text);
}

/* Whether the text needs no quotes; `more` has further allowed bytes. */
static bool
needs_no_quotes(const char *text, const char *more)
{
    for (const char *s = text; *s; s++)
        if (!isalnum((unsigned char)*s) && !strchr(BARE, *s) &&
            !strchr(more, *s))
            return false;
    return *text != '\0';
}

/* The length of ~ or ~name with its slash, which must stay unquoted. */
static size_t
tilde_length(const char *text)
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
put_quoted_word(struct buf *out, const char *text, const char *more)
{
    size_t home = tilde_length(text);

    buf_add(out, text, home);
    text += home;
    if (home && !*text)
        return;
    if (needs_no_quotes(text, more))
        buf_str(out, text);
    else
        generate_quoted(out, text);
}

void
generate_word(struct buf *out, const char *text)
{
    put_quoted_word(out, text, "");
}

void
generate_path(struct buf *out, const char *text)
{
    if (*text == '-')
        buf_str(out, "./");
    put_quoted_word(out, text, GLOB);
}
