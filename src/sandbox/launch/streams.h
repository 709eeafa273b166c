/* SPDX-License-Identifier: GPL-3.0-or-later */
/* streams.h - what a confined child gets for its input and output. */
#ifndef SANDBOX_STREAMS_H
#define SANDBOX_STREAMS_H

#include "base/err.h"

/* Standard input, output and error reach nothing but what they are: files,
 * pipes, devices, and streams with another end. ERR_SANDBOX, for the caller to
 * stop: one is a directory, below which everything could be opened, or a
 * socket that takes an address with what is sent, or has no other end yet. */
int streams_check(struct err *e);

#endif
