/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fill.c - a recipe's slots, filled from a request. */
#include "offline/wish/fill.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/shell_quote.h"

#define PLAIN_SUITS 0.6 /* a plain word that stands where the slot does */

struct filling {
    const struct fill *f;
    const char *text; /* the template */
    size_t done;      /* bytes of it that are written */
    struct buf *out;
    struct fill_result *result;
};

static const struct fill_slot *
slot_of(const struct fill *f, const struct recipe_slot *s)
{
    for (size_t i = 0; i < f->n; i++) {
        if (f->slots[i].slot.type == s->type && f->slots[i].slot.nth == s->nth)
            return &f->slots[i];
    }
    return NULL;
}

/* The template's own text up to a place, {{ and }} as the shell has them. */
static void
plain_to(struct filling *g, size_t to)
{
    for (size_t i = g->done; i < to; i++) {
        char c = g->text[i];

        buf_ch(g->out, c);
        if ((c == '{' || c == '}') && i + 1 < to && g->text[i + 1] == c)
            i++;
    }
    g->done = to;
}

/* PATH, NAME2: what a reader of the command is to put there. */
static void
put_open(struct filling *g, const struct recipe_slot *s)
{
    for (const char *c = slot_name(s->type); *c; c++)
        buf_ch(g->out, (char)toupper((unsigned char)*c));
    if (s->nth > 1)
        buf_printf(g->out, "%u", s->nth);
    g->result->open++;
}

/* "useradd -d {path}": the home directory is not that of who asks. */
static bool
is_of_user(const struct fill_place *at)
{
    return strncmp(at->before, "sudo user", 9) == 0 ||
           strncmp(at->before, "user", 4) == 0;
}

/* Whether a path is not written as the request has it. */
static bool
is_changed(const struct filling *g, const char *path,
           const struct fill_place *at)
{
    return at->unit || (g->f->plain && path[0] == '~');
}

/* A path that is written for the shell: a default, or a place in words. */
static void
put_path(struct filling *g, const char *text, const struct fill_place *at)
{
    CLEANUP(free_p) char *path = NULL;

    if (!is_changed(g, text, at)) {
        buf_str(g->out, text);
        return;
    }
    path = fill_path(text, g->f->plain, at->unit);
    if (path && at->inside)
        buf_str(g->out, path);
    else if (path)
        shell_quote_word(g->out, path);
}

/* A place that the request names in words: "the current directory". */
static bool
put_place(struct filling *g, const struct recipe_slot *s,
          const struct fill_place *at)
{
    const struct fill_said *place = g->f->place;

    if (s->type != SLOT_PATH || s->nth > 1 || at->inside || !place ||
        !place->used || (place->text.p[0] == '~' && is_of_user(at)) ||
        !fill_takes_directory(at))
        return false;
    put_path(g, place->text.p, at);
    g->result->used |= place->used;
    return true;
}

/* false: what the request has there may not stand in such a place. */
static bool
put_word(struct filling *g, size_t word, enum slot_type type,
         const struct fill_place *at)
{
    const struct request *q = g->f->q;
    const struct request_value *v = request_value_of(q, word);
    const struct request_word *w = &q->words[word];
    char text[REQUEST_STEM_MAX];

    snprintf(text, sizeof(text), "%.*s", (int)(w->to - w->from),
             q->text + w->from);
    if (!fill_may_stand(type, v ? v->text : text, at))
        return false;
    g->result->used |= UINT64_C(1) << word;
    g->result->harms |= v && (type != SLOT_PATH || !at->unit) &&
                        fill_harms(v, at);
    g->result->strain += 1 - (v ? fill_kinship(type, v) : PLAIN_SUITS);
    if (type == SLOT_PATH && is_changed(g, v ? v->text : text, at)) {
        CLEANUP(free_p)
        char *path = fill_path(v ? v->text : text, g->f->plain, at->unit);

        fill_text(g->out, type, path ? path : "", at);
        return true;
    }
    if (v) {
        fill_value(g->out, type, v, at);
        return true;
    }
    fill_text(g->out, type, text, at);
    return true;
}

static int
put_slot(void *arg, const struct recipe_slot *s, size_t from, size_t to)
{
    struct filling *g = arg;
    const struct fill_slot *chosen = slot_of(g->f, s);
    struct fill_place at = {.before = g->text,
                            .n_before = from,
                            .unit = s->unit,
                            .inside = s->bare};

    plain_to(g, from);
    g->done = to;
    if (s->known) {
        fill_known(g->out, s->known, s->bare);
        return 0;
    }
    if (chosen && chosen->word != REQUEST_NONE) {
        if (!put_word(g, chosen->word, s->type, &at))
            put_open(g, s);
    } else if (put_place(g, s, &at))
        ;
    else if (s->otherwise && s->type == SLOT_PATH)
        put_path(g, s->otherwise, &at);
    else if (s->otherwise)
        buf_str(g->out, s->otherwise);
    else
        put_open(g, s);
    if (s->type == SLOT_PATH && g->text[to] == '/' && g->out->len &&
        g->out->p[g->out->len - 1] == '/')
        buf_cut(g->out, g->out->len - 1); /* {path}/ of "build/" */
    return 0;
}

bool
fill_leaves(const struct request *q, const struct fill_result *result)
{
    for (size_t i = 0; i < q->n; i++) {
        if (q->words[i].value >= 0 && !(result->used & UINT64_C(1) << i))
            return true;
    }
    return false;
}

int
fill_command(const struct fill *f, const char *command, struct buf *out,
             struct fill_result *result, struct err *e)
{
    struct filling g = {.f = f, .text = command, .out = out, .result = result};

    *result = (struct fill_result){0};
    if (recipe_slots(command, put_slot, &g, e) < 0)
        return -1;
    plain_to(&g, strlen(command));
    return buf_ok(out, "a command", e);
}
