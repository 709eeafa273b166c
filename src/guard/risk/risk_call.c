/* SPDX-License-Identifier: GPL-3.0-or-later */
/* risk_call.c - analyses one call: finds out whose name it is, and what it
 * does. */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/path.h"
#include "guard/path/path_table.h"
#include "guard/risk/risk_findings.h"
#include "guard/risk/risk_internal.h"
#include "guard/risk/risk_paths.h"
#include "guard/risk/risk_variable.h"
#include "guard/risk/risk_verbs.h"

#define NAMES_MAX 64 /* program paths that are cached */
#define WRAPS_MAX 64 /* sudo env nice … rm */

/* Searches PATH from the working directory at this place of the line. */
static const char *
search_program(struct risk_state *st, const char *name)
{
    char path[PATH_MAX];

    if (!path_find_in(st->where->path, st->directory->dir, name, path))
        return NULL;
    return risk_copy(st, path, strlen(path));
}

static const char *
find_path(struct risk_state *st, const char *name)
{
    const char *dir = st->directory->dir;
    struct risk_name *known;

    if (strchr(name, '/'))
        return name;
    for (known = st->found; known; known = known->next)
        if (strcmp(known->name, name) == 0 && known->dir == dir)
            return known->text;
    known = risk_alloc(st, sizeof(*known));
    if (!known || st->n_found >= NAMES_MAX)
        return NULL;
    st->n_found++;
    known->name = name;
    known->dir = dir;
    known->text = search_program(st, name);
    known->next = st->found;
    st->found = known;
    return known->text;
}

/* /usr/bin/rm is rm; ./rm may be any program. */
static bool
is_in_program_directory(const char *name)
{
    char path[PATH_MAX];

    if (!strchr(name, '/'))
        return true;
    if (name[0] != '/' ||
        snprintf(path, sizeof(path), "%s", name) >= (int)sizeof(path))
        return false;
    path_clean(path);
    return path_is(path, PATH_IS_PROGRAMS);
}

static void
fill_call(struct risk_state *st, struct risk_call *c,
          const struct risk_frame *f, const struct risk_arg *v, size_t n)
{
    const char **argv = risk_alloc(st, (n + 1) * sizeof(*argv));
    unsigned *expands = risk_alloc(st, (n + 1) * sizeof(*expands));

    c->wrapper = f->wrapper;
    c->from = v[0].from;
    c->to = v[n - 1].to;
    if (!argv || !expands)
        return;
    for (size_t i = 0; i < n; i++) {
        argv[i] = v[i].text;
        expands[i] = v[i].known ? v[i].flags & ~SYNTAX_EXPANDS : v[i].flags;
        if (!v[i].known || v[i].tilde || v[i].pattern)
            expands[i] |= SYNTAX_EXPANDS;
        if (v[i].pattern)
            expands[i] |= SYNTAX_PATTERN;
    }
    c->argv = argv;
    c->expands = expands;
    c->n = n;
}

static void
drop_call(struct risk *r, size_t at)
{
    if (at >= r->n_calls)
        return;
    r->n_calls--;
    memmove(&r->calls[at], &r->calls[at + 1],
            (r->n_calls - at) * sizeof(r->calls[0]));
}

static bool
check_name(struct risk_state *st, const struct risk_arg *a)
{
    if (!a->known || a->pattern || a->process) {
        risk_report_unread(st, a->from, a->to,
                           "cannot tell what runs: an expansion decides");
        return false;
    }
    if ((a->text[0] == '!' && a->text[1]) || a->text[0] == '^') {
        risk_report_unread(st, a->from, a->to, "runs an earlier command again");
        return false;
    }
    if (a->text[0] == '=' && a->text[1]) {
        risk_report_unread(st, a->from, a->to,
                           "zsh puts the path of a program in its place");
        return false;
    }
    if (risk_homoglyph_in_name(a->text)) {
        risk_report_unread(st, a->from, a->to,
                           "the command's name is not what it looks like");
        return false;
    }
    return true;
}

static bool
is_being_called(const struct risk_frame *f, const char *name)
{
    for (; f; f = f->outer)
        if (f->function && strcmp(f->function, name) == 0)
            return true;
    return false;
}

static bool
is_body_active(const struct risk_frame *f, const struct syntax_node *body)
{
    while (f && f->body != body)
        f = f->outer;
    return f != NULL;
}

/* Reads the body of a function that the line defines, with these arguments. */
static void
walk_function(struct risk_state *st, const struct risk_frame *f,
              const struct risk_name *d, const struct risk_arg *v, size_t n)
{
    struct risk_args words = {.v = (struct risk_arg *)v + 1, .n = n - 1};
    struct risk_frame inner = *f;
    const struct risk_saved *locals;
    bool shifted;

    if (f->depth >= RISK_NEST_MAX) {
        risk_report_unread(st, v[0].from, v[0].to,
                           "functions are nested too deeply to check");
        return;
    }
    inner.outer = f;
    inner.syntax = d->syntax;
    inner.body = d->body;
    inner.function = d->name;
    inner.positional = &words;
    inner.depth++;
    inner.mapped = f->mapped || d->syntax != st->line;
    if (inner.mapped && !f->mapped) {
        inner.from = v[0].from;
        inner.to = v[0].to;
    }
    locals = st->locals;
    shifted = st->shifted;
    st->in_function++;
    st->shifted = st->shifts_often;
    risk_walk(st, &inner);
    st->shifted = shifted;
    st->in_function--;
    risk_variable_restore(&st->locals, locals);
}

/* Reads every definition that may be in force, the last one first. True: one
 * surely is, so that no program of that name runs. */
static bool
run_function(struct risk_state *st, const struct risk_frame *f,
             const struct risk_arg *v, size_t n)
{
    bool active;

    for (const struct risk_name *d = st->functions; d; d = d->next) {
        if (strcmp(d->name, v[0].text) != 0 ||
            (d->shell != f->shell && !d->exported))
            continue;
        active = is_body_active(f, d->body);
        if (active && (n > 1 || st->variables))
            risk_report_unread(st, v[0].from, v[0].to,
                               "calls itself with unknown arguments");
        if (!active)
            walk_function(st, f, d, v, n);
        if (active || (d->certain && d->shell == f->shell))
            return true;
    }
    return false;
}

/* An alias may be in force or not: only an interactive shell has them, and only
 * from the next line on. So its text is read in addition to the program. */
static void
run_alias(struct risk_state *st, const struct risk_frame *f,
          const struct risk_arg *v, size_t n)
{
    const struct risk_name *d = st->aliases;
    struct risk_frame inner = *f;
    const char *text;

    while (d && strcmp(d->name, v[0].text) != 0)
        d = d->next;
    if (!d || is_being_called(f, d->name))
        return;
    if (st->expands_aliases || f->shell > 0)
        risk_report_unread(st, v[0].from, v[0].to,
                           "an alias may change what is read");
    text = d->text;
    for (size_t i = 1; i < n; i++)
        text = risk_join(st, risk_join(st, text, " "), v[i].text);
    inner.outer = f;
    inner.function = d->name;
    inner.from = v[0].from;
    inner.to = v[n - 1].to;
    inner.mapped = true;
    risk_walk_text(st, &inner, text, true);
}

/* Reports that an environment variable of the line may change what the program
 * does. */
static void
report_inherited_variable(struct risk_state *st, const struct risk_frame *f,
                          const struct risk_arg *v,
                          const struct program *program)
{
    const char *name = f->variable ? f->variable : st->variable;

    if (!name || f->elsewhere ||
        (program && program->flags & PROGRAM_IS_BUILTIN))
        return;
    risk_report(st, RISK_UNKNOWN,
                (struct risk_reason){
                    .kind = RISK_KIND_VARIABLE,
                    .program = "",
                    .about = name,
                    .from = v->from,
                    .to = v->to,
                    .says = "a variable may change what the program does"});
}

/* Reports existing output files of an unlisted program: -o FILE, -oFILE,
 * --output=FILE, -out FILE. */
static void
touch_outputs(struct risk_state *st, const struct risk_frame *f,
              const struct risk_parsed *p)
{
    for (size_t i = 0; i < p->n; i++) {
        const char *text = p->v[i].text, *equals = strchr(text, '=');
        size_t n = equals ? (size_t)(equals - text) : strlen(text);
        struct risk_arg file = p->v[i];

        if ((n >= 4 && (strncmp(text, "--out", n < 5 ? n : 5) == 0 ||
                        strncmp(text, "-out", 4) == 0)) ||
            strcmp(text, "-o") == 0) {
            if (!equals && i + 1 >= p->n)
                return;
            file = equals ? file : p->v[i + 1];
            file.text = equals ? equals + 1 : file.text;
        } else if (text[0] == '-' && text[1] == 'o') {
            file.text = text + 2;
        } else {
            continue;
        }
        file.glob = file.text;
        if (file.known && risk_path_exists(st, &file))
            risk_path_touch(st, f, &file, RISK_CHANGES, false, p->name);
    }
}

/* A program in no table: only its words tell what it does. */
static void
analyze_unlisted(struct risk_state *st, const struct risk_frame *f,
                 const struct risk_parsed *p)
{
    const struct risk_arg *name = p->v - 1, *word;

    risk_report(st, RISK_UNKNOWN,
                (struct risk_reason){.kind = RISK_KIND_UNLISTED,
                                     .program = p->name,
                                     .from = name->from,
                                     .to = name->to,
                                     .says = "is an unknown command"});
    if (risk_verbs_ask_for_help(p))
        return;
    if ((word = risk_verbs_harmful(p, false)))
        risk_report_program(st, RISK_DESTRUCTIVE, word->from, word->to, p->name,
                            "its first word means deleting or stopping");
    if (f->input.kind == RISK_INPUT_UNKNOWN && st->out->facts & RISK_NETWORK)
        risk_report_unread(st, name->from, name->to,
                           "cannot tell what it does with its input");
    touch_outputs(st, f, p);
}

/* Applies the program's table, and reports where an unusual path leads.
 * True: the call only wraps others. */
static bool
analyze_program(struct risk_state *st, const struct risk_frame *f,
                const struct risk_arg *v, size_t n)
{
    struct risk_parsed p;
    bool known = risk_parse_args(st, v, n, &p);

    report_inherited_variable(st, f, &v[0], known ? p.program : NULL);
    if (!is_in_program_directory(v[0].text)) {
        risk_report(st, RISK_UNKNOWN,
                    (struct risk_reason){.kind = RISK_KIND_FILE,
                                         .program = v[0].text,
                                         .about = v[0].text,
                                         .dir = st->directory->dir,
                                         .from = v[0].from,
                                         .to = v[0].to,
                                         .says = "is not a known program"});
        if (risk_path_is_made(st, &v[0]) || risk_path_is_fetched(st, &v[0]))
            risk_report_unread(st, v[0].from, v[0].to,
                               "runs a file that the same line creates");
    }
    if (!known) {
        analyze_unlisted(st, f, &p);
        return false;
    }
    return risk_apply_rules(st, f, &p);
}

void
risk_analyze_call(struct risk_state *st, const struct risk_frame *f,
                  const struct risk_arg *v, size_t n)
{
    unsigned outer = st->facts;
    struct risk_call *call;
    size_t at;
    bool wraps;

    if (n == 0 || ++st->steps > RISK_STEPS_MAX || st->wraps >= WRAPS_MAX) {
        st->full = st->full || n > 0;
        return;
    }
    if (v[0].known && !f->external) {
        if (run_function(st, f, v, n))
            return;
        run_alias(st, f, v, n);
    }
    at = st->out->n_calls;
    call = risk_add_call(st);
    if (!call)
        return;
    fill_call(st, call, f, v, n);
    st->facts = f->facts;
    st->wraps++;
    if (check_name(st, &v[0])) {
        call->name = risk_copy(st, path_base(v[0].text),
                               strlen(path_base(v[0].text)));
        call->path = find_path(st, v[0].text);
        wraps = analyze_program(st, f, v, n);
        st->out->calls[at].facts = st->facts;
        if (wraps)
            drop_call(st->out, at);
    } else {
        call->facts = st->facts;
    }
    st->wraps--;
    st->facts = outer | st->facts;
}
