/* SPDX-License-Identifier: GPL-3.0-or-later */
/* err.h - what went wrong, in words for a person and a code for a program.
 *
 * A function that can fail takes `struct err *e` last, which lives on the
 * caller's stack; it returns 0 or a pointer on success, -1 or NULL on
 * failure, and then e says why. Out-parameters stay untouched on failure.
 * e may be NULL when the caller does not care. */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#include <errno.h>
#include <stddef.h>

enum err_code {
    ERR_NONE,
    ERR_USAGE,       /* the person called it wrongly */
    ERR_CONFIG,      /* a configuration file is wrong */
    ERR_PARSE,       /* bytes that are not what they claim to be */
    ERR_INVALID,     /* well-formed, but not allowed here */
    ERR_NOT_FOUND,   /* no such file, command, key, row */
    ERR_PERMISSION,  /* the system refused */
    ERR_IO,          /* a read, write or system call failed */
    ERR_NOMEM,       /* no memory, or a bound of ours was reached */
    ERR_TIMEOUT,     /* a time limit passed */
    ERR_MODEL,       /* the model could not be reached, or refused */
    ERR_ANSWER,      /* the model's answer cannot be used */
    ERR_DENIED,      /* by policy, by a person, or nobody could be asked */
    ERR_SANDBOX,     /* a layer of the sandbox could not be set up */
    ERR_INTERRUPTED, /* Ctrl-C */
    ERR_UNSUPPORTED, /* this machine or build cannot */
    ERR_PEER,        /* a peer broke the protocol or one of its bounds */
    ERR_TOOL,        /* a step or tool failed */
    ERR_UNFIT,       /* nothing that is known without a model fits */
    ERR_N
};

/* Which of its code, where a program does one thing or another by it. */
enum err_kind {
    ERR_KIND_NONE,
    ERR_KIND_CUT,       /* ERR_ANSWER: it met the limit of tokens */
    ERR_KIND_UNOFFERED, /* ERR_ANSWER: a call where no tool was offered */
    ERR_KIND_NO_START,  /* ERR_PEER: its program could not be executed */
    ERR_KIND_ENDED,     /* ERR_PEER: it ended without an answer … */
    ERR_KIND_READ_ONLY, /* … and its last words were EROFS's */
    ERR_KIND_NO_READER, /* ERR_PEER: who read standard output has left */
    ERR_KIND_N
};

/* The text is for a person: what a program asks about has a field. */
struct err {
    enum err_code code;
    enum err_kind kind;
    int sys;        /* errno behind it, or 0 */
    size_t at;      /* the byte of a text that is wrong, from 1; 0: none */
    char text[256]; /* "outer: inner", always terminated */
};

/* Sets code and text, and clears the rest. Returns -1:
 * `return err_set(e, …);` */
int err_set(struct err *e, enum err_code code, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* The same with what a program asks about: kind, or the byte at which a text
 * is wrong, which the text begins with: "byte 41: …". Both return -1. */
int err_set_kind(struct err *e, enum err_code code, enum err_kind kind,
                 const char *fmt, ...) __attribute__((format(printf, 4, 5)));
int err_set_at(struct err *e, enum err_code code, size_t at, const char *fmt,
               ...) __attribute__((format(printf, 4, 5)));

/* The same from errno: code by its kind (ENOENT is ERR_NOT_FOUND, …), the
 * system's reason after the text. Returns -1. */
int err_sys(struct err *e, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Puts context in front of what e says: "context: inner"; the fields
 * stay. Returns -1. */
int err_wrap(struct err *e, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* What each code is to those outside; the one table for it.
 * Exit statuses are those of agentsh(1); tool codes those of the Plugin Tool
 * API; rpc codes those of JSON-RPC 2.0. */
int err_exit_status(enum err_code code);
const char *err_tool_code(enum err_code code);
int err_rpc_code(enum err_code code);

#endif
