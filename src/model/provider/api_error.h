/* SPDX-License-Identifier: GPL-3.0-or-later */
/* api_error.h - reads a server's error response, and decides what follows.
 *
 * The bodies of errors differ by provider, and servers that speak one
 * provider's API forward the errors of others, so one reader takes them all.
 * api_error_report.h describes an error to the person. Connections that fail
 * are http_error.h's. */
#ifndef MODEL_PROVIDER_API_ERROR_H
#define MODEL_PROVIDER_API_ERROR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "json/json.h"

struct provider_request;

struct api_error {
    int status;        /* of HTTP, or the one that the body names; 0: none */
    char kind[160];    /* type, code, status and parameter of the body */
    char param[80];    /* the parameter that the body names; may be empty */
    char filter[80];   /* what a content filter objects to; may be empty */
    char message[512]; /* one line of printable text; may be empty */
    bool spent;        /* the credit or a daily quota is used up */
    bool page;         /* a web page, not an answer of the service */
    const char *key;
    int64_t retry_ms; /* the wait that the server asks for; -1: none */
};

/* status: of HTTP; 0: none. key: is removed from messages; borrowed while the
 * error is read; NULL: none. */
void api_error_init(struct api_error *a, int status, const char *key);

/* Reads the body of a response whose status is not 2xx. It ends with a NUL
 * that n does not count. */
void api_error_read(struct api_error *a, const char *body, size_t n);
/* The same from a JSON value: the body's, or an event's. */
void api_error_read_json(struct api_error *a, const struct json *v);
/* Reads the header Retry-After: seconds or a date. now: seconds since the
 * epoch. */
void api_error_read_retry_after(struct api_error *a, const char *value,
                                int64_t now);

/* Whether the same request may succeed a little later. */
bool api_error_is_transient(const struct api_error *a);
/* Whether the server is overloaded (429, 529), rather than broken. */
bool api_error_is_overload(const struct api_error *a);

/* Whether the server does not have the model, or has it no more. */
bool api_error_is_model_missing(const struct api_error *a);

/* Copies the categories for which a content filter stopped a text, with commas
 * between, from a member content_filter_result(s) of Azure. */
void api_error_read_filter(char *to, size_t size, const struct json *v);

/* The parameter that the server does not take: a quirk that r does not have
 * yet, and with which the request is sent again at once. 0: none. */
unsigned api_error_quirk(const struct api_error *a,
                         const struct provider_request *req);

/* Copies text as one printable line with the key removed and secrets
 * redacted. */
void api_error_clean(char *to, size_t size, const char *text, const char *key);

#endif
