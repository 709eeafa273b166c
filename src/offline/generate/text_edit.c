/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text_edit.c - generates sed commands that change text. */
#include <string.h>

#include "offline/generate/builder.h"
#include "offline/generate/generate.h"
#include "offline/generate/grep.h"

static const char replacing[] = "replace substitute change swap sed";
static const char deleting[] = "delete remove drop strip sed omit";
static const char inserting[] = "insert add append prepend put";
static const unsigned file_parts = 1u << ROLE_IN | 1u << ROLE_FROM |
                                   1u << ROLE_OBJECT | 1u << ROLE_TO;

/* The byte that stands in none of the texts. */
static char
free_delimiter(const char *a, const char *b)
{
    static const char tried[] = "/|#,~@";

    for (const char *c = tried; *c; c++)
        if (!strchr(a, *c) && !strchr(b, *c))
            return *c;
    return '/';
}

/* Appends a text inside a quoted sed program: what would end it or is special
 * to sed gets a backslash. */
static void
put_sed_text(struct buf *out, const char *text, char delimiter,
             bool replacement)
{
    for (const char *c = text; *c; c++) {
        if (*c == delimiter || (replacement && *c == '&') ||
            (!replacement && *c == '['))
            buf_ch(out, '\\');
        buf_ch(out, *c);
    }
}

static void
put_program(struct builder *k, struct buf *program)
{
    bool variable = false; /* $ of sed's own is no variable of the shell's */

    for (size_t i = 0; i < k->l->n; i++)
        variable |= k->l->v[i].value->text[0] == '$';
    if (variable)
        builder_put_quoted(k, program->p);
    else
        builder_put_program(k, program->p);
}

/* Appends -i, with a backup when the request asks for one. */
static void
put_in_place(struct builder *k, bool files)
{
    if (builder_says(k, "backup")) {
        builder_put(k, "-i.bak");
        builder_row(k, "in place");
    } else if (builder_row(k, "in place") ||
               builder_says(k, "in-place inplace") || files) {
        builder_put(k, "-i");
    }
}

/* Old and new text: "replace a with b", "change a to b", "b instead of a" */
static bool
read_texts(struct builder *k, const struct literal **from,
           const struct literal **to)
{
    size_t verb = builder_at(k, replacing);

    for (size_t i = 0; i < k->l->n; i++) {
        const struct literal *l = &k->l->v[i];

        if (l->word < verb || !builder_is_free(k, l) ||
            l->value->is == SLOT_SIZE)
            continue;
        if (!*from &&
            (l->role == ROLE_OBJECT || l->role == ROLE_IN ||
             l->role == ROLE_FROM) &&
            (l->noun != NOUN_FILE || l->value->quoted))
            *from = l;
        else if (*from && !*to && l->role != ROLE_IN && l->role != ROLE_OBJECT)
            *to = l;
    }
    return *from && *to;
}

static int
add_replace(struct builder *k, struct shortlist *s, struct err *e)
{
    CLEANUP_BUF struct buf program = buf_of(BUILDER_BYTES);
    const struct literal *from = NULL;
    const struct literal *to = NULL;
    bool all = !builder_has(k, "first") ||
               builder_has(k, "all every occurrences instances");
    long n;
    char d;

    if (!read_texts(k, &from, &to))
        return 0;
    if (builder_has(k, "under below recursive recursively"))
        return 0;
    if (!from->value->quoted &&
        literals_in("commas newlines spaces tabs colons dots dashes "
                    "underscores semicolons slashes comma newline space tab",
                    from->value->text))
        return 0;
    if (!from->value->quoted && !k->piped &&
        !builder_has(k, "file files text string word line lines sed") &&
        !builder_find_file(k, 1u << ROLE_IN))
        return 0;
    builder_mark(k, from->word);
    builder_mark(k, to->word);
    builder_says(k, replacing);
    builder_says(k, "with by to");
    builder_says(k, "occurrence occurrences instances instance");
    builder_says(k, "text string word");
    put_in_place(k, builder_has(k, "file files") ||
                        builder_find_file(k, 1u << ROLE_IN));
    n = builder_count(k, "line");
    if (n > 0)
        buf_printf(&program, "%ld", n);
    d = free_delimiter(from->value->text, to->value->text);
    buf_printf(&program, "s%c", d);
    put_sed_text(&program, from->value->text, d, false);
    buf_ch(&program, d);
    put_sed_text(&program, to->value->text, d, true);
    buf_ch(&program, d);
    if (all)
        buf_ch(&program, 'g');
    else
        builder_says(k, "first");
    if (builder_row(k, "case insensitive/insensitively") ||
        builder_row(k, "ignore/ignoring/regardless case") ||
        builder_says(k, "case-insensitively case-insensitive"))
        buf_ch(&program, 'I');
    put_program(k, &program);
    if (!builder_put_kind(k))
        builder_files_or(k, file_parts, "FILE");
    builder_says(k, "file files");
    builder_says(k, "all every each");
    return builder_add_plain(k, s, k->open ? FIT_LIKELY : FIT_SURE,
                             "replace text in files", e);
}

/* "lines that contain x" */
static bool
put_sed_pattern(struct builder *k, struct buf *program)
{
    struct grep_params w = {0};
    char d;

    if (!grep_read_pattern(k, &w) || !w.n)
        return false;
    d = free_delimiter(w.pattern[0]->value->text, "");
    if (d != '/')
        buf_ch(program, '\\');
    buf_ch(program, d);
    if (w.starts)
        buf_ch(program, '^');
    put_sed_text(program, w.pattern[0]->value->text, d, false);
    if (w.ends)
        buf_ch(program, '$');
    buf_ch(program, d);
    if (w.invert || builder_says(k, "not without doesn't don't"))
        buf_ch(program, '!');
    return true;
}

/* Appends the address: "line 5", "lines 3 to 7", "the first line", "empty
 * lines", "lines that contain x". */
static bool
put_sed_address(struct builder *k, struct buf *program)
{
    const struct literal *l;
    long n = -1;

    if (builder_says(k, "empty blank")) {
        buf_str(program, "/^$/");
        return true;
    }
    l = builder_find(k, ROLE_ANY, 1u << SLOT_NUMBER);
    if (l && l->value->is == SLOT_NUMBER) {
        builder_mark(k, l->word);
        n = (long)l->value->amount;
        if (builder_says(k, "first"))
            buf_printf(program, "1,%ld", n);
        else if (builder_has(k, "last"))
            return false;
        else
            buf_printf(program, "%ld", n);
        l = builder_find(k, ROLE_ANY, 1u << SLOT_NUMBER);
        if (l && l->value->is == SLOT_NUMBER) {
            builder_mark(k, l->word);
            buf_printf(program, ",%lld", (long long)l->value->amount);
        }
        return true;
    }
    if (builder_says(k, "first") || builder_says(k, "header")) {
        buf_ch(program, '1');
        return true;
    }
    if (builder_says(k, "last")) {
        buf_ch(program, '$');
        return true;
    }
    return put_sed_pattern(k, program);
}

/* "delete line 3 from names.txt", which is here: the file is meant, not what
 * is printed of it. */
static bool
names_own(const struct builder *k)
{
    const struct literal *l = builder_find_file(k, 1u << ROLE_IN |
                                                       1u << ROLE_FROM);

    return l && l->value->exists && !l->value->is_dir &&
           builder_at(k, deleting) == 0 &&
           !builder_has(k, "print show display output");
}

static int
add_tr_deletion(struct builder *k, struct shortlist *s, struct err *e)
{
    CLEANUP_BUF struct buf program = buf_of(BUILDER_BYTES);

    builder_says(k, deleting);
    if (builder_has(k, "trailing") && builder_has(k, "whitespace space spaces "
                                                     "blank blanks")) {
        builder_says(k, "trailing");
        builder_says(k, "whitespace space spaces blank blanks");
        buf_str(&program, "s/[[:space:]]*$//");
    } else if (builder_has(k, "leading") &&
               builder_has(k, "whitespace space spaces blank blanks")) {
        builder_says(k, "leading");
        builder_says(k, "whitespace space spaces blank blanks");
        buf_str(&program, "s/^[[:space:]]*//");
    } else if (builder_has(k, "line lines header")) {
        if (!put_sed_address(k, &program))
            return 0;
        builder_says(k, "line lines");
        buf_ch(&program, 'd');
    } else {
        return 0;
    }
    put_in_place(k, names_own(k));
    put_program(k, &program);
    builder_files_or(k, file_parts, "FILE");
    builder_says(k, "file");
    return builder_add(k, s, k->open ? FIT_LIKELY : FIT_SURE,
                       "delete lines of a file", e);
}

/* "insert x before line 3", "add x at the beginning of each line" */
static int
add_insert(struct builder *k, struct shortlist *s, struct err *e)
{
    CLEANUP_BUF struct buf program = buf_of(BUILDER_BYTES);
    const struct literal *text = NULL;
    bool each = builder_has(k, "each every all lines");
    bool after = builder_has(k, "after end append suffix");
    char d;

    for (size_t i = 0; i < k->l->n && !text; i++)
        if (k->l->v[i].role == ROLE_OBJECT &&
            (k->l->v[i].value->quoted ||
             !literal_is_surely_file(&k->l->v[i])) &&
            k->l->v[i].value->is != SLOT_NUMBER)
            text = &k->l->v[i];
    if (!text || !builder_has(k, "line lines"))
        return 0;
    builder_mark(k, text->word);
    d = free_delimiter(text->value->text, "");
    if (each && builder_has(k, "end append suffix start beginning begin "
                               "prepend prefix front")) {
        buf_printf(&program, "s%c%c%c", d, after ? '$' : '^', d);
        put_sed_text(&program, text->value->text, d, true);
        buf_ch(&program, d);
    } else {
        if (!put_sed_address(k, &program))
            return 0;
        buf_printf(&program, "%c %s", after ? 'a' : 'i', text->value->text);
    }
    builder_says(k, inserting);
    builder_says(k, "line lines");
    builder_says(k, "each every all");
    builder_says(k, "end start beginning begin before after front");
    put_in_place(k, false);
    put_program(k, &program);
    builder_files_or(k, file_parts, "FILE");
    builder_says(k, "file");
    return builder_add_plain(k, s, k->open ? FIT_LIKELY : FIT_SURE,
                             "put text into lines", e);
}

int
generate_edit(const struct request *q, struct shortlist *s, struct err *e)
{
    struct literals l;
    CLEANUP_BUILDER struct builder k;

    literals_read(q, &l);
    builder_init(&k, &l, "edit");
    if (builder_wants_find(&k) ||
        builder_has(&k, "find search rename directory folder package user "
                        "permission permissions owner group duplicate "
                        "duplicates column field"))
        return 0;
    builder_source(&k);
    builder_put(&k, "sed");
    if (builder_has(&k, replacing) && !builder_has(&k, "name names"))
        return add_replace(&k, s, e);
    if (builder_has(&k, deleting))
        return add_tr_deletion(&k, s, e);
    if (builder_has(&k, inserting))
        return add_insert(&k, s, e);
    return 0;
}
