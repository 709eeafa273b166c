/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sqlite_calls.c - loads SQLite and finds the functions that are used. */
#include "record/sqlite_calls.h"

#include <dlfcn.h>
#include <stddef.h>

struct symbol {
    const char *name;
    size_t at; /* of its pointer in struct sqlite_calls */
};

#define SYMBOL(name)                                                           \
    {                                                                          \
        "sqlite3_" #name, offsetof(struct sqlite_calls, name)                  \
    }

static const struct symbol symbols[] = {
    SYMBOL(open_v2),
    SYMBOL(close),
    SYMBOL(db_config),
    SYMBOL(limit),
    SYMBOL(db_readonly),
    SYMBOL(busy_timeout),
    SYMBOL(system_errno),
    SYMBOL(errmsg),
    SYMBOL(errstr),
    SYMBOL(exec),
    SYMBOL(wal_hook),
    SYMBOL(prepare_v2),
    SYMBOL(finalize),
    SYMBOL(bind_int64),
    SYMBOL(bind_text),
    SYMBOL(step),
    SYMBOL(reset),
    SYMBOL(column_int64),
    SYMBOL(column_text),
    SYMBOL(column_bytes),
    {"sqlite3_wal_checkpoint_v2", offsetof(struct sqlite_calls, checkpoint_v2)},
};

#define N_SYMBOLS (sizeof(symbols) / sizeof(*symbols))

int
sqlite_calls_open(struct sqlite_calls *c, struct err *e)
{
    /* not taken out of memory again: the program ends soon, or needs it */
    c->library = dlopen("libsqlite3.so.0",
                        RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
    if (!c->library)
        return err_set(e, ERR_UNSUPPORTED, "libsqlite3.so.0 is not installed");
    for (size_t i = 0; i < N_SYMBOLS; i++) {
        /* POSIX's way to make a function of what dlsym gives */
        void **at = (void **)(void *)((char *)c + symbols[i].at);

        *at = dlsym(c->library, symbols[i].name);
        if (!*at)
            return err_set(e, ERR_UNSUPPORTED, "libsqlite3.so.0 has no %s",
                           symbols[i].name);
    }
    return 0;
}

void
sqlite_calls_close(struct sqlite_calls *c)
{
    if (c->library)
        dlclose(c->library);
    c->library = NULL;
}
