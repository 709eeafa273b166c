/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain_shell.c - explains what belongs to the shell itself.
 *
 * Operators, reserved words, redirections, assignments, signals, expansions,
 * and the conditions of test, [ and [[. */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "guard/path/path_table.h"
#include "offline/explain/explain_args.h"
#include "offline/explain/explain_phrase.h"
#include "offline/explain/explain_state.h"

struct shell_sign {
    const char *text, *meaning;
};

static const struct shell_sign operators[] = {
    {"|", "what the command before writes is what the next one reads"},
    {"|&", "what the command before writes, error messages too, is what the "
           "next one reads"},
    {"&&", "the next command runs only if the one before succeeded"},
    {"||", "the next command runs only if the one before failed"},
    {";", "then the next command runs"},
    {"&", "the command before runs in the background"},
    {"(", "begins commands that run in a shell of their own"},
    {")", "ends them"},
    {"{", "begins a group of commands"},
    {"}", "ends the group"},
    {"-p", "in the form that POSIX wants"}, /* of time */
    {"!", "success becomes failure, and failure success"},
    {";;", "ends what belongs to the pattern"},
    {";&", "goes on with what belongs to the next pattern"},
    {";;&", "goes on with the next pattern that matches"},
};

static const struct shell_sign keywords[] = {
    {"if", "runs what follows, and tests whether it succeeds"},
    {"then", "if so, these commands run"},
    {"elif", "if not, tests whether this succeeds"},
    {"else", "if nothing before did, these commands run"},
    {"fi", "ends the if"},
    {"for", "runs commands once for each value"},
    {"select", "lets a person choose a value, again and again"},
    {"while", "as long as what follows succeeds"},
    {"until", "as long as what follows fails"},
    {"do", "these commands run"},
    {"done", "ends the loop"},
    {"case", "runs what belongs to the pattern that matches"},
    {"esac", "ends the case"},
    {"in", "the values follow"},
    {"function", "makes a function"},
    {"time", "measures how long the commands take"},
    {"coproc", "runs a command in the background, joined by pipes"},
};

/* %s is the target. */
static const struct {
    enum syntax_redirect_kind kind;
    int fd; /* SYNTAX_FD_DEFAULT: the operator without a number */
    const char *meaning;
} redirects[] = {
    {SYNTAX_WRITE, SYNTAX_FD_DEFAULT,
     "what is written goes to %s, which is emptied first"},
    {SYNTAX_WRITE, 1, "what is written goes to %s, which is emptied first"},
    {SYNTAX_WRITE, 2, "error messages go to %s, which is emptied first"},
    {SYNTAX_APPEND, SYNTAX_FD_DEFAULT,
     "what is written is added at the end of %s"},
    {SYNTAX_APPEND, 1, "what is written is added at the end of %s"},
    {SYNTAX_APPEND, 2, "error messages are added at the end of %s"},
    {SYNTAX_CLOBBER, SYNTAX_FD_DEFAULT,
     "what is written goes to %s, emptied first even "
     "where the shell guards files"},
    {SYNTAX_WRITE_BOTH, SYNTAX_FD_DEFAULT,
     "all that is written, error messages too, goes to "
     "%s, which is emptied first"},
    {SYNTAX_APPEND_BOTH, SYNTAX_FD_DEFAULT,
     "all that is written, error messages too, is "
     "added at the end of %s"},
    {SYNTAX_READ, SYNTAX_FD_DEFAULT, "input is read from %s"},
    {SYNTAX_READ, 0, "input is read from %s"},
    {SYNTAX_READ_WRITE, SYNTAX_FD_DEFAULT,
     "%s is opened for reading and writing"},
    {SYNTAX_HERE_STRING, SYNTAX_FD_DEFAULT, "the text %s is the input"},
    {SYNTAX_HEREDOC, SYNTAX_FD_DEFAULT, "the lines up to %s are the input"},
    {SYNTAX_DUP_IN, SYNTAX_FD_DEFAULT, "input comes from descriptor %s"},
};

/* The reserved word, or the longest operator, at the begin of s[0..n). */
static const struct shell_sign *
find_sign(const char *s, size_t n)
{
    const struct shell_sign *found = NULL;
    size_t len = 0;

    while (len < n && isalpha((unsigned char)s[len]))
        len++;
    for (size_t i = 0; len > 0 && i < ARRAY_SIZE(keywords); i++)
        if (strlen(keywords[i].text) == len &&
            memcmp(keywords[i].text, s, len) == 0)
            return &keywords[i];
    for (size_t i = 0; len == 0 && i < ARRAY_SIZE(operators); i++) {
        size_t k = strlen(operators[i].text);

        if (k <= n && memcmp(operators[i].text, s, k) == 0 &&
            (!found || k > strlen(found->text)))
            found = &operators[i];
    }
    return found;
}

/* Whether a bracket or bar only delimits a name or a pattern. */
static bool
is_punctuation(const struct syntax_node *node, char c)
{
    if (!node || !strchr("()|", c))
        return false;
    return node->kind == SYNTAX_CASE_ITEM || node->kind == SYNTAX_FUNCTION ||
           node->kind == SYNTAX_FOR_ARITH;
}

bool
explain_operator(const struct explain_scope *s, const struct syntax_node *node,
                 size_t from, size_t *to)
{
    const char *text = s->x->line + s->base + from;
    const struct shell_sign *sign = find_sign(text, *to - from);
    const char *meaning = sign ? sign->meaning : "";
    size_t n;

    if (!sign)
        return false;
    n = strlen(sign->text);
    *to = from + n;
    if (is_punctuation(node, *text))
        return true;
    if (node && node->kind == SYNTAX_CASE && strcmp(sign->text, "in") == 0)
        meaning = "the patterns follow";
    explain_add(s->x,
                isalpha((unsigned char)*text) ? EXPLAIN_KEYWORD
                : *text == '-'                ? EXPLAIN_OPTION
                                              : EXPLAIN_OPERATOR,
                s->base + from, s->base + from + n, NULL, "%s", meaning);
    return true;
}

bool
explain_is_keyword(const char *text)
{
    for (size_t i = 0; i < ARRAY_SIZE(keywords); i++)
        if (strcmp(keywords[i].text, text) == 0)
            return true;
    return false;
}

bool
explain_is_assignment(const struct syntax_word *w)
{
    size_t n = strcspn(w->text, "=");

    if (n == 0 || !w->text[n] || isdigit((unsigned char)w->text[0]))
        return false;
    for (size_t i = 0; i < n; i++)
        if (!isalnum((unsigned char)w->text[i]) && w->text[i] != '_')
            return false;
    return true;
}

void
explain_assignment(const struct explain_scope *s, const struct syntax_assign *a)
{
    explain_add(s->x, EXPLAIN_ASSIGNMENT, s->base + a->from, s->base + a->to,
                NULL, "sets the variable %.200s", a->name);
}

/* Appends the name of a descriptor: "error messages" for 2, "descriptor 5" for
 * 5. */
static void
name_stream(int fd, struct buf *out)
{
    if (fd == 1 || fd == SYNTAX_FD_DEFAULT)
        buf_str(out, "what is written");
    else if (fd == 2)
        buf_str(out, "error messages");
    else if (fd == SYNTAX_FD_NAMED)
        buf_str(out, "a new descriptor");
    else
        buf_printf(out, "descriptor %d", fd);
}

/* Describes 2>&1, >&2, 3>&-, >&file. */
static void
describe_copy(const struct syntax_redirect *op, const char *to, struct buf *out)
{
    bool is_fd = *to && strspn(to, "0123456789-") == strlen(to);

    if (!is_fd && op->fd == SYNTAX_FD_DEFAULT) {
        buf_printf(out,
                   "all that is written, error messages too, goes to "
                   "%.200s, which is emptied first",
                   to);
        return;
    }
    name_stream(op->fd, out);
    if (strcmp(to, "-") == 0)
        buf_str(out, op->fd == 2 ? " are thrown away" : " is closed");
    else if (strcmp(to, "1") == 0)
        buf_printf(out, " %s where what is written goes",
                   op->fd == 2 ? "go" : "goes");
    else if (strcmp(to, "2") == 0)
        buf_str(out, " goes where error messages go");
    else
        buf_printf(out, " goes to descriptor %.200s", to);
}

static void
describe_redirect(const struct syntax_redirect *r, const char *to,
                  struct buf *out)
{
    bool both = r->kind == SYNTAX_WRITE_BOTH || r->kind == SYNTAX_APPEND_BOTH;
    bool writes = both || r->kind == SYNTAX_WRITE ||
                  r->kind == SYNTAX_CLOBBER || r->kind == SYNTAX_APPEND;

    if (r->kind == SYNTAX_DUP_OUT) {
        describe_copy(r, to, out);
        return;
    }
    if (writes && path_is(to, PATH_IS_NULL)) {
        if (both)
            buf_str(out, "all that is written, error messages too,");
        else
            name_stream(r->fd, out);
        buf_printf(out, " %s thrown away", r->fd == 2 ? "are" : "is");
        return;
    }
    for (size_t i = 0; i < ARRAY_SIZE(redirects); i++) {
        const char *form = redirects[i].meaning, *mark = strstr(form, "%s");

        if (redirects[i].kind != r->kind || redirects[i].fd != r->fd)
            continue;
        buf_add(out, form, (size_t)(mark - form));
        buf_printf(out, "%.200s%s", to, mark + 2);
        return;
    }
    name_stream(r->fd, out);
    buf_printf(out, " is connected with %.200s", to);
}

static void
explain_heredoc(const struct explain_scope *s, const struct syntax_word *w)
{
    size_t lines = 0, first = strcspn(w->text, "\n");
    CLEANUP_BUF struct buf what = buf_of(256);

    for (const char *p = w->text; *p; p++)
        lines += *p == '\n';
    buf_add(&what, w->text, first < 40 ? first : 40);
    if (lines > 1 || first >= 40)
        buf_str(&what, " \342\200\246");
    explain_add(s->x, EXPLAIN_REDIRECT, s->base + w->from, s->base + w->to,
                what.p, "the input: %zu %s", lines,
                lines == 1 ? "line" : "lines");
}

void
explain_redirect(const struct explain_scope *s, const struct syntax_redirect *r)
{
    CLEANUP_BUF struct buf meaning = buf_of(1024);

    describe_redirect(r, r->target->text, &meaning);
    explain_add(s->x, EXPLAIN_REDIRECT, s->base + r->from, s->base + r->to,
                s->mapped ? r->target->text : NULL, "%s", meaning.p);
    if (r->heredoc)
        explain_heredoc(s, r->heredoc);
}

/* Signals. */

static const struct {
    const char *name, *number, *meaning;
} signals[] = {
    {"HUP", "1", "the terminal was closed, or: read the settings again"},
    {"INT", "2", "Ctrl-C was typed"},
    {"QUIT", "3", "Ctrl-\\ was typed"},
    {"ABRT", "6", "the program aborted"},
    {"KILL", "9", "kill at once; cannot be ignored"},
    {"USR1", "10", "defined by the program"},
    {"SEGV", "11", "segmentation fault"},
    {"USR2", "12", "defined by the program"},
    {"PIPE", "13", "broken pipe"},
    {"ALRM", "14", "a timer ran out"},
    {"TERM", "15", "terminate"},
    {"CHLD", "17", "a child process ended"},
    {"CONT", "18", "continue"},
    {"STOP", "19", "stop; cannot be ignored"},
    {"TSTP", "20", "Ctrl-Z was typed"},
    {"WINCH", "28", "the window size changed"},
    {"EXIT", "", "the shell ends"},
    {"ERR", "", "a command fails"},
    {"DEBUG", "", "before each command"},
    {"RETURN", "", "a function or sourced script ends"},
};

const char *
explain_signal(const char *name)
{
    if (strncasecmp(name, "SIG", 3) == 0)
        name += 3;
    for (size_t i = 0; i < ARRAY_SIZE(signals); i++)
        if (strcasecmp(signals[i].name, name) == 0 ||
            (*name && strcmp(signals[i].number, name) == 0))
            return signals[i].meaning;
    return NULL;
}

/* Expansions: what the shell puts in place of words. */

static const struct {
    char name;
    const char *meaning;
} specials[] = {
    {'?', "the exit status of the last command"},
    {'$', "the process number of the shell"},
    {'!', "the process number of the last command in the background"},
    {'#', "how many arguments there are"},
    {'@', "all arguments, each a word"},
    {'*', "all arguments as one"},
    {'-', "the options of the shell"},
    {'0', "the name of the shell or script"},
    {'_', "the last argument of the command before"},
};

/* What follows the name in ${name...}; the first that fits counts. */
static const struct {
    const char *op, *meaning;
} changes[] = {
    {":-", "or what stands behind :- where it is empty"},
    {"-", "or what stands behind - where it is not set"},
    {":=", "set to what stands behind := where it is empty"},
    {"=", "set to what stands behind = where it is not set"},
    {":?", "or an error where it is empty"},
    {"?", "or an error where it is not set"},
    {":+", "but what stands behind :+ where it is not empty"},
    {"+", "but what stands behind + where it is set"},
    {"##", "without the longest beginning that matches"},
    {"#", "without the shortest beginning that matches"},
    {"%%", "without the longest end that matches"},
    {"%", "without the shortest end that matches"},
    {"//", "with every match replaced"},
    {"/", "with the first match replaced"},
    {"^^", "in large letters"},
    {"^", "with its first letter large"},
    {",,", "in small letters"},
    {",", "with its first letter small"},
    {":", "a part of it"},
    {"[", "one or all elements of the array"},
    {"@", "in another form"},
};

static size_t
variable_name_length(const char *s, size_t n)
{
    size_t i = 0;

    while (i < n && (isalnum((unsigned char)s[i]) || s[i] == '_'))
        i++;
    return i;
}

/* What ${...} does with the value, by the text behind the name; NULL when there
 * is none. */
static const char *
find_change(const char *s, size_t n)
{
    for (size_t i = 0; i < ARRAY_SIZE(changes); i++)
        if (strlen(changes[i].op) <= n &&
            memcmp(changes[i].op, s, strlen(changes[i].op)) == 0)
            return changes[i].meaning;
    return n ? "changed by the shell" : NULL;
}

/* Describes ${...}: the name and what is done to its value. */
static void
describe_variable(const char *s, size_t n, struct buf *out)
{
    bool length = n > 1 && *s == '#', refers = n > 1 && *s == '!';
    size_t len;
    const char *change;

    s += length || refers;
    n -= length || refers;
    len = variable_name_length(s, n);
    for (size_t i = 0; n > 0 && i < ARRAY_SIZE(specials); i++)
        if (s[0] == specials[i].name && len <= 1) {
            buf_str(out, specials[i].meaning);
            return;
        }
    change = find_change(s + len, n - len);
    if (len > 0 && isdigit((unsigned char)*s))
        buf_printf(out, "argument %.*s", (int)len, s);
    else
        buf_printf(out, "%s %.*s", length ? "the length of" : "the value of",
                   (int)(len < 100 ? len : 100), s);
    if (refers)
        buf_str(out, ", taken as a name");
    if (change)
        buf_printf(out, ", %s", change);
}

/* Describes a parameter by its name and what follows it. */
static void
describe_parameter(const struct syntax_part *p, struct buf *out)
{
    CLEANUP_BUF struct buf b = buf_of(4096);

    buf_str(&b, p->text);
    buf_add(&b, p->op, strnlen(p->op, 100));
    describe_variable(b.p, b.len, out);
}

/* Explains the marks around the command of a substitution. */
static void
around_body(const struct explain_scope *s, const struct syntax_part *p)
{
    size_t head = s->x->line[s->base + p->from] == '`' ? 1 : 2;

    if (!p->body || p->body->mapped)
        return;
    s->x->depth++;
    explain_operators(s, NULL, p->from + head, p->body->from);
    if (p->to > p->body->to)
        explain_operators(s, NULL, p->body->to, p->to - 1);
    s->x->depth--;
}

static void
on_part(const struct explain_scope *s, const struct syntax_part *p)
{
    CLEANUP_BUF struct buf meaning = buf_of(1024);

    switch (p->kind) {
    case SYNTAX_COMMAND:
        buf_str(&meaning, "replaced by what this command writes:");
        break;
    case SYNTAX_PROCESS_IN:
        buf_str(&meaning, "a file from which this command's output is read:");
        break;
    case SYNTAX_PROCESS_OUT:
        buf_str(&meaning, "a file that this command reads:");
        break;
    case SYNTAX_EXPRESSION:
        buf_str(&meaning, "replaced by the result of this calculation");
        break;
    case SYNTAX_PARAMETER:
        describe_parameter(p, &meaning);
        break;
    default:
        return; /* text or a pattern: the word as a whole is explained */
    }
    explain_add(s->x, EXPLAIN_EXPANSION, s->base + p->from, s->base + p->to,
                NULL, "%s", meaning.p);
    around_body(s, p);
}

/* Explains the expansions among the parts of a word. */
static void
on_parts(const struct explain_scope *s, const struct syntax_part *p)
{
    for (; p; p = p->next) {
        on_part(s, p);
        for (const struct syntax_part *k = p->kids; k; k = k->next)
            if (k->body)
                on_part(s, k);
    }
}

static bool
word_has_part(const struct syntax_word *w, enum syntax_part_kind kind)
{
    const struct syntax_part *p = w->parts;

    while (p && p->kind != kind)
        p = p->next;
    return p != NULL;
}

static void
on_word(const struct explain_scope *s, const struct syntax_word *w,
        bool names_files)
{
    if (!w)
        return;
    if (word_has_part(w, SYNTAX_TILDE))
        explain_add_word(s, w, EXPLAIN_EXPANSION,
                         "~ is replaced by a home directory");
    if (word_has_part(w, SYNTAX_BRACE))
        explain_add_word(s, w, EXPLAIN_EXPANSION,
                         "one word for each that stands in the braces");
    if (names_files && word_has_part(w, SYNTAX_GLOB))
        explain_add_word(s, w, EXPLAIN_EXPANSION,
                         "replaced by the names of all files that match");
    on_parts(s, w->parts);
}

static void
on_assign(const struct explain_scope *s, const struct syntax_assign *a)
{
    if (a->is_array)
        explain_add(s->x, EXPLAIN_EXPANSION, s->base + a->from, s->base + a->to,
                    NULL, "the elements of the array");
    on_parts(s, a->kids);
    on_word(s, a->value, false);
    for (const struct syntax_word *w = a->words; w; w = w->next)
        on_word(s, w, true);
}

void
explain_expansions(const struct explain_scope *s,
                   const struct syntax_node *node)
{
    bool files = node->kind != SYNTAX_TEST && node->kind != SYNTAX_CASE_ITEM;

    for (struct syntax_assign *a = node->assigns; a; a = a->next)
        on_assign(s, a);
    for (const struct syntax_word *w = node->words; w; w = w->next)
        if (node->kind == SYNTAX_ARITH || node->kind == SYNTAX_FOR_ARITH)
            on_parts(s, w->parts->kids);
        else
            on_word(s, w, files);
    for (struct syntax_redirect *r = node->redirects; r; r = r->next) {
        on_word(s, r->target, true);
        if (r->heredoc)
            on_parts(s, r->heredoc->parts);
    }
}

/* Conditions of test, [ and [[. */

#define CONDITION_MAX 300 /* bytes of a condition in words */
#define DEEPEST       8   /* depth of nested brackets and ! */

/* the words behind the operand, and the same with ! */
struct test_operator {
    const char *name, *is, *is_not;
};

static const struct test_operator unary[] = {
    {"-e", "exists", "does not exist"},
    {"-a", "exists", "does not exist"},
    {"-f", "is a file", "is not a file"},
    {"-d", "is a directory", "is not a directory"},
    {"-L", "is a symbolic link", "is not a symbolic link"},
    {"-h", "is a symbolic link", "is not a symbolic link"},
    {"-p", "is a named pipe", "is not a named pipe"},
    {"-S", "is a socket", "is not a socket"},
    {"-b", "is a block device", "is not a block device"},
    {"-c", "is a character device", "is not a character device"},
    {"-r", "can be read", "cannot be read"},
    {"-w", "can be written", "cannot be written"},
    {"-x", "can be run or entered", "cannot be run or entered"},
    {"-s", "has something in it", "is missing or has nothing in it"},
    {"-t", "is a terminal", "is not a terminal"},
    {"-O", "belongs to you", "does not belong to you"},
    {"-u", "has the set-user-ID bit", "has no set-user-ID bit"},
    {"-g", "has the set-group-ID bit", "has no set-group-ID bit"},
    {"-k", "has the sticky bit", "has no sticky bit"},
    {"-z", "is empty", "is not empty"},
    {"-n", "is not empty", "is empty"},
    {"-v", "is set", "is not set"},
    {"-o", "is a shell option that is on", "is a shell option that is off"},
};

static const struct test_operator binary[] = {
    {"-eq", "is", "is not"},
    {"-ne", "is not", "is"},
    {"-lt", "is less than", "is not less than"},
    {"-gt", "is greater than", "is not greater than"},
    {"-le", "is at most", "is more than"},
    {"-ge", "is at least", "is less than"},
    {"-nt", "is newer than", "is not newer than"},
    {"-ot", "is older than", "is not older than"},
    {"-ef", "is the same file as", "is another file than"},
    {"=", "is", "is not"},
    {"==", "is", "is not"},
    {"!=", "is not", "is"},
    {"=~", "matches the regular expression",
     "does not match the regular expression"},
    {"<", "sorts before", "does not sort before"},
    {">", "sorts behind", "does not sort behind"},
};

struct condition {
    const struct explain_command *c;
    size_t i, end;
    struct buf *out;
    bool bad;
};

static const struct test_operator *
find_test(const struct test_operator *rows, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(rows[i].name, name) == 0)
            return &rows[i];
    return NULL;
}

static const char *
text_at(const struct condition *k, size_t i)
{
    return i < k->end ? k->c->argv[i]->text : "";
}

static void
add_condition_word(struct condition *k, const struct syntax_word *w)
{
    if (w->len == 0)
        buf_str(k->out, "the empty text");
    else
        phrase_word(k->c->s->x, k->c->s->base, w, k->out);
}

/* Appends a condition with two operands: "$x is less than 3". [[ $x == *.c ]]
 * compares with a pattern. */
static void
describe_binary(struct condition *k, const struct test_operator *op, bool no)
{
    const struct syntax_word *right = k->c->argv[k->i + 2];
    bool equals = strcmp(op->name, "=") == 0 || strcmp(op->name, "==") == 0;
    bool differs = strcmp(op->name, "!=") == 0;
    bool pattern = strcmp(k->c->argv[0]->text, "[[") == 0 &&
                   right->flags & SYNTAX_PATTERN;

    add_condition_word(k, k->c->argv[k->i]);
    buf_ch(k->out, ' ');
    if ((equals || differs) && right->len == 0) {
        buf_str(k->out, equals == no ? "is not empty" : "is empty");
    } else {
        if ((equals || differs) && pattern)
            buf_str(k->out, equals == no ? "does not match" : "matches");
        else
            buf_str(k->out, no ? op->is_not : op->is);
        buf_ch(k->out, ' ');
        add_condition_word(k, right);
    }
    k->i += 3;
}

static void describe_either(struct condition *k, unsigned depth);

static void
describe_test(struct condition *k, bool no, unsigned depth)
{
    const char *t = text_at(k, k->i);
    const struct test_operator *op = k->i + 2 < k->end
                                         ? find_test(binary, ARRAY_SIZE(binary),
                                                     text_at(k, k->i + 1))
                                         : NULL;

    if (k->i >= k->end || depth > DEEPEST) {
        k->bad = true;
    } else if (op) {
        describe_binary(k, op, no);
    } else if (strcmp(t, "!") == 0 && k->i + 1 < k->end) {
        k->i++;
        describe_test(k, !no, depth + 1);
    } else if (strcmp(t, "(") == 0) {
        k->i++;
        buf_str(k->out, no ? "it is not true that (" : "(");
        describe_either(k, depth + 1);
        k->bad = k->bad || strcmp(text_at(k, k->i), ")") != 0;
        k->i++;
        buf_ch(k->out, ')');
    } else {
        op = k->i + 1 < k->end ? find_test(unary, ARRAY_SIZE(unary), t) : NULL;
        k->i += op != NULL;
        if (op && strcmp(op->name, "-t") == 0)
            buf_str(k->out, "descriptor ");
        add_condition_word(k, k->c->argv[k->i++]);
        buf_printf(k->out, " %s",
                   op   ? no ? op->is_not : op->is
                   : no ? "is empty"
                        : "is not empty");
    }
}

/* Consumes the next word when it is a or b. */
static bool
take_test_operator(struct condition *k, const char *a, const char *b)
{
    const char *t = text_at(k, k->i);

    if (strcmp(t, a) != 0 && strcmp(t, b) != 0)
        return false;
    k->i++;
    return true;
}

static void
describe_both(struct condition *k, unsigned depth)
{
    describe_test(k, false, depth);
    while (!k->bad && take_test_operator(k, "-a", "&&")) {
        buf_str(k->out, " and ");
        describe_test(k, false, depth);
    }
}

static void
describe_either(struct condition *k, unsigned depth)
{
    describe_both(k, depth);
    while (!k->bad && take_test_operator(k, "-o", "||")) {
        buf_str(k->out, ", or ");
        describe_both(k, depth);
    }
}

char *
explain_condition(const struct explain_command *c)
{
    CLEANUP_BUF struct buf out = buf_of(CONDITION_MAX);
    struct condition k = {.c = c, .i = 1, .end = c->n, .out = &out};

    if (c->n > 1 && *c->argv[0]->text == '[' && *c->argv[c->n - 1]->text == ']')
        k.end--;
    if (k.end < 2)
        return NULL;
    describe_either(&k, 0);
    if (k.bad || out.bad || k.i != k.end)
        return NULL;
    return buf_take(&out);
}
