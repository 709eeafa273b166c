/* SPDX-License-Identifier: GPL-3.0-or-later */
/* start.c - starts the model process with what it needs, and no more. */
#include "model/start.h"

#include <string.h>

#include "base/cleanup.h"
#include "base/path.h"
#include "base/proc.h"

#define PROGRAM "agentsh-model"

/* All that it sees of the environment: how to reach the network, whom to
 * trust, and what tests of the build itself need. Keys are not there. */
static const char *const passed[] = {
    "http_proxy",   "https_proxy",   "HTTPS_PROXY",  "all_proxy",
    "ALL_PROXY",    "no_proxy",      "NO_PROXY",     "SSL_CERT_FILE",
    "SSL_CERT_DIR", "RES_OPTIONS",   "LOCALDOMAIN",  "OPENSSL_CONF",
    "ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS", "LD_LIBRARY_PATH",
};

#define N_PASSED (sizeof(passed) / sizeof(passed[0]))

static const char *
entry_of(const char *name)
{
    size_t n = strlen(name);

    for (char **p = environ; *p; p++) {
        if (strncmp(*p, name, n) == 0 && (*p)[n] == '=')
            return *p;
    }
    return NULL;
}

struct proc *
model_process_start(struct err *e)
{
    CLEANUP(free_p) char *path = path_libexec(PROGRAM, e);
    const char *envp[N_PASSED + 1], *argv[] = {path, NULL};
    struct proc_spec spec = {.argv = argv,
                             .envp = envp,
                             .cwd = "/",
                             .fds = {PROC_PIPE, PROC_PIPE, PROC_INHERIT},
                             .pass_fd = -1};
    struct proc *p;
    size_t n = 0;

    if (!path)
        return NULL;
    for (size_t i = 0; i < N_PASSED; i++) {
        const char *entry = entry_of(passed[i]);

        if (entry)
            envp[n++] = entry;
    }
    envp[n] = NULL;
    p = proc_start(&spec, e);
    if (!p)
        err_wrap(e, "the model process");
    return p;
}
