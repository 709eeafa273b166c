/* SPDX-License-Identifier: GPL-3.0-or-later */
/* users.c - names of users, from the password file alone. */
#include "plugins/lib/users.h"

#include <inttypes.h>
#include <stdio.h>

#include "plugins/lib/machine.h"
#include "plugins/lib/span.h"

#define PASSWD_MAX (4u << 20) /* some 50,000 users */

void
users_init(struct users *u, int root)
{
    buf_init(&u->text, PASSWD_MAX);
    if (machine_read_all(root, "etc/passwd", &u->text, NULL) < 0)
        buf_clear(&u->text);
}

void
users_done(struct users *u)
{
    buf_done(&u->text);
}

const char *
users_name(const struct users *u, uint64_t uid, char name[USERS_NAME_SIZE])
{
    struct span rest = {u->text.p, u->text.len}, line;

    while (span_line(&rest, &line)) {
        struct span login, word, number;
        uint64_t v;

        if (!span_split(&line, ':', &login) || !span_split(&line, ':', &word) ||
            !span_split(&line, ':', &number) || login.n == 0)
            continue;
        if (span_number(number, 10, &v) && v == uid)
            return span_copy(login, name, USERS_NAME_SIZE);
    }
    snprintf(name, USERS_NAME_SIZE, "%" PRIu64, uid);
    return name;
}
