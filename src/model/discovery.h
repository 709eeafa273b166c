/* SPDX-License-Identifier: GPL-3.0-or-later */
/* discovery.h - discovers model servers on this machine.
 *
 * Ollama, llama-server, LM Studio and vLLM are looked for on their usual
 * ports, and where OLLAMA_HOST names an address of this machine. The kernel
 * tells which of the ports have a listener; without one, no process is started
 * and no connection is made. The result is cached for a short time
 * (discovery_cache.h). Whether the person agreed to a server is stored for
 * good (server_consent.h). Both are of the seat that the search is for. */
#ifndef MODEL_DISCOVERY_H
#define MODEL_DISCOVERY_H

#include "base/cleanup.h"
#include "base/loop.h"
#include "base/seat.h"
#include "model/model_rank.h"
#include "model/server_consent.h"
#include "model/tcp_listeners.h"

#define DISCOVERY_SERVERS_MAX 4
#define DISCOVERY_URL_SIZE    256

struct provider;

struct discovery_server {
    const struct provider *provider;
    const char *title; /* as a person knows it */
    char url[DISCOVERY_URL_SIZE];
    uid_t uid; /* the owner of the socket, or TCP_LISTENER_UID_UNKNOWN */
    enum server_consent consent;
    bool answered;                       /* it sent a list of models */
    char model[MODEL_NAME_SIZE];         /* the best; "": none is usable */
    char reason[MODEL_RANK_REASON_SIZE]; /* why it is the best */
    struct model_list models;            /* empty when the result is cached */
    int64_t ms;                          /* until the list was there */
};

struct discovery {
    struct discovery_server v[DISCOVERY_SERVERS_MAX]; /* those with a listener,
                                                         in order of preference
                                                       */
    size_t n;
    int64_t ms;  /* duration, the start of the process included */
    bool cached; /* from an earlier run; no server was asked */
};
void discovery_done(struct discovery *d);

struct discovery_params {
    const char *model; /* that the person named; NULL: the best one is chosen */
    bool can_ask;      /* false: only servers with consent are of use */
    bool afresh;       /* ask all servers and ignore the cache */
    bool wait;         /* for a server that is expected: see below */
    int64_t limit_ms;  /* of it all, the start of the model process included */
};

/* A server that the person expects to answer, and why it does not. */
enum discovery_absence {
    DISCOVERY_PRESENT,    /* none is missing */
    DISCOVERY_NOT_THERE,  /* nobody listens */
    DISCOVERY_SILENT,     /* it sent no list in time */
    DISCOVERY_NO_MODEL,   /* none in its list can answer */
    DISCOVERY_UNAPPROVED, /* OLLAMA_HOST names it, but nobody could be asked */
};
struct discovery_missing {
    enum discovery_absence why;
    const char *title;
    char url[DISCOVERY_URL_SIZE];
    bool has_consent; /* else OLLAMA_HOST names it */
};

struct discovery_search; /* one that runs on the loop */

/* Called once, from the loop. *d is the callee's, which copies it and calls
 * discovery_done(); *missing is borrowed until it returns. It may free the
 * search. */
typedef void discovery_cb(void *arg, struct discovery *d,
                          const struct discovery_missing *missing);

/* Asks the servers that could be used for their models. The search itself
 * cannot fail: a server that does not answer in time has answered = false.
 *
 * With `wait`, a server that the person agreed to and that is not there gets
 * DISCOVERY_WAIT_MS in all: it may be starting, or busy. When no such server
 * can be used, *missing says which one is expected, and why it does not answer.
 *
 * The seat and the name in p are borrowed until the search is freed. ERR_NOMEM.
 */
#define DISCOVERY_WAIT_MS 1000
struct discovery_search *discovery_start(struct loop *l, const struct seat *s,
                                         const struct discovery_params *p,
                                         discovery_cb *cb, void *arg,
                                         struct err *e);
/* Ends what runs for it. No call comes afterwards. */
void discovery_search_free(struct discovery_search *s); /* accepts NULL */
DEFINE_CLEANUP(struct discovery_search, discovery_search_free)

/* Writes what is wrong with it: "Ollama at 127.0.0.1:11434 is not there". */
void discovery_missing_text(const struct discovery_missing *m, char *text,
                            size_t size);

/* The server to use: the first with consent that has a model, else the first
 * that has a model and was not refused. NULL: none. */
const struct discovery_server *discovery_best(const struct discovery *d);

/* Whether a URL is one of this machine, by its text alone. */
bool discovery_is_local(const char *url);

/* The name of its provider, as --provider takes it. */
const char *discovery_provider(const struct discovery_server *s);

#endif
