/* SPDX-License-Identifier: GPL-3.0-or-later */
/* policy_remember.c - a rule for a line that was allowed, and keeping it. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/path.h"
#include "config/source.h"
#include "guard/policy/policy_call.h"
#include "guard/policy/policy_part.h"
#include "guard/quote.h"

/* What is asked every time. */
static const unsigned never = RISK_DESTRUCTIVE | RISK_SUDO | RISK_PRIVILEGED |
                              RISK_OPAQUE | RISK_SECRET;

static int
check_line(const struct risk *r, struct err *e)
{
    char facts[80];

    policy_facts_text(r->facts & never, facts, sizeof(facts));
    if (facts[0])
        return err_set(e, ERR_INVALID, "what is %s is asked every time", facts);
    if (r->n_calls != 1)
        return err_set(e, ERR_INVALID, "it is %s, and a rule is about one",
                       r->n_calls ? "more than one command" : "no command");
    if (r->calls[0].wrapper && r->calls[0].wrapper[0])
        return err_set(e, ERR_INVALID, "%.40s runs it, and no rule allows that",
                       r->calls[0].wrapper);
    for (size_t i = 0; i < r->calls[0].n; i++)
        if (r->calls[0].expands[i] & SYNTAX_EXPANDS)
            return err_set(e, ERR_INVALID,
                           "%.60s may be something else another time",
                           r->calls[0].argv[i]);
    for (size_t i = 0; i < r->n_paths; i++)
        if (r->paths[i].use != RISK_READS &&
            policy_argument_of(&r->calls[0], &r->paths[i]) ==
                POLICY_NO_ARGUMENT)
            return err_set(e, ERR_INVALID,
                           "it writes a file beside, which one rule cannot "
                           "allow too");
    return 0;
}

/* Whether the rule is read, and covers the call. */
static bool
holds(const char *text, const struct risk_call *call)
{
    const struct policy_call c = {.call = call, .facts = call->facts};
    const struct risk_place nowhere = {0};
    struct policy_rule rule = {0};
    struct policy_place place;
    bool ok;

    policy_place_init(&place, &nowhere);
    ok = policy_rule_read(&rule, text, NULL) == 0 &&
         policy_call_is(&rule, &c, &place);
    policy_rule_done(&rule);
    return ok;
}

char *
policy_propose(const struct risk *r, struct err *e)
{
    CLEANUP_BUF struct buf out = buf_of(POLICY_LINE_MAX);
    const struct risk_call *call = r->calls;

    if (check_line(r, e) < 0)
        return NULL;
    for (size_t i = 0; i < call->n; i++) {
        buf_str(&out, i ? " " : "allow command ");
        quote_word(&out, call->argv[i]);
    }
    if (buf_ok(&out, "the rule", e) == 0 && holds(out.p, call))
        return buf_take(&out);
    /* not one of the system's own: by its place */
    buf_clear(&out);
    for (size_t i = 0; i < call->n && call->path; i++) {
        buf_str(&out, i ? " " : "allow command ");
        quote_word(&out, i ? call->argv[i] : call->path);
    }
    if (out.len > 0 && buf_ok(&out, "the rule", e) == 0 && holds(out.p, call))
        return buf_take(&out);
    err_set(e, ERR_INVALID, "no rule can say it");
    return NULL;
}

/* Whether the file would load with this text. */
static int
try_text(const char *path, const char *text, size_t n, struct err *e)
{
    struct policy_rules r = {.name = strdup(path)};
    int rc;

    if (!r.name)
        return err_sys(e, "%s", path);
    rc = policy_read(&r, text, n, e);
    if (rc == 0)
        rc = policy_try(&r, e);
    policy_rules_done(&r);
    return rc;
}

static int
append(const char *path, const char *rule, struct err *e)
{
    CLEANUP_BUF struct buf text = buf_of(POLICY_FILE_MAX);
    struct stat st = {.st_mode = 0600};
    bool there = false;

    if (source_read(path, SOURCE_ANYONE, &text, &there, e) < 0)
        return -1;
    if (there && stat(path, &st) < 0)
        return err_sys(e, "%s", path);
    if (text.len > 0 && text.p[text.len - 1] != '\n')
        buf_ch(&text, '\n');
    buf_printf(&text, "%s\n", rule);
    if (buf_ok(&text, path, e) < 0 || try_text(path, text.p, text.len, e) < 0)
        return -1;
    return file_save(path, text.p, text.len, st.st_mode & 07777, e);
}

int
policy_remember(const char *rule, struct err *e)
{
    CLEANUP(free_p) char *dir = path_of(PATH_CONFIG, NULL, e);
    CLEANUP(free_p) char *path = dir ? path_join(dir, "policy") : NULL;
    struct policy_rule one = {0};
    int rc;

    if (!path)
        return dir ? err_set(e, ERR_NOMEM, "no memory for a path") : -1;
    if (strchr(rule, '\n'))
        return err_set(e, ERR_INVALID, "a rule is one line");
    rc = policy_rule_read(&one, rule, e); /* neither comment nor example */
    policy_rule_done(&one);
    if (rc < 0 || file_make_dirs(dir, 0700, e) < 0)
        return -1;
    return append(path, rule, e);
}
