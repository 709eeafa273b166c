/* SPDX-License-Identifier: GPL-3.0-or-later */
/* operand_order.h - checks that operands are in the order of the request. */
#ifndef OFFLINE_ENGINE_OPERAND_ORDER_H
#define OFFLINE_ENGINE_OPERAND_ORDER_H

#include <stdbool.h>

#include "offline/parse/request_parse.h"

/* Whether the operands of cp, mv, ln, diff and other programs for which the
 * order matters are swapped: in "copy to b the file a" b is the target. */
bool operand_order_is_swapped(const struct request *q, const char *command);

#endif
