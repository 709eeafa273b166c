/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain_phrase.c - makes the phrase that says what one command does. */
#include "offline/explain/explain_phrase.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/message.h"
#include "guard/path/path_table.h"

void
phrase_init(struct phrase *p)
{
    *p = (struct phrase){0};
    buf_init(&p->verb, PHRASE_PART_MAX);
    buf_init(&p->noun, PHRASE_PART_MAX);
    buf_init(&p->rest, PHRASE_PART_MAX);
    buf_init(&p->tail, PHRASE_PART_MAX);
}

void
phrase_done(struct phrase *p)
{
    if (!p)
        return;
    buf_done(&p->verb);
    buf_done(&p->noun);
    buf_done(&p->rest);
    buf_done(&p->tail);
}

bool
phrase_has_thing(const struct phrase *p)
{
    return p->noun.len > 0;
}

void
phrase_thing(const struct phrase *p, struct buf *out)
{
    buf_printf(out, "%s%s%s", p->many ? "the " : "", p->noun.p, p->rest.p);
}

void
phrase_lines(const struct phrase *p, struct buf *out)
{
    buf_str(out, p->many ? "" : "the lines of ");
    phrase_thing(p, out);
}

void
phrase_write_plain(const struct explainer *x, const struct phrase *p,
                   struct buf *out)
{
    buf_printf(out, "%s%s%s%s%s", p->verb.p, p->noun.len > 0 ? " " : "",
               p->noun.p, p->rest.p, p->tail.p);
    if (p->order)
        buf_printf(out, explain_words(x, ", the %s first"),
                   explain_words(x, p->order));
    if (p->verb.bad || p->noun.bad || p->rest.bad || p->tail.bad)
        out->bad = true;
}

void
phrase_write(const struct phrase *p, struct buf *out)
{
    buf_str(out, p->verb.p);
    if (phrase_has_thing(p)) {
        buf_ch(out, ' ');
        phrase_thing(p, out);
    }
    buf_str(out, p->tail.p);
    if (p->verb.bad || p->noun.bad || p->rest.bad || p->tail.bad)
        out->bad = true; /* too long: half a phrase is worse than none */
    if (p->order)
        buf_printf(out, ", the %s first", p->order);
}

/* Where the output of a command goes. */

static bool
is_nowhere(const struct syntax_redirect *r)
{
    return path_is(r->target->text, PATH_IS_NULL);
}

static bool
appends_to_file(const struct syntax_redirect *r)
{
    return r->kind == SYNTAX_APPEND || r->kind == SYNTAX_APPEND_BOTH;
}

/* Whether it is >&FILE, which means &>FILE. */
static bool
copies_to_file(const struct syntax_redirect *r)
{
    return r->kind == SYNTAX_DUP_OUT && r->fd == SYNTAX_FD_DEFAULT &&
           strspn(r->target->text, "0123456789-") < r->target->len;
}

/* Whether it opens a file for writing. */
static bool
opens_file(const struct syntax_redirect *r)
{
    return appends_to_file(r) || r->kind == SYNTAX_WRITE ||
           r->kind == SYNTAX_CLOBBER || r->kind == SYNTAX_WRITE_BOTH ||
           copies_to_file(r);
}

/* Whether it redirects standard output. */
static bool
takes_output(const struct syntax_redirect *r)
{
    return (opens_file(r) || r->kind == SYNTAX_DUP_OUT) &&
           (r->fd == 1 || r->fd == SYNTAX_FD_DEFAULT);
}

/* Appends where the output goes: ", into a.txt". */
static void
describe_last(const struct explainer *x, const struct syntax_redirect *r,
              bool text, struct buf *out)
{
    static const char *const into[] = {N_(", and writes that into"),
                                       N_(" into")};
    static const char *const onto[] = {N_(", and adds that to"),
                                       N_(" at the end of")};
    const char *to = r->target->text;

    if (text && out->len > 0 && opens_file(r) && !is_nowhere(r))
        buf_ch(out, ',');
    if (opens_file(r) && is_nowhere(r))
        buf_str(out, explain_words(x, ", and throws the output away"));
    else if (opens_file(r))
        buf_printf(
            out, "%s %.60s",
            explain_words(x, appends_to_file(r) ? onto[text] : into[text]), to);
    else if (strcmp(to, "2") == 0)
        buf_str(out, explain_words(x, ", as an error message"));
    else if (strcmp(to, "-") == 0)
        buf_str(out, explain_words(x, ", without any output"));
    else if (strcmp(to, "1") != 0)
        buf_printf(out, explain_words(x, ", to descriptor %.20s"), to);
}

/* Whether errors go to the same file: &>f, or >f and later 2>&1. */
static bool
takes_errors(const struct syntax_redirect *r)
{
    bool both = r->kind == SYNTAX_WRITE_BOTH || r->kind == SYNTAX_APPEND_BOTH ||
                copies_to_file(r);

    for (; r; r = r->next)
        both = both || (r->kind == SYNTAX_DUP_OUT && r->fd == 2 &&
                        strcmp(r->target->text, "1") == 0);
    return both;
}

bool
phrase_writes_file(const struct syntax_node *node)
{
    const struct syntax_redirect *last = NULL;

    for (const struct syntax_redirect *r = node->redirects; r; r = r->next)
        if (takes_output(r))
            last = r;
    return last && opens_file(last) && !is_nowhere(last);
}

/* Appends the files that are opened and stay empty: all but the last. */
static void
describe_opened(const struct explainer *x, const struct syntax_node *node,
                const struct syntax_redirect *last, struct buf *out)
{
    const char *before = N_("; before that, ");

    for (const struct syntax_redirect *r = node->redirects; r; r = r->next) {
        if (r == last || !takes_output(r) || !opens_file(r) || is_nowhere(r))
            continue;
        buf_printf(out,
                   appends_to_file(r)
                       ? explain_words(x, "%smakes %.60s where it is missing")
                       : explain_words(x, "%smakes or empties %.60s"),
                   explain_words(x, before), r->target->text);
        before = N_(" and ");
    }
}

void
phrase_redirects(const struct explainer *x, const struct syntax_node *node,
                 bool text, struct buf *out)
{
    const struct syntax_redirect *last = NULL;

    for (const struct syntax_redirect *r = node->redirects; r; r = r->next) {
        if (takes_output(r))
            last = r;
        else if (opens_file(r) && r->fd == 2 && is_nowhere(r))
            buf_str(out, explain_words(x, ", without error messages"));
        else if (opens_file(r) && r->fd == 2)
            buf_printf(out,
                       appends_to_file(r)
                           ? explain_words(
                                 x, ", with error messages at the end of %.60s")
                           : explain_words(x, ", with error messages in %.60s"),
                       r->target->text);
    }
    if (!last)
        return;
    describe_last(x, last, text, out);
    if (takes_errors(last))
        buf_str(out, explain_words(x, ", error messages too"));
    describe_opened(x, node, last, out);
}

bool
phrase_redirects_alone(const struct explainer *x,
                       const struct syntax_node *node, struct buf *out)
{
    CLEANUP_BUF struct buf to = buf_of(PHRASE_PART_MAX);
    const struct syntax_word *w = node->words;
    bool exec = w && !w->next && strcmp(w->text, "exec") == 0;
    const struct syntax_redirect *r = node->redirects;

    while (r && !(opens_file(r) && (!exec || takes_output(r))))
        r = r->next;
    if (!r || (w && !exec))
        return false;
    if (exec) {
        buf_str(out, explain_words(x, "from now on writes all output"));
        phrase_redirects(x, node, true, &to);
        buf_str(out, to.p);
    } else {
        buf_printf(out,
                   appends_to_file(r)
                       ? explain_words(x, "makes %.60s where it is missing")
                       : explain_words(x, "makes %.60s, or empties it"),
                   r->target->text);
    }
    return true;
}

/* sort, uniq, head, tail and wc, whose phrase depends on what they read. */

static const struct fact_option *
phrase_has_option(const struct phrase_context *s, const char *option)
{
    return fact_option(s->f, option, strlen(option));
}

/* Copies the value of option a, or else of b, to text; "" when neither was used
 * or it is too long. */
static const char *
value_of(const struct phrase_context *s, const char *a, const char *b,
         char text[64])
{
    const struct fact_option *o = phrase_has_option(s, a);
    size_t n;

    if (!o && b)
        o = phrase_has_option(s, b);
    n = o ? o->to - o->from : 0;
    if (n >= 64)
        n = 0;
    if (n > 0)
        memcpy(text, s->x->line + o->from, n);
    text[n] = '\0';
    return text;
}

/* Begins a phrase with what is read: the named files, or the input. */
static void
begin_with_input(struct phrase_context *s)
{
    struct phrase *out = s->out;
    const struct phrase *in = s->in;

    s->in_used = s->f->n_operands == 0 && in;
    if (s->in_used && in->many) {
        buf_str(&out->verb, in->verb.p);
        buf_str(&out->noun, in->noun.p);
        buf_str(&out->rest, in->rest.p);
        buf_str(&out->tail, in->tail.p);
        memcpy(out->columns, in->columns, sizeof(out->columns));
        out->order = in->order;
        out->many = true;
        return;
    }
    buf_str(&out->verb, "shows");
    buf_str(&out->noun, "lines");
    out->many = true;
    if (s->f->n_operands > 0 || s->each) {
        struct phrase_context files = *s;
        struct phrase made;

        phrase_init(&made);
        files.out = &made;
        if (template_render(&files))
            buf_str(&out->rest, made.rest.p);
        s->each_used = files.each_used;
        phrase_done(&made);
    } else if (in) {
        buf_printf(&out->rest, " of %s", in->noun.p);
    }
}

static void
describe_sort(struct phrase_context *s)
{
    struct phrase *out = s->out;
    char text[64];
    const char *k = value_of(s, "-k", NULL, text);
    size_t column = *k ? strtoul(k, NULL, 10) : 1;
    bool down = phrase_has_option(s, "-r") || strchr(k, 'r');
    bool number = phrase_has_option(s, "-n") || phrase_has_option(s, "-h") ||
                  phrase_has_option(s, "-g") || strpbrk(k, "nhg");
    enum phrase_key key = column < PHRASE_COLUMNS ? out->columns[column]
                                                  : KEY_NONE;

    out->order = NULL;
    if (phrase_has_option(s, "-R")) {
        buf_str(&out->tail, ", in random order");
    } else if (number && key) {
        out->order = value_key_order(key, down);
    } else {
        buf_str(&out->tail, ", sorted");
        if (*k && column > 0)
            buf_printf(&out->tail, " by field %zu", column);
        if (number)
            buf_printf(&out->tail, " as numbers, the %s first",
                       down ? "largest" : "smallest");
        else if (down)
            buf_str(&out->tail, " backwards");
    }
    if (phrase_has_option(s, "-u"))
        buf_str(&out->tail, ", each once");
    if (*value_of(s, "-o", NULL, text))
        buf_printf(&out->tail, ", and writes that into %s", text);
}

/* Removes a clause from the tail: ", sorted as numbers, the largest first". */
static void
drop_clause(struct buf *tail, const char *clause)
{
    char *at = strstr(tail->p, clause);
    const char *end = at ? strstr(at + 2, ", ") : NULL;
    size_t n;

    if (!at)
        return;
    if (end && strncmp(end, ", the ", 6) == 0)
        end = strstr(end + 2, ", ");
    n = end ? (size_t)(end - at) : strlen(at);
    memmove(at, at + n, strlen(at + n) + 1);
    buf_cut(tail, tail->len - n);
}

/* Removes what it has about order: the next command does not depend on it. */
static void
drop_order(struct phrase *out)
{
    drop_clause(&out->tail, ", sorted");
    drop_clause(&out->tail, ", in random order");
    out->order = NULL;
}

/* Removes the "occurs" at the end of the phrase of uniq -c, which nothing can
 * follow. Returns whether it was there. */
static bool
drop_occurs(struct buf *tail)
{
    static const char word[] = "occurs";
    size_t n = sizeof(word) - 1;

    if (tail->len < n || strcmp(tail->p + tail->len - n, word) != 0)
        return false;
    buf_cut(tail, tail->len - n);
    while (tail->len > 0 && strchr(" ,", tail->p[tail->len - 1]))
        buf_cut(tail, tail->len - 1);
    return true;
}

static void
describe_uniq(struct phrase_context *s)
{
    struct phrase *out = s->out;

    drop_order(out);
    if (phrase_has_option(s, "-c")) {
        buf_clear(&out->verb);
        buf_str(&out->verb, "counts how often each of");
        buf_str(&out->tail, out->tail.len > 0 ? ", occurs" : " occurs");
        memset(out->columns, 0, sizeof(out->columns));
        out->columns[1] = KEY_COUNT;
    } else if (phrase_has_option(s, "-d") || phrase_has_option(s, "-D")) {
        buf_str(&out->tail, ", those that are repeated");
    } else if (phrase_has_option(s, "-u")) {
        buf_str(&out->tail, ", those that occur only once");
    } else {
        buf_str(&out->tail, ", each once");
    }
}

/* Limits the phrase: "the ten largest files", "the first ten lines". */
static void
cut_to(struct phrase *out, long long n, const char *order, const char *place)
{
    CLEANUP_BUF struct buf noun = buf_of(PHRASE_PART_MAX);

    buf_printf(&noun, "%s", order ? "" : place);
    if (n != 1 && !order)
        buf_ch(&noun, ' ');
    if (n != 1)
        value_number(n, &noun);
    if (order)
        buf_printf(&noun, "%s%s", n != 1 ? " " : "", order);
    if (n == 1)
        buf_str(&noun, " one of the");
    buf_printf(&noun, " %s", out->noun.p);
    buf_clear(&out->noun);
    buf_str(&out->noun, noun.p);
    if (order)
        drop_order(out);
    if (strncmp(out->verb.p, "counts", 6) == 0) {
        buf_clear(&out->verb);
        buf_str(&out->verb, "shows");
        (void)drop_occurs(&out->tail);
    }
    out->order = NULL;
}

/* Makes the noun a number of bytes: "the first 20 bytes of a.bin". */
static void
describe_bytes(struct phrase *out, const char *count, const char *place)
{
    CLEANUP_BUF struct buf noun = buf_of(PHRASE_PART_MAX);

    buf_printf(&noun, "%s %s bytes%s", place, count, out->rest.p);
    buf_clear(&out->noun);
    buf_clear(&out->rest);
    buf_str(&out->noun, noun.p);
}

/* The number of lines without its sign, ten when there is none. A number that
 * is too large for strtoll becomes its maximum. */
static long long
count_of(const char *n)
{
    return *n ? strtoll(n + (*n == '-' || *n == '+'), NULL, 10) : 10;
}

static void
describe_head(struct phrase_context *s)
{
    char text[64];
    const char *n = value_of(s, "-n", "-NUM", text);

    if (phrase_has_option(s, "-c"))
        describe_bytes(s->out, value_of(s, "-c", NULL, text), "first");
    else if (*n == '-')
        buf_printf(&s->out->tail, ", all but the last %lld", count_of(n));
    else
        cut_to(s->out, count_of(n), s->out->order, "first");
}

/* tail -n +2 */
static void
describe_from(struct phrase *out, long long n)
{
    buf_str(&out->tail, ", from the ");
    value_ordinal(n, &out->tail);
    buf_str(&out->tail, " on");
}

static void
describe_tail(struct phrase_context *s)
{
    struct phrase *out = s->out;
    char text[64];
    const char *n = value_of(s, "-n", "-NUM", text);
    const char *order = out->order ? value_key_other_end(out->order) : NULL;

    if (phrase_has_option(s, "-c"))
        describe_bytes(out, value_of(s, "-c", NULL, text), "last");
    else if (*n == '+')
        describe_from(out, count_of(n));
    else
        cut_to(out, count_of(n), order, "last");
    if (phrase_has_option(s, "-f") || phrase_has_option(s, "-F"))
        buf_str(&out->tail, ", and those that are added from now on");
}

static void
describe_wc(struct phrase_context *s)
{
    static const struct {
        const char *option, *what;
    } counts[] = {{"-w", "words"}, {"-c", "bytes"}, {"-m", "characters"}};
    struct phrase *out = s->out;
    CLEANUP_BUF struct buf thing = buf_of(PHRASE_PART_MAX);

    buf_clear(&out->verb);
    buf_str(&out->verb, "counts");
    drop_order(out);
    if (drop_occurs(&out->tail))
        buf_str(&out->tail, ", each once");
    if (phrase_has_option(s, "-l"))
        return;
    phrase_thing(out, &thing);
    buf_clear(&out->noun);
    buf_clear(&out->rest);
    buf_str(&out->noun, "lines, words and bytes");
    for (size_t i = 0; i < ARRAY_SIZE(counts); i++)
        if (phrase_has_option(s, counts[i].option)) {
            buf_clear(&out->noun);
            buf_str(&out->noun, counts[i].what);
        }
    buf_printf(&out->rest, " of %s", thing.p);
}

static const struct {
    const char *name;
    void (*say)(struct phrase_context *s);
} filters[] = {
    {"sort", describe_sort}, {"uniq", describe_uniq}, {"head", describe_head},
    {"tail", describe_tail}, {"wc", describe_wc},
};

/* Writes the phrase of sort, uniq, head, tail or wc. Returns false for
 * others. */
static bool
filter_render(struct phrase_context *s)
{
    if (!s->f->p || (!s->in && !s->each && s->f->n_operands == 0))
        return false;
    for (size_t i = 0; i < ARRAY_SIZE(filters); i++)
        if (strcmp(filters[i].name, s->f->p->name) == 0) {
            begin_with_input(s);
            filters[i].say(s);
            return true;
        }
    return false;
}

/* Appends the name with its subcommands as written: "git bisect". */
static void
add_command_name(const struct phrase_context *s, struct buf *out)
{
    buf_add(out, s->x->line + s->f->at, s->f->name_to - s->f->at);
}

/* "calls the function f with a and b". */
static void
describe_function(struct phrase_context *s)
{
    struct buf *out = &s->out->verb;

    s->in_used = true;
    buf_str(out, s->in ? "gives " : "calls ");
    if (s->in) {
        phrase_thing(s->in, out);
        buf_str(out, " to ");
    }
    buf_str(out, "the function ");
    add_command_name(s, out);
    if (s->f->n_operands > 0) {
        buf_str(out, " with ");
        template_fill(s, "*", 1, out);
    }
}

/* Writes the phrase of a program without sentences: "runs zstd (Compress or
 * decompress .zst files)". */
static void
describe_plainly(struct phrase_context *s)
{
    const struct known_program *p = s->f->p;
    const char *summary = p ? program_summary(p) : "";
    struct phrase *out = s->out;

    if (p && p->table && !s->in) {
        buf_str(&out->verb, p->table->summary);
        return;
    }
    if (p && p->table)
        summary = p->table->summary;
    s->in_used = true;
    buf_str(&out->verb, s->in ? "gives " : "runs ");
    if (s->in) {
        phrase_thing(s->in, &out->verb);
        buf_str(&out->verb, " to ");
    }
    add_command_name(s, &out->verb);
    if (*summary && strlen(summary) < 80)
        buf_printf(&out->verb, " (%s)", summary);
}

/* Writes the phrase of the inner command for the things to *made, which is
 * empty. */
static void
describe_of(const struct phrase_context *outer, const struct phrase *things,
            bool append, struct phrase *made)
{
    struct phrase_context inner = {.x = outer->x,
                                   .f = outer->f->inner,
                                   .each = things,
                                   .mark = outer->mark,
                                   .append = append,
                                   .out = made};
    struct buf *end;

    phrase_of_call(&inner);
    if (inner.each_used)
        return;
    end = phrase_has_thing(made) ? &made->tail : &made->verb;
    buf_str(end, ", once for each of ");
    phrase_thing(things, end);
}

/* find -exec: the inner command works on what is found. */
static void
describe_each(struct phrase_context *s)
{
    struct phrase made;

    phrase_init(&made);
    describe_of(s, s->out, false, &made);
    phrase_done(s->out);
    *s->out = made;
}

/* xargs: what it reads are operands of the inner command. */
static bool
describe_xargs(struct phrase_context *s)
{
    const struct fact_option *o = fact_option(s->f, "-I", 2);
    char mark[16] = "";

    if (!s->in || !s->f->inner)
        return false;
    s->in_used = true;
    if (o && o->to - o->from < sizeof(mark))
        memcpy(mark, s->x->line + o->from, o->to - o->from);
    s->mark = *mark ? mark : NULL;
    describe_of(s, s->in, !o, s->out);
    s->mark = NULL;
    return true;
}

static bool
is_filter(const struct known_program *p)
{
    for (size_t i = 0; p && i < ARRAY_SIZE(filters); i++)
        if (strcmp(filters[i].name, p->name) == 0)
            return true;
    return false;
}

/* In another language a phrase is what the table says of this call alone: the
 * phrase of the command before would need another case there. What runs a
 * command once for each name has none. */
static void
phrase_in_language(struct phrase_context *s)
{
    const struct known_program *p = s->f->p;
    struct buf *verb = &s->out->verb;

    if (s->f->is_function) {
        buf_str(verb, explain_words(s->x, "calls the function "));
        add_command_name(s, verb);
    } else if (s->f->inner && p &&
               (program_quirk(p, "until") || strcmp(p->name, "xargs") == 0)) {
        verb->bad = true;
    } else if (is_filter(p) || !template_render(s)) {
        if (p && p->table) {
            buf_str(verb, p->table->summary);
            return;
        }
        buf_str(verb, explain_words(s->x, "runs "));
        add_command_name(s, verb);
    }
}

void
phrase_of_call(struct phrase_context *s)
{
    const struct known_program *p = s->f->p;

    s->each_used = s->in_used = false;
    if (s->x->out->person) {
        phrase_in_language(s);
        return;
    }
    if (s->f->is_function) {
        describe_function(s);
        return;
    }
    if (p && strcmp(p->name, "xargs") == 0 && describe_xargs(s))
        return;
    if (filter_render(s))
        return;
    if (!template_render(s))
        describe_plainly(s);
    else if (s->f->inner && program_quirk(p, "until") &&
             phrase_has_thing(s->out))
        describe_each(s);
}
