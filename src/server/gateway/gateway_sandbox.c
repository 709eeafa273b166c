/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gateway_sandbox.c - the command line that runs a program confined. */
#include "server/gateway/gateway_sandbox.h"

#include <stdlib.h>

#include "base/path.h"

int
gateway_sandbox_make(struct gateway_sandbox *s,
                     const struct sandbox_setup_params *w,
                     const struct config *config, const char *const *argv,
                     struct err *e)
{
    const struct tool_setting setting = {
        .sandbox = &s->setup.spec, .seat = w->seat, .config = config};

    s->setup.spec.profile = w->profile;
    if (sandbox_setup_fill(&s->setup, w, config, e) < 0)
        return -1;
    s->setup.spec.alike = true;
    if (spawn_prepare(&s->spawn, argv, &setting, e) < 0 ||
        !(s->launcher = path_libexec(SPAWN_LAUNCHER, e)) ||
        !(s->argv = spec_argv(&s->spawn.words, s->spawn.n_words, e)))
        return -1;
    s->argv[0] = s->launcher;
    return 0;
}

void
gateway_sandbox_done(struct gateway_sandbox *s)
{
    if (!s)
        return;
    spawn_done(&s->spawn);
    sandbox_setup_done(&s->setup);
    free(s->launcher);
    free(s->argv);
}
