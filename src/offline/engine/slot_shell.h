/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slot_shell.h - what surrounds a slot in a template, for quoting its value.
 *
 * A value is quoted for everything that will parse it: the quotes of the
 * template, the pattern or string inside them, and the second shell to which
 * some programs pass their words (sh -c, ssh, watch, a line of a crontab). */
#ifndef OFFLINE_ENGINE_SLOT_SHELL_H
#define OFFLINE_ENGINE_SLOT_SHELL_H

#include "offline/engine/slot_fill.h"

#define SLOT_WORD_MAX (8 * REQUEST_BYTES_MAX) /* quoted for two shells */

/* The quotes around a position of the template. */
struct slot_quotes {
    char around;  /* the shell's quote: ' or " or NUL */
    size_t open;  /* its offset */
    bool string;  /* inside a string of awk or jq: behind an odd number of " */
    char divider; /* what ends the pattern around it: the / of s/a/b/ */
    size_t start; /* the offset of the command around it */
};

bool slot_shell_is_quoted(const struct slot_position *at);
/* Whether a word begins at the position. */
bool slot_shell_begins_word(const struct slot_position *at);

/* Calls word() for each word of the command before the position; the last is
 * the beginning of the word around it. Stops when word() returns true, and
 * returns that. */
bool slot_shell_words(const struct slot_position *at,
                      bool (*word)(void *arg, const char *word, size_t n),
                      void *arg);

enum slot_reader {
    SLOT_READER_NONE,
    SLOT_READER_SHELL, /* a second shell parses the text there */
    SLOT_READER_CRON,  /* a line of a crontab: the same, and % ends it */
};

/* What parses the text at the position again. A slot that is a whole command
 * ("sh -c {text}") is no word of it: NONE. */
enum slot_reader slot_shell_reader(enum slot_type slot,
                                   const struct slot_position *at);

/* Whether the slot holds a command that a shell runs as it is. */
bool slot_shell_is_command(enum slot_type slot, const struct slot_position *at);

/* Whether the word before the position is one behind which no word is taken for
 * an option. */
bool slot_shell_is_safe_behind(const struct slot_position *at);

/* Whether -e is needed there when the text begins with a dash. */
bool slot_shell_wants_e(const struct slot_position *at);

#endif
