/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_svc_state.c - whatever a manager of services says has a meaning. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "plugins/svc.manage/state.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(free_p) char *text = strndup((const char *)data, size);
    struct state s = {0};

    if (!text)
        return 0;
    (void)state_of_systemd(text, &s, NULL);
    (void)state_of_launchd(text, &s, NULL);
    state_boot_of_launchd(text, "a.b", &s);
    state_boot_of_openrc(text, "sshd", &s);
    if (!state_name(s.word) || strlen(s.detail) >= STATE_DETAIL_MAX)
        abort();
    return 0;
}
