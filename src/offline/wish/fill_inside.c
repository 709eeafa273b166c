/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fill_inside.c - a value within quotes that the template has itself. */
#include <ctype.h>
#include <string.h>

#include "base/shell_quote.h"
#include "offline/compose/compose.h"
#include "offline/wish/fill_place.h"

static bool
see_perl(void *arg, const char *word, size_t n)
{
    bool *perl = arg;

    *perl |= (n == 4 && memcmp(word, "perl", 4) == 0) ||
             (n >= 6 && memcmp(word, "rename", 6) == 0) ||
             (n == 8 && memcmp(word, "prename", 7) == 0);
    return false;
}

/* What perl would run, inside a pattern: @{[ … ]}, ${ … }, $1[ … ], (?{ … }).
 * Of variables only $1 stays one. */
static bool
is_perl_code(const char *c, const char *text)
{
    size_t digits;

    if (*c == '@')
        return true;
    if (*c == '{')
        return c > text && c[-1] == '?';
    if (*c != '$')
        return false;
    digits = strspn(c + 1, "0123456789");
    if (digits)
        return strchr("[{-", c[1 + digits]) && c[1 + digits];
    return c[1] && !strchr(")|", c[1]);
}

/* The divider becomes a plain one, and no \ at the end takes the next. */
static void
put_pattern(struct buf *out, char divider, bool perl, const char *text)
{
    for (const char *c = text; *c; c++) {
        if (perl && *c == '`') {
            buf_str(out, "\\x60");
            continue;
        }
        if (*c == '\\') {
            buf_ch(out, *c);
            c += c[1] != '\0';
        } else if (*c == divider || (perl && is_perl_code(c, text))) {
            buf_ch(out, '\\');
        }
        buf_ch(out, *c);
    }
}

static void
put_string(struct buf *out, bool shell, const char *text)
{
    for (; *text; text++) {
        if (*text == '"' || *text == '\\' || (shell && strchr("$`", *text)))
            buf_ch(out, '\\');
        buf_ch(out, *text);
    }
}

static void
put_quoted(struct buf *out, char around, const char *text)
{
    for (; *text; text++) {
        if (around == '\'' && *text == '\'') {
            buf_str(out, "'\\''");
            continue;
        }
        if (around == '"' && strchr("\"\\$`", *text))
            buf_ch(out, '\\');
        buf_ch(out, *text);
    }
}

void
fill_inside(struct buf *out, enum slot_type slot, const char *text,
            const struct fill_place *at)
{
    CLEANUP_BUF struct buf word = buf_of(FILL_WORD_MAX);
    CLEANUP_BUF struct buf own = buf_of(FILL_WORD_MAX);
    struct fill_quotes q = fill_quotes(at);
    enum fill_reader reader = fill_reader(slot, at);
    bool perl = false;

    if (!q.around) {
        shell_quote_word(out, text);
        return;
    }
    fill_words(at, see_perl, &perl);
    if (q.around == '\'' && q.string) {
        put_string(&own, reader != FILL_READER_NONE, text);
    } else if (reader != FILL_READER_NONE) { /* a word there */
        if (slot == SLOT_PATH)
            compose_word(&word, text);
        else
            shell_quote_word(&word, text);
        fill_escape(&own, reader, word.p);
    } else if (q.divider) {
        put_pattern(&own, q.divider, perl, text);
    } else {
        buf_str(&own, text);
    }
    put_quoted(out, q.around, own.len ? own.p : "");
}
