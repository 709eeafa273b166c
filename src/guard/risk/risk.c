/* SPDX-License-Identifier: GPL-3.0-or-later */
/* risk.c - what a command line would do, read from its syntax. */
#include "guard/risk/risk.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/path.h"
#include "guard/risk/risk_memory.h"
#include "guard/risk/risk_run.h"

struct risk_place
risk_place_here(const char *cwd)
{
    return (struct risk_place){.cwd = cwd,
                               .home = path_home(),
                               .path = getenv("PATH"),
                               .as_root = geteuid() == 0};
}

/* Whether every call is a known reader of others' descriptors. */
static bool
only_holders(const struct risk *r)
{
    for (size_t i = 0; i < r->n_calls; i++)
        if (!(r->calls[i].facts & RISK_HOLDERS))
            return false;
    return r->n_calls > 0;
}

/* Not true of the line as a whole. */
static void
forget_fact(struct risk *r, unsigned fact)
{
    size_t kept = 0;

    r->facts &= ~fact;
    for (size_t i = 0; i < r->n_reasons; i++)
        if (r->reasons[i].fact != fact)
            r->reasons[kept++] = r->reasons[i];
    r->n_reasons = kept;
}

static void
finish(struct risk_state *st, const struct syntax *s)
{
    st->finishing = true;
    if (st->full)
        risk_say_opaque(st, 0, s->top ? s->top->to : 0,
                        "it is too long or too deep to be read");
    if (!only_holders(st->out))
        forget_fact(st->out, RISK_HOLDERS);
}

int
risk_read(const struct syntax *s, const struct risk_place *where,
          struct risk *out, struct err *e)
{
    struct risk found = {0};
    struct risk_directory here = {.dir = where->cwd, .until = (size_t)-1};
    struct risk_state st = {
        .out = &found, .where = where, .directory = &here, .line = s};
    struct risk_frame line = {.syntax = s, .wrapper = ""};

    risk_walk(&st, &line);
    finish(&st, s);
    if (st.no_memory) {
        risk_memory_free(st.memory);
        return err_set(e, ERR_NOMEM, "reading a command line's risks");
    }
    found.memory = st.memory;
    *out = found;
    return 0;
}

void
risk_done(struct risk *r)
{
    if (!r)
        return;
    risk_memory_free(r->memory);
    *r = (struct risk){0};
}
