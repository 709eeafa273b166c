/* SPDX-License-Identifier: GPL-3.0-or-later */
/* served.h - starts a model server that fails on demand, for tests in C. */
#ifndef TESTS_UNIT_SERVED_H
#define TESTS_UNIT_SERVED_H

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/proc.h"
#include "model/select.h"
#include "tests/unit/unit_select.h"

#define SERVED_KEY "sk-test-0123456789abcdefXYZ"

/* The server, and a home of its own for what the front stores. */
struct served {
    struct proc *server;
    char url[64];
    char home[64];
    struct config *config;
};

static inline int
served_start(struct served *f)
{
    const char *python = getenv("PYTHON3"), *src = getenv("top_srcdir");
    char script[512], line[64] = "";
    const char *const argv[] = {python, script, NULL};
    struct proc_spec spec = {.argv = argv,
                             .fds = {PROC_NULL, PROC_PIPE, PROC_INHERIT},
                             .pass_fd = -1};
    int port = 0;

    snprintf(script, sizeof(script), "%s/tests/lib/faultserver.py",
             src ? src : "..");
    f->server = proc_start(&spec, NULL);
    if (!f->server || read(proc_fd(f->server, 1), line, sizeof(line) - 1) <= 0)
        return -1;
    if (sscanf(line, "port %d", &port) != 1)
        return -1;
    snprintf(f->url, sizeof(f->url), "http://127.0.0.1:%d/v1", port);
    return 0;
}

static inline int
served_set_up(void **state)
{
    struct served *f = calloc(1, sizeof(*f));
    char absent[128];

    if (!f || served_start(f) < 0)
        return -1;
    snprintf(f->home, sizeof(f->home), "/tmp/agentsh-test-XXXXXX");
    if (!mkdtemp(f->home))
        return -1;
    setenv("XDG_CACHE_HOME", f->home, 1);
    setenv("XDG_STATE_HOME", f->home, 1);
    setenv("OPENAI_API_KEY", SERVED_KEY, 1);
    setenv("OPENAI_BASE_URL", f->url, 1);
    snprintf(absent, sizeof(absent), "%s/absent", f->home);
    f->config = config_load_files(absent, absent, NULL);
    *state = f;
    return f->config ? 0 : -1;
}

static inline int
served_tear_down(void **state)
{
    struct served *f = *state;
    char path[128];

    snprintf(path, sizeof(path), "%s/agentsh/quirks", f->home);
    unlink(path);
    snprintf(path, sizeof(path), "%s/agentsh/models", f->home);
    unlink(path);
    snprintf(path, sizeof(path), "%s/agentsh", f->home);
    rmdir(path);
    rmdir(f->home);
    config_free(f->config);
    proc_free(f->server);
    free(f);
    return 0;
}

/* A model of the server's. */
static inline struct model_selection *
served_select(const struct served *f, const char *provider, const char *model)
{
    const struct model_select_params w = {.provider = provider, .model = model};
    struct model_selection *s = NULL;
    struct err e = {0};

    if (unit_select(f->config, &w, &s, &e) < 0)
        fail_msg("%s", e.text);
    return s;
}

/* Whether the tests can run; says so in TAP when not. */
static inline bool
served_can(void)
{
    const char *python = getenv("PYTHON3");

    if (python && access(python, X_OK) == 0)
        return true;
    printf("1..0 # SKIP python3 is not here\n");
    return false;
}

#endif
