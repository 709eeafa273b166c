/* SPDX-License-Identifier: GPL-3.0-or-later */
/* profile_reader.c - the one process of a line that looks into others. */
#include <stdlib.h>
#include <string.h>

#include "guard/profile.h"

static const char blanks[] = " \t";

/* The call that the line begins with, when it looks at what other processes
 * hold, every word of it says what it is, and no other call of the line looks
 * so; else NULL. */
static const struct risk_call *
first_reader(const struct risk *r, const char *line)
{
    size_t begin = strspn(line, blanks);
    const struct risk_call *found = NULL;

    for (size_t i = 0; i < r->n_calls; i++) {
        if (!(r->calls[i].facts & RISK_HOLDERS))
            continue;
        if (found)
            return NULL;
        found = &r->calls[i];
    }
    if (!found || found->from != begin || found->wrapper[0] || !found->path ||
        found->n > PROFILE_ARGS_MAX)
        return NULL;
    for (size_t i = 0; i < found->n; i++)
        if (found->expands[i] & ~SYNTAX_QUOTED)
            return NULL;
    return found;
}

/* Past `2>/dev/null`, which may stand there. */
static const char *
skip_silence(const char *p, bool *quiet)
{
    static const char sink[] = "/dev/null";
    const char *q = p;

    if (strncmp(q, "2>", 2) != 0)
        return p;
    q += 2;
    q += strspn(q, blanks);
    if (strncmp(q, sink, sizeof(sink) - 1) != 0)
        return p;
    q += sizeof(sink) - 1;
    if (*q && !strchr(" \t|", *q))
        return p;
    *quiet = true;
    return q + strspn(q, blanks);
}

/* What stands behind the call: nothing (""), what its output goes to, or NULL
 * when it is neither. */
static const char *
behind(const char *line, const struct risk_call *c, bool *quiet)
{
    const char *p = line + c->to;

    p = skip_silence(p + strspn(p, blanks), quiet);
    if (*p == '\0')
        return p;
    if (*p != '|' || p[1] == '|' || p[1] == '&')
        return NULL;
    p++;
    p += strspn(p, blanks);
    return *p ? p : NULL;
}

int
profile_find_reader(const struct risk *r, const char *line,
                    struct profile_choice *c, bool *found, struct err *e)
{
    const struct risk_call *call = first_reader(r, line);
    const char *rest;

    *found = false;
    if (!call || !(rest = behind(line, call, &c->reader_quiet)))
        return 0;
    for (size_t i = 0; i < call->n; i++) {
        c->reader[i] = strdup(i == 0 ? call->path : call->argv[i]);
        if (!c->reader[i])
            return err_nomem(e);
        c->n_reader++;
    }
    if (*rest && !(c->rest = strdup(rest)))
        return err_nomem(e);
    *found = true;
    return 0;
}
