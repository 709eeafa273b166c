/* SPDX-License-Identifier: GPL-3.0-or-later */
/* guest_settings.c - what one load of the settings gives a connection. */
#include "server/guest/guest_settings.h"

#include <stdlib.h>

static int
fill_guest_sandbox(struct guest_settings *s,
                   const struct guest_settings_params *p, struct err *e)
{
    const struct sandbox_setup_params params = {
        .seat = p->seat,
        .workspace = p->root,
        .profile = p->profile,
        .net = p->profile == PROFILE_WORKSPACE_WRITE ||
               p->profile == PROFILE_REDUCED};

    if (p->profile == PROFILE_FULL)
        return 0;
    s->setup = &s->sandbox;
    return sandbox_setup_fill(&s->sandbox, &params, s->config, e);
}

struct guest_settings *
guest_settings_new(const struct guest_settings_params *p, struct config *config,
                   struct policy *policy, struct err *e)
{
    CLEANUP(guest_settings_free_p)
    struct guest_settings *s = calloc(1, sizeof(*s));

    if (!s) {
        err_nomem(e);
        return NULL;
    }
    s->config = config_hold(config);
    s->policy = policy_hold(policy);
    return fill_guest_sandbox(s, p, e) < 0 ? NULL : TAKE_PTR(s);
}

void
guest_settings_free(struct guest_settings *s)
{
    if (!s || s->others-- > 0)
        return;
    sandbox_setup_done(&s->sandbox);
    policy_free(s->policy);
    config_free(s->config);
    free(s);
}

struct guest_settings *
guest_settings_hold(struct guest_settings *s)
{
    s->others++;
    return s;
}
