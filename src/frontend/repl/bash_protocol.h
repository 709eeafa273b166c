/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bash_protocol.h - the messages between the REPL and the loadable in its bash.
 *
 * A message is one packet of a SOCK_SEQPACKET pair: a letter, then fields that
 * each end in a NUL. The loadable is compiled from this header too, so both
 * sides come from one build. Still, bash runs the person's own code, which
 * could find the socket, so every message is checked before it is used. */
#ifndef FRONTEND_REPL_BASH_PROTOCOL_H
#define FRONTEND_REPL_BASH_PROTOCOL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/* A packet: well below what a socket pair takes at once (208 KiB). */
#define BASH_MSG_MAX 65536
/* A command line of a person, pasted text included. */
#define BASH_MSG_LINE_MAX (1024 * 1024)
/* The environment, or the matches of a completion, over several packets. */
#define BASH_MSG_PARTS_MAX (4 * 1024 * 1024)
#define BASH_NONCE_SIZE    33
#define BASH_MSG_KEYS_MAX  15 /* of a key sequence: Readline has one more */

/* Messages from the REPL. */
#define BASH_MSG_NONCE     'N' /* the first: the nonce of the delimiters */
#define BASH_MSG_LINE_PART 'l' /* bytes of a line, more follow */
#define BASH_MSG_LINE      'L' /* the last bytes of a line: run it */
#define BASH_MSG_END       'Z' /* end of input, as Ctrl-D means it */
#define BASH_MSG_ABANDON   'A' /* Ctrl-C at a prompt */
#define BASH_MSG_STATUS    'S' /* a line for `ai` ended: its status */
#define BASH_MSG_CHANGE    'U' /* ui/shell_change.h: its letter, its text */
#define BASH_MSG_COMPLETE  'C' /* point, line */
#define BASH_MSG_QUOTE     'Q' /* match kind, quote character, file name */
#define BASH_MSG_ENVIRON   'V' /* asks which environment a command would get */
#define BASH_MSG_ALIASES   'a' /* asks for the aliases */
/* Asks for the bindings of keys, and variables. */
#define BASH_MSG_BINDINGS 'B'
/* A key sequence in hexadecimal, point, line: do what bash has bound to it. */
#define BASH_MSG_KEY 'K'

/* Messages from the loadable. */
#define BASH_MSG_HELLO   'H' /* bash's version: attached */
#define BASH_MSG_REFUSE  'X' /* why it cannot attach */
#define BASH_MSG_PROMPT  'P' /* struct bash_prompt: a command is wanted */
#define BASH_MSG_MORE    'M' /* the same: the rest of a command is wanted */
#define BASH_MSG_MATCHES 'c' /* first a struct bash_matches, then matches */
#define BASH_MSG_QUOTED  'q' /* the file name as it must be typed */
/* NAME=value, of aliases too; lines as in an inputrc, those of `bind -x` with
 * an x in front; point, line. */
#define BASH_MSG_ENTRIES 'e'
#define BASH_MSG_DONE    '.' /* no more matches or entries follow */

/* The delimiter that follows a prompt message in the output: an operating
 * system command (OSC) that no terminal knows, so one that slips through shows
 * nothing. */
#define BASH_DELIMITER_FMT  "\033]6977;%s;%lu\a"
#define BASH_DELIMITER_SIZE 80

/* bash wants a line. Strings point into the packet. */
struct bash_prompt {
    bool more;         /* the rest of a command that was begun */
    unsigned long seq; /* the number in the delimiter that follows */
    int status;        /* of the last command: $? */
    bool vi;           /* `set -o vi` is in force */
    const char *cwd;
    const char *prompt; /* PS1 or PS2, expanded; \001 and \002 as Readline
                           takes them */
    const char *prefix; /* $AGENTSH_MARK, "" when it is not set */
    bool prefix_set;
    const char *breaks; /* characters that end a word when completing */
    long binds;         /* how often `bind` was called */
};

/* How Readline has to use the matches of a completion: its variables of the
 * same names. */
struct bash_matches {
    int start; /* where the word begins in the line */
    bool filenames;
    bool quoting;
    bool sort;
    bool suppress_quote;
    int append; /* character put after a single match; 0: none */
};

/* Splits a message into its fields. Returns their number, or -1 when the last
 * does not end in a NUL, or there are more than max. */
int bash_protocol_fields(const char *msg, size_t n, const char **fields,
                         int max);

/* Returns 0, or -1 when the message is not of the form that its letter
 * promises. */
int bash_protocol_read_prompt(const char *msg, size_t n,
                              struct bash_prompt *out);

/* Reads a decimal number that is all of the text and lies within min..max.
 * Returns 0, or -1. */
int bash_protocol_number(const char *text, long min, long max, long *out);

/* The reply to a question, put together from its packets. */
struct bash_reply {
    struct buf fields; /* strings one after another, each with its NUL */
    struct bash_matches matches;
    bool matches_known; /* the first packet of a completion has come */
    bool whole;
};

void bash_reply_init(struct bash_reply *r);
void bash_reply_done(struct bash_reply *r);

void bash_reply_begin(struct bash_reply *r); /* a question is asked */
void bash_reply_end(struct bash_reply *r);   /* no more packets will come */

/* Adds a packet, which may be damaged or late: then it is dropped. */
void bash_reply_add(struct bash_reply *r, const char *msg, size_t n);

/* The fields once the reply is whole, else NULL. They belong to r. */
const struct buf *bash_reply_fields(const struct bash_reply *r);

#endif
