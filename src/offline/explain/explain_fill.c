/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain_fill.c - a call's words for the gaps of a sentence. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "offline/explain/explain_language.h"
#include "offline/explain/explain_phrase.h"

#define SHOWN_MAX 48 /* bytes of a word in a sentence */

/* Appends bytes [from, to) of the line without the quotes round them. */
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
add_operand(struct sayer *s, size_t i, struct buf *out)
{
    const struct syntax_word *w = s->f->operands[i];

    if (s->f->p && program_quirk(s->f->p, "groups") &&
        explain_processes(w->text, out))
        return;
    if (s->each && strcmp(w->text, s->mark ? s->mark : "{}") == 0) {
        buf_str(out, s->mark && s->each->many ? "each of " : "");
        phrase_thing(s->each, out);
        s->each_used = true;
    } else {
        phrase_word(s->x, s->f->base, w, out);
    }
}

/* "removes the containers " before "the containers": once is enough. */
static void
cut_article(const struct phrase *things, struct buf *out)
{
    size_t n = things->noun.len + 5; /* "the " and a blank */

    if (things->many && out->len >= n && out->p[out->len - 1] == ' ' &&
        memcmp(out->p + out->len - n, "the ", 4) == 0 &&
        memcmp(out->p + out->len - n + 4, things->noun.p, n - 5) == 0)
        buf_cut(out, out->len - n);
}

/* "a", "a and b", "a, b and c", "a, b and 7 more". */
static void
add_operands(struct sayer *s, size_t from, size_t to, struct buf *out)
{
    for (size_t i = from; i < to; i++) {
        size_t k = i - from, n = to - from;

        if (k > 0)
            buf_str(out, k + 1 == n || k == 2 ? " and " : ", ");
        if (k == 2 && n > 3) {
            buf_printf(out, "%zu more", n - 2);
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

/* A word in a form of its own: a program in sed's or awk's language, a time. */
static bool
fill_form(const char *text, const char *form, struct buf *out)
{
    return script_part(form, text, out) || value_say(form, text, out);
}

/* {*}, {1}, {2*}, {$}, {-$}; false: not filled. */
static bool
fill_operand(struct sayer *s, const char *name, struct buf *out)
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
        return fill_form(s->f->operands[from]->text, strchr(name, ':') + 1,
                         out);
    add_operands(s, from < to ? from : to, to, out);
    return out->len > before || s->each_used;
}

/* The value of an option, in a form where one is named: -mtime:days. */
static bool
fill_value(struct sayer *s, const struct fact_option *o, const char *form,
           struct buf *out)
{
    CLEANUP_BUF struct buf value = buf_of(PHRASE_PART_MAX);

    if (!o || o->to <= o->from)
        return false;
    add_written(s->x, o->from, o->to, &value);
    if (form && strcmp(form, ":key") == 0)
        key_of_format(value.p, s->out);
    else if (form)
        return fill_form(value.p, form + 1, out);
    else
        buf_str(out, value.p);
    return form || value.len > 0;
}

static bool
fill_option(struct sayer *s, const char *name, struct buf *out)
{
    const char *form = strchr(name, ':');
    size_t n = form ? (size_t)(form - name) : strlen(name);

    return fill_value(s, fact_option(s->f, name, n), form, out);
}

/* What sed's scripts do together: each -e, or the first operand. */
static bool
fill_script(struct sayer *s, struct buf *out)
{
    CLEANUP_BUF struct buf text = buf_of(PHRASE_PART_MAX);

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
           sed_say(text.p, fact_option(s->f, "-n", 2) != NULL, out);
}

/* The command that this one runs. */
static void
say_inner(struct sayer *s, struct buf *out)
{
    struct phrase made;
    struct sayer inner = *s;

    if (s->f->said) {
        buf_str(out, s->f->said);
        return;
    }
    if (!s->f->inner)
        return;
    phrase_init(&made);
    inner.f = s->f->inner;
    inner.out = &made;
    inner.each_used = false;
    say_call(&inner);
    s->in_used = s->in_used || inner.in_used;
    phrase_write(&made, out);
    if (s->each && !inner.each_used) {
        buf_str(out, ", once for each of ");
        phrase_thing(s->each, out);
    }
    s->each_used = true;
    phrase_done(&made);
}

/* What a command works on: what it reads, or what {} stands for. */
static const struct phrase *
things(struct sayer *s)
{
    if (s->each)
        s->each_used = true;
    else
        s->in_used = true;
    return s->each ? s->each : s->in;
}

static void
say_noun(struct sayer *s, struct buf *out)
{
    const struct phrase *t = things(s);

    if (t)
        buf_str(out, t->many ? t->noun.p : "lines");
}

/* The rest of it, " below .", which may be nothing. */
static bool
say_rest(struct sayer *s, struct buf *out)
{
    const struct phrase *t = things(s);

    if (t && t->many && !s->each && t->tail.len > 0)
        buf_printf(out, "%s%s,", t->rest.p, t->tail.p);
    else if (t && t->many)
        buf_str(out, t->rest.p);
    else if (t)
        buf_printf(out, " of %s", t->noun.p);
    return t != NULL;
}

/* The HUP of kill -HUP. */
static void
add_first_option(const struct sayer *s, struct buf *out)
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

/* What is read, "the lines of a, sorted,". */
static void
add_input(const struct phrase *in, bool lines, struct buf *out)
{
    if (lines)
        phrase_lines(in, out);
    else
        phrase_thing(in, out);
    if (in->many && in->tail.len > 0)
        buf_printf(out, "%s,", in->tail.p);
}

static bool
fill_one(struct sayer *s, const char *name, struct buf *out)
{
    size_t before = out->len;

    s->in_used = s->in_used || !strcmp(name, "in") || !strcmp(name, "lines");
    if (*name == '=')
        buf_str(out, name + 1); /* what stands for nothing */
    else if (strcmp(name, "v") == 0)
        buf_str(out, s->in && s->in->many ? s->in->verb.p : "shows");
    else if (strcmp(name, "in") == 0 && s->in)
        add_input(s->in, false, out);
    else if (strcmp(name, "lines") == 0 && s->in)
        add_input(s->in, true, out);
    else if (strcmp(name, "noun") == 0)
        say_noun(s, out);
    else if (strcmp(name, "rest") == 0)
        return say_rest(s, out);
    else if (strcmp(name, "option") == 0 && s->f->n_options > 0)
        add_first_option(s, out);
    else if (strcmp(name, "cmd") == 0)
        say_inner(s, out);
    else if (strncmp(name, "value", 5) == 0)
        return fill_value(s, s->option, strchr(name, ':'), out);
    else if (strcmp(name, "script") == 0)
        return fill_script(s, out);
    else if (strcmp(name, "before") == 0)
        add_operands(s, 0, s->f->n_before, out);
    else if (strcmp(name, "behind") == 0)
        add_operands(s, s->f->n_before, s->f->n_operands, out);
    else if (*name == '-' && name[1] != '$')
        return fill_option(s, name, out);
    else if (strchr("*$-", *name) || isdigit((unsigned char)*name))
        return fill_operand(s, name, out);
    else
        return fill_option(s, name, out); /* dd's if= */
    return out->len > before || *name == '=';
}

/* {a|b|=c}: the first that can be filled. */
bool
template_fill(struct sayer *s, const char *p, size_t n, struct buf *out)
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
