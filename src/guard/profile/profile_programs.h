/* SPDX-License-Identifier: GPL-3.0-or-later */
/* profile_programs.h - knows programs that work in no confined profile. */
#ifndef GUARD_PROFILE_PROFILE_PROGRAMS_H
#define GUARD_PROFILE_PROFILE_PROGRAMS_H

#include "guard/risk/risk.h"

/* Why the program of that name works only in `full`, even when it changes
 * nothing: for example, it uses a socket of the machine. NULL: it works
 * confined. Programs that use keys are in profile_keys.h. */
const char *profile_name_needs_full(const char *name);

/* Whether the call sets a setuid or setgid bit (chmod g+s, chmod 2755): the
 * seccomp filter of every confined profile refuses that. */
bool profile_call_sets_ids(const struct risk_call *call);

/* Whether the program shows what a confined profile hides, such as who is
 * logged in and whose processes run, although it only reads. */
bool profile_program_looks(const struct risk_call *call);

#endif
