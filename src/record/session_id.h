/* SPDX-License-Identifier: GPL-3.0-or-later */
/* session_id.h - the name of a session: 128 random bits in hexadecimal. */
#ifndef RECORD_SESSION_ID_H
#define RECORD_SESSION_ID_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

#define SESSION_ID_SIZE 33 /* 32 digits and the NUL */

/* An id that no session ever had. -1: the kernel gives no random bytes. */
int session_id_make(char id[SESSION_ID_SIZE], struct err *e);

/* Whether n bytes that somebody else wrote have the form of one. */
bool session_id_is(const char *p, size_t n);

#endif
