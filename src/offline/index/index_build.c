/* SPDX-License-Identifier: GPL-3.0-or-later */
/* index_build.c - builds the index of a book of recipes, table by table. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "offline/index/command_programs.h"
#include "offline/index/index_format.h"
#include "offline/index/index_terms.h"
#include "offline/index/recipe.h"

struct index_program_name {
    char text[COMMAND_PROGRAMS_NAME];
};

/* Sorted, none twice. */
struct index_program_names {
    struct index_program_name *v;
    size_t n;
};

/* The program that a recipe begins with; a job has none. */
static void
recipe_program(const struct recipe *r, struct index_program_name *out)
{
    struct command_programs p = {.n = 0};
    const char *command = r->n_steps > 0 && !r->job ? r->steps[0].command : "";

    command_programs_of(command, &p);
    if (r->generator)
        snprintf(out->text, sizeof(out->text), "%s", r->generator);
    else if (p.n > 0)
        snprintf(out->text, sizeof(out->text), "%s", p.names[0]);
    else /* timeout {number} {path} */
        snprintf(out->text, sizeof(out->text), "%.*s",
                 (int)strcspn(command, " {"), command);
}

static int
compare_program_names(const void *a, const void *b)
{
    const struct index_program_name *p = a, *q = b;

    return strcmp(p->text, q->text);
}

static int
index_program_names(const struct recipe_book *b,
                    struct index_program_names *out, struct err *e)
{
    size_t n = recipe_book_count(b), kept = 0;
    struct index_program_name *v = calloc(n + 1, sizeof(*v));

    if (!v)
        return err_sys(e, "the programs of recipes");
    for (size_t i = 0; i < n; i++)
        recipe_program(recipe_book_at(b, i), &v[i]);
    qsort(v, n, sizeof(*v), compare_program_names);
    for (size_t i = 0; i < n; i++)
        if (kept == 0 || compare_program_names(&v[i], &v[kept - 1]) != 0)
            v[kept++] = v[i];
    *out = (struct index_program_names){v, kept};
    return 0;
}

static void
index_program_names_done(struct index_program_names *p)
{
    if (!p)
        return;
    free(p->v);
    *p = (struct index_program_names){0};
}

/* The number of a recipe's program among the names. */
static uint32_t
index_program_find(const struct index_program_names *p, const struct recipe *r)
{
    struct index_program_name own;
    const struct index_program_name *found;

    recipe_program(r, &own);
    found = bsearch(&own, p->v, p->n, sizeof(*p->v), compare_program_names);
    return found ? (uint32_t)(found - p->v) : 0;
}

/* The weight of a slot relative to a word: every request may have a path. */
#define SLOT_WEIGHT_MOST 1.6

struct index_building {
    const struct recipe_book *book;
    struct index x;
    struct index_terms found;
    struct buf recipes, steps, phrases, terms, stems, postings, words;
    struct buf programs, text;
    uint32_t *numbers; /* the stem of each of found, by phrase and place */
    struct index_program_names names;
    uint32_t *reached; /* per program: the last stem that counted, plus 1 */
};

static struct index_building
making_of(const struct recipe_book *b)
{
    size_t max = INDEX_BYTES_MAX;
    struct index_building m = {.book = b,
                               .recipes = buf_of(max),
                               .steps = buf_of(max),
                               .phrases = buf_of(max),
                               .terms = buf_of(max),
                               .stems = buf_of(max),
                               .postings = buf_of(max),
                               .words = buf_of(max),
                               .programs = buf_of(max),
                               .text = buf_of(max)};

    buf_ch(&m.text, '\0'); /* the empty one is 0 */
    return m;
}

static void
making_done(struct index_building *m)
{
    index_terms_done(&m->found);
    buf_done(&m->recipes);
    buf_done(&m->steps);
    buf_done(&m->phrases);
    buf_done(&m->terms);
    buf_done(&m->stems);
    buf_done(&m->postings);
    buf_done(&m->words);
    buf_done(&m->programs);
    buf_done(&m->text);
    index_program_names_done(&m->names);
    free(m->numbers);
    free(m->reached);
}

static uint32_t
add_stored_text(struct index_building *m, const char *s)
{
    uint32_t at = (uint32_t)m->text.len;

    if (!s || !*s)
        return 0;
    buf_add(&m->text, s, strlen(s) + 1);
    return at;
}

static int
add_index_phrase(struct index_building *m, const char *text, uint32_t kept,
                 struct err *e)
{
    struct index_phrase p = {
        .text = kept, .recipe = m->x.n_recipes, .term = (uint32_t)m->found.n};

    int words = index_terms_add(&m->found, text, m->x.n_phrases, e);

    if (words < 0)
        return -1;
    p.n_words = (uint32_t)words;
    p.n_terms = (uint32_t)m->found.n - p.term;
    buf_add(&m->phrases, &p, sizeof(p));
    m->x.n_phrases++;
    return 0;
}

static void
add_steps(struct index_building *m, const struct recipe *r)
{
    for (size_t i = 0; i < r->n_steps; i++) {
        struct index_step s = {add_stored_text(m, r->steps[i].description),
                               add_stored_text(m, r->steps[i].command)};

        buf_add(&m->steps, &s, sizeof(s));
    }
    m->x.n_steps += (uint32_t)r->n_steps;
}

static int
add_recipe_row(struct index_building *m, const struct recipe *r, uint32_t file,
               struct err *e)
{
    struct index_recipe row = {
        .id = add_stored_text(m, r->id),
        .title = add_stored_text(m, r->title),
        .needs = add_stored_text(m, r->needs),
        .file = file,
        .line = r->line,
        .generator = add_stored_text(m, r->generator),
        .risk = r->risk,
        .job = r->job,
        .step = m->x.n_steps,
        .n_steps = (uint32_t)r->n_steps,
        .phrase = m->x.n_phrases,
        .n_phrases = (uint32_t)r->n_phrases,
        .program = index_program_find(&m->names, r),
    };
    const char *programs = r->generator ? r->generator : r->needs;

    add_steps(m, r);
    for (size_t i = 0; i < r->n_phrases; i++)
        if (add_index_phrase(m, r->phrases[i],
                             add_stored_text(m, r->phrases[i]), e) < 0)
            return -1;
    if (add_index_phrase(m, r->title, row.title, e) < 0 ||
        add_index_phrase(m, programs, 0, e) < 0)
        return err_wrap(e, "%s:%u: %s", r->file, r->line, r->id);
    buf_add(&m->recipes, &row, sizeof(row));
    m->x.n_recipes++;
    return 0;
}

static int
add_recipes(struct index_building *m, struct err *e)
{
    const char *file = "";
    uint32_t kept = 0;

    for (size_t i = 0; i < recipe_book_count(m->book); i++) {
        const struct recipe *r = recipe_book_at(m->book, i);

        if (strcmp(r->file, file) != 0)
            kept = add_stored_text(m, r->file);
        file = r->file;
        if (add_recipe_row(m, r, kept, e) < 0)
            return -1;
    }
    return buf_ok(&m->phrases, "the phrases of the index", e);
}

static int
by_stem(const void *a, const void *b)
{
    const struct index_term *s = a, *t = b;
    int order = strcmp(s->stem, t->stem);

    if (order != 0)
        return order;
    if (s->phrase != t->phrase)
        return s->phrase < t->phrase ? -1 : 1;
    return s->place < t->place ? -1 : s->place > t->place;
}

/* log2 of a number that is at least 1, so that libm is not needed. */
static double
log_2(double v)
{
    double whole = 0, part = 0, bit = 0.5;

    for (; v >= 2; v /= 2)
        whole++;
    for (int i = 0; i < 16; i++, bit /= 2) {
        v *= v;
        if (v >= 2) {
            v /= 2;
            part += bit;
        }
    }
    return whole + part;
}

/* The weight of a stem that `having` of `all` recipes or programs have. */
static uint32_t
weight_of(const char *stem, size_t having, double all)
{
    double w = log_2(1 + (all - having + 0.5) / (having + 0.5));

    if (*stem == '<' && w > SLOT_WEIGHT_MOST)
        w = SLOT_WEIGHT_MOST;
    return (uint32_t)(w * INDEX_ONE);
}

static const struct index_phrase *
phrase_at(const struct index_building *m, uint32_t i)
{
    return (const struct index_phrase *)(const void *)m->phrases.p + i;
}

static const struct index_recipe *
recipe_at(const struct index_building *m, uint32_t i)
{
    return (const struct index_recipe *)(const void *)m->recipes.p + i;
}

/* The number of programs that have the stem of the terms v[0..n). */
static size_t
programs_with(struct index_building *m, const struct index_term *v, size_t n)
{
    uint32_t mark = m->x.n_stems + 1;
    size_t programs = 0;

    for (size_t i = 0; i < n; i++) {
        uint32_t recipe = phrase_at(m, v[i].phrase)->recipe;
        uint32_t *reached = &m->reached[recipe_at(m, recipe)->program];

        programs += *reached != mark;
        *reached = mark;
    }
    return programs;
}

/* Adds the stem of the terms v[0..n) and its postings. */
static void
add_stem(struct index_building *m, const struct index_term *v, size_t n)
{
    struct index_stem row = {.text = add_stored_text(m, v->stem),
                             .posting = m->x.n_postings};
    struct index_posting one = {v->phrase, 0};
    size_t recipes = 1;

    for (size_t i = 0; i < n; i++) {
        uint32_t place = phrase_at(m, v[i].phrase)->term + v[i].place;

        m->numbers[place] = m->x.n_stems;
        if (v[i].phrase != one.phrase) {
            recipes += phrase_at(m, one.phrase)->recipe !=
                       phrase_at(m, v[i].phrase)->recipe;
            buf_add(&m->postings, &one, sizeof(one));
            m->x.n_postings++;
            one = (struct index_posting){v[i].phrase, 0};
        }
        one.times++;
    }
    buf_add(&m->postings, &one, sizeof(one));
    row.n_postings = ++m->x.n_postings - row.posting;
    row.weight = weight_of(v->stem, recipes, m->x.n_recipes);
    row.rarity = weight_of(v->stem, programs_with(m, v, n), m->names.n);
    buf_add(&m->stems, &row, sizeof(row));
    m->x.n_stems++;
}

static int
add_stems(struct index_building *m, struct err *e)
{
    struct index_term *v = m->found.v;
    size_t n = m->found.n, to;

    m->numbers = calloc(n + 1, sizeof(*m->numbers));
    m->reached = calloc(m->names.n + 1, sizeof(*m->reached));
    if (!m->numbers || !m->reached)
        return err_sys(e, "the index");
    if (n > 0)
        qsort(v, n, sizeof(*v), by_stem);
    for (size_t from = 0; from < n; from = to) {
        for (to = from + 1; to < n && strcmp(v[from].stem, v[to].stem) == 0;)
            to++;
        add_stem(m, v + from, to - from);
    }
    buf_add(&m->terms, m->numbers, n * sizeof(*m->numbers));
    m->x.n_terms = (uint32_t)n;
    m->x.unknown = weight_of("", 0, m->x.n_recipes);
    return 0;
}

static int
compare_known_words(const void *a, const void *b)
{
    return strcmp(((const struct index_known *)a)->word,
                  ((const struct index_known *)b)->word);
}

static void
add_known_words(struct index_building *m)
{
    struct index_known *v = m->found.words;
    size_t n = m->found.n_words, to;

    if (n > 0)
        qsort(v, n, sizeof(*v), compare_known_words);
    for (size_t from = 0; from < n; from = to) {
        struct index_word row = {.text = add_stored_text(m, v[from].word)};

        for (to = from + 1;
             to < n && compare_known_words(v + from, v + to) == 0;)
            to++;
        row.times = (uint32_t)(to - from);
        buf_add(&m->words, &row, sizeof(row));
        m->x.n_words++;
    }
}

static void
add_programs(struct index_building *m)
{
    struct index_program *rows;

    for (size_t i = 0; i < m->names.n; i++) {
        struct index_program row = {add_stored_text(m, m->names.v[i].text), 0};

        buf_add(&m->programs, &row, sizeof(row));
    }
    if (m->programs.bad)
        return;
    rows = (struct index_program *)(void *)m->programs.p;
    for (uint32_t i = 0; i < m->x.n_phrases; i++) {
        const struct index_phrase *p = phrase_at(m, i);

        rows[recipe_at(m, p->recipe)->program].n_terms += p->n_terms;
    }
    m->x.n_programs = (uint32_t)m->names.n;
}

/* Sets the length of each phrase: the sum of its weights. */
static void
measure_tables(struct index_building *m)
{
    struct index_phrase *p = (struct index_phrase *)(void *)m->phrases.p;
    const struct index_stem *stems = (const void *)m->stems.p;
    uint64_t sum = 0;

    for (size_t i = 0; i < m->x.n_phrases; i++) {
        for (size_t k = 0; k < p[i].n_terms; k++)
            p[i].length += stems[m->numbers[p[i].term + k]].weight;
        sum += p[i].length;
    }
    m->x.mean = m->x.n_phrases ? (uint32_t)(sum / m->x.n_phrases) : 0;
    if (m->x.mean == 0)
        m->x.mean = 1;
}

static int
write_index(struct index_building *m, struct buf *out, struct err *e)
{
    const struct buf *tables[] = {&m->recipes, &m->steps,    &m->phrases,
                                  &m->terms,   &m->stems,    &m->postings,
                                  &m->words,   &m->programs, &m->text};
    size_t n = ARRAY_SIZE(tables), bytes = sizeof(m->x);

    while (m->text.len % sizeof(uint32_t) != 0 && !m->text.bad)
        buf_ch(&m->text, '\0');
    for (size_t i = 0; i < n; i++) {
        if (buf_ok(tables[i], "the index", e) < 0)
            return -1;
        bytes += tables[i]->len;
    }
    m->x.n_text = (uint32_t)m->text.len;
    m->x.bytes = (uint32_t)bytes;
    buf_add(out, &m->x, sizeof(m->x));
    for (size_t i = 0; i < n; i++)
        buf_add(out, tables[i]->p, tables[i]->len);
    return buf_ok(out, "the index", e);
}

int
index_build(const struct recipe_book *b, struct buf *out, struct err *e)
{
    CLEANUP(making_done) struct index_building m = making_of(b);

    m.x.magic = INDEX_MAGIC;
    m.x.version = INDEX_VERSION;
    if (index_program_names(b, &m.names, e) < 0 || add_recipes(&m, e) < 0 ||
        add_stems(&m, e) < 0)
        return -1;
    measure_tables(&m);
    add_known_words(&m);
    add_programs(&m);
    return write_index(&m, out, e);
}
