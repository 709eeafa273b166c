/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ai_line.c - split a line for `ai` into words without the shell's quoting. */
#include "frontend/repl/ai_line.h"

#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/cleanup.h"
#include "base/shell_quote.h"
#include "ui/options.h"

/* Words under construction: pointers in front, their bytes behind. */
struct words {
    const char *in;              /* what is left of the line */
    const char *home;            /* what a tilde stands for; "": for itself */
    const struct buf *variables; /* NAME=value fields; NULL: our own */
    char **at;
    int n;
    char *out;
};

static const char *
skip_line_blanks(const char *s)
{
    while (ascii_is_space(*s))
        s++;
    return s;
}

bool
ai_line_is(const char *line, const char *name)
{
    const char *s = skip_line_blanks(line);
    size_t n = strlen(name);

    return strncmp(s, name, n) == 0 && (s[n] == '\0' || ascii_is_space(s[n]));
}

/* Copies the home directory for a tilde that is all of the word's first part,
 * as a shell does. Returns where the word goes on. */
static const char *
take_home(struct words *w, const char *s)
{
    size_t n = strlen(w->home);

    if (n == 0 || *s != '~' || (s[1] && s[1] != '/' && !ascii_is_space(s[1])))
        return s;
    memcpy(w->out, w->home, n);
    w->out += n;
    return s + 1;
}

/* The length of the name at s, as a variable's. */
static size_t
dollar_name_length(const char *s)
{
    size_t n = 0;

    while (ascii_is_alnum(s[n]) || s[n] == '_')
        n++;
    return ascii_is_digit(*s) ? 0 : n;
}

/* The value of a variable of n letters; "" where it is not set. */
static const char *
dollar_value(const struct buf *variables, const char *name, size_t n)
{
    char own[128];
    const char *value = NULL;

    if (!variables) {
        if (n < sizeof(own)) {
            memcpy(own, name, n);
            own[n] = '\0';
            value = getenv(own);
        }
        return value ? value : "";
    }
    for (size_t at = 0; at < variables->len;
         at += strlen(variables->p + at) + 1) {
        if (strncmp(variables->p + at, name, n) == 0 &&
            variables->p[at + n] == '=')
            return variables->p + at + n + 1;
    }
    return "";
}

/* Reads $NAME or ${NAME} at s. Returns where the word goes on; NULL: it is
 * none, and the dollar stands for itself. */
static const char *
read_variable(const struct buf *variables, const char *s, const char **value)
{
    bool braced = *s == '$' && s[1] == '{';
    const char *name = s + 1 + braced;
    size_t n = *s == '$' ? dollar_name_length(name) : 0;

    if (n == 0 || (braced && name[n] != '}'))
        return NULL;
    *value = dollar_value(variables, name, n);
    return name + n + braced;
}

/* How many bytes the variables of the line can add to it. */
static size_t
variables_size(const struct buf *variables, const char *line)
{
    const char *value;
    size_t size = 0;

    for (; *line; line++) {
        if (read_variable(variables, line, &value))
            size += strlen(value);
    }
    return size;
}

/* Copies up to end, with the values of variables where the word has any. */
static void
copy_expanded(struct words *w, const char *s, const char *end, bool expands)
{
    while (s < end) {
        const char *value;
        const char *next = expands ? read_variable(w->variables, s, &value)
                                   : NULL;

        if (next && next <= end) {
            memcpy(w->out, value, strlen(value));
            w->out += strlen(value);
            s = next;
        } else {
            *w->out++ = *s++;
        }
    }
}

/* Copies one word. Quotes and backslashes are taken off as a shell would,
 * save a quote that nothing closes: that is an apostrophe. expands: variables
 * have their values, as in a shell; none becomes two words. */
static void
take_shell_word(struct words *w, bool expands)
{
    const char *s, *end, *value;

    w->at[w->n++] = w->out;
    s = take_home(w, w->in);
    while (*s && !ascii_is_space(*s)) {
        if ((*s == '\'' || *s == '"') && (end = strchr(s + 1, *s)) != NULL) {
            copy_expanded(w, s + 1, end, expands && *s == '"');
            s = end + 1;
        } else if (expands && read_variable(w->variables, s, &value)) {
            end = read_variable(w->variables, s, &value);
            copy_expanded(w, s, end, true);
            s = end;
        } else {
            s += *s == '\\' && s[1];
            *w->out++ = *s++;
        }
    }
    *w->out++ = '\0';
    w->in = skip_line_blanks(s);
}

/* Where a quotation that begins at s ends, behind it; s + 1: it is none, since
 * nothing closes it. */
static const char *
quotation_end(const char *s)
{
    const char *p = s + 1;

    while (*p && *p != *s)
        p += *p == '\\' && *s != '\'' && p[1] ? 2 : 1;
    return *p ? p + 1 : s + 1;
}

/* The end of the text's word at s, with the quotes in it. */
static const char *
skip_word(const char *s)
{
    while (*s && *s != ' ' && *s != '\t') {
        if (*s == '\'' || *s == '"' || *s == '`')
            s = quotation_end(s);
        else
            s += *s == '\\' && s[1] ? 2 : 1;
    }
    return s;
}

static void
copy_bytes_as_word(struct words *w, const char *s, size_t n)
{
    w->at[w->n++] = w->out;
    memcpy(w->out, s, n);
    w->out += n;
    *w->out++ = '\0';
}

/* Whether quotes around all of it are all the quotes that it has. */
static bool
is_one_quotation(const char *s, size_t n)
{
    return n > 1 && (*s == '\'' || *s == '"') &&
           memchr(s + 1, *s, n - 1) == s + n - 1;
}

/* Whether a word behind the first, s[0..n), could be an option. */
static bool
has_hyphened(const char *s, size_t n)
{
    const char *end = s + n;

    for (s = skip_word(s); s < end; s = skip_word(s)) {
        s = skip_line_blanks(s);
        if (*s == '-' && s + 1 < end)
            return true;
    }
    return false;
}

/* The value of an option that stands before it. */
static bool
is_value(const struct words *w)
{
    return w->n > 0 && w->at[w->n - 1][0] == '-' &&
           options_takes_value(w->at[w->n - 1], VERB_OPTIONS);
}

/* Each word of the text; quotes around all of the first go, if it is `first`,
 * and those of an option's value. */
static void
take_each(struct words *w, const char *s, size_t n, bool first)
{
    const char *end = s + n;

    while (s < end) {
        const char *next = skip_word(s);
        bool bare = first && is_one_quotation(s, (size_t)(next - s));

        if (is_value(w)) {
            w->in = s;
            take_shell_word(w, true);
            next = w->in;
        } else {
            copy_bytes_as_word(w, s + bare, (size_t)(next - s) - 2 * bare);
        }
        s = skip_line_blanks(next);
        first = false;
    }
    w->in = "";
}

/* Copies the rest of the line as text; quotes around all of it go. */
static void
take_rest_as_text(struct words *w)
{
    const char *s = w->in;
    size_t n = strlen(s);

    while (n > 0 && ascii_is_space(s[n - 1]))
        n--;
    w->in = "";
    if (n == 0)
        return;
    if (is_one_quotation(s, n))
        copy_bytes_as_word(w, s + 1, n - 2);
    else if (has_hyphened(s, n))
        take_each(w, s, n, true);
    else
        copy_bytes_as_word(w, s, n);
}

/* Options as words, and the values that belong to them. Says in *ended that
 * `--` ended them. */
static void
take_options(struct words *w, bool *ended)
{
    while (*w->in == '-' && !*ended) {
        take_shell_word(w, true);
        *ended = strcmp(w->at[w->n - 1], "--") == 0;
        if (*w->in && options_takes_value(w->at[w->n - 1], VERB_OPTIONS))
            take_shell_word(w, true);
    }
}

/* What follows the first word of a text without a verb, which may be a verb
 * that was mistyped. */
static void
take_rest(struct words *w)
{
    const char *s = w->in;
    size_t n = strlen(s);

    while (n > 0 && ascii_is_space(s[n - 1]))
        n--;
    take_each(w, s, n, false);
}

/* The first word behind the options. Quotes around all of it go; another quote
 * in a text is an apostrophe, whatever may close it. */
static void
take_first(struct words *w)
{
    const char *s = w->in, *end = s;
    bool quoted = *s == '\'' || *s == '"';

    if (quoted)
        end = quotation_end(s);
    if (quoted && end > s + 1 && (!*end || ascii_is_space(*end))) {
        take_shell_word(w, false);
        return;
    }
    for (end = s; *end && !ascii_is_space(*end); end++)
        quoted = quoted || *end == '\'' || *end == '"';
    if (!quoted) {
        take_shell_word(w, false);
        return;
    }
    copy_bytes_as_word(w, s, (size_t)(end - s));
    w->in = skip_line_blanks(end);
}

static void
split(struct words *w)
{
    bool ended = false;

    take_shell_word(w, false);
    take_options(w, &ended);
    if (!*w->in)
        return;
    take_first(w);
    if (options_verb_takes_text(w->at[w->n - 1])) {
        take_options(w, &ended);
        take_rest_as_text(w);
    } else if (!options_is_verb(w->at[w->n - 1])) {
        take_rest(w);
    }
    while (*w->in)
        take_shell_word(w, true);
}

static size_t
count(const char *s, char c)
{
    size_t n = 0;

    for (; *s; s++)
        n += *s == c;
    return n;
}

char **
ai_line_split(const char *line, const struct buf *variables, struct err *e)
{
    /* two words have a blank between them; a word is no longer than what it
     * was made of, but for the home that a tilde stands for and the values of
     * variables, and each but the last lost a blank to its NUL */
    size_t table = (strlen(line) / 2 + 2) * sizeof(char *);
    const char *home = getenv("HOME");
    struct words w = {.in = skip_line_blanks(line),
                      .home = home ? home : "",
                      .variables = variables};
    char **at = calloc(1, table + strlen(line) + 2 +
                              variables_size(variables, line) +
                              count(line, '~') * strlen(w.home));

    if (!at) {
        err_sys(e, "the line");
        return NULL;
    }
    w.at = at;
    w.out = (char *)at + table;
    split(&w);
    return at;
}

/* Behind the parenthesis or brace that closes the one at s; s + 1: nothing
 * does. */
static const char *
skip_bracketed(const char *s)
{
    const char open = *s, closing = open == '(' ? ')' : '}';
    const char *p = s + 1;
    size_t depth = 1;

    while (*p && depth > 0) {
        depth += *p == open;
        depth -= *p == closing;
        if (*p == '\'' || *p == '"' || *p == '`')
            p = quotation_end(p);
        else
            p += *p == '\\' && p[1] ? 2 : 1;
    }
    return depth == 0 ? p : s + 1;
}

/* Behind a number such as 100, 1.5, 100M, 5GB or 10% that is a word at s, or
 * the last of a sentence; NULL: there is none. */
static const char *
skip_number(const char *s)
{
    const char *p = s + strspn(s, "0123456789");

    if (p == s)
        return NULL;
    if (*p == '.' && p[1] >= '0' && p[1] <= '9')
        p += 1 + strspn(p + 1, "0123456789");
    if (*p == '%')
        p++;
    else if (*p && strchr("bBkKmMgGtTpPeEshdwy", *p)) {
        p++;
        p += *p == 'i';
        p += *p == 'b' || *p == 'B';
    }
    s = p + strspn(p, ".,:?!");
    return !*s || ascii_is_space(*s) || strchr(";|&)", *s) ? p : NULL;
}

/* Behind an arrow or a comparison, whose < or > is at p; NULL: it is a
 * redirection. */
static const char *
skip_sign(const char *line, const char *p)
{
    if (p > line && *p == '>' && (p[-1] == '-' || p[-1] == '='))
        return p + 1;
    if (p[1] == '=')
        return p + 2;
    return skip_number(skip_line_blanks(p + 1));
}

/* Whether the & at p is a letter of a word: "R&D", "?a=1&b=2". */
static bool
is_ampersand(const char *line, const char *p)
{
    return p > line && !ascii_is_space(p[-1]) && p[1] &&
           !ascii_is_space(p[1]) && !strchr("&>", p[1]);
}

/* Behind what begins at p and has no operator of the shell for its first
 * character; NULL: it has. */
static const char *
skip_text(const char *line, const char *p)
{
    if (*p == '\'' || *p == '"' || *p == '`')
        return quotation_end(p);
    if (*p == '#' &&
        (p == line || ascii_is_space(p[-1]))) /* a comment, to bash */
        return p + strcspn(p, "\n");
    if ((strchr("$<>", *p) && p[1] == '(') || (*p == '$' && p[1] == '{'))
        return skip_bracketed(p + 1);
    if (*p == '<' || *p == '>')
        return skip_sign(line, p);
    if (*p == '&' && is_ampersand(line, p))
        return p + 1;
    if (strchr("|&;", *p))
        return NULL;
    return p + (*p == '\\' && p[1] ? 2 : 1);
}

/* The first of the shell's operators; NULL: none. */
static const char *
find_oper(const char *line)
{
    const char *p = line;

    while (*p) {
        const char *next = skip_text(line, p);

        if (!next)
            return p;
        p = next;
    }
    return NULL;
}

/* The number of a descriptor before a redirection belongs to it. */
static const char *
with_descriptor(const char *line, const char *oper)
{
    const char *p = oper;

    if (!strchr("<>", *p))
        return p;
    while (p > line && p[-1] >= '0' && p[-1] <= '9')
        p--;
    return p > line && ascii_is_space(p[-1]) ? p : oper;
}

bool
ai_line_for_shell(const char *line, const struct buf *variables,
                  struct buf *out)
{
    const char *oper = find_oper(line);
    CLEANUP(free_p) char *head = NULL;
    CLEANUP(free_p) char **words = NULL;

    if (!oper)
        return false;
    oper = with_descriptor(line, oper);
    head = strndup(line, (size_t)(oper - line));
    words = head ? ai_line_split(head, variables, NULL) : NULL;
    if (!words)
        return false;
    for (char **w = words; *w; w++) {
        shell_quote_word(out, *w);
        buf_ch(out, ' ');
    }
    buf_str(out, oper);
    return buf_ok(out, "the line", NULL) == 0;
}
