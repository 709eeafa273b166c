/* SPDX-License-Identifier: GPL-3.0-or-later */
/* remove.c - rm and rmdir: files that are named, not those that are found. */
#include <string.h>

#include "offline/compose/composers.h"
#include "offline/compose/sketch.h"

static const char removing[] =
    "remove delete rm erase rmdir unlink trash throw rid";
static const char refused[] =
    "line lines column columns field word words character characters space "
    "spaces package user group branch container process duplicate "
    "duplicates blank prefix suffix extension string text occurrence find "
    "search comma newline variable alias commit tag rule route cron crontab "
    "key entry service job database table from first last except broken "
    "whose name names begin start starting contain containing match "
    "matching tree sync synchronize rsync mirror copy move permission "
    "attribute digits "
    "quotes whitespace member array listed mistake accident accidentally "
    "recover restore undelete undo docker";

static void
put_options(struct sketch *k, bool deep)
{
    if (deep)
        sketch_put_option(k, "-r");
    if (sketch_says(k, "force forcibly forcefully") ||
        sketch_row(k, "without prompt/prompting/confirmation/asking/ask") ||
        sketch_row(k, "not ask/prompt"))
        sketch_put_option(k, "-f");
    else if (sketch_says(k, "interactive interactively prompt prompting "
                            "confirm confirmation ask asking"))
        sketch_put_option(k, "-i");
    sketch_option(k, "verbose verbosely", "-v");
}

static bool
is_deep(struct sketch *k)
{
    /* "the file x in y": y is only where it lies */
    bool inside = sketch_find_file(k, 1u << ROLE_IN) &&
                  sketch_find_file(k, 1u << ROLE_OBJECT | 1u << ROLE_NAMED);

    if (sketch_says(k, "recursive recursively"))
        return true;
    if (sketch_has(k, "files") && !sketch_has(k, "subdirectories"))
        return false;
    for (size_t i = 0; i < k->l->n; i++) {
        const struct literal *l = &k->l->v[i];
        size_t n = strlen(l->value->text);

        if (inside && l->role == ROLE_IN)
            continue;
        if (l->value->is_dir || l->noun == NOUN_DIRECTORY ||
            (n && l->value->text[n - 1] == '/'))
            return true;
    }
    return false;
}

/* What holds no other file: "in names.txt" */
static bool
is_plain_file(const struct literal *l)
{
    const char *slash = strrchr(l->value->text, '/');
    const char *base = slash ? slash + 1 : l->value->text;

    if (l->value->exists)
        return !l->value->is_dir;
    return l->noun != NOUN_DIRECTORY && *base && strchr(base + 1, '.');
}

/* "all files in x": x/ and then a star. */
static size_t
put_operands(struct sketch *k)
{
    const struct literal *in = sketch_find_file(k, 1u << ROLE_IN);
    const struct literal *object = sketch_find_file(k, 1u << ROLE_OBJECT |
                                                           1u << ROLE_NAMED);
    bool all = sketch_has(k, "all every everything content contents files");
    size_t n;

    if (in && (object || all)) {
        if (is_plain_file(in))
            return 0;
        sketch_put_literal(k, in);
        if (k->out.p[k->out.len - 1] != '/')
            buf_ch(&k->out, '/');
        if (!object) {
            buf_ch(&k->out, '*');
            return 1;
        }
        n = k->out.len;
        sketch_put_literal(k, object);
        memmove(k->out.p + n, k->out.p + n + 1, k->out.len - n);
        k->out.len--;
        return 1;
    }
    if (in && in->value->within) /* what is in there was not understood */
        return 0;
    n = sketch_files(k, ROLE_ANY & ~(1u << ROLE_EXCEPT));
    if (!n && all && sketch_row(k, "current directory/folder")) {
        sketch_put(k, "*");
        n = 1;
    }
    return n;
}

/* "empty it but do not delete it" */
static bool
is_forbidden(const struct request *q)
{
    for (size_t i = 0; i < q->n; i++)
        if (compose_is(q, i, removing) && compose_negated(q, i))
            return true;
    return false;
}

/* "everything but a.txt" */
static bool
keeps_some(const struct sketch *k)
{
    for (size_t i = 0; i < k->l->n; i++)
        if (k->l->v[i].value->negated)
            return true;
    return false;
}

/* "all .pyc files and __pycache__ folders": below here, and that is find's. */
static bool
wants_both(const struct sketch *k)
{
    return sketch_plain_at(k, "files") != REQUEST_NONE &&
           sketch_plain_at(k, "folders directories") != REQUEST_NONE;
}

/* "delete the image x", where that is no file's name: docker's. */
static bool
is_image(const struct sketch *k)
{
    for (size_t i = 0; i < k->l->n; i++) {
        const struct request_value *v = k->l->v[i].value;

        if (v->exists || strchr(v->text, '.'))
            return false;
    }
    return sketch_has(k, "image");
}

int
remove_compose(const struct request *q, struct shortlist *s, struct err *e)
{
    struct literals l;
    CLEANUP_SKETCH struct sketch k;
    bool empty;
    bool many, deep = false;

    literals_read(q, &l);
    sketch_init(&k, &l, "remove");
    if (!sketch_has(&k, removing) || sketch_has(&k, refused) || is_image(&k) ||
        sketch_wants_find(&k) || sketch_has(&k, "under below") ||
        is_forbidden(q) || keeps_some(&k) || wants_both(&k))
        return 0;
    sketch_says(&k, removing);
    empty = sketch_says(&k, "empty");
    if (empty && !sketch_has(&k, "directory folder"))
        return 0;
    sketch_put(&k, empty ? "rmdir" : "rm");
    if (!empty) {
        deep = is_deep(&k);
        put_options(&k, deep);
    }
    many = sketch_has(&k, "all every");
    if (!put_operands(&k))
        return 0;
    sketch_says(&k, "file files directory folder image picture photo");
    sketch_says(&k, "all every");
    return sketch_add_plain(&k, s, many ? FIT_MAYBE : FIT_SURE,
                            deep    ? "remove with all that is in there"
                            : empty ? "remove empty directories"
                                    : "remove files",
                            e);
}
