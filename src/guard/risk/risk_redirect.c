/* SPDX-License-Identifier: GPL-3.0-or-later */
/* risk_redirect.c - what > < and their like do to files. */
#include <string.h>

#include "guard/risk/risk_expand.h"
#include "guard/risk/risk_hosts.h"
#include "guard/risk/risk_memory.h"
#include "guard/risk/risk_paths.h"
#include "guard/risk/risk_run.h"

static bool
is_socket_name(const char *text)
{
    return strncmp(text, "/dev/tcp/", 9) == 0 ||
           strncmp(text, "/dev/udp/", 9) == 0;
}

bool
risk_is_socket(const struct syntax_redirect *r)
{
    for (; r; r = r->next)
        if (is_socket_name(r->target->text))
            return true;
    return false;
}

static void
connect_to(struct risk_state *st, const struct risk_arg *a)
{
    const char *host = a->text + 9;
    const char *name = risk_copy(st, host, strcspn(host, "/"));

    risk_add_host(st,
                  (struct risk_host){a->known ? name : "", "", a->from, a->to});
    if (!risk_is_loopback(name))
        risk_report(st, RISK_NETWORK,
                    (struct risk_reason){
                        .kind = RISK_KIND_HOST,
                        .program = "",
                        .about = name,
                        .from = a->from,
                        .to = a->to,
                        .says = "a redirection to /dev/tcp contacts a host"});
}

static void
touch(struct risk_state *st, const struct risk_frame *f,
      const struct syntax_redirect *r, const struct risk_arg *a)
{
    if (is_socket_name(a->text)) {
        connect_to(st, a);
        return;
    }
    switch (r->kind) {
    case SYNTAX_READ:
        risk_touch(st, f, a, RISK_READS, false, "<");
        return;
    case SYNTAX_WRITE:
    case SYNTAX_WRITE_BOTH:
        risk_touch(st, f, a, st->no_clobber ? RISK_MAKES : RISK_CHANGES, false,
                   ">");
        return;
    case SYNTAX_CLOBBER:
        risk_touch(st, f, a, RISK_CHANGES, false, ">");
        return;
    case SYNTAX_APPEND:
    case SYNTAX_APPEND_BOTH:
        risk_touch(st, f, a, RISK_MAKES, false, ">>");
        return;
    case SYNTAX_READ_WRITE: /* not cut, but written over where it begins */
        risk_touch(st, f, a,
                   r->fd == SYNTAX_FD_DEFAULT || r->fd == 0 ? RISK_MAKES
                                                            : RISK_CHANGES,
                   false, "<>");
        return;
    default:
        return;
    }
}

void
risk_redirects(struct risk_state *st, const struct risk_frame *f,
               const struct syntax_node *node)
{
    for (const struct syntax_redirect *r = node->redirects; r; r = r->next) {
        struct risk_args args = {0};

        if (r->kind == SYNTAX_DUP_IN || r->kind == SYNTAX_DUP_OUT ||
            r->kind == SYNTAX_HEREDOC || r->kind == SYNTAX_HERE_STRING)
            continue;
        risk_expand(st, f, r->target, &args);
        for (size_t i = 0; i < args.n; i++)
            touch(st, f, r, &args.v[i]);
    }
}
