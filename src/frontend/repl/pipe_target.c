/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pipe_target.c - find a program that would run what `ai` writes into a pipe.
 */
#include "frontend/repl/pipe_target.h"

#include <string.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "guard/risk/risk.h"

/* Programs that run what they read, or run others with another user's rights.
 */
static const char *const runners[] = {
    "sh",    "bash",     "rbash",   "dash",    "ash", "zsh",
    "fish",  "ksh",      "mksh",    "busybox", "csh", "tcsh",
    "pwsh",  "nodejs",   "deno",    "bun",     "irb", "luajit",
    "tclsh", "expect",   "Rscript", "R",       "gdb", "sudo",
    "doas",  "su",       "pkexec",  "run0",    "ssh", "at",
    "batch", "parallel", "eval",    "source",  ".",   "crontab"};

/* A version may stand behind the name: python3.11. */
static const char *const versioned[] = {"python", "pypy", "perl", "ruby",
                                        "php",    "lua",  "node"};

static bool
is_runner(const char *name)
{
    for (size_t i = 0; i < ARRAY_SIZE(runners); i++) {
        if (strcmp(name, runners[i]) == 0)
            return true;
    }
    for (size_t i = 0; i < ARRAY_SIZE(versioned); i++) {
        size_t n = strlen(versioned[i]);

        if (strncmp(name, versioned[i], n) == 0 &&
            !name[n + strspn(name + n, "0123456789.")])
            return true;
    }
    return false;
}

/* The program of the call, or what wraps it; NULL: it runs nothing read. */
static const char *
find_runner(const struct risk_call *c)
{
    if (is_runner(c->wrapper))
        return c->wrapper;
    return is_runner(c->name) ? c->name : NULL;
}

/* The pipeline that the line's first call begins, or that call alone. */
static const struct syntax_node *
find_pipeline(const struct syntax *s)
{
    const struct syntax_node *n = s->all;

    while (n && n->kind != SYNTAX_CALL)
        n = n->after;
    return n && n->parent && n->parent->kind == SYNTAX_PIPELINE ? n->parent : n;
}

/* Whether what begins at a byte of the line stands in the node; a line that
 * bash would reject may lack the node's end. */
static bool
is_after_node(const struct syntax *s, const struct syntax_node *in, size_t from)
{
    return in && from > in->from && (from < in->to || s->fault);
}

/* The first program that is one, or a text for a shell that is not known. */
static const char *
find_in_pipeline(const struct syntax *s, const struct risk *r)
{
    const struct syntax_node *in = find_pipeline(s);
    const char *found = NULL;

    for (size_t i = 0; !found && i < r->n_calls; i++) {
        if (is_after_node(s, in, r->calls[i].from))
            found = find_runner(&r->calls[i]);
    }
    for (size_t i = 0; !found && i < r->n_reasons; i++) {
        const struct risk_reason *why = &r->reasons[i];

        if (why->kind == RISK_KIND_UNREAD && is_after_node(s, in, why->from))
            found = *why->program ? why->program : "a shell";
    }
    return found;
}

bool
pipe_target_runs(const char *line, struct buf *name)
{
    static const struct path_context nowhere;
    CLEANUP(syntax_done) struct syntax syntax = {0};
    CLEANUP(risk_done) struct risk risk = {0};
    const char *found;

    if (syntax_read(line, strlen(line), &syntax, NULL) < 0 ||
        risk_read(&syntax, &nowhere, &risk, NULL) < 0)
        return false;
    found = find_in_pipeline(&syntax, &risk);
    return found && buf_str(name, found) == 0;
}
