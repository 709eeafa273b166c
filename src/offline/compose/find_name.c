/* SPDX-License-Identifier: GPL-3.0-or-later */
/* find_name.c - what files are called, and what their paths look like. */
#include <ctype.h>
#include <string.h>

#include "offline/compose/find.h"

#define FILES  "file|files|directory|directories|folder|folders"
#define CALLED "named|called|name|names|filename|filenames|titled"
#define START  "start|starts|starting|begin|begins|beginning"
#define END    "end|ends|ending|finish"
#define CONTAIN                                                                \
    "contain|contains|containing|include|includes|including|have|has|having"
#define MATCH "match|matches|matching"
#define STRING                                                                 \
    "?string|word|text|letter|letters|pattern|phrase|character|prefix|suffix"
#define SUFFIX "extension|extensions|suffix|ext"
#define PATHS  "path|paths|pathname|pathnames"

/* How a name is made of what was said: %s stands for it. */
static const struct naming {
    const char *row;
    const char *form; /* "." before %s: unless it begins with one */
    const char *test; /* NULL: -name */
} namings[] = {
    {MATCH " ?regular|posix ?extended regex|regexp|expression {}", "%s",
     "-regex"},
    {"regex|regexp|expression {text} in ?their name|names|path|paths", "%s",
     "-regex"},
    {"with|by|using ?regular ?posix regex|regexp|expression {text}", "%s",
     "-regex"},
    {CONTAIN " " STRING " {} in ?full|whole|file|their|its " PATHS, "*%s*",
     "-path"},
    {"{} in ?full|whole|file|their|its " PATHS, "*%s*", "-path"},
    {PATHS " " CONTAIN " " STRING " {}", "*%s*", "-path"},
    {PATHS " " MATCH " " STRING " {}", "%s", "-path"},
    {MATCH " " STRING " {} in ?their " PATHS, "%s", "-path"},
    {START " with " STRING " {}", "%s*", NULL},
    {"prefix|prefixed ?with {}", "%s*", NULL},
    {END " with|in|by " STRING " {}", "*%s", NULL},
    {CONTAIN " " STRING " {} in ?file " CALLED, "*%s*", NULL},
    {"{} in|within ?file " CALLED, "*%s*", NULL},
    {CALLED " " CONTAIN " " STRING " {}", "*%s*", NULL},
    {CALLED " " START " with|by " STRING " {}", "%s*", NULL},
    {CALLED " " MATCH " " STRING " {}", "%s", NULL},
    {MATCH " " STRING " {glob}", "%s", NULL},
    {"like|pattern|patterns {glob}", "%s", NULL},
    {SUFFIX " is|of|equals {}", "*.%s", NULL},
    {"{} " SUFFIX, "*.%s", NULL},
    {SUFFIX " {}", "*.%s", NULL},
    {CALLED " like|equals|exactly {}", "%s", NULL},
    {"named|called|titled {}", "%s", NULL},
    {"name|names|filename|filenames {}", "%s", NULL},
    {CALLED " ?which|that is {}", "%s", NULL},
    {"find ?for file {} in|under|from|on|below|inside|within", "%s", NULL},
};

/* Words that may be said again before each name of a list. */
#define LIST_WORDS                                                             \
    "extension extensions name names named end ends ending start starts "      \
    "starting begin begins beginning in with the"

/* Words that are no names though they stand where one could. */
#define NO_NAME                                                                \
    "file files directory directories folder folders contain contains "        \
    "containing start starts begin begins end ends ending match matches "      \
    "matching pattern path extension only case insensitive sort sorted "       \
    "modified changed not text string word regular without newline space "     \
    "spaces"

static bool
is_name(const struct find *f, size_t i)
{
    const struct request_value *v = request_value_of(f->q, i);

    if (v)
        return v->quoted || compose_may(v, SLOT_NAME) ||
               compose_may(v, SLOT_TEXT) || compose_may(v, SLOT_GLOB) ||
               compose_may(v, SLOT_PATH) || compose_may(v, SLOT_EXT);
    return !compose_is(f->q, i, NO_NAME);
}

static bool
ignores_case(const struct find *f)
{
    return request_has(f->q, "insensitive case-insensitive insensitively "
                             "case-insensitively caseless") ||
           request_find_row(f->q, "ignore case") != REQUEST_NONE;
}

static void
add_form(struct buf *out, const char *form, const char *text)
{
    const char *at = strstr(form, "%s");

    buf_add(out, form, (size_t)(at - form));
    if (out->len && out->p[out->len - 1] == '.' && *text == '.')
        text++;
    buf_str(out, text);
    if (at[2] == '*' && *text && text[strlen(text) - 1] == '*')
        return;
    buf_str(out, at + 2);
}

/* A pattern as said: "*.c" of the extension c. */
static void
add_pattern(const struct find *f, size_t i, const char *form, struct buf *out)
{
    const struct request_value *v = request_value_of(f->q, i);
    CLEANUP_BUF struct buf room = buf_of(REQUEST_BYTES_MAX);
    const char *text = compose_text(f->q, i, &room);
    bool is_ext = v && !v->quoted && v->is == SLOT_EXT;

    if (is_ext && isupper((unsigned char)*text)) { /* "PDF files" */
        buf_clear(&room);
        for (const char *s = v->text; *s; s++)
            buf_ch(&room, (char)tolower((unsigned char)*s));
        text = room.p;
    }

    if (v && v->is == SLOT_GLOB && strpbrk(text, "*?["))
        form = "%s";
    else if (is_ext && !strcmp(form, "%s"))
        form = "*.%s";
    else if (is_ext && !strcmp(form, "*%s"))
        form = "*.%s";
    add_form(out, form, text);
}

/* The test for word i: "-name '*.c'". */
static void
add_test(struct find *f, struct buf *out, size_t i, const char *form,
         const char *test)
{
    CLEANUP_BUF struct buf pattern = buf_of(REQUEST_BYTES_MAX);
    bool fold = ignores_case(f);

    add_pattern(f, i, form, &pattern);
    if (!test)
        test = strchr(pattern.p, '/') ? "-path" : "-name";
    buf_printf(out, "-%s%s ", fold ? "i" : "", test + 1);
    if (strpbrk(pattern.p, "*?[\\"))
        compose_quoted(out, pattern.p);
    else
        compose_word(out, pattern.p);
}

/* The next of a list after word i: "a.txt, b.txt and c.txt", "ending in .c or
 * ending in .h"; REQUEST_NONE. */
static size_t
next_of(const struct find *f, size_t i)
{
    bool joined = false;

    for (i++; i < f->q->n; i++) {
        const struct request_value *v = request_value_of(f->q, i);

        if (v && !compose_used(f->used, i))
            return is_name(f, i) && (joined || v->is == SLOT_GLOB ||
                                     v->is == SLOT_EXT || v->quoted)
                       ? i
                       : REQUEST_NONE;
        if (compose_is(f->q, i, "or and nor"))
            joined = true;
        else if (!joined || !compose_is(f->q, i, LIST_WORDS))
            return REQUEST_NONE;
    }
    return REQUEST_NONE;
}

/* All names of a list that begins at word i: with -o where there are more. */
static void
add_list(struct find *f, size_t i, const char *form, const char *test)
{
    CLEANUP_BUF struct buf all = buf_of(FIND_PART_BYTES);
    bool no = compose_negated(f->q, i);
    unsigned n = 0;

    for (; i != REQUEST_NONE; i = next_of(f, i)) {
        if (n++)
            buf_str(&all, " -o ");
        find_use(f, i);
        add_test(f, &all, i, form, test);
    }
    find_test(f, FIND_NAME, n > 1 ? "%s \\( %s \\)" : "%s %s", no ? " !" : "",
              all.p);
}

/* Whether a word that is said in other wishes too is no name there. */
static bool
strict(const char *row)
{
    return *row == '{' || !strncmp(row, "name|", 5);
}

static void
read_namings(struct find *f)
{
    struct compose_hit hit;

    if (find_says(f, CONTAIN
                  " space|spaces|blank|blanks|whitespace ?in ?their " CALLED) ||
        find_says(f, "space|spaces|whitespace in ?their " CALLED))
        find_test(f, FIND_NAME, " -name '* *'");

    for (size_t r = 0; r < sizeof(namings) / sizeof(namings[0]); r++) {
        size_t from = 0;

        while (compose_match(f->q, namings[r].row, f->used, from, &hit)) {
            from = hit.to;
            if (!is_name(f, hit.at) ||
                (strict(namings[r].row) && !compose_is_name(f->q, hit.at)))
                continue;
            add_list(f, hit.at, namings[r].form, namings[r].test);
            f->used |= hit.set;
        }
    }
}

/* Globs, extensions and file names that say themselves what they are. */
static void
read_values(struct find *f)
{
    for (size_t i = 0; i < f->q->n; i++) {
        const struct request_value *v = request_value_of(f->q, i);

        if (!v || compose_used(f->used, i))
            continue;
        if (strspn(v->text, "0123456789*") == strlen(v->text))
            continue;
        if (v->is == SLOT_EXT ||
            (v->is == SLOT_GLOB && *v->text != '/' && *v->text != '~'))
            add_list(f, i, "%s", NULL);
    }
}

/* "the file foo.txt", "files 'a' and 'b'", "foo.txt files": once places have
 * been read, what is left of names. */
void
find_read_rest(struct find *f)
{
    static const char *const rows[] = {
        FILES " {path}", FILES " {name}", FILES " {text}",   "{path} " FILES,
        "{name} " FILES, "{text} " FILES, "all|find {path}", NULL,
    };
    struct compose_hit hit;

    for (const char *const *r = rows; *r && !f->part[FIND_NAME].len; r++)
        if (find_sees(f, *r, &hit) && is_name(f, hit.at)) {
            add_list(f, hit.at, "%s", NULL);
            f->used |= hit.set;
        }
    if (find_says(f, "hidden") && !f->part[FIND_NAME].len)
        find_test(f, FIND_NAME, " -name '.*'");
}

void
find_read_naming(struct find *f)
{
    read_namings(f);
}

void
find_read_name(struct find *f)
{
    read_values(f);
    if (ignores_case(f))
        f->used |= request_set(f->q, "case insensitive ignore "
                                     "case-insensitive insensitively");
}
