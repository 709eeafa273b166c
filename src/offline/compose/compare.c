/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compare.c - diff, cmp, comm and join: what two files have of each other. */
#include "offline/compose/composers.h"
#include "offline/compose/sketch.h"

static const char comparing[] = "compare diff difference differences differ "
                                "comparison cmp different";
static const char refused[] = "git commit branch package packages find "
                              "database time date modification";

static bool
put_two(struct sketch *k)
{
    size_t n = sketch_files(k, ROLE_ANY & ~(1u << ROLE_EXCEPT));

    if (n == 1)
        return false;
    if (!n) {
        if (!sketch_has(k, "two files directories folders"))
            return false;
        sketch_open(k, "FILE1");
        sketch_open(k, "FILE2");
    }
    sketch_says(k, "two both");
    sketch_says(k, "file files directories folders directory folder");
    return n == 0 || n == 2;
}

static bool
has_directories(const struct sketch *k)
{
    for (size_t i = 0; i < k->l->n; i++)
        if (k->l->v[i].value->is_dir || k->l->v[i].noun == NOUN_DIRECTORY)
            return true;
    return sketch_has(k, "directories folders");
}

static int
add_diff(struct sketch *k, struct shortlist *s, struct err *e)
{
    bool bytes = sketch_says(k, "byte bytes binary cmp");

    sketch_put(k, bytes ? "cmp" : "diff");
    if (!bytes) {
        bool deep = has_directories(k) ||
                    sketch_has(k, "recursive recursively");

        sketch_says(k, "recursive recursively");
        if (sketch_row(k, "side by side") || sketch_says(k, "side-by-side"))
            sketch_put_option(k, "-y");
        if (sketch_says(k, "unified patch"))
            sketch_put_option(k, "-u");
        if (deep)
            sketch_put_option(k, "-r");
        if (sketch_row(k, "only/just name/names/whether/if") ||
            sketch_says(k, "briefly brief whether") ||
            sketch_row(k, "which file/files"))
            sketch_put_option(k, "-q");
        if (sketch_row(k, "ignore/ignoring whitespace/space/spaces"))
            sketch_put_option(k, "-w");
        if (sketch_row(k, "ignore/ignoring case") ||
            sketch_row(k, "case insensitive/insensitively"))
            sketch_put_option(k, "-i");
        if (sketch_row(k, "ignore/ignoring blank/empty line/lines"))
            sketch_put_option(k, "-B");
    }
    sketch_says(k, comparing);
    sketch_says(k, "show display print list see");
    if (!put_two(k))
        return 0;
    return sketch_add(k, s, k->open ? FIT_LIKELY : FIT_SURE,
                      "compare two files", e);
}

/* "lines in both", "lines only in a": comm wants sorted files. */
static int
add_comm(struct sketch *k, struct shortlist *s, struct err *e)
{
    const struct literal *file[2] = {NULL, NULL};
    bool sorted = sketch_says(k, "sorted");
    bool both = sketch_says(k, "common both shared");
    bool second = false;

    for (unsigned i = 0; i < 2; i++) {
        file[i] = sketch_find_file(k, ROLE_ANY);
        if (!file[i])
            return 0;
        sketch_mark(k, file[i]->word);
    }
    sketch_says(k, "line lines");
    sketch_says(k, "unique only not missing");
    sketch_says(k, "compare");
    sketch_says(k, "file files");
    sketch_says(k, "show display print list find");
    if (!both && file[0]->word > file[1]->word)
        second = true;
    sketch_put(k, both ? "comm -12" : second ? "comm -13" : "comm -23");
    for (unsigned i = 0; i < 2; i++) {
        if (!sorted)
            sketch_put(k, "<(sort");
        sketch_put_literal(k, file[i]);
        if (!sorted)
            buf_ch(&k->out, ')');
    }
    return sketch_add(k, s, FIT_SURE, "lines that two files share", e);
}

static bool
wants_comm(const struct sketch *k)
{
    if (sketch_has(k, "comm"))
        return true;
    if (!sketch_has(k, "line lines entries words") || k->l->n < 2)
        return false;
    return sketch_has(k, "common shared") ||
           sketch_row_at(k, "in both") != REQUEST_NONE ||
           sketch_row_at(k, "appear/exist/present/are in both") !=
               REQUEST_NONE ||
           sketch_row_at(k, "not in") != REQUEST_NONE ||
           sketch_row_at(k, "only in") != REQUEST_NONE ||
           sketch_row_at(k, "missing from/in") != REQUEST_NONE ||
           sketch_row_at(k, "unique to") != REQUEST_NONE ||
           (sketch_has(k, "unique") && sketch_has(k, "compare compared"));
}

/* "is a the same as b", "are a and b identical" */
static bool
asks_same(struct sketch *k)
{
    unsigned files = 0;

    if (!sketch_has(k, "same identical equal") || sketch_has(k, "link inode"))
        return false;
    for (size_t i = 0; i < k->l->n; i++)
        files += literal_is_surely_file(&k->l->v[i]);
    return files == 2 && sketch_says(k, "same identical equal");
}

int
compare_compose(const struct request *q, struct shortlist *s, struct err *e)
{
    struct literals l;
    CLEANUP_SKETCH struct sketch k;

    literals_read(q, &l);
    sketch_init(&k, &l, "compare");
    if (sketch_has(&k, refused))
        return 0;
    if (wants_comm(&k))
        return add_comm(&k, s, e);
    if (sketch_has(&k, comparing) || asks_same(&k))
        return add_diff(&k, s, e);
    return 0;
}
