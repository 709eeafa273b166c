/* SPDX-License-Identifier: GPL-3.0-or-later */
/* readline_query.c - asks the Readline inside bash, for the REPL's line
 * editor. */
#include "frontend/repl/loadable/internals.h"

#include "frontend/repl/loadable/readline_query.h"

#include <stdlib.h>
#include <string.h>

#define IS_FUNCTION 0 /* Readline's ISFUNC */
#define IS_KEYMAP   1 /* and ISKMAP */

#define BOUND_MAX 512 /* different functions; Readline and bash have 300 */

/* Completion and quoting. */

/* Leaves Readline's variables as its own rl_complete would set them up. */
static void
prepare_completion(const char *line, int point)
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
readline_query_complete(struct repl_socket *l, size_t n)
{
    const char *f[2];
    char head[128];
    char **v = NULL;
    long point;
    int start = 0;

    if (bash_protocol_fields(l->packet, n, f, 2) == 2 &&
        bash_protocol_number(f[0], 0, BASH_MSG_LINE_MAX, &point) == 0) {
        prepare_completion(f[1], (int)point);
        v = matches_here(&start);
    }
    n = (size_t)snprintf(
        head, sizeof(head), "%c%d%c%d%c%d%c%d%c%d%c%d", BASH_MSG_MATCHES, start,
        0, rl_filename_completion_desired, 0, rl_filename_quoting_desired, 0,
        rl_sort_completion_matches, 0, rl_completion_suppress_quote, 0,
        rl_completion_suppress_append ? 0
                                      : rl_completion_append_character & 255);
    repl_socket_send_raw(l, head, n + 1);
    repl_socket_send_fields(l, BASH_MSG_MATCHES, v);
    for (size_t i = 0; v && v[i]; i++)
        free(v[i]);
    free(v);
    rl_replace_line("", 0);
}

void
readline_query_quote(struct repl_socket *l, size_t n)
{
    const char *f[3];
    char *quoted = NULL;
    char quote;
    long kind;

    if (bash_protocol_fields(l->packet, n, f, 3) == 3 &&
        rl_filename_quoting_function &&
        bash_protocol_number(f[0], 0, 255, &kind) == 0) {
        quote = f[1][0];
        quoted = rl_filename_quoting_function((char *)(uintptr_t)f[2],
                                              (int)kind, &quote);
    }
    repl_socket_send_fields(l, BASH_MSG_QUOTED, (char *[]){quoted, NULL});
    free(quoted);
}

/* Key bindings. */

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

static bool
is_among_bound(rl_command *const *bound, size_t n, rl_command *function)
{
    for (size_t i = 0; i < n; i++) {
        if (bound[i] == function)
            return true;
    }
    return false;
}

/* Adds the functions of a keymap, and of those behind its prefixes, to the n
 * that are known; returns how many there are then. */
static size_t
note_bound(const struct _keymap_entry *map, rl_command **bound, size_t n)
{
    for (int key = 0; key < KEYMAP_SIZE; key++) {
        rl_command *f = map[key].function;

        if (f && map[key].type == IS_KEYMAP)
            n = note_bound((const struct _keymap_entry *)(uintptr_t)f, bound,
                           n);
        else if (f && map[key].type == IS_FUNCTION && n < BOUND_MAX &&
                 !is_among_bound(bound, n, f))
            bound[n++] = f;
    }
    return n;
}

static void
print_keys_of(const struct rl_named_command *command)
{
    char **keys = rl_invoking_keyseqs(command->function);

    for (size_t i = 0; keys && keys[i]; i++) {
        fprintf(rl_outstream, "\"%s\": %s\n", keys[i], command->name);
        free(keys[i]);
    }
    free(keys);
}

/* What rl_function_dumper prints of the functions that have a key: it looks
 * through all keys for each of those that have none, too, which is half of what
 * it takes. Of two with one name the first is meant. */
static void
print_functions(void)
{
    rl_command *bound[BOUND_MAX];
    size_t n = note_bound(rl_get_keymap(), bound, 0);

    for (size_t i = 0; funmap && funmap[i]; i++) {
        if (is_among_bound(bound, n, funmap[i]->function) &&
            rl_named_function(funmap[i]->name) == funmap[i]->function)
            print_keys_of(funmap[i]);
    }
}

static void
print_all(void)
{
    rl_variable_dumper(1);
    print_functions();
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
add_binding_lines(struct buf *out, const char *text, const char *before)
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
readline_query_bindings(struct repl_socket *l)
{
    char *all, *commands, **fields;
    struct buf lines;
    size_t n = 0;
    char *at;

    if (!bash_readline_initialized)
        initialize_readline();
    buf_init(&lines, BASH_MSG_PARTS_MAX);
    all = printed(print_all);
    commands = printed(print_commands);
    if (all)
        n += add_binding_lines(&lines, all, "");
    if (commands)
        n += add_binding_lines(&lines, commands, "x");
    free(all);
    free(commands);
    fields = lines.bad ? NULL : calloc(n + 1, sizeof(*fields));
    at = lines.p;
    for (size_t i = 0; fields && i < n; i++, at += strlen(at) + 1)
        fields[i] = at;
    repl_socket_send_fields(l, BASH_MSG_ENTRIES, fields);
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
readline_query_key(struct repl_socket *l, size_t n)
{
    char keys[BASH_MSG_KEYS_MAX + 1], point[16] = "0";
    const char *f[3];
    long at;
    int type = -1, len = -1;
    rl_command *function = NULL;

    if (bash_protocol_fields(l->packet, n, f, 3) == 3 && rl_executing_keyseq &&
        bash_protocol_number(f[1], 0, BASH_MSG_LINE_MAX, &at) == 0)
        len = from_hex(f[0], keys, BASH_MSG_KEYS_MAX);
    if (len > 0)
        function = rl_function_of_keyseq_len(keys, (size_t)len, rl_get_keymap(),
                                             &type);
    if (!function || type != IS_FUNCTION) {
        repl_socket_send(l, BASH_MSG_DONE, "");
        return;
    }
    rl_replace_line(f[2], 0);
    rl_end = (int)strlen(f[2]);
    rl_point = at < rl_end ? (int)at : rl_end;
    call(function, keys, len);
    snprintf(point, sizeof(point), "%d", rl_point);
    repl_socket_send_fields(l, BASH_MSG_ENTRIES,
                            (char *[]){point, rl_line_buffer, NULL});
    rl_free_undo_list();
    rl_replace_line("", 0);
}
