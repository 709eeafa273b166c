/* SPDX-License-Identifier: GPL-3.0-or-later */
/* policy_rule.h - the rules as structures, and how one is read. */
#ifndef GUARD_POLICY_POLICY_RULE_H
#define GUARD_POLICY_POLICY_RULE_H

#include "base/buf.h"
#include "base/sha256.h"
#include "guard/policy/policy.h"
#include "guard/policy/policy_pattern.h"

#define POLICY_FILE_MAX  (256 * 1024) /* bytes; people write some hundred */
#define POLICY_LINE_MAX  4096
#define POLICY_RULES_MAX 4096
#define POLICY_WORDS_MAX 64 /* of a rule */

/* Facts that only rules know, beside those of risk.h. */
#define POLICY_OUTSIDE 0x10000u /* changes files outside the workspace */
/* changes what programs trust or run later */
#define POLICY_SETTINGS     0x20000u
#define POLICY_AUTORUN      0x40000u /* changes what runs by its name */
#define POLICY_NO_WORKSPACE 0x80000u /* changes files without a workspace */

/* Facts that make a call worse than one that only looks. */
#define POLICY_RISKY                                                           \
    (RISK_ASKED | POLICY_OUTSIDE | POLICY_SETTINGS | POLICY_AUTORUN |          \
     POLICY_NO_WORKSPACE)

/* Writes the names of a set of facts: "destructive network". */
void policy_facts_text(unsigned facts, char *out, size_t size);

enum policy_kind {
    POLICY_COMMAND,
    POLICY_READ,
    POLICY_WRITE,
    POLICY_HOST,
    POLICY_TOOL, /* words: the tool, and perhaps its action */
    POLICY_ACTION,
    POLICY_RISK,
};

/* A command line that the rule above it must match, or must not match. */
struct policy_example {
    bool match;
    unsigned line; /* its line number in the file */
    char *command;
    struct policy_example *next;
};

struct policy_rule {
    enum guard_decision decision;
    enum policy_kind kind;
    unsigned line;
    char *text; /* the line without blanks around it */
    struct policy_pattern *words;
    size_t n;
    bool rest;      /* of a command: the last word is a single `*` */
    unsigned facts; /* of a risk: the facts that it names; of an allow for a
                       command: what the rule's words do by themselves */
    struct policy_example *examples;
    /* of an allow for a command (policy_pin.h): the directory in which it
     * starts, and the file whose bytes are fixed; NULL: any */
    char *in, *with;
    char hash[SHA256_HEX_SIZE]; /* of the file `with` */
};

/* The rules of one file. */
struct policy_rules {
    char *name; /* its path, or "preset NAME" */
    struct policy_rule *v;
    size_t n;
    bool built_in; /* a preset: its allows cover only calls that look */
    const char
        *preset; /* the preset that the file asks for; NULL: none. Static */
};

/* Reads one rule. policy_rule_done releases what it holds, in any case. */
int policy_rule_read(struct policy_rule *rule, const char *text, struct err *e);
void policy_rule_done(struct policy_rule *rule);

/* Reads an indented line that narrows the rule above it: `in DIR`, or `with
 * sha256:HEX FILE`. at points to its first word. 1: the line is neither; -1: it
 * has a mistake, or the rule cannot be narrowed. */
#define POLICY_HASH_MARK "sha256:"
int policy_rule_read_below(struct policy_rule *rule, const char *at,
                           struct err *e);

/* Sets ERR_CONFIG: unknown WHAT "WORD"; did you mean "…"? */
struct nearest;
int policy_unknown(const char *what, const char *word,
                   const struct nearest *meant, struct err *e);

/* Appends the rules of a text; examples are read, and not checked yet. */
int policy_rules_read(struct policy_rules *r, const char *text, size_t n,
                      struct err *e);
void policy_rules_done(struct policy_rules *r);

/* Checks every example, and finds out what the words of each allow do. */
int policy_check_examples(struct policy_rules *r, const char *home,
                          struct err *e);

struct policy {
    struct policy_rules system, user, preset;
    struct policy_rules added; /* by policy_add */
    size_t others;             /* owners but one */
};

/* The text of a preset; NULL: there is no preset of that name. */
const char *policy_preset_text(const char *name);
/* The name of preset i, strictest first; NULL after the last. */
const char *policy_preset_name(size_t i);

#endif
