/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_rules.c - fails the build where a rule or an example of it is wrong. */
#include <stdio.h>

#include "offline/repair/repair.h"

#define COMPLAINTS_MAX (1u << 20)

int
main(void)
{
    CLEANUP_BUF struct buf complaints = buf_of(COMPLAINTS_MAX);
    size_t rules = repair_check(&complaints);

    printf("%zu rules\n", rules);
    fputs(complaints.p, stderr);
    return complaints.len > 0 || complaints.bad;
}
