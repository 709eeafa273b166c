/* SPDX-License-Identifier: GPL-3.0-or-later */
/* profile_programs.h - programs that no confined profile can serve. */
#ifndef GUARD_PROFILE_PROGRAMS_H
#define GUARD_PROFILE_PROGRAMS_H

#include "guard/risk/risk.h"

/* Why a call can do its work in `full` only, though it need not change
 * anything: it uses your keys, or a socket of the machine. NULL: it can. */
const char *profile_program_needs_full(const struct risk_call *call);

/* The same for a program of which only its name is known: one that hands the
 * rest of its line to another machine (ssh host ls). */
const char *profile_name_needs_full(const char *name);

/* Whether it shows what a confined profile hides, who is there and whose
 * processes run, though it counts for no more than reading. */
bool profile_program_looks(const struct risk_call *call);

#endif
