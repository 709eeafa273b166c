/* SPDX-License-Identifier: GPL-3.0-or-later */
/* process_start.c - starts the program of the model process. */
#include "model/process_start.h"

#include <string.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/path.h"

#define PROGRAM_NAME "agentsh-model"

/* The variables that the process inherits: proxies, certificates, name
 * resolution, and what sanitizer builds need. No API key is among them. */
static const char *const passed_variables[] = {
    "http_proxy",   "https_proxy",   "HTTPS_PROXY",  "all_proxy",
    "ALL_PROXY",    "no_proxy",      "NO_PROXY",     "SSL_CERT_FILE",
    "SSL_CERT_DIR", "RES_OPTIONS",   "LOCALDOMAIN",  "OPENSSL_CONF",
    "ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS", "LD_LIBRARY_PATH",
};

#define N_PASSED ARRAY_SIZE(passed_variables)

static const char *
find_variable(const char *const *env, const char *name)
{
    size_t n = strlen(name);

    for (; *env; env++) {
        if (strncmp(*env, name, n) == 0 && (*env)[n] == '=')
            return *env;
    }
    return NULL;
}

static void
choose_variables(const char *const *env, const char *chosen[N_PASSED + 1])
{
    size_t n = 0;

    for (size_t i = 0; i < N_PASSED; i++) {
        const char *entry = find_variable(env, passed_variables[i]);

        if (entry)
            chosen[n++] = entry;
    }
    chosen[n] = NULL;
}

void
process_start_variables(const char *const *env, struct buf *out)
{
    const char *chosen[N_PASSED + 1];

    choose_variables(env, chosen);
    for (size_t i = 0; chosen[i]; i++)
        buf_add(out, chosen[i], strlen(chosen[i]) + 1);
}

struct proc *
process_start(const char *const *env, int socket, struct err *e)
{
    CLEANUP(free_p) char *path = path_libexec(PROGRAM_NAME, e);
    const char *envp[N_PASSED + 1], *argv[] = {path, NULL};
    struct proc_spec spec = {.argv = argv,
                             .envp = envp,
                             .cwd = "/",
                             .fds = {PROC_PIPE, PROC_PIPE, PROC_INHERIT},
                             .pass_fd = -1};
    struct proc *p;

    if (!path)
        return NULL;
    choose_variables(env, envp);
    if (socket >= 0)
        spec.fds[0] = spec.fds[1] = socket;
    p = proc_start(&spec, e);
    if (!p)
        err_wrap(e, "the model process");
    return p;
}
