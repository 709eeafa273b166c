/* SPDX-License-Identifier: GPL-3.0-or-later */
/* risk_code_call.c - what a call in code of another language does. */
#include <string.h>

#include "guard/risk/risk_code.h"
#include "guard/risk/risk_hosts.h"
#include "guard/risk/risk_memory.h"
#include "guard/risk/risk_paths.h"
#include "guard/risk/risk_text.h"

#define STRINGS_MAX 16 /* of one call */

/* The strings behind a call's name, as far as they are plain. */
static size_t
strings_behind(struct risk_code *c, const char *at, const char **out,
               bool *more)
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
say(struct risk_code *c, unsigned fact, const char *what)
{
    risk_say(c->st, fact, c->arg->from, c->arg->to, c->language->name, what);
}

void
risk_code_opaque(struct risk_code *c)
{
    risk_say_opaque(c->st, c->arg->from, c->arg->to,
                    "runs code that cannot be checked");
}

static void
touch(struct risk_code *c, const char *path, enum risk_use use)
{
    struct risk_arg a = {.text = path,
                         .glob = path,
                         .known = true,
                         .from = c->arg->from,
                         .to = c->arg->to};

    risk_touch(c->st, c->frame, &a, use, false, c->language->name);
}

static void
execute(struct risk_code *c, const char *at)
{
    const char *strings[STRINGS_MAX], *text;
    bool more;
    size_t n = strings_behind(c, at, strings, &more);

    if (n == 0 && c->language->flag == CODE_TCL) {
        at += strspn(at, " \t");
        strings[n++] = risk_copy(c->st, at, strcspn(at, ";\n]"));
    }
    if (n == 0) {
        risk_code_opaque(c);
        return;
    }
    text = strings[0];
    for (size_t i = 1; i < n; i++)
        text = risk_join(c->st, risk_join(c->st, text, " "), strings[i]);
    risk_walk_text(c->st, c->frame, text, !more);
}

static void
delete_files(struct risk_code *c, const char *at)
{
    const char *strings[STRINGS_MAX];
    bool more;
    size_t n = strings_behind(c, at, strings, &more);

    say(c, RISK_DESTRUCTIVE, "code deletes files");
    for (size_t i = 0; i < n && i < 4; i++)
        touch(c, strings[i], RISK_DELETES);
}

static void
reach(struct risk_code *c, const char *at)
{
    const char *strings[STRINGS_MAX];
    bool more;

    if (strings_behind(c, at, strings, &more) == 0 || more ||
        !risk_is_loopback(risk_host_of(c->st, strings[0])))
        say(c, RISK_NETWORK, "code contacts a host");
}

void
risk_code_apply(struct risk_code *c, const struct code_row *row,
                const char *behind)
{
    const char *at = c->text + (behind - c->blank);

    c->connects = c->connects || row->effect == CODE_CONNECTS;
    c->executes = c->executes || row->effect == CODE_EXECUTES;
    switch (row->effect) {
    case CODE_DELETES:
        delete_files(c, at);
        return;
    case CODE_HARMS:
        say(c, RISK_DESTRUCTIVE, "code destroys data");
        return;
    case CODE_EXECUTES:
        execute(c, at);
        return;
    case CODE_CONNECTS:
        reach(c, at);
        return;
    case CODE_OPAQUE:
        risk_code_opaque(c);
        return;
    case CODE_OPENS:
    case CODE_WRITES:
    case CODE_COPIES:
        risk_code_file(c, row, at);
        return;
    }
}
