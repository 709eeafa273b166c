/* SPDX-License-Identifier: GPL-3.0-or-later */
/* step_remarks.c - writes the remarks below a step. */
#include "ui/step_remarks.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "action/plan.h"
#include "action/step_sandbox.h"
#include "action/undo_files.h"
#include "action/undo_paths.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/message.h"
#include "base/message_put.h"
#include "base/path.h"
#include "guard/effects/effects_text.h"
#include "offline/engine/installed.h"
#include "term/escape.h"
#include "term/term.h"
#include "term/width.h"
#include "ui/command_text.h"
#include "ui/plan_text.h"
#include "ui/shell_change.h"

#define RESTORED_SHOWN 20    /* paths; the key v shows all */
#define NAMED_MAX      4     /* missing files; more would hide the step */
#define NAME_BYTES     16384 /* of a file name, all of it escapes */
#define AROUND         8     /* columns: the indent, and what follows a name */
#define MAKES          (RISK_WRITES | RISK_OPAQUE | RISK_ACTS | RISK_UNKNOWN)
#define EFFECTS_SHOWN  10 /* paths that are listed by name */
#define REMARK_INDENT  5

/* Whether the call is of a program in a list that ends with NULL. */
static bool
is_program_in(const struct risk_call *c, const char *const *names)
{
    for (; *names; names++) {
        if (strcmp(c->name, *names) == 0)
            return true;
    }
    return false;
}

/* Programs whose words are files that must exist. Words of other programs may
 * be something else (fuser 8080/tcp, find !). */
static bool
needs_files(const struct risk_call *c)
{
    static const char *const names[] = {
        "awk",    "base64",   "bunzip2", "bzip2",     "cat",   "chgrp",
        "chmod",  "chown",    "cmp",     "comm",      "cp",    "cut",
        "diff",   "du",       "file",    "fold",      "grep",  "gunzip",
        "gzip",   "head",     "jq",      "less",      "ls",    "md5sum",
        "more",   "mv",       "nl",      "paste",     "patch", "rm",
        "rmdir",  "sed",      "sha1sum", "sha256sum", "shred", "sort",
        "source", "split",    "tac",     "tail",      "tar",   "tee",
        "tr",     "truncate", "uniq",    "unlink",    "unxz",  "unzip",
        "wc",     "xz",       "zcat",    "zip",       NULL};

    return is_program_in(c, names);
}

/* Programs that change only existing files; another may create what it changes.
 */
static bool
changes_existing(const struct risk_call *c)
{
    static const char *const names[] = {"sed", "chmod", "chown", "chgrp", NULL};

    return is_program_in(c, names);
}

/* Whether the call needs the file to exist. mv needs all but the last; the
 * files that it moves count as made by it, since nothing is lost. */
static bool
is_needed_file(const struct risk *r, const struct risk_path *path)
{
    const struct risk_call *c = &r->calls[0];

    switch (path->use) {
    case RISK_READS:
    case RISK_DELETES:
        return true;
    default:
        return changes_existing(c) ||
               (path->use == RISK_MAKES && strcmp(c->name, "mv") == 0 &&
                c->n > 2 && strcmp(path->text, c->argv[c->n - 1]) != 0);
    }
}

/* Whether the file belongs to the first call of the line: later ones may use
 * files that the line makes. */
static bool
is_of_first(const struct risk *r, const struct risk_path *path)
{
    const struct risk_call *c = r->calls;
    bool inside = r->n_calls > 0 && path->from >= c->from && path->to <= c->to;

    /* "< x" stands after its call */
    return r->n_calls > 0 && needs_files(c) &&
           (inside || (r->n_calls == 1 && path->use == RISK_READS));
}

static bool
is_literal_path(const char *text)
{
    return text[0] && text[0] != '~' && text[0] != '-' &&
           !strpbrk(text, "*?[]{}$`");
}

static bool
is_file_gone(const struct risk_path *path, const char *directory)
{
    const char *dir = path->dir ? path->dir : directory;
    CLEANUP(free_p)
    char *full = path_join(path->text[0] == '/' ? "/" : dir, path->text);
    struct stat st;

    return full && lstat(full, &st) < 0 && errno == ENOENT;
}

static bool
is_missing_file(const struct risk *r, const struct risk_path *path,
                const char *directory)
{
    return path->known && is_literal_path(path->text) && is_of_first(r, path) &&
           is_needed_file(r, path) && is_file_gone(path, directory);
}

static bool
is_path_repeated(const struct risk *r, size_t i)
{
    for (size_t k = 0; k < i; k++) {
        if (strcmp(r->paths[k].text, r->paths[i].text) == 0)
            return true;
    }
    return false;
}

/* Appends a file name; one that is wider than a line is only mentioned. */
static void
put_file_name(struct buf *out, const struct term *t, const char *path)
{
    CLEANUP_BUF struct buf name = buf_of(NAME_BYTES);

    escape_str(&name, NULL, path, ESCAPE_LINES);
    if (name.bad || width_str(name.p) + AROUND > (size_t)t->columns)
        buf_str(out, _("a file that it names"));
    else
        buf_add(out, name.p, name.len);
}

/* Whether it can be known now what is missing: no earlier step makes or
 * installs anything. */
static bool
is_known_now(const struct plan *p, size_t step)
{
    for (size_t i = 0; i < step; i++) {
        if (plan_step_verdict(p, i)->found.risk.facts & MAKES ||
            plan_step_verdict(p, i)->tool)
            return false;
    }
    return true;
}

static bool
is_program_name(const char *name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz"
                                  "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                  "0123456789_-+.";

    return isalnum((unsigned char)name[0]) && !name[strspn(name, letters)];
}

static bool
is_line_function(const struct syntax *s, const char *name)
{
    for (const struct syntax_node *n = s->all; n; n = n->after)
        if (n->kind == SYNTAX_FUNCTION && n->words &&
            strcmp(n->words->text, name) == 0)
            return true;
    return false;
}

/* The first program of the step that bash would not find, and that the line
 * does not define as a function; NULL: none. */
static const char *
find_uninstalled(const struct step_verdict *v, struct installed *m)
{
    const struct risk *r = &v->found.risk;

    for (size_t i = 0; i < r->n_calls; i++) {
        const char *name = r->calls[i].name;

        if (!r->calls[i].path && is_program_name(name) &&
            !risk_is_placeholder(name) &&
            !is_line_function(&v->found.syntax, name) &&
            !installed_has(m, name))
            return name;
    }
    return NULL;
}

/* Appends "tree is not installed here" for the first program that is missing;
 * nothing where none is, where it cannot be known yet, or where m is NULL. */
static void
put_uninstalled(struct buf *out, const struct plan *p, size_t step,
                struct installed *m)
{
    const struct step_verdict *v = plan_step_verdict(p, step);
    const char *name;

    if (!m || v->tool || v->hosts || !is_known_now(p, step))
        return;
    name = find_uninstalled(v, m);
    if (name)
        buf_printf(out, _("%s is not installed here"), name);
}

/* Appends "old.txt does not exist", or "old.txt, new.txt do not exist"; nothing
 * where no file is missing or where it cannot be known yet. */
static void
put_missing_files(struct buf *out, const struct term *t, const struct plan *p,
                  size_t step)
{
    const struct step_verdict *v = plan_step_verdict(p, step);
    const struct risk *r = &v->found.risk;
    size_t n = 0;

    if (v->hosts || !is_known_now(p, step))
        return;
    for (size_t i = 0; i < r->n_paths && n < NAMED_MAX; i++) {
        if (!is_missing_file(r, &r->paths[i], v->directory) ||
            is_path_repeated(r, i))
            continue;
        buf_str(out, n++ ? ", " : "");
        put_file_name(out, t, r->paths[i].text);
    }
    if (n > 0)
        buf_str(out, P_(" does not exist", " do not exist", n));
}

/* Appends a remark as a paragraph below the step. */
static void
put_remark(struct buf *out, const struct term *t, enum style s,
           const char *label, const char *text)
{
    CLEANUP_BUF struct buf line = buf_of(PLAN_TEXT_MAX);
    struct width_wrap wrap = {.columns = (size_t)t->columns,
                              .start = REMARK_INDENT,
                              .indent = PLAN_TEXT_HANGING};

    buf_str(&line, label);
    command_text_put_paragraph(&line, t, text);
    buf_printf(out, "%*s%s", REMARK_INDENT, "", style_on(t, s));
    width_wrap(out, line.p, line.len, &wrap);
    buf_printf(out, "%s\n", style_off(t, s));
}

static struct path_context
place_of_step(const struct seat *s, const struct step_verdict *v)
{
    return (struct path_context){.cwd = v->directory, .home = seat_home(s)};
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

/* The reason, without "rm deletes files" where a line lists what is deleted. */
static const char *
reason_without_loss(const struct step_verdict *v)
{
    const struct guard_finding *f = &v->found;
    size_t n = strlen(f->reason);

    if (f->reason_kind != GUARD_REASON_LOSS || !only_deletes(&f->effects) ||
        strlen(v->reason) < n)
        return v->reason;
    return v->reason + n + (v->reason[n] ? strlen("; ") : 0);
}

static bool
is_warned_of(const struct step_verdict *v)
{
    return v->destructive || v->privileged || v->hidden || v->refused ||
           v->terminal;
}

/* Appends the tool call that runs in place of the command. */
static void
put_tool_line(struct buf *out, const struct term *t, const struct step *s)
{
    CLEANUP_BUF struct buf call = buf_of(PLAN_TEXT_MAX);
    CLEANUP_BUF struct buf text = buf_of(PLAN_TEXT_MAX);
    const char *label = _("runs ");

    if (!s->tool)
        return;
    aiaction_put_call(&call, s);
    escape_str(&text, t, call.p, ESCAPE_LINES);
    buf_printf(out, "%*s%s", REMARK_INDENT, "", label);
    command_text_put_line(out, t, text.p, text.len,
                          REMARK_INDENT + width_str(label));
}

/* Appends a remark about what is lost and what else speaks against approval. */
static void
put_risk(struct buf *out, const struct term *t, const struct seat *s,
         const struct step_verdict *v)
{
    const struct path_context where = place_of_step(s, v);
    CLEANUP_BUF struct buf text = buf_of(PLAN_TEXT_MAX);
    const char *why = v->reason;

    (void)effects_summary(&v->found.effects, &where,
                          style_symbol(t, SYMBOL_DOT), &text);
    if (text.len > 0)
        why = reason_without_loss(v);
    if (why[0] && text.len)
        buf_str(&text, "; ");
    (void)message_put(&text, why);
    if (text.len == 0)
        return;
    if (is_warned_of(v))
        put_remark(out, t, STYLE_ERROR, "! ", text.p);
    else
        put_remark(out, t, STYLE_DIM, "", text.p);
}

bool
step_remarks_has_more(const struct step_verdict *v)
{
    return effects_has_more(&v->found.effects) ||
           (v->undoing && v->undoing->n > RESTORED_SHOWN);
}

/* Appends the paths that the remark about the loss does not name, one on a
 * line; nothing where it names all. */
static void
put_effects(struct buf *out, const struct term *t, const struct seat *s,
            const struct step_verdict *v)
{
    const struct path_context where = place_of_step(s, v);
    CLEANUP_BUF struct buf text = buf_of(PLAN_TEXT_MAX);

    if (!step_remarks_has_more(v))
        return;
    (void)effects_list(&v->found.effects, &where, REMARK_INDENT + 2,
                       EFFECTS_SHOWN, &text);
    style_str(out, t, STYLE_DIM, text.p);
}

enum style
step_remarks_sandbox(struct buf *out, const struct seat *s,
                     const struct step_verdict *v)
{
    bool none = !v->tool && v->found.profile.profile == PROFILE_FULL;

    if (v->refused)
        return STYLE_DIM;
    if (v->hosts) {
        buf_str(out, _("on "));
        host_list_put(v->hosts, out);
        buf_str(out, "; ");
    }
    buf_str(out, _("sandbox: "));
    step_sandbox_write(out, s, v);
    return none ? STYLE_WARNING : STYLE_DIM;
}

static void
put_sandbox_remark(struct buf *out, const struct term *t,
                   const struct seat *seat, const struct step_verdict *v)
{
    CLEANUP_BUF struct buf text = buf_of(PLAN_TEXT_MAX);
    enum style s = step_remarks_sandbox(&text, seat, v);

    if (text.len > 0)
        put_remark(out, t, s, "", text.p);
}

/* Appends what the step does to the user's own shell, as it will be done, or
 * is to be typed where no shell reads it from us. */
static void
put_shell_change(struct buf *out, const struct term *t, const struct seat *seat,
                 const struct step *s, const struct step_verdict *v)
{
    CLEANUP_BUF struct buf text = buf_of(PLAN_TEXT_MAX);

    if (!shell_change_of(s, v, NULL, &text))
        return;
    put_remark(out, t, STYLE_DIM,
               shell_change_is_possible(seat) ? _("then in your shell: ")
                                              : _("in your shell, type: "),
               text.p);
}

/* Appends the paths that the step puts back, one on a line: all, or the first.
 */
static void
put_restored(struct buf *out, const struct term *t, const struct step *s,
             const struct undo_files *f, bool each)
{
    size_t n = s->restores.n;
    size_t shown = each || n <= RESTORED_SHOWN ? n : RESTORED_SHOWN;
    char more[64];

    for (size_t i = 0; i < shown; i++) {
        const struct undo_item *item = f->order[s->restores.from + i];
        CLEANUP_BUF struct buf path = buf_of(PLAN_TEXT_MAX);
        CLEANUP_BUF struct buf line = buf_of(PLAN_TEXT_MAX);

        escape_str(&path, t, item->path, ESCAPE_LINES);
        buf_printf(&line, "%s  %s", path.p, _(undo_files_act(item)));
        put_remark(out, t, STYLE_DIM, "", line.p);
    }
    if (shown == n)
        return;
    snprintf(more, sizeof(more), _("and %zu more"), n - shown);
    put_remark(out, t, STYLE_DIM, "", more);
}

/* Appends whether the step can be undone; nothing where it changes nothing. */
static void
put_undo_remark(struct buf *out, const struct term *t,
                const struct step_verdict *v)
{
    char text[UNDO_TEXT_SIZE];

    undo_paths_describe(v, true, text);
    if (text[0])
        put_remark(out, t, STYLE_DIM, "", text);
}

void
step_remarks_put(struct buf *out, const struct step_remarks_plan *of,
                 size_t step, bool sandbox, bool each)
{
    const struct term *t = of->t;
    const struct step_verdict *v = of->p ? plan_step_verdict(of->p, step)
                                         : NULL;
    const struct seat *seat = of->p ? plan_seat(of->p) : NULL;
    const struct step *s = &of->a->steps[step];
    CLEANUP_BUF struct buf missing = buf_of(PLAN_TEXT_MAX);

    put_tool_line(out, t, s);
    if (s->directory && s->directory[0])
        put_remark(out, t, STYLE_DIM, _("in "),
                   v ? v->directory : s->directory);
    if (!v)
        return;
    if (v->undoing)
        put_restored(out, t, s, v->undoing, each);
    else
        put_risk(out, t, seat, v);
    put_shell_change(out, t, seat, s, v);
    if (each)
        put_effects(out, t, seat, v);
    put_uninstalled(&missing, of->p, step, of->machine);
    if (missing.len > 0 && v->found.reason_kind != GUARD_REASON_UNINSTALLED)
        put_remark(out, t, STYLE_DIM, "", missing.p);
    buf_clear(&missing);
    put_missing_files(&missing, t, of->p, step);
    if (missing.len > 0)
        put_remark(out, t, STYLE_DIM, "", missing.p);
    if (sandbox)
        put_sandbox_remark(out, t, seat, v);
    put_undo_remark(out, t, v);
}
