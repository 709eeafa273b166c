/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fault.h - a server's refusal: what it says, and what follows from it.
 *
 * Error bodies differ by provider, and servers that speak one provider's
 * language forward the errors of others, so one reader takes them all. */
#ifndef MODEL_FAULT_H
#define MODEL_FAULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "json/json.h"

struct call;

struct fault {
    int status;        /* HTTP's, or the one that the body names; 0: none */
    char kind[160];    /* type, code, status and parameter of the body */
    char message[512]; /* one line of printable text; may be empty */
    bool spent;        /* money or a daily quota is used up */
    bool page;         /* a web page, not an answer of the service */
    const char *key;
    int64_t retry_ms; /* how long to wait, when it says so; else -1 */
};

/* Forgets everything. status: HTTP's. key: what a message must not show;
 * borrowed while f is filled; NULL: none. */
void fault_init(struct fault *f, int status, const char *key);

/* The body of an answer whose status is not 2xx, of any kind; it ends with a
 * NUL that n does not count. */
void fault_read(struct fault *f, const char *body, size_t n);
/* The same from a value: an event of a stream, or the body's. */
void fault_read_json(struct fault *f, const struct json *v);
/* The Retry-After header: seconds or a date. now: seconds since the epoch. */
void fault_read_retry_after(struct fault *f, const char *value, int64_t now);

/* Whether the same request may succeed a little later. */
bool fault_is_passing(const struct fault *f);
/* Too much is asked of it (429, 529), rather than something being broken. */
bool fault_is_busy(const struct fault *f);

/* Which of the call's parameters the server does not take: a quirk that c
 * does not have yet, to try again with at once. 0: it is something else. */
unsigned fault_quirk(const struct fault *f, const struct call *c);

/* The line for the person. host: whom we asked. tries: requests sent. */
int fault_tell(const struct fault *f, const struct call *c, const char *host,
               int tries, struct err *e);

/* Copies advice with the name of a variable in the place of its "%s". */
void fault_advice(char *to, size_t size, const char *advice, const char *name);

/* Copies text as one printable line without the key in it. */
void fault_clean(char *to, size_t size, const char *text, const char *key);

#endif
