/* SPDX-License-Identifier: GPL-3.0-or-later */
/* api_key.c - finds the API key of a provider. */
#include "model/api_key.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "base/fd.h"
#include "base/file.h"
#include "base/proc.h"

#define KEY_MAX 8192u /* far longer than any provider's key */
/* A password manager may ask for a passphrase or a fingerprint. */
#define COMMAND_LIMIT_MS 60000

struct api_key_search {
    struct loop *loop;
    struct api_key_params params;
    struct api_key_events ev;
    void *arg;
    struct watch *timer;  /* the beginning, then the command's deadline */
    struct proc *command; /* NULL: it does not run */
    struct watch *watch;  /* of its output, then of its end */
    struct buf out;
};

void
api_key_free(char *key)
{
    if (!key)
        return;
    explicit_bzero(key, strlen(key));
    free(key);
}

const char *
api_key_variable(const struct seat *s, const struct provider *p)
{
    for (size_t i = 0; i < 2 && p->key_vars[i]; i++) {
        const char *key = seat_variable(s, p->key_vars[i]);

        if (key && *key)
            return p->key_vars[i];
    }
    return NULL;
}

const char *
api_key_in_variables(const struct seat *s, const struct provider *p)
{
    const char *name = api_key_variable(s, p);

    return name ? seat_variable(s, name) : NULL;
}

/* The key becomes part of a header, so it may hold printable ASCII alone. */
int
api_key_parse(const char *text, const char *where, char **key, struct err *e)
{
    size_t n;

    text += strspn(text, " \t\r\n");
    n = strcspn(text, "\r\n");
    while (n > 0 && (text[n - 1] == ' ' || text[n - 1] == '\t'))
        n--;
    if (n == 0)
        return err_set(e, ERR_CONFIG, "%s contains no key", where);
    for (size_t i = 0; i < n; i++) {
        if (text[i] <= ' ' || text[i] > '~')
            return err_set(e, ERR_CONFIG,
                           "%s contains characters that are invalid in a key",
                           where);
    }
    *key = strndup(text, n);
    return *key ? 0 : err_sys(e, "key");
}

int
api_key_read_file(const char *setting, const char *path, struct buf *out,
                  struct err *e)
{
    /* O_NONBLOCK: a FIFO without a writer must not block */
    CLEANUP(fd_close_p)
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    struct stat st;

    if (fd < 0 || fstat(fd, &st) < 0)
        return err_sys(e, "%s %s", setting, path);
    if (!S_ISREG(st.st_mode))
        return err_set(e, ERR_CONFIG, "%s %s is not a regular file", setting,
                       path);
    if ((st.st_mode & 07177) || (st.st_uid != geteuid() && st.st_uid != 0))
        return err_set(e, ERR_CONFIG,
                       "%s %s is readable by others. To do: chmod 600 it, and "
                       "own it",
                       setting, path);
    return file_read_fd(fd, out, e);
}

/* Whether anything but blanks follows the first line: as the manual says, the
 * file has the key and nothing else. */
static bool
has_more_lines(const struct buf *b)
{
    const char *s = b->p + strspn(b->p, " \t\r\n");

    s += strcspn(s, "\r\n");
    s += strspn(s, " \t\r\n");
    return s != b->p + b->len;
}

static int
read_from_file(const struct seat *s, const char *name, char **key,
               struct err *e)
{
    CLEANUP_BUF struct buf b = buf_of_secret(KEY_MAX);
    CLEANUP(free_p) char *path = seat_expand_home(s, name);

    if (!path)
        return err_sys(e, "api_key_file");
    if (api_key_read_file("api_key_file", path, &b, e) == 0) {
        if (has_more_lines(&b))
            return err_set(e, ERR_CONFIG, "%s contains more than a key", path);
        return api_key_parse(b.p, path, key, e);
    }
    if (e && e->code != ERR_CONFIG)
        e->code = ERR_CONFIG;
    return -1;
}

/* Without the command, whose descendants die here where it still runs. */
static void
stop_key_command(struct api_key_search *s)
{
    watch_free(s->watch);
    s->watch = NULL;
    proc_free(s->command);
    s->command = NULL;
    buf_done(&s->out);
}

/* The last that is done with s: the callback may free it. key NULL: none was
 * found, or, where why is not NULL, it failed. */
static void
report_key(struct api_key_search *s, char *key, const char *name,
           const struct err *why)
{
    watch_stop(s->timer);
    stop_key_command(s);
    if (why)
        s->ev.failed(s->arg, why);
    else
        s->ev.found(s->arg, key, name);
}

static void
fail_key_command(struct api_key_search *s, struct err *why)
{
    err_wrap(why, "api_key_command");
    if (why->code != ERR_TIMEOUT)
        why->code = ERR_MODEL;
    report_key(s, NULL, NULL, why);
}

static void
on_command_end(void *arg, unsigned events)
{
    struct api_key_search *s = arg;
    struct err e = {0};
    char *key = NULL;
    int status;

    (void)events;
    proc_keep_descendants(s->command);
    if (proc_wait(s->command, 0, &status, &e) != 0) {
        fail_key_command(s, &e);
        return;
    }
    if (status != 0)
        err_set(&e, ERR_MODEL,
                "api_key_command ended with status %d: no key. To do: "
                "fix it, or use --offline",
                status);
    else
        (void)api_key_parse(s->out.p, "the output of api_key_command", &key,
                            &e);
    report_key(s, key, "api_key_command", key ? NULL : &e);
}

/* Its output has ended: it ends too, or has. */
static int
await_command_end(struct api_key_search *s, struct err *e)
{
    watch_free(s->watch);
    s->watch = loop_fd(s->loop, proc_pidfd(s->command), LOOP_READ,
                       on_command_end, s, e);
    return s->watch ? 0 : -1;
}

static void
on_command_output(void *arg, unsigned events)
{
    struct api_key_search *s = arg;
    struct err e = {0};
    char bytes[4096];
    ssize_t n = read(proc_fd(s->command, 1), bytes, sizeof(bytes));
    int rc = 0;

    (void)events;
    if (n > 0) {
        buf_add(&s->out, bytes, (size_t)n);
        explicit_bzero(bytes, (size_t)n);
        rc = buf_ok(&s->out, "its output", &e);
    } else if (n == 0) {
        rc = await_command_end(s, &e);
    } else if (errno != EINTR && errno != EAGAIN) {
        rc = err_sys(&e, "read");
    }
    if (rc < 0)
        fail_key_command(s, &e);
}

/* On a terminal of ours the command stays in our process group, or it could
 * not read from it. Elsewhere it leads a group, and has no input. */
static int
start_key_command(struct api_key_search *s, const char *line, struct err *e)
{
    const struct seat *seat = s->params.seat;
    bool terminal = s->params.on_terminal;
    const char *const argv[] = {"/bin/sh", "-c", line, NULL};
    const struct proc_spec spec = {
        .argv = argv,
        .envp = seat_variables(seat),
        .seat = seat,
        .fds = {terminal ? PROC_INHERIT : PROC_NULL, PROC_PIPE, PROC_INHERIT},
        .pass_fd = -1,
        .adopt = true,
        .foreground = terminal};

    if (!(s->command = proc_start(&spec, e)) ||
        fd_set_nonblock(proc_fd(s->command, 1), true, e) < 0)
        return -1;
    s->watch = loop_fd(s->loop, proc_fd(s->command, 1), LOOP_READ,
                       on_command_output, s, e);
    if (!s->watch)
        return -1;
    watch_again(s->timer, COMMAND_LIMIT_MS);
    return 0;
}

static void
begin_key_search(struct api_key_search *s)
{
    const struct api_key_params *p = &s->params;
    const char *variable = api_key_variable(p->seat, p->provider);
    const char *command = NULL, *file = NULL;
    struct err e = {0};
    char *key = NULL;
    int rc = 0;

    if (p->configured && !variable) {
        command = config_text(p->config, CONFIG_MODEL_API_KEY_COMMAND);
        file = config_text(p->config, CONFIG_MODEL_API_KEY_FILE);
    }
    if (command) {
        if (start_key_command(s, command, &e) < 0)
            fail_key_command(s, &e);
        return;
    }
    if (variable)
        rc = api_key_parse(seat_variable(p->seat, variable), variable, &key,
                           &e);
    else if (file)
        rc = read_from_file(p->seat, file, &key, &e);
    report_key(s, key,
               variable ? variable
               : file   ? "api_key_file"
                        : NULL,
               rc < 0 ? &e : NULL);
}

static void
on_key_timer(void *arg, unsigned events)
{
    struct api_key_search *s = arg;
    struct err e = {0};

    (void)events;
    if (!s->command) {
        begin_key_search(s);
        return;
    }
    err_set(&e, ERR_TIMEOUT, "it takes too long");
    fail_key_command(s, &e);
}

struct api_key_search *
api_key_search_start(struct loop *l, const struct api_key_params *p,
                     const struct api_key_events *ev, void *arg, struct err *e)
{
    struct api_key_search *s = calloc(1, sizeof(*s));

    if (!s) {
        err_nomem(e);
        return NULL;
    }
    *s = (struct api_key_search){
        .loop = l, .params = *p, .ev = *ev, .arg = arg};
    s->out = buf_of_secret(KEY_MAX);
    if (!(s->timer = loop_soon(l, on_key_timer, s, e))) {
        api_key_search_free(s);
        return NULL;
    }
    return s;
}

void
api_key_search_free(struct api_key_search *s)
{
    if (!s)
        return;
    stop_key_command(s);
    watch_free(s->timer);
    free(s);
}
