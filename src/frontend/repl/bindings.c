/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bindings.c - give keys the meaning that they have in the person's bash. */
#include "frontend/repl/bindings.h"

#include <readline/readline.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "frontend/repl/line_editor.h"

#define QUERY_MS 1000

/* Readline's callbacks take no argument of ours. */
static struct {
    struct bash_channel *channel;
    struct bash_waiter waiter;
    bindings_command *complete;
} self;

/* Functions of bash that only print on the terminal of its line editor. */
static const char *const not_passed[] = {
    "possible-",
    "glob-list-expansions",
    "display-shell-version",
    NULL,
};

void
bindings_init(struct bash_channel *ch, const struct bash_waiter *w,
              bindings_command *complete)
{
    self.channel = ch;
    self.waiter = *w;
    self.complete = complete;
}

static void
replace_line(const struct buf *fields)
{
    const char *line = fields->p + strlen(fields->p) + 1;
    long point;

    if (fields->len < 3 ||
        bash_protocol_number(fields->p, 0, BASH_MSG_LINE_MAX, &point) < 0 ||
        line >= fields->p + fields->len)
        return;
    rl_begin_undo_group();
    rl_delete_text(0, rl_end);
    rl_point = 0;
    rl_insert_text(line);
    rl_end_undo_group();
    rl_point = point < rl_end ? (int)point : rl_end;
}

bool
bindings_pass(bool clears)
{
    char keys[2 * BASH_MSG_KEYS_MAX + 1] = "", point[16];
    const struct buf *fields;

    if (rl_key_sequence_length > BASH_MSG_KEYS_MAX)
        return false;
    for (int i = 0; i < rl_key_sequence_length; i++)
        snprintf(keys + 2 * i, 3, "%02x",
                 (unsigned char)rl_executing_keyseq[i]);
    snprintf(point, sizeof(point), "%d", rl_point);
    if (bash_channel_ask(self.channel, BASH_MSG_KEY,
                         (const char *[]){keys, point, rl_line_buffer, NULL},
                         NULL) < 0 ||
        !self.waiter.wait(self.waiter.arg, clears))
        return false;
    fields = bash_reply_fields(&self.channel->reply);
    if (fields)
        replace_line(fields);
    return true;
}

/* The command of a key that bash has bound to something of its own. */
static int
pass_key(int count, int key)
{
    int had = rl_end;

    (void)count;
    (void)key;
    if (!bindings_pass(true))
        return rl_ding();
    /* nothing is left of a line that bash has run in an editor: ask it for
     * the prompt that follows */
    return rl_end == 0 && had > 0 ? rl_newline(1, '\r') : 0;
}

static bool
is_passed_to_bash(const char *function)
{
    for (const char *const *name = not_passed; *name; name++) {
        if (strncmp(function, *name, strlen(*name)) == 0)
            return false;
    }
    return true;
}

/* The quotation mark behind a key sequence; NULL: there is none. */
static char *
end_of_keys(char *seq)
{
    for (; *seq && *seq != '"'; seq++)
        seq += *seq == '\\' && seq[1];
    return *seq ? seq : NULL;
}

/* `"keys": function`, `"keys": "macro"`, or with an x in front a command, which
 * bash 5.3 writes without the colon. */
static void
bind_keys(char *line)
{
    bool command = line[0] == 'x';
    char *seq = line + command + 1;
    char *end = end_of_keys(seq);
    const char *what;

    if (!end || (!command && strncmp(end, "\": ", 3) != 0))
        return;
    what = end + 3;
    if (!command && strcmp(what, "complete") != 0 &&
        (what[0] == '"' || rl_named_function(what))) {
        (void)rl_parse_and_bind(line);
        return;
    }
    *end = '\0';
    if (!command && strcmp(what, "complete") == 0) {
        (void)rl_bind_keyseq(seq, self.complete);
        return;
    }
    if (command || is_passed_to_bash(what))
        (void)rl_bind_keyseq(seq, pass_key);
}

/* `set variable value`; the mode of editing comes with each prompt. */
static void
set_readline_variable(char *line)
{
    if (strncmp(line, "set editing-mode ", 17) != 0 &&
        strncmp(line, "set keymap ", 11) != 0)
        (void)rl_parse_and_bind(line);
}

void
bindings_update(void)
{
    const struct buf *fields = bash_channel_query(
        self.channel, BASH_MSG_BINDINGS, NULL, QUERY_MS);
    size_t at = 0;

    while (fields && at < fields->len) {
        size_t n = strlen(fields->p + at);
        CLEANUP(free_p) char *line = strdup(fields->p + at);

        if (line && strncmp(line, "set ", 4) == 0)
            set_readline_variable(line);
        else if (line && n > 2)
            bind_keys(line);
        at += n + 1;
    }
    line_editor_keep_plain();
}
