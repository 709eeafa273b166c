/* SPDX-License-Identifier: GPL-3.0-or-later */
/* calls.c - what a tool's call costs in a process that is already there.
 *
 *     calls ROUNDS DIRECTORY PLUGINS fresh|kept|read|plain…
 *     calls ROUNDS DIRECTORY PLUGINS sysinfo|sysinfo-kept|services…
 *     calls 1 DIRECTORY PLUGINS stream
 *
 * Makes the calls that are named by turns, in the profile workspace-write (or
 * that of a plugin) and DIRECTORY, and prints their times in microseconds, a
 * line each round: `true` by cmd.run in a process of its own, and in one that
 * stays; a file of 100 KiB (DIRECTORY/file) by fs.read_file; `bash -c true` by
 * posix_spawn; and all that sysinfo and services tell, each in a process of its
 * own, or sysinfo in one that stays. `stream` is 100 MiB of a command's output:
 * the time, and the most memory that we had, in KiB. */
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/path.h"
#include "tool/call.h"

#define MODES_MAX    4
#define STREAM_BYTES (100u << 20)

struct bench {
    const char *dir;
    struct seat *seat;
    struct loop *loop;
    /* the walls of a new process end the one that stays */
    struct tool_pool *pools[2];
    struct sandbox_spec spec;
};

/* One call on its way. */
struct turn {
    bool over, good;
    uint64_t bytes;
};

static int64_t
now_us(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (int64_t)ts.tv_sec * 1000000 + ts.tv_nsec / 1000;
}

static int64_t
spawn_plain(struct bench *b)
{
    static const char *const argv[] = {"/bin/bash", "--noprofile", "--norc",
                                       "-c",        "true",        NULL};
    int64_t from = now_us();
    int status;
    pid_t pid;

    (void)b;
    if (posix_spawn(&pid, argv[0], NULL, NULL, (char *const *)argv, environ) !=
            0 ||
        waitpid(pid, &status, 0) != pid || status != 0)
        return -1;
    return now_us() - from;
}

static void
on_output(void *arg, const char *stream, const char *bytes, size_t n)
{
    struct turn *t = arg;

    (void)stream;
    (void)bytes;
    t->bytes += n;
}

static void
on_done(void *arg, const struct tool_result *r)
{
    struct turn *t = arg;

    t->over = true;
    t->good = r->ok && r->exit_code == 0;
}

static void
on_failed(void *arg, const struct err *why)
{
    struct turn *t = arg;

    fprintf(stderr, "%s\n", why->text);
    t->over = true;
}

/* Microseconds from the question to the end of all that was started for it. */
static int64_t
call(struct bench *b, const struct tool *tool, const struct tool_request *rq,
     struct turn *t)
{
    static const struct tool_events events = {
        .output = on_output, .done = on_done, .failed = on_failed};
    const struct tool_setting set = {
        .sandbox = &b->spec,
        .seat = b->seat,
        .pool = b->pools[tool->manifest->persistent],
        .read_roots = (const char *const[]){"/", NULL}};
    int64_t from = now_us();
    struct tool_call *c;
    struct err e = {0};

    *t = (struct turn){0};
    if (!(c = tool_call_start(b->loop, tool, rq, &set, &events, t, &e)))
        fprintf(stderr, "%s\n", e.text);
    while (c && !t->over) {
        if (loop_turn(b->loop, -1, NULL) < 0)
            break;
    }
    tool_call_free(c);
    return t->good ? now_us() - from : -1;
}

static int64_t
call_by_name(struct bench *b, const char *name, bool kept, const char *action,
             const char *args, struct turn *t)
{
    CLEANUP(free_p) char *dir = path_join(b->spec.programs[0], name);
    CLEANUP(free_p) char *program = dir ? path_join(dir, name) : NULL;
    CLEANUP(manifest_free_p)
    struct manifest *m = dir ? manifest_read(dir, NULL) : NULL;
    CLEANUP(json_free_p)
    struct json *json = json_parse(args, strlen(args), 0, NULL);
    const struct tool tool = {.name = name, .program = program, .manifest = m};
    const struct tool_request rq = {.action = action,
                                    .args = json,
                                    .stream = t->bytes > 0,
                                    .timeout_ms = -1};

    if (!m || !json)
        return -1;
    m->persistent = kept;
    return call(b, &tool, &rq, t);
}

static int64_t
run_true(struct bench *b, bool kept)
{
    struct turn t = {0};

    b->spec.profile = PROFILE_WORKSPACE_WRITE;
    return call_by_name(b, "cmd.run", kept, "execute", "{\"command\":\"true\"}",
                        &t);
}

static int64_t
run_fresh(struct bench *b)
{
    return run_true(b, false);
}

static int64_t
run_kept(struct bench *b)
{
    return run_true(b, true);
}

static int64_t
read_file(struct bench *b)
{
    CLEANUP_BUF struct buf args = buf_of(PATH_MAX + 64);
    struct turn t = {0};

    b->spec.profile = PROFILE_PLUGIN;
    buf_printf(&args, "{\"path\":\"%s/file\",\"max_bytes\":102400}", b->dir);
    return call_by_name(b, "fs.read_file", true, "read", args.p, &t);
}

static int64_t
look(struct bench *b, const char *name, bool kept, const char *action)
{
    struct turn t = {0};

    b->spec.profile = PROFILE_OBSERVE_PROC;
    return call_by_name(b, name, kept, action, "{}", &t);
}

static int64_t
look_at_system(struct bench *b)
{
    return look(b, "sysinfo", false, "get");
}

static int64_t
look_at_system_again(struct bench *b)
{
    return look(b, "sysinfo", true, "get");
}

static int64_t
look_at_services(struct bench *b)
{
    return look(b, "services", false, "list");
}

/* The most memory that we had, in KiB; getrusage(2) would tell of who started
 * us, too. */
static long
peak_kb(void)
{
    CLEANUP(file_close_p) FILE *f = fopen("/proc/self/status", "re");
    char line[256];
    long kb = -1;

    while (f && kb < 0 && fgets(line, sizeof(line), f))
        (void)sscanf(line, "VmHWM: %ld", &kb);
    return kb;
}

static int
stream(struct bench *b)
{
    struct turn t = {.bytes = 1};
    int64_t us;

    b->spec.profile = PROFILE_WORKSPACE_WRITE;
    us = call_by_name(b, "cmd.run", true, "execute",
                      "{\"command\":\"yes 'a line as a compiler, or a program "
                      "that lists files, would write it' | head -c "
                      "104857600\"}",
                      &t);
    if (us < 0 || t.bytes != STREAM_BYTES)
        return 1;
    printf("%jd %ld\n", (intmax_t)us, peak_kb());
    return 0;
}

static const struct {
    const char *name;
    int64_t (*run)(struct bench *b);
} modes[] = {
    {"fresh", run_fresh},          {"kept", run_kept},
    {"read", read_file},           {"plain", spawn_plain},
    {"sysinfo", look_at_system},   {"sysinfo-kept", look_at_system_again},
    {"services", look_at_services}};

static int64_t
measure(struct bench *b, const char *name)
{
    for (size_t i = 0; i < sizeof(modes) / sizeof(*modes); i++) {
        if (strcmp(modes[i].name, name) == 0)
            return modes[i].run(b);
    }
    return -1;
}

static int
turns(struct bench *b, long rounds, char **names)
{
    for (long i = -1; i < rounds; i++) { /* the first is no measurement */
        for (char **name = names; *name; name++) {
            int64_t us = measure(b, *name);

            if (us < 0)
                return 1;
            if (i >= 0)
                printf("%jd%c", (intmax_t)us, name[1] ? ' ' : '\n');
        }
    }
    return 0;
}

int
main(int argc, char **argv)
{
    struct bench b = {0};
    int rc;

    if (argc < 5)
        return 2;
    (void)signal(SIGPIPE, SIG_IGN);
    b.dir = argv[2];
    b.spec = (struct sandbox_spec){.workspace = argv[2], .home = path_home()};
    b.spec.report = true;
    b.spec.programs[0] = argv[3];
    b.loop = loop_new(NULL);
    for (int i = 0; b.loop && i < 2; i++)
        b.pools[i] = tool_pool_new(b.loop, NULL);
    if (!b.pools[0] || !b.pools[1] || chdir(b.dir) < 0 ||
        !(b.seat = seat_of_process(NULL)))
        return 1;
    rc = strcmp(argv[4], "stream") == 0
             ? stream(&b)
             : turns(&b, strtol(argv[1], NULL, 10), argv + 4);
    for (int i = 0; i < 2; i++)
        tool_pool_free(b.pools[i]);
    seat_free(b.seat);
    loop_free(b.loop);
    return rc;
}
