/* SPDX-License-Identifier: GPL-3.0-or-later */
/* recipe_check.c - what is wrong with a recipe, in words for its writer. */
#include <stdarg.h>
#include <string.h>

#include "offline/recipe/recipe_check.h"

#include "guard/path/path_table.h"

#define COMMAND_BYTES_MAX 300 /* a person reads it before it runs */
#define TITLE_BYTES_MAX   80

void
recipe_complain(struct recipe_checking *c, const char *fmt, ...)
{
    va_list ap;

    buf_printf(c->out, "%s:%u: %s: ", c->r->file, c->r->line, c->r->id);
    va_start(ap, fmt);
    buf_vprintf(c->out, fmt, ap);
    va_end(ap);
    buf_ch(c->out, '\n');
    c->n++;
}

static bool
is_named(const char *names, const char *name)
{
    size_t n = strlen(name);

    for (const char *p = names; *p; p += strspn(p, " ")) {
        size_t word = strcspn(p, " ");

        if (word == n && memcmp(p, name, n) == 0)
            return true;
        p += word;
    }
    return false;
}

static bool
is_of_a_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || strchr("_-.+", c);
}

/* Whether a command has the name as a word: what stands deep in a chain of
 * wrappers, or in a text for another shell, is seen so too. */
static bool
is_said(const struct recipe *r, const char *name, size_t n)
{
    for (size_t i = 0; i < r->n_steps; i++)
        for (const char *p = r->steps[i].command; *p; p++)
            if (strncmp(p, name, n) == 0 &&
                (p == r->steps[i].command || !is_of_a_name(p[-1])) &&
                (!p[n] || !is_of_a_name(p[n])))
                return true;
    return false;
}

static void
check_needs(struct recipe_checking *c, const struct recipe_heads *h)
{
    for (size_t i = 0; i < h->n; i++)
        if (h->v[i].must && !is_named(c->r->needs, h->v[i].name))
            recipe_complain(c, "needs does not name %s", h->v[i].name);
    if (c->r->composer)
        return;
    for (const char *p = c->r->needs; *p; p += strspn(p, " ")) {
        size_t n = strcspn(p, " ");

        if (!is_said(c->r, p, n))
            recipe_complain(c, "needs names %.*s, which no command starts",
                            (int)n, p);
        p += n;
    }
}

/* What each fact makes of a recipe, the gravest first. */
static const struct {
    unsigned facts;
    enum recipe_risk risk;
} risks[] = {
    {RISK_SUDO | RISK_PRIVILEGED, RECIPE_ROOT},
    {RISK_DESTRUCTIVE, RECIPE_DELETES},
};

static enum recipe_risk
risk_of(unsigned facts)
{
    for (size_t i = 0; i < sizeof(risks) / sizeof(risks[0]); i++)
        if (facts & risks[i].facts)
            return risks[i].risk;
    return RECIPE_READS;
}

static bool
writes_files(const struct risk *r)
{
    for (size_t i = 0; i < r->n_paths; i++)
        if (r->paths[i].use != RISK_READS &&
            !path_is(r->paths[i].text, PATH_IS_KERNEL))
            return true;
    return false;
}

static enum recipe_risk
seen_in(const struct risk *r)
{
    enum recipe_risk seen = risk_of(r->facts);

    return seen == RECIPE_READS && writes_files(r) ? RECIPE_WRITES : seen;
}

static const char *
reason_for(const struct risk *r, enum recipe_risk risk)
{
    for (size_t i = 0; i < r->n_reasons; i++)
        if (risk_of(r->reasons[i].fact) == risk)
            return r->reasons[i].text;
    return "it makes or changes files";
}

/* A recipe may say more than the guard sees, who does not know the machine;
 * what the guard cannot read it does not judge. */
static void
check_risk(struct recipe_checking *c, const struct recipe_line *l)
{
    enum recipe_risk seen = seen_in(&l->risk);

    if (l->risk.facts & RISK_OPAQUE)
        return;
    if (c->r->risk < seen)
        recipe_complain(c, "risk %s: %s: %s", recipe_risk_name(seen), l->text.p,
                        reason_for(&l->risk, seen));
}

/* The risk is that of all steps of a job; else of the command that comes first:
 * other ways are judged when they are chosen. */
static void
check_command(struct recipe_checking *c, size_t nth, struct recipe_heads *h,
              bool *reads)
{
    const char *command = c->r->steps[nth].command;
    CLEANUP(recipe_line_done) struct recipe_line l = {0};
    struct err e = {0};

    if (strlen(command) > COMMAND_BYTES_MAX)
        recipe_complain(c, "a command of more than %d bytes",
                        COMMAND_BYTES_MAX);
    if (recipe_line_read(command, &l, &e) < 0) {
        recipe_complain(c, "%s", e.text);
        return;
    }
    if (l.syntax.fault)
        recipe_complain(c, "bash would not read `%s': %s at byte %zu", l.text.p,
                        l.syntax.fault, l.syntax.fault_at);
    recipe_heads_add(h, &l);
    recipe_check_quotes(c, command);
    if (nth == 0 || c->r->job)
        check_risk(c, &l);
    if (c->r->job)
        recipe_check_job_step(c, &l, &c->effects);
    *reads &= !(l.risk.facts & (RISK_OPAQUE | RISK_UNKNOWN | RISK_ACTS)) &&
              seen_in(&l.risk) == RECIPE_READS;
}

size_t
recipe_check(const struct recipe *r, struct buf *complaints)
{
    struct recipe_checking c = {.r = r, .out = complaints};
    struct recipe_heads heads = {.n = 0};
    bool reads = true;

    if (strlen(r->title) > TITLE_BYTES_MAX)
        recipe_complain(&c, "a title of more than %d bytes", TITLE_BYTES_MAX);
    for (size_t i = 0; i < r->n_steps; i++)
        check_command(&c, i, &heads, &reads);
    check_needs(&c, &heads);
    if (r->risk >= RECIPE_DELETES && r->n_steps > 0 && reads)
        recipe_complain(&c, "risk %s: the guard sees nothing but reading",
                        recipe_risk_name(r->risk));
    recipe_check_phrases(&c);
    return c.n;
}
