/* SPDX-License-Identifier: GPL-3.0-or-later */
/* builder.c - builds a command and marks the words of the request it uses. */
#include "offline/generate/builder.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "guard/syntax/syntax.h"
#include "offline/generate/generate.h"

void
builder_init(struct builder *k, const struct literals *l, const char *generator)
{
    *k = (struct builder){
        .l = l,
        .generator = generator,
        .out = buf_of(BUILDER_BYTES),
    };
}

void
builder_done(struct builder *k)
{
    buf_done(&k->out);
}

size_t
builder_plain_at(const struct builder *k, const char *list)
{
    const struct request *q = k->l->q;

    for (size_t i = 0; i < q->n; i++)
        if (q->words[i].value < 0 && literals_in(list, q->words[i].plain))
            return i;
    return REQUEST_NONE;
}

bool
builder_says_plain(struct builder *k, const char *list)
{
    size_t at = builder_plain_at(k, list);

    builder_mark(k, at);
    return at != REQUEST_NONE;
}

void
builder_mark(struct builder *k, size_t word)
{
    if (word < REQUEST_WORDS_MAX)
        k->used |= UINT64_C(1) << word;
}

size_t
builder_at(const struct builder *k, const char *list)
{
    const struct request *q = k->l->q;

    for (size_t i = 0; i < q->n; i++)
        if (literals_word_is(&q->words[i], list))
            return i;
    return REQUEST_NONE;
}

bool
builder_has(const struct builder *k, const char *list)
{
    return builder_at(k, list) != REQUEST_NONE;
}

bool
builder_says(struct builder *k, const char *list)
{
    const struct request *q = k->l->q;
    bool found = false;

    for (size_t i = 0; i < q->n; i++) {
        if (!literals_word_is(&q->words[i], list))
            continue;
        builder_mark(k, i);
        found = true;
    }
    return found;
}

/* Copies the next item of a row, its alternatives separated by blanks. */
static const char *
row_item(const char *row, char *out, size_t size)
{
    size_t n = strcspn(row, " ");

    if (n >= size)
        n = size - 1;
    memcpy(out, row, n);
    out[n] = '\0';
    for (char *p = out; *p; p++)
        if (*p == '/')
            *p = ' ';
    row += strcspn(row, " ");
    return row + strspn(row, " ");
}

/* Whether the row matches at that word; adds its words to *set. */
static bool
row_stands(const struct request *q, const char *row, size_t at, uint64_t *set)
{
    uint64_t seen = 0;

    while (*row) {
        char item[128];

        row = row_item(row, item, sizeof(item));
        while (seen && at < q->n && q->words[at].weak &&
               !literals_word_is(&q->words[at], item))
            at++;
        if (at >= q->n || !literals_word_is(&q->words[at], item))
            return false;
        seen |= UINT64_C(1) << at++;
    }
    *set |= seen;
    return seen != 0;
}

size_t
builder_row_at(const struct builder *k, const char *row)
{
    uint64_t set = 0;

    for (size_t i = 0; i < k->l->q->n; i++)
        if (row_stands(k->l->q, row, i, &set))
            return i;
    return REQUEST_NONE;
}

bool
builder_row(struct builder *k, const char *row)
{
    size_t at = builder_row_at(k, row);

    return at != REQUEST_NONE && row_stands(k->l->q, row, at, &k->used);
}

void
builder_put(struct builder *k, const char *words)
{
    if (k->out.len && k->out.p[k->out.len - 1] != ' ')
        buf_ch(&k->out, ' ');
    buf_str(&k->out, words);
}

void
builder_put_quoted(struct builder *k, const char *text)
{
    buf_ch(&k->out, ' ');
    generate_quoted(&k->out, text);
}

/* ".bak" of "the .bak files": an ending, and no name. */
static bool
is_name_ending(const struct builder *k, const struct literal *l)
{
    const struct request *q = k->l->q;
    const char *text = l->value->text;

    if (l->value->is == SLOT_EXT)
        return !strpbrk(text, "*?[/");
    return text[0] == '.' && isalpha((unsigned char)text[1]) &&
           !strpbrk(text + 1, "./*?[") && l->word + 1 < q->n &&
           literals_in("files file", q->words[l->word + 1].plain) &&
           !l->value->exists;
}

void
builder_put_literal(struct builder *k, const struct literal *l)
{
    const struct request_value *v = l->value;

    builder_mark(k, l->word);
    buf_ch(&k->out, ' ');
    if (is_name_ending(k, l)) {
        buf_str(&k->out, v->text[0] == '.' ? "*" : "*.");
        generate_word(&k->out, v->text);
    } else {
        generate_path(&k->out, v->text);
    }
}

void
builder_put_program(struct builder *k, const char *text)
{
    buf_str(&k->out, " '");
    for (const char *c = text; *c; c++) {
        k->out.bad |= *c == '\n'; /* another line of the program */
        if (*c == '\'')
            buf_str(&k->out, "'\\'");
        buf_ch(&k->out, *c);
    }
    buf_ch(&k->out, '\'');
}

/* The begin of the last word when it has option letters only, else 0. */
static size_t
last_letters(const struct builder *k)
{
    size_t n = k->out.len;
    size_t at = n;

    while (at > 0 && k->out.p[at - 1] != ' ')
        at--;
    if (!at || n - at < 2 || n - at > 6 || k->out.p[at] != '-')
        return 0;
    for (size_t i = at + 1; i < n; i++)
        if (!isalpha((unsigned char)k->out.p[i]))
            return 0;
    return at;
}

void
builder_add_pattern(struct builder *k, const struct literal *l)
{
    CLEANUP_BUF struct buf text = buf_of(BUILDER_BYTES);

    if (l->value->is == SLOT_EXT && !strpbrk(l->value->text, "*?["))
        buf_str(&text, l->value->text[0] == '.' ? "*" : "*.");
    buf_str(&text, l->value->text);
    generate_quoted(&k->out, text.p);
}

void
builder_put_option(struct builder *k, const char *option)
{
    if (option[0] == '-' && isalpha((unsigned char)option[1]) && !option[2] &&
        last_letters(k))
        buf_ch(&k->out, option[1]);
    else
        builder_put(k, option);
}

void
builder_put_within(struct builder *k, const struct literal *dir,
                   const struct literal *kind)
{
    size_t n;

    builder_put_literal(k, dir);
    n = k->out.len;
    if (k->out.p[n - 1] != '/')
        buf_ch(&k->out, '/');
    if (!kind) {
        buf_ch(&k->out, '*');
        return;
    }
    n = k->out.len;
    builder_put_literal(k, kind);
    memmove(k->out.p + n, k->out.p + n + 1, k->out.len - n);
    k->out.len--;
}

bool
builder_option(struct builder *k, const char *list, const char *option)
{
    if (!builder_says(k, list))
        return false;
    builder_put_option(k, option);
    return true;
}

void
builder_open(struct builder *k, const char *word)
{
    builder_put(k, word);
    k->open++;
}

bool
builder_places(struct builder *k)
{
    size_t len = k->out.len;

    buf_ch(&k->out, ' ');
    if (generate_places(k->l->q, &k->used, &k->out))
        return true;
    buf_cut(&k->out, len);
    return false;
}

/* Which value of the request a part of the command is. */

bool
builder_is_free(const struct builder *k, const struct literal *l)
{
    return !(k->used >> l->word & 1);
}

static bool
has_role(const struct builder *k, const struct literal *l, unsigned parts)
{
    return builder_is_free(k, l) && parts >> l->role & 1;
}

const struct literal *
builder_find(const struct builder *k, unsigned parts, uint32_t types)
{
    for (size_t i = 0; i < k->l->n; i++) {
        const struct literal *l = &k->l->v[i];

        if (has_role(k, l, parts) && l->value->types & types)
            return l;
    }
    return NULL;
}

const struct literal *
builder_take(struct builder *k, unsigned parts, uint32_t types)
{
    const struct literal *l = builder_find(k, parts, types);

    if (l)
        builder_mark(k, l->word);
    return l;
}

const struct literal *
builder_find_file(const struct builder *k, unsigned parts)
{
    const struct literal *maybe = NULL;

    for (size_t i = 0; i < k->l->n; i++) {
        const struct literal *l = &k->l->v[i];

        if (!has_role(k, l, parts))
            continue;
        if (literal_is_surely_file(l))
            return l;
        if (!maybe && literal_is_file(l))
            maybe = l;
    }
    return maybe;
}

size_t
builder_files(struct builder *k, unsigned parts)
{
    size_t n = 0;
    bool surely = false;

    for (size_t i = 0; i < k->l->n; i++)
        surely |= has_role(k, &k->l->v[i], parts) &&
                  literal_is_surely_file(&k->l->v[i]);
    for (size_t i = 0; i < k->l->n; i++) {
        const struct literal *l = &k->l->v[i];

        bool without = l->value->negated &&
                       (l->role == ROLE_NAMED || l->role == ROLE_EXCEPT);

        if (!has_role(k, l, parts) || without ||
            !(surely ? literal_is_surely_file(l) : literal_is_file(l)))
            continue;
        builder_put_literal(k, l);
        n++;
    }
    return n;
}

void
builder_files_or(struct builder *k, unsigned parts, const char *open)
{
    if (!builder_files(k, parts) && !k->piped)
        builder_open(k, open);
}

void
builder_put_excluded(struct builder *k, const char *option)
{
    for (size_t i = 0; i < k->l->n; i++) {
        const struct literal *l = &k->l->v[i];

        if (!builder_is_free(k, l) ||
            (l->role != ROLE_EXCEPT && !l->value->negated))
            continue;
        builder_mark(k, l->word);
        builder_says(k, "exclude excluding except without skipping ignoring");
        buf_str(&k->out, option);
        builder_add_pattern(k, l);
    }
}

/* Whether one of the nouns belongs to the number at that word. */
static bool
is_count(struct builder *k, size_t at, const char *list)
{
    const struct request *q = k->l->q;

    for (size_t i = at + 1; i < q->n && i < at + 4; i++) {
        if (literals_word_is(&q->words[i], list)) {
            builder_mark(k, i);
            return true;
        }
        if (q->words[i].value >= 0)
            break;
    }
    for (size_t i = at; i-- > 0 && i + 3 > at;) {
        if (literals_word_is(&q->words[i], list)) {
            builder_mark(k, i);
            return true;
        }
        if (!q->words[i].weak)
            break;
    }
    return false;
}

long
builder_count(struct builder *k, const char *list)
{
    for (size_t i = 0; i < k->l->n; i++) {
        const struct literal *l = &k->l->v[i];

        if (!builder_is_free(k, l) || !(l->value->types & 1u << SLOT_NUMBER) ||
            l->value->amount < 0 || !is_count(k, l->word, list))
            continue;
        builder_mark(k, l->word);
        return (long)l->value->amount;
    }
    return -1;
}

bool
builder_put_kind(struct builder *k)
{
    const struct literal *kind = NULL;
    const struct literal *dir = NULL;
    size_t kinds = 0;

    for (size_t i = 0; i < k->l->n; i++) {
        const struct literal *l = &k->l->v[i];
        const struct request_value *v = l->value;

        if (!builder_is_free(k, l) || l->role == ROLE_TO)
            continue;
        if ((v->is == SLOT_EXT || v->is == SLOT_GLOB) &&
            !strchr(v->text, '/')) {
            kind = l;
            kinds++;
        } else if (l->role == ROLE_IN || l->role == ROLE_FROM) {
            dir = l;
        }
    }
    if (kinds != 1 || !dir || !literal_is_file(dir))
        return false;
    builder_put_within(k, dir, kind);
    return true;
}

bool
builder_put_word(struct builder *k, const char *list)
{
    const struct request *q = k->l->q;
    CLEANUP_BUF struct buf word = buf_of(BUILDER_BYTES);

    for (size_t i = 0; i + 1 < q->n; i++) {
        const struct request_word *w = &q->words[i + 1];

        if (!literals_word_is(&q->words[i], list))
            continue;
        while (w->weak && w + 1 < q->words + q->n &&
               literals_word_is(w, "the a an my all"))
            w++;
        if (w->value >= 0 || w->weak || k->used >> (w - q->words) & 1 ||
            literals_word_is(
                w, "current home parent each every standard directory file "
                   "stdout screen terminal working same"))
            continue;
        builder_mark(k, (size_t)(w - q->words));
        buf_add(&word, q->text + w->from, w->to - w->from);
        buf_ch(&k->out, ' ');
        generate_path(&k->out, word.p);
        return true;
    }
    return false;
}

bool
builder_has_ending(const struct builder *k, const char *ending)
{
    size_t n = strlen(ending);

    for (size_t i = 0; i < k->l->n; i++) {
        const char *text = k->l->v[i].value->text;
        size_t len = strlen(text);

        if (len >= n && strcmp(text + len - n, ending) == 0)
            return true;
    }
    return false;
}

bool
builder_has_type(const struct builder *k, enum slot_type type)
{
    for (size_t i = 0; i < k->l->n; i++)
        if (k->l->v[i].value->is == type)
            return true;
    return false;
}

bool
builder_wants_find(const struct builder *k)
{
    if (builder_has_type(k, SLOT_AGE) || builder_has_type(k, SLOT_SIZE))
        return true;
    return builder_has(k, "older newer modified accessed modify access depth "
                          "level deep owned subdirectories subdirectory "
                          "subfolders subfolder");
}

/* Lines that do not come from a file. */

/* Whether the shell can parse the text; only such a text is used as a
 * command. */
static bool
can_be_parsed(const char *text, size_t n)
{
    struct syntax s = {0};
    bool whole = n && syntax_read(text, n, &s, NULL) == 0 && !s.fault;

    syntax_done(&s);
    return whole && text[n - 1] != '&' && text[n - 1] != ';' &&
           !memchr(text, '#', n) && !memchr(text, '\n', n);
}

/* "the output of history": the words of a command, as the request has them. */
static bool
put_output(struct builder *k)
{
    const struct request *q = k->l->q;
    size_t at = builder_row_at(k, "output of/from");
    const char *text;
    size_t n;

    if (at == REQUEST_NONE)
        at = builder_row_at(k, "output and error/errors of/from");
    if (at == REQUEST_NONE)
        return false;
    while (at < q->n && q->words[at].value < 0 &&
           (q->words[at].weak ||
            literals_word_is(&q->words[at], "output error command")))
        at++;
    if (at >= q->n)
        return false;
    if (q->words[at].value >= 0) {
        text = q->values[q->words[at].value].text;
        n = strlen(text);
    } else {
        text = q->text + q->words[at].from;
        n = q->words[at].to - q->words[at].from;
    }
    if (!can_be_parsed(text, n))
        return false;
    builder_row(k, "output of/from");
    builder_row(k, "output and error/errors of/from");
    builder_says(k, "command");
    builder_mark(k, at);
    buf_add(&k->out, text, n);
    return true;
}

/* Whether it is only a variable, $x or ${x[@]}, which runs nothing. */
static bool
is_expansion(const char *text)
{
    static const char safe[] = "abcdefghijklmnopqrstuvwxyz"
                               "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_[]@*";

    if (text[0] != '$')
        return false;
    if (text[1] != '{')
        return text[1] && !text[1 + strspn(text + 1, safe)];
    return !strcmp(text + 2 + strspn(text + 2, safe), "}");
}

/* "the string 'a b'", "the value of $x", "the variable $x" */
static bool
put_stated_text(struct builder *k)
{
    for (size_t i = 0; i < k->l->n; i++) {
        const struct literal *l = &k->l->v[i];
        const struct request_word *before = NULL;
        bool variable = l->value->text[0] == '$' &&
                        !strchr(l->value->text, '/');

        if (l->word > 0)
            before = &k->l->q->words[l->word - 1];
        if (!before || !builder_is_free(k, l) || l->value->exists)
            continue;
        if (!(literals_word_is(before, "string variable") &&
              (variable || l->role == ROLE_IN || l->role == ROLE_FROM)) &&
            !(variable &&
              (l->noun == NOUN_LINE || l->noun == NOUN_TEXT ||
               literals_word_is(before, "of in from")) &&
              builder_has(k, "variable string value") &&
              !builder_has(k, "content contents file")))
            continue;
        builder_mark(k, l->word);
        builder_says(k, "variable string value");
        buf_str(&k->out, "echo ");
        if (is_expansion(l->value->text))
            buf_printf(&k->out, "\"%s\"", l->value->text);
        else
            generate_quoted(&k->out, l->value->text);
        return true;
    }
    return false;
}

/* "the 'ps aux' output" */
static bool
put_quoted_output(struct builder *k)
{
    for (size_t i = 0; i < k->l->n; i++) {
        const struct literal *l = &k->l->v[i];

        if (l->word + 1 >= k->l->q->n || !l->value->quoted ||
            !literals_word_is(&k->l->q->words[l->word + 1], "output") ||
            !can_be_parsed(l->value->text, strlen(l->value->text)))
            continue;
        builder_mark(k, l->word);
        builder_mark(k, l->word + 1);
        buf_str(&k->out, l->value->text);
        return true;
    }
    return false;
}

void
builder_source(struct builder *k)
{
    if (put_output(k) || put_quoted_output(k) || put_stated_text(k)) {
        buf_str(&k->out, " | ");
        k->piped = true;
    } else if (builder_row(k, "standard input") || builder_says(k, "stdin")) {
        k->piped = true;
    }
    k->start = k->out.len;
    k->start_used = k->used;
}

void
builder_again(struct builder *k)
{
    buf_cut(&k->out, k->start);
    k->used = k->start_used;
    k->open = 0;
}

/* The finished command, put on the shortlist. */

static bool
is_shell_identifier(const char *text)
{
    if (!isalpha((unsigned char)*text) && *text != '_')
        return false;
    while (isalnum((unsigned char)*text) || *text == '_')
        text++;
    return !*text;
}

/* The variable for the output that the request names, or NULL. */
static const struct literal *
take_variable(struct builder *k)
{
    if (!builder_has(k, "variable") ||
        !builder_has(k, "save store assign put set keep record capture"))
        return NULL;
    for (size_t i = 0; i < k->l->n; i++) {
        const struct literal *l = &k->l->v[i];
        const struct request *q = k->l->q;
        bool next = l->word + 1 < q->n &&
                    literals_word_is(&q->words[l->word + 1], "variable");
        bool after = l->word > 0 &&
                     literals_word_is(&q->words[l->word - 1], "variable");

        if (!builder_is_free(k, l) || (!next && !after) ||
            !is_shell_identifier(l->value->text))
            continue;
        builder_mark(k, l->word);
        builder_says(k, "variable");
        builder_says(k, "save store assign put set keep record capture");
        return l;
    }
    return NULL;
}

static int
add_built_candidate(const struct builder *k, const struct literal *variable,
                    struct shortlist *s, double fit, const char *title,
                    struct err *e)
{
    CLEANUP_BUF struct buf line = buf_of(BUILDER_BYTES + 128);
    struct candidate c = {
        .used = k->used,
        .fit = fit,
        .open = k->open,
        .recipe = -1,
        .generator = k->generator,
    };

    if (variable)
        buf_printf(&line, "%s=$(%s)", variable->value->text, k->out.p);
    else
        buf_str(&line, k->out.p);
    snprintf(c.title, sizeof(c.title), "%s", title);
    return shortlist_offer(s, &c, k->out.bad ? &k->out : &line, e);
}

int
builder_add_plain(struct builder *k, struct shortlist *s, double fit,
                  const char *title, struct err *e)
{
    uint64_t used = k->used;
    const struct literal *variable = take_variable(k);
    int r = add_built_candidate(k, variable, s, fit, title, e);

    k->used = used;
    return r;
}

int
builder_add(struct builder *k, struct shortlist *s, double fit,
            const char *title, struct err *e)
{
    uint64_t used = k->used;
    size_t len = k->out.len;
    const struct literal *variable = take_variable(k);
    int r;

    generate_tail(k->l->q, &k->used, &k->out);
    r = add_built_candidate(k, variable, s, fit, title, e);
    k->used = used;
    buf_cut(&k->out, len);
    return r;
}
