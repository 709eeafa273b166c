/* SPDX-License-Identifier: GPL-3.0-or-later */
/* repl.c - the interactive shell of agentsh: its beginning and its end. */
#include "frontend/repl/repl.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "base/message_put.h"
#include "base/path.h"
#include "config/config.h"
#include "frontend/repl/bindings.h"
#include "frontend/repl/complete.h"
#include "frontend/repl/line_editor.h"
#include "frontend/repl/line_keys.h"
#include "frontend/repl/repl_state.h"
#include "model/prompt/last_command.h"
#include "record/shell_session.h"
#include "term/term.h"
#include "ui/prompt_insert.h"
#include "ui/shell_change.h"
#include "ui/shell_hook.h"

#define LAST_MS        2000 /* for a terminal that takes nothing more */
#define SESSION_SIZE   32
#define PATH_BYTES_MAX (64u << 10)
#define STARTING       "AGENTSH_STARTING" /* bash reads its start-up files */

static const int signals[] = {SIGINT,  SIGQUIT,  SIGTSTP, SIGTTIN, SIGTTOU,
                              SIGCONT, SIGWINCH, SIGHUP,  SIGTERM, SIGCHLD};
#define SIGNALS ARRAY_SIZE(signals)

/* One REPL: its state machine, and what is needed only to start and end. */
struct repl {
    struct repl_state state;
    struct watch *signals[SIGNALS];
    char session[SESSION_SIZE];
    char *bash, *rc;
    size_t keep; /* bytes of what a command shows */
};

static void
on_signal(void *arg, unsigned signo)
{
    repl_on_signal(arg, (int)signo);
}

/* Where `ai` was not installed on PATH (a build tree), commands find it all
 * the same: `git diff | ai explain`. */
static void
reach_assistant(void)
{
    CLEANUP(free_p) char *known = path_find_program(AI_NAME);
    CLEANUP(free_p) char *ours = known ? NULL : ai_child_path();
    CLEANUP_BUF struct buf path = buf_of(PATH_BYTES_MAX);
    const char *old = getenv("PATH");
    char usual[256] = "";

    if (!ours)
        return;
    *strrchr(ours, '/') = '\0';
    if (!old) /* bash would have chosen, and now no longer does */
        (void)confstr(_CS_PATH, usual, sizeof(usual));
    if (!old)
        old = usual;
    /* an empty element would be the current directory */
    buf_printf(&path, "%s%s%s", old, *old ? ":" : "", ours);
    if (buf_ok(&path, "PATH", NULL) == 0)
        (void)setenv("PATH", path.p, 1);
}

void
repl_complain(const struct err *e)
{
    CLEANUP_BUF struct buf text = buf_of(sizeof(e->text) * 4);

    (void)message_put(&text, e->text);
    fprintf(stderr, "agentsh: %s\n", text.p);
}

/* A mistake in the configuration is told; a person still wants a shell. The
 * files of a login shell are read by one, and where it is set. What it says of
 * the look is for the assistant's lines, too. */
static void
read_shell_settings(struct repl *r, bool login)
{
    CLEANUP(free_p) char *ai = ai_child_path();
    struct err e;
    CLEANUP(config_free_p) struct config *c = config_load(&e);

    if (!c)
        repl_complain(&e);
    line_keys_init(&r->state, c);
    r->state.sign = prompt_sign_new(c);
    if (config_bool(c, CONFIG_SHELL_TRANSCRIPT))
        r->keep = (size_t)config_int(c, CONFIG_SHELL_TRANSCRIPT_KB) << 10;
    if (login)
        (void)setenv("AGENTSH_LOGIN_FILES", "shell", 1);
    else if (config_bool(c, CONFIG_SHELL_LOGIN_FILES))
        (void)setenv("AGENTSH_LOGIN_FILES", "files", 1);
    if (config_bool(c, CONFIG_SHELL_PLAIN))
        (void)setenv("ACCESSIBLE", "1", 1);
    if (ai && config_bool(c, CONFIG_SHELL_NOT_FOUND))
        (void)setenv("AGENTSH_NOT_FOUND", ai, 1);
}

static void
set_environment(struct repl *r)
{
    unsigned random = 0;

    (void)!getrandom(&random, sizeof(random), 0);
    snprintf(r->session, sizeof(r->session), "%d-%u", (int)getpid(), random);
    (void)setenv("AGENTSH", "1", 1);
    (void)setenv("AGENTSH_SESSION", r->session, 1);
    reach_assistant();
}

/* -1 only when it cannot be executed. */
static int
become_plain(const char *bash, bool login, struct err *e)
{
    /* a start-up file that starts us would do so again */
    bool again = getenv(STARTING) != NULL;

    if (again)
        fprintf(stderr, "agentsh: started from a bash start-up file; bash runs "
                        "without start-up files\n");
    (void)unsetenv(STARTING);
    execl(bash, login && !again ? "-bash" : "bash", again ? "--norc" : NULL,
          (char *)NULL);
    return err_sys(e, "%s", bash);
}

static void
open_history(struct repl_state *f, struct err *e)
{
    CLEANUP(free_p) char *dir = path_of(PATH_STATE, NULL, e);
    CLEANUP(free_p) char *path = dir ? path_join(dir, "history") : NULL;
    CLEANUP(free_p) char *home = path_home();
    CLEANUP(free_p) char *bash = home ? path_join(home, ".bash_history") : NULL;

    *e = (struct err){0};
    if (dir && path_make_dirs(dir, 0700, e) < 0)
        f->history = history_new(NULL, e);
    else
        f->history = history_new(path, e);
    if (e->code != ERR_NONE) {
        err_wrap(e, "history is not saved");
        repl_complain(e);
    }
    if (f->history && bash)
        history_borrow(f->history, bash);
}

static int
open_shell(struct repl *r, struct err *e)
{
    static const struct bash_ops ops = {.output = repl_on_output,
                                        .prompt = repl_on_prompt,
                                        .typed = repl_on_typed,
                                        .ended = repl_on_bash_end};
    struct repl_state *f = &r->state;
    struct bash_start start = {
        .bash = r->bash, .rc = r->rc, .modes = *screen_modes(f->screen)};

    screen_size(f->screen, &start.size);
    (void)setenv(STARTING, "1", 1);
    f->bash = bash_new(f->loop, &start, &ops, f, e);
    (void)unsetenv(STARTING);
    return f->bash ? 0 : -1;
}

static bool
is_plain_screen(void)
{
    struct term t;

    term_init(&t, STDOUT_FILENO, false);
    return t.words;
}

static int
open_editor(struct repl_state *f, struct err *e)
{
    const struct bash_waiter waiter = {.wait = repl_wait_reply, .arg = f};

    if (line_editor_init(repl_on_line, f, is_plain_screen(), e) < 0)
        return -1;
    complete_init(bash_get_channel(f->bash), &waiter);
    bindings_init(bash_get_channel(f->bash), &waiter, complete_key);
    return 0;
}

/* bash, which takes longest to be ready, is started as soon as it can be: the
 * editor and the history are opened beside it. */
static int
open_all(struct repl *r, struct err *e)
{
    struct repl_state *f = &r->state;

    f->session = r->session;
    f->binds_taken = -1;
    buf_init(&f->prompt, BASH_MSG_MAX);
    buf_init(&f->insert, PROMPT_INSERT_MAX);
    f->seat = seat_of_process(e);
    f->loop = f->seat ? loop_new(e) : NULL;
    if (!f->loop || command_capture_init(&f->capture, r->keep, e) < 0 ||
        background_output_init(&f->background, f->loop, repl_show_background, f,
                               e) < 0)
        return -1;
    f->warm = warm_process_new(f->loop, e);
    if (!f->warm)
        return -1;
    f->screen = screen_open(f->loop, repl_on_drained, f, e);
    if (!f->screen)
        return -1;
    for (size_t i = 0; i < SIGNALS; i++) {
        r->signals[i] = loop_signal(f->loop, signals[i], on_signal, f, e);
        if (!r->signals[i])
            return -1;
    }
    if (open_shell(r, e) < 0 || open_editor(f, e) < 0)
        return -1;
    open_history(f, e);
    if (!f->history)
        return -1;
    f->keys = loop_fd(f->loop, STDIN_FILENO, LOOP_READ, repl_on_keys, f, e);
    return f->keys ? 0 : -1;
}

/* The terminal comes back last but for the records: until then nothing that
 * ends late may write on it. */
static void
close_all(struct repl *r)
{
    struct repl_state *f = &r->state;

    line_editor_done();
    watch_free(f->keys);
    watch_free(f->slow);
    line_query_free(f->query);
    ai_child_free(f->ai);
    warm_process_free(f->warm);
    if (f->screen) {
        background_output_flush(&f->background);
        screen_flush(f->screen, LAST_MS);
    }
    screen_close(f->screen);
    history_free(f->history);
    bash_free(f->bash);
    background_output_done(&f->background);
    command_capture_done(&f->capture);
    buf_done(&f->prompt);
    buf_done(&f->insert);
    prompt_sign_free(f->sign);
    free(f->cwd);
    for (size_t i = 0; i < SIGNALS; i++)
        watch_free(r->signals[i]);
    loop_free(f->loop);
    if (f->seat) {
        last_command_remove(f->seat, r->session);
        prompt_insert_remove(f->seat, r->session);
        shell_change_remove(f->seat, r->session);
        shell_session_remove(f->seat, r->session);
    }
    seat_free(f->seat);
}

/* 0 when it is over; 1 when bash did not take its place, and e says why. */
static int
live(struct repl *r, struct err *e)
{
    struct repl_state *f = &r->state;

    screen_raw(f->screen);
    if (loop_run(f->loop, e) < 0)
        return -1;
    if (bash_get_channel(f->bash)->attached)
        return 0;
    err_set(e, ERR_UNSUPPORTED, "%s: bash runs without capture",
            *bash_get_channel(f->bash)->refusal
                ? bash_get_channel(f->bash)->refusal
                : "bash cannot load agentsh_bash.so");
    return 1;
}

int
repl_run(bool login, struct err *e)
{
    /* the system's: it is the one whose headers we were built with */
    CLEANUP(free_p) char *bash = path_find_bash();
    CLEANUP(free_p) char *rc = NULL;
    struct repl r = {.bash = bash};
    int rc_live = -1;

    if (!bash)
        return err_set(e, ERR_NOT_FOUND, "bash is not installed");
    set_environment(&r);
    (void)unsetenv("AGENTSH_LOGIN_FILES");
    (void)unsetenv("AGENTSH_NOT_FOUND");
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO) || getenv(STARTING))
        return become_plain(bash, login, e);
    read_shell_settings(&r, login);
    shell_hook_sweep();
    rc = path_libexec("agentsh_bash.rc", e);
    if (rc) {
        r.rc = rc;
        rc_live = open_all(&r, e);
        if (rc_live == 0)
            rc_live = live(&r, e);
        close_all(&r);
    }
    if (rc_live == 0)
        return r.state.status;
    repl_complain(e);
    return become_plain(bash, login, e);
}
