/* SPDX-License-Identifier: GPL-3.0-or-later */
/* api_error_report.c - describes a server's error in one line, with what to do.
 */
#include "model/provider/api_error_report.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "model/provider/provider.h"

#define LONG_PAUSE_MS 120000 /* such a wait was not made: it is reported */

/* What happened, and what to do about it, for each status. "%s" in an advice is
 * the variable that arg selects: of the key or of the base URL. */
enum advice_arg { ARG_NONE, ARG_KEY, ARG_URL };

struct status_advice {
    int status;
    const char *what, *advice;
    enum advice_arg arg;
};

static const struct status_advice status_advices[] = {
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

static const struct status_advice advice_no_key = {
    0, "wants a key, and none was sent", "set %s", ARG_KEY};
static const struct status_advice advice_spent = {
    0, "says that the account's limit is reached", "check its billing",
    ARG_NONE};
static const struct status_advice advice_filtered = {
    0, "did not take the request: its content filter objects",
    "word it differently", ARG_NONE};
static const struct status_advice advice_long = {
    0, "says that the conversation is too long", "send less text", ARG_NONE};
static const struct status_advice advice_page = {
    0,
    "answered with a web page: there may be a proxy or login page in between",
    "check %s and HTTPS_PROXY", ARG_URL};
static const struct status_advice advice_failed = {0, "failed",
                                                   "try again later", ARG_NONE};
static const struct status_advice advice_other = {
    0, "did not answer as expected", "check %s", ARG_URL};

static const struct status_advice *
find_advice(const struct api_error *a, const struct provider_request *req)
{
    if (a->status == 401 && !req->key_name && req->provider->key_vars[0])
        return &advice_no_key;
    if (a->spent)
        return &advice_spent;
    if (a->page)
        return &advice_page;
    if (*a->filter)
        return &advice_filtered;
    if (a->status == 400 && (strcasestr(a->message, "context window") ||
                             strcasestr(a->message, "context length")))
        return &advice_long;
    for (size_t i = 0; i < ARRAY_SIZE(status_advices); i++) {
        if (status_advices[i].status == a->status)
            return &status_advices[i];
    }
    if (a->status >= 500 || a->status == 0) /* 0: only words */
        return &advice_failed;
    return a->status >= 400 ? &status_advices[0] : &advice_other;
}

void
api_error_format_advice(char *to, size_t size, const char *advice,
                        const char *name)
{
    const char *at = strstr(advice, "%s");

    if (at)
        snprintf(to, size, "%.*s%s%s", (int)(at - advice), advice, name,
                 at + 2);
    else
        snprintf(to, size, "%s", advice);
}

int
api_error_report(const struct api_error *a, const struct provider_request *req,
                 const char *host, int tries, struct err *e)
{
    const struct status_advice *r = find_advice(a, req);
    const struct provider *p = req->provider;
    const char *url = provider_url_name(req);
    const char *key = req->key_name ? req->key_name : p->key_vars[0];
    const char *arg = r->arg == ARG_URL || !key ? url : key;
    char often[48] = "", status[64] = "", advice[80], message[112] = "";

    if (tries > 1)
        snprintf(often, sizeof(often), ", %d times", tries);
    if (a->retry_ms >= LONG_PAUSE_MS)
        snprintf(often, sizeof(often), "; it asks to wait %" PRId64 " min",
                 a->retry_ms / 60000);
    if (a->status)
        snprintf(status, sizeof(status), " (%d%s)", a->status, often);
    api_error_format_advice(advice, sizeof(advice), r->advice, arg);
    if (*a->filter)
        snprintf(message, sizeof(message), "to %s", a->filter);
    else
        api_error_clean(message, sizeof(message), a->message, NULL);
    if (*message && message[strlen(message) - 1] == '.')
        message[strlen(message) - 1] = '\0';
    return err_set(e, ERR_MODEL, "%.64s %s%s%s%s. To do: %s, or use --offline",
                   host, r->what, status,
                   *a->filter ? " "
                   : *message ? ": "
                              : "",
                   message, advice);
}
