/* SPDX-License-Identifier: GPL-3.0-or-later */
/* effects_git.c - the files that `git clean` would delete. */
#include <string.h>

#include "guard/effects_look.h"

bool
effects_git_clean(struct effects_look *l, const struct risk_call *call)
{
    (void)l;
    (void)call;
    return false;
}
