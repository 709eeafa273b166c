/* SPDX-License-Identifier: GPL-3.0-or-later */
/* err.h - describes an error: a code for the program, a text for a person.
 *
 * A function that can fail takes `struct err *e` as its last parameter; the
 * struct is on the caller's stack. It returns 0 or a pointer on success, -1 or
 * NULL on failure, and on failure e says why. Out-parameters are untouched on
 * failure. e may be NULL where the caller does not need the reason. */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#include <errno.h>
#include <stddef.h>

enum err_code {
    ERR_NONE,
    ERR_USAGE,       /* wrong options or arguments on the command line */
    ERR_CONFIG,      /* a configuration file is wrong */
    ERR_PARSE,       /* malformed input */
    ERR_INVALID,     /* well-formed, but not allowed here */
    ERR_NOT_FOUND,   /* no such file, command, key, row */
    ERR_PERMISSION,  /* the system denied access */
    ERR_IO,          /* a read, write or system call failed */
    ERR_NOMEM,       /* out of memory, or a limit of ours was reached */
    ERR_TIMEOUT,     /* a time limit passed */
    ERR_MODEL,       /* the model cannot be reached, or refused */
    ERR_ANSWER,      /* the model's answer cannot be used */
    ERR_DENIED,      /* denied by policy or a person, or nobody to ask */
    ERR_SANDBOX,     /* a layer of the sandbox could not be set up */
    ERR_INTERRUPTED, /* Ctrl-C */
    ERR_UNSUPPORTED, /* this machine or build cannot do it */
    ERR_PEER,        /* a peer broke the protocol or one of its limits */
    ERR_TOOL,        /* a step or tool failed */
    ERR_UNFIT,       /* the offline engine has no answer */
    ERR_N
};

/* Tells errors of one code apart, where the program treats them differently. */
enum err_kind {
    ERR_KIND_NONE,
    ERR_KIND_TRUNCATED,       /* ERR_ANSWER: cut off at the token limit */
    ERR_KIND_UNDECLARED_TOOL, /* ERR_ANSWER: a call where no tool is declared */
    ERR_KIND_NO_START,        /* ERR_PEER: its program cannot be executed */
    ERR_KIND_ENDED,           /* ERR_PEER: it exited without an answer … */
    ERR_KIND_READ_ONLY,       /* … and last printed the text of EROFS */
    ERR_KIND_NO_READER,       /* ERR_PEER: standard output has no reader left */
    ERR_KIND_N
};

/* The text is for a person alone: code that needs to decide something reads the
 * other fields, never the text. It is English, since programs, the journal and
 * peers get it too; who prints it says it by base/message_put.h. */
struct err {
    enum err_code code;
    enum err_kind kind;
    int sys;        /* the errno that caused it, or 0 */
    size_t at;      /* the offset of the wrong byte, from 1; 0: unknown */
    char text[256]; /* "outer: inner", always terminated */
};

/* Sets the code and the text, and clears the other fields. Returns -1, so that
 * a caller can write `return err_set(e, …);`. All functions below return -1. */
int err_set(struct err *e, enum err_code code, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* The same, and sets kind, or the position: the text then begins with it, "byte
 * 41: …". */
int err_set_kind(struct err *e, enum err_code code, enum err_kind kind,
                 const char *fmt, ...) __attribute__((format(printf, 4, 5)));
int err_set_at(struct err *e, enum err_code code, size_t at, const char *fmt,
               ...) __attribute__((format(printf, 4, 5)));

/* ERR_NOMEM with the text "out of memory". */
int err_nomem(struct err *e);

/* The system's words for an errno, in English whatever the locale, because
 * programs get them too. It lasts as long as the program. */
const char *err_system(int sys);

/* Sets an error from errno: the code by its value (ENOENT is ERR_NOT_FOUND, …),
 * and the system's reason behind the text. errno stays as it is. */
int err_sys(struct err *e, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Puts context in front of the text: "context: text". The other fields stay. */
int err_wrap(struct err *e, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* What a code is outside the program, from one table: the exit status
 * (agentsh(1)), and the code of the plugin protocol (agentsh-plugin(7)). */
int err_exit_status(enum err_code code);
const char *err_tool_code(enum err_code code);

#endif
