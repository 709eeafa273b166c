/* SPDX-License-Identifier: GPL-3.0-or-later */
/* call_origin.h - whose words the output of a read-only tool call can hold. */
#ifndef ACTION_CALL_ORIGIN_H
#define ACTION_CALL_ORIGIN_H

#include "action/callable_tools.h"
#include "json/json.h"

/* Whether others than root could have written the output of the call. */
bool call_is_outside(const struct callable_tool *o, const struct json *args);

#endif
