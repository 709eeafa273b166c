/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent_secrets.c - the secrets that an agent is given, and their removal from
 * what it says. */
#include "server/gateway/agent_secrets.h"

#include <stdlib.h>
#include <string.h>

#include "base/environ_given.h"
#include "model/api_key.h"
#include "server/gateway/gateway_command.h"
#include "json/write.h"

#define SECRET_BYTES_MAX 8192 /* of one value */
#define SECRET_LEAST     4
#define COMMAND_MS       60000 /* a password manager may ask a person */
#define REMOVED          "[secret]"

struct agent_secrets {
    struct agent_secrets_setup set;
    struct environ_given given;
    size_t next;                     /* of the type's, that is not there yet */
    struct gateway_command *command; /* that prints it; NULL: none runs */
    struct watch *soon;
};

void
agent_secrets_free(struct agent_secrets *s)
{
    if (!s)
        return;
    gateway_command_free(s->command);
    watch_free(s->soon);
    for (size_t i = 0; i < s->given.n; i++)
        explicit_bzero(s->given.list[i], strlen(s->given.list[i]));
    environ_given_done(&s->given);
    free(s);
}

const char *const *
agent_secrets_variables(const struct agent_secrets *s)
{
    return (const char *const *)s->given.list;
}

static int
take_secret(struct agent_secrets *s, const char *text, const char *where,
            struct err *e)
{
    const char *variable = s->set.type->secrets[s->next].variable;
    char *value = NULL;
    int rc;

    if (api_key_parse(text, where, &value, e) < 0)
        return -1;
    rc = environ_given_add(&s->given, variable, strlen(variable), value,
                           strlen(value), e);
    api_key_free(value);
    if (rc == 0)
        s->next++;
    return rc;
}

static int
take_secret_file(struct agent_secrets *s, const char *name, struct err *e)
{
    CLEANUP_BUF struct buf text = buf_of_secret(SECRET_BYTES_MAX);
    CLEANUP(free_p) char *path = seat_expand_home(s->set.seat, name);

    if (!path)
        return err_nomem(e);
    return api_key_read_file("secret_file", path, &text, e) < 0
               ? -1
               : take_secret(s, text.p, path, e);
}

static void find_next_secret(struct agent_secrets *s);

/* The last that is done with it. */
static void
report_secrets(struct agent_secrets *s, struct err *why)
{
    const char *name = why ? s->set.type->secrets[s->next].variable : NULL;

    if (name)
        err_wrap(why, "secret %s", name);
    s->set.found(s->set.arg, why);
}

static void
on_secret_printed(void *arg, const struct gateway_command_result *r,
                  const struct err *why)
{
    struct agent_secrets *s = arg;
    struct err e = why ? *why : (struct err){0};
    int rc = -1;

    s->command = NULL;
    if (r && r->cut)
        err_set(&e, ERR_TOOL, "its command prints more than %d bytes",
                SECRET_BYTES_MAX);
    else if (r && r->status != 0)
        err_set(&e, ERR_TOOL, "its command ended with status %d", r->status);
    else if (r)
        rc = take_secret(s, r->out->p, "the output of its command", &e);
    if (rc < 0)
        report_secrets(s, &e);
    else
        find_next_secret(s);
}

static int
start_secret_command(struct agent_secrets *s, const char *line, struct err *e)
{
    const char *const argv[] = {"/bin/sh", "-c", line, NULL};
    const struct gateway_command_spec spec = {.argv = argv,
                                              .seat = s->set.seat,
                                              .max_bytes = SECRET_BYTES_MAX,
                                              .timeout_ms = COMMAND_MS,
                                              .secret = true};

    s->command = gateway_command_start(s->set.loop, &spec, on_secret_printed, s,
                                       e);
    return s->command ? 0 : -1;
}

static void
find_next_secret(struct agent_secrets *s)
{
    const struct agent_type *t = s->set.type;
    struct err e = {0};
    int rc = 0;

    while (rc == 0 && s->next < t->n_secrets && t->secrets[s->next].file)
        rc = take_secret_file(s, t->secrets[s->next].file, &e);
    if (rc == 0 && s->next < t->n_secrets)
        rc = start_secret_command(s, t->secrets[s->next].command, &e);
    if (rc < 0)
        report_secrets(s, &e);
    else if (!s->command)
        report_secrets(s, NULL);
}

static void
on_secrets_begin(void *arg, unsigned events)
{
    (void)events;
    find_next_secret(arg);
}

static int
add_given(struct agent_secrets *s, const char *const *variables, struct err *e)
{
    for (; variables && *variables; variables++) {
        const char *equals = strchr(*variables, '=');

        if (!equals)
            return err_set(e, ERR_INVALID, "a variable without a value");
        if (environ_given_add(&s->given, *variables,
                              (size_t)(equals - *variables), equals + 1,
                              strlen(equals + 1), e) < 0)
            return -1;
    }
    return 0;
}

struct agent_secrets *
agent_secrets_find(const struct agent_secrets_setup *set, struct err *e)
{
    CLEANUP(agent_secrets_free_p)
    struct agent_secrets *s = calloc(1, sizeof(*s));

    if (!s) {
        err_nomem(e);
        return NULL;
    }
    s->set = *set;
    if (add_given(s, set->variables, e) < 0 ||
        !(s->soon = loop_soon(set->loop, on_secrets_begin, s, e)))
        return NULL;
    return TAKE_PTR(s);
}

static const char *
secret_value(const struct agent_secrets *s, size_t i)
{
    return strchr(s->given.list[i], '=') + 1;
}

static void
remove_value(struct buf *text, const char *value, size_t n)
{
    size_t at = 0;
    const char *found;
    CLEANUP_BUF struct buf clean = buf_of(text->max);

    while ((found = memmem(text->p + at, text->len - at, value, n))) {
        buf_add(&clean, text->p + at, (size_t)(found - text->p) - at);
        buf_str(&clean, REMOVED);
        at = (size_t)(found - text->p) + n;
    }
    if (at == 0)
        return;
    buf_add(&clean, text->p + at, text->len - at);
    buf_done(text);
    *text = clean;
    clean = buf_of(0);
}

void
agent_secrets_clean(const struct agent_secrets *s, struct buf *text)
{
    for (size_t i = 0; s && i < s->given.n; i++) {
        CLEANUP_BUF struct buf escaped = buf_of_secret(6 * ENVIRON_GIVEN_BYTES);
        const char *value = secret_value(s, i);
        size_t n = strlen(value);

        if (n < SECRET_LEAST)
            continue;
        remove_value(text, value, n);
        json_escape(&escaped, value, n);
        if (escaped.len != n)
            remove_value(text, escaped.p, escaped.len);
    }
}

size_t
agent_secrets_begun(const struct agent_secrets *s, const char *text, size_t n)
{
    size_t most = 0;

    for (size_t i = 0; s && i < s->given.n; i++) {
        const char *value = secret_value(s, i);
        size_t part = strlen(value);

        if (part < SECRET_LEAST)
            continue;
        for (part = part - 1 < n ? part - 1 : n;
             part > most && memcmp(text + n - part, value, part) != 0; part--)
            ;
        most = part > most ? part : most;
    }
    return most;
}
