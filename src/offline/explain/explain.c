/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain.c - explains a command line: parts, one sentence, risk. */
#include "offline/explain/explain.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/message.h"
#include "offline/explain/explain_fact.h"

#define SOURCES_MAX 4096 /* bytes of the names of all sources */

/* Sorts the parts by position: they were added in the order of
 * understanding. */
static void
sort_parts(struct explain *x)
{
    for (size_t i = 1; i < x->n; i++) {
        struct explain_part p = x->parts[i];
        size_t k = i;

        for (; k > 0 && x->parts[k - 1].from > p.from; k--)
            x->parts[k] = x->parts[k - 1];
        x->parts[k] = p;
    }
}

/* Joins the sources, each once: "tar(1), gzip(1)". */
static char *
join_sources(const struct explain *x)
{
    CLEANUP_BUF struct buf b = buf_of(SOURCES_MAX);

    for (size_t i = 0; i < x->n; i++) {
        const char *source = x->parts[i].source;
        bool seen = !source;

        for (size_t k = 0; !seen && k < i; k++)
            seen = x->parts[k].source && !strcmp(x->parts[k].source, source);
        if (!seen)
            buf_printf(&b, "%s%s", b.len ? ", " : "", source);
    }
    return buf_take(&b);
}

int
explain_line(const struct seat *s, const char *line, struct explain *out,
             struct err *e)
{
    return explain_for(false, s, line, out, e);
}

int
explain_for(bool person, const struct seat *s, const char *line,
            struct explain *out, struct err *e)
{
    CLEANUP(explain_done)
    struct explain made = {.person = person && message_is_translated()};
    struct explainer x = {.line = line,
                          .out = &made,
                          .known.seat = s,
                          .known.person = made.person};

    if (strlen(line) > SYNTAX_LINE_MAX)
        return err_set(e, ERR_INVALID, "a command line of %zu bytes",
                       strlen(line));
    x.depth = (unsigned)-1; /* the outermost line has depth 0 */
    explain_line_within(&x, 0, strlen(line));
    made.summary = x.sentence ? TAKE_PTR(x.sentence) : strdup("");
    made.line = strdup(line);
    if (explain_risk_read(s, line, &made.risk) < 0)
        x.nomem = true;
    facts_done(&x);
    knowledge_done(&x.known);
    sort_parts(&made);
    made.source = join_sources(&made);
    if (x.nomem || !made.source || !made.summary || !made.line)
        return err_set(e, ERR_NOMEM, "out of memory to explain a command");
    *out = made;
    made = (struct explain){0};
    return 0;
}

void
explain_done(struct explain *x)
{
    if (!x)
        return;
    for (size_t i = 0; i < x->n; i++) {
        free(x->parts[i].what);
        free(x->parts[i].meaning);
        free(x->parts[i].source);
    }
    free(x->parts);
    free(x->source);
    free(x->summary);
    free(x->line);
    for (size_t i = 0; i < x->risk.n; i++)
        free(x->risk.reasons[i]);
    free(x->risk.reasons);
    *x = (struct explain){0};
}
