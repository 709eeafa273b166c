/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp_ticket.c - what a client brings back with the answer to a question. */
#include "server/mcp/mcp_ticket.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/hmac.h"
#include "base/random_id.h"

#define NAME_SIZE 33  /* with its NUL */
#define FORM      "1" /* of the state, in front of it */

struct mcp_ticket {
    struct mcp_tickets *all;
    struct mcp_ticket *prev, *next;
    char name[NAME_SIZE];
    int64_t until_ms;
    const char *digest;
    void *arg;
};

struct mcp_tickets {
    unsigned char key[HMAC_KEY_SIZE];
    struct mcp_ticket *first;
    size_t n;
};

struct mcp_tickets *
mcp_tickets_new(struct err *e)
{
    CLEANUP(mcp_tickets_free_p) struct mcp_tickets *t = calloc(1, sizeof(*t));

    if (!t) {
        err_nomem(e);
        return NULL;
    }
    if (getrandom(t->key, sizeof(t->key), 0) != (ssize_t)sizeof(t->key)) {
        err_sys(e, "random bytes");
        return NULL;
    }
    return TAKE_PTR(t);
}

void
mcp_tickets_free(struct mcp_tickets *t)
{
    if (!t)
        return;
    explicit_bzero(t->key, sizeof(t->key));
    free(t);
}

/* The code covers whose question it is: on a pipe, of the user of the process.
 */
static int
sign_ticket(const struct mcp_ticket *k, char code[SHA256_HEX_SIZE],
            struct err *e)
{
    CLEANUP_BUF struct buf b = buf_of(MCP_TICKET_TEXT_MAX);

    buf_printf(&b, "%s\n%s\n%" PRId64 "\n%ju\n%s", FORM, k->name, k->until_ms,
               (uintmax_t)getuid(), k->digest);
    if (buf_ok(&b, "a state", e) < 0)
        return -1;
    return hmac_sha256_hex(k->all->key, b.p, b.len, code, e);
}

struct mcp_ticket *
mcp_ticket_new(struct mcp_tickets *t, const char *digest, void *arg,
               struct buf *state, struct err *e)
{
    CLEANUP(free_p) struct mcp_ticket *k = NULL;
    char code[SHA256_HEX_SIZE];

    if (t->n == MCP_TICKETS_MAX) {
        err_set(e, ERR_NOMEM, "%d questions wait already", MCP_TICKETS_MAX);
        return NULL;
    }
    if (!(k = calloc(1, sizeof(*k)))) {
        err_nomem(e);
        return NULL;
    }
    *k = (struct mcp_ticket){.all = t,
                             .until_ms = clock_ms() + MCP_TICKET_MS,
                             .digest = digest,
                             .arg = arg};
    if (random_id(k->name, sizeof(k->name), e) < 0 ||
        sign_ticket(k, code, e) < 0)
        return NULL;
    buf_printf(state, FORM ".%s.%" PRId64 ".%s", k->name, k->until_ms, code);
    k->next = t->first;
    if (k->next)
        k->next->prev = k;
    t->first = k;
    t->n++;
    return TAKE_PTR(k);
}

void
mcp_ticket_free(struct mcp_ticket *k)
{
    if (!k)
        return;
    *(k->prev ? &k->prev->next : &k->all->first) = k->next;
    if (k->next)
        k->next->prev = k->prev;
    k->all->n--;
    free(k);
}

/* Whether the state is what was handed out for this ticket, byte for byte. */
static bool
is_state_of(const struct mcp_ticket *k, const char *state)
{
    char head[NAME_SIZE + 32], code[SHA256_HEX_SIZE];
    int n = snprintf(head, sizeof(head), FORM ".%s.%" PRId64 ".", k->name,
                     k->until_ms);

    return strncmp(state, head, (size_t)n) == 0 &&
           strlen(state + n) == SHA256_HEX_SIZE - 1 &&
           sign_ticket(k, code, NULL) == 0 && hmac_is_same(code, state + n);
}

void *
mcp_ticket_find(struct mcp_tickets *t, const char *state, struct err *e)
{
    int64_t now = clock_ms();

    for (struct mcp_ticket *k = t->first; k; k = k->next)
        if (is_state_of(k, state) && now < k->until_ms)
            return k->arg;
    err_set(e, ERR_INVALID,
            "requestState: is none that was given, was used, or is too old");
    return NULL;
}
