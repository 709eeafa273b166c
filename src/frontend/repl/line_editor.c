/* SPDX-License-Identifier: GPL-3.0-or-later */
/* line_editor.c - edit a line with GNU Readline's callback interface. */
#include "frontend/repl/line_editor.h"

#include <poll.h>
#include <readline/readline.h>
#include <stdio.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "base/buf.h"

/* Typed ahead or pasted at once; what is more waits in the terminal. */
#define KEYS_MAX (1024 * 1024)

/* Readline knows no caller, so its one state has one owner here. */
static struct editor {
    line_editor_entered *entered;
    void *arg;
    struct buf keys; /* not yet given to Readline */
    size_t at;
    bool shown;
    bool reading; /* Readline is at work: keys only queue */
} self;

static int
next_key(FILE *in)
{
    if (self.at < self.keys.len)
        return (unsigned char)self.keys.p[self.at++];
    return rl_getc(in);
}

static int
more_keys(void)
{
    struct pollfd pfd = {.fd = STDIN_FILENO, .events = POLLIN};

    return self.at < self.keys.len || poll(&pfd, 1, 0) > 0;
}

static void
on_line(char *text)
{
    line_editor_hide();
    self.entered(self.arg, text);
}

static bool
takes_pastes(void)
{
    const char *value = rl_variable_value("enable-bracketed-paste");

    return value && strcmp(value, "on") == 0;
}

/* In place of Readline's own, which set the modes of the terminal and wait
 * for it each time: the owner of the editor sets them once, as they must be
 * next. */
static void
enter_terminal(int meta)
{
    (void)meta;
    (void)rl_tty_set_echoing(1);
    if (takes_pastes())
        fputs("\033[?2004h", rl_outstream);
}

static void
end_pasting_mode(void)
{
    if (takes_pastes())
        fputs("\033[?2004l\r", rl_outstream);
    fflush(rl_outstream);
}

int
line_editor_init(line_editor_entered *entered, void *arg, struct err *e)
{
    self = (struct editor){.entered = entered, .arg = arg};
    buf_init(&self.keys, KEYS_MAX);
    rl_catch_signals = 0;
    rl_catch_sigwinch = 0;
    rl_change_environment = 0; /* LINES and COLUMNS are bash's to keep */
    rl_readline_name = "agentsh";
    rl_prep_term_function = enter_terminal;
    rl_deprep_term_function = end_pasting_mode;
    rl_getc_function = next_key;
    rl_input_available_hook = more_keys;
    if (rl_initialize() != 0)
        return err_set(e, ERR_UNSUPPORTED, "no line editor on this terminal");
    return 0;
}

void
line_editor_done(void)
{
    line_editor_hide();
    buf_done(&self.keys);
}

void
line_editor_show(const char *prompt, bool vi)
{
    if (vi != (rl_editing_mode == 0))
        (void)rl_variable_bind("editing-mode", vi ? "vi" : "emacs");
    rl_callback_handler_install(prompt, on_line);
    self.shown = true;
    line_editor_add_keys("", 0);
}

void
line_editor_hide(void)
{
    if (self.shown)
        rl_callback_handler_remove();
    self.shown = false;
}

void
line_editor_add_keys(const char *p, size_t n)
{
    if (self.at == self.keys.len) {
        buf_clear(&self.keys);
        self.at = 0;
    }
    buf_add(&self.keys, p, n);
    if (self.reading)
        return;
    self.reading = true;
    while (self.shown && self.at < self.keys.len)
        rl_callback_read_char();
    self.reading = false;
}

bool
line_editor_insert(const char *text)
{
    if (!self.shown || rl_end > 0 || self.at < self.keys.len)
        return false;
    (void)tcflush(STDIN_FILENO, TCIFLUSH);
    rl_insert_text(text);
    rl_redisplay();
    return true;
}

const char *
line_editor_take_rest(size_t *n)
{
    const char *rest = self.keys.p + self.at;

    *n = self.keys.len - self.at;
    self.at = self.keys.len;
    return rest;
}

/* The cursor goes to the line's end first, or what follows would be written
 * over its last rows. */
void
line_editor_interrupt(void)
{
    rl_free_line_state();
    rl_callback_sigcleanup();
    rl_point = rl_end;
    rl_redisplay();
    fputs("^C", rl_outstream);
    fflush(rl_outstream);
    rl_replace_line("", 0);
    line_editor_hide();
}

void
line_editor_resize(void)
{
    rl_resize_terminal();
}

void
line_editor_print_above(const char *p, size_t n)
{
    rl_clear_visible_line();
    fwrite(p, 1, n, rl_outstream);
    if (n > 0 && p[n - 1] != '\n')
        fputc('\n', rl_outstream);
    fflush(rl_outstream);
    rl_on_new_line();
    rl_redisplay();
}

void
line_editor_hand_over(bool clear)
{
    if (clear)
        rl_clear_visible_line();
    end_pasting_mode();
}

void
line_editor_regain(void)
{
    enter_terminal(1);
    rl_forced_update_display();
}

/* Readline's marks around bytes that take no room on the screen. */
#define HIDDEN_BEGIN '\001'
#define HIDDEN_END   '\002'

/* The index at which the first line that shows something begins. */
static size_t
find_shown_line(const char *prompt)
{
    size_t i = 0, at = 0;

    for (;;) {
        const char *end;

        if (prompt[i] == '\n') {
            at = ++i;
        } else if (prompt[i] == HIDDEN_BEGIN) {
            end = strchr(prompt + i, HIDDEN_END);
            if (!end)
                return at;
            i = (size_t)(end - prompt) + 1;
        } else {
            return at;
        }
    }
}

void
line_editor_prefix_prompt(struct buf *out, const char *prompt,
                          const char *prefix)
{
    size_t at = find_shown_line(prompt);

    buf_add(out, prompt, at);
    buf_str(out, prefix);
    buf_str(out, prompt + at);
}
