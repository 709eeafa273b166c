/* SPDX-License-Identifier: GPL-3.0-or-later */
/* redact_file.c - what a text says that it has from a file of secrets.
 *
 * Programs that show parts of files name the file in front: grep in front of
 * each line (PATH:TEXT, PATH-TEXT), head and tail above it (==> PATH <==), diff
 * above the lines that differ (--- PATH, +++ PATH). */
#include <string.h>

#include "base/redact_in.h"
#include "base/secret_file.h"

#define KIND      "secret-file"
#define PATH_ROOM 512 /* a longer name is not read */
#define TRIES_MAX 12  /* marks in a line behind which a text may begin */

/* Bytes of a text. */
struct part {
    const char *p;
    size_t n;
};

static size_t
end_of_line(const struct redact_text *t, size_t i)
{
    const char *nl = memchr(t->p + i, '\n', t->n - i);

    return nl ? (size_t)(nl - t->p) : t->n;
}

/* A line without what ends it, as a terminal or as a file ends lines. */
static struct part
line_of(const struct redact_text *t, size_t from, size_t end)
{
    bool cr = end > from && t->p[end - 1] == '\r';

    return (struct part){t->p + from, end - from - cr};
}

static bool
begins(struct part s, const char *with)
{
    size_t n = strlen(with);

    return s.n >= n && memcmp(s.p, with, n) == 0;
}

static bool
names_secret(struct part path)
{
    char text[PATH_ROOM];

    if (path.n == 0 || path.n >= sizeof(text) || memchr(path.p, '\0', path.n))
        return false;
    memcpy(text, path.p, path.n);
    text[path.n] = '\0';
    return secret_file_is(text);
}

/* Whether the bytes are the name of a file, and not a word of a text. */
static bool
names_secret_file(struct part path)
{
    return (memchr(path.p, '/', path.n) || memchr(path.p, '.', path.n)) &&
           names_secret(path);
}

/* Why a file was not read says nothing of it. */
static bool
is_trouble(struct part rest)
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

    for (size_t at = i; at < most && !redact_is_blank(t->p[at]) && tries > 0;
         at++) {
        struct part path = {t->p + from, at - from};
        struct part rest = {t->p + at + 1, end - at - 1};

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
is_header(struct part line)
{
    return begins(line, "==> ") && line.n > 8 &&
           memcmp(line.p + line.n - 4, " <==", 4) == 0;
}

/* head and tail: up to the next file. */
static bool
find_below_header(const struct redact_text *t, size_t end, struct part line,
                  struct redact_span *s)
{
    size_t at = end < t->n ? end + 1 : t->n;

    if (!is_header(line) ||
        !names_secret((struct part){line.p + 4, line.n - 8}))
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

/* The path of a line of diff's, without the time behind it. */
static struct part
path_of(struct part line)
{
    const char *tab = line.n > 4 ? memchr(line.p, '\t', line.n) : NULL;

    if (line.n <= 4)
        return (struct part){line.p, 0};
    return (struct part){line.p + 4, tab && tab > line.p + 4
                                         ? (size_t)(tab - line.p) - 4
                                         : line.n - 4};
}

/* diff -u: the lines that differ, and those around them. Of an empty one among
 * these the blank may be missing in front (diff.suppressBlankEmpty of git). */
static bool
find_in_diff(const struct redact_text *t, size_t end, struct part line,
             struct redact_span *s)
{
    size_t second = end + 1, at;
    struct part new;

    if (!begins(line, "--- ") || second >= t->n)
        return false;
    at = end_of_line(t, second);
    new = line_of(t, second, at);
    if (!begins(new, "+++ ") || at + 1 >= t->n ||
        !(names_secret(path_of(line)) || names_secret(path_of(new))))
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

bool
redact_file(const struct redact_text *t, size_t i, struct redact_span *s)
{
    size_t end = end_of_line(t, i);
    struct part line = line_of(t, i, end);

    return find_below_header(t, end, line, s) ||
           find_in_diff(t, end, line, s) || find_in_line(t, i, i + line.n, s);
}
