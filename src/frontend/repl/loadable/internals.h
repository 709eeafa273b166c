/* SPDX-License-Identifier: GPL-3.0-or-later */
/* internals.h - what bash 5.2 exports, and its installed headers leave out.
 *
 * These are bash's own names: they hold for the version that the loadable is
 * built for, which is why it refuses any other. The Readline names are those
 * inside bash, not of the library that the REPL links. */
#ifndef FRONTEND_REPL_LOADABLE_INTERNALS_H
#define FRONTEND_REPL_LOADABLE_INTERNALS_H

#include <stddef.h>
#include <stdio.h>

#include <builtins.h>
#include <shell.h>

#include <alias.h>
#include <builtins/common.h>
#include <jobs.h>
#include <quit.h>
#include <sig.h>
#include <version.h>

/* bash's line source: a getter of bytes. */
enum { INPUT_STDIN = 1, INPUT_STREAM = 2 };
struct bash_input {
    int type;
    char *name;
    void *location;
    int (*getter)(void);
    int (*ungetter)(int);
};
extern struct bash_input bash_input;

extern int last_command_exit_value;
extern char *current_prompt_string, *ps2_prompt, *current_readline_prompt;
extern int bash_readline_initialized;
int initialize_readline(void);
void check_signals(void);
void check_signals_and_traps(void);
int signal_is_ignored(int);
extern int enable_history_list; /* set -o history */
int check_add_history(char *, int);
int cd_builtin(WORD_LIST *);
int export_builtin(WORD_LIST *);

/* Readline's RL_STATE_COMPLETING: compopt says how a completion is meant only
 * while there is one. */
#define STATE_COMPLETING 0x0004000

typedef int rl_command(int, int);
extern FILE *_rl_out_stream;
extern char *rl_line_buffer;
extern int rl_point, rl_end, rl_editing_mode;
extern int (*rl_startup_hook)(void);
extern void (*rl_redisplay_function)(void);
void rl_redisplay(void);
int rl_stuff_char(int);
void rl_replace_line(const char *, int);
char *rl_copy_text(int, int);

extern FILE *rl_outstream;
extern unsigned long rl_readline_state;
extern rl_command *rl_last_func;
extern int _rl_bell_preference; /* 0: silence */
int rl_complete(int, int);
void rl_free_undo_list(void);
extern char *rl_executing_keyseq;
extern int rl_key_sequence_length, rl_executing_key;
struct _keymap_entry {
    char type;
    rl_command *function; /* or the keymap behind a prefix */
};
struct _keymap_entry *rl_get_keymap(void); /* of KEYMAP_SIZE */
#define KEYMAP_SIZE 257
struct rl_named_command {
    const char *name;
    rl_command *function;
};
extern struct rl_named_command **funmap; /* up to NULL */
rl_command *rl_named_function(const char *);
char **rl_invoking_keyseqs(rl_command *);
rl_command *rl_function_of_keyseq_len(const char *, size_t,
                                      struct _keymap_entry *, int *);
void rl_deprep_terminal(void);
void rl_variable_dumper(int);
void rl_macro_dumper(int);
int print_unix_command_map(void);

typedef char *rl_compentry(const char *, int);
extern char **(*rl_attempted_completion_function)(const char *, int, int);
extern rl_compentry *rl_completion_entry_function;
char *rl_filename_completion_function(const char *, int);
char **rl_completion_matches(const char *, rl_compentry *);
char _rl_find_completion_word(int *, int *);
extern char *(*rl_filename_quoting_function)(char *, int, char *);
extern const char *rl_completer_word_break_characters;
extern int rl_attempted_completion_over, rl_filename_completion_desired,
    rl_filename_quoting_desired, rl_completion_append_character,
    rl_completion_suppress_append, rl_completion_suppress_quote,
    rl_completion_found_quote, rl_completion_quote_character,
    rl_completion_type, rl_sort_completion_matches;

#endif
