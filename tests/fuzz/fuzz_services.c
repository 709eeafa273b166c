/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_services.c - any bytes as sockets, processes and scripts. */
#include <linux/sock_diag.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/lib/netlink.h"
#include "plugins/services/owners.h"
#include "plugins/services/units.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct span text = {(const char *)data, size};
    char *string = strndup(text.p, size), unit[64], path[64];
    struct listeners l = {.n = 0};
    size_t left = 1000;
    uint64_t uid;

    if (!string)
        return 0;
    netlink_parse(data, size, &left, listeners_take, &l, NULL);
    listeners_take(&l, SOCK_DIAG_BY_FAMILY, data, size);
    listeners_sort(&l);
    listeners_done(&l);
    (void)process_uid(text, &uid);
    process_unit(text, unit, sizeof(unit));
    if (units_pid_file(string, path, sizeof(path)) &&
        (strncmp(path, "run/", 4) != 0 || strchr(path, '$')))
        abort();
    free(string);
    return 0;
}
