/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain_guess.c - a command line, or a question in words? */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/path.h"
#include "guard/risk/risk.h"
#include "offline/explain/explain_state.h"
#include "offline/recipe/programs.h"
#include "offline/request/words.h"

/* Words of questions that seldom stand in a command without quotes. */
static const char *const question_words[] = {
    "the",        "a",        "an",    "my",      "all",    "every", "is",
    "are",        "do",       "does",  "how",     "what",   "why",   "when",
    "where",      "who",      "which", "can",     "i",      "me",    "to",
    "of",         "from",     "with",  "into",    "this",   "that",  "these",
    "than",       "over",     "under", "between", "last",   "files", "by",
    "and",        "not",      "there", "it",      "please", "on",    "for",
    "has",        "have",     "using", "mean",    "means",  "in",    "without",
    "everything", "anything",
};

/* Commands that are words of everyday speech too. */
static const char *const verbs[] = {
    "find",     "sort",    "cut",    "make",     "kill",  "test",   "time",
    "who",      "which",   "look",   "watch",    "at",    "file",   "last",
    "split",    "join",    "head",   "tail",     "free",  "touch",  "install",
    "link",     "paste",   "print",  "read",     "set",   "help",   "type",
    "wait",     "write",   "finger", "history",  "move",  "copy",   "list",
    "what",     "w",       "info",   "more",     "less",  "expand", "compare",
    "convert",  "display", "import", "open",     "start", "stop",   "locate",
    "zip",      "unzip",   "ping",   "mount",    "exit",  "shift",  "fold",
    "compress", "batch",   "users",  "shutdown",
};

/* Programs that a person types and that no table of ours says more of. */
static const char others[] =
    " ansible arp bat code emacs eza fd fzf gradle hg host ifconfig iwconfig "
    "just mongo mongosh mutt mysqladmin ncdu neofetch netstat ninja nslookup "
    "open pbcopy pbpaste pnpm poetry podman pytest rg ruff sar svn tig "
    "traceroute tracepath uv w3m whois xclip xsel ";

/* They take no words as operands, or none but these: "kill chrome" and "date
 * of yesterday" are wishes. */
static const struct {
    const char *program, *words;
} wordless[] = {
    {"kill", " "},
    {"free", " "},
    {"top", " "},
    {"date", " "},
    {"uptime", " "},
    {"cut", " "}, /* nor anything without an option */
    {"at", " now noon midnight teatime tomorrow today "},
    {"who", " am i mom likes "},
    {"history", " "},
};

/* Verbs that people say to them and that they do not know. */
static const struct {
    const char *program, *verbs;
} unknown_verbs[] = {
    {"git", " delete undo rename list discard unstage uncommit ignore squash "
            "remove create compare change forget copy download upload "},
    {"docker", " delete list show remove clean "},
    {"apt", " find delete uninstall downgrade "},
};

/* What they are given are names of one's own, or a command. */
static const char takes_names[] = " read set unset export alias unalias ";
static const char takes_commands[] = " type which help time watch whereis ";

#define N_OF(array) (sizeof(array) / sizeof((array)[0]))

static bool
is_in(const char *const *rows, size_t n, const char *word)
{
    for (size_t i = 0; i < n; i++)
        if (strcasecmp(rows[i], word) == 0)
            return true;
    return false;
}

/* Whether something here would run, or knows, a word. */
static bool
names_command(const char *word)
{
    CLEANUP(knowledge_done) struct knowledge k = {0};
    CLEANUP(free_p) char *path = NULL;

    if (explain_is_keyword(word))
        return true;
    path = path_find_program(word);
    return path || risk_knows_program(word) || words_listed(word, others) ||
           programs_common(word) > 0 ||
           program_is_known(knowledge_get(&k, word));
}

/* The words of a text, as far as it reads as one; and what stands there that
 * a question seldom has. */
struct guess {
    const char *first;   /* its word, or the reserved word in its place */
    const char *second;  /* the one behind it; "" */
    size_t n, speech;    /* words; those that are letters alone */
    size_t of_questions; /* behind the first */
    size_t lone;         /* single letters: names, as in "cp a b" */
    size_t operands;     /* that a wordless program does not take */
    bool looks;          /* options, paths, expansions */
    bool operators;      /* pipes, lists, redirections, assignments */
};

static bool
looks_like_argument(const struct syntax_word *w)
{
    const char *t = w->text;

    for (const struct syntax_part *p = w->parts; p; p = p->next)
        if (p->kind != SYNTAX_TEXT && p->kind != SYNTAX_GLOB)
            return true;
    if (strpbrk(t, "%\\{}=")) /* %s, \n, {}: a form or a program */
        return true;
    return (t[0] == '-' && t[1] && !isspace((unsigned char)t[1])) ||
           strchr(t, '/') || explain_is_assignment(w);
}

/* The a of "cp a b", the all of "make all": an article has a word behind it.
 */
static bool
is_lone(const struct syntax_word *w)
{
    const struct syntax_word *next = w->next;

    if (w->len == 1)
        return !next || next->len == 1 || strchr(next->text, ':');
    return !next && words_listed(w->text, " all every my the last ");
}

static bool
is_letters(const char *t)
{
    size_t len = strlen(t);

    len -= len > 1 && strchr(",.?!:", t[len - 1]) ? 1 : 0;
    return strspn(t, "abcdefghijklmnopqrstuvwxyz"
                     "ABCDEFGHIJKLMNOPQRSTUVWXYZ'") >= len;
}

/* Whether the program, which takes no words, is given one. */
static bool
is_strange(const char *program, const char *word)
{
    for (size_t i = 0; i < N_OF(wordless); i++)
        if (strcmp(wordless[i].program, program) == 0)
            return !words_listed(word, wordless[i].words);
    return false;
}

static void
add_word(struct guess *g, const struct syntax_word *w)
{
    const char *t = w->text;

    if (g->n++ == 0 && !g->first)
        g->first = t;
    else if (looks_like_argument(w))
        g->looks = true;
    if (g->n == 2)
        g->second = t;
    if (w->flags & SYNTAX_QUOTED || !is_letters(t))
        return;
    g->speech += access(t, F_OK) < 0;
    if (g->n == 1)
        return;
    g->lone += is_lone(w);
    g->operands += is_strange(g->first, t);
    g->of_questions += !is_lone(w) &&
                       is_in(question_words, N_OF(question_words), t);
}

static void
add_node(struct guess *g, const struct syntax *s,
         const struct syntax_node *node)
{
    bool whole = !s->fault;

    g->operators |= node->redirects || node->assigns ||
                    node->join != SYNTAX_NONE;
    g->looks |= node->kind != SYNTAX_CALL;
    g->operators |= whole && node->kind != SYNTAX_CALL &&
                    node->kind != SYNTAX_SUBSHELL;
    if (node->holder) /* of $(…): the word that holds it counts */
        return;
    for (const struct syntax_word *w = node->words; w; w = w->next)
        add_word(g, w);
}

/* What the tree has no word for: "time", "if" …. */
static const char *
first_keyword(const char *text, char *word, size_t size)
{
    size_t from = strspn(text, " \t\n");
    size_t n = strcspn(text + from, " \t\n;&|()<>");

    if (n == 0 || n >= size)
        return NULL;
    memcpy(word, text + from, n);
    word[n] = '\0';
    return explain_is_keyword(word) || !strcmp(word, "[[") ? word : NULL;
}

/* "find duplicates", "install python": what one word behind it would be, as an
 * operand, is nothing that is here. */
static bool
is_short_wish(const struct guess *g)
{
    size_t len = strlen(g->second);

    if (g->speech < 2)
        return false;
    if (strcmp(g->first, "install") == 0) /* it takes two */
        return true;
    return strcmp(g->first, "find") == 0 && words_known(g->second) &&
           g->second[len - 1] == 's';
}

/* The one line of who's that takes words. */
static bool
is_who_am_i(const struct guess *g)
{
    return g->n == 3 && strcmp(g->first, "who") == 0 &&
           strcasecmp(g->second, "am") == 0;
}

/* "git delete branch" */
static bool
is_unknown_verb(const struct guess *g)
{
    for (size_t i = 0; i < N_OF(unknown_verbs); i++)
        if (strcmp(unknown_verbs[i].program, g->first) == 0)
            return words_listed(g->second, unknown_verbs[i].verbs);
    return false;
}

/* Of what begins with a program's name. */
static bool
reads_as_speech(const struct guess *g)
{
    if (strcmp(g->first, "echo") == 0) /* whatever it is told */
        return false;
    if (is_unknown_verb(g))
        return true;
    if (g->operands > 0 && !g->looks)
        return true;
    if (strcmp(g->first, "who") == 0 || words_listed(g->first, takes_names))
        return g->of_questions > 0 && !g->looks && !is_who_am_i(g);
    if (g->of_questions >= 2 || (g->of_questions > 0 && !g->looks))
        return true;
    if (g->looks || !is_in(verbs, N_OF(verbs), g->first) ||
        (words_listed(g->first, takes_commands) &&
         !explain_is_keyword(g->second) && names_command(g->second)))
        return false;
    if (g->n == 2)
        return is_short_wish(g);
    return g->n > 2 && g->speech - g->lone + 1 >= g->n;
}

bool
explain_is_command(const char *text)
{
    CLEANUP(syntax_done) struct syntax s = {0};
    struct guess g = {.second = ""};
    char word[16];

    if (syntax_read(text, strlen(text), &s, NULL) < 0 || !s.top)
        return false;
    g.first = first_keyword(text, word, sizeof(word));
    g.n = g.first != NULL;
    for (const struct syntax_node *node = s.all; node; node = node->after)
        add_node(&g, &s, node);
    g.looks |= g.operators ||
               (s.fault && text[s.fault_at] && strchr("()", text[s.fault_at]));
    if (!g.first)
        return g.looks;
    if (g.n == 1 && !strchr(g.first, '?'))
        return true; /* no question has one word */
    if (!names_command(g.first) && !s.top->assigns)
        return g.looks && g.of_questions == 0 && !s.fault;
    return g.operators || !reads_as_speech(&g);
}
