/* SPDX-License-Identifier: GPL-3.0-or-later */
/* programs.h - the tables of programs, as the build makes them.
 *
 * src/guard/risk/programs/README says what the lines mean. Everything is a
 * number into an array, so that the tables cost nothing when a program starts.
 */
#ifndef GUARD_PROGRAMS_H
#define GUARD_PROGRAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A word of a line: a condition's or what selects arguments. */
enum program_word_kind {
    PROGRAM_END,      /* of a list */
    PROGRAM_SHORT,    /* -f */
    PROGRAM_LONG,     /* --force */
    PROGRAM_WHOLE,    /* -name */
    PROGRAM_OPERAND,  /* =PATTERN, N=PATTERN (n: 0 is any) */
    PROGRAM_DASHES,   /* the word -- */
    PROGRAM_ARGS,     /* every operand */
    PROGRAM_LAST,     /* the last operand */
    PROGRAM_BUT_LAST, /* all others */
    PROGRAM_NTH,      /* operand n */
    PROGRAM_FROM,     /* operand n and those after it */
    PROGRAM_INTO,     /* the last operand, or what is made in it */
    PROGRAM_NAMED,    /* of=*: text is "of=" */
    PROGRAM_LITERAL,  /* a path that it touches unnamed: text */
    PROGRAM_REMOTE,   /* operands that name another machine */
    PROGRAM_AFTER,    /* an option that words follow … */
    PROGRAM_UNTIL,    /* … and a word that ends them */
};

struct program_word {
    uint8_t kind;
    uint8_t n;
    uint32_t text;    /* the option or the pattern */
    uint32_t pattern; /* of an option's value; 0: none */
};

/* if …, unless …: words that one of, or none of, must stand there. */
struct program_clause {
    bool unless;
    uint32_t words;
};

/* Conditions after `when`. */
#define PROGRAM_WHEN_ARGS      0x001u
#define PROGRAM_WHEN_NO_ARGS   0x002u
#define PROGRAM_WHEN_ARGS_2    0x004u
#define PROGRAM_WHEN_ARGS_3    0x008u
#define PROGRAM_WHEN_NUMBERS   0x010u
#define PROGRAM_WHEN_EXISTS    0x020u
#define PROGRAM_WHEN_PIPED     0x040u
#define PROGRAM_WHEN_NOT_PIPED 0x080u
#define PROGRAM_WHEN_REMOTE    0x100u
#define PROGRAM_WHEN_SYSTEM    0x200u
#define PROGRAM_WHEN_NO_ARGS_2 0x400u

enum program_verb {
    PROGRAM_FACT,
    PROGRAM_PLAIN,
    PROGRAM_READS,
    PROGRAM_LISTS,
    PROGRAM_MAKES,
    PROGRAM_CHANGES,
    PROGRAM_DELETES,
    PROGRAM_HOSTS,
    PROGRAM_SHELL,
    PROGRAM_CODE,
    PROGRAM_RUNS,
    PROGRAM_WRAPS,
    PROGRAM_INPUT,
    PROGRAM_LOADS,
};

struct program_rule {
    uint8_t verb;
    uint8_t n;         /* of wraps: arguments before the command */
    uint8_t elsewhere; /* what it runs is not on this machine */
    uint8_t n_clauses;
    uint16_t when;    /* PROGRAM_WHEN_ flags, all of which must hold */
    uint32_t facts;   /* RISK_ flags of a PROGRAM_FACT */
    uint32_t clauses; /* the first of n_clauses */
    uint32_t select;  /* of the verbs that are about arguments */
    uint32_t text;    /* the reason, or the language */
};

#define PROGRAM_IS_WHOLE      0x01u
#define PROGRAM_IS_BUNDLED    0x02u
#define PROGRAM_IS_POSIX      0x04u
#define PROGRAM_INHERITS      0x08u
#define PROGRAM_IS_RECURSIVE  0x10u  /* always */
#define PROGRAM_HELPS         0x20u  /* --help and --version at any place */
#define PROGRAM_IS_CONFIGURED 0x40u  /* a file of the directory runs first */
#define PROGRAM_ABBREVIATES   0x80u  /* a verb's beginning is the verb */
#define PROGRAM_IS_BUILTIN    0x100u /* the shell does it itself */
#define PROGRAM_IS_DIRECTED                                                    \
    0x200u /* a file of the directory adds what runs                           \
            */

struct program {
    uint32_t name; /* "rm", "git push", "gh repo delete" */
    uint16_t n_rules;
    uint16_t flags;
    uint32_t rules;
    uint32_t values, help, recursive, ends, words; /* lists; 0: empty */
};

/* NULL when no stanza has that name. */
const struct program *program_find(const char *name);

const char *program_text(uint32_t text);
const struct program_word *program_words(uint32_t list); /* up to _END */
const struct program_rule *program_rules(const struct program *p);
const struct program_clause *program_clauses(const struct program_rule *r);

#endif
