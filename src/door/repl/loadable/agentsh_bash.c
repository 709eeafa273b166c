/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agentsh_bash.c - the builtin that makes bash take its lines from the REPL.
 *
 *   agentsh_attach FD     first in the REPL's rc file: takes the socket
 *   agentsh_attach ready  last in it: from the first prompt on, read from it
 *
 * bash's own parser reads the lines at its own top level: nothing is
 * evaluated twice, no PROMPT_COMMAND and no trap is taken from the person. */
#include "door/repl/loadable/internals.h"

#include "door/repl/loadable/link.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* Above what people number by hand in their redirections. */
#define HIGH_FD 200

/* bash calls getters, hooks and builtins without an argument of ours. */
static struct attachment {
    struct link link;
    FILE *shown; /* bash's Readline writes here, save in the first call */
    sh_builtin_func_t *set, *shopt, *bind;
} self;

static void
show_nothing(void)
{
}

static int
get(void)
{
    if (self.shown) { /* bash's own first prompt is over */
        fclose(_rl_out_stream);
        _rl_out_stream = self.shown;
        self.shown = NULL;
        rl_redisplay_function = rl_redisplay;
    }
    return link_get(&self.link);
}

static int
unget(int c)
{
    return link_unget(&self.link, c);
}

/* bash has chosen its input when it first calls readline(), not earlier: an
 * empty line is typed there, unseen, and the next one comes from us. */
static int
take_over(void)
{
    FILE *nowhere = fopen("/dev/null", "we");

    rl_startup_hook = NULL;
    if (!nowhere)
        return 0;
    self.shown = _rl_out_stream;
    _rl_out_stream = nowhere;
    rl_stuff_char('\r');
    bash_input.getter = get;
    bash_input.ungetter = unget;
    return 0;
}

/* `set +o emacs` and `shopt -uo vi` make bash read its standard input: the
 * line editor is ours, so that is taken back. */
static int
keep_input(int status)
{
    no_line_editing = 0;
    if (bash_input.type == INPUT_STREAM && bash_input.getter != get) {
        bash_input.type = INPUT_STDIN;
        bash_input.getter = get;
        bash_input.ungetter = unget;
    }
    return status;
}

static int
our_set(WORD_LIST *words)
{
    return keep_input(self.set(words));
}

static int
our_shopt(WORD_LIST *words)
{
    return keep_input(self.shopt(words));
}

/* The line editor is another Readline than bash's: it is told. */
static int
our_bind(WORD_LIST *words)
{
    self.link.binds++;
    return self.bind(words);
}

static sh_builtin_func_t *
wrap_builtin(const char *name, sh_builtin_func_t *ours)
{
    struct builtin *b = builtin_address_internal((char *)(uintptr_t)name, 0);
    sh_builtin_func_t *was = b ? b->function : NULL;

    if (b)
        b->function = ours;
    return was;
}

static int
ready(void)
{
    self.set = wrap_builtin("set", our_set);
    self.shopt = wrap_builtin("shopt", our_shopt);
    self.bind = wrap_builtin("bind", our_bind);
    (void)keep_input(0); /* the rc files may have turned it off */
    rl_redisplay_function = show_nothing;
    rl_startup_hook = take_over;
    return EXECUTION_SUCCESS;
}

/* A descriptor moved out of the way, close-on-exec. */
static int
move_up(int fd)
{
    int high = fcntl(fd, F_DUPFD_CLOEXEC, HIGH_FD);

    return high >= 0 ? high : fcntl(fd, F_DUPFD_CLOEXEC, 10);
}

static int
attach(int fd)
{
    struct link *l = &self.link;
    ssize_t n;

    l->sock = move_up(fd);
    l->pty = move_up(STDOUT_FILENO);
    close(fd);
    if (l->sock < 0 || l->pty < 0)
        return EXECUTION_FAILURE;
    buf_init(&l->line, TALK_LINE_MAX + 2);
    buf_init(&l->reply, 2 * TALK_MAX);
    if (strcmp(dist_version, DISTVERSION) != 0) {
        char why[128];

        snprintf(why, sizeof(why),
                 "this bash is %s.%d, agentsh was built for %s", dist_version,
                 patch_level, DISTVERSION);
        link_send(l, TALK_REFUSE, why);
        return EXECUTION_FAILURE;
    }
    n = link_receive(l);
    if (n != 1 + TALK_NONCE_SIZE || l->packet[0] != TALK_NONCE)
        return EXECUTION_FAILURE;
    memcpy(l->nonce, l->packet + 1, sizeof(l->nonce));
    link_send(l, TALK_HELLO, dist_version);
    return EXECUTION_SUCCESS;
}

static int
agentsh_attach_builtin(WORD_LIST *words)
{
    const char *word = words ? words->word->word : "";
    long fd;

    if (strcmp(word, "ready") == 0 && self.link.sock > 0)
        return ready();
    if (self.link.sock > 0 || talk_number(word, 3, 1024, &fd) < 0)
        return EX_USAGE;
    return attach((int)fd);
}

/* bash's struct has no const where a text is meant. */
static char what[] = "Takes command lines from the agentsh REPL.";
static char *const help[] = {what, NULL};

__attribute__((visibility("default"))) struct builtin agentsh_attach_struct = {
    .name = (char *)"agentsh_attach",
    .function = agentsh_attach_builtin,
    .flags = BUILTIN_ENABLED,
    .long_doc = help,
    .short_doc = "agentsh_attach FD|ready",
    .handle = NULL,
};
