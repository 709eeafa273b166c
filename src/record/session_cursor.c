/* SPDX-License-Identifier: GPL-3.0-or-later */
/* session_cursor.c - writes and reads where a list of sessions goes on. */
#include "record/session_cursor.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/ascii.h"
#include "base/sha256.h"

#define DIGITS 16 /* of the number, and of the hash */

void
session_cursor_format(int64_t change, const char *directory,
                      char text[SESSION_CURSOR_SIZE])
{
    char hash[SHA256_HEX_SIZE], list[SHA256_HEX_SIZE] = "all";
    char whole[SHA256_HEX_SIZE + DIGITS + 1];

    if (directory)
        sha256_hex(directory, strlen(directory), list);
    snprintf(whole, sizeof(whole), "%016" PRIx64 "%s", (uint64_t)change, list);
    sha256_hex(whole, strlen(whole), hash);
    snprintf(text, SESSION_CURSOR_SIZE, "c%.*s%.*s", DIGITS, whole, DIGITS,
             hash);
}

/* The number that the digits behind the first letter are; 0: they are none. */
static int64_t
cursor_number(const char *text)
{
    uint64_t n = 0;

    for (int i = 1; i <= DIGITS; i++) {
        char c = text[i];

        if (!ascii_is_digit(c) && (c < 'a' || c > 'f'))
            return 0;
        n = n << 4 | (uint64_t)(ascii_is_digit(c) ? c - '0' : c - 'a' + 10);
    }
    return n <= INT64_MAX ? (int64_t)n : 0;
}

int
session_cursor_parse(const char *text, const char *directory, int64_t *change,
                     struct err *e)
{
    bool whole = strnlen(text, SESSION_CURSOR_SIZE) == SESSION_CURSOR_SIZE - 1;
    int64_t n = whole ? cursor_number(text) : 0;
    char same[SESSION_CURSOR_SIZE] = "";

    if (n > 0)
        session_cursor_format(n, directory, same);
    if (n <= 0 || strcmp(same, text) != 0)
        return err_set(e, ERR_INVALID,
                       "the cursor is damaged, or of another list");
    *change = n;
    return 0;
}
