/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sketch_take.c - which literal of a request a part of a command is. */
#include <string.h>

#include "offline/compose/compose.h"
#include "offline/compose/sketch.h"

bool
sketch_is_free(const struct sketch *k, const struct literal *l)
{
    return !(k->used >> l->word & 1);
}

static bool
plays(const struct sketch *k, const struct literal *l, unsigned parts)
{
    return sketch_is_free(k, l) && parts >> l->role & 1;
}

const struct literal *
sketch_find(const struct sketch *k, unsigned parts, uint32_t types)
{
    for (size_t i = 0; i < k->l->n; i++) {
        const struct literal *l = &k->l->v[i];

        if (plays(k, l, parts) && l->value->types & types)
            return l;
    }
    return NULL;
}

const struct literal *
sketch_take(struct sketch *k, unsigned parts, uint32_t types)
{
    const struct literal *l = sketch_find(k, parts, types);

    if (l)
        sketch_mark(k, l->word);
    return l;
}

const struct literal *
sketch_find_file(const struct sketch *k, unsigned parts)
{
    const struct literal *maybe = NULL;

    for (size_t i = 0; i < k->l->n; i++) {
        const struct literal *l = &k->l->v[i];

        if (!plays(k, l, parts))
            continue;
        if (literal_is_surely_file(l))
            return l;
        if (!maybe && literal_is_file(l))
            maybe = l;
    }
    return maybe;
}

size_t
sketch_files(struct sketch *k, unsigned parts)
{
    size_t n = 0;
    bool surely = false;

    for (size_t i = 0; i < k->l->n; i++)
        surely |= plays(k, &k->l->v[i], parts) &&
                  literal_is_surely_file(&k->l->v[i]);
    for (size_t i = 0; i < k->l->n; i++) {
        const struct literal *l = &k->l->v[i];

        bool without = l->value->negated &&
                       (l->role == ROLE_NAMED || l->role == ROLE_EXCEPT);

        if (!plays(k, l, parts) || without ||
            !(surely ? literal_is_surely_file(l) : literal_is_file(l)))
            continue;
        sketch_put_literal(k, l);
        n++;
    }
    return n;
}

void
sketch_files_or(struct sketch *k, unsigned parts, const char *open)
{
    if (!sketch_files(k, parts) && !k->piped)
        sketch_open(k, open);
}

void
sketch_put_excluded(struct sketch *k, const char *option)
{
    for (size_t i = 0; i < k->l->n; i++) {
        const struct literal *l = &k->l->v[i];

        if (!sketch_is_free(k, l) ||
            (l->role != ROLE_EXCEPT && !l->value->negated))
            continue;
        sketch_mark(k, l->word);
        sketch_says(k, "exclude excluding except without skipping ignoring");
        buf_str(&k->out, option);
        sketch_add_pattern(k, l);
    }
}

/* Whether one of the nouns belongs to the number at that word. */
static bool
counts(struct sketch *k, size_t at, const char *list)
{
    const struct request *q = k->l->q;

    for (size_t i = at + 1; i < q->n && i < at + 4; i++) {
        if (literals_word_is(&q->words[i], list)) {
            sketch_mark(k, i);
            return true;
        }
        if (q->words[i].value >= 0)
            break;
    }
    for (size_t i = at; i-- > 0 && i + 3 > at;) {
        if (literals_word_is(&q->words[i], list)) {
            sketch_mark(k, i);
            return true;
        }
        if (!q->words[i].weak)
            break;
    }
    return false;
}

long
sketch_count(struct sketch *k, const char *list)
{
    for (size_t i = 0; i < k->l->n; i++) {
        const struct literal *l = &k->l->v[i];

        if (!sketch_is_free(k, l) || !(l->value->types & 1u << SLOT_NUMBER) ||
            l->value->amount < 0 || !counts(k, l->word, list))
            continue;
        sketch_mark(k, l->word);
        return (long)l->value->amount;
    }
    return -1;
}

bool
sketch_put_kind(struct sketch *k)
{
    const struct literal *kind = NULL;
    const struct literal *dir = NULL;
    size_t kinds = 0;

    for (size_t i = 0; i < k->l->n; i++) {
        const struct literal *l = &k->l->v[i];
        const struct request_value *v = l->value;

        if (!sketch_is_free(k, l) || l->role == ROLE_TO)
            continue;
        if ((v->is == SLOT_EXT || v->is == SLOT_GLOB) &&
            !strchr(v->text, '/')) {
            kind = l;
            kinds++;
        } else if (l->role == ROLE_IN || l->role == ROLE_FROM) {
            dir = l;
        }
    }
    if (kinds != 1 || !dir || !literal_is_file(dir))
        return false;
    sketch_put_within(k, dir, kind);
    return true;
}

bool
sketch_put_word(struct sketch *k, const char *list)
{
    const struct request *q = k->l->q;
    CLEANUP_BUF struct buf word = buf_of(SKETCH_BYTES);

    for (size_t i = 0; i + 1 < q->n; i++) {
        const struct request_word *w = &q->words[i + 1];

        if (!literals_word_is(&q->words[i], list))
            continue;
        while (w->weak && w + 1 < q->words + q->n &&
               literals_word_is(w, "the a an my all"))
            w++;
        if (w->value >= 0 || w->weak || k->used >> (w - q->words) & 1 ||
            literals_word_is(
                w, "current home parent each every standard directory file "
                   "stdout screen terminal working same"))
            continue;
        sketch_mark(k, (size_t)(w - q->words));
        buf_add(&word, q->text + w->from, w->to - w->from);
        buf_ch(&k->out, ' ');
        compose_path(&k->out, word.p);
        return true;
    }
    return false;
}

bool
sketch_has_ending(const struct sketch *k, const char *ending)
{
    size_t n = strlen(ending);

    for (size_t i = 0; i < k->l->n; i++) {
        const char *text = k->l->v[i].value->text;
        size_t len = strlen(text);

        if (len >= n && strcmp(text + len - n, ending) == 0)
            return true;
    }
    return false;
}

bool
sketch_has_type(const struct sketch *k, enum slot_type type)
{
    for (size_t i = 0; i < k->l->n; i++)
        if (k->l->v[i].value->is == type)
            return true;
    return false;
}

bool
sketch_wants_find(const struct sketch *k)
{
    if (sketch_has_type(k, SLOT_AGE) || sketch_has_type(k, SLOT_SIZE))
        return true;
    return sketch_has(k, "older newer modified accessed modify access depth "
                         "level deep owned subdirectories subdirectory "
                         "subfolders subfolder");
}
