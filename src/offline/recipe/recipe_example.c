/* SPDX-License-Identifier: GPL-3.0-or-later */
/* recipe_example.c - examples for slots, as requests would name them. */
#include <string.h>

#include "offline/recipe/recipe_example.h"

/* The second and any further of a type differ from the first. */
static const struct {
    const char *first, *more;
} examples[] = {
    [SLOT_PATH] = {"notes.txt", "plans.txt"},
    [SLOT_GLOB] = {"'*.log'", "'*.tmp'"},
    [SLOT_EXT] = {"log", "txt"},
    [SLOT_SIZE] = {"10M", "20M"},
    [SLOT_AGE] = {"3", "5"},
    [SLOT_DATE] = {"2024-05-01", "2024-06-01"},
    [SLOT_NUMBER] = {"7", "9"},
    [SLOT_PORT] = {"8080", "9090"},
    [SLOT_USER] = {"bob", "eve"},
    [SLOT_GROUP] = {"staff", "games"},
    [SLOT_HOST] = {"example.org", "example.net"},
    [SLOT_URL] = {"https://example.org/a.html", "https://example.net/b.html"},
    [SLOT_MODE] = {"644", "755"},
    [SLOT_NAME] = {"thing", "other"},
    [SLOT_TEXT] = {"'some words'", "'other words'"},
};

struct filling {
    const char *text;
    size_t done; /* bytes of text that are out */
    struct buf *out;
    struct recipe_fills *fills;
    struct err *e;
};

/* What stands between slots, doubled braces made one. */
static void
add_between(struct filling *f, size_t to)
{
    while (f->done < to) {
        char c = f->text[f->done++];

        buf_ch(f->out, c);
        if (c == '{' || c == '}')
            f->done++;
    }
}

static const char *const known[] = {
    [RECIPE_KNOWN_TODAY] = "2026-05-01",
    [RECIPE_KNOWN_DAY] = "20260501",
    [RECIPE_KNOWN_HOME] = RECIPE_EXAMPLE_HOME,
    [RECIPE_KNOWN_USER] = "bob",
};

static void
add_example(struct buf *out, const struct recipe_slot *s)
{
    const char *e = s->nth > 1 ? examples[s->type].more
                               : examples[s->type].first;
    size_t n = strlen(e);

    if (s->bare && *e == '\'')
        buf_add(out, e + 1, n - 2);
    else
        buf_add(out, e, n);
}

static int
fill(void *arg, const struct recipe_slot *s, size_t from, size_t to)
{
    struct filling *f = arg;
    struct recipe_filled *one;

    add_between(f, from);
    f->done = to;
    if (s->known) {
        buf_str(f->out, known[s->known]);
        return 0;
    }
    if (f->fills->n == sizeof(f->fills->v) / sizeof(f->fills->v[0]))
        return err_set(f->e, ERR_USAGE, "too many slots");
    one = &f->fills->v[f->fills->n++];
    one->slot = *s;
    one->slot.otherwise = NULL;
    one->from = f->out->len;
    add_example(f->out, s);
    one->to = f->out->len;
    return 0;
}

int
recipe_example(const char *text, struct buf *out, struct recipe_fills *fills,
               struct err *e)
{
    struct filling f = {.text = text, .out = out, .fills = fills, .e = e};

    fills->n = 0;
    if (recipe_slots(text, fill, &f, e) < 0)
        return -1;
    add_between(&f, strlen(text));
    return buf_ok(out, "a recipe", e);
}
