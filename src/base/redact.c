/* SPDX-License-Identifier: GPL-3.0-or-later */
/* redact.c - walks over text once and replaces what the finders find. */
#include "base/redact.h"

#include <string.h>

#include "base/redact_in.h"
#include "base/utf8.h"

/* A word, as far as a shell's commands are concerned, begins at i. */
static bool
begins_shell_word(const struct redact_text *t, size_t i)
{
    return i == 0 || strchr(" \t\n\"'`(|&;/", t->p[i - 1]) != NULL;
}

static bool
ends_command(int c)
{
    return c == '\n' || c == '|' || c == ';' || c == '&';
}

/* At the first byte of a word: known tokens, names with a value. */
static bool
find_in_word(struct redact_text *t, size_t i, const struct redact_command **cmd,
             struct redact_span *s)
{
    if (begins_shell_word(t, i)) {
        const struct redact_command *c = redact_command_at(t, i);

        if (c)
            *cmd = c;
    }
    return redact_token(t, i, s) || redact_named(t, i, s);
}

static bool
find_at(struct redact_text *t, size_t i, const struct redact_command **cmd,
        struct redact_span *s)
{
    int c = redact_at(t, i);

    if ((i == 0 || t->p[i - 1] == '\n') && redact_file(t, i, s))
        return true;
    if (ends_command(c))
        *cmd = NULL;
    if (c == '-')
        return redact_pem(t, i, s) || (*cmd && begins_shell_word(t, i) &&
                                       redact_option(t, i, *cmd, s));
    if (c == ':')
        return redact_url(t, i, s);
    if (c == '$')
        return redact_crypt(t, i, s);
    if (!redact_is_word(c) || (i > 0 && redact_is_word(t->p[i - 1])))
        return false;
    return find_in_word(t, i, cmd, s);
}

int
redact(const char *text, size_t n, struct buf *out)
{
    struct redact_text t = {.p = text, .n = n};
    const struct redact_command *cmd = NULL;
    size_t copied = 0, i = 0;

    while (i < n) {
        struct redact_span s;

        if (!find_at(&t, i, &cmd, &s)) {
            i++;
            continue;
        }
        buf_add(out, text + copied, s.from - copied);
        buf_printf(out, REDACT_MARK "%s]", s.kind);
        i = copied = s.to;
    }
    return buf_add(out, text + copied, n - copied);
}

int
redact_tail(const char *text, size_t n, size_t keep, struct buf *out)
{
    size_t look = n < 2 * keep ? n : 2 * keep;
    size_t drop = look < n ? keep : 0;

    if (redact(text + n - look, look, out) < 0)
        return -1;
    if (out->len > keep && drop < out->len - keep)
        drop = out->len - keep;
    if (drop < out->len)
        buf_drop(out, utf8_boundary(out->p, out->len, drop));
    else
        buf_clear(out);
    return 0;
}
