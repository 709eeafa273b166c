/* SPDX-License-Identifier: GPL-3.0-or-later */
/* form.c - a table's command, written for a request. */
#include "offline/compose/form.h"

#include <stdio.h>
#include <string.h>

#define FORM_BYTES (4u << 10)

/* A command while it is written. */
struct writing {
    const struct request *q;
    struct buf out;
    uint64_t used;
    uint32_t had; /* letters of `only` that were said */
    struct form_held kept;
    unsigned open;
};

static bool
applies(const struct form *f, const struct request *q, uint64_t *used)
{
    struct form_hit hit;

    for (size_t i = 0; i < FORM_WHEN && f->when[i]; i++) {
        const char *row = f->when[i];
        bool not = *row == '!';
        bool marks = *row == '+';

        if (form_match(q, row + (not || marks), 0, &hit) == not )
            return false;
        if (marks)
            *used |= hit.set;
    }
    return true;
}

static uint32_t
letter(const struct form_part *p)
{
    return p->only ? UINT32_C(1) << (p->only & 31) : 0;
}

static bool
put_other(struct writing *w, const struct form_part *p)
{
    const struct form_hit hit = {.kept = w->kept};
    const char *other = p->other;

    if (!other)
        return true;
    if (!strcmp(other, "-"))
        return false;
    if (*other == '!') {
        w->open++;
        other++;
    }
    form_put(w->q, other, &hit, &w->out);
    return true;
}

/* false: the form does not apply. */
static bool
put_part(struct writing *w, const struct form_part *p)
{
    struct form_hit hit;
    bool said = false;

    if (w->had & letter(p))
        return true;
    if (!p->said) {
        hit = (struct form_hit){.kept = w->kept};
        form_put(w->q, p->put, &hit, &w->out);
        w->had |= letter(p);
        return true;
    }
    while (form_match(w->q, p->said, w->used, &hit)) {
        hit.kept = w->kept;
        form_put(w->q, p->put, &hit, &w->out);
        if (p->only == '@' && !w->kept.to)
            w->kept = hit.held[0];
        w->used |= hit.set;
        said = true;
        if (!p->again)
            break;
    }
    if (!said)
        return put_other(w, p);
    w->had |= letter(p);
    return true;
}

static int
add(struct writing *w, const struct form *f, const char *composer,
    struct shortlist *s, struct err *e)
{
    struct candidate c = {.recipe = -1, .composer = composer, .fit = f->fit};

    if (f->tail)
        compose_tail(w->q, &w->used, &w->out);
    c.used = w->used;
    c.open = w->open;
    snprintf(c.title, sizeof(c.title), "%s", f->title);
    return shortlist_offer(s, &c, &w->out, e);
}

static int
try_form(const struct form *f, const char *composer, const struct request *q,
         struct shortlist *s, bool *added, struct err *e)
{
    struct writing w = {.q = q, .out = buf_of(FORM_BYTES)};
    int r = 0;

    *added = applies(f, q, &w.used);
    for (const struct form_part *p = f->parts; *added && p->put; p++)
        *added = put_part(&w, p);
    if (*added)
        r = add(&w, f, composer, s, e);
    buf_done(&w.out);
    return r;
}

int
form_compose(const struct form *forms, const char *composer,
             const struct request *q, struct shortlist *s, struct err *e)
{
    bool added = false;
    int r = 0;

    for (; forms->title && !added && r == 0; forms++)
        r = try_form(forms, composer, q, s, &added, e);
    return r;
}
