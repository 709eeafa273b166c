/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bus_quick.h - reads the two messages that a bus gets all the time, quickly.
 *
 * A sendMessage and the answer to one are read in place, without a tree. What
 * is not as plain as they mostly are, and all that is wrong, is left to
 * wire/jsonrpc.h, by which it means the same (tests/fuzz/fuzz_bus.c). */
#ifndef SERVER_BUS_BUS_QUICK_H
#define SERVER_BUS_BUS_QUICK_H

#include <stdbool.h>
#include <stddef.h>

struct bus_slice { /* borrowed bytes */
    const char *p;
    size_t n;
};

enum bus_quick_kind { BUS_QUICK_OTHER, BUS_QUICK_SEND, BUS_QUICK_ANSWER };

struct bus_quick {
    struct bus_slice id;      /* as written */
    struct bus_slice topic;   /* of a sendMessage: as written, without quotes;
                                 nothing in it is escaped */
    struct bus_slice payload; /* an object, as written */
    bool success, stop;       /* of an answer */
};

/* Reads n bytes, which are valid UTF-8 and which a NUL follows. */
enum bus_quick_kind bus_quick_read(const char *bytes, size_t n,
                                   struct bus_quick *out);

#endif
