/* SPDX-License-Identifier: GPL-3.0-or-later */
/* repair_command.c - finds the calls and words of the command that failed. */
#include "offline/repair/repair_command.h"

#include <string.h>

#include "base/path.h"
#include "base/str.h"
#include "offline/repair/repair.h" /* REPAIR_TEXT_MAX */

bool
repair_command_read(struct repair_command *c, const char *text,
                    const char *home)
{
    *c = (struct repair_command){.home = home};
    buf_init(&c->text, REPAIR_TEXT_MAX);
    return buf_str(&c->text, text) == 0 &&
           syntax_read(c->text.p, c->text.len, &c->tree, NULL) == 0;
}

void
repair_command_done(struct repair_command *c)
{
    if (!c)
        return;
    syntax_done(&c->tree);
    buf_done(&c->text);
}

/* Programs that run the command behind them, and the letters of their options
 * that a value follows. */
static const struct {
    const char *name, *valued;
} wrappers[] = {{"sudo", "CDghpRrTtUu"}, {"doas", "Cu"}, {"env", "Cu"},
                {"nice", "n"},           {"exec", "a"},  {"time", "fo"},
                {"nohup", ""},           {"command", ""}};

/* The options of a wrapper that a value follows; NULL: it is none. */
static const char *
find_wrapper(const char *name)
{
    for (size_t i = 0; i < ARRAY_SIZE(wrappers); i++) {
        if (strcmp(wrappers[i].name, name) == 0)
            return wrappers[i].valued;
    }
    return NULL;
}

/* The word behind a wrapper and its options: sudo -u x CMD, env A=1 CMD. */
static const struct syntax_word *
skip_wrapper(const struct syntax_word *w, const char *valued)
{
    for (w = w->next; w; w = w->next) {
        if (w->text[0] == '-') {
            if (w->text[1] && !w->text[2] && strchr(valued, w->text[1]) &&
                w->next)
                w = w->next;
        } else if (!strchr(w->text, '=')) {
            return w;
        }
    }
    return NULL;
}

static const struct syntax_word *
find_program(const struct syntax_node *call)
{
    const struct syntax_word *w = call->words, *next = w;
    const char *valued;

    for (; next; next = valued ? skip_wrapper(w, valued) : NULL) {
        w = next;
        valued = find_wrapper(w->text);
    }
    return w;
}

static bool
is_named_among(const char *name, const char *names)
{
    size_t n = strlen(name);

    for (; *names; names += strspn(names, " ")) {
        size_t len = strcspn(names, " ");

        if (len == n && memcmp(names, name, n) == 0)
            return true;
        names += len;
    }
    return false;
}

bool
repair_command_choose(struct repair_command *c, const char *names, bool last)
{
    size_t i = 0;

    c->chosen = 0;
    c->call = NULL;
    c->program = NULL;
    for (const struct syntax_node *n = c->tree.all; n; n = n->after) {
        const struct syntax_word *w;

        if (n->kind != SYNTAX_CALL && n->kind != SYNTAX_TEST)
            continue;
        i++;
        if (n->mapped || (c->chosen && !last))
            continue;
        w = n->kind == SYNTAX_TEST ? NULL : find_program(n);
        if (names && !is_named_among(w ? path_base(w->text)
                                       : (n->kind == SYNTAX_TEST ? "[[" : ""),
                                     names)) {
            c->chosen = last ? 0 : c->chosen;
            continue;
        }
        c->chosen = i;
        c->call = n;
        c->program = w;
    }
    return c->chosen > 0;
}

const char *
repair_command_program(const struct repair_command *c)
{
    return c->program ? path_base(c->program->text) : "";
}

static bool
is_call_operand(const struct syntax_word *w)
{
    return w->text[0] != '-' || !w->text[1];
}

const char *
repair_command_word(const struct repair_command *c, const char *which, size_t n)
{
    const struct syntax_word *w = c->program, *found = NULL;
    size_t at = 0;

    if (!w)
        return NULL;
    if (n == strlen("program") && memcmp(which, "program", n) == 0)
        return syntax_word_is_literal(w) ? w->text : NULL;
    for (w = w->next; w; w = w->next) {
        if (!is_call_operand(w))
            continue;
        at++;
        if ((n == strlen("sub") && memcmp(which, "sub", n) == 0 && at == 1) ||
            (n == strlen("operand") && memcmp(which, "operand", n) == 0 &&
             at == 2) ||
            (n == strlen("last") && memcmp(which, "last", n) == 0))
            found = w;
    }
    return found && syntax_word_is_literal(found) ? found->text : NULL;
}

bool
repair_command_has(const struct repair_command *c, const char *word)
{
    bool letter = word[0] == '-' && word[1] && word[1] != '-' && !word[2];

    for (const struct syntax_word *w = c->program; w; w = w->next) {
        if (strcmp(w->text, word) == 0 ||
            (letter && w->text[0] == '-' && w->text[1] != '-' &&
             strchr(w->text, word[1])))
            return true;
    }
    return false;
}

const char *
repair_command_behind(const struct repair_command *c, const char *option)
{
    for (const struct syntax_word *w = c->program; w; w = w->next) {
        if (strcmp(w->text, option) == 0)
            return w->next && syntax_word_is_literal(w->next) ? w->next->text
                                                              : NULL;
    }
    return NULL;
}
