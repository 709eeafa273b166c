/* SPDX-License-Identifier: GPL-3.0-or-later */
/* show_plan.c - a plan as a person reads it before saying yes. */
#include "person/show_plan.h"

#include <string.h>

#include "base/path.h"
#include "base/shell_quote.h"
#include "person/by_hand.h"
#include "person/show_command.h"
#include "person/show_remarks.h"
#include "term/escape.h"
#include "term/style.h"
#include "term/width.h"

#define PLAN_TEXT_MAX                                                          \
    (4u << 20)        /* 32 commands of 16 KiB, all of it escapes              \
                       */
#define INDENT      5 /* "  1  " */
#define FOLD_INDENT 2 /* of the line about what is folded */
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

/* The title, its blanks one each: words of a model's that stood apart at the
 * right could pass for ours. */
static void
put_title_words(struct buf *out, const struct term *t, const char *title)
{
    struct width_wrap wrap = {.columns = (size_t)t->columns};
    CLEANUP_BUF struct buf text = buf_of(PLAN_TEXT_MAX);
    CLEANUP_BUF struct buf one = buf_of(PLAN_TEXT_MAX);

    show_words(&text, t, title[0] ? title : "A plan");
    for (size_t i = 0; i < text.len; i++) {
        if (text.p[i] != ' ' || (one.len > 0 && one.p[one.len - 1] != ' '))
            buf_ch(&one, text.p[i]);
    }
    width_wrap(out, one.p, one.len, &wrap);
}

/* The walls that all steps have; "": they differ. */
struct badge {
    struct buf text;
    enum style style;
};

/* Title at the left, walls and facts at the right where all fit, else below
 * it, further in than any part of a title begins. */
static void
put_title(struct buf *out, const struct term *t, const char *title,
          const struct badge *walls, const char *facts)
{
    CLEANUP_BUF struct buf text = buf_of(PLAN_TEXT_MAX);
    CLEANUP_BUF struct buf beside = buf_of(PLAN_TEXT_MAX);
    struct width_wrap wrap = {
        .columns = (size_t)t->columns, .start = INDENT, .indent = HANGING};
    size_t columns = (size_t)t->columns, used, wide;

    put_title_words(&text, t, title);
    style_str(out, t, STYLE_TITLE, text.p);
    if (walls->text.len > 0)
        style_add(&beside, t, walls->style, walls->text.p, walls->text.len);
    if (facts && facts[0]) {
        buf_str(&beside, style_on(t, STYLE_DIM));
        if (walls->text.len > 0)
            buf_printf(&beside, " %s ", style_symbol(t, SYMBOL_DOT));
        buf_printf(&beside, "%s%s", facts, style_off(t, STYLE_DIM));
    }
    used = width_str(text.p);
    wide = width_str(beside.p);
    if (beside.len == 0) {
        ;
    } else if (!strchr(text.p, '\n') && used + GAP + wide <= columns) {
        buf_printf(out, "%*s%s", (int)(columns - used - wide), "", beside.p);
    } else {
        buf_printf(out, "\n%*s", INDENT, "");
        width_wrap(out, beside.p, beside.len, &wrap);
    }
    buf_str(out, "\n\n");
}

/* The commands' column: behind the widest description that is not too wide. */
static size_t
command_column(const struct aiaction *a, const struct term *t,
               const struct plan_checks *folded)
{
    size_t widest = 0;

    for (size_t i = 0; i < a->n; i++) {
        size_t w = width_str(a->steps[i].description);

        if (w > widest && w <= COLUMN_MAX && !plan_checks_has(folded, i, a->n))
            widest = w;
    }
    return (size_t)t->columns < 2 * COLUMN_MAX ? 0 : INDENT + widest + GAP;
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

void
show_root(struct buf *out, const struct term *t, const char *const *argv)
{
    CLEANUP_BUF struct buf words = buf_of(PLAN_TEXT_MAX);
    CLEANUP_BUF struct buf text = buf_of(PLAN_TEXT_MAX);
    static const char label[] = "as root: ";

    for (size_t i = 0; argv[i]; i++) {
        if (i > 0)
            buf_ch(&words, ' ');
        shell_quote_word(&words, argv[i]);
    }
    escape_str(&text, t, words.p, ESCAPE_LINES);
    style_str(out, t, STYLE_WARNING, label);
    show_command_line(out, t, text.p, text.len, sizeof(label) - 1);
}

static void
badge_done(struct badge *b)
{
    buf_done(&b->text);
}

static void
find_badge(struct badge *b, const struct aiaction *a, const struct plan *p)
{
    *b = (struct badge){buf_of(PLAN_TEXT_MAX), STYLE_DIM};
    for (size_t i = 0; p && i < a->n; i++) {
        CLEANUP_BUF struct buf own = buf_of(PLAN_TEXT_MAX);

        b->style = show_walls(&own, plan_judgement(p, i));
        if (i == 0)
            buf_add(&b->text, own.p, own.len);
        else if (strcmp(b->text.p, own.p) != 0)
            buf_clear(&b->text);
        if (b->text.len == 0)
            return;
    }
}

void
show_step(struct buf *out, const struct term *t, const struct aiaction *a,
          const struct plan *p, size_t i)
{
    CLEANUP(machine_free_p) struct machine *m = machine_new(NULL, NULL);
    const struct remarked of = {t, a, p, m};

    put_step(out, t, &a->steps[i], i, 0);
    show_remarks(out, &of, i, true, true);
}

void
show_refused(struct buf *out, const struct term *t, const struct aiaction *a,
             const struct plan *p)
{
    for (size_t i = 0; i < a->n; i++) {
        const struct judgement *j = plan_judgement(p, i);
        CLEANUP_BUF struct buf command = buf_of(BY_HAND_MAX);

        if (!j->needs_sudo || j->decision == GUARD_DENY)
            continue;
        if (j->calls_sudo)
            buf_str(&command, a->steps[i].command);
        else
            by_hand_sudo(&command, a->steps[i].command, &j->found.syntax);
        if (buf_ok(&command, "the command", NULL) < 0)
            continue;
        buf_printf(out, "%*s", INDENT, "");
        show_command(out, t, command.p, INDENT);
    }
}

/* "✓ 3 checks before, 2 after · v shows them" */
static void
put_folded(struct buf *out, const struct term *t, const struct plan_checks *c)
{
    struct width_wrap wrap = {.columns = (size_t)t->columns,
                              .start = FOLD_INDENT,
                              .indent = 2 * FOLD_INDENT};
    CLEANUP_BUF struct buf line = buf_of(PLAN_TEXT_MAX);

    buf_printf(&line, "%s ", style_symbol(t, SYMBOL_GOOD));
    if (c->before)
        buf_printf(&line, "%zu check%s before", c->before,
                   c->before == 1 ? "" : "s");
    if (c->after && c->before)
        buf_printf(&line, ", %zu after", c->after);
    else if (c->after)
        buf_printf(&line, "%zu check%s after", c->after,
                   c->after == 1 ? "" : "s");
    buf_printf(&line, " %s v shows %s", style_symbol(t, SYMBOL_DOT),
               c->before + c->after == 1 ? "it" : "them");
    buf_printf(out, "%*s%s", FOLD_INDENT, "", style_on(t, STYLE_DIM));
    width_wrap(out, line.p, line.len, &wrap);
    buf_printf(out, "%s\n", style_off(t, STYLE_DIM));
}

void
show_plan(struct buf *out, const struct term *t, const struct aiaction *a,
          const struct plan *p, const struct show_how *how)
{
    CLEANUP(badge_done) struct badge badge;
    CLEANUP(machine_free_p) struct machine *m = machine_new(NULL, NULL);
    const struct remarked of = {t, a, p, m};
    const struct plan_checks *folded = how->folded;
    size_t column = command_column(a, t, folded);
    bool same;

    find_badge(&badge, a, p);
    same = badge.text.len > 0;
    put_title(out, t, a->summary, &badge, how->facts);
    for (size_t i = 0; i < a->n; i++) {
        if (plan_checks_has(folded, i, a->n))
            continue;
        put_step(out, t, &a->steps[i], i, column);
        show_remarks(out, &of, i, !same, !how->keys);
    }
    if (folded && folded->before + folded->after > 0)
        put_folded(out, t, folded);
    buf_ch(out, '\n');
}

void
show_unfolded(struct buf *out, const struct term *t, const struct aiaction *a,
              const struct plan *p, const struct plan_checks *folded)
{
    CLEANUP(machine_free_p) struct machine *m = machine_new(NULL, NULL);
    const struct remarked of = {t, a, p, m};

    for (size_t i = 0; i < a->n; i++) {
        const struct judgement *j = plan_judgement(p, i);

        if (!plan_checks_has(folded, i, a->n) && !show_effects_more(j))
            continue;
        put_step(out, t, &a->steps[i], i, 0);
        show_remarks(out, &of, i, true, true);
    }
    buf_ch(out, '\n');
}

bool
show_can_unfold(const struct aiaction *a, const struct plan *p,
                const struct plan_checks *folded)
{
    for (size_t i = 0; i < a->n; i++) {
        if (plan_checks_has(folded, i, a->n) ||
            show_effects_more(plan_judgement(p, i)))
            return true;
    }
    return false;
}
