/* SPDX-License-Identifier: GPL-3.0-or-later */
/* edit.c - sed: texts replaced, lines deleted and put in. */
#include <string.h>

#include "offline/compose/composers.h"
#include "offline/compose/grep.h"
#include "offline/compose/sketch.h"

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

/* A text within a sed program that is within single or double quotes: what
 * would end it, or mean something to sed, gets a backslash. */
static void
put_text(struct buf *out, const char *text, char delimiter, bool replacement)
{
    for (const char *c = text; *c; c++) {
        if (*c == delimiter || (replacement && *c == '&') ||
            (!replacement && *c == '['))
            buf_ch(out, '\\');
        buf_ch(out, *c);
    }
}

static void
put_program(struct sketch *k, struct buf *program)
{
    bool variable = false; /* $ of sed's own is no variable of the shell's */

    for (size_t i = 0; i < k->l->n; i++)
        variable |= k->l->v[i].value->text[0] == '$';
    if (variable)
        sketch_put_quoted(k, program->p);
    else
        sketch_put_program(k, program->p);
}

/* In place, with a backup when one is asked for. */
static void
put_in_place(struct sketch *k, bool files)
{
    if (sketch_says(k, "backup")) {
        sketch_put(k, "-i.bak");
        sketch_row(k, "in place");
    } else if (sketch_row(k, "in place") ||
               sketch_says(k, "in-place inplace") || files) {
        sketch_put(k, "-i");
    }
}

/* Old and new text: "replace a with b", "change a to b", "b instead of a" */
static bool
read_texts(struct sketch *k, const struct literal **from,
           const struct literal **to)
{
    size_t verb = sketch_at(k, replacing);

    for (size_t i = 0; i < k->l->n; i++) {
        const struct literal *l = &k->l->v[i];

        if (l->word < verb || !sketch_is_free(k, l) ||
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
add_replace(struct sketch *k, struct shortlist *s, struct err *e)
{
    CLEANUP_BUF struct buf program = buf_of(SKETCH_BYTES);
    const struct literal *from = NULL;
    const struct literal *to = NULL;
    bool all = !sketch_has(k, "first") ||
               sketch_has(k, "all every occurrences instances");
    long n;
    char d;

    if (!read_texts(k, &from, &to))
        return 0;
    if (sketch_has(k, "under below recursive recursively"))
        return 0;
    if (!from->value->quoted &&
        literals_in("commas newlines spaces tabs colons dots dashes "
                    "underscores semicolons slashes comma newline space tab",
                    from->value->text))
        return 0;
    if (!from->value->quoted && !k->piped &&
        !sketch_has(k, "file files text string word line lines sed") &&
        !sketch_find_file(k, 1u << ROLE_IN))
        return 0;
    sketch_mark(k, from->word);
    sketch_mark(k, to->word);
    sketch_says(k, replacing);
    sketch_says(k, "with by to");
    sketch_says(k, "occurrence occurrences instances instance");
    sketch_says(k, "text string word");
    put_in_place(k, sketch_has(k, "file files") ||
                        sketch_find_file(k, 1u << ROLE_IN));
    n = sketch_count(k, "line");
    if (n > 0)
        buf_printf(&program, "%ld", n);
    d = free_delimiter(from->value->text, to->value->text);
    buf_printf(&program, "s%c", d);
    put_text(&program, from->value->text, d, false);
    buf_ch(&program, d);
    put_text(&program, to->value->text, d, true);
    buf_ch(&program, d);
    if (all)
        buf_ch(&program, 'g');
    else
        sketch_says(k, "first");
    if (sketch_row(k, "case insensitive/insensitively") ||
        sketch_row(k, "ignore/ignoring/regardless case") ||
        sketch_says(k, "case-insensitively case-insensitive"))
        buf_ch(&program, 'I');
    put_program(k, &program);
    if (!sketch_put_kind(k))
        sketch_files_or(k, file_parts, "FILE");
    sketch_says(k, "file files");
    sketch_says(k, "all every each");
    return sketch_add_plain(k, s, k->open ? FIT_LIKELY : FIT_SURE,
                            "replace text in files", e);
}

/* "lines that contain x" */
static bool
put_pattern(struct sketch *k, struct buf *program)
{
    struct grep_wish w = {0};
    char d;

    if (!grep_read_pattern(k, &w) || !w.n)
        return false;
    d = free_delimiter(w.pattern[0]->value->text, "");
    if (d != '/')
        buf_ch(program, '\\');
    buf_ch(program, d);
    if (w.starts)
        buf_ch(program, '^');
    put_text(program, w.pattern[0]->value->text, d, false);
    if (w.ends)
        buf_ch(program, '$');
    buf_ch(program, d);
    if (w.invert || sketch_says(k, "not without doesn't don't"))
        buf_ch(program, '!');
    return true;
}

/* Which lines: "line 5", "lines 3 to 7", "the first line", "empty lines",
 * "lines that contain x" as an address of sed. */
static bool
put_address(struct sketch *k, struct buf *program)
{
    const struct literal *l;
    long n = -1;

    if (sketch_says(k, "empty blank")) {
        buf_str(program, "/^$/");
        return true;
    }
    l = sketch_find(k, ROLE_ANY, 1u << SLOT_NUMBER);
    if (l && l->value->is == SLOT_NUMBER) {
        sketch_mark(k, l->word);
        n = (long)l->value->amount;
        if (sketch_says(k, "first"))
            buf_printf(program, "1,%ld", n);
        else if (sketch_has(k, "last"))
            return false;
        else
            buf_printf(program, "%ld", n);
        l = sketch_find(k, ROLE_ANY, 1u << SLOT_NUMBER);
        if (l && l->value->is == SLOT_NUMBER) {
            sketch_mark(k, l->word);
            buf_printf(program, ",%lld", (long long)l->value->amount);
        }
        return true;
    }
    if (sketch_says(k, "first") || sketch_says(k, "header")) {
        buf_ch(program, '1');
        return true;
    }
    if (sketch_says(k, "last")) {
        buf_ch(program, '$');
        return true;
    }
    return put_pattern(k, program);
}

/* "delete line 3 from names.txt", which is here: the file is meant, not what
 * is printed of it. */
static bool
names_own(const struct sketch *k)
{
    const struct literal *l = sketch_find_file(k,
                                               1u << ROLE_IN | 1u << ROLE_FROM);

    return l && l->value->exists && !l->value->is_dir &&
           sketch_at(k, deleting) == 0 &&
           !sketch_has(k, "print show display output");
}

static int
add_delete(struct sketch *k, struct shortlist *s, struct err *e)
{
    CLEANUP_BUF struct buf program = buf_of(SKETCH_BYTES);

    sketch_says(k, deleting);
    if (sketch_has(k, "trailing") && sketch_has(k, "whitespace space spaces "
                                                   "blank blanks")) {
        sketch_says(k, "trailing");
        sketch_says(k, "whitespace space spaces blank blanks");
        buf_str(&program, "s/[[:space:]]*$//");
    } else if (sketch_has(k, "leading") &&
               sketch_has(k, "whitespace space spaces blank blanks")) {
        sketch_says(k, "leading");
        sketch_says(k, "whitespace space spaces blank blanks");
        buf_str(&program, "s/^[[:space:]]*//");
    } else if (sketch_has(k, "line lines header")) {
        if (!put_address(k, &program))
            return 0;
        sketch_says(k, "line lines");
        buf_ch(&program, 'd');
    } else {
        return 0;
    }
    put_in_place(k, names_own(k));
    put_program(k, &program);
    sketch_files_or(k, file_parts, "FILE");
    sketch_says(k, "file");
    return sketch_add(k, s, k->open ? FIT_LIKELY : FIT_SURE,
                      "delete lines of a file", e);
}

/* "insert x before line 3", "add x at the beginning of each line" */
static int
add_insert(struct sketch *k, struct shortlist *s, struct err *e)
{
    CLEANUP_BUF struct buf program = buf_of(SKETCH_BYTES);
    const struct literal *text = NULL;
    bool each = sketch_has(k, "each every all lines");
    bool after = sketch_has(k, "after end append suffix");
    char d;

    for (size_t i = 0; i < k->l->n && !text; i++)
        if (k->l->v[i].role == ROLE_OBJECT &&
            (k->l->v[i].value->quoted ||
             !literal_is_surely_file(&k->l->v[i])) &&
            k->l->v[i].value->is != SLOT_NUMBER)
            text = &k->l->v[i];
    if (!text || !sketch_has(k, "line lines"))
        return 0;
    sketch_mark(k, text->word);
    d = free_delimiter(text->value->text, "");
    if (each && sketch_has(k, "end append suffix start beginning begin "
                              "prepend prefix front")) {
        buf_printf(&program, "s%c%c%c", d, after ? '$' : '^', d);
        put_text(&program, text->value->text, d, true);
        buf_ch(&program, d);
    } else {
        if (!put_address(k, &program))
            return 0;
        buf_printf(&program, "%c %s", after ? 'a' : 'i', text->value->text);
    }
    sketch_says(k, inserting);
    sketch_says(k, "line lines");
    sketch_says(k, "each every all");
    sketch_says(k, "end start beginning begin before after front");
    put_in_place(k, false);
    put_program(k, &program);
    sketch_files_or(k, file_parts, "FILE");
    sketch_says(k, "file");
    return sketch_add_plain(k, s, k->open ? FIT_LIKELY : FIT_SURE,
                            "put text into lines", e);
}

int
edit_compose(const struct request *q, struct shortlist *s, struct err *e)
{
    struct literals l;
    CLEANUP_SKETCH struct sketch k;

    literals_read(q, &l);
    sketch_init(&k, &l, "edit");
    if (sketch_wants_find(&k) ||
        sketch_has(&k, "find search rename directory folder package user "
                       "permission permissions owner group duplicate "
                       "duplicates column field"))
        return 0;
    sketch_source(&k);
    sketch_put(&k, "sed");
    if (sketch_has(&k, replacing) && !sketch_has(&k, "name names"))
        return add_replace(&k, s, e);
    if (sketch_has(&k, deleting))
        return add_delete(&k, s, e);
    if (sketch_has(&k, inserting))
        return add_insert(&k, s, e);
    return 0;
}
