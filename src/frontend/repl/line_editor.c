/* SPDX-License-Identifier: GPL-3.0-or-later */
/* line_editor.c - edit a line with GNU Readline's callback interface. */
#include "frontend/repl/line_editor.h"

#include <poll.h>
#include <readline/readline.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "base/array.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/message.h"
#include "term/width.h"

/* Typed ahead or pasted at once; what is more waits in the terminal. */
#define KEYS_MAX   (1024 * 1024)
#define PROMPT_MAX (64 * 1024)

/* Readline knows no caller, so its one state has one owner here. */
static struct editor {
    line_editor_entered *entered;
    void *arg;
    struct buf keys; /* not yet given to Readline */
    size_t at;
    bool shown;
    bool reading; /* Readline is at work: keys only queue */
    bool waits;   /* for a command of the editor's: keys are dropped */
    bool told;    /* a line below the cursor says so */
    /* plain: what of prompt and line is on the screen, and stays there */
    bool plain;
    struct buf prompt, line;
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

/* Readline's marks around bytes that take no room on the screen. */
#define HIDDEN_BEGIN '\001'
#define HIDDEN_END   '\002'

/* Appends what of the prompt takes room: neither colours nor titles. */
static void
put_shown_prompt(struct buf *out, const char *prompt)
{
    for (const char *p = prompt; *p; p++) {
        const char *end = *p == HIDDEN_BEGIN ? strchr(p, HIDDEN_END) : NULL;

        if (end)
            p = end;
        else
            buf_ch(out, *p);
    }
}

/* How many columns at the end of the line that is on the screen are to go,
 * where nothing else is to change; 0: something else is. */
static size_t
columns_erased(const char *line, size_t n)
{
    size_t had = self.line.len;

    return n < had && memcmp(line, self.line.p, n) == 0
               ? width_text(self.line.p + n, had - n)
               : 0;
}

/* In place of Readline's own, where the terminal is plain: prints what was
 * typed at the end, and takes away there as the terminal itself does. Any other
 * change is a new line that says all of it. */
static void
show_plain_line(void)
{
    CLEANUP_BUF struct buf prompt = buf_of(PROMPT_MAX);
    const char *line = rl_line_buffer;
    size_t n = (size_t)rl_end, had = self.line.len, erased;
    bool same;

    put_shown_prompt(&prompt, rl_display_prompt ? rl_display_prompt : "");
    buf_ch(&prompt, '\0');
    same = self.prompt.len == prompt.len &&
           memcmp(self.prompt.p, prompt.p, prompt.len) == 0;
    erased = same ? columns_erased(line, n) : 0;
    for (size_t i = 0; i < erased; i++)
        fputs("\b \b", rl_outstream);
    if (same && n >= had && (had == 0 || memcmp(line, self.line.p, had) == 0))
        fwrite(line + had, 1, n - had, rl_outstream);
    else if (erased == 0)
        fprintf(rl_outstream, "%s%s%.*s", self.prompt.len ? "\n" : "",
                prompt.p ? prompt.p : "", (int)n, line);
    buf_clear(&self.prompt);
    buf_add(&self.prompt, prompt.p, prompt.len);
    buf_clear(&self.line);
    buf_add(&self.line, line, n);
    fflush(rl_outstream);
}

/* What is on the screen is no longer what is edited. */
static void
forget_shown(void)
{
    buf_clear(&self.prompt);
    buf_clear(&self.line);
}

/* A line for each, in place of columns. */
static void
show_plain_matches(char **matches, int n, int longest)
{
    (void)longest;
    fputc('\n', rl_outstream);
    for (int i = 1; i <= n; i++)
        fprintf(rl_outstream, "%s\n", matches[i]);
    forget_shown();
    rl_forced_update_display();
}

void
line_editor_keep_plain(void)
{
    static const char *const variables[][2] = {
        {"enable-bracketed-paste", "off"},
        {"show-mode-in-prompt", "off"},
        {"blink-matching-paren", "off"},
    };

    for (size_t i = 0; self.plain && i < ARRAY_SIZE(variables); i++)
        (void)rl_variable_bind(variables[i][0], variables[i][1]);
}

static void
on_line(char *text)
{
    if (self.plain) {
        fputc('\n', rl_outstream);
        forget_shown();
    }
    line_editor_hide();
    self.entered(self.arg, text);
}

static bool
takes_pastes(void)
{
    const char *value = rl_variable_value("enable-bracketed-paste");

    return !self.plain && value && strcmp(value, "on") == 0;
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
line_editor_init(line_editor_entered *entered, void *arg, bool plain,
                 struct err *e)
{
    self = (struct editor){.entered = entered, .arg = arg, .plain = plain};
    buf_init(&self.keys, KEYS_MAX);
    buf_init(&self.prompt, PROMPT_MAX);
    buf_init(&self.line, KEYS_MAX);
    if (plain) {
        rl_redisplay_function = show_plain_line;
        rl_completion_display_matches_hook = show_plain_matches;
    }
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
    line_editor_keep_plain();
    return 0;
}

void
line_editor_done(void)
{
    line_editor_hide();
    buf_done(&self.keys);
    buf_done(&self.prompt);
    buf_done(&self.line);
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
    while (self.shown && !self.waits && self.at < self.keys.len)
        rl_callback_read_char();
    if (self.waits)
        self.at = self.keys.len;
    self.reading = false;
}

bool
line_editor_insert(const char *text)
{
    if (!self.shown || rl_end > 0 || self.at < self.keys.len)
        return false;
    (void)tcflush(STDIN_FILENO, TCIFLUSH);
    rl_insert_text(text);
    rl_redisplay_function();
    return true;
}

/* The keys as an inputrc has them: each byte in octal. */
void
line_editor_bind(const struct key_sequence *k,
                 int (*command)(int count, int key))
{
    const char *const maps[] = {"emacs", "vi-insert"};
    char text[4 * sizeof(k->bytes) + 1] = "";

    for (size_t i = 0; i < k->n; i++)
        snprintf(text + 4 * i, 5, "\\%03o", (unsigned char)k->bytes[i]);
    for (size_t i = 0; k->n > 0 && i < ARRAY_SIZE(maps); i++)
        (void)rl_bind_keyseq_if_unbound_in_map(text, command,
                                               rl_get_keymap_by_name(maps[i]));
}

const char *
line_editor_text(void)
{
    return rl_line_buffer ? rl_line_buffer : "";
}

void
line_editor_replace(const char *text)
{
    rl_begin_undo_group();
    rl_delete_text(0, rl_end);
    rl_point = 0;
    rl_insert_text(text);
    rl_end_undo_group();
    rl_redisplay_function();
}

/* The cursor stays where it is: Readline does not know of the line below it. On
 * a plain terminal it is a line like others. */
void
line_editor_show_wait(void)
{
    const char *kind = getenv("TERM"), *text = _("asking ... (Ctrl-C stops)");

    if (!self.waits)
        return;
    if (self.plain) {
        fprintf(rl_outstream, "\n%s\n", text);
        forget_shown();
    } else if (kind && strcmp(kind, "dumb") != 0) {
        fprintf(rl_outstream,
                "\x1b"
                "D\x1b[A\x1b"
                "7\x1b[B\r%s\x1b[K\x1b"
                "8",
                text);
        self.told = true;
    }
    fflush(rl_outstream);
}

void
line_editor_wait(bool waits)
{
    static const char text[] = "\x1b"
                               "7\x1b[B\r\x1b[K\x1b"
                               "8";

    if (self.told && !waits) {
        fputs(text, rl_outstream);
        fflush(rl_outstream);
    }
    self.told = self.told && waits;
    self.waits = waits;
    if (!waits)
        (void)tcflush(STDIN_FILENO, TCIFLUSH);
    if (!waits && self.plain && self.prompt.len == 0) /* it said so */
        show_plain_line();
}

void
line_editor_show_below(const char *text)
{
    int point = rl_point;

    rl_point = rl_end;
    rl_redisplay_function();
    fputc('\n', rl_outstream);
    fputs(text, rl_outstream);
    fflush(rl_outstream);
    forget_shown();
    rl_on_new_line();
    rl_point = point;
    rl_redisplay_function();
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
    rl_redisplay_function();
    forget_shown();
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

/* Makes room for other text: where nothing is erased, on the next line. */
static void
clear_shown_line(void)
{
    if (!self.plain) {
        rl_clear_visible_line();
        return;
    }
    if (self.prompt.len > 0)
        fputc('\n', rl_outstream);
    forget_shown();
}

void
line_editor_print_above(const char *p, size_t n)
{
    clear_shown_line();
    fwrite(p, 1, n, rl_outstream);
    if (n > 0 && p[n - 1] != '\n')
        fputc('\n', rl_outstream);
    fflush(rl_outstream);
    rl_on_new_line();
    rl_redisplay_function();
}

void
line_editor_hand_over(bool clear)
{
    if (clear)
        clear_shown_line();
    end_pasting_mode();
}

void
line_editor_regain(void)
{
    enter_terminal(1);
    rl_forced_update_display();
}

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
