/* SPDX-License-Identifier: GPL-3.0-or-later */
/* policy_pin.c - where, and with which file, a rule for a command holds. */
#include "guard/policy/policy_pin.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/path.h"
#include "base/utf8.h"
#include "guard/risk/programs.h"

#define SCRIPT_MAX (64u << 10) /* bytes: a person reads no longer one */
#define MARK       "sha256:"

/* What a script may do and a rule for it be offered. */
#define MILD (RISK_WRITES | RISK_LOOKS | RISK_HOLDERS | RISK_OWNERS)

void
policy_pin_done(struct policy_rule *rule)
{
    free(rule->in);
    free(rule->with);
}

static int
set_text(char **to, const char *text, const char *what, struct err *e)
{
    if (*to)
        return err_set(e, ERR_CONFIG, "a rule has one line \"%s\"", what);
    *to = strdup(text);
    return *to ? 0 : err_sys(e, "a rule");
}

static int
read_with(struct policy_rule *rule, const char *at, struct err *e)
{
    const char *hex = at + strlen(MARK), *file = hex;

    if (strncmp(at, MARK, strlen(MARK)) == 0)
        file += strspn(hex, "0123456789abcdef");
    if (file - hex != SHA256_HEX_SIZE - 1 || (*file != ' ' && *file != '\t') ||
        rule->with)
        return err_set(e, ERR_CONFIG,
                       "a rule has one line \"with sha256:HEX FILE\", of 64 "
                       "digits 0-9 and a-f");
    memcpy(rule->hash, hex, SHA256_HEX_SIZE - 1);
    rule->hash[SHA256_HEX_SIZE - 1] = '\0';
    return set_text(&rule->with, file + strspn(file, " \t"), "with", e);
}

int
policy_pin_read(struct policy_rule *rule, const char *at, struct err *e)
{
    size_t len = strcspn(at, " \t");
    const char *rest = at + len + strspn(at + len, " \t");
    bool in = len == 2 && memcmp(at, "in", 2) == 0;

    if (!in && (len != 4 || memcmp(at, "with", 4) != 0))
        return 1;
    if (rule->kind != POLICY_COMMAND || rule->decision != GUARD_ALLOW)
        return err_set(e, ERR_CONFIG,
                       "in and with stand below an allow for a command");
    if (!in)
        return read_with(rule, rest, e);
    if (rest[0] != '/')
        return err_set(e, ERR_CONFIG, "in needs an absolute directory");
    return set_text(&rule->in, rest, "in", e);
}

static int
read_script(const char *path, struct buf *text, char hash[SHA256_HEX_SIZE],
            struct err *e)
{
    CLEANUP(fd_close_p)
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    struct stat st;

    if (fd < 0 || fstat(fd, &st) < 0)
        return err_sys(e, "%.200s", path);
    if (!S_ISREG(st.st_mode))
        return err_set(e, ERR_INVALID, "%.200s is no file", path);
    if (file_read_fd(fd, text, e) < 0)
        return err_wrap(e, "%.160s", path);
    sha256_hex(text->p, text->len, hash);
    return 0;
}

enum policy_pin
policy_pin_state(const struct policy_rule *rule,
                 const struct policy_place *place)
{
    CLEANUP_BUF struct buf text = buf_of(SCRIPT_MAX);
    CLEANUP(free_p) char *path = NULL;
    char hash[SHA256_HEX_SIZE];
    const char *cwd = place->where->cwd;

    if (!rule->in && !rule->with)
        return POLICY_PIN_HOLDS;
    if (!cwd || (rule->in && strcmp(rule->in, cwd) != 0))
        return POLICY_PIN_ELSEWHERE;
    if (!rule->with)
        return POLICY_PIN_HOLDS;
    path = rule->with[0] == '/' ? strdup(rule->with)
                                : path_join(cwd, rule->with);
    if (!path || read_script(path, &text, hash, NULL) < 0 ||
        strcmp(hash, rule->hash) != 0)
        return POLICY_PIN_CHANGED;
    return POLICY_PIN_HOLDS;
}

static bool
is_shell(const char *name)
{
    static const char *const shells[] = {"sh", "bash", "dash"};

    for (size_t i = 0; i < sizeof(shells) / sizeof(shells[0]); i++)
        if (strcmp(shells[i], name) == 0)
            return true;
    return false;
}

/* `sh FILE …` without options; NULL: the call is none. */
static const char *
script_of(const struct risk_call *call)
{
    if (!is_shell(call->argv[0]) || call->n < 2 || call->argv[1][0] == '-' ||
        call->argv[1][0] == '+' || !call->argv[1][0])
        return NULL;
    return call->argv[1];
}

/* Why the text is not all that it runs, or not harmless; NULL: it is. */
static const char *
objection(const struct risk *r)
{
    if (r->facts & (RISK_OPAQUE | RISK_UNKNOWN))
        return "what it runs is not all written in it";
    if (r->facts & ~MILD)
        return "it does what is asked about every time";
    for (size_t i = 0; i < r->n_paths; i++) {
        const struct risk_path *p = &r->paths[i];

        if (p->use != RISK_READS && strcmp(p->text, "/dev/null") != 0 &&
            (!p->known || strchr("/~", p->text[0]) || strstr(p->text, "..")))
            return "it may write outside of its directory";
    }
    return NULL;
}

static int
check_script(const char *file, const struct buf *text,
             const struct risk_place *where, struct err *e)
{
    CLEANUP(syntax_done) struct syntax s = {0};
    CLEANUP(risk_done) struct risk r = {0};
    const char *why;

    if (strlen(text->p) < text->len)
        return err_set(e, ERR_INVALID, "%.120s is no text", file);
    if (syntax_read(text->p, text->len, &s, e) < 0 ||
        risk_read(&s, where, &r, e) < 0)
        return -1;
    why = objection(&r);
    if (why)
        return err_set(e, ERR_INVALID, "%.120s: %s, so no rule for it is kept",
                       file, why);
    return 0;
}

/* Whether a line of the file of rules can hold it. */
static bool
is_plain(const char *text)
{
    size_t n = strlen(text);

    for (size_t i = 0; i < n; i++)
        if ((unsigned char)text[i] < ' ' || text[i] == 0x7F)
            return false;
    return n > 0 && text[0] != ' ' && text[n - 1] != ' ' && utf8_valid(text, n);
}

/* Whether a program may run what a file says, with some words. */
static bool
runs_files(const char *name)
{
    const struct program *p = program_find(name);

    for (size_t i = 0; p && i < p->n_rules; i++) {
        const struct program_rule *r = &program_rules(p)[i];

        if (r->verb == PROGRAM_CODE || r->verb == PROGRAM_INPUT ||
            r->verb == PROGRAM_LOADS ||
            (r->verb == PROGRAM_FACT && r->facts & RISK_UNKNOWN))
            return true;
    }
    return !p;
}

/* The reason why the line may be something else another time; NULL: none. A
 * known program whose words are only not known to be plain does the same. */
static const struct risk_reason *
doubt_of(const struct risk *r)
{
    for (size_t i = 0; i < r->n_reasons; i++) {
        const struct risk_reason *why = &r->reasons[i];

        if (why->fact == RISK_UNKNOWN &&
            (why->kind != RISK_KIND_UNVOUCHED || runs_files(why->program)))
            return why;
    }
    return NULL;
}

static int
refuse(const struct risk_reason *why, struct err *e)
{
    return err_set(e, ERR_INVALID,
                   "%.120s, which may be something else another time",
                   why->text);
}

int
policy_pin_propose(const struct risk *r, const struct risk_place *where,
                   struct buf *out, struct err *e)
{
    CLEANUP_BUF struct buf text = buf_of(SCRIPT_MAX);
    CLEANUP(free_p) char *path = NULL;
    char hash[SHA256_HEX_SIZE];
    const struct risk_reason *why = doubt_of(r);
    const char *file;

    if (!why)
        return 0;
    file = script_of(&r->calls[0]);
    if (!file || !where->cwd)
        return refuse(why, e);
    path = file[0] == '/' ? strdup(file) : path_join(where->cwd, file);
    if (!path)
        return err_set(e, ERR_NOMEM, "no memory for a path");
    if (read_script(path, &text, hash, e) < 0 ||
        check_script(file, &text, where, e) < 0)
        return -1;
    if (!is_plain(file) || !is_plain(where->cwd))
        return err_set(e, ERR_INVALID, "no rule can say its name");
    buf_printf(out, "\n    in %s\n    with " MARK "%s %s", where->cwd, hash,
               file);
    return buf_ok(out, "the rule", e);
}
