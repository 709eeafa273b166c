/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain_template.c - fills the sentences of manual/tables/ for a command.
 *
 * tables/README describes their language: conditions, groups in [ ] and gaps
 * in { }. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/message.h"
#include "base/path.h"
#include "offline/explain/explain_language.h"
#include "offline/explain/explain_phrase.h"

#define SHOWN_MAX 48 /* bytes of a word in a sentence */

/* Appends bytes [from, to) of the line without the quotes around them. */
static void
add_written(const struct explainer *x, size_t from, size_t to, struct buf *out)
{
    const char *p = x->line + from;
    size_t n = to - from;

    if (n >= 2 && (*p == '\'' || *p == '"') && p[n - 1] == *p &&
        !memchr(p + 1, *p, n - 2)) {
        p++;
        n -= 2;
    }
    if (n > SHOWN_MAX)
        buf_printf(out, "%.*s\342\200\246", SHOWN_MAX, p);
    else
        buf_add(out, p, n);
}

void
phrase_word(const struct explainer *x, size_t base, const struct syntax_word *w,
            struct buf *out)
{
    if (syntax_word_is_literal(w) && w->len <= SHOWN_MAX && w->len > 0)
        buf_str(out, w->text);
    else
        add_written(x, base + w->from, base + w->to, out);
}

static void
add_operand(struct phrase_context *s, size_t i, struct buf *out)
{
    const struct syntax_word *w = s->f->operands[i];

    if (s->f->p && program_quirk(s->f->p, "groups") &&
        value_signal_group(s->x, w->text, out))
        return;
    if (s->each && strcmp(w->text, s->mark ? s->mark : "{}") == 0) {
        buf_str(out, s->mark && s->each->many ? "each of " : "");
        phrase_thing(s->each, out);
        s->each_used = true;
    } else {
        phrase_word(s->x, s->f->base, w, out);
    }
}

/* Removes "the containers " from the end when "the containers" follows. */
static void
cut_article(const struct phrase *things, struct buf *out)
{
    size_t n = things->noun.len + 5; /* "the " and a blank */

    if (things->many && out->len >= n && out->p[out->len - 1] == ' ' &&
        memcmp(out->p + out->len - n, "the ", 4) == 0 &&
        memcmp(out->p + out->len - n + 4, things->noun.p, n - 5) == 0)
        buf_cut(out, out->len - n);
}

/* Appends operands [from, to): "a", "a and b", "a, b and c", "a, b and 7
 * more". */
static void
add_operand_list(struct phrase_context *s, size_t from, size_t to,
                 struct buf *out)
{
    for (size_t i = from; i < to; i++) {
        size_t k = i - from, n = to - from;

        if (k > 0)
            buf_str(out,
                    k + 1 == n || k == 2 ? explain_words(s->x, " and ") : ", ");
        if (k == 2 && n > 3) {
            buf_printf(out, explain_words(s->x, "%zu more"), n - 2);
            break;
        }
        add_operand(s, i, out);
    }
    if (!s->append || !s->each || s->each_used)
        return;
    buf_str(out, to > from ? " and " : "");
    cut_article(s->each, out);
    phrase_thing(s->each, out);
    s->each_used = true;
}

/* Appends a word in the named form: a sed or awk program, a time, a size. */
static bool
fill_form(const struct explainer *x, const char *text, const char *form,
          struct buf *out)
{
    return (!x->out->person && script_part(form, text, out)) ||
           value_render(x, form, text, out);
}

/* Fills a gap with operands: {*}, {1}, {2*}, {$}, {-$}. Returns false when
 * there are none. */
static bool
fill_operand(struct phrase_context *s, const char *name, struct buf *out)
{
    size_t n = s->f->n_operands, from, to = n, before = out->len;

    if (strcmp(name, "$") == 0 || strcmp(name, "-$") == 0) {
        from = *name == '$' && n > 0 ? n - 1 : 0;
        to = *name == '$' || n == 0 ? n : n - 1;
    } else {
        from = *name == '*' ? 0 : (size_t)(*name - '1');
        if (*name != '*' && name[1] != '*')
            to = from + 1 < n ? from + 1 : n;
        else if (from > n)
            from = n;
    }
    if (from >= to && !(s->append && s->each && !s->each_used))
        return false;
    if (strchr(name, ':') && from < to)
        return fill_form(s->x, s->f->operands[from]->text,
                         strchr(name, ':') + 1, out);
    add_operand_list(s, from < to ? from : to, to, out);
    return out->len > before || s->each_used;
}

/* Fills a gap with the value of an option, in a form if one is named:
 * -mtime:days. */
static bool
fill_value(struct phrase_context *s, const struct fact_option *o,
           const char *form, struct buf *out)
{
    CLEANUP_BUF struct buf value = buf_of(PHRASE_PART_MAX);

    if (!o || o->to <= o->from)
        return false;
    add_written(s->x, o->from, o->to, &value);
    if (form && strcmp(form, ":key") == 0)
        value_key_of_format(value.p, s->out);
    else if (form)
        return fill_form(s->x, value.p, form + 1, out);
    else
        buf_str(out, value.p);
    return form || value.len > 0;
}

static bool
fill_option(struct phrase_context *s, const char *name, struct buf *out)
{
    const char *form = strchr(name, ':');
    size_t n = form ? (size_t)(form - name) : strlen(name);

    return fill_value(s, fact_option(s->f, name, n), form, out);
}

/* Fills {script} with what the scripts of sed do: each -e, or the first
 * operand. */
static bool
fill_script(struct phrase_context *s, struct buf *out)
{
    CLEANUP_BUF struct buf text = buf_of(PHRASE_PART_MAX);

    if (s->x->out->person) /* what sed does is said in English alone */
        return false;
    for (size_t i = 0; i < s->f->n_options; i++) {
        const struct fact_option *o = &s->f->options[i];

        if (!page_row_names(o->row, "-e", 2) || o->to - o->from > SHOWN_MAX)
            continue;
        add_written(s->x, o->from, o->to, &text);
        buf_ch(&text, '\n');
    }
    if (!fact_option(s->f, "-e", 2) && s->f->n_operands > 0)
        buf_str(&text, s->f->operands[0]->text);
    return !text.bad && !fact_option(s->f, "-f", 2) &&
           sed_render(text.p, fact_option(s->f, "-n", 2) != NULL, out);
}

/* Fills {cmd} with the phrase of the command that this one runs. */
static void
describe_inner(struct phrase_context *s, struct buf *out)
{
    struct phrase made;
    struct phrase_context inner = *s;

    if (s->f->sentence) {
        buf_str(out, s->f->sentence);
        return;
    }
    if (!s->f->inner)
        return;
    phrase_init(&made);
    inner.f = s->f->inner;
    inner.out = &made;
    inner.each_used = false;
    phrase_of_call(&inner);
    s->in_used = s->in_used || inner.in_used;
    if (s->x->out->person)
        phrase_write_plain(s->x, &made, out);
    else
        phrase_write(&made, out);
    if (s->each && !inner.each_used) {
        buf_str(out, ", once for each of ");
        phrase_thing(s->each, out);
    }
    s->each_used = true;
    phrase_done(&made);
}

/* What a command works on: its input, or what {} stands for. */
static const struct phrase *
things_of(struct phrase_context *s)
{
    if (s->each)
        s->each_used = true;
    else
        s->in_used = true;
    return s->each ? s->each : s->in;
}

static void
describe_noun(struct phrase_context *s, struct buf *out)
{
    const struct phrase *t = things_of(s);

    if (t)
        buf_str(out, t->many ? t->noun.p : explain_words(s->x, "lines"));
}

/* Fills {rest}, " below .", which may be empty. Returns false when there is no
 * input. */
static bool
describe_rest(struct phrase_context *s, struct buf *out)
{
    const struct phrase *t = things_of(s);

    if (t && t->many && !s->each && t->tail.len > 0)
        buf_printf(out, "%s%s,", t->rest.p, t->tail.p);
    else if (t && t->many)
        buf_str(out, t->rest.p);
    else if (t)
        buf_printf(out, explain_words(s->x, " of %s"), t->noun.p);
    return t != NULL;
}

/* The HUP of kill -HUP. */
static void
add_first_option(const struct phrase_context *s, struct buf *out)
{
    const struct fact_option *o = &s->f->options[0];
    const char *p = s->x->line + o->at;
    size_t n = o->end - o->at, dashes = strspn(p, "-");

    if (o->to > o->from && *p != '-')
        return;
    if (o->to > o->from && dashes == 1 && n == 2) /* -s HUP */
        add_written(s->x, o->from, o->to, out);
    else if (n > dashes)
        buf_add(out, p + dashes, n - dashes);
}

/* Appends the input: "the lines of a, sorted,". */
static void
add_input(const struct explainer *x, const struct phrase *in, bool lines,
          struct buf *out)
{
    if (x->out->person)
        buf_printf(out, lines ? explain_words(x, "the lines of %s") : "%s",
                   in->noun.p);
    else if (lines)
        phrase_lines(in, out);
    else
        phrase_thing(in, out);
    if (in->many && in->tail.len > 0)
        buf_printf(out, "%s,", in->tail.p);
}

static bool
fill_one(struct phrase_context *s, const char *name, struct buf *out)
{
    size_t before = out->len;

    s->in_used = s->in_used || !strcmp(name, "in") || !strcmp(name, "lines");
    if (*name == '=')
        buf_str(out, name + 1); /* the text for an empty gap */
    else if (strcmp(name, "v") == 0)
        buf_str(out, s->in && s->in->many ? s->in->verb.p
                                          : explain_words(s->x, "shows"));
    else if (strcmp(name, "in") == 0 && s->in)
        add_input(s->x, s->in, false, out);
    else if (strcmp(name, "lines") == 0 && s->in)
        add_input(s->x, s->in, true, out);
    else if (strcmp(name, "noun") == 0)
        describe_noun(s, out);
    else if (strcmp(name, "rest") == 0)
        return describe_rest(s, out);
    else if (strcmp(name, "option") == 0 && s->f->n_options > 0)
        add_first_option(s, out);
    else if (strcmp(name, "cmd") == 0)
        describe_inner(s, out);
    else if (strncmp(name, "value", 5) == 0)
        return fill_value(s, s->option, strchr(name, ':'), out);
    else if (strcmp(name, "script") == 0)
        return fill_script(s, out);
    else if (strcmp(name, "before") == 0)
        add_operand_list(s, 0, s->f->n_before, out);
    else if (strcmp(name, "behind") == 0)
        add_operand_list(s, s->f->n_before, s->f->n_operands, out);
    else if (*name == '-' && name[1] != '$')
        return fill_option(s, name, out);
    else if (strchr("*$-", *name) || isdigit((unsigned char)*name))
        return fill_operand(s, name, out);
    else
        return fill_option(s, name, out); /* dd's if= */
    return out->len > before || *name == '=';
}

bool
template_fill(struct phrase_context *s, const char *p, size_t n,
              struct buf *out)
{
    char names[64], *save = NULL;

    if (n >= sizeof(names))
        return false;
    memcpy(names, p, n);
    names[n] = '\0';
    for (char *name = strtok_r(names, "|", &save); name;
         name = strtok_r(NULL, "|", &save))
        if (fill_one(s, name, out))
            return true;
    return false;
}

/* Conditions, groups and sentences. */

/* Condition "-o~remount": whether the value is a list with that word. */
static bool
option_value_has(const struct phrase_context *s, const char *p, size_t n,
                 const char *word)
{
    const struct fact_option *o = fact_option(s->f, p, (size_t)(word - p));
    size_t len = n - (size_t)(word + 1 - p);
    const char *list = o ? s->x->line + o->from : NULL;
    const char *end = o ? s->x->line + o->to : NULL;

    while (list && list < end) {
        const char *comma = memchr(list, ',', (size_t)(end - list));
        const char *stop = comma ? comma : end;

        if ((size_t)(stop - list) == len && memcmp(list, word + 1, len) == 0)
            return true;
        list = stop + 1;
    }
    return false;
}

/* Condition "2^:": whether the second operand begins with a colon and is
 * longer. */
static bool
operand_begins(const struct phrase_context *s, size_t i, char first)
{
    const char *text = i < s->f->n_operands ? s->f->operands[i]->text : "";

    return *text == first && text[1];
}

/* Condition "1.": whether the first operand is an existing file, or a name with
 * an extension. git guesses too whether a word without -- is a commit or a
 * file. */
static bool
names_file(const struct phrase_context *s)
{
    const char *text = s->f->n_operands > 0 ? s->f->operands[0]->text : "";
    const char *dot = strrchr(path_base(text), '.');

    if (!*text || strstr(text, ".."))
        return false;
    return seat_has(s->x->known.seat, text) ||
           (dot && dot > path_base(text) && isalpha((unsigned char)dot[1]));
}

/* Whether one condition holds; tables/README lists them. */
static bool
is_so(const struct phrase_context *s, const char *p, size_t n)
{
    const char *equals = memchr(p, '=', n);
    size_t len = equals && equals > p ? (size_t)(equals - p) : n;
    const struct fact_option *o;
    const char *word;

    if (n == 1 && *p == '|')
        return s->in != NULL;
    if (n == 1 && *p == '~') /* a pattern for names */
        return s->f->n_operands > 0 &&
               s->f->operands[0]->flags & SYNTAX_PATTERN;
    if (n == 2 && *p == '{')
        return s->each != NULL;
    if (n == 1 && *p == '*')
        return s->f->n_operands > 0 || s->append;
    if (n == 2 && *p == '*' && isdigit((unsigned char)p[1]))
        return s->f->n_operands + s->append >= (size_t)(p[1] - '0');
    if (n == 2 && isdigit((unsigned char)*p) && p[1] == '-')
        return s->f->n_before >= (size_t)(*p - '0');
    if (n == 2 && memcmp(p, "1.", 2) == 0)
        return names_file(s);
    if (n > 2 && p[1] == '^') /* the first letter of an operand */
        return operand_begins(s, (size_t)(*p - '1'), p[2]);
    if (n > 2 && *p == '-' && (word = memchr(p, '~', n)))
        return option_value_has(s, p, n, word);
    o = fact_option(s->f, p, n);
    if (o || len == n)
        return o != NULL;
    o = fact_option(s->f, p, len);
    return o && o->to - o->from == n - len - 1 &&
           memcmp(s->x->line + o->from, equals + 1, n - len - 1) == 0;
}

/* "|&-d": both. */
static bool
are_so(const struct phrase_context *s, const char *p, size_t n)
{
    const char *joint = n > 1 && *p != '&' ? memchr(p, '&', n) : NULL;

    if (!joint)
        return is_so(s, p, n);
    return is_so(s, p, (size_t)(joint - p)) &&
           is_so(s, joint + 1, n - (size_t)(joint + 1 - p));
}

/* Whether all conditions hold: of "+-c +-x" one must, of "!-v" none may. */
static bool
condition_holds(const struct phrase_context *s, const char *p)
{
    bool wants = false, found = false;

    while (*p) {
        size_t n = strcspn(p, " ");
        bool so = n > 1 && are_so(s, p + 1, n - 1);

        if (*p == '!' && so)
            return false;
        wants = wants || *p == '+';
        found = found || (*p == '+' && so);
        p += n;
        p += strspn(p, " ");
    }
    return found || !wants;
}

static void expand_template(struct phrase_context *s, const char *p,
                            const char *end, struct buf *out, bool *filled);

/* Expands a group: [... {x} ...] is dropped when the gap is empty; [-r? ...] is
 * used only with -r. */
static const char *
expand_group(struct phrase_context *s, const char *p, const char *end,
             struct buf *out)
{
    const char *close = p, *mark;
    size_t before = out->len;
    bool filled = true;

    while (close < end && *close != ']')
        close++;
    mark = memchr(p, '?', (size_t)(close - p));
    if (mark) {
        bool no = *p == '!' && mark - p > 1;

        if (is_so(s, p + no, (size_t)(mark - p) - no) == no)
            return close + (close < end);
        p = mark + 1;
    }
    expand_template(s, p, close, out, &filled);
    if (!filled)
        buf_cut(out, before);
    return close + (close < end);
}

static void
expand_template(struct phrase_context *s, const char *p, const char *end,
                struct buf *out, bool *filled)
{
    while (p < end) {
        const char *close = *p == '{' ? memchr(p, '}', (size_t)(end - p))
                                      : NULL;

        if (close) {
            if (!template_fill(s, p + 1, (size_t)(close - p - 1), out))
                *filled = false;
            p = close + 1;
        } else if (*p == '[') {
            p = expand_group(s, p + 1, end, out);
        } else if (*p == '\\' && p + 1 < end) {
            buf_ch(out, p[1]);
            p += 2;
        } else {
            buf_ch(out, *p++);
        }
    }
}

bool
template_text(struct phrase_context *s, const char *conditions,
              const char *form, struct buf *out)
{
    bool filled = true;

    if (!condition_holds(s, conditions))
        return false;
    expand_template(s, form, form + strlen(form), out, &filled);
    return filled;
}

/* Reads what a sentence says about its output: "#1size", a column to sort by;
 * "^newest", its order. */
static const char *
read_marks(const char *p, struct phrase *out)
{
    static const char *const keys[] = {"",      "size", "time",
                                       "count", "cpu",  "memory"};

    while (p && *p == '#') {
        size_t n = strcspn(p, " ");
        long column = strtol(p + 1, NULL, 10);

        for (size_t i = 1; i < ARRAY_SIZE(keys); i++)
            if (column > 0 && column < PHRASE_COLUMNS && n > 2 &&
                strncmp(p + 1 + strspn(p + 1, "0123456789"), keys[i],
                        strlen(keys[i])) == 0)
                out->columns[column] = (enum phrase_key)i;
        p += n;
        p += strspn(p, " ");
    }
    return p;
}

/* Moves the order that a sentence states, "^newest", from the tail to
 * out->order. */
static void
take_order(struct phrase *out)
{
    static const char *const words[] = {N_("largest"), N_("smallest"),
                                        N_("newest"), N_("oldest"),
                                        N_("busiest")};
    char *mark = strrchr(out->tail.p, '^');

    for (size_t i = 0; mark && i < ARRAY_SIZE(words); i++)
        if (strcmp(mark + 1, words[i]) == 0)
            out->order = words[i];
    if (out->order)
        buf_cut(&out->tail, (size_t)(mark - out->tail.p));
}

/* Writes "as root: {cmd}": the phrase of the inner command with that text
 * before it, so that a pipeline goes on with its output. */
static bool
describe_prefixed(struct phrase_context *s, const char *form, size_t n)
{
    CLEANUP_BUF struct buf verb = buf_of(PHRASE_PART_MAX);
    struct phrase_context inner = *s;
    bool filled = true;

    expand_template(s, form, form + n, &verb, &filled);
    if (!filled)
        return false;
    inner.f = s->f->inner;
    phrase_of_call(&inner);
    s->each_used = s->each_used || inner.each_used;
    s->in_used = s->in_used || inner.in_used;
    buf_str(&verb, s->out->verb.p);
    buf_clear(&s->out->verb);
    buf_str(&s->out->verb, verb.p);
    return true;
}

/* Removes the comma behind the input, where the sentence ends or another comma
 * follows. */
static void
cut_comma(struct buf *b, bool at_end)
{
    if (at_end && b->len > 0 && b->p[b->len - 1] == ',')
        buf_cut(b, b->len - 1);
}

/* Reads a sentence: verb <noun/rest> tail; <=text> is one thing, not a
 * plural. */
static bool
describe_form(struct phrase_context *s, const char *form)
{
    const char *open = strchr(form, '<'), *bar, *close;
    struct phrase *out = s->out;
    size_t end;
    bool filled = true;

    form = read_marks(form, out);
    end = strlen(form);
    if (s->f->inner && end >= 5 && strcmp(form + end - 5, "{cmd}") == 0)
        return describe_prefixed(s, form, end - 5);
    open = strchr(form, '<');
    close = open ? strchr(open, '>') : NULL;
    if (!close) {
        expand_template(s, form, form + strlen(form), &out->verb, &filled);
        cut_comma(&out->verb, true);
        return filled;
    }
    expand_template(s, form, open, &out->verb, &filled);
    while (out->verb.len > 0 && out->verb.p[out->verb.len - 1] == ' ')
        buf_cut(&out->verb, out->verb.len - 1);
    out->many = open[1] != '=';
    bar = memchr(open, '/', (size_t)(close - open));
    bar = bar ? bar : close;
    expand_template(s, open + (out->many ? 1 : 2), bar, &out->noun, &filled);
    if (bar < close)
        expand_template(s, bar + 1, close, &out->rest, &filled);
    expand_template(s, close + 1, close + strlen(close), &out->tail, &filled);
    cut_comma(out->rest.len > 0 ? &out->rest : &out->noun,
              out->tail.len == 0 || *out->tail.p == ',');
    take_order(out);
    return filled;
}

static bool
describe_row(struct phrase_context *s, const struct page_row *row)
{
    if (row->kind != 'D' || !condition_holds(s, row->field[1]))
        return false;
    if (describe_form(s, row->field[0]))
        return true;
    phrase_done(s->out);
    phrase_init(s->out);
    return false;
}

bool
template_render(struct phrase_context *s)
{
    const struct page *t = s->f->table;

    for (size_t i = 0; t && i < t->n; i++)
        if (describe_row(s, &t->rows[i]))
            return true;
    return false;
}

/* Options whose table has a sentence with their value. */

/* Whether the row, "-f" or "-f=-", is about the option with its value. */
static bool
is_about(const struct explainer *x, const struct page_row *row,
         const struct fact_option *o)
{
    const char *name = row->field[0], *value = strchr(name + 1, '=');
    size_t n = value ? (size_t)(value - name) : strlen(name);

    if (o->to <= o->from || !page_row_names(o->row, name, n))
        return false;
    return !value || (strlen(value + 1) == o->to - o->from &&
                      !memcmp(value + 1, x->line + o->from, o->to - o->from));
}

static void
describe_option(struct explainer *x, const struct fact *f,
                const struct fact_option *o)
{
    struct phrase none;
    struct phrase_context s = {.x = x, .f = f, .option = o, .out = &none};
    bool described = false;

    phrase_init(&none);
    for (size_t i = 0; !described && i < f->table->n; i++) {
        const struct page_row *row = &f->table->rows[i];
        CLEANUP_BUF struct buf meaning = buf_of(PHRASE_PART_MAX);

        described = row->kind == 'V' && is_about(x, row, o) &&
                    template_text(&s, row->field[1], row->field[2], &meaning);
        if (described)
            explain_replace_meaning(x, o->part, &meaning);
    }
    phrase_done(&none);
}

void
explain_precise(struct explainer *x, const struct fact *f)
{
    for (size_t i = 0; f && f->table && i < f->n_options; i++)
        if (f->options[i].row->kind == 'O')
            describe_option(x, f, &f->options[i]);
}

bool
script_part(const char *form, const char *text, struct buf *out)
{
    return sed_part(form, text, out) || awk_part(form, text, out);
}

bool
script_meaning(const char *language, const char *text, bool quiet,
               struct buf *out)
{
    if (strcmp(language, "awk") == 0)
        return awk_meaning(text, out);
    return strcmp(language, "sed") == 0 && sed_meaning(text, quiet, out);
}
