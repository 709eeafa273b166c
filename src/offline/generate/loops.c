/* SPDX-License-Identifier: GPL-3.0-or-later */
/* loops.c - generates loops that do the same with each of several files. */
#include <ctype.h>
#include <string.h>

#include "offline/generate/builder.h"
#include "offline/generate/generate.h"

/* Whether an ending may stand in a pattern of the shell and of rename. */
static bool
is_pattern_ending(const char *text)
{
    for (const char *c = text; *c; c++)
        if (!isalnum((unsigned char)*c) && !strchr("._-", *c))
            return false;
    return *text != '\0';
}

/* An ending without its dot; NULL: the literal is none. */
static const char *
ending_of(const struct literal *l)
{
    const char *text = l->value->text;

    if (text[0] == '*' && text[1] == '.')
        text += 2;
    else if (text[0] == '.')
        text++;
    else if (l->value->is != SLOT_EXT)
        return NULL;
    if (!*text)
        return NULL;
    for (const char *c = text; *c; c++)
        if (!isalnum((unsigned char)*c) && *c != '_')
            return NULL;
    return text;
}

/* The md of "to md"; NULL. Marks it. */
static const char *
ending_said(struct builder *k)
{
    const struct request *q = k->l->q;
    size_t at = q->n - 1;

    if (at < 1 || q->words[at].value >= 0 || strlen(q->words[at].plain) > 5 ||
        !literals_in("to into", q->words[at - 1].plain))
        return NULL;
    builder_mark(k, at);
    return q->words[at].plain;
}

/* "rename all txt files to md" */
static int
add_endings(struct builder *k, struct shortlist *s, struct err *e)
{
    const struct literal *old = NULL;
    const struct literal *new = NULL;
    const char *a;
    const char *b = NULL;

    for (size_t i = 0; i < k->l->n; i++) {
        const struct literal *l = &k->l->v[i];

        if (l->role == ROLE_TO || l->role == ROLE_WITH)
            new = l;
        else if (!old && ending_of(l))
            old = l;
    }
    if (!old || (!new && !(b = ending_said(k))))
        return 0;
    builder_mark(k, old->word);
    if (new) {
        builder_mark(k, new->word);
        b = ending_of(new);
    }
    a = ending_of(old);
    if (!b && !new->value->exists && strlen(new->value->text) < 6 &&
        !strpbrk(new->value->text, "./*"))
        b = new->value->text;
    if (!b || !is_pattern_ending(b))
        return 0;
    builder_says(k, "rename change move convert");
    builder_says(k, "file files extension extensions");
    buf_printf(&k->out, "for f in *.%s; do mv -- \"$f\" \"${f%%.%s}.%s\"; done",
               a, a, b);
    if (builder_add_plain(k, s, FIT_SURE, "change the endings of names", e) < 0)
        return -1;
    buf_clear(&k->out);
    buf_printf(&k->out, "rename 's/\\.%s$/.%s/' *.%s", a, b, a);
    return builder_add_plain(k, s, FIT_LIKELY, "change the endings of names",
                             e);
}

static void
put_renamed(struct builder *k, const char *text, bool suffix, const char *name)
{
    if (!suffix)
        generate_word(&k->out, text);
    buf_str(&k->out, name);
    if (suffix)
        generate_word(&k->out, text);
}

/* "prefix all files with old_", "add .bak to the names of all files" */
static int
add_affix(struct builder *k, struct shortlist *s, struct err *e)
{
    bool suffix = builder_says(k, "suffix");
    const struct literal *kind = NULL;
    const struct literal *text = NULL;

    for (size_t i = 0; i < k->l->n; i++) {
        const struct literal *l = &k->l->v[i];

        if (l->value->is == SLOT_GLOB || l->value->is == SLOT_EXT)
            kind = l;
        else if (!text && l->value->is != SLOT_NUMBER)
            text = l;
    }
    if (!text || strchr(text->value->text, '/'))
        return 0;
    builder_mark(k, text->word);
    builder_says(k, "prefix add append rename");
    builder_says(k, "file files name names directory folder");
    builder_row(k, "current directory/folder");
    buf_str(&k->out, "for f in");
    if (kind)
        builder_put_literal(k, kind);
    else
        builder_put(k, "*");
    buf_str(&k->out, "; do mv -- \"$f\" ");
    put_renamed(k, text->value->text, suffix, "\"$f\"");
    buf_str(&k->out, "; done");
    if (builder_add_plain(k, s, FIT_SURE, "change the names of files", e) < 0)
        return -1;
    buf_clear(&k->out);
    buf_str(&k->out, "ls");
    if (kind)
        builder_put_literal(k, kind);
    buf_str(&k->out, " | xargs -I {} mv {} ");
    put_renamed(k, text->value->text, suffix, "{}");
    return builder_add_plain(k, s, FIT_LIKELY, "change the names of files", e);
}

/* "copy x to each directory" */
static int
add_handed(struct builder *k, struct shortlist *s, struct err *e)
{
    const struct literal *what = builder_find_file(k, 1u << ROLE_OBJECT |
                                                          1u << ROLE_IN);
    size_t from;

    if (!what || what->value->is_dir || what->noun == NOUN_DIRECTORY)
        return 0;
    builder_mark(k, what->word);
    builder_says(k, "copy");
    builder_says(k, "each every all");
    builder_says(k,
                 "top-level directory directories subdirectory current file");
    buf_str(&k->out, "for d in */; do cp ");
    from = k->out.len;
    generate_path(&k->out, what->value->text);
    if (k->out.len == from)
        return 0;
    buf_str(&k->out, " \"$d\"; done");
    if (builder_add_plain(k, s, FIT_SURE, "copy a file to each directory", e) <
        0)
        return -1;
    buf_clear(&k->out);
    buf_str(&k->out, "ls -d */ | xargs -n 1 cp ");
    generate_path(&k->out, what->value->text);
    return builder_add_plain(k, s, FIT_LIKELY, "copy a file to each directory",
                             e);
}

int
generate_loops(const struct request *q, struct shortlist *s, struct err *e)
{
    struct literals l;
    CLEANUP_BUILDER struct builder k;

    literals_read(q, &l);
    builder_init(&k, &l, "loops");
    if (builder_wants_find(&k) ||
        builder_has(&k, "recursive tree below under line lines find"))
        return 0;
    if (builder_has(&k, "prefix suffix") &&
        builder_has(&k, "file files names") &&
        !builder_has(&k, "split remove delete path base"))
        return add_affix(&k, s, e);
    if (builder_plain_at(&k, "rename renames change") == 0 ||
        builder_has(&k, "extension extensions"))
        return add_endings(&k, s, e);
    if (builder_has(&k, "copy") &&
        (builder_row_at(&k, "each/every/all directory/directories/subdirectory/"
                            "subdirectories/folder/folders") != REQUEST_NONE ||
         builder_row_at(&k, "each/every top-level directory/folder") !=
             REQUEST_NONE))
        return add_handed(&k, s, e);
    return 0;
}
