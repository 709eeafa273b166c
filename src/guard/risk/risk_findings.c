/* SPDX-License-Identifier: GPL-3.0-or-later */
/* risk_findings.c - stores what is found out about a line, within bounds. */
#include "guard/risk/risk_findings.h"

#include <string.h>

#include "guard/risk/risk_state.h"

#define CHUNK_BYTES (16 * 1024)

struct memory_chunk {
    struct memory_chunk *next;
    size_t used, size;
    _Alignas(16) char bytes[];
};

struct parsed_text {
    struct syntax syntax;
    struct parsed_text *next;
};

struct risk_memory {
    struct memory_chunk *chunks;
    struct parsed_text *texts;
    size_t total;
    size_t parsed; /* bytes of the parsed texts */
};

static struct memory_chunk *
chunk_new(struct risk_state *st, size_t n)
{
    struct risk_memory *m = st->memory;
    size_t size = n > CHUNK_BYTES ? n : CHUNK_BYTES;
    struct memory_chunk *c;

    if (m && m->total + size > RISK_MEMORY_MAX && !st->finishing) {
        st->full = true;
        return NULL;
    }
    c = malloc(sizeof(*c) + size);
    if (!c) {
        st->no_memory = true;
        return NULL;
    }
    *c = (struct memory_chunk){.size = size};
    return c;
}

static bool
make_memory(struct risk_state *st)
{
    if (!st->memory)
        st->memory = calloc(1, sizeof(*st->memory));
    if (!st->memory)
        st->no_memory = true;
    return st->memory != NULL;
}

void *
risk_alloc(struct risk_state *st, size_t n)
{
    struct memory_chunk *c;
    void *p;

    n = (n + 15) & ~(size_t)15;
    if (!make_memory(st))
        return NULL;
    c = st->memory->chunks;
    if (!c || c->size - c->used < n) {
        c = chunk_new(st, n);
        if (!c)
            return NULL;
        st->memory->total += c->size;
        c->next = st->memory->chunks;
        st->memory->chunks = c;
    }
    p = c->bytes + c->used;
    c->used += n;
    memset(p, 0, n);
    return p;
}

const char *
risk_copy(struct risk_state *st, const char *s, size_t n)
{
    char *copy = risk_alloc(st, n + 1);

    if (!copy)
        return "";
    memcpy(copy, s, n);
    return copy;
}

const char *
risk_join(struct risk_state *st, const char *a, const char *b)
{
    size_t n = strlen(a), m = strlen(b);
    char *both;

    if (n + m > RISK_TEXT_MAX) {
        st->full = true;
        return "";
    }
    both = risk_alloc(st, n + m + 1);
    if (!both)
        return "";
    memcpy(both, a, n);
    memcpy(both + n, b, m);
    return both;
}

const struct syntax *
risk_parse_text(struct risk_state *st, const char *text)
{
    struct parsed_text *t = risk_alloc(st, sizeof(*t));
    size_t n = strlen(text);

    if (!t)
        return NULL;
    st->memory->parsed += n;
    if (st->memory->parsed > RISK_PARSED_MAX ||
        syntax_read(text, n, &t->syntax, NULL) < 0) {
        st->full = true;
        return NULL;
    }
    t->next = st->memory->texts;
    st->memory->texts = t;
    return &t->syntax;
}

void
risk_parse_reset(struct risk_memory *m)
{
    if (m)
        m->parsed = 0;
}

void
risk_memory_free(struct risk_memory *m)
{
    if (!m)
        return;
    for (struct parsed_text *t = m->texts; t; t = t->next)
        syntax_done(&t->syntax);
    for (struct memory_chunk *c = m->chunks, *next; c; c = next) {
        next = c->next;
        free(c);
    }
    free(m);
}

/* Room for one more of n items of some size. The old array stays in the arena
 * until the end. */
static void *
grow_finding_array(struct risk_state *st, void *v, size_t n, size_t *cap,
                   size_t size)
{
    size_t more = *cap ? *cap * 2 : 8;
    void *bigger;

    if (n < *cap)
        return v;
    bigger = risk_alloc(st, more * size);
    if (!bigger)
        return NULL;
    if (n)
        memcpy(bigger, v, n * size);
    *cap = more;
    return bigger;
}

struct risk_arg *
risk_args_add(struct risk_state *st, struct risk_args *a)
{
    struct risk_arg *v;

    if (a->n >= RISK_ARGS_MAX) {
        st->full = true;
        return NULL;
    }
    v = grow_finding_array(st, a->v, a->n, &a->cap, sizeof(*v));
    if (!v)
        return NULL;
    a->v = v;
    v[a->n] = (struct risk_arg){.text = "", .glob = ""};
    return &v[a->n++];
}

struct risk_call *
risk_add_call(struct risk_state *st)
{
    struct risk *r = st->out;
    struct risk_call *v;

    if (r->n_calls >= RISK_CALLS_MAX) {
        st->full = true;
        return NULL;
    }
    v = grow_finding_array(st, r->calls, r->n_calls, &st->cap_calls,
                           sizeof(*v));
    if (!v)
        return NULL;
    r->calls = v;
    v[r->n_calls] = (struct risk_call){.name = "", .wrapper = ""};
    return &v[r->n_calls++];
}

struct risk_path *
risk_add_path(struct risk_state *st)
{
    struct risk *r = st->out;
    struct risk_path *v = grow_finding_array(st, r->paths, r->n_paths,
                                             &st->cap_paths, sizeof(*v));

    if (!v)
        return NULL;
    r->paths = v;
    v[r->n_paths] = (struct risk_path){.text = ""};
    return &v[r->n_paths++];
}

void
risk_add_host(struct risk_state *st, struct risk_host host)
{
    struct risk *r = st->out;
    struct risk_host *v = grow_finding_array(st, r->hosts, r->n_hosts,
                                             &st->cap_hosts, sizeof(*v));

    if (!v)
        return;
    r->hosts = v;
    v[r->n_hosts++] = host;
}

size_t
risk_line_from(const struct risk_frame *f, size_t from)
{
    return f->mapped ? f->from : from;
}

size_t
risk_line_to(const struct risk_frame *f, size_t to)
{
    return f->mapped ? f->to : to;
}

bool
risk_reason_is_same(const struct risk_reason *a, const struct risk_reason *b)
{
    return strcmp(a->program, b->program) == 0 && strcmp(a->says, b->says) == 0;
}

static bool
is_reported(const struct risk *r, const struct risk_reason *why)
{
    for (size_t i = 0; i < r->n_reasons; i++)
        if (r->reasons[i].fact == why->fact &&
            r->reasons[i].from == why->from &&
            risk_reason_is_same(&r->reasons[i], why))
            return true;
    return false;
}

static void
record_reason(struct risk_state *st, struct risk_reason why)
{
    struct risk *r = st->out;
    struct risk_reason *v;

    if (r->n_reasons >= RISK_REASONS_MAX || is_reported(r, &why))
        return;
    v = grow_finding_array(st, r->reasons, r->n_reasons, &st->cap_reasons,
                           sizeof(*v));
    if (!v)
        return;
    r->reasons = v;
    why.text = why.says;
    if (why.program[0])
        why.text = risk_join(st, risk_join(st, why.program, " "), why.says);
    v[r->n_reasons++] = why;
}

void
risk_report(struct risk_state *st, unsigned facts, struct risk_reason why)
{
    st->facts |= facts;
    st->out->facts |= facts;
    for (unsigned fact = 1; fact && fact <= facts; fact <<= 1)
        if (facts & fact && why.says[0]) {
            why.fact = fact;
            record_reason(st, why);
        }
}

void
risk_report_opaque(struct risk_state *st, struct risk_reason why)
{
    why.program = "";
    risk_report(st, RISK_OPAQUE, why);
    why.says = "";
    risk_report(st, RISK_DESTRUCTIVE, why);
}

void
risk_report_program(struct risk_state *st, unsigned facts, size_t from,
                    size_t to, const char *name, const char *what)
{
    risk_report(st, facts,
                (struct risk_reason){.kind = RISK_KIND_PROGRAM,
                                     .program = name,
                                     .from = from,
                                     .to = to,
                                     .says = what});
}

void
risk_report_unread(struct risk_state *st, size_t from, size_t to,
                   const char *what)
{
    risk_report_opaque(st, (struct risk_reason){.kind = RISK_KIND_UNREAD,
                                                .from = from,
                                                .to = to,
                                                .says = what});
}
