/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plain_table.c - the programs that only look, and their exceptions. */
#include "guard/plain_table.h"

#include <stdio.h>
#include <string.h>

#include "guard/plain_paths.h"
#include "guard/secret.h"

#define READS 1u /* its operands are files whose contents it shows */
#define PLUS  2u /* operands other than +FORMAT change something */
/* may have no arguments but the options listed in `only` */
#define NO_WORDS 4u
#define VARIABLE 8u  /* a builtin that can assign to a variable */
#define INTO     16u /* of a directory it shows the files that lie in it */

#define ANY_NUMBER 10000

struct program {
    const char *name;
    unsigned flags;
    int operands;          /* at most so many */
    const char *bad_short; /* letters that write, run or change something */
    const char *bad_long;  /* the same as long options, blanks between */
    const char *takes;     /* letters whose argument may be the next word */
    const char *takes_long;
    const char *only; /* of NO_WORDS: the options it may have */
};

/* Options from the manual pages of GNU coreutils 9.1, grep 3.8, procps 4.0,
 * file 5.44, hostname 3.23 and bash 5.2. */
static const struct program programs[] = {
    {"arch", 0, 0, "", "", "", "", ""},
    {"basename", 0, ANY_NUMBER, "", "", "", "", ""},
    {"cat", READS, ANY_NUMBER, "", "", "", "", ""},
    {"cksum", READS, ANY_NUMBER, "", "", "", "", ""},
    {"cmp", READS, ANY_NUMBER, "", "", "", "", ""},
    {"comm", READS, ANY_NUMBER, "", "", "", "", ""},
    {"cut", READS, ANY_NUMBER, "", "", "", "", ""},
    {"date", PLUS, ANY_NUMBER, "sf", "--set --file", "dr", "--date --reference",
     ""},
    {"df", 0, ANY_NUMBER, "", "", "", "", ""},
    {"diff", READS | INTO, ANY_NUMBER, "lr", "--paginate --recursive", "", "",
     ""},
    {"dirname", 0, ANY_NUMBER, "", "", "", "", ""},
    {"du", 0, ANY_NUMBER, "", "--files0-from", "", "", ""},
    {"echo", 0, ANY_NUMBER, "", "", "", "", ""},
    {"egrep", READS, ANY_NUMBER, "rRd",
     "--recursive --dereference-recursive --directories", "", "", ""},
    {"env", NO_WORDS, 0, "", "", "", "", "-0 --null"},
    {"expand", READS, ANY_NUMBER, "", "", "", "", ""},
    {"false", 0, ANY_NUMBER, "", "", "", "", ""},
    {"fgrep", READS, ANY_NUMBER, "rRd",
     "--recursive --dereference-recursive --directories", "", "", ""},
    {"file", READS, ANY_NUMBER, "CzZ",
     "--compile --uncompress --uncompress-noreport", "", "", ""},
    {"fold", READS, ANY_NUMBER, "", "", "", "", ""},
    {"free", 0, 0, "", "", "cs", "--count --seconds", ""},
    {"grep", READS, ANY_NUMBER, "rRd",
     "--recursive --dereference-recursive --directories", "", "", ""},
    {"groups", 0, ANY_NUMBER, "", "", "", "", ""},
    {"head", READS, ANY_NUMBER, "", "", "", "", ""},
    {"hostname", NO_WORDS, 0, "", "", "", "",
     "-a -A -d -f -i -I -s -y --alias --all-fqdns --all-ip-addresses --domain "
     "--fqdn --ip-address --long --nis --short --yp"},
    {"id", 0, ANY_NUMBER, "", "", "", "", ""},
    {"join", READS, ANY_NUMBER, "", "", "", "", ""},
    {"logname", 0, 0, "", "", "", "", ""},
    {"ls", 0, ANY_NUMBER, "", "", "", "", ""},
    {"lscpu", 0, ANY_NUMBER, "", "", "", "", ""},
    {"md5sum", READS, ANY_NUMBER, "", "", "", "", ""},
    {"nl", READS, ANY_NUMBER, "", "", "", "", ""},
    {"nproc", 0, 0, "", "", "", "", ""},
    {"od", READS, ANY_NUMBER, "", "", "", "", ""},
    {"paste", READS, ANY_NUMBER, "", "", "", "", ""},
    {"printenv", 0, ANY_NUMBER, "", "", "", "", ""},
    {"printf", VARIABLE, ANY_NUMBER, "v", "", "", "", ""},
    {"ps", 0, ANY_NUMBER, "", "", "", "", ""},
    {"pwd", 0, 0, "", "", "", "", ""},
    {"readlink", 0, ANY_NUMBER, "", "", "", "", ""},
    {"realpath", 0, ANY_NUMBER, "", "", "", "", ""},
    {"rev", READS, ANY_NUMBER, "", "", "", "", ""},
    {"seq", 0, ANY_NUMBER, "", "", "", "", ""},
    {"sha1sum", READS, ANY_NUMBER, "", "", "", "", ""},
    {"sha256sum", READS, ANY_NUMBER, "", "", "", "", ""},
    {"sha512sum", READS, ANY_NUMBER, "", "", "", "", ""},
    {"sort", READS, ANY_NUMBER, "oT",
     "--output --compress-program --temporary-directory --files0-from", "", "",
     ""},
    {"stat", 0, ANY_NUMBER, "", "", "", "", ""},
    {"tac", READS, ANY_NUMBER, "", "", "", "", ""},
    {"tail", READS, ANY_NUMBER, "", "", "", "", ""},
    {"test", VARIABLE, ANY_NUMBER, "vR", "", "", "", ""},
    {"[", VARIABLE, ANY_NUMBER, "vR", "", "", "", ""},
    {"tr", 0, ANY_NUMBER, "", "", "", "", ""},
    {"true", 0, ANY_NUMBER, "", "", "", "", ""},
    {"tty", 0, 0, "", "", "", "", ""},
    {"type", 0, ANY_NUMBER, "", "", "", "", ""},
    {"uname", 0, 0, "", "", "", "", ""},
    {"uniq", READS, 1, "", "", "fsw",
     "--skip-fields --skip-chars --check-chars", ""},
    {"uptime", 0, 0, "", "", "", "", ""},
    {"wc", READS, ANY_NUMBER, "", "--files0-from", "", "", ""},
    {"which", 0, ANY_NUMBER, "", "", "", "", ""},
    {"who", READS, ANY_NUMBER, "", "", "", "", ""},
    {"whoami", 0, 0, "", "", "", "", ""},
    {":", 0, ANY_NUMBER, "", "", "", "", ""},
};

static const struct program *
find_program(const char *word)
{
    const char *name = word;

    if (strncmp(word, "/bin/", 5) == 0)
        name += 5;
    else if (strncmp(word, "/usr/bin/", 9) == 0)
        name += 9;
    for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++)
        if (strcmp(programs[i].name, name) == 0)
            return &programs[i];
    return NULL;
}

/* Whether a list with blanks between holds a word that begins with the n
 * bytes of prefix: GNU programs take any unambiguous beginning of a long
 * option for the whole. */
static bool
list_has(const char *list, const char *prefix, size_t n, bool whole)
{
    while (*list) {
        size_t len = strcspn(list, " ");

        if (len >= n && memcmp(list, prefix, n) == 0 && (!whole || len == n))
            return true;
        list += len;
        list += strspn(list, " ");
    }
    return false;
}

/* An option of the call: -abc, --name or --name=value. */
static bool
may_have_option(const struct program *p, const char *arg,
                struct guard_finding *out)
{
    size_t n = strcspn(arg, "=");
    bool bad;

    if (p->flags & NO_WORDS)
        bad = !list_has(p->only, arg, n, true) || arg[n] == '=';
    else if (arg[1] == '-')
        bad = n > 2 && list_has(p->bad_long, arg, n, false);
    else
        bad = strpbrk(arg + 1, p->bad_short) != NULL;
    if (bad)
        return plain_ask(out, "%s %s can do more than look", p->name, arg);
    return true;
}

/* Whether the argument of this option is the next word. */
static bool
takes_next(const struct program *p, const char *arg)
{
    size_t at;

    if (arg[1] == '-')
        return !strchr(arg, '=') && arg[2] &&
               list_has(p->takes_long, arg, strlen(arg), false);
    at = 1 + strcspn(arg + 1, p->takes);
    return arg[at] != '\0' && arg[at + 1] == '\0';
}

/* printf's %n assigns to the variable that its argument names. */
static bool
assigns_by_format(const char *arg)
{
    for (const char *p = strchr(arg, '%'); p; p = strchr(p, '%')) {
        p++;
        p += strspn(p, "#-+ '.*0123456789hlLjzt");
        if (*p == 'n')
            return true;
        p += *p == '%';
    }
    return false;
}

/* A file that the call reads. */
static bool
may_read(const struct program *p, const char *path, const char *cwd,
         struct guard_finding *out)
{
    if (p->flags & INTO && plain_is_directory(path, cwd))
        return plain_ask(out, "%s shows what lies in %s", p->name, path);
    return plain_may_read(path, cwd, out);
}

static bool
may_have_word(const struct program *p, const char *arg, const char *cwd,
              struct guard_finding *out)
{
    if (p->flags & VARIABLE && assigns_by_format(arg))
        return plain_ask(out, "%s with %%n sets a variable", p->name);
    if (!(p->flags & READS))
        return true;
    if (!may_read(p, arg, cwd, out))
        return false;
    if (arg[0] == '-' && strchr(arg, '=')) /* --file=FILE */
        return may_read(p, strchr(arg, '=') + 1, cwd, out);
    /* -fFILE, -xfFILE: where the name begins is not known */
    for (size_t i = 2; arg[0] == '-' && arg[1] && arg[i]; i++)
        if (secret_is_path(arg + i))
            return plain_ask(out, "reads what may be a secret: %s", arg);
    return true;
}

static bool
may_have_operand(const struct program *p, const char *arg, int count,
                 struct guard_finding *out)
{
    if (p->flags & PLUS && arg[0] != '+')
        return plain_ask(out, "%s %s can set it", p->name, arg);
    if (count > p->operands)
        return plain_ask(out, "%s can do more than look with the argument %s",
                         p->name, arg);
    return true;
}

bool
plain_may_call(const char *const *argv, size_t n, const char *cwd,
               struct guard_finding *out)
{
    const struct program *p = find_program(argv[0]);
    bool options = true, value = false;
    int operands = 0;

    if (!p)
        return plain_ask(out,
                         "%s is not on the list of programs that only "
                         "look",
                         argv[0]);
    for (size_t i = 1; i < n; i++) {
        const char *arg = argv[i];
        bool is_option = arg[0] == '-' && arg[1] != '\0';

        if (!may_have_word(p, arg, cwd, out))
            return false;
        /* an option's letters count behind -- too: better once too often */
        if (is_option && !may_have_option(p, arg, out))
            return false;
        if (value || (options && strcmp(arg, "--") == 0)) {
            options = value && options;
            value = false;
        } else if (is_option && options) {
            value = takes_next(p, arg);
        } else if (!may_have_operand(p, arg, ++operands, out)) {
            return false;
        }
    }
    return true;
}
