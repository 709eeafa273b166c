/* SPDX-License-Identifier: GPL-3.0-or-later */
/* risk.h - what a command line would do, read from its syntax.
 *
 * Every call in the tree is found, what only wraps another is unwrapped (sudo,
 * env, xargs, find -exec, sh -c 'text', ssh host 'text' …: the text is read
 * in turn), and each program is looked up in the tables
 * (src/guard/risk/programs, one stanza a program: see there). What cannot be
 * analysed is opaque, and opaque counts as destructive. Advice, not a wall: the
 * wall is sandbox/. */
#ifndef GUARD_RISK_H
#define GUARD_RISK_H

#include "guard/syntax/syntax.h"

/* Facts about a command line, and reasons for them. */
#define RISK_DESTRUCTIVE 0x0001u /* deletes, overwrites, kills, exposes */
#define RISK_SUDO        0x0002u /* calls sudo, doas, su or pkexec */
#define RISK_PRIVILEGED  0x0004u /* a normal user could not complete it */
#define RISK_NETWORK     0x0008u /* contacts a host other than loopback */
#define RISK_SECRET      0x0010u /* reads keys, passwords, tokens */
#define RISK_OPAQUE      0x0020u /* not analysed; destructive is set too */
#define RISK_LOOKS       0x0040u /* looks at the machine: processes, disks */
#define RISK_HOLDERS     0x0080u /* only readers of others' descriptors */
#define RISK_ACTS        0x0100u /* acts on the machine: services, processes */
#define RISK_TERMINAL    0x0200u /* wants a terminal: editors, pagers, top */
#define RISK_UNKNOWN     0x0400u /* a program that is in no table */
#define RISK_WRITES      0x0800u /* makes or changes files (see paths) */
#define RISK_OWNERS      0x1000u /* shows or compares who owns what */

/* A word that names a file, and what would happen to it. */
enum risk_use {
    RISK_READS,
    RISK_MAKES,   /* a new file, or appends: nothing is lost */
    RISK_CHANGES, /* what was there is overwritten or altered */
    RISK_DELETES,
};

struct risk_path {
    enum risk_use use;
    bool recursive;   /* and everything below it */
    bool known;       /* text is a path, but for ~, patterns, known $x */
    const char *text; /* the word, quotes removed */
    const struct syntax_word *word; /* NULL: found in a text, like dd of=X */
    const char *dir; /* where relative ones begin; NULL: not known */
    size_t from, to; /* bytes of the whole line */
    bool listed;     /* of RISK_READS: its entry alone, no file's bytes */
};

struct risk_host {
    const char *name;    /* "" when it is not known */
    const char *program; /* who contacts it: "ssh", "git clone"; or "" */
    size_t from, to;
};

/* A program that would run, unwrapped. `sudo -u bob rm -f x` gives one call,
 * rm -f x, with RISK_SUDO. A word that expands is its text as written. */
struct risk_call {
    const char *name;        /* base name; "" when an expansion decides */
    const char *path;        /* as it would be executed; NULL: not found */
    const char *const *argv; /* argv[0] as written; NULL at the end */
    const unsigned *expands; /* a word's SYNTAX_ flags each */
    size_t n;
    unsigned facts;      /* RISK_ flags of this call alone */
    const char *wrapper; /* the outermost one's name, or "" */
    size_t from, to;
};

/* What a reason is about. */
enum risk_kind {
    RISK_KIND_PROGRAM,   /* the program, with these options */
    RISK_KIND_UNLISTED,  /* a program that is in no table */
    RISK_KIND_UNVOUCHED, /* words of a known one that no table calls plain */
    RISK_KIND_PATH,      /* the file `about`, and what is done to it */
    RISK_KIND_HOST,      /* the host `about`, which is contacted */
    RISK_KIND_FILE,      /* the file `about`, which is run as code */
    RISK_KIND_VARIABLE,  /* the variable `about`, which decides what runs */
    RISK_KIND_UNREAD,    /* a text that is run and could not be read */
};

/* Why a fact holds. The fields are for programs; the words are for a person,
 * and no code reads them. */
struct risk_reason {
    unsigned fact; /* the one it is for */
    enum risk_kind kind;
    /* who does it: a program's base name, or as it is called where its place
     * is the reason; the sign of a redirection; the language of a code. ""
     * where it is the line itself */
    const char *program;
    const char *about; /* as the line has it; NULL: nothing by name */
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
    void *memory; /* risk.c's: every text lives here or in the syntax */
};

#define RISK_REASONS_MAX 32
#define RISK_CALLS_MAX   1024 /* more: opaque */
#define RISK_NEST_MAX    8    /* texts for shells inside texts; more: opaque */

/* Where the line would run. Each may be NULL: not known. */
struct risk_place {
    const char *cwd; /* absolute: where the command starts */
    /* absolute: what the person works in, for guard_judge; NULL: the cwd */
    const char *workspace;
    const char *home;
    const char *path; /* the variable PATH */
    bool as_root;     /* `privileged` is about a normal user all the same */
    /* absolute: what the person's own words name below home, and so open
     * (secret_named_in); NULL: nothing, else NULL at the end */
    const char *const *named;
};

/* Where this process is: its home, its PATH, whose it is; cwd is borrowed. */
struct risk_place risk_place_here(const char *cwd);

/* Reads what the tree would do; looks at the file system (does the target of
 * > exist? where is the program?), changes nothing. The syntax must outlive
 * out. A fault of the syntax is opaque. -1: no memory. */
int risk_read(const struct syntax *s, const struct risk_place *where,
              struct risk *out, struct err *e);
void risk_done(struct risk *r); /* accepts NULL */

/* Whether a person reads the same words in both. */
bool risk_reason_is_same(const struct risk_reason *a,
                         const struct risk_reason *b);

/* Whether the tables tell of a program of that name or of a subcommand of it,
 * installed or not. */
bool risk_knows_program(const char *name);

/* Whether the name is what a line's $EDITOR or $PAGER is read as: which
 * program that is only the shell knows that runs it. */
bool risk_is_stand_in(const char *name);

#endif
