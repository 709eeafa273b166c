/* SPDX-License-Identifier: GPL-3.0-or-later */
/* policy.h - the rules: what is allowed, what is asked, what is denied.
 *
 * A file of rules, one a line; agentsh-policy(5) is its manual. Read in this
 * order: SYSCONFDIR/agentsh/policy (only when root owns it and nobody else may
 * write it; else ERR_CONFIG), $XDG_CONFIG_HOME/agentsh/policy. Deny beats ask
 * beats allow, whichever file says so; where no rule speaks, the preset does
 * (restrictive, standard, permissive: files of rules as well, built in). A
 * line with a mistake, or an example that does not hold, is ERR_CONFIG with
 * file and line, and nothing is loaded. Nothing from the working directory is
 * read. */
#ifndef GUARD_POLICY_H
#define GUARD_POLICY_H

#include "base/buf.h"
#include "guard/effects/effects.h"
#include "guard/risk/risk.h"

enum guard_decision { GUARD_ALLOW, GUARD_ASK, GUARD_DENY };

const char *guard_decision_name(enum guard_decision d); /* "allow", … */

struct policy; /* the rules that are in force */

struct policy *policy_load(struct err *e);
/* The same from named files, each may be NULL or absent; for tests and for
 * `--policy`. preset NULL: the files' own, else standard. */
struct policy *policy_load_files(const char *system, const char *user,
                                 const char *preset, struct err *e);
void policy_free(struct policy *p);
DEFINE_CLEANUP(struct policy, policy_free)

/* Appends the rules that are in force, in order, below their files. */
void policy_show(const struct policy *p, struct buf *out);

/* What was loaded: rules and examples of the files, and "preset NAME". */
struct policy_counts {
    size_t rules, examples;
    const char *preset; /* p's */
};
void policy_count(const struct policy *p, struct policy_counts *out);

/* Appends a line about each rule that may not mean what it seems to. */
void policy_doubts(const struct policy *p, struct buf *out);
/* The same of the last rule in the person's file alone. */
void policy_doubt_last(const struct policy *p, struct buf *out);

/* What the rules say, and the rule that decided. */
struct policy_verdict {
    enum guard_decision decision;
    char rule[256];   /* "file:line: ask command git push *", or "preset …" */
    bool by_person;   /* allow: a file's rule allows each call and each file
                         that is written, and no preset's does */
    char why[160];    /* the part of the command line that it is about */
    char reason[256]; /* what about it, in words; "": the rule says it */
    bool uninstalled; /* which is that a program is not installed */
    bool changed;     /* a rule would allow it if what a script is or does were
                         as it was */
};

/* A command line: each call, path and host by itself; the strictest wins. */
void policy_judge(const struct policy *p, const struct risk *r,
                  const struct risk_place *where, struct policy_verdict *out);

/* A path that a tool would read or write, a host, a tool's action, of which
 * these RISK_ facts are known. A file with keys (secret_is_key) is denied to
 * tools, unless a rule of a file names such a one. */
void policy_judge_path(const struct policy *p, const char *path, bool write,
                       const struct risk_place *where,
                       struct policy_verdict *out);
void policy_judge_host(const struct policy *p, const char *host,
                       struct policy_verdict *out);
void policy_judge_tool(const struct policy *p, const char *tool,
                       const char *action, unsigned facts,
                       struct policy_verdict *out);

/* The narrowest rule that would allow this line again, without its last
 * newline ("allow command git status --short"); NULL with a reason in e when
 * none can be: destructive, privileged and opaque lines are asked every time,
 * and so is what runs what a file says. Only for a shell's script that is all
 * it runs there is one, for its directory and its bytes, in three lines
 * (policy_pin.h). The caller shows it, and frees it. */
char *policy_propose(const struct risk *r, const struct risk_place *where,
                     struct err *e);

/* Appends a rule, of one line or as it was proposed, to the person's file,
 * which is made 0600 when it is not there; the file with it must load. */
int policy_remember(const char *rule, struct err *e);

#endif
