/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain_guess.c - decides whether a text is a command line or a question. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/path.h"
#include "guard/risk/risk.h"
#include "offline/explain/explain_state.h"
#include "offline/index/command_programs.h"
#include "offline/parse/lexicon.h"

/* Words of questions that are rare in commands without quotes. */
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

/* Commands that are words of everyday language too. */
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

/* Programs that people type and that have no built-in table. */
static const char others[] =
    " ansible arp bat code emacs eza fd fzf gradle hg host ifconfig iwconfig "
    "just mongo mongosh mutt mysqladmin ncdu neofetch netstat ninja nslookup "
    "open pbcopy pbpaste pnpm poetry podman pytest rg ruff sar svn tig "
    "traceroute tracepath uv w3m whois xclip xsel ";

/* Programs that take no words as operands, or only these: "kill chrome" and
 * "date of yesterday" are questions. */
static const struct {
    const char *program, *words;
} wordless[] = {
    {"kill", " "},
    {"free", " "},
    {"top", " "},
    {"date", " "},
    {"uptime", " "},
    {"cut", " "}, /* nor any operand without an option */
    {"at", " now noon midnight teatime tomorrow today "},
    {"who", " am i mom likes "},
    {"history", " "},
};

/* Verbs that people use with a program that does not have them. */
static const struct {
    const char *program, *verbs;
} unknown_verbs[] = {
    {"git", " delete undo rename list discard unstage uncommit ignore squash "
            "remove create compare change forget copy download upload "},
    {"docker", " delete list show remove clean "},
    {"apt", " find delete uninstall downgrade "},
};

/* Commands whose operands are names of the user's own, or another command. */
static const char takes_names[] = " read set unset export alias unalias ";
static const char takes_commands[] = " type which help time watch whereis ";

static bool
is_in_rows(const char *const *rows, size_t n, const char *word)
{
    for (size_t i = 0; i < n; i++)
        if (strcasecmp(rows[i], word) == 0)
            return true;
    return false;
}

/* Whether a word is a command: installed, a builtin, or known. */
static bool
names_command(const struct seat *s, const char *word)
{
    CLEANUP(knowledge_done) struct knowledge k = {.seat = s};
    CLEANUP(free_p) char *path = NULL;

    if (explain_is_keyword(word))
        return true;
    path = seat_find_program(s, word);
    return path || risk_knows_program(word) || lexicon_listed(word, others) ||
           command_programs_common(word) > 0 ||
           program_is_known(knowledge_get(&k, word));
}

/* What speaks for a question in a text, and what speaks for a command. */
struct guess {
    const struct seat *seat;
    const char *first;   /* the first word, or a reserved word */
    const char *second;  /* the one behind it; "" */
    size_t n, speech;    /* words; words of letters only */
    size_t of_questions; /* behind the first */
    size_t lone;         /* single letters, as in "cp a b" */
    size_t operands;     /* words that the program does not take */
    bool has_syntax;     /* options, paths, expansions */
    bool operators;      /* pipes, lists, redirections, assignments */
};

static bool
may_be_argument(const struct syntax_word *w)
{
    const char *t = w->text;

    for (const struct syntax_part *p = w->parts; p; p = p->next)
        if (p->kind != SYNTAX_TEXT && p->kind != SYNTAX_GLOB)
            return true;
    if (strpbrk(t, "%\\{}=")) /* %s, \n, {}: a format or a program */
        return true;
    return (t[0] == '-' && t[1] && !isspace((unsigned char)t[1])) ||
           strchr(t, '/') || explain_is_assignment(w);
}

/* Whether an article is a name: the a of "cp a b", the all of "make all". */
static bool
is_lone(const struct syntax_word *w)
{
    const struct syntax_word *next = w->next;

    if (w->len == 1)
        return !next || next->len == 1 || strchr(next->text, ':');
    return !next && lexicon_listed(w->text, " all every my the last ");
}

static bool
is_letters(const char *t)
{
    size_t len = strlen(t);

    len -= len > 1 && strchr(",.?!:", t[len - 1]) ? 1 : 0;
    return strspn(t, "abcdefghijklmnopqrstuvwxyz"
                     "ABCDEFGHIJKLMNOPQRSTUVWXYZ'") >= len;
}

/* Whether the program does not take that word. */
static bool
is_strange(const char *program, const char *word)
{
    for (size_t i = 0; i < ARRAY_SIZE(wordless); i++)
        if (strcmp(wordless[i].program, program) == 0)
            return !lexicon_listed(word, wordless[i].words);
    return false;
}

static void
add_guessed_word(struct guess *g, const struct syntax_word *w)
{
    const char *t = w->text;

    if (g->n++ == 0 && !g->first)
        g->first = t;
    else if (may_be_argument(w))
        g->has_syntax = true;
    if (g->n == 2)
        g->second = t;
    if (w->flags & SYNTAX_QUOTED || !is_letters(t))
        return;
    g->speech += !seat_has(g->seat, t);
    if (g->n == 1)
        return;
    g->lone += is_lone(w);
    g->operands += is_strange(g->first, t);
    g->of_questions += !is_lone(w) && is_in_rows(question_words,
                                                 ARRAY_SIZE(question_words), t);
}

static void
add_node(struct guess *g, const struct syntax *s,
         const struct syntax_node *node)
{
    bool whole = !s->fault;

    g->operators |= node->redirects || node->assigns ||
                    node->join != SYNTAX_NONE;
    g->has_syntax |= node->kind != SYNTAX_CALL;
    g->operators |= whole && node->kind != SYNTAX_CALL &&
                    node->kind != SYNTAX_SUBSHELL;
    if (node->holder) /* inside $(...): the word around it counts */
        return;
    for (const struct syntax_word *w = node->words; w; w = w->next)
        add_guessed_word(g, w);
}

/* The reserved word at the begin of a text, which the tree has no word for. */
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

/* Whether two words are a question: "find duplicates", "install python". As an
 * operand the second would name nothing. */
static bool
is_short_wish(const struct guess *g)
{
    size_t len = strlen(g->second);

    if (g->speech < 2)
        return false;
    if (strcmp(g->first, "install") == 0) /* it takes two */
        return true;
    return strcmp(g->first, "find") == 0 && lexicon_known(g->second) &&
           g->second[len - 1] == 's';
}

/* Whether it is the one command of who that takes words. */
static bool
is_who_am_i(const struct guess *g)
{
    return g->n == 3 && strcmp(g->first, "who") == 0 &&
           strcasecmp(g->second, "am") == 0;
}

/* Whether the program lacks the verb: "git delete branch". */
static bool
is_unknown_verb(const struct guess *g)
{
    for (size_t i = 0; i < ARRAY_SIZE(unknown_verbs); i++)
        if (strcmp(unknown_verbs[i].program, g->first) == 0)
            return lexicon_listed(g->second, unknown_verbs[i].verbs);
    return false;
}

/* Whether a text that begins with a command is a question. */
static bool
reads_as_speech(const struct guess *g)
{
    if (strcmp(g->first, "echo") == 0) /* whatever its arguments are */
        return false;
    if (is_unknown_verb(g))
        return true;
    if (g->operands > 0 && !g->has_syntax)
        return true;
    if (strcmp(g->first, "who") == 0 || lexicon_listed(g->first, takes_names))
        return g->of_questions > 0 && !g->has_syntax && !is_who_am_i(g);
    if (g->of_questions >= 2 || (g->of_questions > 0 && !g->has_syntax))
        return true;
    if (g->has_syntax || !is_in_rows(verbs, ARRAY_SIZE(verbs), g->first) ||
        (lexicon_listed(g->first, takes_commands) &&
         !explain_is_keyword(g->second) && names_command(g->seat, g->second)))
        return false;
    if (g->n == 2)
        return is_short_wish(g);
    return g->n > 2 && g->speech - g->lone + 1 >= g->n;
}

bool
explain_is_command(const struct seat *seat, const char *text)
{
    CLEANUP(syntax_done) struct syntax s = {0};
    struct guess g = {.seat = seat, .second = ""};
    char word[16];

    if (syntax_read(text, strlen(text), &s, NULL) < 0 || !s.top)
        return false;
    g.first = first_keyword(text, word, sizeof(word));
    g.n = g.first != NULL;
    for (const struct syntax_node *node = s.all; node; node = node->after)
        add_node(&g, &s, node);
    g.has_syntax |= g.operators || (s.fault && text[s.fault_at] &&
                                    strchr("()", text[s.fault_at]));
    if (!g.first)
        return g.has_syntax;
    if (g.n == 1 && !strchr(g.first, '?'))
        return true; /* a question has more than one word */
    if (!names_command(seat, g.first) && !s.top->assigns)
        return g.has_syntax && g.of_questions == 0 && !s.fault;
    return g.operators || !reads_as_speech(&g);
}
