/* SPDX-License-Identifier: GPL-3.0-or-later */
/* own_dir.h - a directory of one test's own for configuration and state. */
#ifndef TESTS_UNIT_OWN_DIR_H
#define TESTS_UNIT_OWN_DIR_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

/* Below it, or itself for "". Valid until the next call. */
static inline const char *
in_dir(const char *name)
{
    static char dir[32], path[100];

    if (!dir[0]) {
        snprintf(dir, sizeof(dir), "/tmp/agentsh-test-XXXXXX");
        assert_non_null(mkdtemp(dir));
    }
    snprintf(path, sizeof(path), "%s%s%s", dir, name[0] ? "/" : "", name);
    return path;
}

static inline void
put_file(const char *name, const char *text, mode_t mode)
{
    assert_int_equal(file_write(in_dir(name), text, strlen(text), mode, NULL),
                     0);
    assert_int_equal(chmod(in_dir(name), mode), 0);
}

/* Removes what of the names is there, agentsh/ and the directory itself; -1
 * where something else was left in it. */
static inline int
remove_dir(const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++)
        unlink(in_dir(names[i]));
    rmdir(in_dir("agentsh"));
    return rmdir(in_dir(""));
}

#endif
