/* SPDX-License-Identifier: GPL-3.0-or-later */
/* find_depth.c - how deep find goes, and where it does not. */
#include "offline/compose/find.h"
#include "offline/request/words.h"

#define SUB                                                                    \
    "subdirectory|subdirectories|sub-directory|sub-directories|subfolder|"     \
    "subfolders|sub-folder|sub-folders|subdir|subdirs|subtree"
#define GO                                                                     \
    "search|descend|descending|recurse|recursing|go|going|look|looking|"       \
    "enter|entering|traverse|traversing|searching|include|including|into|"     \
    "find|check"
#define NOT   "not|dont|don't|without|no|never|skip|skipping|avoid|excluding"
#define LEVEL "level|levels|deep|directory|directories|depth"

/* What is said in fixed words. */
static const struct option {
    const char *row;
    enum find_part part;
    const char *text;
} options[] = {
    {"follow|following|dereference ?symbolic|soft link|links|symlink|symlinks",
     FIND_LINKS, " -L"},
    {NOT " ?cross|descend|descending|leave|search|go|into|crossing ?into "
         "?other|different|another ?mounted file systems|system|filesystem",
     FIND_DEPTH, " -xdev"},
    {NOT " cross|leave|crossing ?other|different filesystems|filesystem|mount",
     FIND_DEPTH, " -xdev"},
    {"same|one|single|this file system", FIND_DEPTH, " -xdev"},
    {"same|one|single|this filesystem|partition|device", FIND_DEPTH, " -xdev"},
    {"other|different|removable|mounted filesystem|filesystems|media",
     FIND_DEPTH, " -xdev"},
    {"nonrecursive|nonrecursively|non-recursive|non-recursively", FIND_DEPTH,
     " -maxdepth 1"},
    {NOT " recursive|recursively|recurse|recursion", FIND_DEPTH,
     " -maxdepth 1"},
    {NOT " ?to ?" GO " ?in|into ?any|other|its|their " SUB, FIND_DEPTH,
     " -maxdepth 1"},
    {NOT " ?to ?" GO " ?in|into sub directory|directories", FIND_DEPTH,
     " -maxdepth 1"},
    {"only|just|directly|immediately in|inside|under|within "
     "?this|current|the|top directory",
     FIND_DEPTH, " -maxdepth 1"},
    {"this|current directory only|itself|alone", FIND_DEPTH, " -maxdepth 1"},
    {"only|just top|first level", FIND_DEPTH, " -maxdepth 1"},
    {"top|first level ?only", FIND_DEPTH, " -maxdepth 1"},
    {"immediate|direct " SUB, FIND_DEPTH, " -mindepth 1 -maxdepth 1"},
    {"depth first|depth-first", FIND_DEPTH, " -depth"},
};

/* A number of levels; both bounds of a range where two are said. */
static const struct levels {
    const char *row;
    bool least, most;
} levels[] = {
    {"at most|maximum|max|up {number} " LEVEL, false, true},
    {"maximum|max|most {number} " LEVEL, false, true},
    {"maximum|max|maxdepth|most " LEVEL " {number}", false, true},
    {"more|deeper|beyond ?than {number} " LEVEL, false, true},
    {"minimum|min|mindepth|least ?of {number} " LEVEL, true, false},
    {"minimum|min " LEVEL " {number}", true, false},
    {"maxdepth {number}", false, true},
    {"mindepth {number}", true, false},
    {"level|depth ?of {number}", true, true},
    {"{number} level|levels deep|down", false, true},
    {"{number} level|levels", false, true},
};

static void
read_levels(struct find *f)
{
    struct compose_hit hit;

    for (size_t i = 0; i < sizeof(levels) / sizeof(levels[0]); i++) {
        const struct request_value *v;
        bool least = levels[i].least, most = levels[i].most;

        if (!find_sees(f, levels[i].row, &hit))
            continue;
        v = request_value_of(f->q, hit.at);
        if (v->bound == BOUND_AT_LEAST || v->bound == BOUND_MORE)
            least = !(most = compose_negated(f->q, hit.from));
        f->used |= hit.set;
        if (least)
            find_test(f, FIND_DEPTH, " -mindepth %lld", (long long)v->amount);
        if (most)
            find_test(f, FIND_DEPTH, " -maxdepth %lld", (long long)v->amount);
    }
}

/* "two levels deep" */
static void
read_level_words(struct find *f)
{
    struct compose_hit hit;

    if (!find_sees(f,
                   "one|two|three|four|five|single|1 level|levels ?deep|down",
                   &hit))
        return;
    f->used |= hit.set;
    find_test(f, FIND_DEPTH, " -maxdepth %ld",
              compose_is(f->q, hit.from, "single 1")
                  ? 1L
                  : words_number(f->q->words[hit.from].plain));
}

/* Words that say that what lies deeper is meant too. */
static const char deep[] =
    "recursive recursively recurse under below beneath underneath tree trees "
    "hierarchy deeper nested everywhere descend subdirectory subdirectories "
    "sub-directory sub-directories subfolder subfolders sub-folder "
    "sub-folders subdir subdirs subtree sub traverse level levels whole entire "
    "anywhere starting";

static bool
is_deep(const struct request *q)
{
    for (size_t i = 0; i < q->n; i++)
        if (compose_is(q, i, deep))
            return true;
    return false;
}

/* "in the current folder": there, and no deeper. */
static void
read_here(struct find *f)
{
    static const char *const rows[] = {
        "in|inside|within|from|of|at this|current|present|working|local "
        "directory|folder|dir",
        "in|inside|within|from|of|at present|current working "
        "directory|folder|dir",
        "?in|from here",
    };
    struct compose_hit hit;
    bool here = false;

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        here = here || compose_match(f->q, rows[i], 0, 0, &hit);
    if (here && !is_deep(f->q) && !f->part[FIND_DEPTH].len)
        find_test(f, FIND_DEPTH, " -maxdepth 1");
}

void
find_read_depth(struct find *f)
{
    const char *said = NULL;

    for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++)
        if (find_says(f, options[i].row) && options[i].text != said) {
            said = options[i].text;
            find_test(f, options[i].part, "%s", said);
        }
    read_levels(f);
    read_level_words(f);
    read_here(f);
}
