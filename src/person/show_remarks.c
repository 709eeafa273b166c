/* SPDX-License-Identifier: GPL-3.0-or-later */
/* show_remarks.c - what stands below a step. */
#include "person/show_remarks.h"

#include <string.h>

#include "base/path.h"
#include "guard/effects/effects_text.h"
#include "person/show_command.h"
#include "person/show_missing.h"
#include "person/show_plan.h"
#include "term/escape.h"
#include "term/width.h"

#define PLAN_TEXT_MAX                                                          \
    (4u << 20)           /* 32 commands of 16 KiB, all of it escapes           \
                          */
#define EFFECTS_SHOWN 10 /* paths that are listed by name */
#define REMARK_INDENT 5
/* Where text goes on that was broken: no part of it can pass for a line of its
 * own, which would say what the step's walls are. */
#define HANGING 7

void
show_remark(struct buf *out, const struct term *t, enum style s,
            const char *label, const char *text)
{
    CLEANUP_BUF struct buf line = buf_of(PLAN_TEXT_MAX);
    struct width_wrap wrap = {.columns = (size_t)t->columns,
                              .start = REMARK_INDENT,
                              .indent = HANGING};

    buf_str(&line, label);
    show_words(&line, t, text);
    buf_printf(out, "%*s%s", REMARK_INDENT, "", style_on(t, s));
    width_wrap(out, line.p, line.len, &wrap);
    buf_printf(out, "%s\n", style_off(t, s));
}

static struct risk_context
place_of(const struct judgement *j)
{
    return (struct risk_context){.cwd = j->directory, .home = path_home()};
}

static bool
only_deletes(const struct effects *x)
{
    for (size_t i = 0; i < x->n_paths; i++) {
        if (x->paths[i].use != RISK_DELETES)
            return false;
    }
    return x->n_paths > 0 && x->n_processes == 0;
}

/* The reason, without "rm deletes files" where a line names what is deleted.
 */
static const char *
beyond_loss(const struct judgement *j)
{
    const struct guard_finding *f = &j->found;
    size_t n = strlen(f->reason);

    if (f->reason_kind != GUARD_REASON_LOSS || !only_deletes(&f->effects) ||
        strlen(j->reason) < n)
        return j->reason;
    return j->reason + n + (j->reason[n] ? strlen("; ") : 0);
}

static bool
is_warned_of(const struct judgement *j)
{
    return j->destructive || j->privileged || j->hidden || j->refused ||
           j->terminal;
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
    buf_printf(out, "%*s%s", REMARK_INDENT, "", label);
    show_command_line(out, t, text.p, text.len,
                      REMARK_INDENT + sizeof(label) - 1);
}

/* One line: what is lost, and what else there is to know before a yes. */
static void
put_risk(struct buf *out, const struct term *t, const struct judgement *j)
{
    const struct risk_context where = place_of(j);
    CLEANUP_BUF struct buf text = buf_of(PLAN_TEXT_MAX);
    const char *why = j->reason;

    (void)effects_summary(&j->found.effects, &where,
                          style_symbol(t, SYMBOL_DOT), &text);
    if (text.len > 0)
        why = beyond_loss(j);
    if (why[0])
        buf_printf(&text, "%s%s", text.len ? "; " : "", why);
    if (text.len == 0)
        return;
    if (is_warned_of(j))
        show_remark(out, t, STYLE_ERROR, "! ", text.p);
    else
        show_remark(out, t, STYLE_DIM, "", text.p);
}

bool
show_effects_more(const struct judgement *j)
{
    return effects_has_more(&j->found.effects);
}

void
show_effects(struct buf *out, const struct term *t, const struct judgement *j)
{
    const struct risk_context where = place_of(j);
    CLEANUP_BUF struct buf text = buf_of(PLAN_TEXT_MAX);

    if (!show_effects_more(j))
        return;
    (void)effects_list(&j->found.effects, &where, REMARK_INDENT + 2,
                       EFFECTS_SHOWN, &text);
    style_str(out, t, STYLE_DIM, text.p);
}

static void
put_dirs(struct buf *out, const struct profile_choice *c, const char *before)
{
    char text[PATH_MAX];

    for (size_t i = 0; i < c->n_writable; i++)
        buf_printf(out, "%s%s", i ? ", " : before,
                   path_short(c->writable[i], path_home(), text));
}

/* What Landlock keeps alone, and what that does not keep of a step that
 * writes. */
static void
put_reduced(struct buf *out, const struct profile_choice *c)
{
    bool here = c->profile == PROFILE_REDUCED;

    if (!here)
        buf_printf(out, "%s, ", profile_row(c->profile)->name);
    buf_str(out, "reduced: no namespaces here");
    if (!here && c->n_writable == 0)
        return;
    buf_str(out, here ? "; writes only in this directory" : "; writes only in");
    put_dirs(out, c, here ? " and " : " ");
    buf_str(out, c->net ? ", with network" : ", no network");
    buf_str(out, "; mode, owner and times of other files can change, secrets "
                 "in these directories can be replaced or deleted, though not "
                 "read, and what git runs is put back only afterwards");
}

static void
put_profile(struct buf *out, const struct profile_choice *c)
{
    if (c->profile == PROFILE_WORKSPACE_WRITE && !c->rest) {
        buf_str(out, "writes only in this directory");
        put_dirs(out, c, " and ");
        buf_str(out, c->net ? ", with network" : ", no network");
        return;
    }
    if (c->reduced) {
        put_reduced(out, c);
    } else {
        buf_printf(out, "%s%s", profile_row(c->profile)->name,
                   c->net ? " with network" : "");
        put_dirs(out, c, ", writes in ");
    }
    put_added(out, c, false, ", adds ");
    put_added(out, c, true, ", adds to ");
    if (c->why[0])
        buf_printf(out, " (%s)", c->why);
    if (c->rest)
        buf_printf(out, "; %s alone: %s", path_base(c->reader[0]),
                   profile_row(PROFILE_OBSERVE_PROC)->name);
}

enum style
show_walls(struct buf *out, const struct judgement *j)
{
    bool none = !j->tool && j->found.profile.profile == PROFILE_FULL;

    if (j->refused)
        return STYLE_DIM;
    buf_str(out, "sandbox: ");
    if (j->tool)
        buf_str(out, j->walls);
    else
        put_profile(out, &j->found.profile);
    return none ? STYLE_WARNING : STYLE_DIM;
}

static void
put_walls(struct buf *out, const struct term *t, const struct judgement *j)
{
    CLEANUP_BUF struct buf text = buf_of(PLAN_TEXT_MAX);
    enum style s = show_walls(&text, j);

    if (text.len > 0)
        show_remark(out, t, s, "", text.p);
}

void
show_remarks(struct buf *out, const struct remarked *of, size_t step,
             bool walls, bool each)
{
    const struct term *t = of->t;
    const struct judgement *j = of->p ? plan_judgement(of->p, step) : NULL;
    const struct step *s = &of->a->steps[step];
    CLEANUP_BUF struct buf missing = buf_of(PLAN_TEXT_MAX);

    put_call(out, t, s);
    if (s->directory && s->directory[0])
        show_remark(out, t, STYLE_DIM, "in ", j ? j->directory : s->directory);
    if (!j)
        return;
    put_risk(out, t, j);
    if (each)
        show_effects(out, t, j);
    show_uninstalled(&missing, of->p, step, of->machine);
    if (missing.len > 0 && j->found.reason_kind != GUARD_REASON_UNINSTALLED)
        show_remark(out, t, STYLE_DIM, "", missing.p);
    buf_clear(&missing);
    show_missing(&missing, t, of->p, step);
    if (missing.len > 0)
        show_remark(out, t, STYLE_DIM, "", missing.p);
    if (walls)
        put_walls(out, t, j);
}
