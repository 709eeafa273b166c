/* SPDX-License-Identifier: GPL-3.0-or-later */
/* repair_near.c - finds the name that was meant. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/ascii.h"
#include "base/str.h"
#include "config/nearest.h"
#include "offline/repair/repair_find.h"
#include "offline/repair/repair_words.h"

/* Weights: an edit counts more than all signs of likeness together, but for
 * being a word in everyday use. */
#define SCORE_EDIT       8
#define SCORE_UNCOMMON   9
#define SCORE_OTHER_HEAD 3
#define SCORE_OTHER_SET  4

void
repair_near_init(struct repair_near *n, const char *word, const char *favoured)
{
    *n = (struct repair_near){
        .word = word, .favoured = favoured, .left = REPAIR_ENTRIES_MAX};
}

static bool
has_same_letters(const char *a, const char *b)
{
    int counts[256] = {0};

    for (; *a; a++)
        counts[(unsigned char)ascii_to_lower(*a)]++;
    for (; *b; b++)
        counts[(unsigned char)ascii_to_lower(*b)]--;
    for (size_t i = 0; i < ARRAY_SIZE(counts); i++) {
        if (counts[i] != 0)
            return false;
    }
    return true;
}

/* Names that differ in a number (file1, file2) or in one letter of an ending
 * (main.c, main.h) are two things and no slip. */
static bool
is_sibling(const char *a, const char *b)
{
    const char *dot = strrchr(a, '.');
    bool digits_only = true, ending = false;

    if (strlen(a) != strlen(b))
        return false;
    for (size_t i = 0; a[i]; i++) {
        if (a[i] == b[i])
            continue;
        digits_only &= ascii_is_digit(a[i]) && ascii_is_digit(b[i]);
        ending = dot && dot > a && a + i > dot && strlen(dot) <= 2 &&
                 !ascii_is_digit(a[i]) && !ascii_is_digit(b[i]);
    }
    return (digits_only && !has_same_letters(a, b)) || ending;
}

/* Whether the candidate is nearer than the best so far; *result: its score. */
static bool
is_nearer(const struct repair_near *n, const char *candidate, size_t *result)
{
    size_t a = strlen(n->word), b = strlen(candidate), score;
    size_t apart = a > b ? a - b : b - a;
    struct nearest near;

    if (apart > (b + 1) / 3 || strcmp(candidate, n->word) == 0 ||
        b >= sizeof(n->best))
        return false;
    nearest_init(&near, n->word);
    nearest_consider(&near, candidate);
    if (!near.best || is_sibling(n->word, candidate))
        return false;
    score = near.distance * SCORE_EDIT;
    if (ascii_to_lower(n->word[0]) != ascii_to_lower(candidate[0]))
        score += SCORE_OTHER_HEAD;
    if (!has_same_letters(n->word, candidate))
        score += SCORE_OTHER_SET;
    if (n->favoured && !repair_words_has(n->favoured, candidate))
        score += SCORE_UNCOMMON;
    *result = score;
    return !n->best[0] || score < n->score ||
           (score == n->score && strcmp(candidate, n->best) < 0);
}

static void
take_candidate(struct repair_near *n, const char *candidate, size_t score)
{
    n->score = score;
    snprintf(n->best, sizeof(n->best), "%s", candidate);
}

void
repair_near_offer(struct repair_near *n, const char *candidate)
{
    size_t score;

    if (n->left == 0)
        return;
    n->left--;
    if (is_nearer(n, candidate, &score))
        take_candidate(n, candidate, score);
}

static DIR *
open_entries(const struct repair_place *p, const char *path)
{
    int fd = openat(seat_fd(p->seat), path,
                    O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK);
    DIR *d = fd >= 0 ? fdopendir(fd) : NULL;

    if (fd >= 0 && !d)
        close(fd);
    return d;
}

void
repair_near_entries(const struct repair_place *p, struct repair_near *n,
                    const char *dir, bool directories, bool programs)
{
    CLEANUP(dir_close_p) DIR *d = open_entries(p, dir);
    struct dirent *x;

    while (d && n->left > 0 && (x = readdir(d))) {
        struct stat st;
        size_t score;

        if (x->d_name[0] == '.' && n->word[0] != '.')
            continue;
        n->left--;
        if (!is_nearer(n, x->d_name, &score) ||
            (directories && (fstatat(dirfd(d), x->d_name, &st, 0) != 0 ||
                             !S_ISDIR(st.st_mode))) ||
            (programs && faccessat(dirfd(d), x->d_name, X_OK, 0) != 0))
            continue;
        take_candidate(n, x->d_name, score);
    }
}

/* Appends the nearest name to `done` of what is called part. */
static bool
find_part(const struct repair_place *p, const char *part, bool directory,
          struct buf *done)
{
    struct repair_near n;

    repair_near_init(&n, part, NULL);
    repair_near_entries(p, &n, done->len ? done->p : ".", directory, false);
    return n.best[0] && buf_str(done, n.best) == 0;
}

bool
repair_near_path(const struct repair_place *p, const char *path, bool directory,
                 char out[PATH_MAX])
{
    CLEANUP_BUF struct buf done = buf_of(PATH_MAX - 1);
    const char *rest = path;

    while (*rest) {
        size_t n = strcspn(rest, "/"), before = done.len;
        char part[NAME_MAX + 1];
        struct stat st;

        if (n > NAME_MAX)
            return false;
        snprintf(part, sizeof(part), "%.*s", (int)n, rest);
        buf_str(&done, part);
        if (n > 0 && seat_stat(p->seat, done.p, 0, &st) != 0) {
            buf_cut(&done, before);
            if (!find_part(p, part, directory || rest[n], &done))
                return false;
        }
        rest += n;
        while (*rest == '/')
            buf_ch(&done, *rest++);
    }
    if (done.bad || strcmp(done.p, path) == 0 || !seat_has(p->seat, done.p))
        return false;
    snprintf(out, PATH_MAX, "%s", done.p);
    return true;
}
