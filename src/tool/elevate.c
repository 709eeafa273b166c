/* SPDX-License-Identifier: GPL-3.0-or-later */
/* elevate.c - runs a program as root for a plugin that asks for it. */
#include "tool/elevate.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/shell_quote.h"
#include "base/utf8.h"
#include "tool/protocol.h"
#include "tool/spawn.h"
#include "json/write.h"

#define KEPT_MAX   PROTOCOL_TEXT_MAX /* bytes of each stream */
#define TAIL_MAX   (64u << 10) /* bytes of each, when they were streamed */
#define LINE_BYTES (16u << 20) /* both, escaped */
#define READ_BYTES 65536
#define WORDS_MAX  (64u << 10) /* a sentence with a command line in it */

/* The output of one stream of the program. */
struct stream_output {
    const char *name;
    struct watch *watch; /* NULL after its end */
    struct buf kept;
    struct buf partial; /* bytes of an incomplete character */
};

struct elevate {
    char **words; /* NULL-ended */
    const struct tool_setting *set;
    struct loop *loop;
    struct spawned is;
    struct stream_output outputs[2]; /* stdout, stderr */
    struct watch *ended, *late;
    struct buf line; /* the answer line for the plugin */
    const struct elevate_events *ev;
    void *arg;
    bool stream, paused, over, waits;
    int status;
};

void
elevate_free(struct elevate *n)
{
    if (!n)
        return;
    watch_free(n->ended);
    watch_free(n->late);
    for (int i = 0; i < 2; i++) {
        watch_free(n->outputs[i].watch);
        buf_done(&n->outputs[i].kept);
        buf_done(&n->outputs[i].partial);
    }
    if (n->is.proc && !n->over) {
        int status;

        proc_signal(n->is.proc, SIGTERM);
        (void)proc_wait(n->is.proc, SPAWN_END_MS, &status, NULL);
    }
    spawned_done(&n->is);
    buf_done(&n->line);
    for (char **word = n->words; word && *word; word++)
        free(*word);
    free(n->words);
    free(n);
}

void
elevate_signal(struct elevate *n, int signo)
{
    if (n->is.proc)
        proc_signal(n->is.proc, signo);
}

static void
put_stream_text(struct json_writer *w, const struct elevate *n,
                const struct stream_output *s)
{
    CLEANUP_BUF struct buf text = buf_of((size_t)3 * KEPT_MAX);
    size_t max = n->stream ? TAIL_MAX : KEPT_MAX;

    utf8_repair(&text, s->kept.p, s->kept.len);
    if (text.len > max && n->stream)
        buf_drop(&text, utf8_boundary(text.p, text.len, text.len - max));
    else if (text.len > max)
        buf_cut(&text, utf8_boundary(text.p, text.len, max));
    json_key(w, s->name);
    json_put_strn(w, text.p, text.len);
}

/* Writes the answer: {"exit_code":…,"stdout":…,"stderr":…}, and why the program
 * did not run. */
static void
put_answer_line(struct elevate *n, int exit_code, const char *error_code)
{
    struct json_writer w;

    json_write_init(&w, &n->line);
    json_open_object(&w);
    json_member_int(&w, "exit_code", exit_code);
    put_stream_text(&w, n, &n->outputs[0]);
    put_stream_text(&w, n, &n->outputs[1]);
    if (error_code)
        json_member_str(&w, "error_code", error_code);
    json_close_object(&w);
}

static void
deliver_answer(void *arg, unsigned events)
{
    struct elevate *n = arg;

    (void)events;
    watch_free(n->late);
    n->late = NULL;
    n->ev->done(n->arg, n->line.p, n->line.len);
}

static void
finish_elevated(void *arg, unsigned events)
{
    struct elevate *n = arg;

    put_answer_line(n, n->status, NULL);
    deliver_answer(n, events);
}

/* Has the answer given from the loop. */
static int
answer_from_loop(struct elevate *n, loop_cb *how, int64_t ms, struct err *e)
{
    watch_free(n->late);
    n->late = loop_timer(n->loop, ms, how, n, e);
    return n->late ? 0 : -1;
}

void
elevate_pause(struct elevate *n, bool paused)
{
    n->paused = paused;
    for (int i = 0; i < 2; i++) {
        if (n->outputs[i].watch)
            watch_events(n->outputs[i].watch, paused ? 0 : LOOP_READ);
    }
    if (!paused && n->over && !n->late)
        (void)answer_from_loop(n, finish_elevated, SPAWN_LATE_MS, NULL);
}

static void
keep_output(const struct elevate *n, struct stream_output *s, const char *p,
            size_t len)
{
    size_t room;

    if (n->stream && s->kept.len + len > s->kept.max)
        buf_drop(&s->kept, s->kept.len + len - s->kept.max);
    room = s->kept.max - s->kept.len;
    buf_add(&s->kept, p, len < room ? len : room);
}

/* Delivers whole characters; an incomplete one waits for its next bytes. */
static void
stream_bytes(struct elevate *n, struct stream_output *s, const char *p,
             size_t len)
{
    CLEANUP_BUF struct buf text = buf_of((size_t)3 * (READ_BYTES + 4));
    size_t whole;

    buf_add(&s->partial, p, len);
    whole = s->partial.len -
            (len ? utf8_incomplete_tail(s->partial.p, s->partial.len) : 0);
    utf8_repair(&text, s->partial.p, whole);
    buf_drop(&s->partial, whole);
    if (text.len > 0)
        n->ev->output(n->arg, s->name, text.p, text.len);
}

static void
read_stream(struct elevate *n, int which)
{
    struct stream_output *s = &n->outputs[which];
    char bytes[READ_BYTES];
    ssize_t got = read(proc_fd(n->is.proc, which + 1), bytes, sizeof(bytes));

    if (got < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    if (got > 0)
        keep_output(n, s, bytes, (size_t)got);
    if (n->stream)
        stream_bytes(n, s, bytes, got > 0 ? (size_t)got : 0);
    if (got > 0)
        return;
    watch_free(s->watch);
    s->watch = NULL;
    if (n->over && !n->outputs[1 - which].watch)
        (void)answer_from_loop(n, finish_elevated, 0, NULL);
}

static void
on_stdout(void *arg, unsigned events)
{
    (void)events;
    read_stream(arg, 0);
}

static void
on_stderr(void *arg, unsigned events)
{
    (void)events;
    read_stream(arg, 1);
}

static void
on_ended(void *arg, unsigned events)
{
    struct elevate *n = arg;
    bool open = n->outputs[0].watch || n->outputs[1].watch;

    (void)events;
    watch_free(n->ended);
    n->ended = NULL;
    (void)proc_wait(n->is.proc, 0, &n->status, NULL);
    n->over = true;
    if (open && n->paused) /* the rest is read from its pipes later */
        return;
    if (answer_from_loop(n, finish_elevated, open ? SPAWN_LATE_MS : 0, NULL) <
        0)
        finish_elevated(n, 0);
}

static bool
is_declared(const struct tool *t, const char *program)
{
    const char *const *p = t->manifest->needs.privileged;

    while (*p && strcmp(*p, program) != 0)
        p++;
    return *p && program[0] == '/';
}

/* Answers that the program does not run, why, and what the person can type. */
static int
refuse_run(struct elevate *n, struct err *e)
{
    bool root = geteuid() == 0;
    CLEANUP_BUF struct buf text = buf_of(WORDS_MAX);

    buf_str(&text, root ? "you did not approve it. To do:"
                        : "needs root. To do: sudo");
    for (char **word = n->words; *word; word++) {
        buf_ch(&text, ' ');
        shell_quote_word(&text, *word);
    }
    if (buf_ok(&text, "the command to type", e) < 0)
        return -1;
    buf_add(&n->outputs[1].kept, text.p, text.len);
    put_answer_line(n, -1, err_tool_code(ERR_PERMISSION));
    return answer_from_loop(n, deliver_answer, 0, e);
}

static int
run_program(struct elevate *n, struct err *e)
{
    const char *const *argv = (const char *const *)n->words;
    static loop_cb *const on_output[] = {on_stdout, on_stderr};
    const struct sandbox_spec spec = {.profile = PROFILE_FULL, .leave = true};
    const struct tool_setting full = {.sandbox = &spec,
                                      .seat = n->set->seat,
                                      .config = n->set->config,
                                      .colour = n->set->colour};
    CLEANUP(spawn_done) struct spawn launch = {0};

    if (spawn_prepare(&launch, argv, &full, e) < 0 ||
        spawn_start_alone(&launch, &n->is, e) < 0)
        return -1;
    for (int i = 0; i < 2; i++) {
        int fd = proc_fd(n->is.proc, i + 1);

        if (fd_set_nonblock(fd, true, e) < 0)
            return -1;
        n->outputs[i].watch = loop_fd(n->loop, fd, LOOP_READ, on_output[i], n,
                                      e);
        if (!n->outputs[i].watch)
            return -1;
    }
    n->ended = loop_fd(n->loop, proc_pidfd(n->is.proc), LOOP_READ, on_ended, n,
                       e);
    return n->ended ? 0 : -1;
}

/* Copies argv, which must outlive the event when a person is asked. */
static int
copy_argv(struct elevate *n, const struct json *argv, struct err *e)
{
    char **word = n->words = calloc(json_count(argv) + 1, sizeof(*n->words));

    if (!word)
        return err_nomem(e);
    for (const struct json *v = json_first(argv); v; v = json_next(v)) {
        if (!(*word++ = strdup(json_str(v, NULL))))
            return err_nomem(e);
    }
    return 0;
}

static struct elevate *
elevate_new(struct loop *l, bool stream, const struct elevate_events *ev,
            void *arg)
{
    struct elevate *n = calloc(1, sizeof(*n));

    if (!n)
        return NULL;
    *n = (struct elevate){.loop = l,
                          .is = {.report = -1},
                          .ev = ev,
                          .arg = arg,
                          .line = buf_of(LINE_BYTES),
                          .stream = stream};
    for (int i = 0; i < 2; i++) {
        n->outputs[i].name = i == 0 ? "stdout" : "stderr";
        buf_init(&n->outputs[i].kept, stream ? TAIL_MAX : KEPT_MAX);
        buf_init(&n->outputs[i].partial, READ_BYTES + 4);
    }
    return n;
}

struct elevate *
elevate_start(struct loop *l, const struct tool *t, const struct json *argv,
              const struct tool_setting *setting, bool stream,
              const struct elevate_events *ev, void *arg, struct err *e)
{
    CLEANUP(elevate_free_p) struct elevate *n = elevate_new(l, stream, ev, arg);
    enum tool_elevation how = TOOL_ELEVATE_NO;

    if (!n) {
        err_nomem(e);
        return NULL;
    }
    n->set = setting;
    if (copy_argv(n, argv, e) < 0)
        return NULL;
    if (!is_declared(t, n->words[0])) {
        err_set(e, ERR_PEER, "needs %.100s, which its manifest does not name",
                n->words[0]);
        return NULL;
    }
    if (setting->privileged && geteuid() == 0)
        how = ev->ask(arg, (const char *const *)n->words);
    n->waits = true;
    if (how != TOOL_ELEVATE_LATER &&
        elevate_answer(n, how == TOOL_ELEVATE_YES, e) < 0)
        return NULL;
    return TAKE_PTR(n);
}

bool
elevate_is_waiting(const struct elevate *n)
{
    return n->waits;
}

int
elevate_answer(struct elevate *n, bool yes, struct err *e)
{
    n->waits = false;
    if (!yes)
        return refuse_run(n, e);
    if (run_program(n, e) < 0)
        return -1;
    if (n->paused)
        elevate_pause(n, true);
    return 0;
}
