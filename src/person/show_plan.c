/* SPDX-License-Identifier: GPL-3.0-or-later */
/* show_plan.c - a plan as a person reads it before saying yes. */
#include "person/show_plan.h"

#include <string.h>

#include "base/path.h"
#include "guard/effects/effects_text.h"
#include "guard/quote.h"
#include "person/show_command.h"
#include "term/escape.h"
#include "term/style.h"
#include "term/width.h"

#define PLAN_TEXT_MAX                                                          \
    (4u << 20)           /* 32 commands of 16 KiB, all of it escapes           \
                          */
#define EFFECTS_SHOWN 10 /* paths that are listed by name */
#define INDENT        5  /* "  1  " */
/* Where text goes on that was broken: no part of it can pass for a line of its
 * own, which would say what the step's walls are. */
#define HANGING 7
/* Where a command stands below its description: no line of it begins where a
 * remark does. */
#define BELOW      7
#define COLUMN_MAX 40 /* widest description beside its command */
#define GAP        2

void
show_facts(struct buf *out, const struct term *t, const char *model,
           const struct inquiry_facts *f, const struct config *c)
{
    const char *dot = style_symbol(t, SYMBOL_DOT);
    double in = c ? config_number(c, CONFIG_MODEL_PRICE_IN) : 0;
    double per = c ? config_number(c, CONFIG_MODEL_PRICE_OUT) : 0;

    escape_str(out, t, model, ESCAPE_LINES);
    if (f->tokens_in >= 0 && f->tokens_out >= 0 &&
        f->tokens_in + f->tokens_out > 0) { /* some count nothing */
        buf_printf(out, " %s %lld tokens", dot,
                   (long long)(f->tokens_in + f->tokens_out));
        if (in > 0 && per > 0)
            buf_printf(
                out, " %s cost %.4f", dot,
                ((double)f->tokens_in * in + (double)f->tokens_out * per) /
                    1e6);
    }
    if (f->ms < 100)
        buf_printf(out, " %s %lld ms", dot, (long long)f->ms);
    else
        buf_printf(out, " %s %.1f s", dot, (double)f->ms / 1000);
}

void
show_words(struct buf *out, const struct term *t, const char *words)
{
    CLEANUP_BUF struct buf flat = buf_of(PLAN_TEXT_MAX);

    for (const char *p = words; *p; p++)
        buf_ch(&flat, strchr("\r\n\t", *p) ? ' ' : *p);
    escape_str(out, t, flat.p, ESCAPE_PROSE);
}

/* Title at the left, facts at the right where both fit, else below it. */
static void
put_title(struct buf *out, const struct term *t, const char *title,
          const char *facts)
{
    CLEANUP_BUF struct buf text = buf_of(PLAN_TEXT_MAX);
    size_t columns = (size_t)t->columns, used, wide;
    struct width_wrap wrap = {.columns = columns};

    show_words(&text, t, title[0] ? title : "A plan");
    buf_str(out, style_on(t, STYLE_TITLE));
    width_wrap(out, text.p, text.len, &wrap);
    buf_str(out, style_off(t, STYLE_TITLE));
    if (facts && facts[0]) {
        used = width_str(text.p);
        wide = width_str(facts);
        if (used + GAP + wide <= columns)
            buf_printf(out, "%*s", (int)(columns - used - wide), "");
        else
            buf_ch(out, '\n');
        style_str(out, t, STYLE_DIM, facts);
    }
    buf_str(out, "\n\n");
}

/* The commands' column: behind the widest description that is not too wide. */
static size_t
command_column(const struct aiaction *a, const struct term *t)
{
    size_t widest = 0;

    for (size_t i = 0; i < a->n; i++) {
        size_t w = width_str(a->steps[i].description);

        if (w > widest && w <= COLUMN_MAX)
            widest = w;
    }
    return (size_t)t->columns < 2 * COLUMN_MAX ? 0 : INDENT + widest + GAP;
}

static void
put_remark(struct buf *out, const struct term *t, enum style s,
           const char *label, const char *text)
{
    CLEANUP_BUF struct buf line = buf_of(PLAN_TEXT_MAX);
    struct width_wrap wrap = {
        .columns = (size_t)t->columns, .start = INDENT, .indent = HANGING};

    buf_str(&line, label);
    show_words(&line, t, text);
    buf_printf(out, "%*s%s", INDENT, "", style_on(t, s));
    width_wrap(out, line.p, line.len, &wrap);
    buf_printf(out, "%s\n", style_off(t, s));
}

static void
put_step(struct buf *out, const struct term *t, const struct step *s, size_t i,
         size_t column)
{
    CLEANUP_BUF struct buf text = buf_of(PLAN_TEXT_MAX);
    struct width_wrap wrap = {
        .columns = (size_t)t->columns, .start = INDENT, .indent = HANGING};
    size_t wide;

    show_words(&text, t, s->description);
    wide = INDENT + width_str(text.p);
    buf_printf(out, "%3zu  ", i + 1);
    if (column > wide &&
        (!t->tty || show_command_fits(t, s->command, column))) {
        buf_add(out, text.p, text.len);
        buf_printf(out, "%*s", (int)(column - wide), "");
        show_command(out, t, s->command, column);
        return;
    }
    width_wrap(out, text.p, text.len, &wrap);
    buf_printf(out, "\n%*s", BELOW, "");
    show_command(out, t, s->command, BELOW);
}

/* What a destructive step would touch: the sum, then each where there are
 * several. */
static void
put_effects(struct buf *out, const struct term *t, const struct judgement *j)
{
    const struct effects *x = &j->found.effects;
    const struct risk_place where = {.cwd = j->directory, .home = path_home()};
    CLEANUP_BUF struct buf text = buf_of(PLAN_TEXT_MAX);

    if (effects_summary(x, &where, &text) < 0 || text.len == 0)
        return;
    put_remark(out, t, STYLE_WARNING, "", text.p);
    if (x->n_paths + x->n_processes < 2)
        return;
    buf_clear(&text);
    effects_list(x, &where, INDENT + 2, EFFECTS_SHOWN, &text);
    style_str(out, t, STYLE_DIM, text.p);
}

/* The new files, or those that are there and grow. */
static void
put_added(struct buf *line, const struct profile_choice *c, bool grows,
          const char *before)
{
    for (size_t i = 0; i < c->n_added; i++) {
        if (c->added[i].grows != grows)
            continue;
        buf_printf(line, "%s%s", before, path_base(c->added[i].path));
        before = ", ";
    }
}

/* Which walls the step runs behind, where they are not the usual ones. */
static void
put_profile(struct buf *out, const struct term *t,
            const struct profile_choice *c)
{
    CLEANUP_BUF struct buf line = buf_of(PLAN_TEXT_MAX);

    if (c->profile == PROFILE_WORKSPACE_WRITE && !c->net && !c->n_writable &&
        !c->rest)
        return;
    buf_printf(&line, "%s%s", profile_row(c->profile)->name,
               c->net ? " with network" : "");
    for (size_t i = 0; i < c->n_writable; i++)
        buf_printf(&line, "%s%s", i ? ", " : ", writes in ", c->writable[i]);
    put_added(&line, c, false, ", adds ");
    put_added(&line, c, true, ", adds to ");
    if (c->why[0])
        buf_printf(&line, " (%s)", c->why);
    if (c->rest)
        buf_printf(&line, "; %s alone: %s", path_base(c->reader[0]),
                   profile_row(PROFILE_OBSERVE_PROC)->name);
    put_remark(out, t, c->profile == PROFILE_FULL ? STYLE_WARNING : STYLE_DIM,
               "sandbox: ", line.p);
}

/* What runs instead of the command, which is its equivalent. */
static void
put_call(struct buf *out, const struct term *t, const struct step *s)
{
    CLEANUP_BUF struct buf call = buf_of(PLAN_TEXT_MAX);
    CLEANUP_BUF struct buf text = buf_of(PLAN_TEXT_MAX);
    static const char label[] = "runs ";

    if (!s->tool)
        return;
    aiaction_put_call(&call, s);
    escape_str(&text, t, call.p, ESCAPE_LINES);
    buf_printf(out, "%*s%s", INDENT, "", label);
    show_command_line(out, t, text.p, text.len, INDENT + sizeof(label) - 1);
}

void
show_root(struct buf *out, const struct term *t, const char *const *argv)
{
    CLEANUP_BUF struct buf words = buf_of(PLAN_TEXT_MAX);
    CLEANUP_BUF struct buf text = buf_of(PLAN_TEXT_MAX);
    static const char label[] = "as root: ";

    for (size_t i = 0; argv[i]; i++) {
        if (i > 0)
            buf_ch(&words, ' ');
        quote_word(&words, argv[i]);
    }
    escape_str(&text, t, words.p, ESCAPE_LINES);
    style_str(out, t, STYLE_WARNING, label);
    show_command_line(out, t, text.p, text.len, sizeof(label) - 1);
}

static bool
is_warned_of(const struct judgement *j)
{
    return j->destructive || j->privileged || j->hidden || j->refused ||
           j->terminal;
}

static void
put_remarks(struct buf *out, const struct term *t, const struct step *s,
            const struct judgement *j)
{
    put_call(out, t, s);
    if (s->directory && s->directory[0])
        put_remark(out, t, STYLE_DIM, "in ", j ? j->directory : s->directory);
    if (!j)
        return;
    if (j->reason[0])
        put_remark(out, t, is_warned_of(j) ? STYLE_WARNING : STYLE_DIM, "",
                   j->reason);
    put_effects(out, t, j);
    if (!j->refused && j->tool)
        put_remark(out, t, STYLE_DIM, "sandbox: ", j->walls);
    else if (!j->refused)
        put_profile(out, t, &j->found.profile);
}

/* The walls that every step has that says nothing else. */
static void
put_sandbox(struct buf *out, const struct term *t, const struct aiaction *a,
            const struct plan *p)
{
    for (size_t i = 0; p && i < a->n; i++) {
        const struct judgement *j = plan_judgement(p, i);
        const struct profile_choice *c = &j->found.profile;

        if (j->tool || c->profile != PROFILE_WORKSPACE_WRITE || c->net ||
            c->n_writable)
            continue;
        put_remark(out, t, STYLE_DIM, "",
                   a->n == 1
                       ? "sandbox: writes only in this directory, no network"
                       : "sandbox, where nothing else is said: writes only in "
                         "this directory, no network");
        return;
    }
}

void
show_step(struct buf *out, const struct term *t, const struct aiaction *a,
          const struct plan *p, size_t i)
{
    put_step(out, t, &a->steps[i], i, 0);
    put_remarks(out, t, &a->steps[i], plan_judgement(p, i));
}

void
show_refused(struct buf *out, const struct term *t, const struct aiaction *a,
             const struct plan *p)
{
    static const char sudo[] = "sudo ";

    for (size_t i = 0; i < a->n; i++) {
        const struct judgement *j = plan_judgement(p, i);

        if (!j->needs_sudo || j->decision == GUARD_DENY)
            continue;
        buf_printf(out, "%*s%s", INDENT, "", j->calls_sudo ? "" : sudo);
        show_command(out, t, a->steps[i].command,
                     INDENT + (j->calls_sudo ? 0 : sizeof(sudo) - 1));
    }
}

void
show_plan(struct buf *out, const struct term *t, const struct aiaction *a,
          const struct plan *p, const char *facts)
{
    size_t column = command_column(a, t);

    put_title(out, t, a->summary, facts);
    for (size_t i = 0; i < a->n; i++) {
        put_step(out, t, &a->steps[i], i, column);
        put_remarks(out, t, &a->steps[i], p ? plan_judgement(p, i) : NULL);
    }
    put_sandbox(out, t, a, p);
    buf_ch(out, '\n');
}
