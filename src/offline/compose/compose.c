/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compose.c - the table of composers. */
#include "offline/compose/compose.h"

static const struct composer composers[] = {
    {"find", find_compose},
    {NULL, NULL},
};

const struct composer *
composer_all(void)
{
    return composers;
}
