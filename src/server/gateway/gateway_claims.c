/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gateway_claims.c - the gateways that share their tasks, and which of them has
 * which task: in memory, and in the tables. */
#include "server/gateway/gateway_claims.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

struct gateway_node *
gateway_claims_node(const struct gateway_claims *n, const char *name)
{
    struct gateway_node *node = n->nodes;

    while (node && strcmp(node->name, name) != 0)
        node = node->next;
    return node;
}

struct gateway_node *
gateway_claims_add_node(struct gateway_claims *n, const char *name)
{
    struct gateway_node *node = gateway_claims_node(n, name);
    int64_t slot = 0;

    if (node)
        return node;
    for (node = n->nodes; node; node = node->next)
        slot++;
    if (slot >= GATEWAY_NODES_MAX || !(node = calloc(1, sizeof(*node))))
        return NULL;
    snprintf(node->name, sizeof(node->name), "%s", name);
    node->number[NODE_SLOT] = slot;
    node->next = n->nodes;
    n->nodes = node;
    return node;
}

void
gateway_claims_keep_node(struct gateway_claims *n, struct gateway_node *node,
                         uint64_t turn)
{
    struct gateway_values v = {.text = {node->name}};

    n->turn = turn;
    node->number[NODE_TURN] = (int64_t)turn;
    memcpy(v.number, node->number, sizeof(node->number));
    gateway_store_write(n->store, GATEWAY_PUT_NODE, &v);
}

struct shared_claim *
gateway_claims_find(const struct gateway_claims *n, const char *task)
{
    struct shared_claim *c = n->claims;

    while (c && strcmp(c->task, task) != 0)
        c = c->next;
    return c;
}

struct shared_claim *
gateway_claims_add(struct gateway_claims *n, const char *task, const char *node)
{
    struct shared_claim *c = calloc(1, sizeof(*c));

    if (!c)
        return NULL;
    snprintf(c->task, sizeof(c->task), "%s", task);
    snprintf(c->node, sizeof(c->node), "%s", node);
    c->next = n->claims;
    n->claims = c;
    return c;
}

void
gateway_claims_remove(struct gateway_claims *n, struct shared_claim *c)
{
    const struct gateway_values v = {.text = {c->task}};
    struct shared_claim **at = &n->claims;

    while (*at != c)
        at = &(*at)->next;
    *at = c->next;
    gateway_store_write(n->store, GATEWAY_REMOVE_CLAIM, &v);
    free(c);
}

void
gateway_claims_remove_of(struct gateway_claims *n, const char *node)
{
    struct shared_claim *c = n->claims, *next;

    for (; c; c = next) {
        next = c->next;
        if (strcmp(c->node, node) == 0)
            gateway_claims_remove(n, c);
    }
}

void
gateway_claims_refresh_nodes(struct gateway_claims *n)
{
    int64_t now = clock_ms();

    for (struct gateway_node *node = n->nodes; node; node = node->next)
        node->heard_ms = now;
}

void
gateway_claims_done(struct gateway_claims *n)
{
    while (n->nodes) {
        struct gateway_node *node = n->nodes;

        n->nodes = node->next;
        free(node);
    }
    while (n->claims) {
        struct shared_claim *c = n->claims;

        n->claims = c->next;
        free(c);
    }
}
