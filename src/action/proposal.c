/* SPDX-License-Identifier: GPL-3.0-or-later */
/* proposal.c - releases a proposal. */
#include "action/proposal.h"

#include <stdlib.h>

void
proposal_done(struct proposal *p)
{
    if (!p)
        return;
    aiaction_free(p->action);
    free(p->model);
    for (size_t i = 0; i < p->n_choices; i++) {
        free(p->choices[i].command);
        free(p->choices[i].title);
        free(p->choices[i].shown);
    }
    *p = (struct proposal){0};
}
