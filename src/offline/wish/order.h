/* SPDX-License-Identifier: GPL-3.0-or-later */
/* order.h - whether operands stand in the order that was said. */
#ifndef OFFLINE_ORDER_H
#define OFFLINE_ORDER_H

#include <stdbool.h>

#include "offline/request/request.h"

/* Of programs to whom the order means something: cp, mv, ln, diff. "copy to b
 * the file a" says that b is where it goes. */
bool order_is_turned(const struct request *q, const char *command);

#endif
