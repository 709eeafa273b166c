/* SPDX-License-Identifier: GPL-3.0-or-later */
/* retry.c - how long to wait before a failed request is sent again. */
#include "model/process/retry.h"

#include <sys/random.h>

#define BACKOFF_FIRST_MS 500
#define BACKOFF_MAX_MS   30000

int64_t
retry_delay_ms(int n)
{
    int64_t ms = BACKOFF_FIRST_MS;
    uint16_t chance = UINT16_MAX / 2;

    while (n-- > 0 && ms < BACKOFF_MAX_MS)
        ms *= 2;
    if (ms > BACKOFF_MAX_MS)
        ms = BACKOFF_MAX_MS;
    (void)!getrandom(&chance, sizeof(chance), GRND_NONBLOCK);
    ms = ms * 4 / 5 + ms * 2 / 5 * chance / UINT16_MAX;
    return ms < BACKOFF_MAX_MS ? ms : BACKOFF_MAX_MS;
}
