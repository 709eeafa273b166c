/* SPDX-License-Identifier: GPL-3.0-or-later */
/* complaints.c - the lines of a text that look like errors. */
#include "person/complaints.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/cleanup.h"
#include "base/utf8.h"

#define END_SHOWN 3    /* lines, where none looks like an error */
#define LINE_MAX  4096 /* of a line: what is beyond is not looked at */

static const char *const error_words[] = {
    "error",
    "errors",
    "fatal",
    "failed",
    "failure",
    "failures",
    "fail",
    "fails",
    "cannot",
    "can't",
    "could not",
    "couldn't",
    "unable",
    "denied",
    "not found",
    "no such",
    "undefined",
    "undeclared",
    "unrecognized",
    "not permitted",
    "invalid",
    "exception",
    "traceback",
    "panic",
    "panicked",
    "core dumped",
    "segmentation",
    "killed",
    "aborted",
    "refused",
    "timed out",
    "out of memory",
    "unreachable",
    "no space left",
    "read-only file",
    "unexpected",
    "missing",
    "***",
    "e:",
    "err!",
};

static const char *const warning_words[] = {"warning", "warnings", "warn",
                                            "deprecated"};

/* Ends of one word that is a kind of error: SyntaxError, IOException. */
static const char *const error_ends[] = {"Error", "Exception"};

#define N_OF(array) (sizeof(array) / sizeof((array)[0]))

static bool
is_letter(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* -Werror, /var/log/error and error.c are names of other things. */
static bool
begins_word(const char *line, const char *at)
{
    return at == line || (!is_letter(at[-1]) && !strchr("-/.", at[-1]));
}

static bool
ends_word(const char *end)
{
    return !is_letter(end[-1]) ||
           (!is_letter(*end) && !strchr("-/=", *end ? *end : ' ') &&
            !(*end == '.' && is_letter(end[1])));
}

/* "0 errors", "no error", "without errors" */
static bool
is_denied(const char *line, const char *at)
{
    static const char *const none[] = {"0 ", "no ", "without "};

    for (size_t i = 0; i < N_OF(none); i++) {
        size_t n = strlen(none[i]);

        if ((size_t)(at - line) >= n && strncasecmp(at - n, none[i], n) == 0 &&
            ((size_t)(at - line) == n || !is_letter(at[-1 - (long)n])))
            return true;
    }
    return false;
}

static bool
says(const char *line, const char *word)
{
    size_t n = strlen(word);

    for (const char *at = line; (at = strcasestr(at, word)) != NULL; at++) {
        if (begins_word(line, at) && ends_word(at + n) && !is_denied(line, at))
            return true;
    }
    return false;
}

static bool
names_error(const char *line)
{
    for (size_t i = 0; i < N_OF(error_ends); i++) {
        size_t n = strlen(error_ends[i]);

        for (const char *at = line; (at = strstr(at, error_ends[i])); at++) {
            if (at > line && is_letter(at[-1]) && ends_word(at + n))
                return true;
        }
    }
    return false;
}

static enum complaints_are
look(const char *line)
{
    for (size_t i = 0; i < N_OF(error_words); i++) {
        if (says(line, error_words[i]))
            return COMPLAINTS_ERRORS;
    }
    if (names_error(line))
        return COMPLAINTS_ERRORS;
    for (size_t i = 0; i < N_OF(warning_words); i++) {
        if (says(line, warning_words[i]))
            return COMPLAINTS_WARNINGS;
    }
    return *line ? COMPLAINTS_END : COMPLAINTS_NONE;
}

/* Bytes of a sequence that colours text; 0: there is none. */
static size_t
colour_at(const char *p, size_t n)
{
    size_t at = 2;

    if (n < 3 || p[0] != '\x1b' || p[1] != '[')
        return 0;
    while (at < n && (isdigit((unsigned char)p[at]) || strchr(";:", p[at])))
        at++;
    return at < n && (p[at] == 'm' || p[at] == 'K') ? at + 1 : 0;
}

/* The line without colours, and without blanks around it that would make it
 * look empty; a NUL would end it. */
static void
clean(const char *p, size_t n, struct buf *out)
{
    size_t colour;

    if (n > LINE_MAX)
        n = utf8_boundary(p, n, LINE_MAX);
    buf_clear(out);
    for (; n > 0; p += colour ? colour : 1, n -= colour ? colour : 1) {
        colour = colour_at(p, n);
        if (!colour)
            buf_ch(out, *p ? *p : ' ');
    }
    while (out->len > 0 && strchr(" \t\r", out->p[out->len - 1]))
        buf_cut(out, out->len - 1);
}

static void
put(const struct buf *line, struct buf *out)
{
    size_t n = utf8_boundary(line->p, line->len, COMPLAINT_BYTES);

    buf_add(out, line->p, n);
    buf_str(out, n < line->len ? " ...\n" : "\n");
}

/* Where a walk over the lines stands. */
struct walk {
    const char *p, *end;
    struct buf line;
};

static bool
next_line(struct walk *w)
{
    const char *nl;

    if (w->p >= w->end)
        return false;
    nl = memchr(w->p, '\n', (size_t)(w->end - w->p));
    clean(w->p, (size_t)((nl ? nl : w->end) - w->p), &w->line);
    w->p = nl ? nl + 1 : w->end;
    return true;
}

/* How many lines there are of each kind. */
static void
count(struct walk w, size_t of[COMPLAINTS_END + 1])
{
    while (next_line(&w))
        of[look(w.line.p)]++;
    buf_done(&w.line);
}

static void
show(struct walk w, struct complaints *c, struct buf *out)
{
    size_t skip = c->are == COMPLAINTS_END ? c->found - c->shown : 0, at = 0;

    while (at < skip + c->shown && next_line(&w)) {
        if (look(w.line.p) == c->are && at++ >= skip)
            put(&w.line, out);
    }
    buf_done(&w.line);
}

void
complaints_find(const char *text, size_t n, struct complaints *out,
                struct buf *lines)
{
    struct walk w = {.p = text, .end = text + n, .line = buf_of(LINE_MAX)};
    size_t of[COMPLAINTS_END + 1] = {0}, most = COMPLAINTS_SHOWN;

    count(w, of);
    *out = (struct complaints){.are = COMPLAINTS_ERRORS};
    while (out->are < COMPLAINTS_END && of[out->are] == 0)
        out->are++;
    if (of[out->are] == 0)
        out->are = COMPLAINTS_NONE;
    if (out->are == COMPLAINTS_END)
        most = END_SHOWN;
    for (size_t i = 0; i <= COMPLAINTS_END; i++)
        out->lines += of[i];
    out->found = out->are == COMPLAINTS_NONE ? 0 : of[out->are];
    out->shown = out->found < most ? out->found : most;
    show(w, out, lines);
}
