/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compare.c - generates commands of diff, cmp, comm and join. */
#include "offline/generate/builder.h"
#include "offline/generate/generate.h"

static const char comparing[] = "compare diff difference differences differ "
                                "comparison cmp different";
static const char refused[] = "git commit branch package packages find "
                              "database time date modification";

static bool
put_two(struct builder *k)
{
    size_t n = builder_files(k, ROLE_ANY & ~(1u << ROLE_EXCEPT));

    if (n == 1)
        return false;
    if (!n) {
        if (!builder_has(k, "two files directories folders"))
            return false;
        builder_open(k, "FILE1");
        builder_open(k, "FILE2");
    }
    builder_says(k, "two both");
    builder_says(k, "file files directories folders directory folder");
    return n == 0 || n == 2;
}

static bool
has_directories(const struct builder *k)
{
    for (size_t i = 0; i < k->l->n; i++)
        if (k->l->v[i].value->is_dir || k->l->v[i].noun == NOUN_DIRECTORY)
            return true;
    return builder_has(k, "directories folders");
}

static int
add_diff(struct builder *k, struct shortlist *s, struct err *e)
{
    bool bytes = builder_says(k, "byte bytes binary cmp");

    builder_put(k, bytes ? "cmp" : "diff");
    if (!bytes) {
        bool deep = has_directories(k) ||
                    builder_has(k, "recursive recursively");

        builder_says(k, "recursive recursively");
        if (builder_row(k, "side by side") || builder_says(k, "side-by-side"))
            builder_put_option(k, "-y");
        if (builder_says(k, "unified patch"))
            builder_put_option(k, "-u");
        if (deep)
            builder_put_option(k, "-r");
        if (builder_row(k, "only/just name/names/whether/if") ||
            builder_says(k, "briefly brief whether") ||
            builder_row(k, "which file/files"))
            builder_put_option(k, "-q");
        if (builder_row(k, "ignore/ignoring whitespace/space/spaces"))
            builder_put_option(k, "-w");
        if (builder_row(k, "ignore/ignoring case") ||
            builder_row(k, "case insensitive/insensitively"))
            builder_put_option(k, "-i");
        if (builder_row(k, "ignore/ignoring blank/empty line/lines"))
            builder_put_option(k, "-B");
    }
    builder_says(k, comparing);
    builder_says(k, "show display print list see");
    if (!put_two(k))
        return 0;
    return builder_add(k, s, k->open ? FIT_LIKELY : FIT_SURE,
                       "compare two files", e);
}

/* "lines in both", "lines only in a": comm wants sorted files. */
static int
add_comm(struct builder *k, struct shortlist *s, struct err *e)
{
    const struct literal *file[2] = {NULL, NULL};
    bool sorted = builder_says(k, "sorted");
    bool both = builder_says(k, "common both shared");
    bool second = false;

    for (unsigned i = 0; i < 2; i++) {
        file[i] = builder_find_file(k, ROLE_ANY);
        if (!file[i])
            return 0;
        builder_mark(k, file[i]->word);
    }
    builder_says(k, "line lines");
    builder_says(k, "unique only not missing");
    builder_says(k, "compare");
    builder_says(k, "file files");
    builder_says(k, "show display print list find");
    if (!both && file[0]->word > file[1]->word)
        second = true;
    builder_put(k, both ? "comm -12" : second ? "comm -13" : "comm -23");
    for (unsigned i = 0; i < 2; i++) {
        if (!sorted)
            builder_put(k, "<(sort");
        builder_put_literal(k, file[i]);
        if (!sorted)
            buf_ch(&k->out, ')');
    }
    return builder_add(k, s, FIT_SURE, "lines that two files share", e);
}

static bool
wants_comm(const struct builder *k)
{
    if (builder_has(k, "comm"))
        return true;
    if (!builder_has(k, "line lines entries words") || k->l->n < 2)
        return false;
    return builder_has(k, "common shared") ||
           builder_row_at(k, "in both") != REQUEST_NONE ||
           builder_row_at(k, "appear/exist/present/are in both") !=
               REQUEST_NONE ||
           builder_row_at(k, "not in") != REQUEST_NONE ||
           builder_row_at(k, "only in") != REQUEST_NONE ||
           builder_row_at(k, "missing from/in") != REQUEST_NONE ||
           builder_row_at(k, "unique to") != REQUEST_NONE ||
           (builder_has(k, "unique") && builder_has(k, "compare compared"));
}

/* "is a the same as b", "are a and b identical" */
static bool
asks_same(struct builder *k)
{
    unsigned files = 0;

    if (!builder_has(k, "same identical equal") || builder_has(k, "link inode"))
        return false;
    for (size_t i = 0; i < k->l->n; i++)
        files += literal_is_surely_file(&k->l->v[i]);
    return files == 2 && builder_says(k, "same identical equal");
}

int
generate_compare(const struct request *q, struct shortlist *s, struct err *e)
{
    struct literals l;
    CLEANUP_BUILDER struct builder k;

    literals_read(q, &l);
    builder_init(&k, &l, "compare");
    if (builder_has(&k, refused))
        return 0;
    if (wants_comm(&k))
        return add_comm(&k, s, e);
    if (builder_has(&k, comparing) || asks_same(&k))
        return add_diff(&k, s, e);
    return 0;
}
