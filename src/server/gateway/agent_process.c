/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent_process.c - the process that an agentctl and its agent run in. */
#include "server/gateway/agent_process.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/file.h"
#include "base/path.h"
#include "base/proc.h"
#include "base/proc_end.h"
#include "base/shell_quote.h"
#include "base/str.h"
#include "config/config_file.h"
#include "sandbox/launch/launch.h"
#include "server/gateway/agent_container.h"
#include "server/gateway/gateway_sandbox.h"
#include "server/gateway/worktree.h"
#include "tool/spawn.h"

#define AGENTS_DIR "agents" /* below the directory of run-time files */
#define SOCKET     "agentctl.sock"
#define SCRIPT     "agent"
#define CONTAINED  "container" /* it is one */
#define LOCK_MS    200 /* for a lock that is held for some system calls */
#define SCRIPT_MAX (512u << 10) /* bytes */
#define OWN_AGENT  "agentsh acp"

/* agentctl ends its agent within this; then the launcher has its own time. */
#define LEAVE_MS   3000
#define TERM_MS    3000
#define READ_BYTES 4096
/* Bytes in the environment; execve(2) takes twice as much. */
#define DESCRIPTION_MAX (64u << 10)
#define VARIABLES_MAX   (SEAT_VARIABLES_MAX + 64)

struct agent_process {
    struct loop *loop;
    const struct seat *seat;
    const struct config *config;
    struct proc *proc;
    char *dir;       /* of the socket */
    int lock;        /* that directory; -1: it is not made */
    char *address;   /* of the socket */
    char *command;   /* to show */
    char *container; /* its name; NULL: it is a local process */
    struct watch *output, *exit, *late;
    bool termed; /* the launcher, or who runs the container, has SIGTERM */
    struct buf errors;
    void (*ended)(void *arg);
    void *arg;
};

/* The variables that are added to those of its place. */
struct agent_variables {
    const char *list[VARIABLES_MAX + 1];
    size_t n;
    char *own[16]; /* those that were made here */
    size_t n_own;
};

static void
agent_variables_done(struct agent_variables *v)
{
    while (v->n_own > 0)
        free(v->own[--v->n_own]);
}

static void
add_variable(struct agent_variables *v, const char *variable)
{
    if (v->n < VARIABLES_MAX)
        v->list[v->n++] = variable;
}

static int
make_variable(struct agent_variables *v, const char *name, const char *value,
              struct err *e)
{
    CLEANUP_BUF struct buf b = buf_of(DESCRIPTION_MAX + PATH_MAX);

    if (!value)
        return 0;
    buf_printf(&b, "%s=%s", name, value);
    if (buf_ok(&b, name, e) < 0)
        return -1;
    if (!(v->own[v->n_own] = buf_take(&b)))
        return err_nomem(e);
    add_variable(v, v->own[v->n_own++]);
    return 0;
}

static int
add_task_variables(struct agent_variables *v,
                   const struct agent_process_setup *set, struct err *e)
{
    CLEANUP_BUF struct buf text = buf_of(DESCRIPTION_MAX);
    const char *description = set->description ? set->description : "";
    size_t n = strlen(description);

    buf_add(&text, description, n < text.max ? n : text.max);
    return make_variable(v, "TASK_DESCRIPTION", text.p, e) < 0 ||
                   make_variable(v, "TASK_ID", set->task_id, e) < 0 ||
                   make_variable(v, "AGENT_SESSION_ID", set->session_id, e) <
                       0 ||
                   make_variable(v, "AUGGIE_SESSION_ID", set->session_id, e) < 0
               ? -1
               : 0;
}

/* Whether the list of the agent's own variables has one of that name. */
static bool
is_added(const struct agent_variables *v, size_t n, const char *variable)
{
    size_t name = strcspn(variable, "=") + 1;

    if (str_begins(variable, "AGENTCTL_"))
        return true;
    for (size_t i = 0; i < n; i++)
        if (strncmp(v->list[i], variable, name) == 0)
            return true;
    return false;
}

static void
add_place_variables(struct agent_variables *v, const char *const *place)
{
    size_t n = v->n;

    for (; *place; place++)
        if (!is_added(v, n, *place))
            add_variable(v, *place);
    v->list[v->n] = NULL;
}

/* The first word of a command line; the caller frees it. A quoted one is no
 * name that is looked for. */
static char *
first_command_word(const char *command)
{
    command += strspn(command, " \t");
    return strndup(command, strcspn(command, " \t"));
}

char *
agent_process_find_command(const struct agent_type *t, const struct seat *seat)
{
    CLEANUP(free_p)
    char *word = t->command ? first_command_word(t->command) : NULL;
    CLEANUP(free_p)
    char *path = word && *word ? seat_expand_home(seat, word) : NULL;

    return path ? seat_find_program(seat, path) : NULL;
}

/* A word that only a shell can read is taken for a program: it says what is
 * wrong with it. */
static bool
has_command(const struct agent_type *t, const struct seat *seat)
{
    CLEANUP(free_p)
    char *word = t->command ? first_command_word(t->command) : NULL;
    CLEANUP(free_p) char *program = agent_process_find_command(t, seat);

    return program || (word && strpbrk(word, "'\"\\$"));
}

/* What a container left in it is the container's own business: it is in a
 * directory of ours, and is removed with it. */
static void
remove_socket_dir(const char *dir)
{
    DIR *d = opendir(dir);
    struct dirent *entry;

    while (d && (entry = readdir(d)))
        if (!path_is_dot(entry->d_name))
            (void)unlinkat(dirfd(d), entry->d_name, 0);
    if (d)
        closedir(d);
    (void)rmdir(dir);
}

/* Removes what an agent of a gateway that was killed left: its directory, which
 * nobody holds a lock of any more, and its container. */
static void
remove_abandoned(const struct agent_process *p, const char *all,
                 const char *instance)
{
    CLEANUP(free_p) char *dir = path_join(all, instance);
    CLEANUP_BUF struct buf name = buf_of(AGENT_INSTANCE_SIZE + 16);
    CLEANUP(fd_close_p)
    int fd = dir ? open(dir, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
                 : -1;

    if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB) < 0)
        return;
    buf_printf(&name, AGENT_CONTAINER_NAME "%s", instance);
    if (faccessat(fd, CONTAINED, F_OK, 0) == 0 && !name.bad)
        agent_container_remove(p->loop, p->seat, p->config, name.p, dir, fd);
    else
        remove_socket_dir(dir);
}

static void
remove_all_abandoned(const struct agent_process *p, const char *all)
{
    DIR *d = opendir(all);
    struct dirent *entry;

    while (d && (entry = readdir(d)))
        if (strspn(entry->d_name, "0123456789abcdef") ==
                AGENT_INSTANCE_SIZE - 1 &&
            !entry->d_name[AGENT_INSTANCE_SIZE - 1])
            remove_abandoned(p, all, entry->d_name);
    if (d)
        closedir(d);
}

void
agent_process_remove_abandoned(struct loop *l, const struct seat *seat,
                               const struct config *config)
{
    const struct agent_process p = {.loop = l, .seat = seat, .config = config};
    CLEANUP(free_p)
    char *all = seat_place(seat, PATH_RUNTIME, AGENTS_DIR, NULL);
    CLEANUP(fd_close_p) int above = -1;

    if (all && access(all, F_OK) == 0 &&
        (above = file_lock_dir(all, LOCK_MS, NULL)) >= 0)
        remove_all_abandoned(&p, all);
}

/* The lock of the directory says that its gateway lives; that of the directory
 * above, that nobody looks before it has it. */
static int
lock_socket_dir(struct agent_process *p, const char *all, struct err *e)
{
    CLEANUP(fd_close_p) int above = file_lock_dir(all, LOCK_MS, e);

    if (above < 0)
        return -1;
    remove_all_abandoned(p, all);
    if (mkdir(p->dir, 0700) < 0)
        return err_sys(e, "%s", p->dir);
    p->lock = open(p->dir, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    return p->lock < 0 || flock(p->lock, LOCK_EX | LOCK_NB) < 0
               ? err_sys(e, "%s", p->dir)
               : 0;
}

static int
make_socket_dir(struct agent_process *p, const char *instance, struct err *e)
{
    CLEANUP(free_p)
    char *all = seat_place(p->seat, PATH_RUNTIME, AGENTS_DIR, e);
    CLEANUP_BUF struct buf address = buf_of(PATH_MAX);

    if (!all || seat_make_dirs(p->seat, all, 0700, e) < 0 ||
        file_private_dir(all, e) < 0)
        return -1;
    if (!(p->dir = path_join(all, instance)))
        return err_nomem(e);
    if (lock_socket_dir(p, all, e) < 0)
        return -1;
    buf_printf(&address, "unix:%s/" SOCKET, p->dir);
    p->address = buf_take(&address);
    return p->address ? 0 : err_nomem(e);
}

static void
on_process_output(void *arg, unsigned events)
{
    struct agent_process *p = arg;
    char bytes[READ_BYTES];
    ssize_t n = read(proc_fd(p->proc, 2), bytes, sizeof(bytes));

    (void)events;
    if (n < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    if (n <= 0) {
        watch_free(p->output);
        p->output = NULL;
        return;
    }
    buf_add(&p->errors, bytes, (size_t)n);
    if (p->errors.len > AGENT_ERRORS_MAX)
        buf_drop(&p->errors, p->errors.len - AGENT_ERRORS_MAX);
}

static void
on_process_exit(void *arg, unsigned events)
{
    struct agent_process *p = arg;
    int status;

    (void)events;
    if (proc_wait(p->proc, 0, &status, NULL) == 1)
        return;
    watch_free(p->exit);
    p->exit = NULL;
    if (p->output) /* the last that it said */
        on_process_output(p, LOOP_READ);
    p->ended(p->arg);
}

static void
on_process_late(void *arg, unsigned events)
{
    struct agent_process *p = arg;

    (void)events;
    if (!p->exit)
        return;
    proc_signal(p->proc, p->termed ? SIGKILL : SIGTERM);
    p->termed = true;
    watch_again(p->late, TERM_MS);
}

/* agentctl ends its agent and then itself; the launcher, which ends all at
 * once, is told when that takes too long. */
void
agent_process_end(struct agent_process *p)
{
    if (p->late)
        return;
    p->termed = p->container != NULL;
    if (p->termed)
        proc_signal(p->proc, SIGTERM);
    else
        spawn_signal(p->proc, SIGTERM);
    p->late = loop_timer(p->loop, LEAVE_MS + (p->termed ? TERM_MS : 0),
                         on_process_late, p, NULL);
    if (!p->late)
        proc_signal(p->proc, SIGKILL);
}

void
agent_process_free(struct agent_process *p)
{
    if (!p)
        return;
    watch_free(p->output);
    watch_free(p->exit);
    watch_free(p->late);
    /* by SIGTERM, at which the launcher ends all that it started */
    if (p->proc && proc_end_later(p->loop, p->proc, 0, TERM_MS, NULL) < 0)
        proc_free(p->proc);
    if (p->container)
        agent_container_remove(p->loop, p->seat, p->config, p->container,
                               p->dir, p->lock);
    else if (p->lock >= 0)
        remove_socket_dir(p->dir);
    if (p->lock >= 0)
        (void)close(p->lock);
    buf_done(&p->errors);
    free(p->container);
    free(p->dir);
    free(p->address);
    free(p->command);
    free(p);
}

const char *
agent_process_address(const struct agent_process *p)
{
    return p->address;
}

const char *
agent_process_command(const struct agent_process *p)
{
    return p->command;
}

const char *
agent_process_errors(const struct agent_process *p)
{
    return p->errors.p;
}

static int
run_process(struct agent_process *p, const char *const *argv,
            const char *const *envp, const char *cwd, struct err *e)
{
    const struct proc_spec spec = {.argv = argv,
                                   .envp = envp,
                                   .cwd = cwd,
                                   .seat = p->seat,
                                   .fds = {PROC_NULL, PROC_NULL, PROC_PIPE},
                                   .pass_fd = -1,
                                   .held_signal = p->container ? 0
                                                               : LAUNCH_PASS};

    if (!(p->proc = proc_start(&spec, e)) ||
        fd_set_nonblock(proc_fd(p->proc, 2), true, e) < 0)
        return -1;
    p->output = loop_fd(p->loop, proc_fd(p->proc, 2), LOOP_READ,
                        on_process_output, p, e);
    p->exit = loop_fd(p->loop, proc_pidfd(p->proc), LOOP_READ, on_process_exit,
                      p, e);
    return p->output && p->exit ? 0 : -1;
}

/* The elements of a list of paths that are there, ~ expanded, in out. */
static int
add_path_list(const struct seat *seat, const char *list, const char **out,
              struct err *e)
{
    const char *item;
    size_t len, n = 0;

    while (out[n])
        n++;
    while (n < SPEC_PATHS_MAX && config_list_next(&list, &item, &len)) {
        CLEANUP(free_p) char *one = strndup(item, len);
        char *path = one ? seat_expand_home(seat, one) : NULL;

        if (!path)
            return err_nomem(e);
        if (access(path, F_OK) < 0)
            free(path); /* not every machine has all of them */
        else
            out[n++] = path;
    }
    return 0;
}

/* A working tree's repository is elsewhere, and may be below the home
 * directory: git in the tree is to read it. */
static void
add_repository(const char *directory, const char **out)
{
    CLEANUP(free_p) char *common = worktree_common(directory);
    size_t n = 0;

    while (out[n])
        n++;
    if (!common || n == SPEC_PATHS_MAX || path_is_below(common, directory))
        return;
    out[n] = TAKE_PTR(common);
}

static void
free_path_list(const char **list)
{
    for (; *list; list++)
        free((char *)*list);
}

/* A script that runs the type's command confined: the launcher's words are more
 * than a variable or agentctl takes. It is in the directory of the socket. */
static int
write_agent_script(struct agent_process *p, const struct gateway_sandbox *box,
                   struct err *e)
{
    CLEANUP_BUF struct buf text = buf_of(SCRIPT_MAX);
    CLEANUP(free_p) char *path = path_join(p->dir, SCRIPT);

    if (!path)
        return err_nomem(e);
    buf_str(&text, "exec");
    for (const char **word = box->argv; *word; word++) {
        buf_ch(&text, ' ');
        shell_quote_word(&text, *word);
    }
    buf_ch(&text, '\n');
    return buf_ok(&text, "the sandbox of the agent", e) < 0
               ? -1
               : file_write_cache(path, text.p, text.len, 0600, e);
}

/* agentctl is ours, and needs a Unix socket, which no profile has: what is
 * confined is the agent. The variables are those of its place. */
static int
confine_agent(struct agent_process *p, const struct agent_process_setup *set,
              struct agent_variables *v, struct gateway_sandbox *box,
              struct err *e)
{
    const char *readable[SPEC_PATHS_MAX + 1] = {NULL};
    const char *writable[SPEC_PATHS_MAX + 1] = {NULL};
    CLEANUP_BUF struct buf line = buf_of(CONFIG_FILE_MAX);
    const struct sandbox_setup_params params = {.profile = set->type->profile,
                                                .seat = set->seat,
                                                .net = true,
                                                .workspace = set->directory,
                                                .readable = readable,
                                                .writable = writable};
    int rc;

    add_repository(set->directory, readable);
    buf_printf(&line, "exec %s", set->type->command);
    rc = buf_ok(&line, "command", e) < 0 ||
                 add_path_list(set->seat, set->type->readable, readable, e) <
                     0 ||
                 add_path_list(set->seat, set->type->writable, writable, e) <
                     0 ||
                 gateway_sandbox_make(
                     box, &params, set->config,
                     (const char *const[]){"/bin/sh", "-c", line.p, NULL},
                     e) < 0 ||
                 write_agent_script(p, box, e) < 0
             ? -1
             : 0;
    free_path_list(readable);
    free_path_list(writable);
    if (rc == 0)
        add_place_variables(v, (const char *const *)box->spawn.env);
    return rc;
}

/* What agentsh itself does as an agent is not confined here: it confines each
 * step, and needs the key and the records of the person. */
static int
start_local(struct agent_process *p, const struct agent_process_setup *set,
            bool own, struct agent_variables *v, struct err *e)
{
    CLEANUP(gateway_sandbox_done) struct gateway_sandbox box = {0};
    CLEANUP(gateway_sandbox_done) struct gateway_sandbox outer = {0};
    CLEANUP(free_p)
    char *agentctl = set->agentctl ? strdup(set->agentctl)
                                   : path_bin("agentctl", e);
    const char *const argv[] = {agentctl, NULL};
    const struct sandbox_setup_params params = {.profile = PROFILE_FULL,
                                                .seat = set->seat};

    if (!agentctl ||
        gateway_sandbox_make(&outer, &params, set->config, argv, e) < 0)
        return -1;
    if (own)
        add_place_variables(v, seat_variables(set->seat));
    else if (confine_agent(p, set, v, &box, e) < 0)
        return -1;
    return run_process(p, outer.argv, v->list, set->directory, e);
}

static int
start_container(struct agent_process *p, const struct agent_process_setup *set,
                struct agent_variables *v, struct err *e)
{
    CLEANUP(agent_container_done) struct agent_container c = {0};
    const struct agent_container_setup params = {.seat = set->seat,
                                                 .config = set->config,
                                                 .type = set->type,
                                                 .instance = set->instance,
                                                 .directory = set->directory,
                                                 .socket_dir = p->dir,
                                                 .variables = v->list};

    CLEANUP(free_p) char *mark = path_join(p->dir, CONTAINED);

    v->list[v->n] = NULL;
    if (!mark)
        return err_nomem(e);
    if (file_write_cache(mark, "", 0, 0600, e) < 0 ||
        agent_container_make(&c, &params, e) < 0)
        return -1;
    p->container = TAKE_PTR(c.name);
    add_place_variables(v, seat_variables(set->seat));
    return run_process(p, (const char *const *)c.argv, v->list, NULL, e);
}

/* The variables by which agentctl knows what to run, and where to listen. */
static int
add_agentctl_variables(struct agent_process *p,
                       const struct agent_process_setup *set, bool own,
                       struct agent_variables *v, struct err *e)
{
    CLEANUP_BUF struct buf script = buf_of(PATH_MAX + 64);
    const char *command = set->type->command;

    if (set->contained)
        return make_variable(v, "AGENTCTL_LISTEN", AGENT_CONTAINER_ADDRESS, e) <
                       0
                   ? -1
                   : make_variable(v, "AGENTCTL_AGENT_COMMAND", command, e);
    buf_str(&script, "/bin/sh ");
    buf_printf(&script, "%s/" SCRIPT, p->dir);
    return make_variable(v, "AGENTCTL_LISTEN", p->address, e) < 0 ||
                   make_variable(v, "AGENTCTL_WORKDIR", set->directory, e) <
                       0 ||
                   make_variable(v, "AGENTCTL_AGENT_COMMAND",
                                 own ? NULL : script.p, e) < 0
               ? -1
               : 0;
}

static int
start_process(struct agent_process *p, const struct agent_process_setup *set,
              struct err *e)
{
    CLEANUP(agent_variables_done) struct agent_variables v = {0};
    bool own = !set->contained && !has_command(set->type, set->seat);
    const char *command = own ? OWN_AGENT : set->type->command;

    p->command = strdup(command ? command : set->type->image);
    if (!p->command)
        return err_nomem(e);
    if (add_task_variables(&v, set, e) < 0 ||
        add_agentctl_variables(p, set, own, &v, e) < 0)
        return -1;
    for (const char *const *s = set->secrets; s && *s; s++)
        add_variable(&v, *s);
    return set->contained ? start_container(p, set, &v, e)
                          : start_local(p, set, own, &v, e);
}

struct agent_process *
agent_process_start(const struct agent_process_setup *set, struct err *e)
{
    CLEANUP(agent_process_free_p)
    struct agent_process *p = calloc(1, sizeof(*p));

    if (!p) {
        err_nomem(e);
        return NULL;
    }
    p->loop = set->loop;
    p->lock = -1;
    p->seat = set->seat;
    p->config = set->config;
    p->ended = set->ended;
    p->arg = set->arg;
    p->errors = buf_of(AGENT_ERRORS_MAX + READ_BYTES);
    if (make_socket_dir(p, set->instance, e) < 0 ||
        start_process(p, set, e) < 0)
        return NULL;
    return TAKE_PTR(p);
}
