/* SPDX-License-Identifier: GPL-3.0-or-later */
/* session_id.c - makes and recognizes the names of sessions. */
#include "record/session_id.h"

#include <string.h>

#include "base/random_id.h"

int
session_id_make(char id[SESSION_ID_SIZE], struct err *e)
{
    return random_id(id, SESSION_ID_SIZE, e);
}

bool
session_id_is(const char *p, size_t n)
{
    size_t digits = 0;

    while (digits < n && p[digits] && strchr("0123456789abcdef", p[digits]))
        digits++;
    return digits == n && n == SESSION_ID_SIZE - 1;
}
