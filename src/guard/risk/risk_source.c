/* SPDX-License-Identifier: GPL-3.0-or-later */
/* risk_source.c - code that comes from a file or from standard input. */
#include <string.h>

#include "guard/risk/risk_memory.h"
#include "guard/risk/risk_nested.h"
#include "guard/risk/risk_paths.h"

/* The commands of a crontab's lines, less the time that each begins with. */
static const char *
without_times(struct risk_state *st, const char *text)
{
    char *out = risk_alloc(st, strlen(text) + 1), *to = out;

    while (out && *text) {
        size_t line = strcspn(text, "\n");
        const char *s = text, *end = text + line;

        for (int i = s < end && *s == '@' ? 4 : 0; i < 5; i++) {
            s += strspn(s, " \t");
            s += strcspn(s, " \t\n");
        }
        if (s < end && *text != '#') {
            memcpy(to, s, (size_t)(end - s));
            to += end - s;
        }
        text = end + (*end == '\n');
        *to++ = *end ? '\n' : '\0';
    }
    return out ? out : "";
}

void
risk_read_input(struct risk_nested *n, const char *language)
{
    const struct risk_input *in = &n->inner.input;
    struct risk_arg a;

    if (in->kind == RISK_INPUT_NONE)
        return;
    if (in->kind == RISK_INPUT_UNKNOWN) {
        risk_say_opaque(n->st, in->from, in->to,
                        "runs what it reads from there as code");
        return;
    }
    if (strcmp(language, "shell") == 0 || strcmp(language, "cron") == 0) {
        const char *text = in->text;

        if (language[0] == 'c')
            text = without_times(n->st, text);
        n->inner.mapped = true;
        n->inner.from = in->from;
        n->inner.to = in->to;
        n->inner.positional = NULL;
        risk_walk_text(n->st, &n->inner, text, true);
        return;
    }
    a = (struct risk_arg){.text = in->text,
                          .glob = in->text,
                          .known = true,
                          .from = in->from,
                          .to = in->to};
    risk_code(n->st, &n->inner, language, &a);
}

/* The language of a program's own input; of `source` it is the shell's. */
static const char *
language_of(const struct risk_parsed *p)
{
    for (size_t i = 0; i < p->program->n_rules; i++)
        if (program_rules(p->program)[i].verb == PROGRAM_INPUT)
            return program_text(program_rules(p->program)[i].text);
    return "shell";
}

/* /dev/fd/3, /proc/self/fd/3, /proc/42/fd/3 */
static bool
is_descriptor(const char *text)
{
    return text[0] == '/' && strstr(text, "/fd/");
}

static bool
is_input_name(const char *text)
{
    return strcmp(text, "-") == 0 || strcmp(text, "/dev/stdin") == 0 ||
           strcmp(text, "/dev/fd/0") == 0;
}

/* A file of code: nobody has read it; some nobody could. */
static void
load(struct risk_nested *n, const struct risk_arg *a)
{
    bool is_input = a->known && is_input_name(a->text);

    if (is_input || is_descriptor(a->text)) {
        if (is_input && n->inner.input.kind == RISK_INPUT_TEXT)
            risk_read_input(n, language_of(n->p));
        else
            risk_say_opaque(n->st, a->from, a->to,
                            "runs what it reads from there as code");
        return;
    }
    if (a->process || strspn(a->glob, "*") == strlen(a->glob) ||
        risk_is_made(n->st, a) || risk_is_fetched(n->st, a))
        risk_say_opaque(n->st, a->from, a->to,
                        "runs code that was not checked");
    else
        risk_report(n->st, RISK_UNKNOWN,
                    (struct risk_reason){.kind = RISK_KIND_FILE,
                                         .program = n->p->name,
                                         .about = a->text,
                                         .from = a->from,
                                         .to = a->to,
                                         .says = "runs a file of code"});
    risk_touch(n->st, &n->inner, a, RISK_READS, false, n->p->name);
}

void
risk_load(struct risk_nested *n)
{
    struct risk_args args = {0};

    risk_select(n->st, n->p, n->rule, &args);
    for (size_t i = 0; i < args.n; i++)
        load(n, &args.v[i]);
}
