/* SPDX-License-Identifier: GPL-3.0-or-later */
/* risk_sql.c - statements made comparable, and the clients' own commands. */
#include <string.h>

#include "guard/risk/risk_memory.h"
#include "guard/risk/risk_text.h"

/* Commands of the client that begin with a dot (sqlite3, duckdb) or with a
 * backslash (psql, mysql) and only show, or change how something is shown. */
static const char *const showing[] = {
    "auth",       "bail",    "binary",    "changes",   "databases", "dbinfo",
    "dump",       "echo",    "eqp",       "exit",      "explain",   "expert",
    "fullschema", "headers", "help",      "indexes",   "indices",   "limit",
    "lint",       "mode",    "nullvalue", "parameter", "print",     "prompt",
    "progress",   "quit",    "rows",      "scanstats", "schema",    "selftest",
    "separator",  "sha3sum", "show",      "stats",     "tables",    "timeout",
    "timer",      "version", "vfsinfo",   "vfslist",   "vfsname",   "width",
    NULL,
};

/* The client takes any beginning of these, and the first that fits. */
static const char *const doing[] = {
    "archive",  "backup",   "cd",       "check",  "clone",    "connection",
    "dbconfig", "excel",    "filectrl", "import", "imposter", "iotrace",
    "load",     "log",      "new",      "once",   "open",     "output",
    "read",     "recover",  "restore",  "save",   "session",  "shell",
    "system",   "testcase", "testctrl", "trace",  "unmodule", "www",
    NULL,
};

/* Letters behind a backslash that begin a command that shows. */
static const char shows[] = "dlxchqzGrtTaH?";

static bool
begins_one(const char *s, size_t n, const char *const *words)
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

    return n > 0 && begins_one(s, n, showing) && !begins_one(s, n, doing);
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
    return s[0] && strchr(shows, s[0]) && strncmp(s, "copy", 4) != 0 &&
           strncmp(s, "cd", 2) != 0 && s[0] != 'o';
}

static void
check_commands(struct risk_state *st, const struct risk_arg *a,
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
            risk_say_opaque(st, a->from, a->to,
                            "a command of the client does more than show");
            return;
        }
        if (*s == '\'' && (!quote || quote == '\''))
            quote = quote ? '\0' : '\'';
        begins = *s == '\n' || (begins && strchr(" \t", *s));
    }
}

/* Behind a comment that begins here; in a comment that begins with an
 * exclamation mark MySQL runs what it holds. */
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
risk_sql(struct risk_state *st, const struct risk_arg *a)
{
    char *out = risk_alloc(st, strlen(a->text) + 2), *to = out;
    char quote = '\0';

    if (!out)
        return "";
    check_commands(st, a, a->text);
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
