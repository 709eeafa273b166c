/* SPDX-License-Identifier: GPL-3.0-or-later */
/* line_keys.c - the two keys of the line editor that ask about its line. */
#include "frontend/repl/line_keys.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/message_put.h"
#include "config/key_sequence.h"
#include "frontend/repl/line_editor.h"

#define QUERY_MS    1000 /* bash is idle: it answers at once */
#define SLOW_MS     300
#define ALIASES_MAX (64u << 10)

/* Readline's callbacks take no argument of ours. */
static struct {
    struct repl_state *state;
    struct key_sequence command, explain;
} self;

static void
leave_query(struct repl_state *f)
{
    watch_free(f->slow);
    f->slow = NULL;
    line_query_free(f->query);
    f->query = NULL;
    line_editor_wait(false);
    f->mode = REPL_EDITING;
}

void
line_keys_cancel(struct repl_state *f)
{
    leave_query(f);
    background_output_flush(&f->background);
}

static void
on_answered_line(void *arg, const char *command, const char *below)
{
    struct repl_state *f = arg;
    CLEANUP(free_p) char *line = command ? strdup(command) : NULL;
    CLEANUP(free_p) char *shown = strdup(below);

    leave_query(f);
    if (shown && *shown)
        line_editor_show_below(shown);
    if (line)
        line_editor_replace(line);
    background_output_flush(&f->background);
}

static void
on_slow_answer(void *arg, unsigned events)
{
    struct repl_state *f = arg;

    (void)events;
    watch_stop(f->slow);
    line_editor_show_wait();
}

/* The aliases that are words of the line, as lines. */
static void
put_used_aliases(const struct buf *fields, const char *line, struct buf *out)
{
    size_t at = 0;

    while (fields && at < fields->len) {
        const char *entry = fields->p + at;
        size_t name = strcspn(entry, "=");

        for (const char *p = line; *p; p += strcspn(p, " \t\n")) {
            p += strspn(p, " \t\n");
            if (strncmp(p, entry, name) == 0 &&
                strchr(" \t\n", p[name]) != NULL && !strchr(entry, '\n')) {
                buf_printf(out, "%s\n", entry);
                break;
            }
        }
        at += strlen(entry) + 1;
    }
}

static int
ask_about_line(bool explains)
{
    struct repl_state *f = self.state;
    struct bash_channel *ch = bash_get_channel(f->bash);
    const char *line = line_editor_text();
    CLEANUP_BUF struct buf aliases = buf_of(ALIASES_MAX);
    struct line_query_start start = {.line = line,
                                     .cwd = f->cwd,
                                     .session = f->session,
                                     .explains = explains};
    struct winsize size;
    struct err e = {0};

    if (f->mode != REPL_EDITING || !line[strspn(line, " \t\n")])
        return 0;
    put_used_aliases(bash_channel_query(ch, BASH_MSG_ALIASES, NULL, QUERY_MS),
                     line, &aliases);
    screen_size(f->screen, &size);
    start.aliases = aliases.len > 0 && !aliases.bad ? aliases.p : "";
    start.columns = size.ws_col;
    start.rows = size.ws_row;
    start.environ = bash_channel_query(ch, BASH_MSG_ENVIRON, NULL, QUERY_MS);
    if (!start.environ)
        err_set(&e, ERR_TIMEOUT, "the shell did not answer");
    else
        f->query = line_query_new(f->loop, &start, on_answered_line, f, &e);
    if (!f->query) {
        CLEANUP_BUF struct buf text = buf_of(sizeof(e.text) * 4);

        buf_str(&text, "agentsh: ");
        (void)message_put(&text, e.text);
        buf_ch(&text, '\n');
        line_editor_show_below(text.p);
        return 0;
    }
    f->slow = loop_timer(f->loop, SLOW_MS, on_slow_answer, f, NULL);
    f->mode = REPL_QUERYING;
    line_editor_wait(true);
    return 0;
}

static int
put_command_key(int count, int key)
{
    (void)count;
    (void)key;
    return ask_about_line(false);
}

static int
explain_key(int count, int key)
{
    (void)count;
    (void)key;
    return ask_about_line(true);
}

void
line_keys_init(struct repl_state *f, const struct config *c)
{
    const char *command = config_text(c, CONFIG_SHELL_LINE_KEY);
    const char *explain = config_text(c, CONFIG_SHELL_EXPLAIN_KEY);

    self.state = f;
    (void)key_sequence_read(command ? command : "Ctrl-X Ctrl-A", &self.command,
                            NULL);
    (void)key_sequence_read(explain ? explain : "Ctrl-X Ctrl-Y", &self.explain,
                            NULL);
}

void
line_keys_bind(void)
{
    line_editor_bind(&self.command, put_command_key);
    line_editor_bind(&self.explain, explain_key);
}
