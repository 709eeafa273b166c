/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fill_kin.c - how well a value suits a slot of another type. */
#include <string.h>

#include "guard/path/path_table.h"
#include "offline/request/words.h"
#include "offline/wish/fill_place.h"

#define EXACT   1.0 /* the likeliest type of the value is the slot's */
#define MAYBE   0.8 /* it is one of those that it may be */
#define MEASURE 0.1

/* Of other types. quoted: only what stood in quotes. */
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

#define N_KIN (sizeof(kin) / sizeof(kin[0]))

/* "10 MB" and "two days" say how much, and are hardly ever looked for. */
static bool
is_measure(const struct request_value *v)
{
    return !v->quoted && (v->is == SLOT_SIZE || v->is == SLOT_AGE);
}

double
fill_kinship(enum slot_type slot, const struct request_value *v)
{
    double best = 0;

    if (!fill_has_form(slot, v->text) ||
        ((slot == SLOT_PATH || slot == SLOT_GLOB) && !v->exists &&
         ((slot == SLOT_PATH && v->is == SLOT_HOST) ||
          words_listed(v->text, "tar.gz tar.xz tar.bz2 tar.zst tgz"))) ||
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
ends_with(const struct fill_place *at, const char *text)
{
    size_t n = strlen(text);

    return at->n_before >= n &&
           memcmp(at->before + at->n_before - n, text, n) == 0;
}

static bool
starts(const struct fill_place *at, const char *text)
{
    return strncmp(at->before, text, strlen(text)) == 0;
}

/* Whether the place is the end of its word, and not the {path} of {path}/x. */
static bool
is_whole(const struct fill_place *at)
{
    const char *end = strchr(at->before + at->n_before, '}');

    return !end || !end[1] || strchr(" ;&|)\n", end[1]);
}

/* What is to stay, or only holds what is to go: "delete the logs in x". */
static bool
is_spared(const struct request_value *v, const struct fill_place *at)
{
    if (v->negated && starts(at, "find ") && strstr(at->before, "-delete") &&
        at->n_before == strlen("find "))
        return true;
    if (v->negated && (starts(at, "tar ") || starts(at, "zip ")))
        return !ends_with(at, "--exclude=") && !ends_with(at, "-x ");
    return (v->negated || (v->within && is_whole(at))) &&
           (starts(at, "rm ") || starts(at, "git rm ") ||
            starts(at, "sudo rm "));
}

/* What works on a disk, or on an image of one. */
static bool
makes_file_system(const struct fill_place *at)
{
    return starts(at, "sudo mkfs") || starts(at, "sudo wipefs") ||
           starts(at, "sudo mkswap") || starts(at, "sudo dd ") ||
           starts(at, "sudo parted") || starts(at, "sudo fdisk");
}

/* "the program that writes to x.log" is not called x.log. */
static bool
is_no_process(const struct request_value *v, const struct fill_place *at)
{
    return v->is == SLOT_PATH && (v->exists || strpbrk(v->text, "/.")) &&
           (starts(at, "pkill ") || starts(at, "killall ") ||
            ends_with(at, "pgrep ") || ends_with(at, "pgrep -x "));
}

/* "delete the image photo.jpg" means the file. */
static bool
is_no_image(const struct request_value *v, const struct fill_place *at)
{
    return v->is == SLOT_PATH && (v->exists || strchr(v->text, '.')) &&
           (starts(at, "docker rmi ") || starts(at, "podman rmi "));
}

/* "install requirements.txt": no package is called so. */
static bool
is_no_package(const struct request_value *v, const struct fill_place *at)
{
    const char *dot = strrchr(v->text, '.');
    bool package = dot &&
                   (strcmp(dot, ".deb") == 0 || strcmp(dot, ".rpm") == 0);

    return v->exists && !v->is_dir && !package && ends_with(at, " install ") &&
           !starts(at, "pip") && !starts(at, "npm");
}

/* Neither a file nor "two commits" is a commit of that name. */
static bool
is_no_commit(const struct request_value *v, const struct fill_place *at)
{
    if (starts(at, "git revert ") || starts(at, "git merge ") ||
        starts(at, "git cherry-pick "))
        return v->exists;
    return starts(at, "git diff ") && v->is == SLOT_NUMBER;
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
        *reads |= words_listed(name, programs);
    else if (memchr(word, 'r', n) || memchr(word, 'R', n))
        *reads = false;
    return false;
}

static bool
reads_files(const struct fill_place *at)
{
    bool reads = false;

    fill_words(at, see_file_reader, &reads);
    return reads;
}

/* cp without -r takes files alone; the bak of {path}.bak is of a file, too. */
bool
fill_takes_directory(const struct fill_place *at)
{
    bool copies = starts(at, "cp ") && !starts(at, "cp -r") &&
                  !starts(at, "cp -a") && !starts(at, "cp -R");
    const char *end = strchr(at->before + at->n_before, '}');
    bool first = memchr(at->before, '}', at->n_before) == NULL;

    return (!copies || !first) && (!end || end[1] != '.') &&
           !(is_whole(at) && reads_files(at));
}

/* Where a directory alone is of use: a file there is another wish. */
static bool
is_for_directory(const struct fill_place *at)
{
    return ends_with(at, "cd ") || ends_with(at, "git init ") ||
           ends_with(at, "git -C ") || ends_with(at, "mkdir ") ||
           ends_with(at, "mkdir -p ") || ends_with(at, "rmdir ") ||
           ends_with(at, "http.server -d ") || ends_with(at, "127.0.0.1 -d ");
}

/* The {path} of {path}/: a file has nothing below it. */
static bool
is_above(const struct fill_place *at)
{
    const char *end = strchr(at->before + at->n_before, '}');

    return end && end[1] == '/';
}

bool
fill_harms(const struct request_value *v, const struct fill_place *at)
{
    bool device = path_is(v->text, PATH_IS_DEVICE) &&
                  !path_is(v->text, PATH_IS_STDIO);
    bool into = ends_with(at, "> ") || ends_with(at, "tee ") ||
                ends_with(at, "tee -a ");
    bool file = into || ends_with(at, "-O ") || ends_with(at, "-o ") ||
                ends_with(at, "-Lo ") || ends_with(at, "< ");

    if (is_spared(v, at))
        return true;
    if (device && into)
        return true;
    if (request_is_remote_path(v->text) &&
        (starts(at, "cp ") || starts(at, "mv ") ||
         strstr(at->before, "{host}:"))) /* a machine of its own */
        return true;
    if (v->exists && !v->is_dir &&
        (is_above(at) || (is_whole(at) && is_for_directory(at))))
        return true;
    if (v->unit == 's' && strstr(at->before, "| crontab"))
        return true; /* cron knows no seconds */
    if (is_no_process(v, at) || is_no_commit(v, at) || is_no_package(v, at) ||
        is_no_image(v, at) || (v->is_dir && !fill_takes_directory(at)))
        return true;
    return v->is_dir && is_whole(at) && (file || makes_file_system(at));
}
