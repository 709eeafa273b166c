/* SPDX-License-Identifier: GPL-3.0-or-later */
/* recipe_text.h - recipes of a test's own, from a text. */
#ifndef TESTS_RECIPE_TEXT_H
#define TESTS_RECIPE_TEXT_H

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "base/fd.h"
#include "offline/index/index.h"

/* The book of a text, which is written into a file in memory. NULL: e says
 * what is wrong. */
static inline struct recipe_book *
recipe_book_of(const char *text, struct err *e)
{
    CLEANUP(recipe_book_free_p) struct recipe_book *b = recipe_book_new(e);
    CLEANUP(fd_close_p) int fd = memfd_create("recipes", MFD_CLOEXEC);
    size_t n = strlen(text);
    char path[64];

    snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
    if (!b || fd < 0 || pwrite(fd, text, n, 0) != (ssize_t)n ||
        recipe_book_add(b, path, e) < 0)
        return NULL;
    return TAKE_PTR(b);
}

/* A few everyday ones. */
#define RECIPE_TEXT                                                            \
    "list: the files of a directory\n"                                         \
    "    ? list the files in {path}\n"                                         \
    "    ? what is in {path}\n"                                                \
    "    ? show everything here\n"                                             \
    "    $ ls {path:.}\n"                                                      \
    "    needs ls\n"                                                           \
    "copy: a copy of a file\n"                                                 \
    "    ? copy {path} to {path2}\n"                                           \
    "    ? duplicate the file {path}\n"                                        \
    "    ? make {path2} from {path}\n"                                         \
    "    $ cp {path} {path2}\n"                                                \
    "    needs cp\n"                                                           \
    "    risk writes\n"                                                        \
    "copy-lines: lines of a file, copied into another\n"                       \
    "    ? copy lines with {text} from {path} to {path2}\n"                    \
    "    ? write the matching lines of {path} into {path2}\n"                  \
    "    ? keep the lines of {path} that have {text}\n"                        \
    "    $ grep -e {text} {path} > {path2}\n"                                  \
    "    needs grep\n"                                                         \
    "    risk writes\n"                                                        \
    "sort-count: lines that are sorted, then counted\n"                        \
    "    ? sort lines, count duplicates in {path}\n"                           \
    "    ? how often does each line occur\n"                                   \
    "    ? occurrences of lines, sorted\n"                                     \
    "    $ sort {path} | uniq -c\n"                                            \
    "    needs sort uniq\n"                                                    \
    "count-sort: lines that are counted, then sorted\n"                        \
    "    ? count duplicates, sort lines in {path}\n"                           \
    "    ? most frequent lines of {path}\n"                                    \
    "    ? rank lines by frequency\n"                                          \
    "    $ sort {path} | uniq -c | sort -rn\n"                                 \
    "    needs sort uniq\n"                                                    \
    "find-files: files by what they are\n"                                     \
    "    ? find files named {glob}\n"                                          \
    "    ? search for files under {path}\n"                                    \
    "    ? where is {path}\n"                                                  \
    "    compose find\n"                                                       \
    "    needs find\n"                                                         \
    "new-repository: a repository for a directory\n"                           \
    "    ? start a git repository in {path}\n"                                 \
    "    ? put {path} under version control\n"                                 \
    "    ? track this project with git\n"                                      \
    "    - Make the repository\n"                                              \
    "    $ git init {path:.}\n"                                                \
    "    - Look at what is there\n"                                            \
    "    $ git -C {path:.} status\n"                                           \
    "    needs git\n"                                                          \
    "    risk writes\n"

#endif
