/* SPDX-License-Identifier: GPL-3.0-or-later */
/* letters.c - tr and paste: letters changed one by one, lines joined. */
#include <string.h>

#include "offline/compose/composers.h"
#include "offline/compose/sketch.h"

static const char changing[] = "convert change make turn transform translate "
                               "replace lowercase uppercase capitalize";

/* What is named in words: "replace commas with newlines". */
static const struct {
    const char *words, *set;
} letters[] = {
    {"comma commas", ","},
    {"newline newlines", "\\n"},
    {"space spaces", " "},
    {"tab tabs", "\\t"},
    {"colon colons", ":"},
    {"semicolon semicolons", ";"},
    {"dash dashes hyphens", "-"},
    {"underscore underscores", "_"},
    {"dot dots period periods", "."},
    {"digit digits", "0-9"},
    {"slash slashes", "/"},
    {"pipe pipes", "|"},
    {"punctuation", "[:punct:]"},
    {"whitespace", "[:space:]"},
};

static const char *
letter_at(const struct request *q, size_t at)
{
    for (size_t i = 0; i < sizeof(letters) / sizeof(letters[0]); i++)
        if (literals_word_is(&q->words[at], letters[i].words))
            return letters[i].set;
    return NULL;
}

/* The next letter that is named from a word on; marks it. */
static const char *
next_letter(struct sketch *k, size_t from, size_t *at)
{
    for (size_t i = from; i < k->l->q->n; i++) {
        const char *set = letter_at(k->l->q, i);

        if (set) {
            sketch_mark(k, i);
            *at = i;
            return set;
        }
    }
    return NULL;
}

/* tr reads standard input: from a file, or as a filter. */
static int
finish(struct sketch *k, struct shortlist *s, double fit, struct err *e)
{
    const struct literal *file = sketch_find_file(
        k, ROLE_ANY & ~(1u << ROLE_TO | 1u << ROLE_WITH));

    sketch_says(k, "file text content contents standard input stdin");
    sketch_says(k, "all every each");
    if (file && !k->piped) {
        sketch_put(k, "<");
        sketch_put_literal(k, file);
    }
    return sketch_add(k, s, fit, "change letters", e);
}

static int
add_case(struct sketch *k, struct shortlist *s, struct err *e)
{
    size_t up = sketch_at(k, "uppercase upper capital capitals");
    size_t down = sketch_at(k, "lowercase lower");
    bool to_upper;

    if (up == REQUEST_NONE && down == REQUEST_NONE)
        return 0;
    to_upper = down == REQUEST_NONE || (up != REQUEST_NONE && up > down);
    sketch_says(k, "uppercase upper capital capitals");
    sketch_says(k, "lowercase lower");
    sketch_says(k, changing);
    sketch_says(k, "letters characters");
    buf_str(&k->out, to_upper ? "tr '[:lower:]' '[:upper:]'"
                              : "tr '[:upper:]' '[:lower:]'");
    return finish(k, s, FIT_SURE, e);
}

/* "join the lines of x with commas" */
static int
add_joined(struct sketch *k, struct shortlist *s, struct err *e)
{
    size_t at = 0;
    const char *with = next_letter(k, 0, &at);
    const struct literal *l;

    sketch_says(k, "join merge combine put");
    sketch_says(k, "line lines");
    sketch_says(k, "single one");
    l = with ? NULL
             : sketch_find(k, 1u << ROLE_WITH | 1u << ROLE_BY, 1u << SLOT_TEXT);
    if (l && strlen(l->value->text) < 3) {
        sketch_mark(k, l->word);
        with = l->value->text;
    }
    buf_str(&k->out, "paste -sd");
    if (with && !strcmp(with, ","))
        buf_ch(&k->out, ',');
    else
        compose_quoted(&k->out, with ? with : " ");
    sketch_files_or(k, ROLE_ANY & ~(1u << ROLE_TO), "FILE");
    return sketch_add(k, s, FIT_SURE, "join lines", e);
}

static int
add_replaced(struct sketch *k, struct shortlist *s, struct err *e)
{
    size_t at = 0;
    const char *from = next_letter(k, 0, &at);
    const char *to = from ? next_letter(k, at + 1, &at) : NULL;

    if (!from || !to || sketch_has(k, "filename filenames rename files"))
        return 0;
    sketch_says(k, changing);
    sketch_says(k, "with by");
    buf_str(&k->out, "tr ");
    compose_quoted(&k->out, from);
    sketch_put_quoted(k, to);
    return finish(k, s, FIT_SURE, e);
}

/* "remove all digits", "squeeze repeated spaces" */
static int
add_removed(struct sketch *k, struct shortlist *s, struct err *e)
{
    bool squeeze = sketch_says(k, "squeeze repeated multiple consecutive "
                                  "collapse");
    size_t at = 0;
    const char *set = next_letter(k, 0, &at);

    if (!set || sketch_has(k, "line lines file files leading trailing "
                              "directory name names after before rename")) {
        if (!set || !sketch_has(k, "file") || sketch_has(k, "line name"))
            return 0;
    }
    sketch_says(k, "remove delete strip drop");
    buf_str(&k->out, squeeze ? "tr -s " : "tr -d ");
    compose_quoted(&k->out, set);
    return finish(k, s, FIT_LIKELY, e);
}

int
letters_compose(const struct request *q, struct shortlist *s, struct err *e)
{
    struct literals l;
    CLEANUP_SKETCH struct sketch k;
    size_t before = s->n;

    literals_read(q, &l);
    sketch_init(&k, &l, "letters");
    if (sketch_wants_find(&k) ||
        sketch_has(&k, "find search rename directory folder grep sort"))
        return 0;
    sketch_source(&k);
    if (sketch_has(&k, changing) && !sketch_has(&k, "names filenames")) {
        if (sketch_has(&k, "uppercase lowercase upper lower capital capitals"))
            return add_case(&k, s, e);
        if (add_replaced(&k, s, e) < 0)
            return -1;
        sketch_again(&k);
    }
    if (s->n == before && sketch_has(&k, "join merge combine concatenate") &&
        sketch_has(&k, "line lines") &&
        sketch_has(&k, "comma commas space spaces single one with"))
        return add_joined(&k, s, e);
    if (sketch_has(&k, "remove delete strip drop squeeze collapse"))
        return add_removed(&k, s, e);
    return 0;
}
