/* SPDX-License-Identifier: GPL-3.0-or-later */
/* recipe_lint.c - says what is wrong with a recipe, in words for its writer. */
#include "offline/index/recipe_lint.h"

#include <string.h>

#include "base/array.h"
#include "guard/path/path_table.h"
#include "offline/index/index_terms.h"

#define DEPTH_MAX 16 /* "$( … "$( … )" … )" */

/* The quotes around the current byte of a command. */
struct quoting {
    const char *text;
    size_t at;
    char quote[DEPTH_MAX]; /* 0, ' or " of each $(…) we are in */
    unsigned depth;
    struct recipe_lint *c;
};

static void
read_quoted_byte(struct quoting *q)
{
    char *quote = &q->quote[q->depth];
    char c = q->text[q->at];

    if (c == '\\' && *quote != '\'' && q->text[q->at + 1])
        q->at++;
    else if (*quote && c == *quote)
        *quote = 0;
    else if (!*quote && (c == '\'' || c == '"'))
        *quote = c;
    else if (*quote != '\'' && c == '$' && q->text[q->at + 1] == '(' &&
             q->depth + 1 < DEPTH_MAX)
        q->quote[++q->depth] = 0;
    else if (!*quote && c == ')' && q->depth > 0)
        q->depth--;
    q->at++;
}

/* Types whose values have no byte that is special to a shell. */
static bool
is_plain_type(enum slot_type type)
{
    return type == SLOT_NUMBER || type == SLOT_PORT || type == SLOT_SIZE ||
           type == SLOT_AGE || type == SLOT_MODE || type == SLOT_EXT ||
           type == SLOT_DATE;
}

static int
see_slot(void *arg, const struct recipe_slot *s, size_t from, size_t to)
{
    struct quoting *q = arg;
    bool quoted;

    while (q->at < from)
        read_quoted_byte(q);
    quoted = q->quote[q->depth] != 0;
    q->at = to;
    if (!s->bare && quoted && s->known >= RECIPE_KNOWN_HOME)
        recipe_lint_report(q->c, "%.*s stands in quotes: it ends in !}",
                           (int)(to - from), q->text + from);
    if (s->bare && !quoted)
        recipe_lint_report(q->c, "%.*s stands in no quotes: leave the ! out",
                           (int)(to - from), q->text + from);
    if (!s->bare && quoted && !s->known && !is_plain_type(s->type))
        recipe_lint_report(q->c, "%.*s stands in quotes: {%s!}",
                           (int)(to - from), q->text + from,
                           slot_name(s->type));
    return 0;
}

/* Checks that slots are inside quotes where they must be, and only there. */
static void
recipe_check_quotes(struct recipe_lint *c, const char *command)
{
    struct quoting q = {.text = command, .c = c};

    recipe_slots(command, see_slot, &q, NULL);
}

#define PHRASE_BYTES_MAX 120

struct looking {
    struct recipe_slot slot; /* that is looked for */
    bool found;
};

/* An {ext} of a phrase fills a {glob} of a command. */
static int
see_command_slot(void *arg, const struct recipe_slot *s, size_t from, size_t to)
{
    struct looking *l = arg;

    (void)from, (void)to;
    l->found |= !s->known && s->nth == l->slot.nth &&
                (s->type == l->slot.type ||
                 (s->type == SLOT_GLOB && l->slot.type == SLOT_EXT));
    return 0;
}

static int
see_phrase_slot(void *arg, const struct recipe_slot *s, size_t from, size_t to)
{
    struct recipe_lint *c = arg;
    struct looking l = {.slot = *s};

    (void)from, (void)to;
    if (s->known)
        recipe_lint_report(c, "a phrase with {@…}, which commands alone have");
    for (size_t i = 0; !s->known && i < c->r->n_steps; i++)
        recipe_slots(c->r->steps[i].command, see_command_slot, &l, NULL);
    if (!s->known && !l.found && c->r->n_steps > 0)
        recipe_lint_report(c, "no command has slot %u of type %s, a phrase has",
                           s->nth, slot_name(s->type));
    return 0;
}

/* Whether two phrases have the same stems in any order. */
static bool
are_same(const struct index_terms *t, uint32_t one, uint32_t other)
{
    size_t n[2] = {0, 0}, both = 0;

    for (size_t i = 0; i < t->n; i++) {
        bool found = false;

        n[0] += t->v[i].phrase == one;
        n[1] += t->v[i].phrase == other;
        for (size_t k = 0; k < t->n && t->v[i].phrase == one; k++)
            found |= t->v[k].phrase == other &&
                     strcmp(t->v[i].stem, t->v[k].stem) == 0;
        both += found;
    }
    return n[0] == n[1] && both == n[0];
}

static void
check_sameness(struct recipe_lint *c)
{
    CLEANUP(index_terms_done) struct index_terms t = {0};
    const struct recipe *r = c->r;
    struct err e = {0};

    for (uint32_t i = 0; i < r->n_phrases; i++) {
        size_t before = t.n;

        if (index_terms_add(&t, r->phrases[i], i, &e) < 0) {
            recipe_lint_report(c, "%s", e.text);
            return;
        }
        if (t.n == before)
            recipe_lint_report(c, "a phrase that says nothing: %s",
                               r->phrases[i]);
    }
    for (uint32_t i = 0; i < r->n_phrases; i++)
        for (uint32_t k = i + 1; k < r->n_phrases; k++)
            if (are_same(&t, i, k))
                recipe_lint_report(c, "the same words: `%s' and `%s'",
                                   r->phrases[i], r->phrases[k]);
}

/* Checks the phrases and their slots. */
static void
recipe_check_phrases(struct recipe_lint *c)
{
    const struct recipe *r = c->r;

    if (r->n_phrases < RECIPE_PHRASES_MIN)
        recipe_lint_report(c, "%zu phrases: three to six", r->n_phrases);
    for (size_t i = 0; i < r->n_phrases; i++) {
        if (strlen(r->phrases[i]) > PHRASE_BYTES_MAX)
            recipe_lint_report(c, "a phrase of more than %d bytes",
                               PHRASE_BYTES_MAX);
        recipe_slots(r->phrases[i], see_phrase_slot, c, NULL);
    }
    check_sameness(c);
}

/* Commands, risk and the whole recipe. */

#define COMMAND_BYTES_MAX 300 /* a person reads it before it runs */
#define TITLE_BYTES_MAX   80

static bool
is_in_names(const char *names, const char *name)
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

/* Whether a command has the name as a word, also behind wrappers or in a text
 * for another shell. */
static bool
has_command_word(const struct recipe *r, const char *name, size_t n)
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
check_needs(struct recipe_lint *c, const struct recipe_heads *h)
{
    for (size_t i = 0; i < h->n; i++)
        if (h->v[i].must && !is_in_names(c->r->needs, h->v[i].name))
            recipe_lint_report(c, "needs does not name %s", h->v[i].name);
    if (c->r->generator)
        return;
    for (const char *p = c->r->needs; *p; p += strspn(p, " ")) {
        size_t n = strcspn(p, " ");

        if (!has_command_word(c->r, p, n))
            recipe_lint_report(c, "needs names %.*s, which no command starts",
                               (int)n, p);
        p += n;
    }
}

/* The risk for each fact of the guard, the gravest first. */
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
    for (size_t i = 0; i < ARRAY_SIZE(risks); i++)
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
risk_reason_text(const struct risk *r, enum recipe_risk risk)
{
    for (size_t i = 0; i < r->n_reasons; i++)
        if (risk_of(r->reasons[i].fact) == risk)
            return r->reasons[i].text;
    return "it makes or changes files";
}

/* Compares the risk. A recipe may state more than the guard reads, which does
 * not know the machine. An opaque command is not compared. */
static void
check_risk(struct recipe_lint *c, const struct recipe_line *l)
{
    enum recipe_risk seen = seen_in(&l->risk);

    if (l->risk.facts & RISK_OPAQUE)
        return;
    if (c->r->risk < seen)
        recipe_lint_report(c, "risk %s: %s: %s", recipe_risk_name(seen),
                           l->text.p, risk_reason_text(&l->risk, seen));
}

/* Checks one command. The risk of a job is that of all steps, else that of the
 * first command: an alternative is judged when it is chosen. */
static void
lint_command(struct recipe_lint *c, size_t nth, struct recipe_heads *h,
             bool *reads)
{
    const char *command = c->r->steps[nth].command;
    CLEANUP(recipe_line_done) struct recipe_line l = {0};
    struct err e = {0};

    if (strlen(command) > COMMAND_BYTES_MAX)
        recipe_lint_report(c, "a command of more than %d bytes",
                           COMMAND_BYTES_MAX);
    if (recipe_line_read(command, &l, &e) < 0) {
        recipe_lint_report(c, "%s", e.text);
        return;
    }
    if (l.syntax.fault)
        recipe_lint_report(c, "bash would not read `%s': %s at byte %zu",
                           l.text.p, l.syntax.fault, l.syntax.fault_at);
    recipe_heads_add(h, &l);
    recipe_check_quotes(c, command);
    if (nth == 0 || c->r->job)
        check_risk(c, &l);
    if (c->r->job)
        recipe_lint_job_step(c, &l, &c->effects);
    *reads &= !(l.risk.facts & (RISK_OPAQUE | RISK_UNKNOWN | RISK_ACTS)) &&
              seen_in(&l.risk) == RECIPE_READS;
}

size_t
recipe_lint(const struct recipe *r, struct buf *complaints)
{
    struct recipe_lint c = {.r = r, .out = complaints};
    struct recipe_heads heads = {.n = 0};
    bool reads = true;

    if (strlen(r->title) > TITLE_BYTES_MAX)
        recipe_lint_report(&c, "a title of more than %d bytes",
                           TITLE_BYTES_MAX);
    for (size_t i = 0; i < r->n_steps; i++)
        lint_command(&c, i, &heads, &reads);
    check_needs(&c, &heads);
    if (r->risk >= RECIPE_DELETES && r->n_steps > 0 && reads)
        recipe_lint_report(&c, "risk %s: the guard sees nothing but reading",
                           recipe_risk_name(r->risk));
    recipe_check_phrases(&c);
    return c.n;
}
