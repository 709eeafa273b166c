/* SPDX-License-Identifier: GPL-3.0-or-later */
/* elevate.c - runs a program as root for a plugin that asks for it. */
#include "tool/elevate.h"

#include <string.h>
#include <unistd.h>

#include "base/shell_quote.h"
#include "guard/path/system_sudo.h"
#include "tool/captured.h"
#include "tool/protocol.h"
#include "json/write.h"

#define KEPT_MAX   PROTOCOL_TEXT_MAX /* bytes of each stream */
#define TAIL_MAX   (64u << 10) /* bytes of each, when they were streamed */
#define LINE_BYTES (16u << 20) /* both, escaped */
#define WORDS_MAX  (64u << 10) /* a sentence with a command line in it */

/* How the program becomes root. */
enum elevate_way {
    ELEVATE_NONE,  /* not at all */
    ELEVATE_ROOT,  /* it is run by root */
    ELEVATE_SUDO,  /* sudo asks on the person's terminal */
    ELEVATE_QUIET, /* sudo runs it if it need not ask */
};

struct elevate {
    enum elevate_way how;
    char *sudo;   /* its path; NULL: none is used */
    char **words; /* NULL-ended */
    const struct tool_setting *set;
    struct loop *loop;
    struct captured *run; /* NULL: it does not run */
    struct watch *late;
    struct buf line; /* the answer line for the plugin */
    const struct elevate_events *ev;
    void *arg;
    bool stream, paused, waits;
};

void
elevate_free(struct elevate *n)
{
    if (!n)
        return;
    watch_free(n->late);
    captured_free(n->run);
    buf_done(&n->line);
    free(n->sudo);
    for (char **word = n->words; word && *word; word++)
        free(*word);
    free(n->words);
    free(n);
}

void
elevate_signal(struct elevate *n, int signo)
{
    if (n->run)
        captured_signal(n->run, signo);
}

/* Writes the answer: {"exit_code":…,"stdout":…,"stderr":…}, and why the program
 * did not run. */
static void
put_answer_line(struct elevate *n, const struct captured_end *end,
                const char *error_code)
{
    struct json_writer w;

    json_write_init(&w, &n->line);
    json_open_object(&w);
    json_member_int(&w, "exit_code", end->status);
    json_key(&w, "stdout");
    json_put_strn(&w, end->text[0], end->len[0]);
    json_key(&w, "stderr");
    json_put_strn(&w, end->text[1], end->len[1]);
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

/* Has the answer given from the loop. */
static int
answer_from_loop(struct elevate *n, struct err *e)
{
    watch_free(n->late);
    n->late = loop_soon(n->loop, deliver_answer, n, e);
    return n->late ? 0 : -1;
}

void
elevate_pause(struct elevate *n, bool paused)
{
    n->paused = paused;
    if (n->run)
        captured_pause(n->run, paused);
}

static void
on_output(void *arg, const char *stream, const char *bytes, size_t n)
{
    struct elevate *el = arg;

    el->ev->output(el->arg, stream, bytes, n);
}

static bool
is_declared(const struct tool *t, const char *program)
{
    const char *const *p = t->manifest->needs.privileged;

    while (*p && strcmp(*p, program) != 0)
        p++;
    return *p && program[0] == '/';
}

/* Appends "To do:" and what the person can type. */
static void
put_what_to_type(const struct elevate *n, struct buf *out)
{
    buf_printf(out, " To do:%s", geteuid() == 0 ? "" : " sudo");
    for (char **word = n->words; *word; word++) {
        buf_ch(out, ' ');
        shell_quote_word(out, *word);
    }
}

/* Answers that the program does not run, why, and what the person can type. */
static int
refuse_run(struct elevate *n, const char *why, struct err *e)
{
    CLEANUP_BUF struct buf text = buf_of(WORDS_MAX);
    struct captured_end end = {.status = -1, .text = {"", ""}};

    buf_str(&text, why);
    put_what_to_type(n, &text);
    if (buf_ok(&text, "the command to type", e) < 0)
        return -1;
    end.text[1] = text.p;
    end.len[1] = text.len;
    put_answer_line(n, &end, err_tool_code(ERR_PERMISSION));
    return 0;
}

/* sudo -n ran nothing: it would have needed a password, which nobody can type,
 * or this user may not. Its own words depend on the language. */
static bool
was_sudo_refused(const struct elevate *n, const struct captured_end *end)
{
    return n->how == ELEVATE_QUIET && end->status == 1 && end->len[0] == 0 &&
           strncmp(end->text[1], "sudo: ", 6) == 0;
}

/* Says so with the first line of what sudo said. */
static int
refuse_as_sudo(struct elevate *n, const struct captured_end *end)
{
    CLEANUP_BUF struct buf why = buf_of(WORDS_MAX);

    buf_printf(&why, "needs root (%.*s).", (int)strcspn(end->text[1], "\n"),
               end->text[1]);
    return why.bad ? -1 : refuse_run(n, why.p, NULL);
}

static void
on_done(void *arg, const struct captured_end *end)
{
    struct elevate *n = arg;

    if (!was_sudo_refused(n, end) || refuse_as_sudo(n, end) < 0)
        put_answer_line(n, end, NULL);
    deliver_answer(n, 0);
}

/* Fills argv with what is run: the words, behind sudo where we are not root.
 * The caller frees it. */
static const char **
words_to_run(const struct elevate *n, struct err *e)
{
    static const char *const before[][3] = {
        [ELEVATE_ROOT] = {NULL},
        [ELEVATE_SUDO] = {"--", NULL},
        [ELEVATE_QUIET] = {"-n", "--", NULL},
    };
    size_t k = 0, count = 0;
    const char **argv;

    while (n->words[count])
        count++;
    argv = calloc(count + 4, sizeof(*argv));
    if (!argv) {
        err_nomem(e);
        return NULL;
    }
    if (n->how != ELEVATE_ROOT)
        argv[k++] = n->sudo;
    for (const char *const *w = before[n->how]; *w; w++)
        argv[k++] = *w;
    for (size_t i = 0; i < count; i++)
        argv[k++] = n->words[i];
    return argv;
}

static int
run_program(struct elevate *n, struct err *e)
{
    static const struct captured_events events = {.output = on_output,
                                                  .done = on_done};
    bool tty = n->how == ELEVATE_SUDO;
    const struct sandbox_spec spec = {.profile = PROFILE_FULL,
                                      .leave = true,
                                      .alike = tty,
                                      .keep_terminal = tty};
    const struct tool_setting full = {.sandbox = &spec,
                                      .seat = n->set->seat,
                                      .config = n->set->config,
                                      .colour = n->set->colour};
    CLEANUP(free_p) const char **argv = words_to_run(n, e);
    const struct captured_params params = {
        .argv = argv,
        .setting = &full,
        .cwd = "/",
        .terminal = tty ? CAPTURED_INPUT : CAPTURED_ALONE,
        .stream = n->stream,
        .kept_max = n->stream ? TAIL_MAX : KEPT_MAX};

    if (argv)
        n->run = captured_start(n->loop, &params, &events, n, e);
    return n->run ? 0 : -1;
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

/* The caller's setting says whether it may be sudo at all. */
static void
find_way(struct elevate *n)
{
    if (geteuid() == 0) {
        n->how = ELEVATE_ROOT;
        return;
    }
    if (!n->set->sudo || !(n->sudo = system_sudo_find(seat_path(n->set->seat))))
        return;
    n->how = captured_find_terminal(NULL) == 0 ? ELEVATE_SUDO : ELEVATE_QUIET;
}

static struct elevate *
elevate_new(struct loop *l, bool stream, const struct elevate_events *ev,
            void *arg)
{
    struct elevate *n = calloc(1, sizeof(*n));

    if (!n)
        return NULL;
    *n = (struct elevate){.loop = l,
                          .ev = ev,
                          .arg = arg,
                          .line = buf_of(LINE_BYTES),
                          .stream = stream};
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
    find_way(n);
    if (setting->privileged && n->how != ELEVATE_NONE)
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
    if (!yes) {
        if (refuse_run(n,
                       n->how == ELEVATE_NONE ? "needs root."
                                              : "you did not approve it.",
                       e) < 0)
            return -1;
        return answer_from_loop(n, e);
    }
    if (run_program(n, e) < 0)
        return -1;
    if (n->paused)
        elevate_pause(n, true);
    return 0;
}
