/* SPDX-License-Identifier: GPL-3.0-or-later */
/* backoff.c - how long to wait before asking again. */
#include "model/process/backoff.h"

#include <sys/random.h>

#define FIRST_MS 500
#define MOST_MS  30000

int64_t
backoff_ms(int n)
{
    int64_t ms = FIRST_MS;
    uint16_t chance = UINT16_MAX / 2;

    while (n-- > 0 && ms < MOST_MS)
        ms *= 2;
    if (ms > MOST_MS)
        ms = MOST_MS;
    (void)!getrandom(&chance, sizeof(chance), GRND_NONBLOCK);
    ms = ms * 4 / 5 + ms * 2 / 5 * chance / UINT16_MAX;
    return ms < MOST_MS ? ms : MOST_MS;
}
