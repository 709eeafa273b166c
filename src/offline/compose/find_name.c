/* SPDX-License-Identifier: GPL-3.0-or-later */
/* find_name.c - what files are called, and what their paths look like. */
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
    {"find ?for {} in|under|from|on|below|inside|within", "%s", NULL},
    {"find ?for file {} in|under|from|on|below|inside|within", "%s", NULL},
};

/* Whether a word that is said in other wishes too is no name there. */
static bool
strict(const char *row)
{
    return *row == '{' || !strncmp(row, "name|", 5) ||
           strstr(row, "every {}") || strstr(row, "?for {}");
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
            if (!find_is_name(f, hit.at) ||
                (strict(namings[r].row) && !compose_is_name(f->q, hit.at)))
                continue;
            find_add_list(f, hit.at, namings[r].form, namings[r].test);
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
            find_add_list(f, i, "%s", NULL);
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

    for (const char *const *r = rows; *r && !find_named(f); r++)
        if (find_sees(f, *r, &hit) && find_is_name(f, hit.at)) {
            find_add_list(f, hit.at, "%s", NULL);
            f->used |= hit.set;
        }
    if (find_says(f, "hidden") && !find_named(f))
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
    if (find_ignores_case(f))
        f->used |= request_set(f->q, "case insensitive ignore "
                                     "case-insensitive insensitively");
}
