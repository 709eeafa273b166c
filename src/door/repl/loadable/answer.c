/* SPDX-License-Identifier: GPL-3.0-or-later */
/* answer.c - bash's own completion and quoting, for the REPL's line editor. */
#include "door/repl/loadable/internals.h"

#include "door/repl/loadable/link.h"

#include <stdlib.h>
#include <string.h>

/* Leaves Readline's variables as its own rl_complete would set them up. */
static void
prepare(const char *line, int point)
{
    if (!bash_readline_initialized)
        initialize_readline();
    rl_replace_line(line, 0);
    rl_end = (int)strlen(line);
    rl_point = point < rl_end ? point : rl_end;
    rl_completion_type = '\t';
    rl_filename_completion_desired = 0;
    rl_filename_quoting_desired = 1;
    rl_completion_append_character = ' ';
    rl_completion_suppress_append = 0;
    rl_completion_suppress_quote = 0;
    rl_attempted_completion_over = 0;
    rl_sort_completion_matches = 1;
    rl_completion_found_quote = 0;
    rl_completion_quote_character = 0;
}

/* The matches of the word before rl_point; *start is where it begins. */
static char **
matches_here(int *start)
{
    rl_compentry *entry = rl_completion_entry_function;
    int end = rl_point, found = 0, delimiter = 0;
    char quote = end ? _rl_find_completion_word(&found, &delimiter) : '\0';
    char **v = NULL;
    char *word;

    *start = rl_point;
    rl_point = end;
    word = rl_copy_text(*start, end);
    rl_completion_found_quote = found;
    rl_completion_quote_character = quote;
    rl_readline_state |= STATE_COMPLETING;
    if (rl_attempted_completion_function)
        v = rl_attempted_completion_function(word, *start, end);
    if (!v && !rl_attempted_completion_over)
        v = rl_completion_matches(
            word, entry ? entry : rl_filename_completion_function);
    rl_readline_state &= ~(unsigned long)STATE_COMPLETING;
    free(word);
    return v;
}

void
answer_complete(struct link *l, size_t n)
{
    const char *f[2];
    char head[128];
    char **v = NULL;
    long point;
    int start = 0;

    if (talk_fields(l->packet, n, f, 2) == 2 &&
        talk_number(f[0], 0, TALK_LINE_MAX, &point) == 0) {
        prepare(f[1], (int)point);
        v = matches_here(&start);
    }
    n = (size_t)snprintf(
        head, sizeof(head), "%c%d%c%d%c%d%c%d%c%d%c%d", TALK_MATCHES, start, 0,
        rl_filename_completion_desired, 0, rl_filename_quoting_desired, 0,
        rl_sort_completion_matches, 0, rl_completion_suppress_quote, 0,
        rl_completion_suppress_append ? 0
                                      : rl_completion_append_character & 255);
    link_send_raw(l, head, n + 1);
    link_send_fields(l, TALK_MATCHES, v);
    for (size_t i = 0; v && v[i]; i++)
        free(v[i]);
    free(v);
    rl_replace_line("", 0);
}

void
answer_quote(struct link *l, size_t n)
{
    const char *f[3];
    char *quoted = NULL;
    char quote;
    long kind;

    if (talk_fields(l->packet, n, f, 3) == 3 && rl_filename_quoting_function &&
        talk_number(f[0], 0, 255, &kind) == 0) {
        quote = f[1][0];
        quoted = rl_filename_quoting_function((char *)(uintptr_t)f[2],
                                              (int)kind, &quote);
    }
    link_send_fields(l, TALK_QUOTED, (char *[]){quoted, NULL});
    free(quoted);
}
