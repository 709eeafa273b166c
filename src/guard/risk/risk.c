/* SPDX-License-Identifier: GPL-3.0-or-later */
/* risk.c - analyses a whole line, in rounds.
 *
 * A round walks the line once. When a value was used that a later part of the
 * line changes, another round reads the line with what is now known. */
#include "guard/risk/risk.h"

#include <string.h>

#include "guard/risk/risk_findings.h"
#include "guard/risk/risk_internal.h"

#define ROUNDS_MAX 4 /* rounds; more is opaque */

/* Whether every call only reads others' descriptors. */
static bool
only_reads_descriptors(const struct risk *r)
{
    for (size_t i = 0; i < r->n_calls; i++)
        if (!(r->calls[i].facts & RISK_HOLDERS))
            return false;
    return r->n_calls > 0;
}

/* Removes a fact, and its reasons, from the line as a whole. */
static void
remove_fact(struct risk *r, unsigned fact)
{
    size_t kept = 0;

    r->facts &= ~fact;
    for (size_t i = 0; i < r->n_reasons; i++)
        if (r->reasons[i].fact != fact)
            r->reasons[kept++] = r->reasons[i];
    r->n_reasons = kept;
}

static size_t
whole_line_end(const struct syntax *s)
{
    return s->top ? s->top->to : 0;
}

static void
report_whole_line(struct risk_state *st, const struct syntax *s)
{
    if (st->has_aliases && st->expands_aliases)
        risk_report_unread(st, 0, whole_line_end(s),
                           "an alias may change what is read");
    st->finishing = true;
    if (st->full)
        risk_report_unread(st, 0, whole_line_end(s),
                           "too long or too deeply nested to check");
    if (!only_reads_descriptors(st->out))
        remove_fact(st->out, RISK_HOLDERS);
}

/* Resets the state for a round, except the values that variables ever get, what
 * holds in text that repeats, and the memory. */
static void
reset_state(struct risk_state *st)
{
    struct risk *found = st->out;

    risk_parse_reset(st->memory);
    *found = (struct risk){0};
    *st = (struct risk_state){.out = found,
                              .where = st->where,
                              .line = st->line,
                              .memory = st->memory,
                              .variables = st->variables,
                              .n_variables = st->n_variables,
                              .anything = st->anything,
                              .split_changed = st->splits_often,
                              .splits_often = st->splits_often,
                              .shifted = st->shifts_often,
                              .shifts_often = st->shifts_often,
                              .closes = st->closes_often,
                              .closes_often = st->closes_often,
                              .reads = st->reads_often,
                              .reads_often = st->reads_often,
                              .fixes = st->fixes_often,
                              .fixes_often = st->fixes_often,
                              .no_memory = st->no_memory};
    for (struct risk_variable *v = st->variables; v; v = v->next) {
        v->n = 0;
        v->unknown = v->is_map = v->used_later = false;
        v->changes_case = v->is_fixed = false;
        v->used_in = 0;
        v->evaluated = 0;
    }
}

/* The input that the line is given. */
static struct risk_input
given_input(struct risk_state *st, const struct risk_start *start)
{
    struct risk_input in = {RISK_INPUT_NONE, "", 0, whole_line_end(st->line)};

    if (!start->input)
        return in;
    in.kind = RISK_INPUT_UNKNOWN;
    if (start->input_n <= SYNTAX_LINE_MAX &&
        strlen(start->input) == start->input_n) {
        in.kind = RISK_INPUT_TEXT;
        in.text = risk_copy(st, start->input, start->input_n);
    }
    return in;
}

static void
walk_line(struct risk_state *st, const struct risk_start *start)
{
    struct risk_directory here = {.dir = st->where->cwd, .until = (size_t)-1};
    struct risk_frame line = {
        .syntax = st->line, .wrapper = "", .input = given_input(st, start)};

    /* both pointers are dropped before their targets end */
    /* cppcheck-suppress autoVariables */
    st->directory = &here;
    /* cppcheck-suppress autoVariables */
    st->frame = &line;
    risk_apply_variables(st, &line, start->variables);
    risk_walk(st, &line);
    if (st->deferred && !st->full)
        risk_walk_deferred(st);
}

int
risk_read(const struct syntax *s, const struct path_context *where,
          struct risk *out, struct err *e)
{
    return risk_read_from(s, where, &(struct risk_start){0}, out, e);
}

int
risk_read_from(const struct syntax *s, const struct path_context *where,
               const struct risk_start *start, struct risk *out, struct err *e)
{
    struct risk found = {0};
    struct risk_state st = {.out = &found, .where = where, .line = s};

    for (size_t round = 0; round == 0 || st.again; round++) {
        reset_state(&st);
        if (round == ROUNDS_MAX)
            st.full = true;
        walk_line(&st, start);
        if (st.full || st.no_memory)
            break;
    }
    report_whole_line(&st, s);
    if (st.no_memory) {
        risk_memory_free(st.memory);
        return err_set(e, ERR_NOMEM, "reading a command line's risks");
    }
    found.memory = st.memory;
    found.prepared = start->input || (start->variables && *start->variables);
    *out = found;
    return 0;
}

void
risk_done(struct risk *r)
{
    if (!r)
        return;
    risk_memory_free(r->memory);
    *r = (struct risk){0};
}
