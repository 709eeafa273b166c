/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_risk.c - analyses any bytes and checks that every finding lies inside
 * the line. */
#include <stdint.h>
#include <stdlib.h>

#include "guard/risk/risk.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
check(const struct risk *r, size_t size)
{
    if (r->n_reasons > RISK_REASONS_MAX || r->n_calls > RISK_CALLS_MAX)
        abort();
    if (r->facts & RISK_OPAQUE && !(r->facts & RISK_DESTRUCTIVE))
        abort();
    for (size_t i = 0; i < r->n_reasons; i++)
        if (r->reasons[i].from > r->reasons[i].to || r->reasons[i].to > size ||
            !r->reasons[i].text || !(r->facts & r->reasons[i].fact))
            abort();
    for (size_t i = 0; i < r->n_paths; i++)
        if (r->paths[i].to > size || !r->paths[i].text)
            abort();
    for (size_t i = 0; i < r->n_hosts; i++)
        if (r->hosts[i].to > size || !r->hosts[i].name)
            abort();
    for (size_t i = 0; i < r->n_calls; i++) {
        const struct risk_call *c = &r->calls[i];

        if (c->to > size || !c->name || !c->wrapper || !c->argv ||
            c->argv[c->n] || c->facts & ~(r->facts | RISK_HOLDERS))
            abort();
    }
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    /* Nothing is there: no input finds its way to files of this machine's but
     * by an absolute path, and nothing is changed. */
    static const struct path_context where = {
        .cwd = "/nonexistent", .home = "/nonexistent/home", .path = "/bin"};
    struct syntax s;
    struct risk r;
    struct err e;

    if (syntax_read((const char *)data, size, &s, &e) < 0)
        return 0;
    if (risk_read(&s, &where, &r, &e) == 0) {
        check(&r, size);
        risk_done(&r);
    }
    syntax_done(&s);
    return 0;
}
