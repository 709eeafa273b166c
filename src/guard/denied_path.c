/* SPDX-License-Identifier: GPL-3.0-or-later */
/* denied_path.c - which path a program says that it was denied. */
#include "guard/denied_path.h"

#include <errno.h>
#include <string.h>
#include <strings.h>

#define LINES_MAX 32   /* from the end: what was said before is another story */
#define SAID_MAX  1024 /* of a line: a longer one names nothing */
#define N_OF(a)   (sizeof(a) / sizeof((a)[0]))

/* The C library's texts, which most programs print; in a person's own
 * language strerror has them. */
static const struct {
    int sys;
    enum denied_how how;
    const char *text;
} errors[] = {
    {EROFS, DENIED_WRITE, "Read-only file system"},
    {EACCES, DENIED_ACCESS, "Permission denied"},
    {EPERM, DENIED_ACCESS, "Operation not permitted"},
    {ENOENT, DENIED_MISSING, "No such file or directory"},
};

/* Opening and closing quotes, plain and typographic. */
static const char *const quotes[][2] = {
    {"'", "'"},
    {"\"", "\""},
    {"\xe2\x80\x98", "\xe2\x80\x99"},
    {"`", "'"},
};

static bool
copy_path(struct denied_path *out, const char *from, const char *to)
{
    size_t n = (size_t)(to - from);

    if (n == 0 || n >= sizeof(out->text))
        return false;
    memcpy(out->text, from, n);
    out->text[n] = '\0';
    return true;
}

/* The next opening quote: an apostrophe in a word is none. */
static const char *
find_opening(const char *line, const char *from, const char *quote)
{
    while ((from = strstr(from, quote)) && from > line &&
           !strchr(" (:=", from[-1]))
        from++;
    return from;
}

/* The last text in quotes. */
static bool
find_quoted(const char *line, struct denied_path *out)
{
    bool found = false;

    for (size_t i = 0; !found && i < N_OF(quotes); i++) {
        const char *from = find_opening(line, line, quotes[i][0]);

        while (from) {
            const char *to = strstr(from + strlen(quotes[i][0]), quotes[i][1]);

            if (!to)
                break;
            found |= copy_path(out, from + strlen(quotes[i][0]), to);
            from = find_opening(line, to + strlen(quotes[i][1]), quotes[i][0]);
        }
    }
    return found;
}

/* The last word with a slash in it. */
static bool
find_slash(const char *line, struct denied_path *out)
{
    const char *end = line + strlen(line);

    while (end > line) {
        const char *from = end, *to;

        while (from > line && from[-1] != ' ')
            from--;
        for (to = end; to > from && strchr(":,.;)", to[-1]); to--)
            continue;
        if (memchr(from, '/', (size_t)(to - from)))
            return copy_path(out, from, to);
        end = from > line ? from - 1 : line;
    }
    return false;
}

/* What stands right before the error, between colons: sh: 1: x: … */
static bool
find_field(const char *line, const char *error, struct denied_path *out)
{
    const char *to = error, *from;

    if (to - line < 2 || strncmp(to - 2, ": ", 2) != 0)
        return false;
    to -= 2;
    for (from = to; from > line && from[-1] != ' '; from--)
        continue;
    return from > line && copy_path(out, from, to);
}

/* Where the line names an error of the table. */
static const char *
find_error(const char *line, enum denied_how *how)
{
    for (size_t i = 0; i < N_OF(errors); i++) {
        const char *own = strerror(errors[i].sys);
        const char *at = strcasestr(line, errors[i].text);

        if (!at && own[0])
            at = strstr(line, own);
        if (at) {
            *how = errors[i].how;
            return at;
        }
    }
    return NULL;
}

static bool
read_line(const char *from, size_t n, struct denied_path *out)
{
    char line[SAID_MAX];
    const char *error;

    if (n == 0 || n >= sizeof(line) || memchr(from, '\0', n))
        return false;
    memcpy(line, from, n);
    line[n] = '\0';
    error = find_error(line, &out->how);
    return error && (find_quoted(line, out) || find_slash(line, out) ||
                     find_field(line, error, out));
}

bool
denied_path_next(const char *text, size_t n, size_t *at,
                 struct denied_path *out)
{
    size_t line = 0;

    for (const char *end = text + n; end > text && line < LINES_MAX; line++) {
        const char *newline = memrchr(text, '\n', (size_t)(end - text));
        const char *from = newline ? newline + 1 : text;

        if (line >= *at && read_line(from, (size_t)(end - from), out)) {
            *at = line + 1;
            return true;
        }
        end = newline ? newline : text;
    }
    return false;
}
