/* SPDX-License-Identifier: GPL-3.0-or-later */
/* retry.h - how long to wait before a failed request is sent again. */
#ifndef MODEL_PROCESS_RETRY_H
#define MODEL_PROCESS_RETRY_H

#include <stdint.h>

/* The wait after the n-th failure, from 0: half a second, doubled each time, at
 * most 30 s, with a random change of up to a fifth, so that many clients that
 * were refused at once do not return at once. */
int64_t retry_delay_ms(int n);

#endif
