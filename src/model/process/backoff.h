/* SPDX-License-Identifier: GPL-3.0-or-later */
/* backoff.h - how long to wait before asking again. */
#ifndef MODEL_PROCESS_BACKOFF_H
#define MODEL_PROCESS_BACKOFF_H

#include <stdint.h>

/* After the n-th failure, from 0: half a second, doubled each time, at most
 * 30 s, a fifth more or less by chance, so that many who were refused at once
 * do not come back at once. */
int64_t backoff_ms(int n);

#endif
