/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent_container.c - the command line of podman or docker for an agent. */
#include "server/gateway/agent_container.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/buf.h"
#include "base/path.h"
#include "base/proc.h"
#include "base/proc_end.h"

#define WORDS_MAX   1024
#define IMAGE_MS    15000
#define IMAGE_BYTES (1u << 20) /* of what is said of it */
#define REMOVE_MS   30000      /* for a container that is removed */
#define SOCKET_DIR  "/run/agentctl"
#define WORKSPACE   "/workspace"
#define WORD_MAX    (2 * PATH_MAX + 64)

void
agent_container_done(struct agent_container *c)
{
    if (!c)
        return;
    for (size_t i = 0; i < c->n; i++)
        free(c->argv[i]);
    free(c->argv);
    free(c->name);
}

static int
add_word_n(struct agent_container *c, const char *word, size_t n, struct err *e)
{
    if (!c->argv && !(c->argv = calloc(WORDS_MAX + 1, sizeof(*c->argv))))
        return err_nomem(e);
    if (c->n == WORDS_MAX)
        return err_set(e, ERR_CONFIG, "the container has too many options");
    if (!(c->argv[c->n] = strndup(word, n)))
        return err_nomem(e);
    c->n++;
    return 0;
}

static int add_word(struct agent_container *c, struct err *e, const char *fmt,
                    ...) __attribute__((format(printf, 3, 4)));

static int
add_word(struct agent_container *c, struct err *e, const char *fmt, ...)
{
    CLEANUP_BUF struct buf b = buf_of(WORD_MAX);
    va_list ap;

    va_start(ap, fmt);
    buf_vprintf(&b, fmt, ap);
    va_end(ap);
    return buf_ok(&b, "a word of the container's", e) < 0
               ? -1
               : add_word_n(c, b.p, b.len, e);
}

/* The words of a setting, between blanks. */
static int
add_setting(struct agent_container *c, const struct config *config,
            enum config_key key, struct err *e)
{
    const char *at = config_text(config, key);

    while (at && *(at += strspn(at, " \t"))) {
        size_t n = strcspn(at, " \t");

        if (add_word_n(c, at, n, e) < 0)
            return -1;
        at += n;
    }
    return 0;
}

/* The program of podman or docker, or that of the settings; the caller frees
 * it. NULL: neither is here. */
static char *
find_container_program(const struct seat *seat, const struct config *config)
{
    static const char *const known[] = {"podman", "docker"};
    const char *own = config_text(config, CONFIG_GATEWAY_CONTAINER);
    char *found = NULL;

    if (own) {
        CLEANUP(free_p) char *word = strndup(own, strcspn(own, " \t"));
        CLEANUP(free_p) char *path = word ? seat_expand_home(seat, word) : NULL;

        return path ? seat_find_program(seat, path) : NULL;
    }
    for (size_t i = 0; i < ARRAY_SIZE(known) && !found; i++)
        found = seat_find_program(seat, known[i]);
    return found;
}

/* podman, and the words that stand before its command. */
static int
add_program(struct agent_container *c, const struct seat *seat,
            const struct config *config, struct err *e)
{
    CLEANUP(free_p) char *program = find_container_program(seat, config);

    if (!program)
        return err_set(e, ERR_NOT_FOUND, "neither podman nor docker is here");
    if (add_word(c, e, "%s", program) < 0)
        return -1;
    if (!config_text(config, CONFIG_GATEWAY_CONTAINER))
        return 0;
    if (add_setting(c, config, CONFIG_GATEWAY_CONTAINER, e) < 0)
        return -1;
    free(c->argv[1]); /* the program by its name */
    memmove(c->argv + 1, c->argv + 2, (c->n - 1) * sizeof(*c->argv));
    c->n--;
    return 0;
}

/* With docker root in the container would be root here, and the socket root's;
 * podman maps its root to this user. */
static int
add_user(struct agent_container *c, struct err *e)
{
    if (strcmp(path_base(c->argv[0]), "podman") == 0 || geteuid() == 0)
        return 0;
    return add_word(c, e, "--user=%u:%u", (unsigned)geteuid(),
                    (unsigned)getegid());
}

static int
add_limits(struct agent_container *c, const struct agent_type *t, struct err *e)
{
    if (t->memory_mb > 0 &&
        add_word(c, e, "--memory=%lldm", (long long)t->memory_mb) < 0)
        return -1;
    return t->cores > 0 ? add_word(c, e, "--cpus=%g", t->cores) : 0;
}

static int
add_variables(struct agent_container *c, const char *const *variables,
              struct err *e)
{
    for (; *variables; variables++)
        if (add_word(c, e, "--env=%.*s", (int)strcspn(*variables, "="),
                     *variables) < 0)
            return -1;
    return 0;
}

int
agent_container_make(struct agent_container *c,
                     const struct agent_container_setup *set, struct err *e)
{
    const struct agent_type *t = set->type;
    const char *directory = t->directory ? t->directory : WORKSPACE;
    CLEANUP_BUF struct buf name = buf_of(64);

    buf_printf(&name, AGENT_CONTAINER_NAME "%s", set->instance);
    if (!(c->name = buf_take(&name)))
        return err_nomem(e);
    if (add_program(c, set->seat, set->config, e) < 0 ||
        add_word(c, e, "run") < 0 || add_word(c, e, "--rm") < 0 ||
        add_word(c, e, "--pull=never") < 0 ||
        add_word(c, e, "--name=%s", c->name) < 0 ||
        add_word(c, e, "--volume=%s:%s", set->directory, directory) < 0 ||
        add_word(c, e, "--volume=%s:" SOCKET_DIR, set->socket_dir) < 0 ||
        add_word(c, e, "--workdir=%s", directory) < 0 || add_user(c, e) < 0 ||
        add_limits(c, t, e) < 0 || add_variables(c, set->variables, e) < 0 ||
        add_setting(c, set->config, CONFIG_GATEWAY_CONTAINER_OPTIONS, e) < 0)
        return -1;
    return add_word(c, e, "%s", t->image);
}

struct gateway_command *
agent_container_find_image(struct loop *l, const struct seat *seat,
                           const struct config *config, const char *image,
                           gateway_command_cb *cb, void *arg, struct err *e)
{
    CLEANUP(agent_container_done) struct agent_container c = {0};
    struct gateway_command_spec spec = {
        .seat = seat, .max_bytes = IMAGE_BYTES, .timeout_ms = IMAGE_MS};

    if (add_program(&c, seat, config, e) < 0 || add_word(&c, e, "image") < 0 ||
        add_word(&c, e, "inspect") < 0 || add_word(&c, e, "%s", image) < 0)
        return NULL;
    spec.argv = (const char *const *)c.argv;
    return gateway_command_start(l, &spec, cb, arg, e);
}

/* Where the gateway is killed meanwhile, podman goes on, and the directory
 * stays. */
#define REMOVE_SCRIPT "dir=$1; shift; \"$@\"; rm -rf -- \"$dir\""

void
agent_container_remove(struct loop *l, const struct seat *seat,
                       const struct config *config, const char *name,
                       const char *socket_dir, int lock)
{
    CLEANUP(agent_container_done) struct agent_container c = {0};
    const char *argv[WORDS_MAX + 6] = {"/bin/sh", "-c", REMOVE_SCRIPT, "sh",
                                       socket_dir};
    struct proc_spec spec = {.argv = argv,
                             .envp = seat_variables(seat),
                             .seat = seat,
                             .fds = {PROC_NULL, PROC_NULL, PROC_NULL},
                             .pass_fd = lock};
    struct proc *p;

    if (add_program(&c, seat, config, NULL) < 0 ||
        add_word(&c, NULL, "rm") < 0 || add_word(&c, NULL, "--force") < 0 ||
        add_word(&c, NULL, "%s", name) < 0)
        return;
    memcpy(argv + 5, c.argv, c.n * sizeof(*c.argv));
    p = proc_start(&spec, NULL);
    if (p && proc_end_later(l, p, REMOVE_MS, 0, NULL) < 0)
        proc_free(p);
}
