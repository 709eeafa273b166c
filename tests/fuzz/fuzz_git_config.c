/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_git_config.c - any bytes as a configuration: only data is kept of it. */
#include <stdint.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "guard/path/git_config.h"

#define DEPTH 2 /* of the repository, below the root */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int
count(void *arg, const char *key, const char *value)
{
    size_t *n = arg;

    (void)key;
    (void)value;
    ++*n;
    return 0;
}

static int
must_be_data(void *arg, const char *key, const char *value)
{
    enum git_config_use use = git_config_use_of(key, value);

    (void)arg;
    if (use != GIT_DATA && use != GIT_TREE)
        abort();
    return 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP_BUF struct buf kept = buf_of(8 * GIT_CONFIG_MAX);
    const char *text = (const char *)data;
    size_t n = 0;

    (void)git_config_read(text, size, count, &n);
    if (git_config_is_data(text, size, DEPTH))
        (void)git_config_read(text, size, must_be_data, NULL);
    if (git_config_keep_data(text, size, DEPTH, &kept) < 0)
        return 0;
    /* everything that was written is read as data */
    if (git_config_read(kept.p, kept.len, must_be_data, NULL) != 0)
        abort();
    return 0;
}
