/* SPDX-License-Identifier: GPL-3.0-or-later */
/* need.c - what a plugin asks the front to run as root. */
#include "tool/need.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/shell_quote.h"
#include "base/utf8.h"
#include "tool/launch.h"
#include "tool/response.h"
#include "json/write.h"

#define KEPT_MAX   RESPONSE_TEXT_MAX /* of each stream, as of a response */
#define TAIL_MAX   (64u << 10)       /* of each, when it streamed */
#define LINE_BYTES (16u << 20)       /* both, escaped */
#define READ_BYTES 65536
#define WORDS_MAX  (64u << 10) /* of a sentence with a command line in it */
#define END_MS     2000        /* for the launcher to end what it started */
#define LATE_MS    200         /* for output of a program that has ended */

/* What one stream of it wrote. */
struct said {
    const char *name;
    struct watch *watch; /* NULL after its end */
    struct buf kept;
    struct buf partial; /* bytes of a character that is not whole yet */
};

struct need {
    char **words; /* NULL-ended */
    const struct tool_setting *set;
    struct loop *loop;
    struct launched is;
    struct said said[2]; /* stdout, stderr */
    struct watch *ended, *late;
    struct buf line; /* for the plugin */
    const struct need_events *ev;
    void *arg;
    bool stream, held, over, waits;
    int status;
};

void
need_free(struct need *n)
{
    if (!n)
        return;
    watch_free(n->ended);
    watch_free(n->late);
    for (int i = 0; i < 2; i++) {
        watch_free(n->said[i].watch);
        buf_done(&n->said[i].kept);
        buf_done(&n->said[i].partial);
    }
    if (n->is.proc && !n->over) {
        int status;

        proc_signal(n->is.proc, SIGTERM);
        (void)proc_wait(n->is.proc, END_MS, &status, NULL);
    }
    launched_done(&n->is);
    buf_done(&n->line);
    for (char **word = n->words; word && *word; word++)
        free(*word);
    free(n->words);
    free(n);
}

void
need_signal(struct need *n, int signo)
{
    if (n->is.proc)
        proc_signal(n->is.proc, signo);
}

static void
put_text(struct json_writer *w, const struct need *n, const struct said *s)
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

/* {"exit_code":…,"stdout":…,"stderr":…}, and why it did not run. */
static void
put_line(struct need *n, int exit_code, const char *error_code)
{
    struct json_writer w;

    json_write_init(&w, &n->line);
    json_open_object(&w);
    json_member_int(&w, "exit_code", exit_code);
    put_text(&w, n, &n->said[0]);
    put_text(&w, n, &n->said[1]);
    if (error_code)
        json_member_str(&w, "error_code", error_code);
    json_close_object(&w);
}

static void
tell(void *arg, unsigned events)
{
    struct need *n = arg;

    (void)events;
    watch_free(n->late);
    n->late = NULL;
    n->ev->done(n->arg, n->line.p, n->line.len);
}

static void
finish(void *arg, unsigned events)
{
    struct need *n = arg;

    put_line(n, n->status, NULL);
    tell(n, events);
}

/* From the loop, as every answer. */
static int
answer_soon(struct need *n, loop_cb *how, int64_t ms, struct err *e)
{
    watch_free(n->late);
    n->late = loop_timer(n->loop, ms, how, n, e);
    return n->late ? 0 : -1;
}

void
need_hold(struct need *n, bool held)
{
    n->held = held;
    for (int i = 0; i < 2; i++) {
        if (n->said[i].watch)
            watch_events(n->said[i].watch, held ? 0 : LOOP_READ);
    }
    if (!held && n->over && !n->late)
        (void)answer_soon(n, finish, LATE_MS, NULL);
}

static void
keep(const struct need *n, struct said *s, const char *p, size_t len)
{
    size_t room;

    if (n->stream && s->kept.len + len > s->kept.max)
        buf_drop(&s->kept, s->kept.len + len - s->kept.max);
    room = s->kept.max - s->kept.len;
    buf_add(&s->kept, p, len < room ? len : room);
}

/* Whole characters; the rest waits for the bytes that complete it. */
static void
relay(struct need *n, struct said *s, const char *p, size_t len)
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
take_bytes(struct need *n, int which)
{
    struct said *s = &n->said[which];
    char bytes[READ_BYTES];
    ssize_t got = read(proc_fd(n->is.proc, which + 1), bytes, sizeof(bytes));

    if (got < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    if (got > 0)
        keep(n, s, bytes, (size_t)got);
    if (n->stream)
        relay(n, s, bytes, got > 0 ? (size_t)got : 0);
    if (got > 0)
        return;
    watch_free(s->watch);
    s->watch = NULL;
    if (n->over && !n->said[1 - which].watch)
        (void)answer_soon(n, finish, 0, NULL);
}

static void
on_stdout(void *arg, unsigned events)
{
    (void)events;
    take_bytes(arg, 0);
}

static void
on_stderr(void *arg, unsigned events)
{
    (void)events;
    take_bytes(arg, 1);
}

static void
on_ended(void *arg, unsigned events)
{
    struct need *n = arg;
    bool open = n->said[0].watch || n->said[1].watch;

    (void)events;
    watch_free(n->ended);
    n->ended = NULL;
    (void)proc_wait(n->is.proc, 0, &n->status, NULL);
    n->over = true;
    if (open && n->held) /* its pipes tell the rest later */
        return;
    if (answer_soon(n, finish, open ? LATE_MS : 0, NULL) < 0)
        finish(n, 0);
}

static bool
is_named(const struct tool *t, const char *program)
{
    const char *const *p = t->manifest->needs.privileged;

    while (*p && strcmp(*p, program) != 0)
        p++;
    return *p && program[0] == '/';
}

/* Not run: `why`, and the command to type. */
static int
refuse(struct need *n, struct err *e)
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
    buf_add(&n->said[1].kept, text.p, text.len);
    put_line(n, -1, err_tool_code(ERR_PERMISSION));
    return answer_soon(n, tell, 0, e);
}

static int
run(struct need *n, struct err *e)
{
    const char *const *argv = (const char *const *)n->words;
    static loop_cb *const on_output[] = {on_stdout, on_stderr};
    const struct sandbox_spec spec = {.profile = PROFILE_FULL, .leave = true};
    const struct tool_setting full = {
        .sandbox = &spec, .config = n->set->config, .colour = n->set->colour};
    CLEANUP(launch_done) struct launch launch = {0};

    if (launch_prepare(&launch, argv, &full, e) < 0 ||
        launch_start_alone(&launch, &n->is, e) < 0)
        return -1;
    for (int i = 0; i < 2; i++) {
        int fd = proc_fd(n->is.proc, i + 1);

        if (fd_set_nonblock(fd, true, e) < 0)
            return -1;
        n->said[i].watch = loop_fd(n->loop, fd, LOOP_READ, on_output[i], n, e);
        if (!n->said[i].watch)
            return -1;
    }
    n->ended = loop_fd(n->loop, proc_pidfd(n->is.proc), LOOP_READ, on_ended, n,
                       e);
    return n->ended ? 0 : -1;
}

/* They outlive the event when a person is asked about them. */
static int
keep_words(struct need *n, const struct json *argv, struct err *e)
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

static struct need *
need_new(struct loop *l, bool stream, const struct need_events *ev, void *arg)
{
    struct need *n = calloc(1, sizeof(*n));

    if (!n)
        return NULL;
    *n = (struct need){.loop = l,
                       .is = {.report = -1},
                       .ev = ev,
                       .arg = arg,
                       .line = buf_of(LINE_BYTES),
                       .stream = stream};
    for (int i = 0; i < 2; i++) {
        n->said[i].name = i == 0 ? "stdout" : "stderr";
        buf_init(&n->said[i].kept, stream ? TAIL_MAX : KEPT_MAX);
        buf_init(&n->said[i].partial, READ_BYTES + 4);
    }
    return n;
}

struct need *
need_start(struct loop *l, const struct tool *t, const struct json *argv,
           const struct tool_setting *setting, bool stream,
           const struct need_events *ev, void *arg, struct err *e)
{
    CLEANUP(need_free_p) struct need *n = need_new(l, stream, ev, arg);
    enum tool_need how = TOOL_NEED_NO;

    if (!n) {
        err_nomem(e);
        return NULL;
    }
    n->set = setting;
    if (keep_words(n, argv, e) < 0)
        return NULL;
    if (!is_named(t, n->words[0])) {
        err_set(e, ERR_PEER, "needs %.100s, which its manifest does not name",
                n->words[0]);
        return NULL;
    }
    if (setting->privileged && geteuid() == 0)
        how = ev->ask(arg, (const char *const *)n->words);
    n->waits = true;
    if (how != TOOL_NEED_WAIT && need_agree(n, how == TOOL_NEED_YES, e) < 0)
        return NULL;
    return TAKE_PTR(n);
}

bool
need_waits(const struct need *n)
{
    return n->waits;
}

int
need_agree(struct need *n, bool yes, struct err *e)
{
    n->waits = false;
    if (!yes)
        return refuse(n, e);
    if (run(n, e) < 0)
        return -1;
    if (n->held)
        need_hold(n, true);
    return 0;
}
