/* SPDX-License-Identifier: GPL-3.0-or-later */
/* policy_in.h - what the parts of the policy share. */
#ifndef GUARD_POLICY_IN_H
#define GUARD_POLICY_IN_H

#include "base/buf.h"
#include "base/sha256.h"
#include "guard/policy/policy.h"
#include "guard/policy/policy_pattern.h"

#define POLICY_FILE_MAX  (256 * 1024) /* bytes; a person writes some hundred */
#define POLICY_LINE_MAX  4096
#define POLICY_RULES_MAX 4096
#define POLICY_WORDS_MAX 64 /* of a rule */

/* Facts of the rules' own, beside those of risk.h. */
#define POLICY_OUTSIDE 0x10000u /* changes what is outside the workspace */
#define POLICY_SETTINGS                                                        \
    0x20000u                    /* changes what programs trust or run later    \
                                 */
#define POLICY_BY_NAME 0x40000u /* changes what runs by its name */
#define POLICY_NOWHERE 0x80000u /* changes files where no workspace is */

/* Facts that make a call worse than one that only looks. */
#define POLICY_HEAVY                                                           \
    (RISK_DESTRUCTIVE | RISK_SUDO | RISK_PRIVILEGED | RISK_NETWORK |           \
     RISK_SECRET | RISK_OPAQUE | RISK_ACTS | RISK_TERMINAL | RISK_UNKNOWN |    \
     POLICY_OUTSIDE | POLICY_SETTINGS | POLICY_BY_NAME | POLICY_NOWHERE)

unsigned policy_fact_of(const char *word); /* 0: none is called so */
/* The i-th fact's name; NULL after the last. */
const char *policy_fact_word(size_t i);
/* "destructive network" for a set of them. */
void policy_facts_text(unsigned facts, char *out, size_t size);

enum policy_kind {
    POLICY_COMMAND,
    POLICY_READ,
    POLICY_WRITE,
    POLICY_HOST,
    POLICY_TOOL, /* words: the tool, perhaps its action */
    POLICY_ACTION,
    POLICY_RISK,
};

/* A line that has to match, or must not. */
struct policy_example {
    bool match;
    unsigned line; /* of the file */
    char *command;
    struct policy_example *next;
};

struct policy_rule {
    enum guard_decision decision;
    enum policy_kind kind;
    unsigned line;
    char *text; /* the line, blanks around it removed */
    struct policy_pattern *words;
    size_t n;
    bool rest;      /* of a command: ends with a `*` of its own */
    unsigned facts; /* of RISK: what it names; of an allow for a command: what
                       the words of the rule do by themselves */
    struct policy_example *examples;
    /* of an allow for a command, policy_pin.h: where it starts, and what a
     * file has to hold; NULL: anywhere, any */
    char *in, *with;
    char hash[SHA256_HEX_SIZE]; /* of with */
};

/* A file of rules. */
struct policy_rules {
    char *name; /* its path, or "preset NAME" */
    struct policy_rule *v;
    size_t n;
    bool built_in;      /* its allows cover nothing that is more than looking */
    const char *preset; /* that it asks for; NULL: none. Static */
};

/* Reads one rule; what it holds is freed by policy_rule_done in any case. */
int policy_rule_read(struct policy_rule *rule, const char *text, struct err *e);
void policy_rule_done(struct policy_rule *rule);

/* "unknown WHAT "WORD"; did you mean …": ERR_CONFIG. */
struct nearest;
int policy_unknown(const char *what, const char *word,
                   const struct nearest *meant, struct err *e);

/* Appends the rules of a text; its examples are not tried yet. */
int policy_read(struct policy_rules *r, const char *text, size_t n,
                struct err *e);
void policy_rules_done(struct policy_rules *r);

/* Tries every example, and learns what the words of an allow do. */
int policy_try(struct policy_rules *r, struct err *e);

struct policy {
    struct policy_rules system, user, preset;
};

/* The text of a preset; NULL: there is none of that name. */
const char *policy_preset_text(const char *name);
/* The i-th preset's name, strictest first; NULL after the last. */
const char *policy_preset_name(size_t i);

#endif
