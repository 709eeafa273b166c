/* SPDX-License-Identifier: GPL-3.0-or-later */
/* policy_pin.c - restricts a rule to a directory and a script's bytes. */
#include "guard/policy/policy_pin.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "base/path.h"
#include "base/utf8.h"
#include "guard/path/path_table.h"
#include "guard/policy/policy_match.h"
#include "guard/policy/policy_part.h"
#include "guard/risk/risk_programs.h"

#define SCRIPT_MAX (64u << 10) /* bytes: nobody reviews a longer script */

/* The facts that a script may have when a rule for it is proposed. */
#define MILD (RISK_WRITES | RISK_LOOKS | RISK_HOLDERS | RISK_OWNERS)

static int
read_script(const char *path, struct buf *text, char hash[SHA256_HEX_SIZE],
            struct err *e)
{
    CLEANUP(fd_close_p)
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    struct stat st;

    if (fd < 0 || fstat(fd, &st) < 0)
        return err_sys(e, "%.200s", path);
    if (!S_ISREG(st.st_mode))
        return err_set(e, ERR_INVALID, "%.200s is not a regular file", path);
    if (file_read_fd(fd, text, e) < 0)
        return err_wrap(e, "%.160s", path);
    sha256_hex(text->p, text->len, hash);
    return 0;
}

static bool
is_pinned_shell(const char *name)
{
    static const char *const shells[] = {"sh", "bash", "dash"};

    for (size_t i = 0; i < ARRAY_SIZE(shells); i++)
        if (strcmp(shells[i], name) == 0)
            return true;
    return false;
}

/* The FILE of `sh FILE …` without options; NULL: the call is another. */
static const char *
script_of(const struct risk_call *call)
{
    if (!is_pinned_shell(call->argv[0]) || call->n < 2 ||
        call->argv[1][0] == '-' || call->argv[1][0] == '+' || !call->argv[1][0])
        return NULL;
    return call->argv[1];
}

/* The facts that are asked about every time, in a line or in a script. The
 * others are those that a person who fixes a script's bytes may allow. */
#define ASKED_EVERY_TIME (POLICY_RISKY & ~(RISK_NETWORK | RISK_UNKNOWN))

/* A script's text, analysed as a line that runs in the place. */
struct pinned_script {
    struct syntax syntax;
    struct risk risk;
    struct policy_parts parts;
};

static void
script_done(struct pinned_script *s)
{
    policy_parts_done(&s->parts);
    risk_done(&s->risk);
    syntax_done(&s->syntax);
}

static int
script_read(struct pinned_script *s, const struct buf *text,
            const struct path_context *where, struct err *e)
{
    if (strlen(text->p) < text->len)
        return err_set(e, ERR_INVALID, "it is not text");
    if (syntax_read(text->p, text->len, &s->syntax, e) < 0 ||
        risk_read(&s->syntax, where, &s->risk, e) < 0)
        return -1;
    return policy_parts_of(&s->risk, where, &s->parts) < 0 ? err_nomem(e) : 0;
}

/* The words of the first reason that belongs to one of the facts. */
static const char *
fact_reason(const struct risk *r, unsigned facts)
{
    for (size_t i = 0; i < r->n_reasons; i++)
        if (r->reasons[i].fact & facts)
            return r->reasons[i].text;
    return "it does what needs approval every time";
}

/* Checks what may differ between two runs of the same bytes: which files exist,
 * and which programs the names stand for. */
static int
check_run(const struct pinned_script *s, struct err *e)
{
    for (size_t i = 0; i < s->risk.n_calls; i++) {
        const struct risk_call *c = &s->risk.calls[i];

        if (c->wrapper && c->wrapper[0])
            return err_set(e, ERR_INVALID, "%.40s starts %.40s", c->wrapper,
                           c->name);
        if (!policy_match_is_system_program(c))
            return err_set(e, ERR_INVALID, "%.120s is not a system program",
                           c->path ? c->path : c->argv[0]);
    }
    for (size_t i = 0; i < s->parts.n; i++) {
        const struct policy_part *p = &s->parts.v[i];
        char text[120];

        if (!(p->facts & ASKED_EVERY_TIME))
            continue;
        policy_part_text(p, text, sizeof(text));
        return err_set(e, ERR_INVALID, "%s: %.60s",
                       fact_reason(&s->risk, p->facts & ASKED_EVERY_TIME),
                       text);
    }
    return s->risk.facts & ASKED_EVERY_TIME
               ? err_set(e, ERR_INVALID, "%s",
                         fact_reason(&s->risk, ASKED_EVERY_TIME))
               : 0;
}

bool
policy_pin_is_directed(const struct risk_call *call)
{
    const struct program *p = risk_program_find(call->name);

    return p && p->flags & PROGRAM_IS_DIRECTED && call->facts != 0;
}

/* Why the script runs more than its text, or is not harmless; NULL: neither. */
static const char *
find_objection(const struct risk *r)
{
    if (r->facts & (RISK_OPAQUE | RISK_UNKNOWN))
        return "it runs code that is not in the file";
    for (size_t i = 0; i < r->n_calls; i++)
        if (policy_pin_is_directed(&r->calls[i]))
            return "it runs commands from the directory's configuration";
    if (r->facts & ~MILD)
        return "it does what needs approval every time";
    for (size_t i = 0; i < r->n_paths; i++) {
        const struct risk_path *p = &r->paths[i];

        if (p->use != RISK_READS && !path_is_sink(p->text) &&
            (!p->known || strchr("/~", p->text[0]) || strstr(p->text, "..")))
            return "it may write outside of its directory";
    }
    return NULL;
}

static int
check_script(const char *file, const struct buf *text,
             const struct path_context *where, struct err *e)
{
    CLEANUP(script_done) struct pinned_script s = {0};
    const char *why = NULL;

    if (script_read(&s, text, where, e) < 0)
        return err_wrap(e, "%.120s", file);
    why = find_objection(&s.risk);
    if (why)
        return err_set(e, ERR_INVALID, "%.120s: %s, so no rule for it is saved",
                       file, why);
    return check_run(&s, e) < 0
               ? err_wrap(e, "no rule for %.80s is saved", file)
               : 0;
}

/* Whether the script, as it is now, does nothing that is asked about every
 * time. */
static bool
script_runs_as_allowed(const struct policy_rule *rule, const struct buf *text,
                       const struct policy_context *ctx,
                       char why[POLICY_PIN_WHY_MAX])
{
    CLEANUP(script_done) struct pinned_script s = {0};
    struct err e = {0};

    if (script_read(&s, text, ctx->where, &e) == 0 && check_run(&s, &e) == 0)
        return true;
    snprintf(why, POLICY_PIN_WHY_MAX,
             "%.60s now does what you did not allow: %.140s", rule->with,
             e.text);
    return false;
}

bool
policy_pin_holds(const struct policy_rule *rule, const struct risk_call *call,
                 const struct policy_context *ctx, char why[POLICY_PIN_WHY_MAX])
{
    CLEANUP_BUF struct buf text = buf_of(SCRIPT_MAX);
    CLEANUP(free_p) char *path = NULL;
    char hash[SHA256_HEX_SIZE];
    const char *cwd = ctx->where->cwd, *script = script_of(call);

    if (!rule->in && !rule->with)
        return true;
    if (!cwd || (rule->in && strcmp(rule->in, cwd) != 0))
        return false;
    if (!rule->with)
        return true;
    path = rule->with[0] == '/' ? strdup(rule->with)
                                : path_join(cwd, rule->with);
    if (!path || read_script(path, &text, hash, NULL) < 0 ||
        strcmp(hash, rule->hash) != 0) {
        snprintf(why, POLICY_PIN_WHY_MAX, "%.120s changed since you allowed it",
                 rule->with);
        return false;
    }
    return !script || strcmp(script, rule->with) != 0 ||
           script_runs_as_allowed(rule, &text, ctx, why);
}

/* Whether a line of the file of rules can hold the text. */
static bool
is_storable(const char *text)
{
    size_t n = strlen(text);

    for (size_t i = 0; i < n; i++)
        if ((unsigned char)text[i] < ' ' || text[i] == 0x7F)
            return false;
    return n > 0 && text[0] != ' ' && text[n - 1] != ' ' && utf8_valid(text, n);
}

/* Whether a program, called with some arguments, runs what a file says. */
static bool
may_run_files(const char *name)
{
    const struct program *p = risk_program_find(name);

    for (size_t i = 0; p && i < p->n_rules; i++) {
        const struct program_rule *r = &risk_program_rules(p)[i];

        if (r->verb == PROGRAM_CODE || r->verb == PROGRAM_INPUT ||
            r->verb == PROGRAM_LOADS ||
            (r->verb == PROGRAM_FACT && r->facts & RISK_UNKNOWN))
            return true;
    }
    return !p || p->flags & (PROGRAM_IS_CONFIGURED | PROGRAM_IS_DIRECTED);
}

/* The reason why the line may do something else the next time; NULL: none. It
 * does not count for a known program whose words are merely not known to be
 * plain data. */
static const struct risk_reason *
changeable_reason(const struct risk *r)
{
    for (size_t i = 0; i < r->n_reasons; i++) {
        const struct risk_reason *why = &r->reasons[i];

        if (why->fact == RISK_UNKNOWN &&
            (why->kind != RISK_KIND_UNVOUCHED || may_run_files(why->program)))
            return why;
    }
    return NULL;
}

static int
set_changeable(const struct risk_reason *why, struct err *e)
{
    return err_set(e, ERR_INVALID, "%.120s, which may be different next time",
                   why->text);
}

int
policy_pin_propose(const struct risk *r, const struct path_context *where,
                   struct buf *out, struct err *e)
{
    CLEANUP_BUF struct buf text = buf_of(SCRIPT_MAX);
    CLEANUP(free_p) char *path = NULL;
    char hash[SHA256_HEX_SIZE];
    const struct risk_reason *why = changeable_reason(r);
    const char *file;

    if (!why)
        return 0;
    file = script_of(&r->calls[0]);
    if (!file || !where->cwd)
        return set_changeable(why, e);
    path = file[0] == '/' ? strdup(file) : path_join(where->cwd, file);
    if (!path)
        return err_set(e, ERR_NOMEM, "out of memory for a path");
    if (read_script(path, &text, hash, e) < 0 ||
        check_script(file, &text, where, e) < 0)
        return -1;
    if (!is_storable(file) || !is_storable(where->cwd))
        return err_set(e, ERR_INVALID, "its name cannot be written in a rule");
    buf_printf(out, "\n    in %s\n    with " POLICY_HASH_MARK "%s %s",
               where->cwd, hash, file);
    return buf_ok(out, "the rule", e);
}
