/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain_option.c - explains the options of a command and their values.
 *
 * Programs write options in several ways: -x, -xyz in one word, --long=VALUE,
 * -name as one word, and letters without a dash (tar xzf). */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/message.h"
#include "offline/explain/explain_args.h"

#define VALUE_SHOWN 40 /* bytes of a value inside a sentence */

/* Maps bytes [k, end) of a word's text to bytes of the line. They are the same
 * up to the first quote of the word; a range that begins behind it is the whole
 * word. */
static void
args_range(const struct args *a, const struct syntax_word *w, size_t k,
           size_t end, size_t *from, size_t *to)
{
    size_t begin = a->s->base + w->from, n = w->to - w->from, same = 0;
    const char *raw = a->s->x->line + begin;

    while (!a->s->mapped && same < n && w->text[same] == raw[same])
        same++;
    *from = begin + (k <= same ? k : 0);
    *to = begin + (end <= same && w->text[end] ? end : n);
}

/* Word i of the call, or NULL behind the last. */
static const struct syntax_word *
args_word(const struct args *a, size_t i)
{
    return i < a->c->n ? a->c->argv[i] : NULL;
}

/* Whether the list of a quirk has the option. */
static bool
args_is_listed(const struct args *a, const char *quirk, const char *option,
               size_t n)
{
    const char *list = program_quirk(a->p, quirk);

    while (list && *list) {
        size_t len = strcspn(list, " ");

        if (len == n && memcmp(list, option, n) == 0)
            return true;
        list += len;
        list += strspn(list, " ");
    }
    return false;
}

void
args_note(struct args *a, const struct page_row *row, size_t at, size_t end)
{
    if (a->n_used < USED_MAX)
        a->used[a->n_used++] = (struct fact_option){
            .row = row, .at = at, .end = end, .part = a->s->x->out->n};
}

void
args_take_sentence(struct args *a)
{
    free(a->sentence);
    a->sentence = TAKE_PTR(a->s->x->sentence);
}

static void
describe_source(const struct args *a, struct buf *out)
{
    if (program_is_builtin(a->p))
        buf_str(out, explain_words(a->s->x, "the builtin"));
    else
        program_describe(a->p, out);
}

/* Adds the part for bytes [k, end) of a word, shown as `what`. row NULL:
 * unknown. */
static void
args_add_option(struct args *a, const struct syntax_word *w, size_t k,
                size_t end, const char *what, const struct page_row *row)
{
    CLEANUP_BUF struct buf source = buf_of(512);
    size_t from, to;

    args_range(a, w, k, end, &from, &to);
    if (row) {
        args_note(a, row, from, to);
        explain_add(
            a->s->x, EXPLAIN_OPTION, from, to, what, "%s",
            *row->field[2]
                ? row->field[2]
                : explain_words(a->s->x, "an option that the page only names"));
        return;
    }
    describe_source(a, &source);
    explain_unknown(explain_add(a->s->x, EXPLAIN_OPTION, from, to, what,
                                "an option not found in %s", source.p));
}

/* Whether a value may be put into a sentence: one short line that does not
 * begin with a sign. */
static bool
reads_as_name(const char *value, size_t n)
{
    return n > 0 && n <= VALUE_SHOWN && *value != '-' && *value != '+' &&
           !memchr(value, '\n', n);
}

/* Cuts an explanation of the value's name off the end: ", where MODE is
 * ...". */
static bool
cut_clause(struct buf *out)
{
    static const char *const begins[] = {", where ", ". If ", "; if ",
                                         ". When "};

    for (size_t i = 0; i < ARRAY_SIZE(begins); i++) {
        size_t n = strlen(begins[i]);

        if (out->len < n || memcmp(out->p + out->len - n, begins[i], n) != 0)
            continue;
        buf_cut(out, out->len - n);
        buf_ch(out, '.');
        return true;
    }
    return false;
}

/* Appends the meaning with the value in place of its name. */
static void
add_meaning(const char *meaning, const char *value, size_t n, struct buf *out)
{
    for (const char *p = meaning; *p; p++) {
        const char *end = *p == PAGE_VALUE_ON ? strchr(p, PAGE_VALUE_OFF)
                                              : NULL;

        if (!end) {
            buf_ch(out, *p);
            continue;
        }
        if (cut_clause(out))
            return;
        buf_add(out, value, n);
        p = end;
    }
}

/* Rewrites the meaning of the last option with its value. */
static void
describe_with_value(struct args *a, const struct page_row *row,
                    const char *option, size_t n, const struct fact_option *o)
{
    CLEANUP_BUF struct buf meaning = buf_of(4096);
    const char *value = a->s->x->line + o->from;
    size_t len = o->to - o->from;

    if (a->s->mapped || len == 0)
        return;
    row = program_option_signed(a->p, row, option, n, *value);
    if (*row->field[1] == *value && !isalnum((unsigned char)*value)) {
        value++; /* the page describes the value without its sign */
        len--;
    }
    if (!*row->field[2] || !reads_as_name(value, len))
        return;
    add_meaning(row->field[2], value, len, &meaning);
    explain_replace_meaning(a->s->x, o->part, &meaning);
}

/* Explains a value that is a signal: timeout -s KILL. */
static bool
describe_signal(struct args *a, size_t from, size_t to,
                const struct page_row *row)
{
    const char *meaning;
    char name[16] = "";

    if (strncasecmp(row->field[1], "sig", 3) != 0 || to - from >= sizeof(name))
        return false;
    memcpy(name, a->s->x->line + from, to - from);
    meaning = explain_signal(name);
    if (meaning)
        explain_add(a->s->x, EXPLAIN_VALUE, from, to, NULL, "this signal: %s",
                    explain_words(a->s->x, meaning));
    return meaning != NULL;
}

/* Adds the part for the value of option[0..n), which the row describes. */
static void
args_add_value(struct args *a, size_t from, size_t to,
               const struct page_row *row, const char *option, size_t n)
{
    struct fact_option *last = a->n_used ? &a->used[a->n_used - 1] : NULL;

    if (last && last->row == row) {
        last->from = from;
        last->to = to;
        describe_with_value(a, row, option, n, last);
    }
    if (describe_signal(a, from, to, row))
        return;
    if (*row->field[1])
        explain_add(a->s->x, EXPLAIN_VALUE, from, to, NULL, "%s, for %.*s",
                    row->field[1], (int)(n < 64 ? n : 64), option);
    else
        explain_add(a->s->x, EXPLAIN_VALUE, from, to, NULL, "the value of %.*s",
                    (int)(n < 64 ? n : 64), option);
}

/* Whether the next word is the value of the option: always for one that needs a
 * value; for an optional one when the program takes a number (make -j 4). */
static bool
args_value_follows(const struct args *a, const char *option, size_t n,
                   enum option_takes takes)
{
    const struct syntax_word *w = args_word(a, a->i + 1);
    const char *t = w ? w->text : "";

    if (takes != TAKES_MAYBE || !args_is_listed(a, "number", option, n))
        return takes == TAKES_VALUE;
    t += *t == '-' || *t == '+';
    return *t && strspn(t, "0123456789") == strlen(t);
}

/* Notes that the last option lacks its value: tar -xzf and nothing more. */
static void
describe_lack(struct args *a, const struct page_row *row)
{
    CLEANUP_BUF struct buf meaning = buf_of(4096);
    const char *text = row->field[2];
    size_t n = strlen(text);

    a->lacks = true;
    if (a->n_used == 0)
        return;
    buf_add(&meaning, text, n > 0 && text[n - 1] == '.' ? n - 1 : n);
    buf_str(&meaning, "; its value is missing here");
    explain_replace_meaning(a->s->x, a->used[a->n_used - 1].part, &meaning);
}

/* Reads the next word as the value of the option. */
static void
args_take_value(struct args *a, const struct page_row *row, const char *option,
                size_t n)
{
    const struct syntax_word *w = args_word(a, a->i + 1);

    if (!w) {
        describe_lack(a, row);
        return;
    }
    a->i++;
    args_add_value(a, a->s->base + w->from, a->s->base + w->to, row, option, n);
    a->ended = a->ended || args_is_listed(a, "ends", option, n);
    if (args_is_listed(a, "shell", option, n) && explain_word_as_line(a->s, w))
        args_take_sentence(a);
}

/* Options without a dash: letters, keywords, words like if=FILE. */

/* Reads letters of ps: rows of the page with one letter. */
static bool
take_bare_letters(struct args *a, const struct syntax_word *w)
{
    const char *t = w->text;
    size_t from, to;

    for (const char *p = t; *p; p++)
        if (!isalpha((unsigned char)*p) || !program_term(a->p, p, 1))
            return false;
    for (size_t k = 0; t[k]; k++) {
        const struct page_row *row = program_term(a->p, t + k, 1);
        char what[2] = {t[k], '\0'};

        args_add_option(a, w, k, k + 1, what, row);
        if (!*row->field[1])
            continue;
        if (t[k + 1]) {
            args_range(a, w, k + 1, strlen(t), &from, &to);
            args_add_value(a, from, to, row, what, 1);
        } else {
            args_take_value(a, row, what, 1);
        }
        break;
    }
    return true;
}

/* Reads letters of tar, "xzf": their values follow in the order of the
 * letters. */
static bool
take_old_cluster(struct args *a, const struct syntax_word *w)
{
    const char *t = w->text;

    for (const char *p = t; *p; p++) {
        char name[3] = {'-', *p, '\0'};
        enum option_takes takes;

        if (!program_option(a->p, name, 2, &takes))
            return false;
    }
    for (size_t k = 0; t[k]; k++) {
        char name[3] = {'-', t[k], '\0'};
        enum option_takes takes = TAKES_NOTHING;
        const struct page_row *row = program_option(a->p, name, 2, &takes);

        args_add_option(a, w, k, k + 1, name + 1, row);
        if (takes == TAKES_VALUE)
            args_take_value(a, row, name + 1, 1);
    }
    return true;
}

bool
explain_letters(struct args *a)
{
    const struct syntax_word *w = a->c->argv[a->i];

    if (!syntax_word_is_literal(w) || !*w->text)
        return false;
    if (a->i == 1 && program_quirk(a->p, "bundle"))
        return take_old_cluster(a, w);
    if (program_quirk(a->p, "letters"))
        return take_bare_letters(a, w);
    return false;
}

bool
explain_keyword(struct args *a)
{
    const struct syntax_word *w = a->c->argv[a->i];
    size_t n = strlen(w->text);
    const struct page_row *ours, *row;

    if (!a->family || !syntax_word_is_literal(w))
        return false;
    ours = page_term(a->family->table, w->text, n);
    row = ours ? ours : program_term(a->p, w->text, n);
    if (!row)
        return false;
    args_add_option(a, w, 0, n, w->text, row);
    if (!ours && *row->field[1])
        args_take_value(a, row, w->text, n);
    return true;
}

bool
explain_term(struct args *a)
{
    const struct syntax_word *w = a->c->argv[a->i];
    const char *t = w->text;
    size_t n = strcspn(t, "="), from, to;
    const struct page_row *row;

    if (t[n] == '=' && n > 0 && (row = program_term(a->p, t, n + 1))) {
        args_add_option(a, w, 0, n + 1, NULL, row);
        args_range(a, w, n + 1, strlen(t), &from, &to);
        if (t[n + 1])
            args_add_value(a, from, to, row, t, n);
        return true;
    }
    /* ( and ! of find, the operators of test */
    if (*t && !isalnum((unsigned char)*t) &&
        (row = program_term(a->p, t, strlen(t)))) {
        explain_add_word(a->s, w, EXPLAIN_OPERATOR, "%s", row->field[2]);
        args_note(a, row, a->s->base + w->from, a->s->base + w->to);
        return true;
    }
    return false;
}

/* Options with a dash. */

/* The number of long names with one dash from which the program is one that has
 * them; and the number of letters of a long name. */
#define WORDS_MIN 3

/* Explains a command up to its end mark: find -exec COMMAND ... ; or + */
static void
take_command(struct args *a)
{
    size_t from = a->i + 1, to = from;
    struct explain_command inner = {.s = a->s};
    const struct syntax_word *end;

    while (to < a->c->n && strcmp(a->c->argv[to]->text, ";") != 0 &&
           !(strcmp(a->c->argv[to]->text, "+") == 0 && to > from &&
             strcmp(a->c->argv[to - 1]->text, "{}") == 0))
        to++;
    inner.argv = a->c->argv + from;
    inner.n = to - from;
    a->s->x->depth++;
    if (inner.n > 0)
        a->inner = explain_call(&inner);
    a->s->x->depth--;
    end = args_word(a, to);
    if (end)
        explain_add_word(
            a->s, end, EXPLAIN_OPERATOR,
            end->text[0] == '+'
                ? N_("ends the command, which gets many names at once")
                : N_("ends the command"));
    a->i = to;
}

/* Finds a family of options: "--force-all" is "--force-THINGS" in the page,
 * "--no-x" is "--no-OPTION". */
static const struct page_row *
find_family(const struct args *a, const char *t, size_t n)
{
    static const char no[] = "--no-OPTION";
    const struct page_row *row = NULL;
    enum option_takes takes;

    while (!row && --n > 3)
        if (t[n - 1] == '-')
            row = program_option(a->p, t, n, &takes);
    if (!row && strncmp(t, "--no-", 5) == 0)
        row = program_option(a->p, no, sizeof(no) - 1, &takes);
    return row;
}

/* Explains an option that bash itself does not have, but one of its
 * builtins. */
static bool
take_of_builtin(struct args *a, const struct syntax_word *w)
{
    const struct page_row *row = NULL;
    const char *builtin = "";
    size_t n = strlen(w->text), from, to;

    if (a->p->page && strcmp(a->p->page->name, "bash") == 0)
        row = page_builtin_option(a->p->page, w->text, n, &builtin);
    if (!row || !*row->field[2])
        return false;
    args_range(a, w, 0, n, &from, &to);
    explain_add(a->s->x, EXPLAIN_OPTION, from, to, NULL,
                "of bash's %s, not of bash itself: %s", builtin, row->field[2]);
    return true;
}

/* Explains an option that a builtin does not have, but the program of its name:
 * kill --list, test --help. */
static bool
take_of_program(struct args *a, const struct syntax_word *w)
{
    const struct page_row *row = NULL;
    const struct known_program *other;
    size_t n = strcspn(w->text, "="), from, to;
    enum option_takes takes;
    char path[64];

    if (!program_is_builtin(a->p))
        return take_of_builtin(a, w);
    if (snprintf(path, sizeof(path), "/bin/%s", a->p->name) >=
        (int)sizeof(path))
        return false;
    other = knowledge_get(&a->s->x->known, path);
    if (other && other->page)
        row = page_option(other->page, w->text, n, &takes);
    if (!row || !*row->field[2])
        return false;
    args_range(a, w, 0, strlen(w->text), &from, &to);
    explain_add(a->s->x, EXPLAIN_OPTION, from, to, NULL,
                "of the program %s, which the builtin of this name hides: %s",
                path, row->field[2]);
    return true;
}

static void
take_long(struct args *a, const struct syntax_word *w)
{
    const char *t = w->text;
    size_t n = strcspn(t, "="), from, to;
    enum option_takes takes = TAKES_NOTHING;
    const struct page_row *row = program_option(a->p, t, n, &takes);
    char what[128];

    if (!row)
        row = program_option_prefix(a->p, t, n, &takes);
    if (!row)
        row = find_family(a, t, n);
    if (!row && take_of_program(a, w))
        return;
    snprintf(what, sizeof(what), "%.*s", (int)n, t);
    args_add_option(a, w, 0, n + (t[n] == '='), what, row);
    if (t[n] == '=' && row) {
        args_range(a, w, n + 1, strlen(t), &from, &to);
        args_add_value(a, from, to, row, t, n);
    } else if (row && args_value_follows(a, t, n, takes)) {
        args_take_value(a, row, t, n);
    }
}

/* Whether the next test follows and no value: "-not expr" of find. */
static bool
is_before_test(const struct page_row *row)
{
    return strncmp(row->field[1], "expr", 4) == 0;
}

/* Reads a word with one dash as one option: -name, -9, -std=c99. Returns false
 * when there is no such option. */
static bool
take_whole(struct args *a, const struct syntax_word *w)
{
    const char *t = w->text;
    size_t n = strlen(t), cut = strcspn(t, "=");
    enum option_takes takes = TAKES_NOTHING;
    const struct page_row *row = program_option(a->p, t, n, &takes);
    char what[128];
    size_t from, to;

    if (row) {
        args_add_option(a, w, 0, n, t, row);
        if (args_is_listed(a, "until", t, n))
            take_command(a);
        else if (!is_before_test(row) && args_value_follows(a, t, n, takes))
            args_take_value(a, row, t, n);
        return true;
    }
    row = cut < n && cut > 2 ? program_option(a->p, t, cut, &takes) : NULL;
    if (!row)
        return false;
    snprintf(what, sizeof(what), "%.*s", (int)cut, t);
    args_add_option(a, w, 0, cut + 1, what, row);
    args_range(a, w, cut + 1, n, &from, &to);
    args_add_value(a, from, to, row, t, cut);
    return true;
}

/* Makes the end of the word the value of its option: the 20 of -20. */
static void
args_note_value(struct args *a, const struct syntax_word *w, size_t k)
{
    struct fact_option *last = a->n_used ? &a->used[a->n_used - 1] : NULL;

    if (last)
        args_range(a, w, k, strlen(w->text), &last->from, &last->to);
}

/* Reads -20 when the program takes any number behind a dash. */
static bool
take_dash_number(struct args *a, const struct syntax_word *w)
{
    static const char *const forms[] = {"-NUM", "-#"};
    const char *t = w->text;
    enum option_takes takes;

    if (strspn(t + 1, "0123456789") != strlen(t + 1))
        return false;
    for (size_t i = 0; i < 2; i++) {
        const struct page_row *row = program_option(a->p, forms[i],
                                                    strlen(forms[i]), &takes);

        if (row) {
            args_add_option(a, w, 0, strlen(t), t, row);
            args_note_value(a, w, 1);
            return true;
        }
    }
    return false;
}

/* Reads kill -USR1 when the program takes names of signals. */
static bool
take_signal(struct args *a, const struct syntax_word *w)
{
    static const char form[] = "-SIGNAL";
    const char *t = w->text;
    enum option_takes takes;
    const struct page_row *row;

    if (!program_quirk(a->p, "signals") || strlen(t) < 3 ||
        strspn(t + 1, "ABCDEFGHIJKLMNOPQRSTUVWXYZ012+-") != strlen(t + 1))
        return false;
    row = program_option(a->p, form, sizeof(form) - 1, &takes);
    if (!row)
        return false;
    args_add_option(a, w, 0, strlen(t), t, row);
    args_note_value(a, w, 1);
    return true;
}

/* Whether every letter up to the first one with a value is an option. */
static bool
is_cluster(const struct args *a, const char *letters, char dash)
{
    for (const char *p = letters; *p; p++) {
        char name[3] = {dash, *p, '\0'};
        enum option_takes takes = TAKES_NOTHING;

        if (!program_option(a->p, name, 2, &takes))
            return false;
        if (takes != TAKES_NOTHING)
            return true;
    }
    return true;
}

/* Whether a page has options of several letters behind one dash: -name. */
static bool
has_long_single_dash(const struct page *page)
{
    size_t n = 0;

    for (size_t i = 0; page && i < page->n && n < WORDS_MIN; i++) {
        const char *t = page->rows[i].field[0];

        n += page->rows[i].kind == 'O' && t[0] == '-' &&
             islower((unsigned char)t[1]) && islower((unsigned char)t[2]) &&
             islower((unsigned char)t[3]);
    }
    return n == WORDS_MIN;
}

/* Whether all letters but one are options, and the word is no unknown long
 * name. */
static bool
is_slip(const struct args *a, const char *letters, char dash)
{
    size_t known = 0;

    for (const char *p = letters; *p; p++) {
        char name[3] = {dash, *p, '\0'};
        enum option_takes takes;

        known += program_option(a->p, name, 2, &takes) != NULL;
    }
    return known > 0 && known + 1 >= strlen(letters) &&
           (strlen(letters) < WORDS_MIN ||
            (!has_long_single_dash(a->p->page) &&
             !has_long_single_dash(a->p->table)));
}

/* Reads each letter as an option: -xzvf FILE, -n5. */
static void
take_cluster(struct args *a, const struct syntax_word *w)
{
    const char *t = w->text;
    size_t from, to;

    for (size_t k = 1; t[k]; k++) {
        char name[3] = {t[0], t[k], '\0'};
        enum option_takes takes = TAKES_NOTHING;
        const struct page_row *row = program_option(a->p, name, 2, &takes);

        args_add_option(a, w, k == 1 ? 0 : k, k + 1, name, row);
        if (!row || takes == TAKES_NOTHING)
            continue;
        if (t[k + 1]) {
            args_range(a, w, k + 1, strlen(t), &from, &to);
            args_add_value(a, from, to, row, name, 2);
        } else if (args_value_follows(a, name, 2, takes)) {
            args_take_value(a, row, name, 2);
        }
        return;
    }
}

/* Whether a value may be attached to an option of n bytes. Behind a long name
 * another letter would be another option: "-namefoo". */
static bool
may_be_glued(const char *word, size_t n)
{
    return n == 2 || !isalpha((unsigned char)word[n]);
}

/* Reads the longest option that the word begins with: -O3, -Xmx512m. */
static bool
take_beginning(struct args *a, const struct syntax_word *w)
{
    const char *t = w->text;
    size_t from, to;

    for (size_t n = strlen(t) - 1; n > 1; n--) {
        enum option_takes takes = TAKES_NOTHING;
        const struct page_row *row = program_option(a->p, t, n, &takes);
        char what[64];

        if (!row || takes == TAKES_NOTHING || !may_be_glued(t, n))
            continue;
        snprintf(what, sizeof(what), "%.*s", (int)n, t);
        args_add_option(a, w, 0, n, what, row);
        args_range(a, w, n, strlen(t), &from, &to);
        args_add_value(a, from, to, row, t, n);
        return true;
    }
    return false;
}

bool
explain_is_text(const struct args *a, const struct syntax_word *w)
{
    return program_quirk(a->p, "text") && w->text[1] != '\0' &&
           !is_cluster(a, w->text + 1, w->text[0]);
}

void
explain_option(struct args *a)
{
    const struct syntax_word *w = a->c->argv[a->i];
    const char *t = w->text;

    if (t[1] == '-' && t[0] == '-') {
        take_long(a, w);
        return;
    }
    if (take_whole(a, w) || take_dash_number(a, w) || take_signal(a, w))
        return;
    if (is_cluster(a, t + 1, t[0]))
        take_cluster(a, w);
    else if (take_beginning(a, w))
        return;
    else if (is_slip(a, t + 1, t[0]))
        take_cluster(a, w);
    else if (!take_of_program(a, w))
        args_add_option(a, w, 0, strlen(t), t, NULL);
}
