/* SPDX-License-Identifier: GPL-3.0-or-later */
/* risk_code.c - code of other languages, searched for calls that matter.
 *
 * No language is parsed: strings, patterns and comments are blanked, and names
 * are looked for in what is left. */
#include <string.h>
#include <strings.h>

#include "guard/risk_code_table.h"
#include "guard/risk_hosts.h"
#include "guard/risk_memory.h"
#include "guard/risk_paths.h"
#include "guard/risk_run.h"
#include "guard/risk_text.h"

#define STRINGS_MAX 16 /* of one call */

struct code {
    struct risk_state *st;
    struct risk_frame *frame;
    const struct code_language *language;
    const struct risk_arg *arg;
    const char *text;
    bool connects, executes;
    const char *blank; /* the same length, strings and comments as blanks */
};

static bool
is_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || c == '_';
}

/* Where a word stands as a name of its own, from `at` on. */
static const char *
find_name(const struct code *c, const char *at, const char *word)
{
    size_t n = strlen(word);

    for (; *at; at++) {
        char before = at > c->blank ? at[-1] : ' ';

        if (c->language->any_case ? strncasecmp(at, word, n)
                                  : strncmp(at, word, n))
            continue;
        if (is_name(word[0]) && (is_name(before) || strchr("$@%", before)))
            continue;
        if (is_name(word[n - 1]) && is_name(at[n]))
            continue;
        if (c->language->flag == CODE_REDIS && at > c->blank && before != '\n')
            continue; /* a command, not the name of a key */
        return at;
    }
    return NULL;
}

/* The strings behind a call's name, as far as they are plain. */
static size_t
strings_behind(struct code *c, const char *at, const char **out, bool *more)
{
    size_t n = 0;

    *more = false;
    while (n < STRINGS_MAX) {
        const char *s;

        at += strspn(at, " \t\n([{,");
        s = risk_string(c->st, c->language->quotes, &at);
        if (!s)
            break;
        out[n++] = s;
        at += strspn(at, " \t\n");
        *more = *more || strchr("+.%", *at ? *at : ',');
    }
    return n;
}

static void
say(struct code *c, unsigned fact, const char *what)
{
    risk_say(c->st, fact, c->arg->from, c->arg->to, c->language->name, what);
}

static void
opaque(struct code *c)
{
    risk_say_opaque(c->st, c->arg->from, c->arg->to,
                    "runs code that is not written here");
}

static void
touch(struct code *c, const char *path, enum risk_use use)
{
    struct risk_arg a = {.text = path,
                         .glob = path,
                         .known = true,
                         .from = c->arg->from,
                         .to = c->arg->to};

    risk_touch(c->st, c->frame, &a, use, false, c->language->name);
}

static void
execute(struct code *c, const char *at)
{
    const char *strings[STRINGS_MAX], *text;
    bool more;
    size_t n = strings_behind(c, at, strings, &more);

    if (n == 0 && c->language->flag == CODE_TCL) {
        at += strspn(at, " \t");
        strings[n++] = risk_copy(c->st, at, strcspn(at, ";\n]"));
    }
    if (n == 0) {
        opaque(c);
        return;
    }
    text = strings[0];
    for (size_t i = 1; i < n; i++)
        text = risk_join(c->st, risk_join(c->st, text, " "), strings[i]);
    risk_walk_text(c->st, c->frame, text, !more);
}

static void
open_file(struct code *c, const char *at)
{
    const char *strings[STRINGS_MAX];
    bool more;
    size_t n = strings_behind(c, at, strings, &more), path = 0;

    /* perl: open(F, ">", "file") and open(F, ">file"); its F is no string. */
    if (n == 0 && c->language->flag == CODE_PERL) {
        at += strcspn(at, ",;");
        n = strings_behind(c, at, strings, &more);
    }
    for (size_t i = 0; i < n; i++) {
        const char *mode = strings[i];
        size_t len = strlen(mode);

        if (c->language->flag == CODE_PERL && len && i + 1 < n &&
            (strcmp(mode, "|-") == 0 || strcmp(mode, "-|") == 0)) {
            risk_walk_text(c->st, c->frame, strings[i + 1], !more);
            return;
        }
        if (c->language->flag == CODE_PERL && len > 1 &&
            (mode[0] == '|' || mode[len - 1] == '|')) {
            const char *text = risk_copy(c->st, mode + (mode[0] == '|'),
                                         len - 1);

            risk_walk_text(c->st, c->frame, text, !more);
            return;
        }
        if (mode[0] == '>' && mode[strspn(mode, "> ")]) {
            touch(c, mode + strspn(mode, "> "),
                  mode[1] == '>' ? RISK_MAKES : RISK_CHANGES);
            return;
        }
        if (mode[0] == '>' && i + 1 < n) {
            touch(c, strings[i + 1],
                  mode[1] == '>' ? RISK_MAKES : RISK_CHANGES);
            return;
        }
        if (i > path && strchr("wax", mode[0]) && strlen(mode) <= 3) {
            touch(c, strings[path], mode[0] == 'w' ? RISK_CHANGES : RISK_MAKES);
            return;
        }
    }
}

static void
write_file(struct code *c, const char *at)
{
    const char *strings[STRINGS_MAX];
    bool more;

    say(c, RISK_WRITES, "");
    if (strings_behind(c, at, strings, &more) > 0)
        touch(c, strings[0], RISK_CHANGES);
}

static void
delete_files(struct code *c, const char *at)
{
    const char *strings[STRINGS_MAX];
    bool more;
    size_t n = strings_behind(c, at, strings, &more);

    say(c, RISK_DESTRUCTIVE, "code deletes files");
    for (size_t i = 0; i < n && i < 4; i++)
        touch(c, strings[i], RISK_DELETES);
}

static void
reach(struct code *c, const char *at)
{
    const char *strings[STRINGS_MAX];
    bool more;

    if (strings_behind(c, at, strings, &more) == 0 || more ||
        !risk_is_loopback(risk_host_of(c->st, strings[0])))
        say(c, RISK_NETWORK, "code contacts a host");
}

static void
apply(struct code *c, const struct code_row *row, const char *behind)
{
    const char *at = c->text + (behind - c->blank);

    c->connects = c->connects || row->effect == CODE_CONNECTS;
    c->executes = c->executes || row->effect == CODE_EXECUTES;
    switch (row->effect) {
    case CODE_DELETES:
        delete_files(c, at);
        return;
    case CODE_HARMS:
        say(c, RISK_DESTRUCTIVE, "code destroys what is there");
        return;
    case CODE_EXECUTES:
        execute(c, at);
        return;
    case CODE_CONNECTS:
        reach(c, at);
        return;
    case CODE_OPAQUE:
        opaque(c);
        return;
    case CODE_OPENS:
        open_file(c, at);
        return;
    case CODE_WRITES:
        write_file(c, at);
        return;
    }
}

/* What stands in `…` runs. */
static void
run_ticks(struct code *c)
{
    const char *at = c->text;

    while ((at = strchr(at, '`'))) {
        const char *end = strchr(at + 1, '`');

        if (!end)
            return;
        if (c->blank[at - c->text] == '`')
            risk_walk_text(c->st, c->frame,
                           risk_copy(c->st, at + 1, (size_t)(end - at - 1)),
                           true);
        at = end + 1;
    }
}

static void
search(struct code *c)
{
    const struct code_row *row;

    for (size_t i = 0; (row = code_row(i)); i++) {
        const char *at = c->blank;

        if (!(row->languages & c->language->flag) ||
            (row->needs && !strstr(c->text, row->needs) &&
             !(c->language->any_case && strcasestr(c->text, row->needs))))
            continue;
        while ((at = find_name(c, at, row->word)) && !c->st->full) {
            c->st->steps++;
            at += strlen(row->word);
            apply(c, row, at);
        }
    }
    if (!c->executes && c->language->flag == CODE_NODE &&
        strstr(c->text, "child_process"))
        opaque(c);
    if (c->connects && c->executes)
        risk_say_opaque(c->st, c->arg->from, c->arg->to,
                        "code runs what another machine may decide");
}

void
risk_code(struct risk_state *st, const struct risk_frame *f,
          const char *language, const struct risk_arg *a)
{
    struct risk_frame inner = *f;
    struct code c = {.st = st, .frame = &inner, .arg = a, .text = a->text};

    if (!a->known && strspn(a->glob, "*") == strlen(a->glob)) {
        risk_say_opaque(st, a->from, a->to, "runs code that is decided later");
        return;
    }
    inner.mapped = true;
    inner.from = a->from;
    inner.to = a->to;
    inner.positional = NULL;
    if (strcmp(language, "sed") == 0) {
        risk_sed(st, &inner, a);
        return;
    }
    c.language = code_language(language);
    if (!c.language)
        return;
    c.blank = risk_blank(st, c.language, a->text);
    if (strlen(c.blank) != strlen(c.text))
        return; /* there was no memory: st->full says so */
    search(&c);
    if (c.language->executes)
        run_ticks(&c);
    if (c.language->flag == CODE_AWK)
        risk_awk(st, &inner, a, c.blank);
}
