/* SPDX-License-Identifier: GPL-3.0-or-later */
/* connections.c - which transfers may share a connection. */
#include "model/process/connections.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base/sha256.h"
#include "model/process/local_host.h"

#define SALT_SIZE 16
/* URL, path, key, headers and proxy have 8 KiB each at most. */
#define OWNER_MAX (64u << 10)
/* Groups that nobody uses: a person changes between few services, and each may
 * keep connections open. */
#define UNUSED_MAX 8

struct connection_group {
    struct connection_group *next;
    char owner[SHA256_HEX_SIZE];
    CURLSH *share;
    size_t users;
};

struct connections {
    struct connection_group *first; /* the one that was used last */
    char salt[SALT_SIZE];
};

struct connections *
connections_new(struct err *e)
{
    struct connections *c = calloc(1, sizeof(*c));

    if (!c) {
        err_nomem(e);
        return NULL;
    }
    (void)!getrandom(c->salt, sizeof(c->salt), 0);
    return c;
}

static void
group_free(struct connection_group *g)
{
    if (g->share)
        (void)curl_share_cleanup(g->share);
    free(g);
}

void
connections_free(struct connections *c)
{
    struct connection_group *g, *next;

    if (!c)
        return;
    for (g = c->first; g; g = next) {
        next = g->next;
        group_free(g);
    }
    free(c);
}

static void
add_part(struct buf *b, const char *part)
{
    buf_str(b, part ? part : "");
    buf_ch(b, '\0');
}

/* Writes the hash of all that must be the same in one group. */
static int
name_owner(const struct connections *c, const struct ipc_query *q,
           char owner[SHA256_HEX_SIZE], struct err *e)
{
    CLEANUP_BUF struct buf b = buf_of_secret(OWNER_MAX);
    const char *proxy = local_host_proxy_variable(q->request.url);

    buf_add(&b, c->salt, sizeof(c->salt));
    add_part(&b, q->request.provider->name);
    add_part(&b, q->request.url);
    add_part(&b, q->key);
    add_part(&b, q->request.more_headers);
    add_part(&b, q->ca_file);
    add_part(&b, proxy ? getenv(proxy) : NULL);
    if (buf_ok(&b, "the query", e) < 0)
        return -1;
    sha256_hex(b.p, b.len, owner);
    return 0;
}

static struct connection_group *
group_new(const char owner[SHA256_HEX_SIZE], struct err *e)
{
    struct connection_group *g = calloc(1, sizeof(*g));

    if (!g || !(g->share = curl_share_init()) ||
        curl_share_setopt(g->share, CURLSHOPT_SHARE, CURL_LOCK_DATA_CONNECT) !=
            CURLSHE_OK ||
        curl_share_setopt(g->share, CURLSHOPT_SHARE,
                          CURL_LOCK_DATA_SSL_SESSION) != CURLSHE_OK) {
        if (g)
            group_free(g);
        err_set(e, ERR_NOMEM, "libcurl cannot share connections");
        return NULL;
    }
    memcpy(g->owner, owner, sizeof(g->owner));
    return g;
}

/* Takes the group out of the list; NULL: there is none yet. */
static struct connection_group *
unlink_group(struct connections *c, const char owner[SHA256_HEX_SIZE])
{
    for (struct connection_group **at = &c->first; *at; at = &(*at)->next) {
        struct connection_group *g = *at;

        if (strcmp(g->owner, owner) == 0) {
            *at = g->next;
            return g;
        }
    }
    return NULL;
}

struct connection_group *
connections_take(struct connections *c, const struct ipc_query *q,
                 struct err *e)
{
    char owner[SHA256_HEX_SIZE];
    struct connection_group *g;

    if (name_owner(c, q, owner, e) < 0)
        return NULL;
    g = unlink_group(c, owner);
    if (!g && !(g = group_new(owner, e)))
        return NULL;
    g->next = c->first;
    c->first = g;
    g->users++;
    return g;
}

void
connections_give_back(struct connections *c, struct connection_group *g)
{
    struct connection_group **at = &c->first;
    size_t unused = 0;

    if (!g)
        return;
    g->users--;
    while ((g = *at) != NULL) {
        if (g->users == 0 && ++unused > UNUSED_MAX) {
            *at = g->next;
            group_free(g);
        } else {
            at = &g->next;
        }
    }
}

void
connection_group_join(const struct connection_group *g, CURL *easy)
{
    curl_easy_setopt(easy, CURLOPT_SHARE, g->share);
}
