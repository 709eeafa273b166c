/* SPDX-License-Identifier: GPL-3.0-or-later */
/* random_id.c - ids that nobody can guess. */
#include "base/random_id.h"

#include <stdio.h>
#include <sys/random.h>

static int
get_random_bytes(void *out, size_t n, struct err *e)
{
    return getrandom(out, n, 0) == (ssize_t)n ? 0 : err_sys(e, "random bytes");
}

int
random_id(char *out, size_t size, struct err *e)
{
    static const char digits[] = "0123456789abcdef";

    out[0] = '\0';
    if (get_random_bytes(out, size / 2, e) < 0)
        return -1;
    for (size_t i = size / 2; i-- > 0;) { /* from behind: in its place */
        unsigned char byte = (unsigned char)out[i];

        out[2 * i] = digits[byte >> 4];
        out[2 * i + 1] = digits[byte & 15];
    }
    out[size - 1] = '\0';
    return 0;
}

int
random_uuid(char out[RANDOM_UUID_SIZE], struct err *e)
{
    unsigned char b[16];

    out[0] = '\0';
    if (get_random_bytes(b, sizeof(b), e) < 0)
        return -1;
    b[6] = (unsigned char)((b[6] & 0x0f) | 0x40); /* version 4 */
    b[8] = (unsigned char)((b[8] & 0x3f) | 0x80);
    snprintf(out, RANDOM_UUID_SIZE,
             "%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-"
             "%02x%02x%02x%02x%02x%02x",
             b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10],
             b[11], b[12], b[13], b[14], b[15]);
    return 0;
}
