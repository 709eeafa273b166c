/* SPDX-License-Identifier: GPL-3.0-or-later */
/* profile_programs.h - programs that no confined profile can serve. */
#ifndef GUARD_PROFILE_PROGRAMS_H
#define GUARD_PROFILE_PROGRAMS_H

#include "guard/risk/risk.h"

/* Why a program of that name can do its work in `full` only, though it need
 * not change anything: it uses a socket of the machine. NULL: it can. What
 * uses keys is in profile_keys.h. */
const char *profile_name_needs_full(const char *name);

/* chmod g+s, 2755: what the filter of every confined profile refuses. */
bool profile_call_sets_ids(const struct risk_call *call);

/* Whether it shows what a confined profile hides, who is there and whose
 * processes run, though it counts for no more than reading. */
bool profile_program_looks(const struct risk_call *call);

#endif
