/* SPDX-License-Identifier: GPL-3.0-or-later */
/* guest_start.c - reads what process.start is to run. */
#include "server/guest/guest_start.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "server/guest/guest_params.h"
#include "server/guest/guest_path.h"

#define TIMEOUT_MAX_MS (INT64_C(10000) * 86400000)
#define CELLS_MAX      65535

enum { CMD, ARGV, CWD, ENV, TTY, LIMITS, OWNERS };

static const struct guest_param start_params[] = {
    {"cmd", JSON_STRING, true},  {"argv", JSON_ARRAY, true},
    {"cwd", JSON_STRING, true},  {"env", JSON_OBJECT, true},
    {"tty", JSON_OBJECT, true},  {"limits", JSON_OBJECT, true},
    {"owners", JSON_BOOL, true}, {0}};

int64_t
guest_start_now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static int
read_command_line(struct guest_start *s, const struct json *cmd, struct err *e)
{
    const char *line = json_text(cmd);

    if (!line)
        return err_set(e, ERR_INVALID, "invalid params: cmd: a nul byte");
    s->spec.program = "/bin/sh";
    s->argv[0] = "sh";
    s->argv[1] = "-c";
    s->argv[2] = line;
    return 0;
}

static int
read_argv(struct guest_start *s, const struct seat *seat,
          const struct json *list, struct err *e)
{
    size_t n = 0;

    for (const struct json *v = json_first(list); v; v = json_next(v)) {
        if (n == GUEST_START_ARGS || !(s->argv[n++] = json_text(v)))
            return err_set(e, ERR_INVALID,
                           "invalid params: argv: 1 to %d strings without a "
                           "nul byte",
                           GUEST_START_ARGS);
    }
    if (n == 0)
        return err_set(e, ERR_INVALID, "invalid params: argv is empty");
    s->program = seat_find_program(seat, s->argv[0]);
    if (!s->program)
        return err_set(e, ERR_NOT_FOUND, "failed to execute %.100s: %s",
                       s->argv[0], err_system(ENOENT));
    s->spec.program = s->program;
    return 0;
}

/* The directory is opened as any path of the peer's; the command is told where
 * that is. */
static int
read_start_dir(struct guest_start *s, const struct guest_shared *sh,
               const struct json *v, struct err *e)
{
    char link[64], real[4096];
    size_t n;
    const char *path = json_str(v, &n);
    CLEANUP(fd_close_p)
    int fd = guest_path_open(sh, path, n, O_PATH | O_DIRECTORY, 0, e);
    ssize_t len;

    if (fd < 0)
        return -1;
    snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
    len = readlink(link, real, sizeof(real) - 1);
    if (len <= 0)
        return err_sys(e, "%.200s", path);
    real[len] = '\0';
    s->cwd = strdup(real);
    s->spec.cwd = s->cwd;
    return s->cwd ? 0 : err_nomem(e);
}

static int
read_start_env(struct guest_start *s, const char *const *all,
               const struct json *env, struct err *e)
{
    size_t n = 0, at = 0;

    for (const struct json *v = json_first(env); v; v = json_next(v)) {
        size_t name_n, value_n;
        const char *name = json_name(v, &name_n);
        const char *value = json_str(v, &value_n);

        if (!value)
            return err_set(e, ERR_INVALID,
                           "invalid params: env: %.60s must be a string", name);
        if (environ_given_add(&s->given, name, name_n, value, value_n, e) < 0)
            return err_wrap(e, "invalid params: env");
    }
    while (all[n])
        n++;
    s->env = calloc(n + s->given.n + 1, sizeof(*s->env));
    if (!s->env)
        return err_nomem(e);
    for (size_t i = 0; i < n; i++) {
        if (!environ_given_has(&s->given, all[i]))
            s->env[at++] = all[i];
    }
    for (size_t i = 0; i < s->given.n; i++)
        s->env[at++] = s->given.list[i];
    s->spec.env = s->env;
    return 0;
}

static int
read_tty(struct guest_start *s, const struct json *tty, struct err *e)
{
    int64_t rows = 24, cols = 80;

    if (guest_params_int(json_get(tty, "rows"), "tty.rows", 1, CELLS_MAX, &rows,
                         e) < 0 ||
        guest_params_int(json_get(tty, "cols"), "tty.cols", 1, CELLS_MAX, &cols,
                         e) < 0)
        return -1;
    s->tty.ws_row = (unsigned short)rows;
    s->tty.ws_col = (unsigned short)cols;
    s->spec.tty = &s->tty;
    return 0;
}

static int
read_process_limits(struct guest_start *s, const struct json *limits,
                    struct err *e)
{
    int64_t memory = 0, processes = 0;

    if (guest_params_int(json_get(limits, "memory_bytes"),
                         "limits.memory_bytes", 1 << 20, INT64_MAX, &memory,
                         e) < 0 ||
        guest_params_int(json_get(limits, "processes"), "limits.processes", 1,
                         1 << 20, &processes, e) < 0 ||
        guest_params_int(json_get(limits, "timeout_ms"), "limits.timeout_ms", 1,
                         TIMEOUT_MAX_MS, &s->spec.timeout_ms, e) < 0)
        return -1;
    s->spec.memory_bytes = (uint64_t)memory;
    s->spec.processes = (unsigned)processes;
    return 0;
}

int
guest_start_find(const struct json *params, struct guest_start_command *c,
                 struct err *e)
{
    const struct json *v[GUEST_PARAMS_MAX];

    if (guest_params_read(start_params, params, v, e) < 0)
        return -1;
    *c = (struct guest_start_command){v[CMD], v[ARGV], v[CWD]};
    return 0;
}

int
guest_start_read(struct guest_start *s, const struct guest_shared *sh,
                 const struct json *params, struct err *e)
{
    const struct json *v[GUEST_PARAMS_MAX];

    if (guest_params_read(start_params, params, v, e) < 0)
        return -1;
    if (!v[CMD] == !v[ARGV])
        return err_set(e, ERR_INVALID,
                       "invalid params: one of cmd and argv is needed");
    s->spec.argv = s->argv;
    s->spec.input = true;
    (void)json_bool(v[OWNERS], &s->spec.owners);
    if ((v[CMD] ? read_command_line(s, v[CMD], e)
                : read_argv(s, sh->seat, v[ARGV], e)) < 0 ||
        (v[CWD] && read_start_dir(s, sh, v[CWD], e) < 0) ||
        (v[ENV] && read_start_env(s, sh->variables, v[ENV], e) < 0) ||
        (v[TTY] && read_tty(s, v[TTY], e) < 0) ||
        (v[LIMITS] && read_process_limits(s, v[LIMITS], e) < 0))
        return -1;
    return 0;
}

void
guest_start_done(struct guest_start *s)
{
    if (!s)
        return;
    free(s->program);
    free(s->cwd);
    environ_given_done(&s->given);
    free(s->env);
}
