/* SPDX-License-Identifier: GPL-3.0-or-later */
/* session_id.c - makes and recognizes the names of sessions. */
#include "record/session_id.h"

#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#define ID_BYTES 16

int
session_id_make(char id[SESSION_ID_SIZE], struct err *e)
{
    unsigned char bytes[ID_BYTES];

    if (getrandom(bytes, sizeof(bytes), 0) != (ssize_t)sizeof(bytes))
        return err_sys(e, "random bytes");
    for (size_t i = 0; i < ID_BYTES; i++)
        snprintf(id + 2 * i, 3, "%02x", bytes[i]);
    return 0;
}

bool
session_id_is(const char *p, size_t n)
{
    size_t digits = 0;

    while (digits < n && p[digits] && strchr("0123456789abcdef", p[digits]))
        digits++;
    return digits == n && n == SESSION_ID_SIZE - 1;
}
