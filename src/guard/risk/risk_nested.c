/* SPDX-License-Identifier: GPL-3.0-or-later */
/* risk_nested.c - analyses what a call runs in turn: a command line, a text for
 * a shell, code, a file. */
#include <string.h>

#include "base/array.h"
#include "guard/path/path_table.h"
#include "guard/risk/risk_findings.h"
#include "guard/risk/risk_internal.h"
#include "guard/risk/risk_paths.h"

/* A rule that is about what a call runs. */

struct nested_call {
    struct risk_state *st;
    const struct risk_parsed *p;
    const struct program_rule *rule;
    struct risk_frame inner; /* the frame for what is run */
    bool feeds; /* words from standard input are appended (xargs, fd) */
};

/* The commands of a crontab's lines, without the times at their beginnings. */
static const char *
without_times(struct risk_state *st, const char *text)
{
    char *out = risk_alloc(st, strlen(text) + 1), *to = out;

    while (out && *text) {
        size_t line = strcspn(text, "\n");
        const char *s = text, *end = text + line;

        for (int i = s < end && *s == '@' ? 4 : 0; i < 5; i++) {
            s += strspn(s, " \t");
            s += strcspn(s, " \t\n");
        }
        if (s < end && *text != '#') {
            memcpy(to, s, (size_t)(end - s));
            to += end - s;
        }
        text = end + (*end == '\n');
        *to++ = *end ? '\n' : '\0';
    }
    return out ? out : "";
}

/* Reads standard input as code of a language. */
static void
read_input(struct nested_call *n, const char *language)
{
    const struct risk_input *in = &n->inner.input;
    struct risk_arg a;

    if (in->kind == RISK_INPUT_NONE)
        return;
    if (in->kind == RISK_INPUT_UNKNOWN) {
        risk_report_unread(n->st, in->from, in->to,
                           "runs what it reads from there as code");
        return;
    }
    if (strcmp(language, "shell") == 0 || strcmp(language, "cron") == 0) {
        const char *text = in->text;

        if (language[0] == 'c')
            text = without_times(n->st, text);
        n->inner.mapped = true;
        n->inner.from = in->from;
        n->inner.to = in->to;
        n->inner.positional = NULL;
        risk_walk_text(n->st, &n->inner, text, true);
        return;
    }
    a = (struct risk_arg){.text = in->text,
                          .glob = in->text,
                          .known = true,
                          .from = in->from,
                          .to = in->to};
    risk_script(n->st, &n->inner, language, &a);
}

/* The language of a program's input; for `source` the shell's. */
static const char *
input_language(const struct risk_parsed *p)
{
    for (size_t i = 0; i < p->program->n_rules; i++)
        if (risk_program_rules(p->program)[i].verb == PROGRAM_INPUT)
            return risk_program_text(risk_program_rules(p->program)[i].text);
    return "shell";
}

/* /dev/fd/3, /proc/self/fd/3, /proc/42/fd/3 */
static bool
is_descriptor(const char *text)
{
    return text[0] == '/' && strstr(text, "/fd/");
}

static bool
is_input_name(const char *text)
{
    return strcmp(text, "-") == 0 || path_is(text, PATH_IS_STDIN);
}

/* Reports a file of code, which is not read. Some cannot even be known. */
static void
report_code_file(struct nested_call *n, const struct risk_arg *a)
{
    bool is_input = a->known && is_input_name(a->text);

    if (is_input || is_descriptor(a->text)) {
        if (is_input && n->inner.input.kind == RISK_INPUT_TEXT)
            read_input(n, input_language(n->p));
        else
            risk_report_unread(n->st, a->from, a->to,
                               "runs what it reads from there as code");
        return;
    }
    if (a->process || strspn(a->glob, "*") == strlen(a->glob) ||
        risk_path_is_made(n->st, a) || risk_path_is_fetched(n->st, a))
        risk_report_unread(n->st, a->from, a->to,
                           "runs code that was not checked");
    else
        risk_report(n->st, RISK_UNKNOWN,
                    (struct risk_reason){.kind = RISK_KIND_FILE,
                                         .program = n->p->name,
                                         .about = a->text,
                                         .dir = n->st->directory->dir,
                                         .from = a->from,
                                         .to = a->to,
                                         .says = "runs a file of code"});
    risk_path_touch(n->st, &n->inner, a, RISK_READS, false, n->p->name);
}

static void
load_files(struct nested_call *n)
{
    struct risk_args args = {0};

    risk_select_args(n->st, n->p, n->rule, &args);
    for (size_t i = 0; i < args.n; i++)
        report_code_file(n, &args.v[i]);
}

/* Whether it is a builtin whose text this shell itself reads, now or later. */
static bool
is_own_shell(const char *name)
{
    static const char *const builtins[] = {"eval",      "trap",     "mapfile",
                                           "readarray", "compgen",  "source",
                                           ".",         "complete", NULL};

    for (const char *const *b = builtins; *b; b++)
        if (strcmp(*b, name) == 0)
            return true;
    return false;
}

static struct nested_call
begin_nested(struct risk_state *st, const struct risk_frame *f,
             const struct risk_parsed *p, const struct program_rule *r)
{
    struct nested_call n = {st, p, r, *f, false};

    n.inner.outer = f;
    n.inner.elsewhere = f->elsewhere || r->elsewhere;
    n.inner.evals = strcmp(p->name, "eval") == 0;
    if (!is_own_shell(p->name) &&
        (r->verb == PROGRAM_SHELL || r->verb == PROGRAM_INPUT ||
         r->verb == PROGRAM_LOADS))
        n.inner.shell = ++st->n_shells;
    if (n.inner.shell != f->shell)
        n.inner.bashless = !n.inner.elsewhere && strcmp(p->name, "bash") != 0;
    n.inner.facts = st->facts & ~(RISK_UNKNOWN | RISK_WRITES);
    if (!f->wrapper[0])
        n.inner.wrapper = p->name;
    return n;
}

/* The placeholder that xargs replaces by its input: -I X, -iX or --replace=X.
 * The last two are {} without a value. NULL: none; the input is appended. */
static const char *
xargs_placeholder(const struct risk_parsed *p)
{
    for (size_t i = 0; i < p->n_options; i++) {
        const struct risk_option *o = &p->options[i];
        const char *text = o->arg->text;

        if (o->letter == 'I' && o->value_text)
            return o->value_text;
        if (o->letter == 'i')
            text = o->value_text;
        else if (!o->letter && o->len > 2 &&
                 strncmp(text, "--replace", o->len) == 0)
            text = o->value_text ? o->value_text : "";
        else
            continue;
        return text[0] ? text : "{}";
    }
    return NULL;
}

/* Whether the command has a placeholder for what fd finds. */
static bool
has_placeholder(const struct risk_arg *v, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strstr(v[i].text, "{}") || strstr(v[i].text, "{/") ||
            strstr(v[i].text, "{."))
            return true;
    return false;
}

/* An argument with a placeholder becomes any file or any line of input. */
static void
obscure_placeholder(struct risk_arg *a, const char *mark)
{
    if (mark[0] && strstr(a->text, mark)) {
        a->known = false;
        a->glob = "*";
    }
}

static void
run_words(struct nested_call *n, const struct risk_arg *v, size_t count,
          const char *mark)
{
    struct risk_args args = {0};

    for (size_t i = 0; i < count; i++) {
        struct risk_arg *a = risk_args_add(n->st, &args);

        if (!a)
            return;
        *a = v[i];
        obscure_placeholder(a, mark);
    }
    if (n->feeds) {
        const struct risk_arg *name = n->p->v - 1;
        struct risk_arg *a = risk_args_add(n->st, &args);

        if (!a)
            return;
        a->text = "{}";
        a->glob = "*";
        a->from = name->from;
        a->to = name->to;
    }
    n->inner.external = true;
    if (args.n)
        risk_analyze_call(n->st, &n->inner, args.v, args.n);
}

/* Whether it is NAME=value in front of a command, as env and sudo read it. */
static bool
is_setting(struct nested_call *n, const struct risk_arg *a)
{
    const char *equals = strchr(a->text, '=');
    struct risk_arg value = *a;

    if (!equals || equals == a->text ||
        memchr(a->text, '/', (size_t)(equals - a->text)))
        return false;
    value.text = value.glob = equals + 1;
    if (!risk_environment_set(n->st, &n->inner, a->text,
                              (size_t)(equals - a->text), &value))
        n->inner.variable = risk_copy(n->st, a->text,
                                      (size_t)(equals - a->text));
    return true;
}

/* The programs that run a command, or work themselves, in another directory,
 * and the option's letter and name. */
static const struct {
    const char *program;
    char letter;
    const char *name;
} directory_options[] = {
    {"env", 'C', "--chdir"},      {"sudo", 'D', "--chdir"},
    {"run0", 'D', "--chdir"},     {"systemd-run", 0, "--working-directory"},
    {"nsenter", 'w', "--wd"},     {"nsenter", 'W', "--wdns"},
    {"unshare", 'w', "--wd"},     {"bwrap", 0, "--chdir"},
    {"parallel", 0, "--workdir"}, {"parallel", 0, "--wd"},
    {"git", 'C', "-C"},
};

static bool
is_directory_option(const struct risk_parsed *p, const struct risk_option *o)
{
    for (size_t i = 0; i < ARRAY_SIZE(directory_options); i++) {
        const char *name = directory_options[i].name;

        if (strcmp(p->name, directory_options[i].program) != 0)
            continue;
        if (o->letter ? o->letter == directory_options[i].letter
                      : o->len > 2 && strncmp(o->arg->text, name, o->len) == 0)
            return true;
    }
    return false;
}

void
risk_enter_directory(struct risk_state *st, const struct risk_frame *inner,
                     const struct risk_parsed *p)
{
    const char *base = st->directory->dir, *from = base;
    bool adds = strcmp(p->name, "git") == 0; /* each -C begins at the last */
    struct risk_directory *d = risk_alloc(st, sizeof(*d));

    if (!d)
        return;
    *d = (struct risk_directory){.dir = base,
                                 .frame = inner,
                                 .until = (size_t)-1,
                                 .below = st->directory};
    for (size_t i = 0; i < p->n_options; i++) {
        const struct risk_option *o = &p->options[i];
        const struct risk_arg *a = o->value ? o->value : o->arg;
        const char *text = o->value_text;

        if (!is_directory_option(p, o))
            continue;
        if (!text || !a->known || a->pattern || (o->value && a->tilde))
            d->dir = NULL;
        else if (text[0] == '/' || !from)
            d->dir = text[0] == '/' ? text : NULL;
        else
            d->dir = risk_join(st, risk_join(st, from, "/"), text);
        from = adds ? d->dir : base;
    }
    st->directory = d;
}

/* Analyses the command behind options, NAME=value and n->rule->n arguments. */
static bool
run_wrapped(struct nested_call *n)
{
    const struct risk_parsed *p = n->p;
    size_t i = 0, at;
    const char *mark = NULL;

    while (i < p->n_operands && is_setting(n, p->operands[i]))
        i++;
    i += n->rule->n;
    n->feeds = strcmp(p->name, "xargs") == 0;
    if (n->feeds) {
        n->inner.input.kind = RISK_INPUT_NONE;
        mark = xargs_placeholder(p);
        n->feeds = !mark;
    }
    if (i >= p->n_operands)
        return false;
    at = p->at[i];
    while (n->rule->n && at < p->n && p->v[at].text[0] == '-' &&
           strcmp(p->v[at].text, "-c") != 0)
        at++; /* perf record -a command */
    if (at < p->n && strcmp(p->v[at].text, "--") == 0)
        at++;
    if (at + 1 < p->n && strcmp(p->v[at].text, "-c") == 0) {
        n->inner.shell = ++n->st->n_shells;
        n->inner.bashless = !n->inner.elsewhere;
        risk_walk_text(n->st, &n->inner, p->v[at + 1].text, p->v[at + 1].known);
        return true;
    }
    if (at < p->n)
        run_words(n, p->v + at, p->n - at, mark ? mark : "{}");
    return true;
}

/* Analyses the words between one of the rule's AFTER and one of its UNTIL. */
static void
run_between(struct nested_call *n)
{
    const struct program_word *words = risk_program_words(n->rule->select);
    const struct risk_parsed *p = n->p;
    size_t from = 0;

    for (size_t i = 0; i <= p->n; i++) {
        bool begins = false, ends = i == p->n;

        for (const struct program_word *w = words;
             i < p->n && w->kind != PROGRAM_END; w++) {
            if (strcmp(risk_program_text(w->text), p->v[i].text) != 0)
                continue;
            begins = begins || w->kind == PROGRAM_AFTER;
            ends = ends || w->kind == PROGRAM_UNTIL;
        }
        if (from && ends) {
            n->feeds = strncmp(p->name, "fd", 2) == 0 &&
                       !has_placeholder(p->v + from, i - from);
            run_words(n, p->v + from, i - from, "{}");
            from = 0;
        } else if (!from && begins) {
            from = i + 1;
        }
    }
}

/* Reads the rule's arguments, joined by blanks, as a text for a shell. */
static bool
run_text(struct nested_call *n)
{
    const struct program_word *w = risk_program_words(n->rule->select);
    struct risk_args args = {0}, rest = {0};
    const char *text = "";
    bool known = true, splits = strcmp(n->p->name, "env") == 0;

    risk_select_args(n->st, n->p, n->rule, &args);
    if (args.n == 0)
        return false;
    for (size_t i = 0; i < args.n; i++) {
        if (args.v[i].process || (!args.v[i].known && !args.v[i].number &&
                                  (i == 0 || args.n == 1 || n->inner.evals)))
            known = false;
        if (splits && strpbrk(args.v[i].text, "\\$"))
            known = false; /* in env -S \_ is a blank */
        text = i ? risk_join(n->st, risk_join(n->st, text, " "), args.v[i].text)
                 : args.v[i].text;
    }
    n->inner.mapped = true;
    n->inner.from = args.v[0].from;
    n->inner.to = args.v[0].to;
    for (size_t i = 1; i < args.n; i++) { /* the {} of xargs may precede them */
        if (args.v[i].from < n->inner.from)
            n->inner.from = args.v[i].from;
        if (args.v[i].to > n->inner.to)
            n->inner.to = args.v[i].to;
    }
    /* sh -c 'text' name $1 $2 … */
    if (w->kind == PROGRAM_NTH && n->p->n_operands >= w->n + 1u) {
        for (size_t i = w->n + 1u; i < n->p->n_operands; i++) {
            struct risk_arg *a = risk_args_add(n->st, &rest);

            if (a)
                *a = *n->p->operands[i];
        }
        n->inner.positional = &rest;
    } else {
        n->inner.positional = NULL;
    }
    if (strcmp(n->p->name, "trap") == 0)
        risk_walk_text_later(n->st, &n->inner, text, known);
    else
        risk_walk_text(n->st, &n->inner, text, known);
    return w->kind == PROGRAM_NTH || w->kind == PROGRAM_ARGS ||
           w->kind == PROGRAM_FROM;
}

static void
search_code(struct nested_call *n)
{
    struct risk_args args = {0};

    risk_select_args(n->st, n->p, n->rule, &args);
    if (strcmp(risk_program_text(n->rule->text), "redis") == 0 && args.n > 1)
        args.n = 1; /* the others are keys and values */
    for (size_t i = 0; i < args.n; i++)
        risk_script(n->st, &n->inner, risk_program_text(n->rule->text),
                    &args.v[i]);
}

bool
risk_analyze_nested(struct risk_state *st, const struct risk_frame *f,
                    const struct risk_parsed *p, const struct program_rule *r)
{
    struct nested_call n = begin_nested(st, f, p, r);
    struct risk_directory *outside = st->directory;
    bool wraps;

    switch (r->verb) {
    case PROGRAM_WRAPS:
        risk_enter_directory(st, &n.inner, p);
        wraps = run_wrapped(&n);
        st->directory = outside;
        return wraps;
    case PROGRAM_RUNS:
        n.inner.input.kind = RISK_INPUT_NONE;
        if (risk_program_words(r->select)->kind == PROGRAM_AFTER)
            run_between(&n);
        else {
            struct risk_args args = {0};

            risk_select_args(st, p, r, &args);
            run_words(&n, args.v, args.n, "{}");
        }
        return false;
    case PROGRAM_SHELL:
        return run_text(&n);
    case PROGRAM_CODE:
        search_code(&n);
        return false;
    case PROGRAM_INPUT:
        read_input(&n, risk_program_text(r->text));
        return false;
    case PROGRAM_LOADS:
        load_files(&n);
        return false;
    default:
        return false;
    }
}
