/* SPDX-License-Identifier: GPL-3.0-or-later */
/* policy_target.h - finds the files that a path of a command line means now.
 *
 * Patterns are expanded by reading directories, and links are resolved. A path
 * that cannot be known, such as one with a variable, is marked as unknown. */
#ifndef GUARD_POLICY_POLICY_TARGET_H
#define GUARD_POLICY_POLICY_TARGET_H

#include <limits.h>

#include "guard/path/path_autorun.h"
#include "guard/policy/policy_rule.h"

#define POLICY_TARGETS_MAX 1000 /* files of a pattern; more: unknown */

/* Where a line would run, with links resolved; "": not known. */
struct policy_context {
    const struct path_context *where;
    char here[PATH_MAX], real_here[PATH_MAX], real_home[PATH_MAX];
    bool is_system;    /* here belongs to the system: every file is outside */
    bool no_workspace; /* here is a home, above one, or / */
    struct path_autorun *autorun; /* owned; NULL: there was no memory for it */
    int64_t until_us; /* clock_us() at which the expansion of patterns stops */
};

void policy_context_init(struct policy_context *p,
                         const struct path_context *where);
void policy_context_done(struct policy_context *p);

struct policy_target {
    enum risk_use use;
    bool below;   /* everything below it too */
    bool listed;  /* only its entry is read, and no file's bytes */
    bool unknown; /* only its directory is known, or not even that */
    char *path;   /* absolute, as written; "": not known */
    char *real;   /* with links resolved; "": they cannot be */
    unsigned facts;
};

struct policy_targets {
    struct policy_target *v;
    size_t n;
};

/* -1: no memory. A path that is only a stream, such as /dev/null, has no
 * targets. */
int policy_targets_find(const struct risk_path *path,
                        const struct policy_context *ctx,
                        struct policy_targets *out);
void policy_targets_done(struct policy_targets *t);

/* Whether a rule for paths matches a target. An allow matches only for certain:
 * it is never POLICY_FIT_MAY. */
enum policy_fit { POLICY_FIT_NO, POLICY_FIT_MAY, POLICY_FIT_YES };

enum policy_fit policy_target_fit(const struct policy_rule *rule,
                                  const struct policy_target *t,
                                  const struct policy_context *ctx);

/* Whether an absolute path matches the pattern; with `begins`, also whether a
 * path below it may match. */
bool policy_path_is(const struct policy_pattern *p, const char *path,
                    bool begins, const struct policy_context *ctx);

#endif
