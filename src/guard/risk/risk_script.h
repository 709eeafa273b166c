/* SPDX-License-Identifier: GPL-3.0-or-later */
/* risk_script.h - finds out what code in other languages would do; private to
 * this folder.
 *
 * The code is what python -c, perl -e, node -e, awk, psql -c and the like run.
 * It is searched, not parsed: strings, comments and regular expressions are
 * blanked, then the rest is searched for the calls of a table. */
#ifndef GUARD_RISK_RISK_SCRIPT_H
#define GUARD_RISK_RISK_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>

#include "guard/risk/risk_internal.h"
#include "guard/risk/risk_state.h"

#define SCRIPT_PYTHON 0x001u
#define SCRIPT_PERL   0x002u
#define SCRIPT_RUBY   0x004u
#define SCRIPT_NODE   0x008u
#define SCRIPT_PHP    0x010u
#define SCRIPT_LUA    0x020u
#define SCRIPT_TCL    0x040u
#define SCRIPT_R      0x080u
#define SCRIPT_AWK    0x100u
#define SCRIPT_SQL    0x200u
#define SCRIPT_MONGO  0x400u
#define SCRIPT_REDIS  0x800u

enum risk_script_effect {
    SCRIPT_DELETES,  /* files; the first arguments name them */
    SCRIPT_HARMS,    /* data or processes; its arguments are no paths */
    SCRIPT_EXECUTES, /* its string arguments are a command */
    SCRIPT_CONNECTS, /* to a host */
    SCRIPT_OPAQUE,   /* runs what is not written here */
    SCRIPT_OPENS,    /* a file; a later string is the mode: w, >, a */
    SCRIPT_WRITES,   /* a file, its first argument */
    SCRIPT_COPIES,   /* to a file, its second argument */
};

/* A call that matters. */
struct risk_script_call {
    unsigned languages;
    const char *word; /* its name, maybe with what surrounds it */
    enum risk_script_effect effect;
    const char *needs; /* must occur somewhere too; NULL: nothing */
};

/* Row i of the table; NULL behind the last. */
const struct risk_script_call *risk_script_call(size_t i);

struct risk_script_language {
    const char *name;
    unsigned flag;
    const char *quotes;   /* that begin a string */
    const char *comments; /* that begin a comment: #, /, - (doubled) */
    bool executes;        /* `text` runs a command */
    bool patterns;        /* /text/ is a regular expression */
    bool any_case;
};

/* NULL: none of that name. */
const struct risk_script_language *risk_script_language(const char *name);

/* A piece of code while it is searched. */
struct risk_script {
    struct risk_state *st;
    struct risk_frame *frame;
    const struct risk_script_language *language;
    const struct risk_arg *arg; /* that holds the code */
    const char *text;
    bool connects, executes;
    const char *blank; /* as long as text; strings and comments are blanks */
};

/* Reports code that calls a name which neither the table nor a list of
 * harmless names has. */
void risk_script_check_names(struct risk_script *c);

/* Whether names of these languages may contain c. */
bool risk_script_is_name_char(char c);

/* A copy of the string literal at *at, which is moved behind it. NULL: none is
 * there, or it has numeric escapes. */
const char *risk_script_string(struct risk_state *st, const char *quotes,
                               const char **at);

/* A copy in which strings, comments and regular expressions are blanks. */
const char *risk_script_blank(struct risk_state *st,
                              const struct risk_script_language *l,
                              const char *text);

/* A copy of SQL with one blank for each run of blanks and comments. Reports
 * commands of the client (.shell, \!) that do more than show. */
const char *risk_script_sql(struct risk_state *st, const struct risk_arg *a);

/* Report what a sed script writes and runs; the same of awk's print and
 * getline. */
void risk_script_sed(struct risk_state *st, const struct risk_frame *f,
                     const struct risk_arg *a);
void risk_script_awk(struct risk_state *st, const struct risk_frame *f,
                     const struct risk_arg *a, const char *blank);

#endif
