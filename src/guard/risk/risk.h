/* SPDX-License-Identifier: GPL-3.0-or-later */
/* risk.h - derives what a command line would do from its syntax tree.
 *
 * Every call in the tree is found. What only wraps another command is
 * unwrapped (sudo, env, xargs, find -exec, sh -c 'text', ssh host 'text' …;
 * such a text is parsed in turn), and each program is looked up in the tables
 * (programs/, one stanza a program). What cannot be analysed is opaque, and
 * opaque counts as destructive. The folder knows nothing of the rules that the
 * user has set (policy/) and changes nothing; it reads the file system to see
 * what exists. The result is advice: the sandbox enforces. The only failure is
 * lack of memory. */
#ifndef GUARD_RISK_RISK_H
#define GUARD_RISK_RISK_H

#include "guard/path/path_context.h"
#include "guard/syntax/syntax.h"

/* Facts about a command line. */
#define RISK_DESTRUCTIVE 0x0001u /* deletes, overwrites, kills, exposes */
#define RISK_SUDO        0x0002u /* calls sudo, doas, su or pkexec */
#define RISK_PRIVILEGED  0x0004u /* a normal user could not complete it */
#define RISK_NETWORK     0x0008u /* contacts a host other than loopback */
#define RISK_SECRET      0x0010u /* reads keys, passwords or tokens */
#define RISK_OPAQUE      0x0020u /* unreadable; destructive is set too */
#define RISK_LOOKS       0x0040u /* shows processes, disks and the like */
#define RISK_HOLDERS     0x0080u /* every call reads others' descriptors */
#define RISK_ACTS        0x0100u /* acts on services, processes and the like */
#define RISK_TERMINAL    0x0200u /* needs a terminal: editors, pagers, top */
#define RISK_UNKNOWN     0x0400u /* calls a program that is in no table */
#define RISK_WRITES      0x0800u /* creates or changes files (see paths) */
#define RISK_OWNERS      0x1000u /* shows or compares who owns what */

/* Facts that make a call worse than one that only looks: a person is asked
 * about them unless a rule or a sandbox settles it. RISK_WRITES is none of
 * them, since rules about paths decide what may be written. */
#define RISK_ASKED                                                             \
    (RISK_DESTRUCTIVE | RISK_SUDO | RISK_PRIVILEGED | RISK_NETWORK |           \
     RISK_SECRET | RISK_OPAQUE | RISK_ACTS | RISK_TERMINAL | RISK_UNKNOWN)

/* How a file is used. */
enum risk_use {
    RISK_READS,
    RISK_MAKES,   /* creates or appends: nothing is lost */
    RISK_CHANGES, /* overwrites or alters what exists */
    RISK_DELETES,
};

/* A word that names a file. */
struct risk_path {
    enum risk_use use;
    bool recursive;   /* and everything below it */
    bool known;       /* text is the path, but for ~, patterns, known $x */
    const char *text; /* the word, quotes removed */
    const struct syntax_word *word; /* NULL: part of a text, like dd of=X */
    const char *dir;                /* of a relative path; NULL: not known */
    size_t from, to;                /* bytes of the whole line */
    bool listed; /* of RISK_READS: only its directory entry */
};

struct risk_host {
    const char *name;    /* "" when it is not known */
    const char *program; /* that contacts it: "ssh", "git clone"; or "" */
    size_t from, to;
};

/* A program that would run, unwrapped: `sudo -u bob rm -f x` gives one call, rm
 * -f x, with RISK_SUDO. A word that expands keeps its text as written. */
struct risk_call {
    const char *name;        /* base name; "" when an expansion decides */
    const char *path;        /* as it would be executed; NULL: not found */
    const char *const *argv; /* argv[0] as written; NULL at the end */
    const unsigned *expands; /* the SYNTAX_ flags of each word */
    size_t n;
    unsigned facts;      /* RISK_ flags of this call alone */
    const char *wrapper; /* the outermost one's name, or "" */
    size_t from, to;
};

/* What a reason is about. */
enum risk_kind {
    RISK_KIND_PROGRAM,   /* the program, with these options */
    RISK_KIND_UNLISTED,  /* a program that is in no table */
    RISK_KIND_UNVOUCHED, /* known, but no rule calls it plain */
    RISK_KIND_PATH,      /* what is done to the file `about` */
    RISK_KIND_HOST,      /* the host `about`, which is contacted */
    RISK_KIND_FILE,      /* the file `about`, which is run as code */
    RISK_KIND_VARIABLE,  /* the variable `about`, which decides what runs */
    RISK_KIND_UNREAD,    /* a text that runs and cannot be read */
};

/* Why a fact holds. says and text are for people: no code may read them. */
struct risk_reason {
    unsigned fact; /* the one that it explains */
    enum risk_kind kind;
    /* the cause: a program's base name, or its path where the directory is the
     * reason; the operator of a redirection; the language of a script. "":
     * the line itself */
    const char *program;
    const char *about; /* as written in the line; NULL: nothing */
    const char *dir;   /* of RISK_KIND_FILE: where a relative path is; NULL: it
                          is not known */
    size_t from, to;   /* bytes of the line */
    const char *says;  /* "deletes files"; a sentence where program is "" */
    const char *text;  /* "rm deletes files" */
};

struct risk {
    unsigned facts; /* of the whole line */
    struct risk_reason
        *reasons; /* at most RISK_REASONS_MAX, in reading order */
    struct risk_path *paths;
    struct risk_host *hosts;
    struct risk_call *calls;
    size_t n_reasons, n_paths, n_hosts, n_calls;
    bool prepared; /* it was given variables or an input (risk_start) */
    void *memory;  /* owns every text that is not in the syntax tree; private */
};

#define RISK_REASONS_MAX 32
#define RISK_CALLS_MAX   1024 /* more is opaque */
#define RISK_NEST_MAX    8    /* nested texts for shells; more is opaque */

/* What the shell that runs a line begins with, beside the person's own
 * environment. Borrowed until it is read. */
struct risk_start {
    /* exported variables, NAME=value, NULL-ended; NULL: none. They are judged
     * as assignments in front of the line's first command would be */
    const char *const *variables;
    /* its standard input, which is judged as a here-document would be; NULL:
     * it is empty. It may contain a NUL, and may be too long to be read: what
     * runs it as code is opaque then */
    const char *input;
    size_t input_n;
};

/* Analyses a tree. Reads the file system (does the target of > exist? where is
 * the program?) and changes nothing. A syntax error is opaque. s has to outlive
 * out. -1: no memory. */
int risk_read(const struct syntax *s, const struct path_context *where,
              struct risk *out, struct err *e);
int risk_read_from(const struct syntax *s, const struct path_context *where,
                   const struct risk_start *start, struct risk *out,
                   struct err *e);
void risk_done(struct risk *r); /* accepts NULL */

/* Whether both read the same to a person. */
bool risk_reason_is_same(const struct risk_reason *a,
                         const struct risk_reason *b);

/* Whether the tables describe a program of that name or a subcommand of it,
 * whether it is installed or not. */
bool risk_knows_program(const char *name);

/* Whether the name is the one that replaces $EDITOR or $PAGER in a line: which
 * program that is, only the shell knows that will run it. */
bool risk_is_placeholder(const char *name);

#endif
