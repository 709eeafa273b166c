/* SPDX-License-Identifier: GPL-3.0-or-later */
/* main.c - the tool services: who listens where, and what runs. */
#include <string.h>

#include "base/cleanup.h"
#include "base/fd.h"
#include "plugins/lib/machine.h"
#include "plugins/services/report.h"

#define PORT_MAX 65535

static int
read_args(const struct request *r, struct report *rep, struct err *e)
{
    const struct json *port = json_get(r->args, "port");
    const struct json *name = json_get(r->args, "name");
    int64_t n = 0;

    if (strcmp(r->action, "list") != 0)
        return err_set(e, ERR_INVALID, "services has one action, list");
    if (port && json_type(port) != JSON_NULL &&
        (!json_int(port, &n) || n < 1 || n > PORT_MAX))
        return err_set(e, ERR_INVALID, "args.port must be from 1 to %d",
                       PORT_MAX);
    if (name && json_type(name) != JSON_NULL) {
        rep->name = json_get_str(r->args, "name");
        if (!rep->name)
            return err_set(e, ERR_INVALID, "args.name must be a string");
    }
    rep->listeners.only = (unsigned)n;
    return 0;
}

static int
answer(const struct request *r, struct report *rep, struct facts *f,
       struct err *e)
{
    CLEANUP(fd_close_p) int root = machine_open(NULL, e);

    if (root < 0 || read_args(r, rep, e) < 0 || report_gather(rep, root, e) < 0)
        return -1;
    report_give(rep, f);
    return facts_reply(f, r, e);
}

static void
handle(const struct request *r)
{
    CLEANUP(report_done) struct report rep = {0};
    CLEANUP(facts_done) struct facts f;
    struct err e = {0};

    facts_init(&f);
    if (answer(r, &rep, &f, &e) < 0)
        reply_error(r, &e);
}

int
main(void)
{
    if (fd_fill_standard(NULL) < 0)
        return 1;
    return plugin_serve("services", handle);
}
