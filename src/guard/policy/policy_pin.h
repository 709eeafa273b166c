/* SPDX-License-Identifier: GPL-3.0-or-later */
/* policy_pin.h - restricts a rule to a directory and a script's bytes.
 *
 * Two indented lines narrow an allow for a command: `in DIR`, the directory in
 * which the command starts, and `with sha256:HEX FILE`, the bytes that a file
 * must hold. A rule that is proposed for a script has both, so that an approval
 * of the script does not approve its next version. */
#ifndef GUARD_POLICY_POLICY_PIN_H
#define GUARD_POLICY_POLICY_PIN_H

#include "guard/policy/policy_target.h"

/* Whether the rule holds for a line that starts in this place and consists of
 * this one call. When the file is a shell script that the call runs, its text
 * is analysed again each time, because what it deletes, where it writes and
 * which programs its words name may have changed. why receives the reason, in
 * words, when the rule was made for this place and no longer holds; else it is
 * untouched. */
#define POLICY_PIN_WHY_MAX 240
bool policy_pin_holds(const struct policy_rule *rule,
                      const struct risk_call *call,
                      const struct policy_context *ctx,
                      char why[POLICY_PIN_WHY_MAX]);

/* Whether the directory's own configuration can make the call run more (hooks,
 * aliases, filters); no rule is proposed for such a call. When a call only
 * looks, nothing is writable and these mechanisms are switched off. */
bool policy_pin_is_directed(const struct risk_call *call);

/* Appends the two lines for the script of this line. The line must run nothing
 * but the script, and the script must be a shell's, consist of known commands,
 * destroy nothing, start no other file and write only below the directory.
 * ERR_INVALID: the line runs what files say, and the script is not like that. A
 * line that runs no script gets no lines. */
int policy_pin_propose(const struct risk *r, const struct path_context *where,
                       struct buf *out, struct err *e);

#endif
