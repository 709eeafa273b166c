/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slot_type.c - decides which values may stand in a slot, and how well they
 * fit. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/ascii.h"
#include "base/shell_quote.h"
#include "guard/path/path_table.h"
#include "offline/engine/slot_shell.h"
#include "offline/parse/lexicon.h"

#define PORT_MAX 65535

static bool
is_of(const char *text, const char *bytes)
{
    for (; *text; text++) {
        if (!strchr(bytes, *text) && !((unsigned char)*text & 0x80))
            return false;
    }
    return true;
}

/* An extension is only in a pattern such as *.jpg. */
static bool
is_extension(const char *text)
{
    if (strpbrk(text, "*?["))
        return text[0] == '*' && text[1] == '.' && text[2] &&
               !strpbrk(text + 2, "*?[/ ");
    text += strspn(text, ".");
    return *text && *text != '-' && is_of(text, ASCII_ALNUM "._-+~");
}

/* ssh gives the host to a shell where a proxy is set; a dash behind the @ is
 * an option to programs that cut the user off. */
static bool
is_host(const char *text)
{
    return is_of(text, ASCII_ALNUM "._-:@[]%/") && !strstr(text, "@-");
}

static bool
is_port(const char *text)
{
    char *end;
    long n;

    text += *text == ':';
    if (!isdigit((unsigned char)*text)) /* its name: http */
        return is_of(text, ASCII_ALNUM "-_");
    n = strtol(text, &end, 10);
    return n > 0 && n <= PORT_MAX && (!*end || !isdigit((unsigned char)*end));
}

/* 755, -w, u+x,go= */
static bool
is_mode(const char *text)
{
    return is_of(text, "01234567ugoarwxXst+-=,") && strcmp(text, "-") != 0 &&
           strncmp(text, "--", 2) != 0;
}

static bool
is_unquoted_word(const char *text)
{
    return !strpbrk(text, " /\t\n`$();|&<>\"'\\!");
}

/* Whether a text has the form of a slot's type. An empty text, or one that
 * would be an option, names nothing. */
static bool
has_slot_form(enum slot_type slot, const char *text)
{
    bool dash = text[0] == '-';

    if (!text[0]) /* s/x// takes x away; nothing else is wanted empty */
        return slot == SLOT_TEXT;
    switch (slot) {
    case SLOT_PATH:
    case SLOT_GLOB:
    case SLOT_TEXT:
    case SLOT_DATE:
        return true;
    case SLOT_EXT:
        return is_extension(text);
    case SLOT_MODE:
        return is_mode(text);
    case SLOT_HOST:
        return !dash && is_host(text);
    case SLOT_PORT:
        return !dash && is_port(text);
    case SLOT_USER:
    case SLOT_GROUP:
        return !dash && is_of(text, ASCII_ALNUM "._-+:@$\\");
    case SLOT_NAME:
        return !dash && is_unquoted_word(text);
    default:
        return !dash;
    }
}

static bool
is_variable_identifier(const char *text)
{
    return !isdigit((unsigned char)*text) &&
           !text[strspn(text, ASCII_ALNUM "_")];
}

/* The text behind the "${{" around the position, or NULL. */
static const char *
is_expansion_at(const struct slot_position *at)
{
    const char *end = at->before + at->n_before, *from = NULL;

    for (const char *c = at->before; c + 2 < end; c++) {
        if (strncmp(c, "${{", 3) == 0)
            from = c + 3;
        else if (from && c >= from && strncmp(c, "}}", 2) == 0)
            from = NULL;
    }
    return from;
}

/* Whether the shell reads the name of a variable there. */
static bool
is_variable_position(const struct slot_position *at)
{
    const char *end = at->before + at->n_before;
    const char *behind = strchr(end, '}'), *from = is_expansion_at(at);

    if (from)
        return from + strspn(from, "#!") == end;
    if (!slot_shell_begins_word(at) || !behind)
        return false;
    behind += 1 + (behind[1] == '+');
    return *behind == '=' && strncmp(at->before, "alias ", 6) != 0;
}

bool
slot_type_may_stand(enum slot_type slot, const char *text,
                    const struct slot_position *at)
{
    if (!has_slot_form(slot, text))
        return false;
    /* what reads it there may know no $'…' */
    if (shell_quote_has_control(text) &&
        (slot_shell_is_quoted(at) || slot_shell_is_command(slot, at) ||
         slot_shell_reader(slot, at) != SLOT_READER_NONE))
        return false;
    if (is_variable_position(at))
        return is_variable_identifier(text);
    if (is_expansion_at(at) && !is_of(text, ASCII_ALNUM " ._-,:@=+^"))
        return false;
    if (!text[0])
        return at->inside;
    if (at->n_before > 0 && at->before[at->n_before - 1] == '\\') /* \ls */
        return is_of(text, ASCII_ALNUM "._-");
    if (text[0] != '-' || !slot_shell_begins_word(at))
        return true;
    return (slot != SLOT_TEXT && slot != SLOT_DATE) ||
           slot_shell_is_safe_behind(at) || slot_shell_wants_e(at);
}

/* How well a value of one type fits a slot of another. */

#define EXACT   1.0 /* the likeliest type of the value is the slot's */
#define MAYBE   0.8 /* it is one of those that it may be */
#define MEASURE 0.1

/* Kinship between different types. quoted: only for values in quotes. */
static const struct kin {
    enum slot_type slot, value;
    double suits;
    bool quoted;
} kin[] = {
    {SLOT_PATH, SLOT_GLOB, .70, false},   {SLOT_PATH, SLOT_TEXT, .55, true},
    {SLOT_PATH, SLOT_EXT, .40, false},    {SLOT_GLOB, SLOT_EXT, .80, false},
    {SLOT_GLOB, SLOT_TEXT, .60, true},    {SLOT_GLOB, SLOT_PATH, .55, false},
    {SLOT_GLOB, SLOT_NAME, .50, false},   {SLOT_EXT, SLOT_GLOB, .80, false},
    {SLOT_AGE, SLOT_NUMBER, .45, false},  {SLOT_SIZE, SLOT_NUMBER, .45, false},
    {SLOT_NUMBER, SLOT_PORT, .60, false}, {SLOT_PORT, SLOT_NUMBER, .70, false},
    {SLOT_USER, SLOT_NAME, .60, false},   {SLOT_USER, SLOT_TEXT, .50, true},
    {SLOT_GROUP, SLOT_NAME, .60, false},  {SLOT_GROUP, SLOT_USER, .40, false},
    {SLOT_GROUP, SLOT_TEXT, .50, true},   {SLOT_HOST, SLOT_URL, .30, false},
    {SLOT_HOST, SLOT_NAME, .40, false},   {SLOT_HOST, SLOT_PATH, .30, false},
    {SLOT_HOST, SLOT_TEXT, .40, true},    {SLOT_URL, SLOT_HOST, .40, false},
    {SLOT_URL, SLOT_TEXT, .40, true},     {SLOT_MODE, SLOT_NUMBER, .70, false},
    {SLOT_MODE, SLOT_TEXT, .40, true},    {SLOT_NAME, SLOT_TEXT, .65, true},
    {SLOT_NAME, SLOT_USER, .55, false},   {SLOT_NAME, SLOT_PATH, .45, false},
    {SLOT_NAME, SLOT_HOST, .45, false},   {SLOT_NAME, SLOT_NUMBER, .25, false},
    {SLOT_TEXT, SLOT_NAME, .60, false},   {SLOT_TEXT, SLOT_PATH, .35, false},
    {SLOT_TEXT, SLOT_GLOB, .35, false},   {SLOT_TEXT, SLOT_NUMBER, .35, false},
    {SLOT_TEXT, SLOT_URL, .40, false},    {SLOT_TEXT, SLOT_HOST, .30, false},
    {SLOT_TEXT, SLOT_DATE, .40, false},   {SLOT_DATE, SLOT_TEXT, .40, true},
};

#define N_KIN ARRAY_SIZE(kin)

/* "10 MB" and "two days" are amounts, rarely texts to search for. */
static bool
is_measure(const struct request_value *v)
{
    return !v->quoted && (v->is == SLOT_SIZE || v->is == SLOT_AGE);
}

double
slot_type_kinship(enum slot_type slot, const struct request_value *v)
{
    double best = 0;

    if (!has_slot_form(slot, v->text) ||
        ((slot == SLOT_PATH || slot == SLOT_GLOB) && !v->exists &&
         ((slot == SLOT_PATH && v->is == SLOT_HOST) ||
          lexicon_listed(v->text, "tar.gz tar.xz tar.bz2 tar.zst tgz"))) ||
        (slot == SLOT_HOST && v->is != SLOT_HOST &&
         request_is_remote_path(v->text))) /* box:/srv is more than a host */
        return 0;
    if (v->is == slot)
        return EXACT;
    if (slot == SLOT_TEXT && is_measure(v))
        return MEASURE;
    if (v->types & (1u << slot))
        return MAYBE;
    for (const struct kin *k = kin; k < kin + N_KIN; k++) {
        if (k->slot == slot && (v->types & (1u << k->value)) &&
            (v->quoted || !k->quoted) && k->suits > best)
            best = k->suits;
    }
    /* What stands in quotes may be any text. */
    return slot == SLOT_TEXT && v->quoted && best < MAYBE ? MAYBE : best;
}

static bool
is_behind_text(const struct slot_position *at, const char *text)
{
    size_t n = strlen(text);

    return at->n_before >= n &&
           memcmp(at->before + at->n_before - n, text, n) == 0;
}

static bool
starts_with(const struct slot_position *at, const char *text)
{
    return strncmp(at->before, text, strlen(text)) == 0;
}

/* Whether the position ends its word, unlike the {path} of {path}/x. */
static bool
ends_its_word(const struct slot_position *at)
{
    const char *end = strchr(at->before + at->n_before, '}');

    return !end || !end[1] || strchr(" ;&|)\n", end[1]);
}

/* Whether the value stays, or only contains what is deleted: "delete the logs
 * in x". */
static bool
is_spared(const struct request_value *v, const struct slot_position *at)
{
    if (v->negated && starts_with(at, "find ") &&
        strstr(at->before, "-delete") && at->n_before == strlen("find "))
        return true;
    if (v->negated && (starts_with(at, "tar ") || starts_with(at, "zip ")))
        return !is_behind_text(at, "--exclude=") && !is_behind_text(at, "-x ");
    return (v->negated || (v->within && ends_its_word(at))) &&
           (starts_with(at, "rm ") || starts_with(at, "git rm ") ||
            starts_with(at, "sudo rm "));
}

/* Programs that work on a disk, or on an image of one. */
static bool
makes_file_system(const struct slot_position *at)
{
    return starts_with(at, "sudo mkfs") || starts_with(at, "sudo wipefs") ||
           starts_with(at, "sudo mkswap") || starts_with(at, "sudo dd ") ||
           starts_with(at, "sudo parted") || starts_with(at, "sudo fdisk");
}

/* "the program that writes to x.log" is not called x.log. */
static bool
is_no_process(const struct request_value *v, const struct slot_position *at)
{
    return v->is == SLOT_PATH && (v->exists || strpbrk(v->text, "/.")) &&
           (starts_with(at, "pkill ") || starts_with(at, "killall ") ||
            is_behind_text(at, "pgrep ") || is_behind_text(at, "pgrep -x "));
}

/* "delete the image photo.jpg" means a file */
static bool
is_no_image(const struct request_value *v, const struct slot_position *at)
{
    return v->is == SLOT_PATH && (v->exists || strchr(v->text, '.')) &&
           (starts_with(at, "docker rmi ") || starts_with(at, "podman rmi "));
}

/* "install requirements.txt": no package is called so. */
static bool
is_no_package(const struct request_value *v, const struct slot_position *at)
{
    const char *dot = strrchr(v->text, '.');
    bool package = dot &&
                   (strcmp(dot, ".deb") == 0 || strcmp(dot, ".rpm") == 0);

    return v->exists && !v->is_dir && !package &&
           is_behind_text(at, " install ") && !starts_with(at, "pip") &&
           !starts_with(at, "npm");
}

/* Neither a file nor "two commits" is a commit of that name. */
static bool
is_no_commit(const struct request_value *v, const struct slot_position *at)
{
    if (starts_with(at, "git revert ") || starts_with(at, "git merge ") ||
        starts_with(at, "git cherry-pick "))
        return v->exists;
    return starts_with(at, "git diff ") && v->is == SLOT_NUMBER;
}

/* Whether the place is an operand of a program that reads files, and no
 * directory. */
static bool
see_file_reader(void *arg, const char *word, size_t n)
{
    static const char programs[] = " base64 bzip2 cat convert cut ffmpeg gzip "
                                   "head less md5sum nl sha256sum shred sort "
                                   "split tac tail truncate uniq wc xz zstd ";
    bool *reads = arg;
    char name[16] = "";

    if (n < sizeof(name))
        memcpy(name, word, n);
    if (*word != '-')
        *reads |= lexicon_listed(name, programs);
    else if (memchr(word, 'r', n) || memchr(word, 'R', n))
        *reads = false;
    return false;
}

static bool
reads_files(const struct slot_position *at)
{
    bool reads = false;

    slot_shell_words(at, see_file_reader, &reads);
    return reads;
}

/* Whether a directory would do harm: cp without -r takes files, {path}.bak is a
 * file. */
bool
slot_type_takes_directory(const struct slot_position *at)
{
    bool copies = starts_with(at, "cp ") && !starts_with(at, "cp -r") &&
                  !starts_with(at, "cp -a") && !starts_with(at, "cp -R");
    const char *end = strchr(at->before + at->n_before, '}');
    bool first = memchr(at->before, '}', at->n_before) == NULL;

    return (!copies || !first) && (!end || end[1] != '.') &&
           !(ends_its_word(at) && reads_files(at));
}

/* Whether only a directory makes sense there. */
static bool
is_for_directory(const struct slot_position *at)
{
    return is_behind_text(at, "cd ") || is_behind_text(at, "git init ") ||
           is_behind_text(at, "git -C ") || is_behind_text(at, "mkdir ") ||
           is_behind_text(at, "mkdir -p ") || is_behind_text(at, "rmdir ") ||
           is_behind_text(at, "http.server -d ") ||
           is_behind_text(at, "127.0.0.1 -d ");
}

/* Whether it is the {path} of {path}/, which is no file. */
static bool
is_above(const struct slot_position *at)
{
    const char *end = strchr(at->before + at->n_before, '}');

    return end && end[1] == '/';
}

bool
slot_type_harms(const struct request_value *v, const struct slot_position *at)
{
    bool device = path_is(v->text, PATH_IS_DEVICE) &&
                  !path_is(v->text, PATH_IS_STDIO);
    bool into = is_behind_text(at, "> ") || is_behind_text(at, "tee ") ||
                is_behind_text(at, "tee -a ");
    bool file = into || is_behind_text(at, "-O ") ||
                is_behind_text(at, "-o ") || is_behind_text(at, "-Lo ") ||
                is_behind_text(at, "< ");

    if (is_spared(v, at))
        return true;
    if (device && into)
        return true;
    if (request_is_remote_path(v->text) &&
        (starts_with(at, "cp ") || starts_with(at, "mv ") ||
         strstr(at->before, "{host}:"))) /* another host */
        return true;
    if (v->exists && !v->is_dir &&
        (is_above(at) || (ends_its_word(at) && is_for_directory(at))))
        return true;
    if (v->unit == 's' && strstr(at->before, "| crontab"))
        return true; /* cron knows no seconds */
    if (is_no_process(v, at) || is_no_commit(v, at) || is_no_package(v, at) ||
        is_no_image(v, at) || (v->is_dir && !slot_type_takes_directory(at)))
        return true;
    return v->is_dir && ends_its_word(at) && (file || makes_file_system(at));
}
