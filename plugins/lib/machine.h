/* SPDX-License-Identifier: GPL-3.0-or-later */
/* machine.h - the files that tell what a machine is: /proc, /sys, databases.
 *
 * `root` is a descriptor of the directory that stands for "/", so that a test
 * reads a machine of its own making. Paths are relative: "proc/meminfo".
 * What is not there is not an error of the program: a fact is then missing. */
#ifndef PLUGINS_LIB_MACHINE_H
#define PLUGINS_LIB_MACHINE_H

#include <dirent.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/* A directory that stands for "/"; NULL: "/" itself. The caller closes it. */
int machine_open(const char *root, struct err *e);

/* The first size - 1 bytes of a file, always terminated, without the newline
 * at its end. Returns their number; 0, and "" in text, where there is no such
 * file. One read, so that /proc is not asked for more than is wanted. */
size_t machine_read(int root, const char *path, char *text, size_t size);

/* The whole of it, at most out->max. -1: it is not there, or is longer. */
int machine_read_all(int root, const char *path, struct buf *out,
                     struct err *e);

/* The last part of the link's target, "" where it is no link. */
void machine_link_name(int root, const char *path, char *text, size_t size);

/* A directory, to be read and closed; below root or any other one. NULL, and
 * errno why: it cannot be. */
DIR *machine_list(int root, const char *path);

bool machine_has(int root, const char *path);

#endif
