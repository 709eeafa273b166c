/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_owner.c - any bytes as lists of who may write, and as accounts. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/acl.h"
#include "base/own_group.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The three texts stand one behind the other, a form feed between them. */
static void
judge_texts(char *text)
{
    char *group = strchr(text, '\f'), *nsswitch;
    char why[OWN_GROUP_WHY];

    if (!group)
        return;
    *group++ = '\0';
    nsswitch = strchr(group, '\f');
    if (nsswitch)
        *nsswitch++ = '\0';
    const struct own_group_files files = {text, group, nsswitch};

    for (gid_t gid = 0; gid <= 1000; gid += 1000)
        if (own_group_check(&files, gid, 1000, why) &&
            (!strchr(text, ':') || !strchr(group, ':')))
            abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = strndup((const char *)data, size);
    struct acl acl;

    if (!text)
        return 0;
    judge_texts(text);
    free(text);
    if (acl_read_posix(data, size, &acl) == 0 && acl.n > size / 8)
        abort();
    if (acl_read_nfs4(data, size, &acl) == 0 && acl.n > size / 16)
        abort();
    return 0;
}
