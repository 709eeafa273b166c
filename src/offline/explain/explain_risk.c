/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain_risk.c - takes the risk of a line from the guard, for display. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/message.h"
#include "base/message_put.h"
#include "guard/risk/risk.h"
#include "offline/explain/explain_state.h"

#define REASONS_MAX 4 /* that a person reads */

/* The facts that are shown. An unknown program is no reason for caution. */
#define SHOWN                                                                  \
    (RISK_DESTRUCTIVE | RISK_SUDO | RISK_PRIVILEGED | RISK_NETWORK |           \
     RISK_OPAQUE | RISK_SECRET)

static int
take_reasons(const struct risk *r, struct explain_risk *out)
{
    out->reasons = calloc(REASONS_MAX, sizeof(*out->reasons));
    if (!out->reasons)
        return -1;
    for (size_t i = 0; i < r->n_reasons && out->n < REASONS_MAX; i++) {
        bool seen = !(r->reasons[i].fact & SHOWN);

        for (size_t k = 0; k < i && !seen; k++)
            seen = r->reasons[k].fact & SHOWN &&
                   risk_reason_is_same(&r->reasons[k], &r->reasons[i]);
        if (seen)
            continue;
        out->reasons[out->n] = strdup(r->reasons[i].text);
        if (!out->reasons[out->n])
            return -1;
        out->n++;
    }
    return 0;
}

int
explain_risk_read(const struct seat *seat, const char *line,
                  struct explain_risk *out)
{
    CLEANUP(syntax_done) struct syntax s = {0};
    CLEANUP(risk_done) struct risk r = {0};
    struct path_context where = path_context_of(seat);

    if (syntax_read(line, strlen(line), &s, NULL) < 0)
        return -1;
    if (!s.top || s.fault) /* a part says that bash would not run it */
        return 0;
    if (risk_read(&s, &where, &r, NULL) < 0)
        return -1;
    out->opaque = r.facts & RISK_OPAQUE;
    out->destructive = r.facts & RISK_DESTRUCTIVE && !out->opaque;
    out->privileged = r.facts & (RISK_SUDO | RISK_PRIVILEGED);
    out->network = r.facts & RISK_NETWORK;
    return take_reasons(&r, out);
}

/* A reason is a finished text, with names in it. */
static void
put_risk_reason(struct buf *out, bool person, const char *between,
                const char *reason)
{
    buf_str(out, between);
    if (person)
        (void)message_put(out, reason);
    else
        buf_str(out, reason);
}

void
explain_risk_text(const struct explain_risk *r, bool person, struct buf *out)
{
    const struct {
        bool is;
        const char *text;
    } facts[] = {
        {r->opaque, N_("cannot tell what it does")},
        {r->destructive, N_("destructive")},
        {r->privileged, N_("needs root")},
        {r->network, N_("uses the network")},
    };
    size_t n = 0;

    for (size_t i = 0; i < ARRAY_SIZE(facts); i++)
        if (facts[i].is)
            buf_printf(out, "%s%s", n++ ? ", " : "",
                       message_for(person, facts[i].text));
    for (size_t i = 0; n > 0 && i < r->n; i++)
        put_risk_reason(out, person, i ? "; " : ": ", r->reasons[i]);
}
