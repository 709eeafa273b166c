/* SPDX-License-Identifier: GPL-3.0-or-later */
/* policy_remember.c - proposes a rule for an allowed line, and saves it. */
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/path.h"
#include "base/shell_quote.h"
#include "config/config_file.h"
#include "guard/policy/policy_match.h"
#include "guard/policy/policy_part.h"
#include "guard/policy/policy_pin.h"

#define POLICY_RULE_MAX (4 * POLICY_LINE_MAX) /* with its indented lines */

/* Facts that are asked about every time. */
static const unsigned never = RISK_DESTRUCTIVE | RISK_SUDO | RISK_PRIVILEGED |
                              RISK_OPAQUE | RISK_SECRET;

static int
check_proposable(const struct risk *r, struct err *e)
{
    char facts[80];

    policy_facts_text(r->facts & never, facts, sizeof(facts));
    if (facts[0])
        return err_set(e, ERR_INVALID, "%s commands need approval every time",
                       facts);
    if (r->n_calls != 1)
        return err_set(e, ERR_INVALID,
                       "it is %s, and a rule is for one command",
                       r->n_calls ? "more than one command" : "no command");
    if (r->calls[0].wrapper && r->calls[0].wrapper[0])
        return err_set(e, ERR_INVALID,
                       "it is run by %.40s, which no rule can allow",
                       r->calls[0].wrapper);
    if (policy_pin_is_directed(&r->calls[0]))
        return err_set(e, ERR_INVALID,
                       "%.40s runs commands from the directory's "
                       "configuration, which may be different next time",
                       r->calls[0].name);
    for (size_t i = 0; i < r->calls[0].n; i++)
        if (r->calls[0].expands[i] & SYNTAX_EXPANDS)
            return err_set(e, ERR_INVALID, "%.60s may be different next time",
                           r->calls[0].argv[i]);
    for (size_t i = 0; i < r->n_paths; i++)
        if (r->paths[i].use != RISK_READS &&
            policy_argument_of(&r->calls[0], &r->paths[i]) ==
                POLICY_NO_ARGUMENT)
            return err_set(
                e, ERR_INVALID,
                "it also writes a file, which the same rule cannot allow");
    return 0;
}

/* Whether the rule can be read, and covers the call. */
static bool
rule_covers(const char *text, const struct risk_call *call)
{
    const struct policy_match_call c = {.call = call, .facts = call->facts};
    const struct path_context nowhere = {0};
    struct policy_rule rule = {0};
    struct policy_context ctx;
    bool ok;

    policy_context_init(&ctx, &nowhere);
    ok = policy_rule_read(&rule, text, NULL) == 0 &&
         policy_match_certain(&rule, &c, &ctx);
    policy_rule_done(&rule);
    policy_context_done(&ctx);
    return ok;
}

static bool
put_allow_command(struct buf *out, const struct risk_call *call)
{
    for (size_t i = 0; i < call->n; i++) {
        buf_str(out, i ? " " : "allow command ");
        shell_quote_word(out, call->argv[i]);
    }
    return out->len > 0 && !out->bad && rule_covers(out->p, call);
}

char *
policy_propose(const struct risk *r, const struct path_context *where,
               struct err *e)
{
    CLEANUP_BUF struct buf out = buf_of(POLICY_RULE_MAX);
    CLEANUP_BUF struct buf below = buf_of(POLICY_RULE_MAX);
    const struct risk_call *call = r->calls;

    if (check_proposable(r, e) < 0 ||
        policy_pin_propose(r, where, &below, e) < 0)
        return NULL;
    if (call->path && !policy_match_is_system_program(call)) {
        err_set(
            e, ERR_INVALID,
            "%.160s is not a system program, and may be different next time",
            call->path);
        return NULL;
    }
    if (!put_allow_command(&out, call)) {
        if (!call->path && call->n && strchr(call->name, '/') == NULL)
            err_set(e, ERR_INVALID, "%.160s is not installed here", call->name);
        else
            err_set(e, ERR_INVALID, "it cannot be written as a rule");
        return NULL;
    }
    buf_add(&out, below.p, below.len);
    return buf_ok(&out, "the rule", e) == 0 ? buf_take(&out) : NULL;
}

/* Whether the file would load with this text. */
static int
check_new_text(const char *path, const char *text, size_t n, const char *home,
               struct err *e)
{
    struct policy_rules r = {.name = strdup(path)};
    int rc;

    if (!r.name)
        return err_sys(e, "%s", path);
    rc = policy_rules_read(&r, text, n, e);
    if (rc == 0)
        rc = policy_check_examples(&r, home, e);
    policy_rules_done(&r);
    return rc;
}

static int
append_rule(const char *path, const char *rule, const char *home, struct err *e)
{
    CLEANUP_BUF struct buf text = buf_of(POLICY_FILE_MAX);
    struct stat st = {.st_mode = 0600};
    bool there = false;

    if (config_file_read(path, CONFIG_FILE_ANYONE, &text, &there, e) < 0)
        return -1;
    if (there && stat(path, &st) < 0)
        return err_sys(e, "%s", path);
    if (text.len > 0 && text.p[text.len - 1] != '\n')
        buf_ch(&text, '\n');
    buf_printf(&text, "%s\n", rule);
    if (buf_ok(&text, path, e) < 0 ||
        check_new_text(path, text.p, text.len, home, e) < 0)
        return -1;
    return file_save(path, text.p, text.len, st.st_mode & 07777, e);
}

/* The text must be one rule, with the lines that narrow it, and nothing
 * else. */
static int
check_rule(const char *rule, struct err *e)
{
    struct policy_rules one = {.name = strdup("the rule")};
    struct policy_rule first = {0};
    int rc = one.name ? 0 : err_sys(e, "a rule");

    if (rc == 0 && !strchr(rule, '\n')) /* errors then name no line */
        rc = policy_rule_read(&first, rule, e);
    else if (rc == 0)
        rc = policy_rules_read(&one, rule, strlen(rule), e);
    if (rc == 0 && strchr(rule, '\n') &&
        (one.n != 1 || one.preset || one.v[0].examples))
        rc = err_set(e, ERR_INVALID, "a rule is one line");
    policy_rule_done(&first);
    policy_rules_done(&one);
    return rc;
}

int
policy_remember(const struct seat *s, const char *rule, struct err *e)
{
    CLEANUP(free_p) char *dir = seat_place(s, PATH_CONFIG, NULL, e);
    CLEANUP(free_p) char *path = dir ? path_join(dir, "policy") : NULL;

    if (!path)
        return dir ? err_set(e, ERR_NOMEM, "out of memory for a path") : -1;
    if (check_rule(rule, e) < 0 || seat_make_dirs(s, dir, 0700, e) < 0)
        return -1;
    return append_rule(path, rule, seat_home(s), e);
}
