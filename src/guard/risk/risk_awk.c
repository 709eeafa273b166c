/* SPDX-License-Identifier: GPL-3.0-or-later */
/* risk_awk.c - what awk and sed write and run. */
#include <string.h>

#include "guard/risk/risk_memory.h"
#include "guard/risk/risk_paths.h"
#include "guard/risk/risk_run.h"
#include "guard/risk/risk_text.h"

/* path NULL: the input decides. */
static void
touch(struct risk_state *st, const struct risk_frame *f,
      const struct risk_arg *a, const char *path, bool appends,
      const char *name)
{
    struct risk_arg file = {.text = path ? path : "*",
                            .glob = path ? path : "*",
                            .known = path != NULL,
                            .from = a->from,
                            .to = a->to};

    if (path && strncmp(path, "/inet", 5) == 0)
        risk_say(st, RISK_NETWORK, a->from, a->to, name, "contacts a host");
    else
        risk_touch(st, f, &file, appends ? RISK_MAKES : RISK_CHANGES, false,
                   name);
}

/* print … | "command", "command" | getline */
static void
pipe_to(struct risk_state *st, const struct risk_frame *f,
        const struct risk_arg *a, size_t at)
{
    const char *behind = a->text + at + 1, *text;
    size_t end = at, begin;

    struct risk_frame inner = *f;

    behind += *behind == '&';
    behind += strspn(behind, " \t");
    text = risk_string(st, "\"", &behind);
    inner.input = (struct risk_input){
        text ? RISK_INPUT_UNKNOWN : RISK_INPUT_NONE, "", a->from, a->to};
    if (!text && strncmp(behind, "getline", 7) == 0) {
        while (end > 0 && strchr(" \t", a->text[end - 1]))
            end--;
        begin = end > 0 ? end - 1 : 0;
        while (begin > 0 && a->text[--begin] != '"')
            ;
        behind = a->text + begin;
        text = risk_string(st, "\"", &behind);
    }
    if (text && strncmp(text, "/inet", 5) == 0)
        touch(st, f, a, text, true, "awk");
    else if (text)
        risk_walk_text(st, &inner, text, true);
    else
        risk_say_opaque(st, a->from, a->to, "awk runs commands from its input");
}

static bool
is_word(const char *s, size_t at, const char *word)
{
    size_t n = strlen(word);

    return strncmp(s + at, word, n) == 0 &&
           (at == 0 || !risk_is_name(s[at - 1])) &&
           (!risk_is_name(s[at + n]) || s[at + n] == 'f');
}

void
risk_awk(struct risk_state *st, const struct risk_frame *f,
         const struct risk_arg *a, const char *blank)
{
    bool prints = false;
    int parens = 0;

    for (size_t i = 0; blank[i] && !st->full; i++) {
        char c = blank[i];

        if (strchr(";{}\n", c))
            prints = false;
        prints = prints || is_word(blank, i, "print");
        parens += (c == '(') - (c == ')');
        if (c == '|' && blank[i + 1] == '|') {
            i++;
        } else if (c == '|') {
            pipe_to(st, f, a, i);
        } else if (c == '>' && prints && parens <= 0) {
            bool appends = blank[i + 1] == '>';
            const char *at = a->text + i + 1 + appends, *path;

            at += strspn(at, " \t");
            path = risk_string(st, "\"", &at);
            at += strspn(at, " \t)");
            touch(st, f, a, path && strchr(";}\n|", *at) ? path : NULL, appends,
                  "awk");
            i += appends;
        }
    }
}

/* Behind the delimiter that ends the part of s/…/…/ that begins at s. */
static const char *
part_end(const char *s, char delimiter)
{
    while (*s && *s != delimiter && *s != '\n')
        s += *s == '\\' && s[1] ? 2 : 1;
    return *s == delimiter ? s + 1 : NULL;
}

static void
write_to(struct risk_state *st, const struct risk_frame *f,
         const struct risk_arg *a, const char *s)
{
    s += strspn(s, " \t");
    touch(st, f, a, risk_copy(st, s, strcspn(s, "\n")), false, "sed");
}

/* s/a/b/flags: the flags e and w. Returns what is behind, NULL at the end. */
static const char *
substitute(struct risk_state *st, const struct risk_frame *f,
           const struct risk_arg *a, const char *s)
{
    char delimiter = s[1];
    const char *at;

    if (!delimiter || !(at = part_end(s + 2, delimiter)) ||
        !(at = part_end(at, delimiter)))
        return NULL;
    for (; *at && !strchr(";}\n", *at); at++) {
        if (*at == 'w') {
            write_to(st, f, a, at + 1);
            return at + strcspn(at, "\n");
        }
        if (*at == 'e')
            risk_say_opaque(st, a->from, a->to,
                            "sed runs commands from its input");
    }
    return at;
}

/* Behind an address: 1,3 $ /x/ \%x% */
static const char *
skip_address(const char *s)
{
    for (;;) {
        s += strspn(s, " \t\n;{},!0123456789$+~");
        if (*s == '/')
            s = part_end(s + 1, '/');
        else if (*s == '\\' && s[1])
            s = part_end(s + 2, s[1]);
        else
            return s;
        if (!s)
            return "";
        s += strspn(s, "IM");
    }
}

void
risk_sed(struct risk_state *st, const struct risk_frame *f,
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
            s = substitute(st, f, a, s);
            break;
        case 'w':
        case 'W':
            write_to(st, f, a, s + 1);
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
