/* SPDX-License-Identifier: GPL-3.0-or-later */
/* redact.c - replaces the secrets that the finders find in a text.
 *
 * This file walks over the text; redact_token.c and redact_name.c find secrets
 * in it. What is shown of a file of secrets is found here. */
#include "base/redact.h"

#include <string.h>

#include "base/redact_find.h"
#include "base/secret_file.h"
#include "base/secret_name.h"
#include "base/utf8.h"

#define KIND      "secret-file"
#define INDEX_MIN 512 /* bytes of a text for which an index is made */
#define PATH_ROOM 512 /* longer paths are not examined */
/* Separators tried in a line, behind which a text may begin. */
#define TRIES_MAX 12

/* The contents of secret files. Programs that print parts of files name the
 * file: grep before each line (PATH:TEXT, PATH-TEXT), head and tail above the
 * text (==> PATH <==), diff above the changes (--- PATH, +++ PATH). */

/* A part of the text. */
struct text_part {
    const char *p;
    size_t n;
};

static size_t
end_of_line(const struct redact_text *t, size_t i)
{
    const char *nl = memchr(t->p + i, '\n', t->n - i);

    return nl ? (size_t)(nl - t->p) : t->n;
}

/* A line without its newline, or the CR of a terminal before it. */
static struct text_part
line_of(const struct redact_text *t, size_t from, size_t end)
{
    bool cr = end > from && t->p[end - 1] == '\r';

    return (struct text_part){t->p + from, end - from - cr};
}

static bool
begins(struct text_part s, const char *with)
{
    size_t n = strlen(with);

    return s.n >= n && memcmp(s.p, with, n) == 0;
}

static bool
path_names_secret(struct text_part path)
{
    char text[PATH_ROOM];

    if (path.n == 0 || path.n >= sizeof(text) || memchr(path.p, '\0', path.n))
        return false;
    memcpy(text, path.p, path.n);
    text[path.n] = '\0';
    return secret_file_is(text);
}

/* Whether the bytes are the path of a secret file, and not a word of prose. */
static bool
names_secret_file(struct text_part path)
{
    return (memchr(path.p, '/', path.n) || memchr(path.p, '.', path.n)) &&
           path_names_secret(path);
}

/* An error message about a file is no content of it. */
static bool
is_trouble(struct text_part rest)
{
    return begins(rest, " No such file or directory") ||
           begins(rest, " Permission denied") || begins(rest, REDACT_MARK KIND);
}

/* grep -r, git grep REVISION, grep -C. */
static bool
find_in_line(const struct redact_text *t, size_t i, size_t end,
             struct redact_span *s)
{
    size_t from = i, most = end - i < PATH_ROOM ? end : i + PATH_ROOM;
    unsigned tries = TRIES_MAX;

    for (size_t at = i; at < most && !ascii_is_blank(t->p[at]) && tries > 0;
         at++) {
        struct text_part path = {t->p + from, at - from};
        struct text_part rest = {t->p + at + 1, end - at - 1};

        if (t->p[at] != ':' && t->p[at] != '-')
            continue;
        tries--;
        if (at > from && names_secret_file(path)) {
            *s = (struct redact_span){at + 1, end, KIND};
            return rest.n > 0 && !is_trouble(rest);
        }
        if (t->p[at] == ':')
            from = at + 1;
    }
    return false;
}

static bool
is_header(struct text_part line)
{
    return begins(line, "==> ") && line.n > 8 &&
           memcmp(line.p + line.n - 4, " <==", 4) == 0;
}

/* head and tail: the text up to the header of the next file. */
static bool
find_below_header(const struct redact_text *t, size_t end,
                  struct text_part line, struct redact_span *s)
{
    size_t at = end < t->n ? end + 1 : t->n;

    if (!is_header(line) ||
        !path_names_secret((struct text_part){line.p + 4, line.n - 8}))
        return false;
    *s = (struct redact_span){at, at, KIND};
    while (s->to < t->n) {
        size_t next = end_of_line(t, s->to);

        if (is_header(line_of(t, s->to, next)))
            break;
        s->to = next < t->n ? next + 1 : t->n;
    }
    if (s->to > at && t->p[s->to - 1] == '\n')
        s->to--;
    return s->to > at;
}

/* The path in a header line of diff, without the time behind it. */
static struct text_part
path_of(struct text_part line)
{
    const char *tab = line.n > 4 ? memchr(line.p, '\t', line.n) : NULL;

    if (line.n <= 4)
        return (struct text_part){line.p, 0};
    return (struct text_part){line.p + 4, tab && tab > line.p + 4
                                              ? (size_t)(tab - line.p) - 4
                                              : line.n - 4};
}

/* diff -u: the changed lines and their context. An empty context line may lack
 * the blank at its front (diff.suppressBlankEmpty of git). */
static bool
find_in_diff(const struct redact_text *t, size_t end, struct text_part line,
             struct redact_span *s)
{
    size_t second = end + 1, at;
    struct text_part new;

    if (!begins(line, "--- ") || second >= t->n)
        return false;
    at = end_of_line(t, second);
    new = line_of(t, second, at);
    if (!begins(new, "+++ ") || at + 1 >= t->n ||
        !(path_names_secret(path_of(line)) || path_names_secret(path_of(new))))
        return false;
    *s = (struct redact_span){at + 1, at, KIND};
    while (at + 1 < t->n && strchr("+-@ \\[\r\n", t->p[at + 1])) {
        size_t from = at + 1;

        at = end_of_line(t, from);
        if (line_of(t, from, at).n > 0)
            s->to = at;
    }
    return s->to > s->from;
}

/* At the beginning of a line: whether it, or what follows it, was read from a
 * file whose name says that it holds secrets. */
static bool
find_file_text(const struct redact_text *t, size_t i, struct redact_span *s)
{
    size_t end = end_of_line(t, i);
    struct text_part line = line_of(t, i, end);

    return find_below_header(t, end, line, s) ||
           find_in_diff(t, end, line, s) || find_in_line(t, i, i + line.n, s);
}

/* The walk over the text. */

/* Whether a word of a shell command begins at i. */
static bool
begins_shell_word(const struct redact_text *t, size_t i)
{
    switch (i == 0 ? '\n' : t->p[i - 1]) {
    case ' ':
    case '\t':
    case '\n':
    case '"':
    case '\'':
    case '`':
    case '(':
    case '|':
    case '&':
    case ';':
    case '/':
    case '\0':
        return true;
    default:
        return false;
    }
}

static bool
ends_command(int c)
{
    return c == '\n' || c == '|' || c == ';' || c == '&';
}

/* At the first byte of a word: a known token, or a name with a value. */
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

    if ((i == 0 || t->p[i - 1] == '\n') && find_file_text(t, i, s))
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
    if (!ascii_is_word(c) || (i > 0 && ascii_is_word(t->p[i - 1])))
        return false;
    return find_in_word(t, i, cmd, s);
}

/* Where the next secret may begin, as none does at i: not within a word. */
static size_t
next_start(const struct redact_text *t, size_t i)
{
    if (!ascii_is_word(t->p[i++]))
        return i;
    while (i < t->n && ascii_is_word(t->p[i]))
        i++;
    return i;
}

int
redact(const char *text, size_t n, struct buf *out)
{
    struct redact_text t = {.p = text, .n = n};
    const struct redact_command *cmd = NULL;
    struct redact_index index;
    size_t copied = 0, i = 0;

    if (n >= INDEX_MIN) {
        redact_index_tokens(&index.tokens);
        redact_index_commands(&index.commands);
        secret_name_index(&index.names);
        t.index = &index;
    }
    while (i < n) {
        struct redact_span s;

        if (!find_at(&t, i, &cmd, &s)) {
            i = next_start(&t, i);
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
    size_t searched = n < 2 * keep ? n : 2 * keep;
    size_t drop = searched < n ? keep : 0;

    if (redact(text + n - searched, searched, out) < 0)
        return -1;
    if (out->len > keep && drop < out->len - keep)
        drop = out->len - keep;
    if (drop < out->len)
        buf_drop(out, utf8_boundary(out->p, out->len, drop));
    else
        buf_clear(out);
    return 0;
}
