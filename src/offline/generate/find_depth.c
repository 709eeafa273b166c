/* SPDX-License-Identifier: GPL-3.0-or-later */
/* find_depth.c - find: how deep it goes and which directories it skips. */
#include <string.h>

#include "base/array.h"
#include "offline/generate/find.h"
#include "offline/parse/lexicon.h"

#define SUB                                                                    \
    "subdirectory|subdirectories|sub-directory|sub-directories|subfolder|"     \
    "subfolders|sub-folder|sub-folders|subdir|subdirs|subtree"
#define GO                                                                     \
    "search|descend|descending|recurse|recursing|go|going|look|looking|"       \
    "enter|entering|traverse|traversing|searching|include|including|into|"     \
    "find|check"
#define DEPTH_NOT                                                              \
    "not|dont|don't|without|no|never|skip|skipping|avoid|excluding"
#define LEVEL "level|levels|deep|directory|directories|depth"

/* What fixed words ask for. */
static const struct option {
    const char *row;
    enum find_part part;
    const char *text;
} options[] = {
    {"follow|following|dereference ?symbolic|soft link|links|symlink|symlinks",
     FIND_LINKS, " -L"},
    {DEPTH_NOT
     " ?cross|descend|descending|leave|search|go|into|crossing ?into "
     "?other|different|another ?mounted file systems|system|filesystem",
     FIND_DEPTH, " -xdev"},
    {DEPTH_NOT
     " cross|leave|crossing ?other|different filesystems|filesystem|mount",
     FIND_DEPTH, " -xdev"},
    {"same|one|single|this file system", FIND_DEPTH, " -xdev"},
    {"same|one|single|this filesystem|partition|device", FIND_DEPTH, " -xdev"},
    {"other|different|removable|mounted filesystem|filesystems|media",
     FIND_DEPTH, " -xdev"},
    {"nonrecursive|nonrecursively|non-recursive|non-recursively", FIND_DEPTH,
     " -maxdepth 1"},
    {DEPTH_NOT " recursive|recursively|recurse|recursion", FIND_DEPTH,
     " -maxdepth 1"},
    {DEPTH_NOT " ?to ?" GO " ?in|into ?any|other|its|their " SUB, FIND_DEPTH,
     " -maxdepth 1"},
    {DEPTH_NOT " ?to ?" GO " ?in|into sub directory|directories", FIND_DEPTH,
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

/* Reads a number of levels, or two as the bounds of a range. */
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
    struct generate_hit hit;

    for (size_t i = 0; i < ARRAY_SIZE(levels); i++) {
        const struct request_value *v;
        bool least = levels[i].least, most = levels[i].most;

        if (!find_sees(f, levels[i].row, &hit))
            continue;
        v = request_value_of(f->q, hit.at);
        if (v->bound == BOUND_AT_LEAST || v->bound == BOUND_MORE)
            least = !(most = generate_negated(f->q, hit.from));
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
    struct generate_hit hit;

    if (!find_sees(f,
                   "one|two|three|four|five|single|1 level|levels ?deep|down",
                   &hit))
        return;
    f->used |= hit.set;
    find_test(f, FIND_DEPTH, " -maxdepth %ld",
              generate_is(f->q, hit.from, "single 1")
                  ? 1L
                  : lexicon_number(f->q->words[hit.from].plain));
}

/* Whether the request includes deeper levels. */
static const char deep[] =
    "recursive recursively recurse under below beneath underneath tree trees "
    "hierarchy deeper nested everywhere descend subdirectory subdirectories "
    "sub-directory sub-directories subfolder subfolders sub-folder "
    "sub-folders subdir subdirs subtree sub traverse level levels whole entire "
    "anywhere starting";

static bool
asks_for_depth(const struct request *q)
{
    for (size_t i = 0; i < q->n; i++)
        if (generate_is(q, i, deep))
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
    struct generate_hit hit;
    bool here = false;

    for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
        here = here || generate_match(f->q, rows[i], 0, 0, &hit);
    if (here && !asks_for_depth(f->q) && !f->part[FIND_DEPTH].len)
        find_test(f, FIND_DEPTH, " -maxdepth 1");
}

void
find_read_depth(struct find *f)
{
    const char *last = NULL;

    for (size_t i = 0; i < ARRAY_SIZE(options); i++)
        if (find_says(f, options[i].row) && options[i].text != last) {
            last = options[i].text;
            find_test(f, options[i].part, "%s", last);
        }
    read_levels(f);
    read_level_words(f);
    read_here(f);
}

/* Directories that are skipped. */

#define SKIP                                                                   \
    "except|excluding|exclude|excludes|skip|skipping|ignore|ignoring|omit|"    \
    "omitting|without|avoid|avoiding|prune|pruning"
#define DIRS                                                                   \
    "directory|directories|folder|folders|dir|dirs|tree|path|paths|"           \
    "subdirectory"
#define SKIP_NOT "not|dont|don't"

static const char *const skips[] = {
    SKIP " ?descending|searching|looking ?everything|anything|any|those|that|"
         "found|present|inside|under|hidden|file|files ?in|under|inside " DIRS
         " {}",
    SKIP " ?everything|anything|any|those|that|found ?in|under|inside {} " DIRS,
    SKIP
    " descending|descend|going|entering|searching|recursing ?into|in|to {}",
    "but not ?in|under {path}",
    SKIP_NOT " ?to descend|descending|search|go|look|recurse|enter "
             "?in|into|inside|under ?" DIRS " {}",
    SKIP_NOT " in|under|inside|within|below ?" DIRS " {}",
    SKIP_NOT " in|under|inside|within|below {} " DIRS,
    SKIP " ?everything|anything|those|found|that|files ?in|under|inside {path}",
    NULL,
};

/* Names that always are directories. */
static bool
is_known_directory(const char *text)
{
    static const char *const names[] = {
        ".git",   ".svn",        ".hg",    "CVS",  "node_modules", ".snapshot",
        "vendor", "__pycache__", ".cache", "proc", "venv",         ".venv",
    };

    for (size_t i = 0; i < ARRAY_SIZE(names); i++)
        if (!strcmp(text, names[i]))
            return true;
    return false;
}

static bool
is_directory_hit(const struct find *f, size_t i, const struct generate_hit *hit)
{
    CLEANUP_BUF struct buf room = buf_of(REQUEST_BYTES_MAX);
    const struct request_value *v = request_value_of(f->q, i);
    const char *text = generate_text(f->q, i, &room);

    if (v && (v->is_dir || is_known_directory(text) || strchr(text, '/')))
        return true;
    for (size_t k = hit->from; k < hit->to + 1; k++)
        if (k != i && generate_is(f->q, k,
                                  "directory directories folder folders dir "
                                  "tree path paths descend descending into"))
            return !v || v->is != SLOT_EXT;
    return is_known_directory(text);
}

static void
add_skip(struct find *f, size_t i)
{
    CLEANUP_BUF struct buf room = buf_of(REQUEST_BYTES_MAX);
    CLEANUP_BUF struct buf text = buf_of(REQUEST_BYTES_MAX);
    const char *name = generate_text(f->q, i, &room);
    bool path = strchr(name, '/') != NULL;

    buf_str(&text, name);
    while (text.len > 1 &&
           (text.p[text.len - 1] == '/' || text.p[text.len - 1] == '*'))
        buf_cut(&text, text.len - 1);
    if (f->part[FIND_PRUNE].len)
        buf_str(&f->part[FIND_PRUNE], " -o");
    find_test(f, FIND_PRUNE, path ? " -path " : " -name ");
    if (path && !strchr("/.~$*", *text.p))
        buf_str(&f->part[FIND_PRUNE], "./");
    generate_word(&f->part[FIND_PRUNE], text.p);
    f->skips++;
    find_use(f, i);
}

/* Adds the names behind the first: ".git, .svn and node_modules". */
static void
add_more(struct find *f, size_t i)
{
    for (i++; i < f->q->n; i++) {
        const struct request_value *v = request_value_of(f->q, i);

        if (v && !generate_used(f->used, i) &&
            (generate_may(v, SLOT_PATH) || generate_may(v, SLOT_NAME)))
            add_skip(f, i);
        else if (!generate_is(f->q, i, "and or nor"))
            return;
    }
}

void
find_read_skip(struct find *f)
{
    struct generate_hit hit;

    for (const char *const *r = skips; *r; r++)
        while (find_sees(f, *r, &hit) && is_directory_hit(f, hit.at, &hit)) {
            f->used |= hit.set & ~((uint64_t)1 << hit.at);
            add_skip(f, hit.at);
            add_more(f, hit.at);
        }
}
