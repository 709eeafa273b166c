/* SPDX-License-Identifier: GPL-3.0-or-later */
/* talk.h - what the REPL and the loadable inside its bash say to each other.
 *
 * A SOCK_SEQPACKET pair, one message a packet: a letter, then fields that
 * each end in a NUL. The loadable is compiled from this header too, so both
 * sides always come from one build; still, bash runs the person's own code,
 * which could find the socket, so nothing read here is trusted to be whole. */
#ifndef REPL_TALK_H
#define REPL_TALK_H

#include <stdbool.h>
#include <stddef.h>

/* A packet: well below what a socket pair takes at once (208 KiB). */
#define TALK_MAX 65536
/* A command line of a person, pasted text included. */
#define TALK_LINE_MAX (1024 * 1024)
/* The environment, or the matches of a completion, over several packets. */
#define TALK_PARTS_MAX  (4 * 1024 * 1024)
#define TALK_NONCE_SIZE 33

/* From the REPL. */
#define TALK_NONCE     'N' /* the first: nonce of the marks */
#define TALK_LINE_PART 'l' /* bytes of a line, more follow */
#define TALK_LINE      'L' /* the last bytes of a line: run it */
#define TALK_END       'Z' /* end of input, as Ctrl-D means it */
#define TALK_ABANDON   'A' /* Ctrl-C at a prompt */
#define TALK_STATUS    'S' /* an assistant's line ended: its status */
#define TALK_COMPLETE  'C' /* point, line */
#define TALK_QUOTE     'Q' /* match kind, quote character, file name */
#define TALK_ENVIRON   'V' /* which environment would a command get? */
#define TALK_BINDINGS  'B' /* how are keys bound, and variables set? */
#define TALK_KEY                                                               \
    'K' /* key sequence in hexadecimal, point, line: do what                   \
           bash has bound to it */

/* From the loadable. */
#define TALK_HELLO   'H' /* bash's version: attached */
#define TALK_REFUSE  'X' /* why it cannot attach */
#define TALK_PROMPT  'P' /* struct talk_prompt: a command is wanted */
#define TALK_MORE    'M' /* the same: the rest of a command is wanted */
#define TALK_MATCHES 'c' /* first a struct talk_matches, then matches */
#define TALK_QUOTED  'q' /* the file name as it must be typed */
#define TALK_ENTRIES                                                           \
    'e'               /* NAME=value; lines as in an inputrc, those of          \
                         `bind -x` with an x in front; point, line */
#define TALK_DONE '.' /* no more matches or entries follow */

/* The in-band mark that follows a prompt message: an operating system command
 * that no terminal knows, so that one that got through would show nothing. */
#define TALK_MARK_FMT  "\033]6977;%s;%lu\a"
#define TALK_MARK_SIZE 80

/* A line is wanted. Strings point into the packet. */
struct talk_prompt {
    bool more;         /* the rest of a command that was begun */
    unsigned long seq; /* the number in the mark that follows */
    int status;        /* of the last command: $? */
    bool vi;           /* `set -o vi` is in force */
    const char *cwd;
    const char *prompt; /* PS1 or PS2, expanded; \001 and \002 as Readline
                           takes them */
    const char *sign;   /* $AGENTSH_MARK, "" when it is not set */
    bool sign_set;
    const char *breaks; /* characters that end a word when completing */
    long binds;         /* how often `bind` was called */
};

/* How the matches of a completion are to be used: Readline's variables of the
 * same names. */
struct talk_matches {
    int start; /* where the word begins in the line */
    bool filenames;
    bool quoting;
    bool sort;
    bool suppress_quote;
    int append; /* character put after a single match; 0: none */
};

/* Splits a message's fields. Returns how many there are, at most max, or -1
 * when the last does not end in a NUL or there are more. */
int talk_fields(const char *msg, size_t n, const char **fields, int max);

/* Each: 0, or -1 when the message is not what its letter says. */
int talk_read_prompt(const char *msg, size_t n, struct talk_prompt *out);
int talk_read_matches(const char *msg, size_t n, struct talk_matches *out);

/* A decimal number that is all of the text, within min..max. */
int talk_number(const char *text, long min, long max, long *out);

#endif
