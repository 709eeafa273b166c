/* SPDX-License-Identifier: GPL-3.0-or-later */
/* request_copy.h - a request that outlives what it was made of. */
#ifndef MODEL_REQUEST_COPY_H
#define MODEL_REQUEST_COPY_H

#include "base/cleanup.h"
#include "base/err.h"
#include "model/client.h"

struct request_copy;

/* A copy of all that r points to. NULL with ERR_NOMEM. */
struct request_copy *request_copy_new(const struct model_request *r,
                                      struct err *e);
void request_copy_free(struct request_copy *c); /* accepts NULL */
DEFINE_CLEANUP(struct request_copy, request_copy_free)

/* Borrowed from the copy. */
const struct model_request *request_copy_of(const struct request_copy *c);

#endif
