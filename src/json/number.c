/* SPDX-License-Identifier: GPL-3.0-or-later */
/* number.c - doubles from digits and back, in no one's locale. */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

#include "json/node.h"

/* The person's locale may have a decimal comma. In glibc the "C" locale is a
 * static object, so this costs no allocation. */
static locale_t
enter_c_locale(locale_t *old)
{
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);

    *old = uselocale(c);
    return c;
}

static void
leave_c_locale(locale_t c, locale_t old)
{
    uselocale(old);
    if (c)
        freelocale(c);
}

double
json_number_read(const char *digits)
{
    locale_t old, c = enter_c_locale(&old);
    double d = strtod(digits, NULL);

    leave_c_locale(c, old);
    return d;
}

void
json_number_print(double d, char text[JSON_NUMBER_SIZE])
{
    locale_t old, c = enter_c_locale(&old);

    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, JSON_NUMBER_SIZE, "%.*g", digits, d);
        if (strtod(text, NULL) == d)
            break;
    }
    leave_c_locale(c, old);
}
