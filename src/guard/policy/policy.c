/* SPDX-License-Identifier: GPL-3.0-or-later */
/* policy.c - loads the files of rules and the preset, and lists them. */
#include "guard/policy/policy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/path.h"
#include "base/utf8.h"
#include "config/config_file.h"
#include "config/nearest.h"
#include "guard/policy/policy_rule.h"

#define DEFAULT_PRESET "standard"
#define ADDED          "this session" /* the name of rules without a file */

static int
load_rules_file(struct policy_rules *r, const char *path,
                enum config_file_owner owner, const char *home, struct err *e)
{
    CLEANUP_BUF struct buf text = buf_of(POLICY_FILE_MAX);
    bool there = false;

    if (!path)
        return 0;
    if (config_file_read(path, owner, &text, &there, e) < 0)
        return -1;
    r->name = strdup(path);
    if (!r->name)
        return err_sys(e, "%s", path);
    if (!there || (policy_rules_read(r, text.p, text.len, e) == 0 &&
                   policy_check_examples(r, home, e) == 0))
        return 0;
    if (e && e->code != ERR_NOMEM)
        e->code = ERR_CONFIG;
    return -1;
}

/* How strict a preset is; 0 is the strictest. */
static size_t
preset_rank(const char *name)
{
    size_t i = 0;

    while (policy_preset_name(i) && strcmp(policy_preset_name(i), name) != 0)
        i++;
    return i;
}

/* The stricter of two presets; each may be NULL. */
static const char *
stricter_preset(const char *a, const char *b)
{
    if (!a || !b)
        return a ? a : b;
    return preset_rank(a) < preset_rank(b) ? a : b;
}

static int
load_preset(struct policy *p, const char *wanted, struct err *e)
{
    const char *name = stricter_preset(p->system.preset,
                                       wanted ? wanted : p->user.preset);
    const char *text;
    char shown[40];

    if (!name)
        name = DEFAULT_PRESET;
    text = policy_preset_text(name);
    if (!text)
        return err_set(e, ERR_CONFIG, "unknown preset \"%.40s\"", name);
    snprintf(shown, sizeof(shown), "preset %s", name);
    p->preset.built_in = true;
    p->preset.name = strdup(shown);
    if (!p->preset.name)
        return err_sys(e, "%s", shown);
    /* the examples of presets are checked by a unit test */
    return policy_rules_read(&p->preset, text, strlen(text), e);
}

struct policy *
policy_load_files(const char *system, const char *user, const char *preset,
                  const char *home, struct err *e)
{
    CLEANUP(policy_free_p) struct policy *p = calloc(1, sizeof(*p));

    if (!p) {
        err_sys(e, "the rules");
        return NULL;
    }
    if (preset && !policy_preset_text(preset)) {
        err_set(e, ERR_CONFIG, "unknown preset \"%.40s\"", preset);
        return NULL;
    }
    if (load_rules_file(&p->system, system, CONFIG_FILE_ROOT, home, e) < 0 ||
        load_rules_file(&p->user, user, CONFIG_FILE_ANYONE, home, e) < 0 ||
        load_preset(p, preset, e) < 0)
        return NULL;
    return TAKE_PTR(p);
}

struct policy *
policy_load(const struct seat *s, struct err *e)
{
    /* a person without a home directory has no file */
    CLEANUP(free_p) char *user = seat_place(s, PATH_CONFIG, "policy", NULL);

    return policy_load_files(SYSCONFDIR "/agentsh/policy", user, NULL,
                             seat_home(s), e);
}

int
policy_add(struct policy *p, const char *rule, const char *home, struct err *e)
{
    struct policy_rules *r = &p->added;

    if (!r->name && !(r->name = strdup(ADDED)))
        return err_nomem(e);
    if (policy_rules_read(r, rule, strlen(rule), e) < 0)
        return -1;
    return policy_check_examples(r, home, e);
}

void
policy_free(struct policy *p)
{
    if (!p || p->others-- > 0)
        return;
    policy_rules_done(&p->system);
    policy_rules_done(&p->user);
    policy_rules_done(&p->preset);
    policy_rules_done(&p->added);
    free(p);
}

struct policy *
policy_hold(struct policy *p)
{
    if (p)
        p->others++;
    return p;
}

/* Reading a file */

#define NAME_SIZE 60 /* of a preset's name */

struct rules_reader {
    struct policy_rules *rules;
    unsigned line;
    struct err *e;
};

void
policy_rules_done(struct policy_rules *r)
{
    if (!r)
        return;
    for (size_t i = 0; i < r->n; i++)
        policy_rule_done(&r->v[i]);
    free(r->v);
    free(r->name);
    *r = (struct policy_rules){0};
}

static int
add_policy_rule(struct rules_reader *r, const char *text)
{
    struct policy_rules *rules = r->rules;
    struct policy_rule rule = {.line = r->line};
    struct policy_rule *more;

    if (rules->n == POLICY_RULES_MAX)
        return err_set(r->e, ERR_CONFIG, "more than %d rules",
                       POLICY_RULES_MAX);
    if (policy_rule_read(&rule, text, r->e) < 0) {
        policy_rule_done(&rule);
        return -1;
    }
    if (rules->built_in && rule.kind == POLICY_COMMAND)
        rule.facts = RISK_WRITES; /* other rules decide about writes */
    more = reallocarray(rules->v, rules->n + 1, sizeof(*more));
    if (!more) {
        policy_rule_done(&rule);
        return err_sys(r->e, "the rules");
    }
    rules->v = more;
    rules->v[rules->n++] = rule;
    return 0;
}

static int
read_preset(struct rules_reader *r, const char *at)
{
    struct nearest meant;
    char name[NAME_SIZE];
    size_t len;

    at += strspn(at, " \t");
    len = strcspn(at, " \t#");
    if (len == 0 || len >= sizeof(name) ||
        !strchr("#", at[len + strspn(at + len, " \t")]))
        return err_set(r->e, ERR_CONFIG, "preset needs one name");
    memcpy(name, at, len);
    name[len] = '\0';
    if (r->rules->preset)
        return err_set(r->e, ERR_CONFIG, "only one preset is allowed");
    nearest_init(&meant, name);
    for (size_t i = 0; policy_preset_name(i); i++) {
        if (strcmp(policy_preset_name(i), name) == 0)
            r->rules->preset = policy_preset_name(i);
        nearest_consider(&meant, policy_preset_name(i));
    }
    return r->rules->preset ? 0 : policy_unknown("preset", name, &meant, r->e);
}

static int
add_rule_example(struct rules_reader *r, struct policy_rule *rule,
                 const char *at)
{
    size_t len = strcspn(at, " \t");
    bool match = len == 5 && memcmp(at, "match", 5) == 0;
    struct policy_example *x, **end;

    if (!match && (len != 9 || memcmp(at, "not-match", 9) != 0))
        return err_set(r->e, ERR_CONFIG,
                       "an indented line must be match, not-match, in or with");
    if (rule->kind == POLICY_TOOL || rule->kind == POLICY_ACTION)
        return err_set(r->e, ERR_CONFIG,
                       "a rule about a tool cannot have examples");
    x = calloc(1, sizeof(*x));
    if (!x || !(x->command = strdup(at + len + strspn(at + len, " \t")))) {
        free(x);
        return err_sys(r->e, "an example");
    }
    x->match = match;
    x->line = r->line;
    for (end = &rule->examples; *end; end = &(*end)->next)
        ;
    *end = x;
    return 0;
}

/* Reads an indented line below a rule. */
static int
add_indented_line(struct rules_reader *r, const char *at)
{
    struct policy_rules *all = r->rules;
    struct policy_rule *rule = all->n ? &all->v[all->n - 1] : NULL;
    int rc;

    if (!rule)
        return err_set(r->e, ERR_CONFIG, "an example must follow its rule");
    rc = policy_rule_read_below(rule, at, r->e);
    return rc > 0 ? add_rule_example(r, rule, at) : rc;
}

/* Reads one line, without its newline. */
static int
read_rules_line(struct rules_reader *r, const char *line)
{
    const char *at = line + strspn(line, " \t");

    if (!*at || *at == '#')
        return 0;
    if (at > line)
        return add_indented_line(r, at);
    if (strcspn(line, " \t") == 6 && memcmp(line, "preset", 6) == 0)
        return read_preset(r, line + 6);
    return add_policy_rule(r, line);
}

/* Copies the line without the blanks at its end, if it is valid. */
static int
copy_line(const char *line, size_t len, char out[POLICY_LINE_MAX + 1],
          struct err *e)
{
    if (len > POLICY_LINE_MAX)
        return err_set(e, ERR_CONFIG, "the line is longer than %d bytes",
                       POLICY_LINE_MAX);
    if (!utf8_valid(line, len))
        return err_set(e, ERR_CONFIG, "the line is not valid UTF-8");
    while (len > 0 && strchr(" \t\r", line[len - 1]))
        len--;
    for (size_t i = 0; i < len; i++)
        if (((unsigned char)line[i] < ' ' && line[i] != '\t') ||
            line[i] == 0x7F)
            return err_set(e, ERR_CONFIG, "control character 0x%02X",
                           (unsigned)line[i]);
    memcpy(out, line, len);
    out[len] = '\0';
    return 0;
}

int
policy_rules_read(struct policy_rules *rules, const char *text, size_t n,
                  struct err *e)
{
    struct rules_reader r = {.rules = rules, .e = e};
    char line[POLICY_LINE_MAX + 1];

    while (n > 0) {
        const char *newline = memchr(text, '\n', n);
        size_t len = newline ? (size_t)(newline - text) : n;

        r.line++;
        if (copy_line(text, len, line, e) < 0 || read_rules_line(&r, line) < 0)
            return err_wrap(e, "%s:%u", rules->name, r.line);
        len += newline != NULL;
        text += len;
        n -= len;
    }
    return 0;
}

const char *
guard_decision_name(enum guard_decision d)
{
    static const char *const names[] = {
        [GUARD_ALLOW] = "allow",
        [GUARD_ASK] = "ask",
        [GUARD_DENY] = "deny",
    };

    return names[d];
}

/* Listing */

static void
show_rule(const struct policy_rule *rule, struct buf *out)
{
    buf_printf(out, "%s\n", rule->text);
    if (rule->in)
        buf_printf(out, "    in %s\n", rule->in);
    if (rule->with)
        buf_printf(out, "    with sha256:%s %s\n", rule->hash, rule->with);
}

void
policy_show(const struct policy *p, struct buf *out)
{
    const struct policy_rules *files[] = {&p->system, &p->user, &p->added,
                                          &p->preset};

    for (size_t f = 0; f < ARRAY_SIZE(files); f++) {
        if (files[f]->n == 0)
            continue;
        buf_printf(out, "%s# %s\n", out->len ? "\n" : "", files[f]->name);
        for (size_t i = 0; i < files[f]->n; i++)
            show_rule(&files[f]->v[i], out);
    }
}

void
policy_count(const struct policy *p, struct policy_counts *out)
{
    const struct policy_rules *files[] = {&p->system, &p->user};

    *out = (struct policy_counts){.preset = p->preset.name};
    for (size_t f = 0; f < 2; f++) {
        out->rules += files[f]->n;
        for (size_t i = 0; i < files[f]->n; i++)
            for (const struct policy_example *x = files[f]->v[i].examples; x;
                 x = x->next)
                out->examples++;
    }
}
