/* SPDX-License-Identifier: GPL-3.0-or-later */
/* risk_script_text.c - blanks strings, comments and regular expressions in
 * code, and normalizes SQL. */
#include <string.h>

#include "guard/risk/risk_findings.h"
#include "guard/risk/risk_script.h"

bool
risk_script_is_name_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || c == '_';
}

const char *
risk_script_string(struct risk_state *st, const char *quotes, const char **at)
{
    const char *s = *at, *end;
    char quote, *out, *to;

    while (*s && strchr("brfuBRFU", *s) && s < *at + 2)
        s++;
    if (!*s || !strchr(quotes, *s))
        return NULL;
    quote = *s++;
    for (end = s; *end && *end != quote; end++)
        end += *end == '\\' && end[1];
    if (!*end)
        return NULL;
    out = to = risk_alloc(st, (size_t)(end - s) + 1);
    if (!out)
        return NULL;
    for (; s < end; s++) {
        if (*s == '\\' && strchr("xuU01234567", s[1]))
            return NULL;
        if (*s == '\\')
            s++;
        *to++ = *s;
    }
    *at = end + 1;
    return out;
}

struct blanking {
    const struct risk_script_language *language;
    char *text;
    char before; /* the last byte that is not blank */
};

static size_t
string_end(const char *s, size_t i)
{
    char quote = s[i];
    size_t j = i + 1;

    while (s[j] && s[j] != quote)
        j += s[j] == '\\' && s[j + 1] ? 2 : 1;
    return s[j] ? j : i;
}

static size_t
code_line_end(const char *s, size_t i)
{
    return i + strcspn(s + i, "\n");
}

static bool
begins_comment(const struct blanking *b, size_t i)
{
    char c = b->text[i];

    if (!strchr(b->language->comments, c))
        return false;
    if (c == '#')
        return b->before != '$' && b->before != '{';
    return b->text[i + 1] == c;
}

/* Whether such a word precedes, behind which a value begins: `if /x/`. */
static bool
follows_word(const struct blanking *b, size_t i)
{
    static const char *const words[] = {"if",     "unless", "and",  "or",
                                        "not",    "split",  "grep", "when",
                                        "return", "while",  NULL};

    while (i > 0 && b->text[i - 1] == ' ')
        i--;
    for (const char *const *w = words; *w; w++) {
        size_t n = strlen(*w);

        if (i >= n && strncmp(b->text + i - n, *w, n) == 0)
            return true;
    }
    return false;
}

/* The end of a regular expression: a slash where a value would begin, and
 * another on the same line. Else i. */
static size_t
pattern_end(const struct blanking *b, size_t i)
{
    const char *s = b->text;
    size_t j = i + 1;

    if (!b->language->patterns || s[i] != '/' ||
        (b->before && !strchr("(,{;!&|~=}\n", b->before) &&
         !follows_word(b, i)))
        return i;
    while (s[j] && s[j] != '/' && s[j] != '\n')
        j += s[j] == '\\' && s[j + 1] ? 2 : 1;
    return s[j] == '/' ? j : i;
}

/* Whether code runs inside a string: "#{…}", "@{[…]}", `${…}`. */
static bool
holds_code(const struct blanking *b, size_t from, size_t to)
{
    const char *s = b->text;

    for (size_t i = from; i + 1 < to; i++)
        if ((s[i] == '#' && s[i + 1] == '{') ||
            (s[i] == '@' && s[i + 1] == '{') ||
            (s[from] == '`' && s[i] == '$' && s[i + 1] == '{'))
            return true;
    return false;
}

static size_t
blank_item(struct blanking *b, size_t i)
{
    size_t end = i;

    if (strchr(b->language->quotes, b->text[i])) {
        end = string_end(b->text, i);
        if (end > i && holds_code(b, i, end)) {
            b->before = b->text[end];
            return end;
        }
        if (end > i + 1)
            memset(b->text + i + 1, ' ', end - i - 1);
    } else if (begins_comment(b, i)) {
        end = code_line_end(b->text, i);
        memset(b->text + i, ' ', end - i);
        return end > i ? end - 1 : i;
    } else {
        end = pattern_end(b, i);
        if (end > i)
            memset(b->text + i, ' ', end - i + 1);
    }
    if (b->text[end] != ' ' && b->text[end] != '\t')
        b->before = b->text[end];
    else if (end > i)
        b->before = ')';
    return end;
}

const char *
risk_script_blank(struct risk_state *st, const struct risk_script_language *l,
                  const char *text)
{
    size_t n = strlen(text);
    struct blanking b = {.language = l, .text = risk_alloc(st, n + 1)};

    if (!b.text)
        return "";
    memcpy(b.text, text, n);
    for (size_t i = 0; i < n; i++)
        i = blank_item(&b, i);
    return b.text;
}

/* SQL, and the commands of its clients. */

/* Commands of the client that begin with a dot (sqlite3, duckdb) or with a
 * backslash (psql, mysql) and only show, or change how something is shown. */
static const char *const dot_commands_that_show[] = {
    "auth",       "bail",    "binary",    "changes",   "databases", "dbinfo",
    "dump",       "echo",    "eqp",       "exit",      "explain",   "expert",
    "fullschema", "headers", "help",      "indexes",   "indices",   "limit",
    "lint",       "mode",    "nullvalue", "parameter", "print",     "prompt",
    "progress",   "quit",    "rows",      "scanstats", "schema",    "selftest",
    "separator",  "sha3sum", "show",      "stats",     "tables",    "timeout",
    "timer",      "version", "vfsinfo",   "vfslist",   "vfsname",   "width",
    NULL,
};

/* Commands that act. The client accepts any prefix of a command and takes the
 * first that fits. */
static const char *const dot_commands_that_act[] = {
    "archive",  "backup",   "cd",       "check",  "clone",    "connection",
    "dbconfig", "excel",    "filectrl", "import", "imposter", "iotrace",
    "load",     "log",      "new",      "once",   "open",     "output",
    "read",     "recover",  "restore",  "save",   "session",  "shell",
    "system",   "testcase", "testctrl", "trace",  "unmodule", "www",
    NULL,
};

/* First letters of backslash commands that only show. */
static const char slash_letters[] = "dlxchqzGrtTaH?";

static bool
is_prefix_of_one(const char *s, size_t n, const char *const *words)
{
    for (; *words; words++)
        if (n <= strlen(*words) && strncmp(s, *words, n) == 0)
            return true;
    return false;
}

static bool
dot_only_shows(const char *s)
{
    size_t n = strspn(s, "abcdefghijklmnopqrstuvwxyz0123456789_");

    return n > 0 && is_prefix_of_one(s, n, dot_commands_that_show) &&
           !is_prefix_of_one(s, n, dot_commands_that_act);
}

static bool
slash_only_shows(const char *s)
{
    static const char *const words[] = {
        "timing", "pset", "echo",       "conninfo", "encoding",
        "sf",     "sv",   "errverbose", "pager",    NULL};
    size_t n = strspn(s, "abcdefghijklmnopqrstuvwxyz");

    if (s[0] == 'g' && n == 1)
        return !s[1 + strspn(s + 1, " \t;")];
    for (const char *const *w = words; *w; w++)
        if (strlen(*w) == n && strncmp(s, *w, n) == 0)
            return true;
    return s[0] && strchr(slash_letters, s[0]) && strncmp(s, "copy", 4) != 0 &&
           strncmp(s, "cd", 2) != 0 && s[0] != 'o';
}

static void
check_client_commands(struct risk_state *st, const struct risk_arg *a,
                      const char *text)
{
    bool begins = true;
    char quote = '\0';

    for (const char *s = text; *s; s++) {
        bool harms = false;

        if (begins && *s == '.')
            harms = !dot_only_shows(s + 1);
        else if (!quote && *s == '\\')
            harms = !slash_only_shows(s + 1);
        if (harms) {
            risk_report_unread(st, a->from, a->to,
                               "a command of the client does more than show");
            return;
        }
        if (*s == '\'' && (!quote || quote == '\''))
            quote = quote ? '\0' : '\'';
        begins = *s == '\n' || (begins && strchr(" \t", *s));
    }
}

/* The end of a comment at s, or s. MySQL runs the contents of a comment that
 * begins with an exclamation mark: that is none. */
static const char *
comment_end(const char *s)
{
    const char *end;

    if (s[0] != '/' || s[1] != '*' || s[2] == '!')
        return s;
    end = strstr(s + 2, "*/");
    return end ? end + 2 : s + strlen(s);
}

const char *
risk_script_sql(struct risk_state *st, const struct risk_arg *a)
{
    char *out = risk_alloc(st, strlen(a->text) + 2), *to = out;
    char quote = '\0';

    if (!out)
        return "";
    check_client_commands(st, a, a->text);
    for (const char *s = a->text; *s; s++) {
        const char *end = quote ? s : comment_end(s);
        bool blank = !quote && (*s == ' ' || *s == '\t' || *s == '\n');

        if (end > s || blank) {
            if (to > out && to[-1] != ' ')
                *to++ = ' ';
            s = end > s ? end - 1 : s;
            continue;
        }
        if (*s == '\'' && (!quote || quote == '\''))
            quote = quote ? '\0' : '\'';
        *to++ = *s;
    }
    return out;
}
