/* SPDX-License-Identifier: GPL-3.0-or-later */
/* engine_check.c - checks that a candidate is the command that it was made to
 * be.
 *
 * A request becomes part of a command only as an argument. The check uses the
 * parser of the guard: a command has the programs and operators of the
 * template, or of the generator, that it was made of; none begins inside what
 * the request says. */
#include <string.h>

#include "guard/path/path_table.h"
#include "guard/syntax/syntax.h"
#include "offline/engine/engine_state.h"

#define NAMES                                                                  \
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.+/~[:"

static bool
is_candidate_name(const char *text)
{
    return *text && *text != '-' && text[strspn(text, NAMES)] == '\0';
}

/* Whether it is a disk or another device that may not be overwritten; /dev/null
 * and similar ones may. */
static bool
is_device(const struct syntax_word *w)
{
    return path_is(w->text, PATH_IS_DEVICE) && !path_is(w->text, PATH_IS_SINK);
}

static bool
has_device(const struct syntax_word *w)
{
    for (; w; w = w->next)
        if (is_device(w))
            return true;
    return false;
}

/* Whether it writes text to a device. Images are written by recipes for
 * that. */
static bool
writes_device(const struct syntax_node *n)
{
    const struct syntax_word *w = n->words;

    for (const struct syntax_redirect *r = n->redirects; r; r = r->next)
        if (r->kind != SYNTAX_READ && is_device(r->target))
            return true;
    if (w && strcmp(w->text, "sudo") == 0)
        w = w->next;
    return w && strcmp(w->text, "tee") == 0 && has_device(w);
}

static bool
copies_device(const struct syntax_node *n)
{
    const struct syntax_word *w = n->words;

    return w && (strcmp(w->text, "cp") == 0 || strcmp(w->text, "mv") == 0) &&
           has_device(w);
}

static size_t
has_redirect(const struct syntax_node *n)
{
    size_t count = 0;

    for (const struct syntax_redirect *r = n->redirects; r; r = r->next)
        count++;
    return count;
}

/* Whether two nodes do the same; a program that the request names may differ.
 */
static bool
is_same_command(const struct syntax_node *own, const struct syntax_node *made)
{
    const char *a, *b;

    if (own->kind != made->kind || own->join != made->join ||
        has_redirect(own) != has_redirect(made) || !own->words != !made->words)
        return false;
    if (own->kind != SYNTAX_CALL || !own->words)
        return true;
    a = own->words->text;
    b = made->words->text;
    return strcmp(a, b) == 0 || is_candidate_name(b);
}

static bool
has_shape_of(const struct syntax *own, const struct syntax *made)
{
    const struct syntax_node *a = own->all, *b = made->all;

    for (; a && b; a = a->after, b = b->after)
        if (!is_same_command(a, b) || (writes_device(b) && !writes_device(a)))
            return false;
    return !a && !b;
}

/* The template as it is filled without a request. */
static int
check_recipe(const struct engine *g, const struct candidate *c,
             const struct syntax *made, bool *good, struct err *e)
{
    CLEANUP_BUF struct buf text = buf_of(CANDIDATE_BYTES);
    const struct slot_fill nothing = {.q = &g->request};
    struct slot_fill_result ignored;
    struct syntax own = {0};
    struct recipe r;

    index_recipe(g->index, (size_t)c->recipe, &r);
    if (slot_fill_command(&nothing, r.steps[c->way].command, &text, &ignored,
                          e) < 0 ||
        syntax_read(text.p, text.len, &own, e) < 0)
        return -1;
    *good = has_shape_of(&own, made);
    syntax_done(&own);
    return 0;
}

/* Whether a command or a redirection begins in bytes [from, to). */
static bool
begins_inside(const struct syntax *s, size_t from, size_t to)
{
    for (const struct syntax_node *n = s->all; n; n = n->after) {
        if (n->from > from && n->from < to)
            return true;
        for (const struct syntax_redirect *r = n->redirects; r; r = r->next)
            if (r->from >= from && r->from < to)
                return true;
    }
    return false;
}

static bool
contains_commands(const struct request *q, const char *command,
                  const struct syntax *s)
{
    for (size_t i = 0; i < q->n_values; i++) {
        const char *text = q->values[i].text;
        const char *at = strpbrk(text, ";|&<>()`$\n") ? command : NULL;

        while (at && (at = strstr(at, text)) != NULL) {
            size_t from = (size_t)(at - command);

            if (begins_inside(s, from, from + strlen(text)))
                return true;
            at++;
        }
    }
    return false;
}

static bool
check_composed(const struct engine *g, const struct candidate *c,
               const struct syntax *made)
{
    for (const struct syntax_node *n = made->all; n; n = n->after) {
        if (n->kind == SYNTAX_CALL && n->words &&
            !is_candidate_name(n->words->text))
            return false;
        if (writes_device(n) || copies_device(n))
            return false;
    }
    return !contains_commands(&g->request, c->command, made);
}

int
engine_check(const struct engine *g, const struct candidate *c, bool *good,
             struct err *e)
{
    struct syntax made = {0};
    int rc = syntax_read(c->command, strlen(c->command), &made, e);

    *good = rc == 0 && !made.fault;
    if (*good && c->recipe >= 0)
        rc = check_recipe(g, c, &made, good, e);
    else if (*good)
        *good = check_composed(g, c, &made);
    syntax_done(&made);
    return rc;
}
