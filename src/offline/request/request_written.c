/* SPDX-License-Identifier: GPL-3.0-or-later */
/* request_written.c - a text in no quotes: "write hello world to a.txt". */
#include <string.h>

#include "offline/request/request_in.h"
#include "offline/request/words.h"

/* What is not written as it stands, but is to be got first. */
#define GOT                                                                    \
    "output result results content contents file files list lists date time "  \
    "line lines text word words string number numbers name names size log "    \
    "image iso it them this that everything each every all a an the my data "  \
    "random new first last"

static bool
is_verb(const struct request *q, size_t i)
{
    return words_listed(request_plain(q, i), "write append echo");
}

/* Whether plain words stand from i on, before "to", "into" or "in" and a path,
 * that do not say what is to be got. */
static bool
is_text(const struct request *q, size_t i)
{
    size_t at = i;

    while (at < q->n && q->words[at].value < 0 &&
           !words_listed(request_plain(q, at), "to into in"))
        if (words_listed(request_plain(q, at++), GOT))
            return false;
    if (at >= q->n || at - i < 2 ||
        !words_listed(request_plain(q, at), "to into in"))
        return false;
    at++;
    while (words_listed(request_plain(q, at), "the a file my new"))
        at++;
    return request_value_of(q, at) && request_value_of(q, at)->is == SLOT_PATH;
}

int
request_written(struct request *q, size_t i, struct err *e)
{
    size_t from = i + 1, n = 0;
    struct request_word *w;

    if (!is_verb(q, i) || !is_text(q, from))
        return 0;
    while (!words_listed(request_plain(q, from + n), "to into in"))
        n++;
    w = &q->words[from];
    w->to = q->words[from + n - 1].to;
    memmove(w + 1, w + n, (q->n - from - n) * sizeof(*w));
    q->n -= n - 1;
    return request_become(q, from, SLOT_TEXT, 0, e);
}
