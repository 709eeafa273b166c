/* SPDX-License-Identifier: GPL-3.0-or-later */
/* recipe_line.c - reads a recipe's command with the guard, for the linter.
 *
 * The slots of the command are filled with examples first. The guard then says
 * what the command would do and which programs it starts. */
#include "base/array.h"
#include "base/str.h"
#include "offline/index/recipe_lint.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "guard/path/path_table.h"

struct path_context
recipe_line_place(void)
{
    return (struct path_context){.cwd = RECIPE_EXAMPLE_HOME "/work",
                                 .home = RECIPE_EXAMPLE_HOME};
}

int
recipe_line_read(const char *command, struct recipe_line *out, struct err *e)
{
    const struct path_context nowhere = recipe_line_place();

    *out = (struct recipe_line){.text = buf_of(SYNTAX_LINE_MAX)};
    if (recipe_example(command, &out->text, &out->fills, e) < 0 ||
        syntax_read(out->text.p, out->text.len, &out->syntax, e) < 0)
        return -1;
    return risk_read(&out->syntax, &nowhere, &out->risk, e);
}

void
recipe_line_done(struct recipe_line *l)
{
    if (!l)
        return;
    risk_done(&l->risk);
    syntax_done(&l->syntax);
    buf_done(&l->text);
}

static bool
is_recipe_builtin(const char *name)
{
    static const char *const builtins[] = {
        ".",        ":",         "[",        "alias",   "bg",      "bind",
        "break",    "builtin",   "caller",   "cd",      "command", "compgen",
        "complete", "compopt",   "continue", "coproc",  "declare", "dirs",
        "disown",   "echo",      "enable",   "eval",    "exec",    "exit",
        "export",   "false",     "fc",       "fg",      "getopts", "hash",
        "help",     "history",   "jobs",     "kill",    "let",     "local",
        "logout",   "mapfile",   "popd",     "printf",  "pushd",   "pwd",
        "read",     "readarray", "readonly", "return",  "set",     "shift",
        "shopt",    "source",    "suspend",  "test",    "time",    "times",
        "trap",     "true",      "type",     "typeset", "ulimit",  "umask",
        "unalias",  "unset",     "wait",
    };

    return bsearch(name, builtins, ARRAY_SIZE(builtins), sizeof(builtins[0]),
                   str_compare_key) != NULL;
}

static bool
is_function(const struct recipe_line *l, const char *name)
{
    for (const struct syntax_node *n = l->syntax.all; n; n = n->after)
        if (n->kind == SYNTAX_FUNCTION && n->words &&
            strcmp(n->words->text, name) == 0)
            return true;
    return false;
}

static void
add_head(struct recipe_heads *h, const struct recipe_line *l, const char *name,
         bool must)
{
    const char *slash = strrchr(name, '/');
    size_t i = 0;

    if (is_recipe_builtin(name) || is_function(l, name))
        return;
    name = slash ? slash + 1 : name; /* /usr/bin/time is no builtin */
    if (!*name || strpbrk(name, " {}$*?'\"\\"))
        return;
    while (i < h->n && strcmp(h->v[i].name, name) != 0)
        i++;
    if (i == RECIPE_HEADS_MAX)
        return;
    if (i == h->n) {
        h->v[h->n++].must = must;
        snprintf(h->v[i].name, sizeof(h->v[i].name), "%s", name);
    }
    h->v[i].must |= must;
}

/* Wrappers whose command runs on another machine, or in another shell. */
static bool
is_elsewhere_wrapper(const char *wrapper)
{
    static const char *const names[] = {"ssh",    "busybox", "docker",
                                        "podman", "kubectl", "chroot",
                                        "lxc",    "nsenter", "vagrant"};

    for (size_t i = 0; i < ARRAY_SIZE(names); i++)
        if (strcmp(wrapper, names[i]) == 0)
            return true;
    return false;
}

static bool
is_slots(const struct recipe_line *l, size_t from, size_t to)
{
    for (size_t i = 0; i < l->fills.n; i++)
        if (l->fills.v[i].from < to && l->fills.v[i].to > from)
            return true;
    return false;
}

void
recipe_heads_add(struct recipe_heads *h, const struct recipe_line *l)
{
    for (const struct syntax_node *n = l->syntax.all; n; n = n->after)
        if (n->kind == SYNTAX_CALL && n->words &&
            !(n->words->flags & SYNTAX_EXPANDS) &&
            !is_slots(l, n->words->from, n->words->to))
            add_head(h, l, n->words->text, true);
    for (size_t i = 0; i < l->risk.n_calls; i++) {
        const struct risk_call *c = &l->risk.calls[i];
        size_t end = c->from + strlen(c->n > 0 ? c->argv[0] : c->name);

        add_head(h, l, c->wrapper, true);
        if (!is_slots(l, c->from, end))
            add_head(h, l, c->name, !is_elsewhere_wrapper(c->wrapper));
    }
}

int
recipe_heads_of(const struct recipe *r, struct recipe_heads *h, struct err *e)
{
    h->n = 0;
    for (size_t i = 0; i < r->n_steps; i++) {
        CLEANUP(recipe_line_done) struct recipe_line l = {0};

        if (recipe_line_read(r->steps[i].command, &l, e) < 0)
            return -1;
        recipe_heads_add(h, &l);
    }
    return 0;
}

void
recipe_lint_report(struct recipe_lint *c, const char *fmt, ...)
{
    va_list ap;

    buf_printf(c->out, "%s:%u: %s: ", c->r->file, c->r->line, c->r->id);
    va_start(ap, fmt);
    buf_vprintf(c->out, fmt, ap);
    va_end(ap);
    buf_ch(c->out, '\n');
    c->n++;
}
