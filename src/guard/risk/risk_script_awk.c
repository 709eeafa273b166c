/* SPDX-License-Identifier: GPL-3.0-or-later */
/* risk_script_awk.c - finds what awk and sed scripts write and run. */
#include <string.h>

#include "guard/risk/risk_findings.h"
#include "guard/risk/risk_internal.h"
#include "guard/risk/risk_paths.h"
#include "guard/risk/risk_script.h"

/* Reports that the script writes a file. path NULL: only the input tells it. */
static void
touch_file(struct risk_state *st, const struct risk_frame *f,
           const struct risk_arg *a, const char *path, bool appends,
           const char *name)
{
    struct risk_arg file = {.text = path ? path : "*",
                            .glob = path ? path : "*",
                            .known = path != NULL,
                            .from = a->from,
                            .to = a->to};

    if (path && strncmp(path, "/inet", 5) == 0)
        risk_report_program(st, RISK_NETWORK, a->from, a->to, name,
                            "contacts a host");
    else
        risk_path_touch(st, f, &file, appends ? RISK_MAKES : RISK_CHANGES,
                        false, name);
}

/* print … | "command", "command" | getline */
static void
run_pipe(struct risk_state *st, const struct risk_frame *f,
         const struct risk_arg *a, size_t at)
{
    const char *behind = a->text + at + 1, *text;
    size_t end = at, begin;

    struct risk_frame inner = *f;

    behind += *behind == '&';
    behind += strspn(behind, " \t");
    text = risk_script_string(st, "\"", &behind);
    inner.input = (struct risk_input){
        text ? RISK_INPUT_UNKNOWN : RISK_INPUT_NONE, "", a->from, a->to};
    if (!text && strncmp(behind, "getline", 7) == 0) {
        while (end > 0 && strchr(" \t", a->text[end - 1]))
            end--;
        begin = end > 0 ? end - 1 : 0;
        while (begin > 0 && a->text[--begin] != '"')
            ;
        behind = a->text + begin;
        text = risk_script_string(st, "\"", &behind);
    }
    if (text && strncmp(text, "/inet", 5) == 0)
        touch_file(st, f, a, text, true, "awk");
    else if (text)
        risk_walk_text(st, &inner, text, true);
    else
        risk_report_unread(st, a->from, a->to,
                           "awk runs commands from its input");
}

static bool
is_keyword(const char *s, size_t at, const char *word)
{
    size_t n = strlen(word);

    return strncmp(s + at, word, n) == 0 &&
           (at == 0 || !risk_script_is_name_char(s[at - 1])) &&
           (!risk_script_is_name_char(s[at + n]) || s[at + n] == 'f');
}

void
risk_script_awk(struct risk_state *st, const struct risk_frame *f,
                const struct risk_arg *a, const char *blank)
{
    bool prints = false;
    int parens = 0;

    for (size_t i = 0; blank[i] && !st->full; i++) {
        char c = blank[i];

        if (strchr(";{}\n", c))
            prints = false;
        prints = prints || is_keyword(blank, i, "print");
        parens += (c == '(') - (c == ')');
        if (c == '|' && blank[i + 1] == '|') {
            i++;
        } else if (c == '|') {
            run_pipe(st, f, a, i);
        } else if (c == '>' && prints && parens <= 0) {
            bool appends = blank[i + 1] == '>';
            const char *at = a->text + i + 1 + appends, *path;

            at += strspn(at, " \t");
            path = risk_script_string(st, "\"", &at);
            at += strspn(at, " \t)");
            touch_file(st, f, a, path && strchr(";}\n|", *at) ? path : NULL,
                       appends, "awk");
            i += appends;
        }
    }
}

/* The offset behind the delimiter that ends the section of s/…/…/ at s. */
static const char *
section_end(const char *s, char delimiter)
{
    while (*s && *s != delimiter && *s != '\n')
        s += *s == '\\' && s[1] ? 2 : 1;
    return *s == delimiter ? s + 1 : NULL;
}

static void
touch_sed_file(struct risk_state *st, const struct risk_frame *f,
               const struct risk_arg *a, const char *s)
{
    s += strspn(s, " \t");
    touch_file(st, f, a, risk_copy(st, s, strcspn(s, "\n")), false, "sed");
}

/* s/a/b/flags: reports the flags e and w. Returns the rest, NULL at the end. */
static const char *
check_substitution(struct risk_state *st, const struct risk_frame *f,
                   const struct risk_arg *a, const char *s)
{
    char delimiter = s[1];
    const char *at;

    if (!delimiter || !(at = section_end(s + 2, delimiter)) ||
        !(at = section_end(at, delimiter)))
        return NULL;
    for (; *at && !strchr(";}\n", *at); at++) {
        if (*at == 'w') {
            touch_sed_file(st, f, a, at + 1);
            return at + strcspn(at, "\n");
        }
        if (*at == 'e')
            risk_report_unread(st, a->from, a->to,
                               "sed runs commands from its input");
    }
    return at;
}

/* Skips addresses: 1,3 $ /x/ \%x% */
static const char *
skip_address(const char *s)
{
    for (;;) {
        s += strspn(s, " \t\n;{},!0123456789$+~");
        if (*s == '/')
            s = section_end(s + 1, '/');
        else if (*s == '\\' && s[1])
            s = section_end(s + 2, s[1]);
        else
            return s;
        if (!s)
            return "";
        s += strspn(s, "IM");
    }
}

void
risk_script_sed(struct risk_state *st, const struct risk_frame *f,
                const struct risk_arg *a)
{
    const char *s = a->text;

    while (s && *s && !st->full) {
        size_t line;

        s = skip_address(s);
        line = strcspn(s, "\n");
        switch (*s) {
        case 's':
        case 'y':
            s = check_substitution(st, f, a, s);
            break;
        case 'w':
        case 'W':
            touch_sed_file(st, f, a, s + 1);
            s += line;
            break;
        case 'e':
            risk_walk_text(st, f, risk_copy(st, s + 1, line - 1), line > 1);
            s += line;
            break;
        case 'a':
        case 'i':
        case 'c':
        case 'r':
        case 'R':
        case '#':
            s += line;
            break;
        default:
            s += *s != '\0';
        }
    }
}
