/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plan_text.c - writes a plan as the user reads it before they approve it. */
#include "ui/plan_text.h"

#include <inttypes.h>
#include <string.h>

#include "base/message.h"
#include "base/shell_quote.h"
#include "term/escape.h"
#include "term/menu_draw.h"
#include "term/style.h"
#include "term/width.h"
#include "ui/command_text.h"
#include "ui/step_remarks.h"
#include "ui/user_shell.h"

/* A step with one of these facts must be shown. */
#define NOT_A_CHECK (RISK_ASKED | RISK_WRITES)
#define INDENT      5 /* "  1  " */
#define FOLD_INDENT 2 /* of the line about what is folded */
/* Column of a command below its description: a remark begins elsewhere. */
#define BELOW      7
#define COLUMN_MAX 40 /* of a description that stands beside its command */
#define GAP        2

static bool
is_check(const struct step *s, const struct step_verdict *v)
{
    const struct profile_choice *c = &v->found.profile;

    return !s->tool && !v->reason[0] && v->decision == GUARD_ALLOW &&
           !v->destructive && !v->privileged && !v->hidden && !v->refused &&
           !v->secret && !v->alone && !c->net && c->n_writable == 0 &&
           !(v->found.risk.facts & NOT_A_CHECK);
}

struct plan_checks
plan_text_find_checks(const struct aiaction *a, const struct plan *p)
{
    struct plan_checks c = {0};

    while (c.before < a->n &&
           is_check(&a->steps[c.before], plan_step_verdict(p, c.before)))
        c.before++;
    if (c.before == a->n)
        return (struct plan_checks){0};
    while (is_check(&a->steps[a->n - 1 - c.after],
                    plan_step_verdict(p, a->n - 1 - c.after)))
        c.after++;
    return c;
}

bool
plan_text_is_folded(const struct plan_checks *c, size_t i, size_t n)
{
    return c && (i < c->before || i >= n - c->after);
}

/* Appends a part of the tokens that were read: "(900 cached, 100 written)". */
static void
put_cache_tokens(struct buf *out, const struct conversation_usage *f)
{
    const char *before = " (";

    if (f->tokens_cached > 0) {
        buf_printf(out, _(" (%lld cached"), (long long)f->tokens_cached);
        before = ", ";
    }
    if (f->tokens_cache_written > 0) {
        buf_str(out, before);
        buf_printf(out, _("%lld written"), (long long)f->tokens_cache_written);
    }
    if (f->tokens_cached > 0 || f->tokens_cache_written > 0)
        buf_ch(out, ')');
}

/* Appends "612 tokens in, 40 out", or the one of them that is known. */
static void
put_tokens(struct buf *out, const struct conversation_usage *f)
{
    if (f->tokens_in >= 0) {
        buf_printf(out, _("%lld tokens in"), (long long)f->tokens_in);
        put_cache_tokens(out, f);
    }
    if (f->tokens_out < 0)
        return;
    if (f->tokens_in >= 0)
        buf_printf(out, _(", %lld out"), (long long)f->tokens_out);
    else
        buf_printf(out, _("%lld tokens out"), (long long)f->tokens_out);
}

void
plan_text_put_facts(struct buf *out, const struct term *t, const char *model,
                    const struct conversation_usage *f)
{
    const char *dot = style_symbol(t, SYMBOL_DOT);

    escape_str(out, t, _(model), ESCAPE_LINES);
    if (f->tokens_in > 0 || f->tokens_out > 0) { /* some count none */
        buf_str(out, dot);
        put_tokens(out, f);
    }
    if (f->cost.known) {
        buf_printf(out, "%s%s", dot, f->cost.currency[0] ? "" : _("cost "));
        cost_put_short(out, &f->cost);
    }
    if (f->ms < 100)
        buf_printf(out, "%s%lld ms", dot, (long long)f->ms);
    else
        buf_printf(out, "%s%.1f s", dot, (double)f->ms / 1000);
}

/* Appends the title with single blanks: a model's words at the right, apart
 * from the others, could pass for our badge. */
static void
put_title_words(struct buf *out, const struct term *t, const char *title)
{
    struct width_wrap wrap = {.columns = (size_t)t->columns};
    CLEANUP_BUF struct buf text = buf_of(PLAN_TEXT_MAX);
    CLEANUP_BUF struct buf one = buf_of(PLAN_TEXT_MAX);

    command_text_put_paragraph(&text, t, title[0] ? title : _("A plan"));
    for (size_t i = 0; i < text.len; i++) {
        if (text.p[i] != ' ' || (one.len > 0 && one.p[one.len - 1] != ' '))
            buf_ch(&one, text.p[i]);
    }
    width_wrap(out, one.p, one.len, &wrap);
}

/* The sandbox that all steps have; "": they differ. */
struct badge {
    struct buf text;
    enum style style;
};

/* Title at the left, sandbox and facts at the right where all fit; else below
 * it, indented further than any part of a title. */
static void
put_plan_title(struct buf *out, const struct term *t, const char *title,
               const struct badge *badge, const char *facts)
{
    CLEANUP_BUF struct buf text = buf_of(PLAN_TEXT_MAX);
    CLEANUP_BUF struct buf beside = buf_of(PLAN_TEXT_MAX);
    struct width_wrap wrap = {.columns = (size_t)t->columns,
                              .start = INDENT,
                              .indent = PLAN_TEXT_HANGING};
    size_t columns = (size_t)t->columns, used, wide;

    put_title_words(&text, t, title);
    style_str(out, t, STYLE_TITLE, text.p);
    if (badge->text.len > 0)
        style_add(&beside, t, badge->style, badge->text.p, badge->text.len);
    if (facts && facts[0]) {
        buf_str(&beside, style_on(t, STYLE_DIM));
        if (badge->text.len > 0)
            buf_str(&beside, style_symbol(t, SYMBOL_DOT));
        buf_printf(&beside, "%s%s", facts, style_off(t, STYLE_DIM));
    }
    used = width_str(text.p);
    wide = width_str(beside.p);
    if (beside.len == 0) {
        ;
    } else if (!t->plain && !strchr(text.p, '\n') &&
               used + GAP + wide <= columns) {
        buf_printf(out, "%*s%s", (int)(columns - used - wide), "", beside.p);
    } else {
        buf_printf(out, "\n%*s", INDENT, "");
        width_wrap(out, beside.p, beside.len, &wrap);
    }
    buf_str(out, "\n\n");
}

/* The column of the commands: after the widest description that is not wider
 * than COLUMN_MAX; 0: they stand below. */
static size_t
command_column(const struct aiaction *a, const struct term *t,
               const struct plan_checks *folded)
{
    size_t widest = 0;

    for (size_t i = 0; i < a->n; i++) {
        size_t w = width_str(aiaction_step_shown(&a->steps[i]));

        if (w > widest && w <= COLUMN_MAX &&
            !plan_text_is_folded(folded, i, a->n))
            widest = w;
    }
    return t->plain || (size_t)t->columns < 2 * COLUMN_MAX
               ? 0
               : INDENT + widest + GAP;
}

static void
put_step_line(struct buf *out, const struct term *t, const struct step *s,
              size_t i, size_t column)
{
    CLEANUP_BUF struct buf text = buf_of(PLAN_TEXT_MAX);
    struct width_wrap wrap = {.columns = (size_t)t->columns,
                              .start = INDENT,
                              .indent = PLAN_TEXT_HANGING};
    size_t wide;

    command_text_put_paragraph(&text, t, aiaction_step_shown(s));
    wide = INDENT + width_str(text.p);
    buf_printf(out, "%3zu  ", i + 1);
    if (column > wide &&
        (!t->tty || command_text_fits(t, s->command, column))) {
        buf_add(out, text.p, text.len);
        buf_printf(out, "%*s", (int)(column - wide), "");
        command_text_put(out, t, s->command, column);
        return;
    }
    width_wrap(out, text.p, text.len, &wrap);
    buf_printf(out, "\n%*s", BELOW, "");
    command_text_put(out, t, s->command, BELOW);
}

void
plan_text_put_root(struct buf *out, const struct term *t,
                   const char *const *argv)
{
    CLEANUP_BUF struct buf words = buf_of(PLAN_TEXT_MAX);
    CLEANUP_BUF struct buf text = buf_of(PLAN_TEXT_MAX);
    const char *label = _("as root: ");

    for (size_t i = 0; argv[i]; i++) {
        if (i > 0)
            buf_ch(&words, ' ');
        shell_quote_word(&words, argv[i]);
    }
    escape_str(&text, t, words.p, ESCAPE_LINES);
    style_str(out, t, STYLE_WARNING, label);
    command_text_put_line(out, t, text.p, text.len, width_str(label));
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

        b->style = step_remarks_sandbox(&own, plan_seat(p),
                                        plan_step_verdict(p, i));
        if (i == 0)
            buf_add(&b->text, own.p, own.len);
        else if (strcmp(b->text.p, own.p) != 0)
            buf_clear(&b->text);
        if (b->text.len == 0)
            return;
    }
}

void
plan_text_put_step(struct buf *out, const struct term *t,
                   const struct aiaction *a, const struct plan *p, size_t i)
{
    CLEANUP(installed_free_p)
    struct installed *m = installed_new(plan_seat(p), NULL);
    const struct step_remarks_plan of = {t, a, p, m};

    put_step_line(out, t, &a->steps[i], i, 0);
    step_remarks_put(out, &of, i, true, true);
}

void
plan_text_put_refused(struct buf *out, const struct term *t,
                      const struct aiaction *a, const struct plan *p)
{
    for (size_t i = 0; i < a->n; i++) {
        const struct step_verdict *v = plan_step_verdict(p, i);
        CLEANUP_BUF struct buf command = buf_of(USER_SHELL_MAX);

        if (!v->needs_sudo || v->decision == GUARD_DENY)
            continue;
        if (v->calls_sudo)
            buf_str(&command, a->steps[i].command);
        else
            user_shell_sudo(&command, plan_seat(p), a->steps[i].command,
                            &v->found.syntax);
        if (buf_ok(&command, "the command", NULL) < 0)
            continue;
        buf_printf(out, "%*s", INDENT, "");
        command_text_put(out, t, command.p, INDENT);
    }
}

/* Appends a line such as "✓ 3 checks before, 2 after · v shows them". */
static void
put_folded_line(struct buf *out, const struct term *t,
                const struct plan_checks *c)
{
    struct width_wrap wrap = {.columns = (size_t)t->columns,
                              .start = FOLD_INDENT,
                              .indent = 2 * FOLD_INDENT};
    CLEANUP_BUF struct buf line = buf_of(PLAN_TEXT_MAX);
    struct menu_label l;

    buf_printf(&line, "%s ", style_symbol(t, SYMBOL_GOOD));
    if (c->before)
        buf_printf(&line,
                   P_("%zu check before", "%zu checks before", c->before),
                   c->before);
    if (c->after && c->before)
        buf_printf(&line, _(", %zu after"), c->after);
    else if (c->after)
        buf_printf(&line, P_("%zu check after", "%zu checks after", c->after),
                   c->after);
    buf_str(&line, style_symbol(t, SYMBOL_DOT));
    menu_label_read(&(struct menu_row){'v', "view", NULL}, &l);
    buf_printf(&line, P_("%s shows it", "%s shows them", c->before + c->after),
               t->words ? l.text : "v");
    buf_printf(out, "%*s%s", FOLD_INDENT, "", style_on(t, STYLE_DIM));
    width_wrap(out, line.p, line.len, &wrap);
    buf_printf(out, "%s\n", style_off(t, STYLE_DIM));
}

void
plan_text_put(struct buf *out, const struct term *t, const struct aiaction *a,
              const struct plan *p, const struct plan_text_options *how)
{
    CLEANUP(badge_done) struct badge badge;
    CLEANUP(installed_free_p)
    struct installed *m = installed_new(plan_seat(p), NULL);
    const struct step_remarks_plan of = {t, a, p, m};
    const struct plan_checks *folded = how->folded;
    size_t column = command_column(a, t, folded);
    bool same;

    find_badge(&badge, a, p);
    same = badge.text.len > 0;
    put_plan_title(out, t, aiaction_shown(a), &badge, how->facts);
    for (size_t i = 0; i < a->n; i++) {
        if (plan_text_is_folded(folded, i, a->n))
            continue;
        put_step_line(out, t, &a->steps[i], i, column);
        step_remarks_put(out, &of, i, !same, !how->keys);
    }
    if (folded && folded->before + folded->after > 0)
        put_folded_line(out, t, folded);
    buf_ch(out, '\n');
}

void
plan_text_put_unfolded(struct buf *out, const struct term *t,
                       const struct aiaction *a, const struct plan *p,
                       const struct plan_checks *folded)
{
    CLEANUP(installed_free_p)
    struct installed *m = installed_new(plan_seat(p), NULL);
    const struct step_remarks_plan of = {t, a, p, m};

    for (size_t i = 0; i < a->n; i++) {
        const struct step_verdict *v = plan_step_verdict(p, i);

        if (!plan_text_is_folded(folded, i, a->n) && !step_remarks_has_more(v))
            continue;
        put_step_line(out, t, &a->steps[i], i, 0);
        step_remarks_put(out, &of, i, true, true);
    }
    buf_ch(out, '\n');
}

bool
plan_text_can_unfold(const struct aiaction *a, const struct plan *p,
                     const struct plan_checks *folded)
{
    for (size_t i = 0; i < a->n; i++) {
        if (plan_text_is_folded(folded, i, a->n) ||
            step_remarks_has_more(plan_step_verdict(p, i)))
            return true;
    }
    return false;
}
