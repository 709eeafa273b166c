/* SPDX-License-Identifier: GPL-3.0-or-later */
/* characters.c - generates tr and paste commands that change characters. */
#include <string.h>

#include "base/array.h"
#include "offline/generate/builder.h"
#include "offline/generate/generate.h"

static const char changing[] = "convert change make turn transform translate "
                               "replace lowercase uppercase capitalize";

/* Characters that are named in words: "replace commas with newlines". */
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
    for (size_t i = 0; i < ARRAY_SIZE(letters); i++)
        if (literals_word_is(&q->words[at], letters[i].words))
            return letters[i].set;
    return NULL;
}

/* The next character that is named at or behind a word; marks it. */
static const char *
next_letter(struct builder *k, size_t from, size_t *at)
{
    for (size_t i = from; i < k->l->q->n; i++) {
        const char *set = letter_at(k->l->q, i);

        if (set) {
            builder_mark(k, i);
            *at = i;
            return set;
        }
    }
    return NULL;
}

/* tr reads standard input: from a file, or as a filter. */
static int
finish_tr_command(struct builder *k, struct shortlist *s, double fit,
                  struct err *e)
{
    const struct literal *file = builder_find_file(
        k, ROLE_ANY & ~(1u << ROLE_TO | 1u << ROLE_WITH));

    builder_says(k, "file text content contents standard input stdin");
    builder_says(k, "all every each");
    if (file && !k->piped) {
        builder_put(k, "<");
        builder_put_literal(k, file);
    }
    return builder_add(k, s, fit, "change letters", e);
}

static int
add_case(struct builder *k, struct shortlist *s, struct err *e)
{
    size_t up = builder_at(k, "uppercase upper capital capitals");
    size_t down = builder_at(k, "lowercase lower");
    bool to_upper;

    if (up == REQUEST_NONE && down == REQUEST_NONE)
        return 0;
    to_upper = down == REQUEST_NONE || (up != REQUEST_NONE && up > down);
    builder_says(k, "uppercase upper capital capitals");
    builder_says(k, "lowercase lower");
    builder_says(k, changing);
    builder_says(k, "letters characters");
    buf_str(&k->out, to_upper ? "tr '[:lower:]' '[:upper:]'"
                              : "tr '[:upper:]' '[:lower:]'");
    return finish_tr_command(k, s, FIT_SURE, e);
}

/* "join the lines of x with commas" */
static int
add_joined(struct builder *k, struct shortlist *s, struct err *e)
{
    size_t at = 0;
    const char *with = next_letter(k, 0, &at);
    const struct literal *l;

    builder_says(k, "join merge combine put");
    builder_says(k, "line lines");
    builder_says(k, "single one");
    l = with
            ? NULL
            : builder_find(k, 1u << ROLE_WITH | 1u << ROLE_BY, 1u << SLOT_TEXT);
    if (l && strlen(l->value->text) < 3) {
        builder_mark(k, l->word);
        with = l->value->text;
    }
    buf_str(&k->out, "paste -sd");
    if (with && !strcmp(with, ","))
        buf_ch(&k->out, ',');
    else
        generate_quoted(&k->out, with ? with : " ");
    builder_files_or(k, ROLE_ANY & ~(1u << ROLE_TO), "FILE");
    return builder_add(k, s, FIT_SURE, "join lines", e);
}

static int
add_replaced(struct builder *k, struct shortlist *s, struct err *e)
{
    size_t at = 0;
    const char *from = next_letter(k, 0, &at);
    const char *to = from ? next_letter(k, at + 1, &at) : NULL;

    if (!from || !to || builder_has(k, "filename filenames rename files"))
        return 0;
    builder_says(k, changing);
    builder_says(k, "with by");
    buf_str(&k->out, "tr ");
    generate_quoted(&k->out, from);
    builder_put_quoted(k, to);
    return finish_tr_command(k, s, FIT_SURE, e);
}

/* "remove all digits", "squeeze repeated spaces" */
static int
add_removed(struct builder *k, struct shortlist *s, struct err *e)
{
    bool squeeze = builder_says(k, "squeeze repeated multiple consecutive "
                                   "collapse");
    size_t at = 0;
    const char *set = next_letter(k, 0, &at);

    if (!set || builder_has(k, "line lines file files leading trailing "
                               "directory name names after before rename")) {
        if (!set || !builder_has(k, "file") || builder_has(k, "line name"))
            return 0;
    }
    builder_says(k, "remove delete strip drop");
    buf_str(&k->out, squeeze ? "tr -s " : "tr -d ");
    generate_quoted(&k->out, set);
    return finish_tr_command(k, s, FIT_LIKELY, e);
}

int
generate_letters(const struct request *q, struct shortlist *s, struct err *e)
{
    struct literals l;
    CLEANUP_BUILDER struct builder k;
    size_t before = s->n;

    literals_read(q, &l);
    builder_init(&k, &l, "letters");
    if (builder_wants_find(&k) ||
        builder_has(&k, "find search rename directory folder grep sort"))
        return 0;
    builder_source(&k);
    if (builder_has(&k, changing) && !builder_has(&k, "names filenames")) {
        if (builder_has(&k, "uppercase lowercase upper lower capital capitals"))
            return add_case(&k, s, e);
        if (add_replaced(&k, s, e) < 0)
            return -1;
        builder_again(&k);
    }
    if (s->n == before && builder_has(&k, "join merge combine concatenate") &&
        builder_has(&k, "line lines") &&
        builder_has(&k, "comma commas space spaces single one with"))
        return add_joined(&k, s, e);
    if (builder_has(&k, "remove delete strip drop squeeze collapse"))
        return add_removed(&k, s, e);
    return 0;
}
