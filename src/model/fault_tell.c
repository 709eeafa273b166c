/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fault_tell.c - a server's refusal in one line, with what to do. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "model/fault.h"
#include "model/provider.h"

#define LONG_PAUSE_MS 120000 /* worth telling: it was not waited for */

/* One row a status: what happened, and what to do about it. In advice, %s is
 * the provider's first key variable, then its address variable. */
enum advice_arg { ARG_NONE, ARG_KEY, ARG_URL };

struct row {
    int status;
    const char *what, *advice;
    enum advice_arg arg;
};

static const struct row rows[] = {
    {400, "rejected the request", "try another model with -m", ARG_NONE},
    {401, "rejected the key", "check %s", ARG_KEY},
    {403, "does not allow this", "check what %s may do", ARG_KEY},
    {404, "does not know the URL or the model",
     "choose a model with -m or check %s", ARG_URL},
    {407, "is behind a proxy that requires a login", "check HTTPS_PROXY",
     ARG_NONE},
    {413, "says that the request is too large", "send less text", ARG_NONE},
    {429, "says that there were too many requests", "try again later",
     ARG_NONE},
    {529, "is overloaded", "try again later", ARG_NONE},
};

static const struct row row_spent = {0,
                                     "says that the account's limit is reached",
                                     "check its billing", ARG_NONE};
static const struct row row_long = {0, "says that the conversation is too long",
                                    "send less text", ARG_NONE};
static const struct row row_page = {
    0,
    "answered with a web page: there may be a proxy or login page in between",
    "check %s and HTTPS_PROXY", ARG_URL};
static const struct row row_failed = {0, "failed", "try again later", ARG_NONE};
static const struct row row_other = {0, "did not answer as expected",
                                     "check %s", ARG_URL};

static const struct row *
row_of(const struct fault *f)
{
    if (f->spent)
        return &row_spent;
    if (f->page)
        return &row_page;
    if (f->status == 400 && (strcasestr(f->message, "context window") ||
                             strcasestr(f->message, "context length")))
        return &row_long;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (rows[i].status == f->status)
            return &rows[i];
    }
    if (f->status >= 500 || f->status == 0) /* 0: words without a number */
        return &row_failed;
    return f->status >= 400 ? &rows[0] : &row_other;
}

void
fault_advice(char *to, size_t size, const char *advice, const char *name)
{
    const char *at = strstr(advice, "%s");

    if (at)
        snprintf(to, size, "%.*s%s%s", (int)(at - advice), advice, name,
                 at + 2);
    else
        snprintf(to, size, "%s", advice);
}

int
fault_tell(const struct fault *f, const struct call *c, const char *host,
           int tries, struct err *e)
{
    const struct row *r = row_of(f);
    const struct provider *p = c->provider;
    const char *key = p->key_vars[0] ? p->key_vars[0] : p->url_var;
    const char *arg = r->arg == ARG_URL ? p->url_var : key;
    char often[48] = "", status[64] = "", advice[80], message[112] = "";

    if (tries > 1)
        snprintf(often, sizeof(often), ", %d times", tries);
    if (f->retry_ms >= LONG_PAUSE_MS)
        snprintf(often, sizeof(often), "; it asks to wait %" PRId64 " min",
                 f->retry_ms / 60000);
    if (f->status)
        snprintf(status, sizeof(status), " (%d%s)", f->status, often);
    fault_advice(advice, sizeof(advice), r->advice, arg);
    fault_clean(message, sizeof(message), f->message, NULL);
    if (*message && message[strlen(message) - 1] == '.')
        message[strlen(message) - 1] = '\0';
    return err_set(e, ERR_MODEL, "%.64s %s%s%s%s. To do: %s, or use --offline",
                   host, r->what, status, *message ? ": " : "", message,
                   advice);
}
