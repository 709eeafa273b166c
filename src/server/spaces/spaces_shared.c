/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spaces_shared.c - what the runs of a process share, and their states. */
#include "server/spaces/spaces_shared.h"

#include <string.h>

#include "base/random_id.h"

#define ID_PREFIX "run_"

static const char *const status_names[] = {
    [SPACES_COMPLETED] = "completed",
    [SPACES_AWAITING] = "awaiting_approval",
    [SPACES_ERROR] = "error",
};

const char *
spaces_status_name(enum spaces_status s)
{
    return status_names[s];
}

int
spaces_run_make_id(char id[SPACES_STORE_ID_SIZE], struct err *e)
{
    size_t at = strlen(ID_PREFIX);

    memcpy(id, ID_PREFIX, at);
    return random_id(id + at, SPACES_STORE_ID_SIZE - at, e);
}

void
spaces_record(const struct spaces_shared *sh, struct journal_run *to,
              const char *kind, const struct journal_member *members)
{
    const char *why;

    (void)journal_add(to, kind, members);
    if (sh->journal && (why = journal_trouble(sh->journal)) != NULL)
        sh->log(sh->arg, why);
}

int
spaces_result_status(enum spaces_result r)
{
    static const int statuses[] = {
        [SPACES_ALL_WELL] = 0,
        [SPACES_SOME_FAILED] = SPACES_STATUS_FAILED,
        [SPACES_SOME_DENIED] = SPACES_STATUS_DENIED,
    };

    return statuses[r];
}
