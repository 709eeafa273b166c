/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_manifest.c - any bytes are a manifest within its bounds, or an error
 * that names the file. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tool/manifest.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
must(bool truth)
{
    if (!truth)
        abort();
}

static void
check_paths(const char *const *list, bool everywhere)
{
    for (size_t i = 0; list[i]; i++) {
        must(i < MANIFEST_LIST_MAX);
        must(list[i][0] == '/' || list[i][0] == '~' ||
             strcmp(list[i], "workspace") == 0);
        must(!strstr(list[i], "/../") && !strchr(list[i], '\n'));
        must(everywhere || strspn(list[i], "/") < strlen(list[i]));
    }
}

static void
check(const struct manifest *m)
{
    must(m->n_actions > 0 && m->n_actions <= MANIFEST_ACTIONS_MAX);
    must(manifest_is_name(m->name) && !strchr(m->executable, '/'));
    check_paths(m->needs.read, true);
    check_paths(m->needs.write, false);
    for (size_t i = 0; i < m->n_actions; i++) {
        const struct manifest_action *a = &m->actions[i];

        must(manifest_action(m, a->name) == a && a->args_check);
        must(!a->read_only || (!a->destructive && !a->writes[0]));
        (void)json_schema_check(a->args_check, m->root, 0, NULL);
    }
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct err e = {0};
    CLEANUP(manifest_free_p)
    struct manifest *m = manifest_parse((const char *)data, size, "here", &e);

    if (m)
        check(m);
    else
        must(strncmp(e.text, "here: ", 6) == 0);
    return 0;
}
