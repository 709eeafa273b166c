/* SPDX-License-Identifier: GPL-3.0-or-later */
/* profile_git.h - whether a call of git logs in with the person's keys. */
#ifndef GUARD_PROFILE_GIT_H
#define GUARD_PROFILE_GIT_H

#include "guard/risk/risk.h"

/* For profile_call_uses_keys, which says when. Reads the configuration of the
 * repository in which the call would run; where that cannot be known, it uses
 * them. */
bool profile_git_uses_keys(const struct risk_call *call, const struct risk *r,
                           const struct risk_place *where);

#endif
