/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nats_library.c - loads cnats. */
#include "wire/nats_library.h"

#include <dlfcn.h>
#include <stddef.h>

#include "base/array.h"

#define NATS_CALL_ROW(name) {#name, offsetof(struct nats_calls, name)},

static const struct nats_symbol {
    const char *name;
    size_t at;
} nats_symbols[] = {NATS_CALLS(NATS_CALL_ROW)};

int
nats_library_load(struct nats_calls *c, struct err *e)
{
    c->library = dlopen(NATS_LIBRARY, RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
    if (!c->library)
        return err_set(e, ERR_UNSUPPORTED,
                       "%s is not installed: --nats needs "
                       "it",
                       NATS_LIBRARY);
    for (size_t i = 0; i < ARRAY_SIZE(nats_symbols); i++) {
        /* the way of POSIX to convert the result of dlsym to a function */
        void **at = (void **)(void *)((char *)c + nats_symbols[i].at);

        *at = dlsym(c->library, nats_symbols[i].name);
        if (!*at)
            return err_set(e, ERR_UNSUPPORTED, "%s has no %s", NATS_LIBRARY,
                           nats_symbols[i].name);
    }
    return 0;
}
