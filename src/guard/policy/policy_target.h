/* SPDX-License-Identifier: GPL-3.0-or-later */
/* policy_target.h - the files that a path of a command line means now.
 *
 * Patterns are expanded by reading directories, links are resolved; what
 * cannot be known (a variable) is said to be so. */
#ifndef GUARD_POLICY_TARGET_H
#define GUARD_POLICY_TARGET_H

#include <limits.h>

#include "guard/path/path_by_name.h"
#include "guard/policy/policy_in.h"

#define POLICY_TARGETS_MAX 1000 /* files of one pattern; more: not known */

/* Where a line would run, links resolved; "" where it is not known. */
struct policy_place {
    const struct risk_place *where;
    char here[PATH_MAX], real_here[PATH_MAX], real_home[PATH_MAX];
    bool is_system;  /* here belongs to the system: nothing is inside */
    bool is_nowhere; /* here is a home, above it, or /: no workspace */
    struct path_by_name *by_name; /* owned; NULL: no memory for it */
    int64_t until_us; /* clock_us() at which looking at patterns ends */
};

void policy_place_init(struct policy_place *p, const struct risk_place *where);
void policy_place_done(struct policy_place *p);

struct policy_target {
    enum risk_use use;
    bool below;   /* and everything below it */
    bool listed;  /* its entry alone is read, no file's bytes */
    bool unknown; /* only the directory is known, or not even that */
    char *path;   /* absolute, as written; "" when nothing is known */
    char *real;   /* links resolved; "" when that cannot be */
    unsigned facts;
};

struct policy_targets {
    struct policy_target *v;
    size_t n;
};

/* -1: no memory. Nothing at all for a path that is only a stream, such as
 * /dev/null. */
int policy_targets_find(const struct risk_path *path,
                        const struct policy_place *place,
                        struct policy_targets *out);
void policy_targets_done(struct policy_targets *t);

/* Whether a rule for paths speaks about a target. An allow speaks only where
 * it certainly does. */
enum policy_fit { POLICY_FIT_NO, POLICY_FIT_MAY, POLICY_FIT_YES };

enum policy_fit policy_target_fit(const struct policy_rule *rule,
                                  const struct policy_target *t,
                                  const struct policy_place *place);

/* Whether an absolute path is one of the pattern's; `begins`: or one below it
 * may be. */
bool policy_path_is(const struct policy_pattern *p, const char *path,
                    bool begins, const struct policy_place *place);

#endif
