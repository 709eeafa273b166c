/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_slot_fill_all.c - hostile values do not change what a recipe runs. */
#include "unit.h"

#include <string.h>

#include "guard/risk/risk.h"
#include "offline/engine/slot_shell.h"

static const char *const hostile[] = {
    "a;touch PWN;b",
    "$(touch PWN)",
    "`touch PWN`",
    "a'b",
    "a\"b",
    "a b",
    "' ; touch PWN ; '",
    "\" ; touch PWN ; \"",
    "\\' ; touch PWN ; \\'",
    "\\\" ; touch PWN ; \\\"",
    "%",
    "-x",
    "--",
    "-oProxyCommand=touch PWN",
    "",
    "~",
    "*",
    "!",
    "#",
    "| touch PWN",
    "> PWN",
    "${x:=$(touch PWN)}",
    "a\\",
    "a\\/e",
    "x) touch PWN (",
    "user@-oProxyCommand=x",
};

/* A request of one value for each slot. */
struct made {
    struct request q;
    struct request_value values[RECIPE_SLOTS_MAX];
    struct slot_fill f;
    const char *text; /* the template */
    const char *value;
};

static bool
is_amount(enum slot_type type)
{
    return type == SLOT_NUMBER || type == SLOT_SIZE || type == SLOT_AGE;
}

/* A command or a program that a request gives is as dangerous as who wrote it:
 * all that is in the slot is meant to run. */
static bool
is_code(const char *text, const struct recipe_slot *s, size_t from)
{
    static const struct {
        const char *program, *before;
    } codes[] = {
        {"python3 -c", "-c "}, {"python3 -c", "'print("}, {"node ", "-p "},
        {"node ", "-e "},      {"perl ", "-e "},          {"perl ", "-ne "},
        {"ruby ", "-e "},      {"php ", "-r "},           {"ansible ", "-a "},
        {"PS1=", "PS1="},      {"PROMPT_", "COMMAND="},   {"Rscript ", "-e "},
    };
    const struct slot_position at = {.before = text, .n_before = from};

    for (size_t i = 0; s->type == SLOT_TEXT && i < N_OF(codes); i++) {
        size_t n = strlen(codes[i].before);

        if (strstr(text, codes[i].program) && from >= n &&
            memcmp(text + from - n, codes[i].before, n) == 0)
            return true;
    }
    return slot_shell_is_command(s->type, &at);
}

static int
add_slot(void *arg, const struct recipe_slot *s, size_t from, size_t to)
{
    struct made *m = arg;
    struct request_value *v = &m->values[m->f.n];
    struct slot_binding *slot = &m->f.slots[m->f.n];

    (void)to;
    for (size_t i = 0; i < m->f.n; i++)
        if (m->f.slots[i].slot.type == s->type &&
            m->f.slots[i].slot.nth == s->nth)
            return 0;
    if (m->f.n == RECIPE_SLOTS_MAX || is_amount(s->type) ||
        is_code(m->text, s, from))
        return 0;
    *slot = (struct slot_binding){.slot = *s, .word = m->f.n};
    *v = (struct request_value){.types = 1u << s->type,
                                .is = s->type,
                                .text = (char *)m->value,
                                .quoted = true};
    m->q.words[m->f.n].value = (int)m->f.n;
    m->f.n++;
    return 0;
}

static void
fill_all(const char *text, const char *value, struct buf *out)
{
    struct made m = {.text = text, .value = value};
    struct slot_fill_result result;
    struct err e;

    m.q.text = (char *)"";
    m.q.values = m.values;
    recipe_slots(text, add_slot, &m, &e);
    m.q.n = m.q.n_values = m.f.n;
    m.f.q = &m.q;
    buf_clear(out);
    assert_int_equal(slot_fill_command(&m.f, text, out, &result, &e), 0);
}

/* How a command is built, and what else it would run: a text to compare. */
static void
shape(const char *command, struct buf *out)
{
    static const struct path_context nowhere;
    struct syntax s = {0};
    struct risk r = {0};
    struct err e;

    buf_clear(out);
    assert_int_equal(syntax_read(command, strlen(command), &s, &e), 0);
    buf_printf(out, "%s;", s.fault ? s.fault : "");
    for (const struct syntax_node *n = s.all; n; n = n->after) {
        size_t runs = 0, redirects = 0;

        for (const struct syntax_word *w = n->words; w; w = w->next)
            runs += (w->flags & SYNTAX_RUNS) != 0;
        for (const struct syntax_redirect *d = n->redirects; d; d = d->next)
            redirects += 1 + (size_t)d->kind;
        buf_printf(out, "%d.%d.%zu.%zu;", (int)n->kind, (int)n->join, runs,
                   redirects);
    }
    assert_int_equal(risk_read(&s, &nowhere, &r, &e), 0);
    buf_printf(out, "%zu calls, ", r.n_calls);
    for (size_t i = 0; i < r.n_calls; i++)
        if (strcmp(r.calls[i].name, "touch") == 0)
            buf_str(out, "touch ");
    risk_done(&r);
    syntax_done(&s);
}

static size_t
check_template(const char *id, const char *text)
{
    CLEANUP_BUF struct buf tame = buf_of(1 << 20), wild = buf_of(1 << 20);
    CLEANUP_BUF struct buf want = buf_of(1 << 20), have = buf_of(1 << 20);
    size_t bad = 0;

    fill_all(text, "x", &tame);
    shape(tame.p, &want);
    for (size_t i = 0; i < N_OF(hostile); i++) {
        fill_all(text, hostile[i], &wild);
        shape(wild.p, &have);
        if (strcmp(want.p, have.p) == 0 && !strstr(wild.p, " ''/"))
            continue;
        print_message("# %s: [%s] %s\n#   %s\n#   %s\n", id, hostile[i], wild.p,
                      want.p, have.p);
        bad++;
    }
    return bad;
}

static void
no_value_changes_what_a_recipe_runs(void **state)
{
    const struct index *x = index_builtin();
    size_t bad = 0;

    (void)state;
    assert_non_null(x);
    for (size_t i = 0; i < index_count(x); i++) {
        struct recipe r;

        index_recipe(x, i, &r);
        for (size_t k = 0; k < r.n_steps; k++)
            bad += check_template(r.id, r.steps[k].command);
    }
    assert_int_equal(bad, 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_value_changes_what_a_recipe_runs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
