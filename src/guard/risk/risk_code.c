/* SPDX-License-Identifier: GPL-3.0-or-later */
/* risk_code.c - code of other languages, searched for calls that matter.
 *
 * No language is parsed: strings, patterns and comments are blanked, and names
 * are looked for in what is left. */
#include <string.h>

#include "guard/risk/risk_code.h"
#include "guard/risk/risk_memory.h"
#include "guard/risk/risk_run.h"
#include "guard/risk/risk_text.h"

/* Where a word stands as a name of its own, from `at` on. */
static const char *
find_name(const struct risk_code *c, const char *at, const char *word)
{
    size_t n = strlen(word);

    for (;; at++) {
        char before;

        at = c->language->any_case ? strcasestr(at, word) : strstr(at, word);
        if (!at)
            return NULL;
        before = at > c->blank ? at[-1] : ' ';
        if (risk_is_name(word[0]) &&
            (risk_is_name(before) || strchr("$@%", before)))
            continue;
        if (risk_is_name(word[n - 1]) && risk_is_name(at[n]))
            continue;
        if (c->language->flag == CODE_REDIS && at > c->blank && before != '\n')
            continue; /* a command, not the name of a key */
        return at;
    }
}

/* What stands in `…` runs. */
static void
run_ticks(struct risk_code *c)
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
search(struct risk_code *c)
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
            risk_code_apply(c, row, at);
        }
    }
    if (!c->executes && c->language->flag == CODE_NODE &&
        strstr(c->text, "child_process"))
        risk_code_opaque(c);
    if (c->connects && c->executes)
        risk_say_opaque(c->st, c->arg->from, c->arg->to,
                        "runs code that another machine may change");
}

void
risk_code(struct risk_state *st, const struct risk_frame *f,
          const char *language, const struct risk_arg *a)
{
    struct risk_frame inner = *f;
    struct risk_code c = {.st = st, .frame = &inner, .arg = a, .text = a->text};

    if (!a->known && strspn(a->glob, "*") == strlen(a->glob)) {
        risk_say_opaque(st, a->from, a->to,
                        "runs code that is only known when it runs");
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
    if (c.language->flag == CODE_SQL)
        c.text = risk_sql(st, a);
    c.blank = risk_blank(st, c.language, c.text);
    if (strlen(c.blank) != strlen(c.text))
        return; /* there was no memory: st->full says so */
    search(&c);
    risk_code_names(&c);
    if (c.language->executes)
        run_ticks(&c);
    if (c.language->flag == CODE_AWK)
        risk_awk(st, &inner, a, c.blank);
}
