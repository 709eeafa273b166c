/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pane_text.c - finds what the last command showed in the text of a terminal.
 */
#include "ui/pane_text.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"

#define PROMPT_LINES_MAX 3 /* above the line with the sign */

/* A line without its newline and the blanks before that. */
struct pane_line {
    const char *p;
    size_t n;
};

struct pane {
    struct pane_line *v; /* the last ones */
    size_t n;
};

/* What was found: the line where the command was typed, the prompt before it,
 * and the line of the last prompt. */
struct pane_prompt {
    size_t typed, last;
    struct pane_line sign; /* what stands before the command */
};

static bool
is_blank_byte(char c)
{
    return c == ' ' || c == '\t';
}

static size_t
without_blanks(const char *p, size_t n)
{
    while (n > 0 && (is_blank_byte(p[n - 1]) || p[n - 1] == '\r'))
        n--;
    return n;
}

/* Where the last lines of a text begin, as many as a pane holds. */
static const char *
find_last_lines(const char *text, size_t n)
{
    size_t left = PANE_LINES_MAX;

    if (n > 0 && text[n - 1] == '\n')
        n--;
    while (n > 0 && (text[n - 1] != '\n' || --left > 0))
        n--;
    return text + n;
}

/* Splits the text; blank lines at its end are left out. */
static bool
split_pane(struct pane *pane, const char *text, size_t n)
{
    const char *end = text + n;

    pane->v = calloc(PANE_LINES_MAX, sizeof(*pane->v));
    if (!pane->v)
        return false;
    for (const char *p = find_last_lines(text, n); p < end;) {
        const char *nl = memchr(p, '\n', (size_t)(end - p));
        size_t len = (size_t)((nl ? nl : end) - p);

        pane->v[pane->n++] = (struct pane_line){p, without_blanks(p, len)};
        p = nl ? nl + 1 : end;
    }
    while (pane->n > 0 && pane->v[pane->n - 1].n == 0)
        pane->n--;
    return pane->n > 0;
}

static bool
line_begins(const struct pane_line *line, const char *p, size_t n)
{
    return line->n >= n && memcmp(line->p, p, n) == 0;
}

/* Whether a word is this program's name, perhaps with a directory. */
static bool
names_this_program(const char *p, size_t n)
{
    static const char *const names[] = {"ai", "agentsh"};
    size_t word = 0, from = 0;

    while (word < n && !is_blank_byte(p[word]))
        word++;
    for (size_t i = 0; i < word; i++)
        from = p[i] == '/' || p[i] == '\\' ? i + 1 : from;
    for (size_t i = 0; i < 2; i++) {
        if (strlen(names[i]) == word - from &&
            memcmp(names[i], p + from, word - from) == 0)
            return true;
    }
    return false;
}

/* The bytes of the last character of a prompt, which is its sign: $, %, >, ❯.
 */
static struct pane_line
prompt_sign(const struct pane_line *prompt)
{
    size_t n = without_blanks(prompt->p, prompt->n), from = n;

    while (from > 0 && ((unsigned char)prompt->p[--from] & 0xc0) == 0x80)
        continue;
    return (struct pane_line){prompt->p + from, n - from};
}

/* Whether the last line begins with this prompt: with the same bytes; or, since
 * a prompt may show a status or a time, with its sign and this program's name
 * behind it. */
static bool
is_prompt_of(const struct pane_line *last, const struct pane_line *prompt)
{
    const struct pane_line sign = prompt_sign(prompt);

    if (sign.n == 0)
        return false;
    if (line_begins(last, prompt->p, prompt->n))
        return true;
    for (size_t i = 0; i + sign.n < last->n; i++) {
        size_t at = i + sign.n;

        if (memcmp(last->p + i, sign.p, sign.n) != 0)
            continue;
        while (at < last->n && is_blank_byte(last->p[at]))
            at++;
        if (names_this_program(last->p + at, last->n - at))
            return true;
    }
    return false;
}

/* Whether the text stands at `at` in the line, to its end or to what is on the
 * right side of the terminal, at least two blanks away. */
static bool
stands_at(const struct pane_line *line, size_t at, const char *text, size_t n)
{
    const char *behind = line->p + at + n;

    if (at + n > line->n || memcmp(line->p + at, text, n) != 0)
        return false;
    return at + n == line->n ||
           (at + n + 2 < line->n && is_blank_byte(behind[0]) &&
            is_blank_byte(behind[1]));
}

/* Where the text stands in the line, behind something; 0: nowhere. */
static size_t
find_command_in_line(const struct pane_line *line, const char *text, size_t n)
{
    for (size_t at = 1; at + n <= line->n; at++) {
        if (stands_at(line, at, text, n))
            return at;
    }
    return 0;
}

/* Whether the command's further lines follow; *behind becomes the line after
 * them. */
static bool
command_goes_on(const struct pane *pane, size_t at, const char *rest,
                size_t *behind)
{
    for (at++; *rest; at++) {
        size_t n = strcspn(rest, "\n"), shown = without_blanks(rest, n);
        size_t skip = strspn(rest, " \t");

        if (at >= pane->n)
            return false;
        if (skip < shown &&
            !find_command_in_line(&pane->v[at], rest + skip, shown - skip) &&
            !stands_at(&pane->v[at], 0, rest + skip, shown - skip))
            return false;
        rest += n + (rest[n] == '\n');
    }
    *behind = at;
    return true;
}

/* Finds where the command was typed last. */
static bool
find_typed_line(const struct pane *pane, const char *command,
                struct pane_prompt *found, size_t *behind)
{
    size_t n = strcspn(command, "\n"), len = without_blanks(command, n);
    const char *rest = command + n + (command[n] == '\n');

    found->last = pane->n - 1;
    for (size_t i = found->last; len > 0 && i-- > 0;) {
        size_t at = find_command_in_line(&pane->v[i], command, len);
        const struct pane_line prompt = {pane->v[i].p, at};

        if (at > 0 && is_prompt_of(&pane->v[found->last], &prompt) &&
            command_goes_on(pane, i, rest, behind)) {
            found->typed = i;
            found->sign = prompt;
            return *behind <= found->last;
        }
    }
    return false;
}

/* Whether two lines above a prompt are of the prompt: they are alike, or begin
 * with the same sign that is no letter, as what draws a frame does. */
static bool
is_alike(const struct pane_line *a, const struct pane_line *b)
{
    unsigned char first = a->n > 0 ? (unsigned char)a->p[0] : 0;
    size_t same = 0;

    if (a->n == 0 || b->n == 0)
        return a->n == b->n;
    while (same < a->n && same < b->n && a->p[same] == b->p[same])
        same++;
    return 2 * same > a->n || (first >= 0x80 && same >= 3) ||
           (strchr("[(<#+*=~", (char)first) && same > 0);
}

/* How many lines above the last one belong to its prompt. */
static size_t
prompt_lines(const struct pane *pane, const struct pane_prompt *p,
             size_t behind)
{
    size_t n = 0;

    while (n < PROMPT_LINES_MAX && n < p->typed && p->last - n > behind &&
           is_alike(&pane->v[p->typed - n - 1], &pane->v[p->last - n - 1]))
        n++;
    return n;
}

/* Where a later prompt with the same bytes begins: a line that was not
 * recorded, or an empty one. */
static size_t
next_prompt(const struct pane *pane, const struct pane_prompt *p, size_t from,
            size_t to)
{
    size_t bare = without_blanks(p->sign.p, p->sign.n);

    for (; from < to && bare > 1; from++) {
        const struct pane_line *line = &pane->v[from];

        if (line_begins(line, p->sign.p, p->sign.n) ||
            (line->n == bare && line_begins(line, p->sign.p, bare)))
            break;
    }
    return bare > 1 ? from : to;
}

bool
pane_text_between(const char *text, size_t n, const char *command,
                  struct buf *out)
{
    struct pane pane = {0};
    struct pane_prompt p = {0};
    size_t from = 0, to;
    bool found = split_pane(&pane, text, n) &&
                 find_typed_line(&pane, command, &p, &from);

    if (found) {
        to = next_prompt(&pane, &p, from,
                         p.last - prompt_lines(&pane, &p, from));
        for (; from < to; from++) {
            buf_add(out, pane.v[from].p, pane.v[from].n);
            buf_ch(out, '\n');
        }
    }
    free(pane.v);
    return found;
}
