/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agentsh_bash.c - the builtin that makes bash take its lines from the REPL.
 *
 *   agentsh_attach FD     first in the REPL's rc file: takes the socket
 *   agentsh_attach login  makes it a login shell
 *   agentsh_attach ready  last in it: from the first prompt on, read from it
 *
 * It stands between bash's parser and the REPL, replies to the REPL's questions
 * while bash waits for a line, and otherwise leaves bash alone. bash's own
 * parser reads the lines at its own top level: nothing is evaluated twice, and
 * PROMPT_COMMAND and traps stay the person's. */
#include "frontend/repl/loadable/internals.h"

#include "frontend/repl/loadable/readline_query.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#define HIGH_FD 200 /* above what people number in their redirections */
/* Bytes of the prompt, of the sign and of the word breaks, which are cut: with
 * the directory they go in one packet. */
#define FIELD_MAX 20000

/* Where bash's parser gets its bytes. */
struct line_source {
    struct repl_socket link;
    int pty; /* where the delimiters of output go */
    unsigned long seq;
    char nonce[BASH_NONCE_SIZE];
    struct buf line; /* text that bash is reading */
    size_t at;       /* how much of it bash has read */
    long binds;      /* calls of `bind` */
    bool quiet;      /* the pty's own modes are in `modes` meanwhile */
    struct termios modes;
};

/* bash calls getters, hooks and builtins without an argument of ours. */
static struct attachment {
    struct line_source lines;
    FILE *shown; /* bash's Readline writes here, except in the first call */
    sh_builtin_func_t *set, *shopt, *bind;
} self;

/* The logical name of the directory while it is true, as `pwd` says it. */
static const char *
current_dir(char *space, size_t size)
{
    const char *pwd = get_string_value("PWD");
    struct stat named, here;

    if (pwd && pwd[0] == '/' && stat(pwd, &named) == 0 &&
        stat(".", &here) == 0 && named.st_dev == here.st_dev &&
        named.st_ino == here.st_ino)
        return pwd;
    return getcwd(space, size) ? space : "";
}

static void
add_field(struct buf *b, const char *text)
{
    buf_add(b, text ? text : "", text ? strnlen(text, FIELD_MAX) : 0);
    buf_ch(b, '\0');
}

/* While a completion runs the pty is as in bash's own line editor: keys are
 * not echoed, and come one by one. */
static void
set_quiet_modes(struct line_source *l)
{
    struct termios now;

    if (tcgetattr(l->pty, &l->modes) < 0)
        return;
    now = l->modes;
    now.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    now.c_cc[VMIN] = 1;
    now.c_cc[VTIME] = 0;
    l->quiet = tcsetattr(l->pty, TCSANOW, &now) == 0;
}

static void
restore_modes(struct line_source *l)
{
    if (l->quiet)
        (void)tcsetattr(l->pty, TCSANOW, &l->modes);
    l->quiet = false;
}

/* Says that bash wants a line. The message goes first and the delimiter behind
 * all output: who has read the delimiter has the message too. */
static void
ask_for_line(struct line_source *l)
{
    bool more = current_prompt_string && current_prompt_string == ps2_prompt;
    const char *sign = get_string_value("AGENTSH_MARK");
    char cwd[4096], delimiter[BASH_DELIMITER_SIZE];
    int n;

    if (job_control)
        give_terminal_to(shell_pgrp, 0);
    restore_modes(l); /* a completion was interrupted */
    fflush(stdout);
    fflush(stderr);
    buf_clear(&l->link.reply);
    buf_printf(&l->link.reply, "%c%lu%c%d%c%s%c",
               more ? BASH_MSG_MORE : BASH_MSG_PROMPT, ++l->seq, 0,
               last_command_exit_value, 0,
               rl_editing_mode == 0 ? "vi" : "emacs", 0);
    add_field(&l->link.reply, current_dir(cwd, sizeof(cwd)));
    add_field(&l->link.reply, current_readline_prompt);
    buf_str(&l->link.reply, sign ? "=" : "");
    add_field(&l->link.reply, sign);
    add_field(&l->link.reply, rl_completer_word_break_characters);
    buf_printf(&l->link.reply, "%ld%c", l->binds, 0);
    repl_socket_send_raw(&l->link, l->link.reply.p, l->link.reply.len);
    n = snprintf(delimiter, sizeof(delimiter), BASH_DELIMITER_FMT, l->nonce,
                 l->seq);
    while (write(l->pty, delimiter, (size_t)n) < 0 && errno == EINTR)
        ;
}

/* As Ctrl-C in bash's own line editor: its handler, then back to the top, on
 * the way there the trap. Ignored, it only begins a new line. */
static void
abandon_line(struct line_source *l)
{
    if (!signal_is_ignored(SIGINT))
        sigint_sighandler(SIGINT);
    check_signals();
    putchar('\n');
    ask_for_line(l);
}

static void
reply_environ(struct repl_socket *l)
{
    maybe_make_export_env();
    repl_socket_send_fields(l, BASH_MSG_ENTRIES, export_env);
}

/* All aliases as NAME=TEXT. */
static void
reply_aliases(struct repl_socket *l)
{
    alias_t **all = all_aliases();
    char **fields;
    struct buf lines;
    size_t n = 0, at = 0, i;

    while (all && all[n])
        n++;
    fields = xmalloc((n + 1) * sizeof(*fields));
    buf_init(&lines, BASH_MSG_PARTS_MAX);
    for (i = 0; i < n; i++) {
        buf_printf(&lines, "%s=%s", all[i]->name, all[i]->value);
        buf_ch(&lines, '\0');
    }
    for (i = 0; i < n && !lines.bad; i++) {
        fields[i] = lines.p + at;
        at += strlen(fields[i]) + 1;
    }
    fields[lines.bad ? 0 : n] = NULL;
    repl_socket_send_fields(l, BASH_MSG_ENTRIES, fields);
    buf_done(&lines);
    xfree(fields);
    xfree(all);
}

static void
set_status(struct line_source *l)
{
    long status;

    if (bash_protocol_number(l->link.packet + 1, 0, 255, &status) == 0)
        last_command_exit_value = (int)status;
    buf_ch(&l->line, '\n');
}

/* Calls a builtin with `--` and one literal word. */
static void
call_builtin(sh_builtin_func_t *builtin, char *text)
{
    WORD_LIST *words = make_word_list(make_bare_word(text), NULL);

    words = make_word_list(make_bare_word("--"), words);
    (void)builtin(words);
    dispose_words(words);
}

/* Does to this shell what a plan did; see ui/shell_change.h. */
static void
change(char kind, char *text)
{
    if (kind == 'l' && enable_history_list)
        (void)check_add_history(text, 1);
    else if (kind == 'd')
        call_builtin(cd_builtin, text);
    else if (kind == 'v')
        call_builtin(export_builtin, text);
    fflush(stdout);
}

/* Does what a packet says. True when bash has something to read now. */
static bool
handle_packet(struct line_source *l, size_t n)
{
    switch (l->link.packet[0]) {
    case BASH_MSG_LINE_PART:
        buf_add(&l->line, l->link.packet + 1, n - 1);
        return false;
    case BASH_MSG_LINE:
        buf_add(&l->line, l->link.packet + 1, n - 1);
        buf_ch(&l->line, '\n');
        return true;
    case BASH_MSG_STATUS:
        set_status(l);
        return true;
    case BASH_MSG_CHANGE:
        if (n > 2)
            change(l->link.packet[1], l->link.packet + 2);
        return false;
    case BASH_MSG_ABANDON:
        abandon_line(l);
        return false;
    case BASH_MSG_COMPLETE:
        set_quiet_modes(l);
        readline_query_complete(&l->link, n);
        restore_modes(l);
        return false;
    case BASH_MSG_QUOTE:
        readline_query_quote(&l->link, n);
        return false;
    case BASH_MSG_KEY:
        set_quiet_modes(l);
        readline_query_key(&l->link, n);
        restore_modes(l);
        return false;
    case BASH_MSG_BINDINGS:
        readline_query_bindings(&l->link);
        return false;
    case BASH_MSG_ALIASES:
        reply_aliases(&l->link);
        return false;
    case BASH_MSG_ENVIRON:
        reply_environ(&l->link);
        return false;
    default:
        return false;
    }
}

/* bash's getter: the next byte of its input, or EOF. */
static int
read_line_byte(struct line_source *l)
{
    ssize_t n;

    if (l->at == l->line.len) {
        buf_clear(&l->line);
        l->at = 0;
        ask_for_line(l);
        do {
            n = repl_socket_receive(&l->link);
            if (n <= 0 || l->link.packet[0] == BASH_MSG_END)
                return EOF;
            get_new_window_size(0, NULL, NULL);
        } while (!handle_packet(l, (size_t)n));
    }
    return (unsigned char)l->line.p[l->at++];
}

static int
unread_byte(struct line_source *l, int c)
{
    if (l->at > 0)
        l->line.p[--l->at] = (char)c;
    return c;
}

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
    return read_line_byte(&self.lines);
}

static int
unget(int c)
{
    return unread_byte(&self.lines, c);
}

/* bash has chosen its input when it first calls readline(), not earlier: an
 * empty line is typed there, unseen, and the next one comes from us. */
static int
take_over_input(void)
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
    self.lines.binds++;
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
    rl_startup_hook = take_over_input;
    return EXECUTION_SUCCESS;
}

/* A descriptor moved out of the way, close-on-exec. */
static int
move_descriptor_up(int fd)
{
    int high = fcntl(fd, F_DUPFD_CLOEXEC, HIGH_FD);

    return high >= 0 ? high : fcntl(fd, F_DUPFD_CLOEXEC, 10);
}

static int
attach(int fd)
{
    struct line_source *l = &self.lines;
    ssize_t n;

    l->link.fd = move_descriptor_up(fd);
    l->pty = move_descriptor_up(STDOUT_FILENO);
    close(fd);
    if (l->link.fd < 0 || l->pty < 0)
        return EXECUTION_FAILURE;
    buf_init(&l->line, BASH_MSG_LINE_MAX + 2);
    buf_init(&l->link.reply, 2 * BASH_MSG_MAX);
    if (strcmp(dist_version, DISTVERSION) != 0) {
        char why[128];

        snprintf(why, sizeof(why),
                 "this bash is %s.%d, agentsh was built for %s", dist_version,
                 patch_level, DISTVERSION);
        repl_socket_send(&l->link, BASH_MSG_REFUSE, why);
        return EXECUTION_FAILURE;
    }
    n = repl_socket_receive(&l->link);
    if (n != 1 + BASH_NONCE_SIZE || l->link.packet[0] != BASH_MSG_NONCE)
        return EXECUTION_FAILURE;
    memcpy(l->nonce, l->link.packet + 1, sizeof(l->nonce));
    repl_socket_send(&l->link, BASH_MSG_HELLO, dist_version);
    return EXECUTION_SUCCESS;
}

static int
agentsh_attach_builtin(WORD_LIST *words)
{
    const char *word = words ? words->word->word : "";
    long fd;

    if (strcmp(word, "ready") == 0 && self.lines.link.fd > 0)
        return ready();
    if (strcmp(word, "login") == 0) {
        login_shell = 1; /* `exit` reads ~/.bash_logout, `logout` ends it */
        set_login_shell((char *)"login_shell", 1); /* which shopt shows */
        return EXECUTION_SUCCESS;
    }
    if (self.lines.link.fd > 0 || bash_protocol_number(word, 3, 1024, &fd) < 0)
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
    .short_doc = "agentsh_attach FD|login|ready",
    .handle = NULL,
};
