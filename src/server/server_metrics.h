/* SPDX-License-Identifier: GPL-3.0-or-later */
/* server_metrics.h - the memory and the descriptors of this process, for
 * /metrics. */
#ifndef SERVER_SERVER_METRICS_H
#define SERVER_SERVER_METRICS_H

#include <stdint.h>

uint64_t server_metrics_memory(void);      /* resident, in bytes; 0: unknown */
uint64_t server_metrics_descriptors(void); /* that are open */

#endif
