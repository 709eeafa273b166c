/* SPDX-License-Identifier: GPL-3.0-or-later */
/* find.c - commands of find(1) for a request. */
#include "offline/compose/compose.h"

int
find_compose(const struct request *q, struct shortlist *s, struct err *e)
{
    CLEANUP_BUF struct buf line = buf_of(CANDIDATE_BYTES);
    struct candidate c = {.recipe = -1, .composer = "find", .fit = 0.6};

    if (!request_has(q, "find search locate look") ||
        !request_has(q, "file directory link folder"))
        return 0;
    buf_str(&line, "find ");
    compose_places(q, &c.used, &line);
    compose_tail(q, &c.used, &line);
    if (buf_ok(&line, "a command", e) < 0)
        return -1;
    c.command = line.p;
    return shortlist_add(s, &c, e);
}
