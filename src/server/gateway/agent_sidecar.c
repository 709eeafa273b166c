/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent_sidecar.c - finds what an agent is started with, and starts it. */
#include "server/gateway/agent_sidecar.h"

#include <stdlib.h>
#include <string.h>

#include "server/gateway/agent_container.h"

struct agent_sidecar {
    struct agent_sidecar_setup set; /* its texts are these */
    char *instance, *task_id, *directory, *description, *session_id;
    struct agent_secrets *secrets;
    struct gateway_command *image; /* that looks for it; NULL: none runs */
    struct agent_process *process;
    bool over; /* nothing is started any more */
};

void
agent_sidecar_free(struct agent_sidecar *s)
{
    if (!s)
        return;
    agent_process_free(s->process);
    gateway_command_free(s->image);
    agent_secrets_free(s->secrets);
    free(s->instance);
    free(s->task_id);
    free(s->directory);
    free(s->description);
    free(s->session_id);
    free(s);
}

const struct agent_process *
agent_sidecar_process(const struct agent_sidecar *s)
{
    return s->process;
}

const struct agent_secrets *
agent_sidecar_secrets(const struct agent_sidecar *s)
{
    return s->secrets;
}

const char *
agent_sidecar_directory(const struct agent_sidecar *s)
{
    return s->directory;
}

static void
start_sidecar_process(struct agent_sidecar *s)
{
    struct err e = {0};

    s->set.process.secrets = agent_secrets_variables(s->secrets);
    s->process = agent_process_start(&s->set.process, &e);
    s->set.started(s->set.arg, s->process ? NULL : &e);
}

static void
on_image(void *arg, const struct gateway_command_result *r,
         const struct err *why)
{
    struct agent_sidecar *s = arg;

    (void)why;
    s->image = NULL;
    s->set.process.contained = r && r->status == 0 && !r->cut;
    if (!s->over)
        start_sidecar_process(s);
}

/* A type whose image is not here runs as a local process. */
static void
on_secrets(void *arg, const struct err *why)
{
    struct agent_sidecar *s = arg;
    const struct agent_process_setup *p = &s->set.process;

    if (s->over)
        return;
    if (why) {
        s->set.started(s->set.arg, why);
        return;
    }
    if (p->type->image)
        s->image = agent_container_find_image(
            p->loop, p->seat, p->config, p->type->image, on_image, s, NULL);
    if (!s->image)
        start_sidecar_process(s);
}

bool
agent_sidecar_end(struct agent_sidecar *s)
{
    s->over = true;
    if (s->process)
        agent_process_end(s->process);
    return s->process != NULL;
}

static int
copy_sidecar_text(const char **text, char **own, struct err *e)
{
    if (*text && !(*own = strdup(*text)))
        return err_nomem(e);
    *text = *own;
    return 0;
}

static int
copy_sidecar_setup(struct agent_sidecar *s,
                   const struct agent_sidecar_setup *set, struct err *e)
{
    struct agent_process_setup *p = &s->set.process;

    s->set = *set;
    p->ended = set->ended;
    p->arg = set->arg;
    return copy_sidecar_text(&p->instance, &s->instance, e) < 0 ||
                   copy_sidecar_text(&p->task_id, &s->task_id, e) < 0 ||
                   copy_sidecar_text(&p->directory, &s->directory, e) < 0 ||
                   copy_sidecar_text(&p->description, &s->description, e) < 0 ||
                   copy_sidecar_text(&p->session_id, &s->session_id, e) < 0
               ? -1
               : 0;
}

struct agent_sidecar *
agent_sidecar_new(const struct agent_sidecar_setup *set, struct err *e)
{
    CLEANUP(agent_sidecar_free_p)
    struct agent_sidecar *s = calloc(1, sizeof(*s));
    struct agent_secrets_setup secrets = {.loop = set->process.loop,
                                          .seat = set->process.seat,
                                          .type = set->process.type,
                                          .variables = set->variables,
                                          .found = on_secrets,
                                          .arg = s};

    if (!s) {
        err_nomem(e);
        return NULL;
    }
    if (copy_sidecar_setup(s, set, e) < 0 ||
        !(s->secrets = agent_secrets_find(&secrets, e)))
        return NULL;
    return TAKE_PTR(s);
}
