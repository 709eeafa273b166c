/* SPDX-License-Identifier: GPL-3.0-or-later */
/* effects_kill.c - the processes that kill, pkill and killall would signal. */
#include <ctype.h>
#include <dirent.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>

#include "guard/effects/effects_look.h"
#include "guard/effects/effects_process.h"

#define CMDLINE_MAX (256 * 1024)

/* What a process is chosen by. */
struct choice {
    struct effects_look *look;
    const char *user;    /* NULL: anybody's */
    const char *pattern; /* of pkill; NULL: name */
    const char *name;    /* of killall */
    bool arguments;      /* the pattern is for the whole command line */
    bool exact, ignore_case;
};

static void
unknown(struct effects_look *l)
{
    l->out->unknown = true;
}

static void
add_process(struct effects_look *l, struct effects_proc *p)
{
    struct effects *x = l->out;

    for (size_t i = 0; i < x->n_processes; i++)
        if (x->processes[i].pid == p->shown.pid)
            return;
    if (x->n_processes == EFFECTS_PATHS_MAX) {
        x->more = true;
        return;
    }
    if (!x->processes)
        x->processes = calloc(EFFECTS_PATHS_MAX, sizeof(*x->processes));
    if (!x->processes) {
        l->no_room = true;
        return;
    }
    effects_proc_describe(p);
    x->processes[x->n_processes++] = p->shown;
}

/* Calls take for every process but ourselves. */
static void
each_process(struct effects_look *l, void *user,
             void (*take)(void *user, struct effects_proc *p))
{
    CLEANUP(dir_close_p) DIR *d = opendir("/proc");
    const struct dirent *entry;

    while (d && glob_limit_take(&l->limit) && (entry = readdir(d)) != NULL) {
        struct effects_proc p;

        if (isdigit((unsigned char)entry->d_name[0]) &&
            effects_proc_read((int)strtol(entry->d_name, NULL, 10), &p) &&
            p.shown.pid != getpid())
            take(user, &p);
    }
}

struct group {
    struct effects_look *look;
    int number;
};

static void
take_of_group(void *user, struct effects_proc *p)
{
    struct group *g = user;

    if (p->group == g->number)
        add_process(g->look, p);
}

/* "48213", "-48213" (a process group). "-1" is every process of yours. */
static void
kill_word(struct effects_look *l, const char *word)
{
    char *end;
    long pid = strtol(word, &end, 10);
    struct effects_proc p;
    struct group g = {l, (int)-pid};

    if (end == word || *end || pid < -(1L << 30) || pid > 1L << 30 ||
        pid == 0 || pid == -1)
        unknown(l);
    else if (pid < 0)
        each_process(l, &g, take_of_group);
    else if (effects_proc_read((int)pid, &p))
        add_process(l, &p);
}

static bool
expands(const struct risk_call *c, size_t i)
{
    return c->expands && (c->expands[i] & SYNTAX_EXPANDS);
}

static void
look_kill(struct effects_look *l, const struct risk_call *c)
{
    size_t i = 1;

    /* one option at most is a signal: what follows with a dash is a group */
    if (i < c->n &&
        (strcmp(c->argv[i], "-s") == 0 || strcmp(c->argv[i], "-n") == 0 ||
         strcmp(c->argv[i], "--signal") == 0))
        i += 2;
    else if (i < c->n && c->argv[i][0] == '-' && c->argv[i][1] != '-')
        i++;
    if (i < c->n && strcmp(c->argv[i], "--") == 0)
        i++;
    for (; i < c->n; i++) {
        if (expands(c, i))
            unknown(l);
        else
            kill_word(l, c->argv[i]);
    }
}

/* A pattern of letters, dots and the marks of both ends. Anything else could
 * cost a regular expression's time and memory. */
static bool
is_simple(const char *pattern)
{
    size_t n = strlen(pattern);

    for (size_t i = pattern[0] == '^'; i < n; i++)
        if (!isalnum((unsigned char)pattern[i]) &&
            !strchr("._-/:@=, ", pattern[i]) &&
            !(pattern[i] == '$' && i + 1 == n))
            return false;
    return n > 0 && n < 256;
}

static bool
same(char pattern, char c, bool ignore_case)
{
    if (ignore_case)
        return pattern == '.' ||
               tolower((unsigned char)pattern) == tolower((unsigned char)c);
    return pattern == '.' || pattern == c;
}

/* Whether the simple pattern is found in the text. */
static bool
is_found(const struct choice *c, const char *text)
{
    const char *p = c->pattern + (c->pattern[0] == '^');
    size_t n = strlen(p), len = strlen(text);
    bool start = c->exact || c->pattern[0] == '^', end = c->exact;

    if (n && p[n - 1] == '$') {
        end = true;
        n--;
    }
    for (size_t at = 0; at + n <= len; at++) {
        size_t i = 0;

        while (i < n && same(p[i], text[at + i], c->ignore_case))
            i++;
        if (i == n && (!end || at + n == len))
            return true;
        if (start)
            return false;
    }
    return false;
}

static bool
is_user(const struct choice *c, unsigned uid)
{
    const struct passwd *pw;
    char *end;
    unsigned long number;

    if (!c->user)
        return true;
    number = strtoul(c->user, &end, 10);
    if (end != c->user && *end == '\0')
        return number == uid;
    pw = getpwnam(c->user);
    return pw && pw->pw_uid == uid;
}

static void
take_chosen(void *user, struct effects_proc *p)
{
    CLEANUP_BUF struct buf b = buf_of(CMDLINE_MAX);
    const struct choice *c = user;
    bool hit;

    if (c->arguments)
        effects_proc_arguments(p->shown.pid, &b);
    if (c->pattern)
        hit = is_found(c, b.len ? b.p : p->shown.name);
    else if (c->name)
        hit = strcmp(c->name, p->command[0] ? p->command : p->shown.name) == 0;
    else
        hit = true;
    if (hit && is_user(c, p->uid))
        add_process(c->look, p);
}

/* -9, -KILL, -SIGKILL */
static bool
is_signal(const char *word)
{
    return word[0] == '-' && (isdigit((unsigned char)word[1]) ||
                              (isupper((unsigned char)word[1]) &&
                               isupper((unsigned char)word[2])));
}

/* Takes one option; *i is its place. False: it is one that we do not know. */
static bool
take_option(struct choice *c, const struct risk_call *call, size_t *i)
{
    static const char *const harmless[] = {"-e", "--echo", "-q", "--quiet",
                                           "-w", "--wait", "-v"};
    const char *word = call->argv[*i];
    bool pkill = strcmp(call->name, "pkill") == 0;

    if (is_signal(word) || strncmp(word, "--signal=", 9) == 0)
        return true;
    if (strcmp(word, "--signal") == 0 || (!pkill && strcmp(word, "-s") == 0)) {
        (*i)++;
        return true;
    }
    if (strcmp(word, "-u") == 0 || strcmp(word, "--user") == 0 ||
        strcmp(word, "--euid") == 0) {
        c->user = ++*i < call->n ? call->argv[*i] : "";
        return !strchr(c->user, ',');
    }
    if (pkill && (strcmp(word, "-f") == 0 || strcmp(word, "--full") == 0))
        c->arguments = true;
    else if (pkill && (strcmp(word, "-x") == 0 || strcmp(word, "--exact") == 0))
        c->exact = true;
    else if (pkill && strcmp(word, "-i") == 0)
        c->ignore_case = true;
    else {
        for (size_t k = 0; k < sizeof(harmless) / sizeof(harmless[0]); k++)
            if (strcmp(word, harmless[k]) == 0)
                return !pkill || word[1] != 'v'; /* pkill -v: all the others */
        return false;
    }
    return true;
}

/* Options may stand behind names as well: they are read first. */
static bool
take_options(struct choice *c, const struct risk_call *call,
             struct glob_list *names)
{
    for (size_t i = 1; i < call->n; i++) {
        const char *word = call->argv[i];

        if (expands(call, i))
            return false;
        if (word[0] != '-' || !word[1])
            glob_list_add(names, word, strlen(word));
        else if (!take_option(c, call, &i))
            return false;
    }
    return true;
}

static void
look_by_name(struct effects_look *l, const struct risk_call *call)
{
    struct choice c = {.look = l};
    struct glob_list names = {0};
    bool pkill = strcmp(call->name, "pkill") == 0;

    if (!take_options(&c, call, &names))
        unknown(l);
    else if (names.n == 0 && c.user)
        each_process(l, &c, take_chosen);
    else
        for (size_t i = 0; i < names.n; i++) {
            c.pattern = pkill ? names.v[i] : NULL;
            c.name = pkill ? NULL : names.v[i];
            if (pkill && !is_simple(names.v[i]))
                unknown(l);
            else
                each_process(l, &c, take_chosen);
        }
    glob_list_done(&names);
}

bool
effects_kill(struct effects_look *l, const struct risk_call *call)
{
    if (strcmp(call->name, "kill") == 0)
        look_kill(l, call);
    else if (strcmp(call->name, "pkill") == 0 ||
             strcmp(call->name, "killall") == 0)
        look_by_name(l, call);
    else
        return false;
    return true;
}
