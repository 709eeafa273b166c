/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain_template.c - sentences of our tables: their conditions and groups. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/path.h"
#include "offline/explain/explain_phrase.h"

/* "-o~remount": the value is a list with this word in it. */
static bool
lists_word(const struct sayer *s, const char *p, size_t n, const char *word)
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

/* "2^:": the second operand begins with a colon, and goes on. */
static bool
operand_begins(const struct sayer *s, size_t i, char first)
{
    const char *text = i < s->f->n_operands ? s->f->operands[i]->text : "";

    return *text == first && text[1];
}

/* "1.": a file that is there, or a name with an ending: git does not ask
 * whether the word before -- is a commit or a file either. */
static bool
names_file(const struct sayer *s)
{
    const char *text = s->f->n_operands > 0 ? s->f->operands[0]->text : "";
    const char *dot = strrchr(path_base(text), '.');

    if (!*text || strstr(text, ".."))
        return false;
    return access(text, F_OK) == 0 ||
           (dot && dot > path_base(text) && isalpha((unsigned char)dot[1]));
}

/* Whether the call is so: tables/README has the conditions. */
static bool
is_so(const struct sayer *s, const char *p, size_t n)
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
    if (n > 2 && p[1] == '^') /* an operand's first letter */
        return operand_begins(s, (size_t)(*p - '1'), p[2]);
    if (n > 2 && *p == '-' && (word = memchr(p, '~', n)))
        return lists_word(s, p, n, word);
    o = fact_option(s->f, p, n);
    if (o || len == n)
        return o != NULL;
    o = fact_option(s->f, p, len);
    return o && o->to - o->from == n - len - 1 &&
           memcmp(s->x->line + o->from, equals + 1, n - len - 1) == 0;
}

/* "|&-d": both. */
static bool
are_so(const struct sayer *s, const char *p, size_t n)
{
    const char *joint = n > 1 && *p != '&' ? memchr(p, '&', n) : NULL;

    if (!joint)
        return is_so(s, p, n);
    return is_so(s, p, (size_t)(joint - p)) &&
           is_so(s, joint + 1, n - (size_t)(joint + 1 - p));
}

/* "+-c +-x" one of them; "!-v" none; as the conditions of operands. */
static bool
holds(const struct sayer *s, const char *p)
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

static void expand(struct sayer *s, const char *p, const char *end,
                   struct buf *out, bool *filled);

/* [… {x} …]: nothing where x is nothing; [-r? …]: only with -r. */
static const char *
expand_group(struct sayer *s, const char *p, const char *end, struct buf *out)
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
    expand(s, p, close, out, &filled);
    if (!filled)
        buf_cut(out, before);
    return close + (close < end);
}

static void
expand(struct sayer *s, const char *p, const char *end, struct buf *out,
       bool *filled)
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
template_text(struct sayer *s, const char *conditions, const char *form,
              struct buf *out)
{
    bool filled = true;

    if (!holds(s, conditions))
        return false;
    expand(s, form, form + strlen(form), out, &filled);
    return filled;
}

/* "#1size": a column that one may sort by; "^newest": the order. */
static const char *
read_marks(const char *p, struct phrase *out)
{
    static const char *const keys[] = {"",      "size", "time",
                                       "count", "cpu",  "memory"};

    while (p && *p == '#') {
        size_t n = strcspn(p, " ");
        long column = strtol(p + 1, NULL, 10);

        for (size_t i = 1; i < sizeof(keys) / sizeof(keys[0]); i++)
            if (column > 0 && column < PHRASE_COLUMNS && n > 2 &&
                strncmp(p + 1 + strspn(p + 1, "0123456789"), keys[i],
                        strlen(keys[i])) == 0)
                out->columns[column] = (enum phrase_key)i;
        p += n;
        p += strspn(p, " ");
    }
    return p;
}

/* The order that a call asks for itself: ls -t, du has none. */
static void
take_order(struct phrase *out)
{
    static const char *const words[] = {"largest", "smallest", "newest",
                                        "oldest", "busiest"};
    char *mark = strrchr(out->tail.p, '^');

    for (size_t i = 0; mark && i < sizeof(words) / sizeof(words[0]); i++)
        if (strcmp(mark + 1, words[i]) == 0)
            out->order = words[i];
    if (out->order)
        buf_cut(&out->tail, (size_t)(mark - out->tail.p));
}

/* "as root: {cmd}": the command's own phrase, with that in front, so that a
 * pipeline goes on with what the command makes. */
static bool
say_prefixed(struct sayer *s, const char *form, size_t n)
{
    CLEANUP_BUF struct buf verb = buf_of(PHRASE_PART_MAX);
    struct sayer inner = *s;
    bool filled = true;

    expand(s, form, form + n, &verb, &filled);
    if (!filled)
        return false;
    inner.f = s->f->inner;
    say_call(&inner);
    s->each_used = s->each_used || inner.each_used;
    s->in_used = s->in_used || inner.in_used;
    buf_str(&verb, s->out->verb.p);
    buf_clear(&s->out->verb);
    buf_str(&s->out->verb, verb.p);
    return true;
}

/* The comma that closes what was read, where the sentence ends or another one
 * follows. */
static void
cut_comma(struct buf *b, bool at_end)
{
    if (at_end && b->len > 0 && b->p[b->len - 1] == ',')
        buf_cut(b, b->len - 1);
}

/* verb <noun/rest> tail; <=text>: one text, not many things. */
static bool
say_form(struct sayer *s, const char *form)
{
    const char *open = strchr(form, '<'), *bar, *close;
    struct phrase *out = s->out;
    size_t end;
    bool filled = true;

    form = read_marks(form, out);
    end = strlen(form);
    if (s->f->inner && end >= 5 && strcmp(form + end - 5, "{cmd}") == 0)
        return say_prefixed(s, form, end - 5);
    open = strchr(form, '<');
    close = open ? strchr(open, '>') : NULL;
    if (!close) {
        expand(s, form, form + strlen(form), &out->verb, &filled);
        cut_comma(&out->verb, true);
        return filled;
    }
    expand(s, form, open, &out->verb, &filled);
    while (out->verb.len > 0 && out->verb.p[out->verb.len - 1] == ' ')
        buf_cut(&out->verb, out->verb.len - 1);
    out->many = open[1] != '=';
    bar = memchr(open, '/', (size_t)(close - open));
    bar = bar ? bar : close;
    expand(s, open + (out->many ? 1 : 2), bar, &out->noun, &filled);
    if (bar < close)
        expand(s, bar + 1, close, &out->rest, &filled);
    expand(s, close + 1, close + strlen(close), &out->tail, &filled);
    cut_comma(out->rest.len > 0 ? &out->rest : &out->noun,
              out->tail.len == 0 || *out->tail.p == ',');
    take_order(out);
    return filled;
}

static bool
say_row(struct sayer *s, const struct page_row *row)
{
    if (row->kind != 'D' || !holds(s, row->field[1]))
        return false;
    if (say_form(s, row->field[0]))
        return true;
    phrase_done(s->out);
    phrase_init(s->out);
    return false;
}

bool
template_say(struct sayer *s)
{
    const struct page *t = s->f->table;

    for (size_t i = 0; t && i < t->n; i++)
        if (say_row(s, &t->rows[i]))
            return true;
    return false;
}
