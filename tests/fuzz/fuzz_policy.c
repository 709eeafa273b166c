/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_policy.c - any bytes as a file of rules, the last line judged by them.
 *
 * What the rules decide may never be less strict than the same rules decide
 * with one that denies everything. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "guard/policy/policy_rule.h"

#define LINE_MAX_BYTES 4096

static void
must(bool truth)
{
    if (!truth)
        abort();
}

static int
read_rules(struct policy_rules *r, const char *text, size_t n, struct err *e)
{
    r->name = strdup("policy");
    return r->name && policy_rules_read(r, text, n, e) == 0
               ? policy_check_examples(r, "/home/me", e)
               : -1;
}

static void
judge(struct policy *p, const char *line)
{
    static const struct path_context where = {
        .cwd = "/nowhere/here", .home = "/nowhere", .path = "/usr/bin:/bin"};
    static const char nothing[] = "deny command *\n";
    struct policy_verdict v, w;
    struct syntax s = {0};
    struct risk r = {0};

    if (syntax_read(line, strlen(line), &s, NULL) == 0 &&
        risk_read(&s, &where, &r, NULL) == 0) {
        policy_judge(p, &r, &where, &v);
        must(strlen(v.rule) < sizeof(v.rule));
        must(v.decision != GUARD_ALLOW || !(r.facts & RISK_OPAQUE) ||
             p->user.n > 0);
        if (read_rules(&p->system, nothing, strlen(nothing), NULL) == 0) {
            policy_judge(p, &r, &where, &w);
            must(w.decision >= v.decision);
            must(r.n_calls == 0 || w.decision == GUARD_DENY);
        }
    }
    risk_done(&r);
    syntax_done(&s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct policy *p = policy_load_files(NULL, NULL, NULL, NULL, NULL);
    const char *text = (const char *)data;
    size_t at = size;
    char line[LINE_MAX_BYTES];
    struct err e = {0};

    if (!p)
        return 0;
    while (at > 0 && text[at - 1] != '\n' && size - at < sizeof(line) - 1)
        at--;
    memcpy(line, text + at, size - at);
    line[size - at] = '\0';
    if (read_rules(&p->user, text, at, &e) < 0)
        must(e.code == ERR_NOMEM ||
             (e.code == ERR_CONFIG && strncmp(e.text, "policy:", 7) == 0));
    else
        judge(p, line);
    policy_free(p);
    return 0;
}
