/* SPDX-License-Identifier: GPL-3.0-or-later */
/* risk_code_table.h - calls of other languages that matter. */
#ifndef GUARD_RISK_CODE_TABLE_H
#define GUARD_RISK_CODE_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#define CODE_PYTHON 0x001u
#define CODE_PERL   0x002u
#define CODE_RUBY   0x004u
#define CODE_NODE   0x008u
#define CODE_PHP    0x010u
#define CODE_LUA    0x020u
#define CODE_TCL    0x040u
#define CODE_R      0x080u
#define CODE_AWK    0x100u
#define CODE_SQL    0x200u
#define CODE_MONGO  0x400u
#define CODE_REDIS  0x800u

enum code_effect {
    CODE_DELETES,  /* files, of which the first words are strings */
    CODE_HARMS,    /* data, processes: what it names is no path */
    CODE_EXECUTES, /* the strings behind it are a command */
    CODE_CONNECTS, /* reaches out */
    CODE_OPAQUE,   /* runs what was not written here */
    CODE_OPENS,    /* a file; a later string is the mode: w, >, a */
    CODE_WRITES,   /* a file, the first string behind it */
    CODE_COPIES,   /* to a file, the second one */
};

struct code_row {
    unsigned languages;
    const char *word; /* a name, maybe with what precedes and follows it */
    enum code_effect effect;
    const char *needs; /* must stand somewhere too; NULL: nothing */
};

/* Row i; NULL behind the last. */
const struct code_row *code_row(size_t i);

struct code_language {
    const char *name;
    unsigned flag;
    const char *quotes;   /* that begin a string */
    const char *comments; /* that begin one: #, /, - (doubled) */
    bool executes;        /* `text` runs a command */
    bool patterns;        /* /text/ is a pattern */
    bool any_case;
};

const struct code_language *code_language(const char *name);

#endif
