/* SPDX-License-Identifier: GPL-3.0-or-later */
/* policy.h - applies the rules: what is allowed, asked about, or denied.
 *
 * The folder policy/ reads the rules, finds the one that decides about each
 * part of a command line (policy_part.h), and adds rules for a person. What a
 * line does it hears from risk/; it must not know a sandbox or a terminal, and
 * asks nobody.
 *
 * Rules stand in files, one rule a line; agentsh-policy(5) is the manual. Two
 * files are read: SYSCONFDIR/agentsh/policy, which root must own and nobody
 * else may write (else ERR_CONFIG), and $XDG_CONFIG_HOME/agentsh/policy. Deny
 * beats ask, and ask beats allow, whichever file says so. Where no rule
 * matches, the preset decides (restrictive, standard or permissive; a built-in
 * file of rules). A line with a mistake, or an example that fails, is
 * ERR_CONFIG with file and line, and then nothing is loaded. Nothing in the
 * working directory is read. */
#ifndef GUARD_POLICY_POLICY_H
#define GUARD_POLICY_POLICY_H

#include "base/buf.h"
#include "base/seat.h"
#include "guard/effects/effects.h"
#include "guard/risk/risk.h"

#define POLICY_HOST_MAX 256 /* bytes of a host's name; DNS allows 253 */

enum guard_decision { GUARD_ALLOW, GUARD_ASK, GUARD_DENY };

const char *guard_decision_name(enum guard_decision d); /* "allow", … */

struct policy; /* the rules in force */

/* Loads the files of the session's person. */
struct policy *policy_load(const struct seat *s, struct err *e);
/* Loads named files; each may be NULL, and need not exist. For tests and
 * `--policy`. preset NULL: the one that a file names, else standard. home: of
 * the person, for the examples; NULL: not known. */
struct policy *policy_load_files(const char *system, const char *user,
                                 const char *preset, const char *home,
                                 struct err *e);
void policy_free(struct policy *p);
DEFINE_CLEANUP(struct policy, policy_free)
/* One more owner, who frees it too. Returns p, which may be NULL. */
struct policy *policy_hold(struct policy *p);

/* Appends the rules in force, in order, each group under its file's name. */
void policy_show(const struct policy *p, struct buf *out);

/* What was loaded: how many rules and examples of files, and "preset NAME". */
struct policy_counts {
    size_t rules, examples;
    const char *preset; /* borrowed from the policy */
};
void policy_count(const struct policy *p, struct policy_counts *out);

/* Appends a line about each rule that may not mean what it seems to mean. */
void policy_lint(const struct policy *p, struct buf *out);
/* The same for the last rule of the person's file only. */
void policy_lint_last(const struct policy *p, struct buf *out);

/* What the reason of a verdict says, where a caller needs to know. */
enum policy_reason_kind {
    POLICY_REASON_ANY,
    POLICY_REASON_UNINSTALLED, /* a program is not installed */
    POLICY_REASON_CHANGED,     /* a saved rule does not apply any more, because
                                  its script, or what that does, has changed */
};

/* The decision, and the rule that led to it. */
struct policy_verdict {
    enum guard_decision decision;
    char rule[256]; /* "file:line: ask command git push *", or "preset …" */
    bool by_person; /* allowed, and rules of files, not of a preset, allow each
                       call and each written file */
    char part[160]; /* the part of the command line that was decided on */
    char reason[256]; /* more about it, in words; "": the rule says all */
    enum policy_reason_kind reason_kind;
};

/* Decides about a command line: each call, path and host is decided on its own,
 * and the strictest decision wins. */
void policy_judge(const struct policy *p, const struct risk *r,
                  const struct path_context *where, struct policy_verdict *out);

/* Decides about a path that a tool would read or write, about a host, and about
 * a tool's action with the RISK_ facts that are known of it. Tools are denied
 * files of keys (secret_is_key), unless a rule of a file names such a file. */
void policy_judge_path(const struct policy *p, const char *path, bool write,
                       const struct path_context *where,
                       struct policy_verdict *out);
/* The same for a path that would be written, as if nothing were there yet: for
 * who does not ask about what is lost. */
void policy_judge_new_path(const struct policy *p, const char *path,
                           const struct path_context *where,
                           struct policy_verdict *out);
void policy_judge_host(const struct policy *p, const char *host,
                       struct policy_verdict *out);
void policy_judge_tool(const struct policy *p, const char *tool,
                       const char *action, unsigned facts,
                       struct policy_verdict *out);

/* Proposes the narrowest rule that would allow this line again ("allow command
 * git status --short"), without a final newline; the caller shows and frees it.
 * NULL, with the reason in e, when no rule may: destructive, privileged and
 * opaque lines are asked about every time, and so are lines that run what a
 * file says. The exception is a shell script that is all that the line runs:
 * its rule has three lines and holds for the directory and the script's exact
 * bytes (policy_pin.h). */
char *policy_propose(const struct risk *r, const struct path_context *where,
                     struct err *e);

/* Adds a rule, as policy_propose returned it, to those in force; no file is
 * written. It counts as a rule of the person's. home: as for policy_load_files.
 * ERR_CONFIG: it is none. */
int policy_add(struct policy *p, const char *rule, const char *home,
               struct err *e);

/* Appends a rule, of one line or as policy_propose returned it, to the file of
 * the session's person. A missing file is created with mode 0600. The file must
 * load with the new rule. */
int policy_remember(const struct seat *s, const char *rule, struct err *e);

#endif
