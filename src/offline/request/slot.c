/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slot.c - the names of the types of literals. */
#include "offline/request/slot.h"

#include <string.h>

static const char *const names[SLOT_TYPES] = {
    [SLOT_PATH] = "path",     [SLOT_GLOB] = "glob", [SLOT_EXT] = "ext",
    [SLOT_SIZE] = "size",     [SLOT_AGE] = "age",   [SLOT_DATE] = "date",
    [SLOT_NUMBER] = "number", [SLOT_PORT] = "port", [SLOT_USER] = "user",
    [SLOT_GROUP] = "group",   [SLOT_HOST] = "host", [SLOT_URL] = "url",
    [SLOT_MODE] = "mode",     [SLOT_NAME] = "name", [SLOT_TEXT] = "text",
};

const char *
slot_name(enum slot_type type)
{
    return (unsigned)type < SLOT_TYPES ? names[type] : "";
}

int
slot_find(const char *name, size_t n)
{
    for (int i = 0; i < SLOT_TYPES; i++)
        if (strlen(names[i]) == n && memcmp(names[i], name, n) == 0)
            return i;
    return -1;
}
