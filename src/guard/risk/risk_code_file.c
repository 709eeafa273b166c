/* SPDX-License-Identifier: GPL-3.0-or-later */
/* risk_code_file.c - which file a call in code of another language writes. */
#include <string.h>

#include "guard/risk/risk_code.h"
#include "guard/risk/risk_memory.h"
#include "guard/risk/risk_paths.h"
#include "guard/risk/risk_text.h"

#define WORDS_MAX 8 /* of one call */

/* An argument of a call. */
struct word {
    const char *text; /* the string that it begins with; NULL: none */
    bool whole;       /* and that is all of it */
};

static void
touch(struct risk_code *c, const struct word *w, enum risk_use use)
{
    struct risk_arg a = {.text = w->whole ? w->text : "*",
                         .glob = w->whole ? w->text : "*",
                         .known = w->whole,
                         .from = c->arg->from,
                         .to = c->arg->to};

    risk_touch(c->st, c->frame, &a, use, false, c->language->name);
}

/* Where the argument at i ends, in text whose strings are blank. */
static size_t
word_end(const char *blank, size_t i, bool lines)
{
    int depth = 0;

    for (; blank[i]; i++) {
        char c = blank[i];

        if (depth == 0 && (strchr(",;)]}", c) || (c == '\n' && !lines)))
            return i;
        depth += (strchr("([{", c) != NULL) - (strchr(")]}", c) != NULL);
    }
    return i;
}

/* Behind mode= or mode: */
static const char *
without_key(const char *s, const char *end)
{
    const char *at = s + strspn(s, "abcdefghijklmnopqrstuvwxyz_");

    if (at == s)
        return s;
    at += strspn(at, " \t");
    return at < end && (*at == '=' || *at == ':') ? at + 1 : s;
}

/* In "$x", f'{x}' and "#{x}" something else is put in. */
static bool
is_filled(const char *s, size_t n)
{
    return s[0] != '\'' && (memchr(s, '$', n) || memchr(s, '{', n));
}

static struct word
word_at(struct risk_code *c, const char *s, const char *end)
{
    struct word w = {0};
    const char *at;

    s += strspn(s, " \t\n");
    s = without_key(s, end);
    at = s += strspn(s, " \t\n");
    if (s >= end)
        return w;
    w.text = risk_string(c->st, c->language->quotes, &at);
    if (!w.text)
        return w;
    w.whole = !is_filled(s, (size_t)(at - s));
    at += strspn(at, " \t\n");
    w.whole = w.whole && at >= end;
    return w;
}

static size_t
words_behind(struct risk_code *c, const char *at, struct word out[WORDS_MAX])
{
    const char *blank = c->blank + (at - c->text);
    size_t i = strspn(blank, " \t"), n = 0;
    bool parens = blank[i] == '(';

    i += parens;
    while (n < WORDS_MAX && blank[i]) {
        size_t end = word_end(blank, i, parens);

        out[n++] = word_at(c, at + i, at + end);
        if (blank[end] != ',')
            break;
        i = end + 1;
    }
    return n;
}

/* A command that perl opens: "|-" with it behind, or "rm x |". */
static bool
open_pipe(struct risk_code *c, const struct word *v, size_t n)
{
    const char *mode = v[1].text;
    size_t len = strlen(mode);
    struct word command = v[1];

    if (strcmp(mode, "|-") == 0 || strcmp(mode, "-|") == 0) {
        if (n < 3 || !v[2].text)
            risk_code_opaque(c);
        else
            risk_walk_text(c->st, c->frame, v[2].text, v[2].whole);
        return true;
    }
    if (len < 2 || (mode[0] != '|' && mode[len - 1] != '|'))
        return false;
    command.text = risk_copy(c->st, mode + (mode[0] == '|'), len - 1);
    risk_walk_text(c->st, c->frame, command.text, command.whole);
    return true;
}

/* open(F, ">", "file"), open(F, ">file") */
static void
open_perl(struct risk_code *c, const struct word *v, size_t n)
{
    const struct word none = {0};
    struct word file;
    enum risk_use use;
    const char *mode;

    if (n < 2 || !v[1].text || open_pipe(c, v, n))
        return;
    file = v[1];
    mode = file.text + (file.text[0] == '+');
    if (mode[0] != '>' && (mode[0] != '<' || mode == file.text))
        return; /* only read */
    use = mode[1] == '>' ? RISK_MAKES : RISK_CHANGES;
    file.text = mode + strspn(mode, "<> ");
    if (!file.text[0] || file.text[0] == ':')
        file = n > 2 ? v[2] : none;
    touch(c, &file, use);
}

/* open("file", "w") */
static void
open_by_mode(struct risk_code *c, const struct word *v, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        const char *mode = v[i].text;

        if (!mode || !mode[0] || strlen(mode) > 4 ||
            mode[strspn(mode, "rwaxcbtU+")] ||
            (mode[0] == 'r' && !strchr(mode, '+')))
            continue;
        touch(c, &v[0], strchr("wr", mode[0]) ? RISK_CHANGES : RISK_MAKES);
        return;
    }
}

/* Path("file").write_text(…): the word in front. */
static struct word
word_before(struct risk_code *c, const char *dot)
{
    struct word w = {0};
    const char *end = dot, *s;

    if (dot <= c->text + 1 || dot[-1] != ')')
        return w;
    end = s = dot - 1;
    while (s > c->text && c->blank[s - c->text - 1] != '(')
        s--;
    return word_at(c, s, end);
}

void
risk_code_file(struct risk_code *c, const struct code_row *row, const char *at)
{
    const struct word none = {0};
    struct word v[WORDS_MAX] = {{0}};
    size_t n = words_behind(c, at, v);
    const char *name = at - strlen(row->word);
    bool method = row->word[0] == 'w' && name > c->text && name[-1] == '.' &&
                  c->language->flag == CODE_PYTHON;

    if (row->effect == CODE_OPENS && c->language->flag == CODE_PERL) {
        open_perl(c, v, n);
    } else if (row->effect == CODE_OPENS) {
        open_by_mode(c, v, n);
    } else if (row->effect == CODE_COPIES) {
        touch(c, n > 1 ? &v[1] : &none, RISK_CHANGES);
    } else {
        struct word file = method ? word_before(c, name - 1) : v[0];

        touch(c, &file, RISK_CHANGES);
    }
}
