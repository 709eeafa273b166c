/* SPDX-License-Identifier: GPL-3.0-or-later */
/* called.c - makes plugins for a test, calls them, and records the result. */
#include "tests/unit/called.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>

#include "base/clock.h"
#include "tests/unit/unit_seat.h"

#define MANIFEST_MAX 8192
#define PIDS_MAX     4096

static const struct sandbox_spec none = {.profile = PROFILE_FULL};

const struct tool_setting *
called_open(void)
{
    static const struct tool_setting set = {.sandbox = &none};

    return &set;
}

int
called_open_loop(void **state)
{
    (void)signal(SIGPIPE, SIG_IGN);
    *state = loop_new(NULL);
    return *state ? 0 : -1;
}

int
called_close_loop(void **state)
{
    loop_free(*state);
    return 0;
}

static int
take_manifest(struct called_tool *t, const char *members, const char *action)
{
    CLEANUP_BUF struct buf text = buf_of(MANIFEST_MAX);
    struct err e = {0};

    buf_printf(&text,
               "{\"name\":\"made\",\"version\":\"1\",\"summary\":\"made for a "
               "test\",\"executable\":\"made\",%s\"actions\":{\"go\":{%s"
               "\"summary\":\"go\",\"read_only\":true}}}",
               members, action);
    t->manifest = manifest_parse(text.p, text.len, "made", &e);
    if (!t->manifest)
        fprintf(stderr, "# %s\n", e.text);
    t->tool = (struct tool){
        .name = "made", .program = t->program, .manifest = t->manifest};
    return t->manifest ? 0 : -1;
}

int
called_builtin(struct called_tool *t, const char *name, struct err *e)
{
    char dir[2 * PATH_MAX], exe[PATH_MAX], real[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", exe, sizeof(exe) - 1);

    *t = (struct called_tool){0};
    if (n <= 0)
        return err_sys(e, "/proc/self/exe");
    exe[n] = '\0';
    *strrchr(exe, '/') = '\0';
    snprintf(dir, sizeof(dir), "%s/../../plugins/%s", exe, name);
    if (!realpath(dir, real))
        return err_sys(e, "%s", dir);
    if (!(t->manifest = manifest_read(real, e)))
        return -1;
    snprintf(t->program, sizeof(t->program), "%.*s/%s", PATH_MAX / 2, real,
             t->manifest->executable);
    t->tool = (struct tool){.name = t->manifest->name,
                            .program = t->program,
                            .manifest = t->manifest};
    return 0;
}

int
called_script(struct called_tool *t, const char *script, const char *members,
              const char *action)
{
    CLEANUP_BUF struct buf text = buf_of(MANIFEST_MAX);

    *t = (struct called_tool){0};
    buf_printf(&text, "#!/bin/sh\ncd \"${0%%/*}\" || exit 9\n%s", script);
    if (tree_make(&t->tree) < 0 || tree_text(&t->tree, "made", text.p) < 0 ||
        chmod(tree_path(&t->tree, "made", t->program), 0755) < 0)
        return -1;
    return take_manifest(t, members, action);
}

void
called_tool_drop(struct called_tool *t)
{
    manifest_free(t->manifest);
    if (t->tree.top[0])
        tree_drop(&t->tree);
    *t = (struct called_tool){0};
}

static size_t
read_pids(const struct called_tool *t, pid_t *pids, size_t max)
{
    char path[PATH_MAX];
    CLEANUP(file_close_p)
    FILE *f = fopen(tree_path(&t->tree, "pids", path), "re");
    size_t n = 0;
    int pid;

    while (f && n < max && fscanf(f, "%d", &pid) == 1)
        pids[n++] = pid;
    return n;
}

size_t
called_count(const struct called_tool *t)
{
    pid_t pids[PIDS_MAX];

    return read_pids(t, pids, PIDS_MAX);
}

bool
called_are_gone(const struct called_tool *t)
{
    pid_t pids[PIDS_MAX];
    size_t n = read_pids(t, pids, PIDS_MAX);

    for (size_t i = 0; i < n; i++) {
        if (kill(pids[i], 0) == 0 || errno != ESRCH)
            return false;
    }
    return true;
}

bool
called_gone(const struct called_tool *t)
{
    int64_t until = clock_ms() + CALLED_MS;

    while (!called_are_gone(t)) {
        if (clock_ms() > until)
            return false;
        (void)poll(NULL, 0, 5);
    }
    return true;
}

static void
on_output(void *arg, const char *stream, const char *bytes, size_t n)
{
    struct called *c = arg;
    size_t at = strlen(c->live);

    (void)stream;
    c->live_bytes += n;
    snprintf(c->live + at, sizeof(c->live) - at, "%.*s", (int)n, bytes);
}

static enum tool_elevation
on_elevate(void *arg, const char *const *argv)
{
    struct called *c = arg;

    for (; *argv; argv++) {
        size_t at = strlen(c->need);

        snprintf(c->need + at, sizeof(c->need) - at, " %s", *argv);
    }
    return c->agree;
}

static void
on_done(void *arg, const struct tool_result *r)
{
    struct called *c = arg;

    c->over = true;
    c->ok = r->ok;
    c->duration_ms = r->duration_ms;
    snprintf(c->out, sizeof(c->out), "%s", r->out);
    snprintf(c->err, sizeof(c->err), "%s", r->err);
    snprintf(c->code, sizeof(c->code), "%s",
             r->error_code ? r->error_code : "");
}

static void
on_failed(void *arg, const struct err *why)
{
    struct called *c = arg;

    c->over = true;
    c->failed = why->code;
    snprintf(c->err, sizeof(c->err), "%s", why->text);
}

int
called_start(struct called *c, struct loop *l, const struct called_tool *t,
             const struct called_request *w, struct err *e)
{
    static const struct tool_events events = {.elevate = on_elevate,
                                              .output = on_output,
                                              .done = on_done,
                                              .failed = on_failed};
    CLEANUP(json_free_p)
    struct json *args = w->args ? json_parse(w->args, strlen(w->args), 0, e)
                                : NULL;
    const struct tool_request rq = {.action = w->action ? w->action : "go",
                                    .args = args,
                                    .stream = w->stream,
                                    .queued = w->queued,
                                    .step_id = "s",
                                    .timeout_ms = w->timeout_ms};
    struct tool_setting set = w->set ? *w->set : *called_open();

    if (!set.seat)
        set.seat = unit_seat();
    *c = (struct called){.agree = w->agree};
    c->call = tool_call_start(l, &t->tool, &rq, &set, &events, c, e);
    return c->call ? 0 : -1;
}

static bool
all_over(const struct called *c, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!c[i].over)
            return false;
    }
    return true;
}

int
called_wait(struct called *c, size_t n, struct loop *l)
{
    int64_t until = clock_ms() + CALLED_MS;
    int rc = 0;

    while (!all_over(c, n)) {
        if (clock_ms() > until) {
            rc = -1;
            break;
        }
        (void)loop_turn(l, 100, NULL);
    }
    for (size_t i = 0; i < n; i++) {
        tool_call_free(c[i].call);
        c[i].call = NULL;
    }
    return rc;
}

int
called_once(struct called *c, struct loop *l, const struct called_tool *t,
            const struct called_request *w)
{
    return called_start(c, l, t, w, NULL) < 0 ? -1 : called_wait(c, 1, l);
}
