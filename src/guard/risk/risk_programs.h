/* SPDX-License-Identifier: GPL-3.0-or-later */
/* risk_programs.h - the tables that say what programs do, as the build makes
 * them from the files in programs/.
 *
 * programs/README describes those files. Every reference is an index into an
 * array, so that the tables cost nothing when a program starts. */
#ifndef GUARD_RISK_RISK_PROGRAMS_H
#define GUARD_RISK_RISK_PROGRAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A word of a rule: in a condition, or one that selects arguments. */
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
    PROGRAM_LITERAL,  /* a path that the call uses without naming it: text */
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

/* if …, unless …: one of the words, or none of them, must be there. */
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
    uint8_t n;         /* of wraps: arguments in front of the command */
    uint8_t elsewhere; /* what it runs, runs on another machine */
    uint8_t n_clauses;
    uint16_t when;    /* PROGRAM_WHEN_ flags, all of which must hold */
    uint32_t facts;   /* RISK_ flags of a PROGRAM_FACT */
    uint32_t clauses; /* the first of n_clauses */
    uint32_t select;  /* of the verbs that are about arguments */
    uint32_t text;    /* the reason, or the language */
};

#define PROGRAM_IS_WHOLE      0x001u
#define PROGRAM_IS_BUNDLED    0x002u
#define PROGRAM_IS_POSIX      0x004u
#define PROGRAM_INHERITS      0x008u
#define PROGRAM_IS_RECURSIVE  0x010u /* always */
#define PROGRAM_HELPS         0x020u /* --help and --version at any place */
#define PROGRAM_IS_CONFIGURED 0x040u /* first runs a file of the directory */
#define PROGRAM_ABBREVIATES   0x080u /* verbs may be abbreviated */
#define PROGRAM_IS_BUILTIN    0x100u /* of the shell */
#define PROGRAM_IS_DIRECTED   0x200u /* also runs a file of the directory */

struct program {
    uint32_t name; /* "rm", "git push", "gh repo delete" */
    uint16_t n_rules;
    uint16_t flags;
    uint32_t rules;
    uint32_t values, help, recursive, ends, words; /* lists; 0: empty */
};

/* The stanza of exactly that name; NULL: none. */
const struct program *risk_program_find(const char *name);

/* The stanza of a program as it is called. base becomes the name without its
 * directory and without a version at its end (python3.11). NULL: none. */
const struct program *risk_program_find_command(const char *name, char *base,
                                                size_t size);

/* Whether a pattern of * ? […] matches a whole text. */
bool risk_pattern_matches(const char *pattern, const char *text);

const char *risk_program_text(uint32_t text);
const struct program_word *risk_program_words(uint32_t list); /* up to _END */
const struct program_rule *risk_program_rules(const struct program *p);
const struct program_clause *risk_program_clauses(const struct program_rule *r);

#endif
