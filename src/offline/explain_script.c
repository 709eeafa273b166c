/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain_script.c - commands of a line, and what stands between them. */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "offline/explain_state.h"

/* What the words up to the next command are, where the shell's language
 * wants something else than a command. */
enum expect {
    EXPECT_COMMAND,
    EXPECT_NAME,     /* for NAME, select NAME, function NAME, case WORD */
    EXPECT_IN,       /* in */
    EXPECT_LIST,     /* what a loop goes through */
    EXPECT_PATTERNS, /* of a case, up to ) */
};

struct script {
    struct scope s;
    const struct word **argv;
    size_t n;
    enum expect expect;
    enum expect later; /* what comes behind the name */
    unsigned cases;    /* that are open */
    bool in_function;  /* the ) of "name ()" comes next */
};

static void
end_call(struct script *sc)
{
    struct call c = {.s = &sc->s, .argv = sc->argv, .n = sc->n};

    if (sc->n > 0)
        explain_call(&c);
    sc->n = 0;
    if (sc->expect == EXPECT_NAME || sc->expect == EXPECT_LIST)
        sc->expect = EXPECT_COMMAND;
}

static void
on_keyword(struct script *sc, const struct word *w, const char *meaning)
{
    explain_add_word(&sc->s, w, EXPLAIN_KEYWORD, "%s", meaning);
    if (word_is(w, "for") || word_is(w, "select")) {
        sc->expect = EXPECT_NAME;
        sc->later = EXPECT_IN;
    } else if (word_is(w, "function")) {
        sc->expect = EXPECT_NAME;
        sc->later = EXPECT_COMMAND;
    } else if (word_is(w, "case")) {
        sc->expect = EXPECT_NAME;
        sc->later = EXPECT_IN;
        sc->cases++;
    } else if (word_is(w, "esac")) {
        sc->cases -= sc->cases > 0;
    }
}

static void
on_name(struct script *sc, const struct word *w)
{
    const char *meaning = "the variable that takes each value in turn";

    if (sc->later == EXPECT_COMMAND)
        meaning = "the name of the function";
    else if (sc->cases > 0)
        meaning = "what is compared with the patterns";
    if (w->flags & WORD_ARITH)
        meaning = "start; as long as this holds; after each round";
    explain_add_word(&sc->s, w, EXPLAIN_OPERAND, "%s", meaning);
    sc->expect = sc->later;
}

static void
on_in(struct script *sc, const struct word *w)
{
    sc->expect = sc->cases > 0 ? EXPECT_PATTERNS : EXPECT_LIST;
    explain_add_word(&sc->s, w, EXPLAIN_KEYWORD,
                     sc->cases > 0 ? "the patterns follow"
                                   : "the values follow");
}

/* A word where a command's name or an argument may stand. */
static void
on_command_word(struct script *sc, const struct word *w)
{
    const char *keyword = sc->n == 0 ? explain_keyword(w) : NULL;

    if (keyword)
        on_keyword(sc, w, keyword);
    else if (sc->n == 0 && w->flags & WORD_ASSIGN)
        explain_assignment(&sc->s, w);
    else if (sc->n == 0 && w->flags & WORD_ARITH && w->text[0] == '(')
        explain_add_word(&sc->s, w, EXPLAIN_COMMAND,
                         "calculates, and succeeds unless the result is 0");
    else
        sc->argv[sc->n++] = w;
}

static void
on_word(struct script *sc, const struct word *w)
{
    if (sc->expect == EXPECT_NAME)
        on_name(sc, w);
    else if (sc->expect == EXPECT_IN && word_is(w, "in"))
        on_in(sc, w);
    else if (sc->expect == EXPECT_PATTERNS && !word_is(w, "esac"))
        explain_add_word(&sc->s, w, EXPLAIN_OPERAND,
                         "a pattern: what follows runs where it matches");
    else if (sc->expect == EXPECT_LIST)
        explain_add_word(&sc->s, w, EXPLAIN_OPERAND, "one of the values");
    else {
        sc->expect = EXPECT_COMMAND;
        on_command_word(sc, w);
    }
}

/* "name () …" */
static bool
on_function(struct script *sc, const struct word *op)
{
    const struct words *w = sc->s.w;

    if (sc->n != 1 || !word_is_op(op, "(") || op + 1 >= w->v + w->n ||
        !word_is_op(op + 1, ")"))
        return false;
    explain_add_word(&sc->s, sc->argv[0], EXPLAIN_KEYWORD,
                     "makes a function of this name, of what follows");
    sc->n = 0;
    sc->in_function = true;
    return true;
}

static void
on_operator(struct script *sc, const struct word *w)
{
    if (on_function(sc, w))
        return;
    if (sc->in_function) {
        sc->in_function = false;
        return;
    }
    if (sc->expect == EXPECT_PATTERNS) {
        if (word_is_op(w, ")"))
            sc->expect = EXPECT_COMMAND;
        return; /* | and ( belong to the patterns */
    }
    end_call(sc);
    explain_operator(&sc->s, w);
    if (sc->cases > 0 && w->text[0] == ';' && w->text[1])
        sc->expect = EXPECT_PATTERNS;
}

static void
run_script(struct script *sc)
{
    const struct words *w = sc->s.w;

    for (size_t i = 0; i < w->n; i++) {
        const struct word *word = &w->v[i];

        switch (word->kind) {
        case WORD_PLAIN:
            on_word(sc, word);
            break;
        case WORD_OPERATOR:
            on_operator(sc, word);
            break;
        case WORD_REDIRECT: /* its target follows, or there is a fault */
            explain_redirect(&sc->s, word, i + 1 < w->n ? word + 1 : NULL);
            break;
        case WORD_HEREDOC:
            explain_heredoc(&sc->s, word);
            break;
        case WORD_COMMENT:
            explain_add_word(&sc->s, word, EXPLAIN_COMMENT,
                             "a comment: nothing is done");
            break;
        case WORD_TARGET:
            break;
        }
    }
    end_call(sc);
}

void
explain_inner(struct explainer *x, size_t from, size_t to)
{
    CLEANUP(words_done) struct words w = {0};
    CLEANUP(free_p) const struct word **argv = NULL;
    struct script sc = {.s = {.x = x, .w = &w, .base = from}};

    if (x->depth + 1 > EXPLAIN_DEPTH_MAX) {
        explain_unknown(explain_add(x, EXPLAIN_EXPANSION, from, to, NULL,
                                    "too deep to be explained"));
        return;
    }
    if (words_split(x->line + from, to - from, &w, NULL) < 0 ||
        !(argv = calloc(w.n + 1, sizeof(*argv)))) {
        x->nomem = true;
        return;
    }
    sc.argv = argv;
    x->depth++;
    run_script(&sc);
    explain_expansions(&sc.s);
    if (w.fault)
        explain_unknown(explain_add(x, EXPLAIN_OPERATOR, from + w.fault_at,
                                    from + w.fault_at, "",
                                    "bash would not read this: %s", w.fault));
    x->depth--;
}

bool
explain_inner_word(const struct scope *s, const struct word *w)
{
    size_t from = s->base + w->from, to = s->base + w->to;
    const char *raw = s->x->line + from;
    char quote = *raw;

    if (!(w->flags & WORD_QUOTED)) {
        explain_inner(s->x, from, to);
        return true;
    }
    if ((quote != '\'' && quote != '"') || to - from < 2 ||
        raw[to - from - 1] != quote || memchr(raw + 1, quote, to - from - 2) ||
        w->flags & WORD_ANSI)
        return false;
    if (quote == '"' && memchr(raw, '\\', to - from))
        return false;
    explain_inner(s->x, from + 1, to - 1);
    return true;
}
