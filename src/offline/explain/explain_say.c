/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain_say.c - one command of a line, said in any case. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "offline/explain/explain_phrase.h"

/* Its name with subcommands, as written: "git bisect". */
static void
add_name(const struct sayer *s, struct buf *out)
{
    buf_add(out, s->x->line + s->f->at, s->f->name_to - s->f->at);
}

/* "calls the function f with a and b". */
static void
say_function(struct sayer *s)
{
    struct buf *out = &s->out->verb;

    s->in_used = true;
    buf_str(out, s->in ? "gives " : "calls ");
    if (s->in) {
        phrase_thing(s->in, out);
        buf_str(out, " to ");
    }
    buf_str(out, "the function ");
    add_name(s, out);
    if (s->f->n_operands > 0) {
        buf_str(out, " with ");
        template_fill(s, "*", 1, out);
    }
}

/* "runs zstd (Compress or decompress .zst files)": nobody has a sentence. */
static void
say_plainly(struct sayer *s)
{
    const struct program *p = s->f->p;
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
    add_name(s, &out->verb);
    if (*summary && strlen(summary) < 80)
        buf_printf(&out->verb, " (%s)", summary);
}

/* Says the inner command of the things, in *made, which is clean. */
static void
say_of(const struct sayer *outer, const struct phrase *things, bool append,
       struct phrase *made)
{
    struct sayer inner = {.x = outer->x,
                          .f = outer->f->inner,
                          .each = things,
                          .mark = outer->mark,
                          .append = append,
                          .out = made};
    struct buf *end;

    say_call(&inner);
    if (inner.each_used)
        return;
    end = phrase_has_thing(made) ? &made->tail : &made->verb;
    buf_str(end, ", once for each of ");
    phrase_thing(things, end);
}

/* find's -exec: the command is said of what is found. */
static void
say_each(struct sayer *s)
{
    struct phrase made;

    phrase_init(&made);
    say_of(s, s->out, false, &made);
    phrase_done(s->out);
    *s->out = made;
}

/* xargs: what it reads are more operands of the command. */
static bool
say_xargs(struct sayer *s)
{
    const struct fact_option *o = fact_option(s->f, "-I", 2);
    char mark[16] = "";

    if (!s->in || !s->f->inner)
        return false;
    s->in_used = true;
    if (o && o->to - o->from < sizeof(mark))
        memcpy(mark, s->x->line + o->from, o->to - o->from);
    s->mark = *mark ? mark : NULL;
    say_of(s, s->in, !o, s->out);
    s->mark = NULL;
    return true;
}

void
say_call(struct sayer *s)
{
    const struct program *p = s->f->p;

    s->each_used = s->in_used = false;
    if (s->f->is_function) {
        say_function(s);
        return;
    }
    if (p && strcmp(p->name, "xargs") == 0 && say_xargs(s))
        return;
    if (filter_say(s))
        return;
    if (!template_say(s))
        say_plainly(s);
    else if (s->f->inner && program_quirk(p, "until") &&
             phrase_has_thing(s->out))
        say_each(s);
}
