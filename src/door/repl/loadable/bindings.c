/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bindings.c - bash's key bindings, for the REPL's line editor. */
#include "door/repl/loadable/internals.h"

#include "door/repl/loadable/link.h"

#include <stdlib.h>
#include <string.h>

#define KEYS_MAX    15 /* Readline's own buffer has one more */
#define IS_FUNCTION 0  /* Readline's ISFUNC */

/* What bash's Readline prints on its terminal, as a string to free. */
static char *
printed(void (*print)(void))
{
    FILE *was = rl_outstream;
    char *text = NULL;
    size_t n;

    rl_outstream = open_memstream(&text, &n);
    if (rl_outstream) {
        print();
        fclose(rl_outstream);
    }
    rl_outstream = was;
    return text;
}

static void
print_all(void)
{
    rl_variable_dumper(1);
    rl_function_dumper(1);
    rl_macro_dumper(1);
}

static void
print_commands(void)
{
    (void)print_unix_command_map();
}

/* Appends the lines that bind or set something, each a field; returns the
 * number of them. */
static size_t
add_lines(struct buf *out, const char *text, const char *before)
{
    size_t count = 0, n;

    for (; *text; text += n + (text[n] == '\n')) {
        n = strcspn(text, "\n");
        if (text[0] != '"' && strncmp(text, "set ", 4) != 0)
            continue;
        buf_str(out, before);
        buf_add(out, text, n);
        buf_ch(out, '\0');
        count++;
    }
    return count;
}

void
answer_bindings(struct link *l)
{
    char *all, *commands, **fields;
    struct buf lines;
    size_t n = 0;
    char *at;

    if (!bash_readline_initialized)
        initialize_readline();
    buf_init(&lines, TALK_PARTS_MAX);
    all = printed(print_all);
    commands = printed(print_commands);
    if (all)
        n += add_lines(&lines, all, "");
    if (commands)
        n += add_lines(&lines, commands, "x");
    free(all);
    free(commands);
    fields = lines.bad ? NULL : calloc(n + 1, sizeof(*fields));
    at = lines.p;
    for (size_t i = 0; fields && i < n; i++, at += strlen(at) + 1)
        fields[i] = at;
    link_send_fields(l, TALK_ENTRIES, fields);
    free(fields);
    buf_done(&lines);
}

/* The bytes of a hexadecimal text; how many, or -1. */
static int
from_hex(const char *hex, char *keys, size_t max)
{
    size_t n = strlen(hex) / 2;

    if (n == 0 || n > max)
        return -1;
    for (size_t i = 0; i < n; i++) {
        char digits[3] = {hex[2 * i], hex[2 * i + 1], '\0'};

        keys[i] = (char)strtol(digits, NULL, 16);
    }
    return (int)n;
}

/* The command's own output goes where it always goes; what Readline would
 * draw round it is drawn by the REPL. */
static void
call(rl_command *function, const char *keys, int n)
{
    FILE *was = rl_outstream, *drawn = _rl_out_stream;
    FILE *nowhere = fopen("/dev/null", "we");
    int bell = _rl_bell_preference;

    if (!nowhere)
        return;
    memcpy(rl_executing_keyseq, keys, (size_t)n);
    rl_executing_keyseq[n] = '\0';
    rl_key_sequence_length = n;
    rl_executing_key = (unsigned char)keys[n - 1];
    rl_outstream = _rl_out_stream = nowhere;
    rl_last_func = NULL; /* the REPL knows what came before */
    if (function == rl_complete)
        _rl_bell_preference = 0; /* and rings */
    function(1, rl_executing_key);
    _rl_bell_preference = bell;
    rl_deprep_terminal(); /* some prepare it, for the readline() around */
    rl_outstream = was;
    _rl_out_stream = drawn;
    fclose(nowhere);
}

void
answer_key(struct link *l, size_t n)
{
    char keys[KEYS_MAX + 1], point[16] = "0";
    const char *f[3];
    long at;
    int type = -1, len = -1;
    rl_command *function = NULL;

    if (talk_fields(l->packet, n, f, 3) == 3 && rl_executing_keyseq &&
        talk_number(f[1], 0, TALK_LINE_MAX, &at) == 0)
        len = from_hex(f[0], keys, KEYS_MAX);
    if (len > 0)
        function = rl_function_of_keyseq_len(keys, (size_t)len, rl_get_keymap(),
                                             &type);
    if (!function || type != IS_FUNCTION) {
        link_send(l, TALK_DONE, "");
        return;
    }
    rl_replace_line(f[2], 0);
    rl_end = (int)strlen(f[2]);
    rl_point = at < rl_end ? (int)at : rl_end;
    call(function, keys, len);
    snprintf(point, sizeof(point), "%d", rl_point);
    link_send_fields(l, TALK_ENTRIES, (char *[]){point, rl_line_buffer, NULL});
    rl_free_undo_list();
    rl_replace_line("", 0);
}
