/* SPDX-License-Identifier: GPL-3.0-or-later */
/* effects_signals.c - the processes that kill, pkill or killall would end. */
#include <ctype.h>
#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "base/passwd.h"
#include "base/path.h"
#include "guard/effects/effects_scan.h"

#define STAT_MAX    4096
#define CMDLINE_MAX (256 * 1024) /* a longer command line is cut */
#define START_FIELD 22           /* field of /proc/PID/stat, proc(5) */
#define GROUP_FIELD 5
#define NAME_KEPT   15

/* A process of the machine, as /proc describes it. */
struct process {
    struct effects_process info; /* describe_process completes it */
    int group;                   /* the process group */
    unsigned uid;                /* the user that runs it */
    char command[64]; /* the base name of its program, if `name` was cut at 15
                         bytes; else "" */
};

/* When the machine was booted, in seconds since 1970. */
static int64_t
boot_time(void)
{
    CLEANUP(file_close_p) FILE *f = fopen("/proc/stat", "re");
    char line[1024];
    int64_t t;

    while (f && fgets(line, sizeof(line), f))
        if (sscanf(line, "btime %" SCNd64, &t) == 1)
            return t;
    return 0;
}

/* Field `wanted` of a stat line, counted as in proc(5). The second field, the
 * name in parentheses, may itself contain blanks and parentheses. */
static int64_t
field_of(const char *line, int wanted)
{
    const char *p = strrchr(line, ')');
    int64_t v = 0;

    for (int i = 3; p && i <= wanted; i++)
        p = strchr(p + 1, ' ');
    if (p)
        sscanf(p, " %" SCNd64, &v);
    return v;
}

static void
read_process_name(const char *line, struct effects_process *p)
{
    const char *open = strchr(line, '('), *close = strrchr(line, ')');

    if (open && close && close > open)
        snprintf(p->name, sizeof(p->name), "%.*s", (int)(close - open - 1),
                 open + 1);
}

static void
read_owner(unsigned uid, struct effects_process *p)
{
    struct passwd_user user;

    p->ours = uid == getuid();
    if (passwd_find_uid(uid, &user))
        snprintf(p->owner, sizeof(p->owner), "%.63s", user.name);
    else
        snprintf(p->owner, sizeof(p->owner), "%u", uid);
}

static void
append_arguments(int pid, struct buf *out)
{
    char path[64];

    snprintf(path, sizeof(path), "/proc/%d/cmdline", pid);
    file_read(path, out, NULL); /* a longer one is cut */
    for (size_t i = 0; i + 1 < out->len; i++)
        if (out->p[i] == '\0')
            out->p[i] = ' ';
}

/* The kernel stores 15 bytes of a program's name. */
static void
read_process_command(struct process *p)
{
    CLEANUP_BUF struct buf b = buf_of(CMDLINE_MAX);
    char path[64];

    snprintf(path, sizeof(path), "/proc/%d/cmdline", p->info.pid);
    file_read(path, &b, NULL);
    snprintf(p->command, sizeof(p->command), "%.63s", path_base(b.p));
}

static bool
read_stat(int pid, struct buf *out, unsigned *uid)
{
    char path[64];
    struct stat st;

    snprintf(path, sizeof(path), "/proc/%d/stat", pid);
    if (pid <= 0 || stat(path, &st) < 0 || file_read(path, out, NULL) < 0)
        return false;
    *uid = (unsigned)st.st_uid;
    return true;
}

static bool
read_process(int pid, struct process *out)
{
    CLEANUP_BUF struct buf b = buf_of(STAT_MAX);
    struct process p = {.info.pid = pid};

    if (!read_stat(pid, &b, &p.uid))
        return false;
    read_process_name(b.p, &p.info);
    p.group = (int)field_of(b.p, GROUP_FIELD);
    if (strlen(p.info.name) >= NAME_KEPT)
        read_process_command(&p);
    *out = p;
    return true;
}

static void
describe_process(struct process *p)
{
    CLEANUP_BUF struct buf b = buf_of(STAT_MAX);
    long ticks = sysconf(_SC_CLK_TCK);

    if (!read_stat(p->info.pid, &b, &p->uid))
        return;
    read_owner(p->uid, &p->info);
    p->info.started = boot_time() +
                      field_of(b.p, START_FIELD) / (ticks > 0 ? ticks : 100);
}

/* How a call chooses its processes. */
struct process_filter {
    struct effects_scan *scan;
    const char *user;    /* NULL: any user */
    const char *pattern; /* of pkill; NULL: name is used */
    const char *name;    /* of killall */
    bool arguments; /* the pattern is matched against the whole command line */
    bool exact, ignore_case;
};

static void
set_unknown(struct effects_scan *scan)
{
    scan->out->unknown = true;
}

static void
add_process(struct effects_scan *scan, struct process *p)
{
    struct effects *x = scan->out;

    for (size_t i = 0; i < x->n_processes; i++)
        if (x->processes[i].pid == p->info.pid)
            return;
    if (x->n_processes == EFFECTS_PATHS_MAX) {
        x->more = true;
        return;
    }
    if (!x->processes)
        x->processes = calloc(EFFECTS_PATHS_MAX, sizeof(*x->processes));
    if (!x->processes) {
        scan->no_room = true;
        return;
    }
    describe_process(p);
    x->processes[x->n_processes++] = p->info;
}

/* Calls take for every process except this one. */
static void
for_each_process(struct effects_scan *scan, void *user,
                 void (*take)(void *user, struct process *p))
{
    CLEANUP(dir_close_p) DIR *d = opendir("/proc");
    const struct dirent *entry;

    while (d && glob_limit_take(&scan->limit) && (entry = readdir(d)) != NULL) {
        struct process p;

        if (isdigit((unsigned char)entry->d_name[0]) &&
            read_process((int)strtol(entry->d_name, NULL, 10), &p) &&
            p.info.pid != getpid())
            take(user, &p);
    }
}

struct group {
    struct effects_scan *scan;
    int number;
};

static void
add_if_in_group(void *user, struct process *p)
{
    struct group *g = user;

    if (p->group == g->number)
        add_process(g->scan, p);
}

/* "48213" is a process, "-48213" a process group. "-1" would be every process
 * of the user. */
static void
scan_kill_word(struct effects_scan *scan, const char *word)
{
    char *end;
    long pid = strtol(word, &end, 10);
    struct process p;
    struct group g = {scan, (int)-pid};

    if (end == word || *end || pid < -(1L << 30) || pid > 1L << 30 ||
        pid == 0 || pid == -1)
        set_unknown(scan);
    else if (pid < 0)
        for_each_process(scan, &g, add_if_in_group);
    else if (read_process((int)pid, &p))
        add_process(scan, &p);
}

static bool
word_expands(const struct risk_call *c, size_t i)
{
    return c->expands && (c->expands[i] & SYNTAX_EXPANDS);
}

static void
scan_kill(struct effects_scan *scan, const struct risk_call *c)
{
    size_t i = 1;

    /* only one option can be a signal: a later word with a dash is a group */
    if (i < c->n &&
        (strcmp(c->argv[i], "-s") == 0 || strcmp(c->argv[i], "-n") == 0 ||
         strcmp(c->argv[i], "--signal") == 0))
        i += 2;
    else if (i < c->n && c->argv[i][0] == '-' && c->argv[i][1] != '-')
        i++;
    if (i < c->n && strcmp(c->argv[i], "--") == 0)
        i++;
    for (; i < c->n; i++) {
        if (word_expands(c, i))
            set_unknown(scan);
        else
            scan_kill_word(scan, c->argv[i]);
    }
}

/* A pattern of letters, dots and anchors. A full regular expression could take
 * unbounded time and memory. */
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
char_matches(char pattern, char c, bool ignore_case)
{
    if (ignore_case)
        return pattern == '.' ||
               tolower((unsigned char)pattern) == tolower((unsigned char)c);
    return pattern == '.' || pattern == c;
}

/* Whether the simple pattern occurs in the text. */
static bool
pattern_found(const struct process_filter *c, const char *text)
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

        while (i < n && char_matches(p[i], text[at + i], c->ignore_case))
            i++;
        if (i == n && (!end || at + n == len))
            return true;
        if (start)
            return false;
    }
    return false;
}

static bool
is_user(const struct process_filter *c, unsigned uid)
{
    struct passwd_user user;
    char *end;
    unsigned long number;

    if (!c->user)
        return true;
    number = strtoul(c->user, &end, 10);
    if (end != c->user && *end == '\0')
        return number == uid;
    return passwd_find_name(c->user, &user) && user.uid == uid;
}

static void
add_if_chosen(void *user, struct process *p)
{
    CLEANUP_BUF struct buf b = buf_of(CMDLINE_MAX);
    const struct process_filter *c = user;
    bool hit;

    if (c->arguments)
        append_arguments(p->info.pid, &b);
    if (c->pattern)
        hit = pattern_found(c, b.len ? b.p : p->info.name);
    else if (c->name)
        hit = strcmp(c->name, p->command[0] ? p->command : p->info.name) == 0;
    else
        hit = true;
    if (hit && is_user(c, p->uid))
        add_process(c->scan, p);
}

/* -9, -KILL, -SIGKILL */
static bool
is_signal(const char *word)
{
    return word[0] == '-' && (isdigit((unsigned char)word[1]) ||
                              (isupper((unsigned char)word[1]) &&
                               isupper((unsigned char)word[2])));
}

/* Reads option *i of the call. False: it is not known here. */
static bool
read_pkill_option(struct process_filter *c, const struct risk_call *call,
                  size_t *i)
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
        for (size_t k = 0; k < ARRAY_SIZE(harmless); k++)
            if (strcmp(word, harmless[k]) == 0)
                return !pkill || word[1] != 'v'; /* -v: all others */
        return false;
    }
    return true;
}

/* Options may also follow names, so they are all read first. */
static bool
read_pkill_options(struct process_filter *c, const struct risk_call *call,
                   struct glob_list *names)
{
    for (size_t i = 1; i < call->n; i++) {
        const char *word = call->argv[i];

        if (word_expands(call, i))
            return false;
        if (word[0] != '-' || !word[1])
            glob_list_add(names, word, strlen(word));
        else if (!read_pkill_option(c, call, &i))
            return false;
    }
    return true;
}

static void
scan_pkill(struct effects_scan *scan, const struct risk_call *call)
{
    struct process_filter c = {.scan = scan};
    struct glob_list names = {0};
    bool pkill = strcmp(call->name, "pkill") == 0;

    if (!read_pkill_options(&c, call, &names))
        set_unknown(scan);
    else if (names.n == 0 && c.user)
        for_each_process(scan, &c, add_if_chosen);
    else
        for (size_t i = 0; i < names.n; i++) {
            c.pattern = pkill ? names.v[i] : NULL;
            c.name = pkill ? NULL : names.v[i];
            if (pkill && !is_simple(names.v[i]))
                set_unknown(scan);
            else
                for_each_process(scan, &c, add_if_chosen);
        }
    glob_list_done(&names);
}

bool
effects_signals(struct effects_scan *scan, const struct risk_call *call)
{
    if (strcmp(call->name, "kill") == 0)
        scan_kill(scan, call);
    else if (strcmp(call->name, "pkill") == 0 ||
             strcmp(call->name, "killall") == 0)
        scan_pkill(scan, call);
    else
        return false;
    return true;
}
